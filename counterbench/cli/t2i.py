"""Commands about text-to-image models: t2i generate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import typer

from counterbench.cli import (
    options,
    t2i_align,
    t2i_compare,
    t2i_coverage,
    t2i_judge,
    t2i_prepare,
    t2i_prompts,
    t2i_score,
)
from counterbench.cli.app import UNFINISHED, Group, guarded
from counterbench.cli.merge import then_merge
from counterbench.cli.printing import print_json, say, say_next, say_some
from counterbench.cli.work import already, goes_on, of_shard, say_end, working
from counterbench.text import counted

if TYPE_CHECKING:
    from counterbench.asking.runner import Progress
    from counterbench.t2i.images.manifest import Images

SHOWN = 20  # notes and samples without a picture that are named; more are counted

app = typer.Typer(
    no_args_is_help=True,
    cls=Group,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Test text-to-image models with a judge that was tested.",
)


@app.callback()
def top() -> None:
    """Test text-to-image models with a judge that was tested."""


def generate(
    prompts: str = typer.Argument(metavar="PROMPTS", help="A shipped prompt set's name, or a prompt file."),
    generator: str = typer.Option(
        help="planted:NAME, openai:MODEL, diffusers:PATH, folder:DIR, python:MODULE:NAME, a generator's TOML file."
    ),
    out: Path = typer.Option(help="The folder of pictures; each generator has a folder in it."),
    name: str = typer.Option("", help="What to call the generator: its folder, and in tables."),
    samples: int | None = typer.Option(None, help="Pictures of each prompt (default: 4, or what a folder: has)."),
    seed: int = typer.Option(0, help="Other pictures of the same prompts."),
    limit: int | None = typer.Option(
        None, help="Only N groups, at all their levels: of each discipline the first, in turn."
    ),
    shard: options.Shard = "",
    base_url: options.BaseUrl = "",
    key_env: options.KeyEnv = "",
    price: str = typer.Option(
        "", metavar="USD|IN,OUT", help="openai: US dollars for a picture, or for a million tokens in and out."
    ),
    image_host: list[str] = typer.Option(
        [], metavar="HOST", help="openai: fetch pictures from this host though it is not public; may be repeated."
    ),
    concurrency: options.Concurrency = None,
    max_calls: options.MaxCalls = None,
    max_cost: options.MaxCost = None,
    rpm: options.Rpm = None,
    retries: options.Retries = 8,
    as_json: options.AsJson = False,
    verbose: bool = typer.Option(False, "-v", "--verbose", help="Name every sample without a picture, and why."),
) -> None:
    """Have a generator draw a prompt set.

    The same command again resumes. Exits with 3 if it was stopped by a limit or pictures failed. With --shard K/N, N
    machines draw a part each, into a folder each, with limits of its own.
    Begin small: --limit 5 --samples 1 draws 15 pictures of laws, and t2i judge then makes 105 calls. All of laws, four
    samples of each prompt, is 3,080 pictures and 19,960 calls.
    Example: counterbench t2i generate laws --generator planted:literal --out try --limit 5 --samples 1
    """
    from counterbench.asking.asker import Limits
    from counterbench.judges.base import extras
    from counterbench.suites.shards import read_shard
    from counterbench.t2i.generation.generate import generate_images
    from counterbench.t2i.generation.samples import UNTRIED
    from counterbench.t2i.generators import open_generator
    from counterbench.t2i.generators.base import GeneratorExtras
    from counterbench.t2i.prompts.files import load_prompts, not_used

    part = read_shard(shard)
    asked = load_prompts(prompts)
    chosen = open_generator(generator, asked, base_url=base_url, key_env=key_env, price=price, image_hosts=image_host)
    more = extras(chosen, GeneratorExtras)
    each = samples if samples is not None else more.samples or 4
    limits = Limits(concurrency=concurrency, max_calls=max_calls, max_cost=max_cost, rpm=rpm, retries=retries)
    wanted = asked.first(limit)
    prompts_drawn = len(wanted), len(wanted if more.by_id else {prompt.drawn_as for prompt in wanted})
    if not as_json:
        say_some([*not_used(prompts), *more.notes], SHOWN, verbose, err=True)

    def begins(p: Progress) -> str:
        every, words = prompts_drawn
        own = "" if words == every else f": {every} prompts, of which {words} have words of their own"
        own = of_shard(part, limits) or own
        return f"{counted(p.total - p.done, 'picture')} to ask {chosen.name} for{already(p, 'drawn')}{own}"

    def prices() -> str:
        return extras(chosen, GeneratorExtras).prices

    with working(f"drawing with {chosen.name}", begins, "drawn", prices, quiet=as_json) as work:
        made = generate_images(
            asked,
            chosen,
            out,
            samples=each,
            seed=seed,
            limit=limit,
            limits=limits,
            name=name,
            shard=part,
            on_progress=work,
        )
    images, end = made.images, made.progress
    if as_json:
        print_json(
            {
                "images": str(images.path),
                "complete": end.complete,
                "progress": end,
                "counts": images.counts,
                "notes": [*more.notes, *_known(msgspec.structs.replace(images, rows=made.pictures))],
            }
        )
    else:
        waiting = sum(row.message == UNTRIED for row in made.pictures)
        there = msgspec.structs.replace(images, rows=made.pictures)
        found = there.counts | {"missing": there.counts.get("missing", 0) - waiting, "not drawn yet": waiting}
        counts = ", ".join(f"{count} {status}" for status, count in found.items() if count)
        if len(there.rows) == end.total:
            say(f"{images.path}: {end.done} of {end.total} pictures ({counts}), {end.calls} asked for now")
        else:
            say(f"{images.path}: {end.done} of {end.total} pictures, {end.calls} asked for now")
            say(f"with those of earlier calls: {len(there.rows)} pictures ({counts})")
        say_some(_without_picture(there), SHOWN, verbose)
        say_some(_known(there), SHOWN, verbose)
        say_end(end, prices())
        say_next(goes_on(end, then_merge(part, images.path) if part else ""))
    if not end.complete:
        raise typer.Exit(UNFINISHED)


def _without_picture(images: Images) -> list[str]:
    """Lines on samples that have no picture, except those that were not tried yet."""
    from counterbench.t2i.generation.samples import UNTRIED

    return [
        f"{row.id}: {row.status}: {row.message.removeprefix(f'{row.status}: ')}"
        for row in images.rows
        if row.status != "ok" and row.message not in ("", UNTRIED)
    ]


def _known(images: Images) -> list[str]:
    """Lines on pictures that were converted, and on those whose prompt was not read to the end."""
    from counterbench.t2i.generation.adapter import CONVERTED

    converted: dict[str, list[str]] = {}
    cut = []
    for row in images.rows:
        parts = row.message.split("; ") if row.status in ("ok", "blank") else []
        for part in parts:
            if part.startswith(CONVERTED):
                converted.setdefault(part, []).append(row.id)
        if row.status == "ok" and (others := [part for part in parts if part and not part.startswith(CONVERTED)]):
            cut.append("; ".join(others))
    found = [f"{counted(len(ids), 'picture was', 'pictures were')} {how}, such as {ids[0]}"
             for how, ids in converted.items()]  # fmt: skip
    if cut:
        pictures = counted(len(cut), "picture is", "pictures are")
        found.append(f"{pictures} of a prompt that was cut; the manifest says which, such as: {cut[0]}")
    return found


app.command("align")(guarded(t2i_align.align))
app.command("compare")(guarded(t2i_compare.compare))
app.command("coverage")(guarded(t2i_coverage.coverage))
app.command("export-prompts")(guarded(t2i_prompts.export_prompts))
app.command("generate")(guarded(generate))
app.command("judge")(guarded(t2i_judge.judge))
app.command("prepare")(guarded(t2i_prepare.prepare))
app.command("score")(guarded(t2i_score.score))
