"""The commands `counterbench t2i …`, which test text-to-image models with a judge.

Here are `generate` (draw the pictures of prompts), `import` (read pictures that were made elsewhere), `prepare` (have a
language model write the questions of prompts) and `export-prompts`; `judge` and `audit` have modules of their own. Each
function is a command: its parameters are the command's arguments and options, and its docstring is the command's help.
It opens what is named, calls the function of the library that does the work, prints the result and the next command,
and exits with 3 if something is left to do. The functions with an underscore print parts of a result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from counterbench.asking.options import Calls
from counterbench.cli import options, t2i_audit, t2i_judge
from counterbench.cli.app import UNFINISHED, commands, guarded
from counterbench.cli.printing import command, print_json, progress, say, say_next, say_some
from counterbench.cli.work import already_words, next_step, say_end, say_lasting, shard_words, then_merge, working
from counterbench.text import counted, some

if TYPE_CHECKING:
    from counterbench.asking.runner import Progress
    from counterbench.pictures.generation.generate import Generated
    from counterbench.pictures.preparing import Prepared
    from counterbench.prompts.manifest import ImageRow

MAX_NOTES, MAX_IDS = 20, 5  # notes, and ids of prompts, that are printed in full; of more the number is printed

PromptsArgument = Annotated[
    str, typer.Argument(metavar="PROMPTS", help="A shipped prompt set's name, or a prompt file.")
]
Groups = Annotated[int | None, typer.Option(help="Only N groups, at all their levels, from each discipline in turn.")]

app = commands("Test text-to-image models with a judge that was tested.")


@options.fields_as_options
def generate(
    prompts: PromptsArgument,
    generator: str = typer.Option(
        help="planted:NAME, openai:MODEL, diffusers:PATH, python:MODULE:NAME, a generator's TOML file."
    ),
    out: Path = typer.Option(help="The folder of pictures; each generator has a folder in it."),
    name: str = typer.Option("", help="The name of the generator: of its folder, and in tables."),
    samples: int = typer.Option(4, help="Pictures of each prompt."),
    seed: int = typer.Option(0, help="Other pictures of the same prompts."),
    limit: Groups = None,
    shard: options.ShardOption = "",
    base_url: options.BaseUrl = "",
    price: str = typer.Option(
        "", metavar="USD|IN,OUT", help="openai: US dollars for a picture, or for a million tokens in and out."
    ),
    image_host: list[str] = typer.Option(
        [], metavar="HOST", help="openai: fetch pictures from this host though it is not public; may be repeated."
    ),
    *,
    calls: Calls,
    as_json: options.AsJson = False,
) -> None:
    """Have a generator draw a prompt set.

    The same command again resumes. Exits with 3 if it was stopped by a limit or pictures failed. With --shard K/N, N
    machines draw a part each, into a folder each, with its part of calls and money.
    Begin small: --limit 5 --samples 1 draws 15 pictures of laws, and t2i judge then makes 105 calls. All of laws, four
    samples of each prompt, is 3,080 pictures and 19,960 calls.
    Example: counterbench t2i generate laws --generator planted:literal --out try --limit 5 --samples 1
    """
    from counterbench.judges.base import extras
    from counterbench.pictures.generation.generate import generate_images
    from counterbench.pictures.generators import open_generator
    from counterbench.pictures.generators.base import GeneratorExtras
    from counterbench.prompts.files import load_prompts, not_used
    from counterbench.suites.shards import read_shard

    part = read_shard(shard)
    prompt_set = load_prompts(prompts)
    chosen = open_generator(generator, prompt_set, base_url=base_url, price=price, image_hosts=image_host)
    declared = extras(chosen, GeneratorExtras)
    limits = calls.limits
    if not as_json:
        say_some(not_used(prompts), MAX_NOTES, err=True, all_are="--json has all")

    def first_line(p: Progress) -> str:
        """The line printed before the first picture is drawn."""
        wanted = prompt_set.first(limit)
        total, distinct = len(wanted), len(wanted if declared.by_id else {prompt.drawn_as for prompt in wanted})
        texts = "" if distinct == total else f" ({total} prompts, {distinct} distinct texts)"
        texts = shard_words(part, limits) or texts
        return f"pictures to draw with {chosen.name}: {p.total - p.done}{already_words(p, 'drawn')}{texts}"

    doing = f"drawing with {chosen.name}"
    with working(doing, first_line, "drawn", lambda: extras(chosen, GeneratorExtras).prices, quiet=as_json) as work:
        generated = generate_images(
            prompt_set,
            chosen,
            out,
            samples=samples,
            seed=seed,
            limit=limit,
            limits=limits,
            name=name,
            shard=part,
            on_progress=work,
        )
    end, path = generated.progress, generated.images.path
    if as_json:
        notes = _notes(generated.pictures)
        counts = generated.images.counts
        print_json({"images": str(path), "complete": end.complete, "progress": end, "counts": counts, "notes": notes})
    else:
        _say_generated(generated)
        say_end(end, extras(chosen, GeneratorExtras).prices)
        say_next(next_step(end, then_merge(part, path) if part else ""))
    if not end.complete:
        raise typer.Exit(UNFINISHED)


def import_(
    source: options.Pictures,
    out: Path = typer.Option(help="The folder of pictures; each model has a folder in it."),
    prompts: str = typer.Option("", "--for", metavar="PROMPTS", help="The prompts (default: the table's own)."),
    columns: options.ColumnsOption = "",
    allow_outside: options.AllowOutside = False,
    as_json: options.AsJson = False,
) -> None:
    """Read pictures that were made elsewhere.

    The files stay where they are. A row names its prompt by id or exact words; a file in a folder is named by its
    prompt's id, words or index from 0, with "-1" for a further sample.
    Example: counterbench t2i import pictures.csv --out images
    """
    from counterbench.pictures.importing.pictures import import_pictures
    from counterbench.pictures.importing.places import read_material
    from counterbench.prompts.files import load_prompts
    from counterbench.prompts.items import columns_given

    known_prompts = load_prompts(prompts) if prompts else None
    material = read_material(source, known_prompts, columns_given(columns), allow_outside)
    with progress("reading pictures", quiet=as_json) as report:
        imported = import_pictures(material.placed, material.prompts, out, report)
    if as_json:
        counts = {str(images.path): images.counts for images in imported}
        print_json({"images": counts, "prompts": len(material.prompts.prompts), "notes": material.notes})
        return
    say_some(material.notes, MAX_NOTES, err=True, all_are="--json has all")
    for images in imported:
        drawn, wanted = counted(len(images.rows), "picture"), counted(len(images.prompts.prompts), "prompt")
        states = ", ".join(f"{count} {status}" for status, count in images.counts.items())
        say(f"{images.path}: {drawn} ({states}) of {wanted}")
        not_ok = [f"{row.id}: {row.status}: {row.message}" for row in images.rows if row.status != "ok"]
        say_some(not_ok, MAX_NOTES, all_are="manifest.jsonl has all")


def _say_generated(generated: Generated) -> None:
    """Print the number of pictures by their state, the failures, and notes; samples not drawn yet are only counted."""
    from counterbench.pictures.generation.samples import UNTRIED
    from counterbench.prompts.manifest import STATUSES

    rows, end, path = generated.pictures, generated.progress, generated.images.path
    states = Counter("not drawn yet" if row.message == UNTRIED else row.status for row in rows)
    order = [*STATUSES, "not drawn yet"]
    counts = ", ".join(f"{states[state]} {state}" for state in sorted(states, key=order.index))
    say(f"{path}: {end.done} of {end.total} pictures, {end.calls} requested now; in the folder: {counts}")
    failures = [
        f"{row.id}: {row.status}: {row.message.removeprefix(f'{row.status}: ')}"
        for row in rows
        if row.status != "ok" and row.message not in ("", UNTRIED)
    ]
    say_some(failures, MAX_NOTES, all_are="manifest.jsonl has all")
    say_some(_notes(rows), MAX_NOTES, all_are="manifest.jsonl has all")


def _notes(rows: Sequence[ImageRow]) -> list[str]:
    """A line for each kind of note on pictures, such as files that were converted or prompts that were cut.

    Notes that begin with the same word are of one kind.
    """
    by_kind: dict[str, list[tuple[str, str]]] = {}
    for row in rows:
        for note in row.message.split("; ") if row.status == "ok" and row.message else ():
            by_kind.setdefault(note.partition(" ")[0], []).append((row.id, note))
    return [
        f"{counted(len(notes), 'picture has', 'pictures have')} a note in the manifest, such as {': '.join(notes[0])}"
        for notes in by_kind.values()
    ]


def prepare(
    prompts: PromptsArgument,
    author: str = typer.Option(metavar="JUDGE", help="The language model that writes: openai:MODEL or another."),
    out: Path = typer.Option(metavar="FILE.jsonl", help="The prompt file to write; replies go to FILE.jsonl.author."),
    protocol: str = typer.Option("", help="Write the questions of this protocol (default: what the prompts say)."),
    rewrite: str = typer.Option(
        "",
        metavar="TEMPLATE",
        help="Put the prompts into other words instead: rewrite, rewrite-reasoned, describe, or a file of yours.",
    ),
    limit: Groups = None,
    max_calls: options.MaxCalls = None,
    max_cost: options.MaxCost = None,
    as_json: options.AsJson = False,
) -> None:
    """Have a language model write questions, or rewrite prompts.

    FILE is a prompt file that you may read and edit before use. A prompt that has questions is kept as it is; a reply
    that cannot be used is asked for once more. The same command again resumes. Exits with 3 if it was stopped or
    prompts failed. With --rewrite FILE is a variant of PROMPTS, with their questions: `compare` prints the gain of its
    runs over those of PROMPTS.
    Example: counterbench t2i prepare mine.csv --protocol cf-eval --author openai:MODEL --out asked.jsonl
    """
    from counterbench.asking.asker import Limits
    from counterbench.errors import InputError
    from counterbench.judges import open_judge
    from counterbench.judges.base import JudgeExtras, extras
    from counterbench.pictures.preparing import prepare as write_prompts
    from counterbench.pictures.protocols import protocol as protocol_of
    from counterbench.pictures.rewriting import Rewriting, load_rewrite
    from counterbench.prompts.files import load_prompts, not_used

    if rewrite and protocol:
        raise InputError("--protocol and --rewrite: write either questions or other words; leave one of them out")
    prompt_set = load_prompts(prompts)
    if limit is not None:
        prompt_set = prompt_set.holding(prompt_set.first(limit))
    if not as_json:
        say_some(not_used(prompts), 1, err=True, all_are="list prompts has all")
    task = Rewriting(load_rewrite(rewrite)) if rewrite else protocol_of(protocol or prompt_set.protocol)
    if author.startswith(("planted:", "pixels")):
        raise InputError(f"--author {author}: this judge cannot write {task.writes}; name a model (openai:MODEL)")
    chosen, limits = open_judge(author, list), Limits(max_calls=max_calls, max_cost=max_cost)

    def first_line(p: Progress) -> str:
        """The line printed before the author is asked."""
        if not p.total:
            return f"nothing to ask {chosen.name}: each prompt has questions"
        calls = f"calls to {chosen.name} to write {task.writes}: {p.total - p.done}"
        then = f", then at most {p.min_remaining:,} more" if p.min_remaining else ""
        retries = ", and one more for each unusable reply" if p.done < p.total else ""
        return f"{calls}{then}{retries}{already_words(p, 'answered')}"

    doing = f"asking {chosen.name}"
    with working(doing, first_line, "answered", lambda: extras(chosen, JudgeExtras).prices, quiet=as_json) as work:
        prepared = write_prompts(prompt_set, task, chosen, out, limits=limits, on_progress=work)
    end, then = prepared.progress, command("t2i", "generate", out, "--generator", "planted:card", "--out", "images")
    if as_json:
        written = prepared.prompts
        print_json(
            {
                "file": str(out) if written is not None else None,
                "digest": written.digest if written is not None else None,
                "variant_of": written.variant_of or None if written is not None else None,
                "run": str(prepared.run),
                "complete": end.complete,
                "prompts": len(written.prompts) if written is not None else None,
                "checks": sum(len(prompt.checks) for prompt in written.prompts) if written is not None else None,
                "kept": prepared.kept_count,
                "without": prepared.without,
                "progress": end,
            }
        )
    else:
        _say_prepared(prepared, out, task.writes)
        say_lasting(end)
        say_end(end, extras(chosen, JudgeExtras).prices)
        say_next(then if prepared.prompts is not None else next_step(end, then))
    if not end.complete:
        raise typer.Exit(UNFINISHED)


def _say_prepared(prepared: Prepared, out: Path, writes: str) -> None:
    """Print the number of prompts that were written, and the ids of those about which nothing was, with the reason.

    `writes`: what the author writes about a prompt, in words.
    """
    end = prepared.progress
    if prepared.prompts is None:
        say(f"{prepared.run}: {end.done} of {end.total} replies, {end.calls} asked now; {out} is not written yet")
        return
    missed = [id for ids in prepared.without.values() for id in ids]
    total = len(prepared.asked_ids)
    parts = [f"{writes} for {total - len(missed)} of {counted(total, 'prompt')}"] if total else []
    parts += [f"{counted(prepared.kept_count, 'prompt')} kept as they were"] if prepared.kept_count else []
    say(f"{out}: {', '.join(parts)}; digest {prepared.prompts.digest}")
    for why, ids in prepared.without.items():
        place_of_rest = " (--json has all)" if len(ids) > MAX_IDS else ""
        say(f"{why}, so no {writes} for: {some(ids, MAX_IDS)}{place_of_rest}")
        if why in prepared.examples:
            say(f"such as {prepared.examples[why]}")


def export_prompts(
    prompts: PromptsArgument,
    out: Path = typer.Option(help="The file to write, .csv or .jsonl: a line a prompt, with its id and its text."),
    limit: Groups = None,
) -> None:
    """Write prompts as a table of id and text, to draw elsewhere.

    Example: counterbench t2i export-prompts laws --limit 5 --out prompts.csv
    """
    from counterbench.prompts.files import export_prompts as export
    from counterbench.prompts.files import load_prompts

    prompt_set = load_prompts(prompts)
    written = export(prompt_set, out, limit)
    say(f"{out}: {len(written)} of {len(prompt_set.prompts)} prompts of {prompt_set.name}")
    say("draw them into a folder PICTURES/MODEL, each file named by its prompt's id")
    say(f"then read them: {command('t2i', 'import', 'PICTURES', '--for', prompts, '--out', 'images')}")


app.command("audit")(guarded(t2i_audit.audit))
app.command("export-prompts")(guarded(export_prompts))
app.command("generate")(guarded(generate))
app.command("import")(guarded(import_))
app.command("judge")(guarded(t2i_judge.judge))
app.command("prepare")(guarded(prepare))
