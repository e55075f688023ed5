"""Commands about prompts: t2i prepare, by which a language model writes their questions, and t2i export-prompts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from counterbench.cli import options
from counterbench.cli.app import UNFINISHED
from counterbench.cli.printing import command, print_json, say, say_next, say_some
from counterbench.cli.work import already, goes_on, say_end, say_lasting, working
from counterbench.text import counted

if TYPE_CHECKING:
    from counterbench.asking.runner import Progress
    from counterbench.t2i.preparing import Prepared

_SHOWN = 5  # ids that are named; more are counted


def prepare(
    prompts: str = typer.Argument(metavar="PROMPTS", help="A shipped prompt set's name, or a prompt file."),
    author: str = typer.Option(metavar="JUDGE", help="Who writes, without a picture: openai:MODEL or another model."),
    out: Path = typer.Option(metavar="FILE.jsonl", help="The prompt file; what was asked lies in FILE.jsonl.author."),
    protocol: str = typer.Option("", help="Write the questions of this protocol (default: what the prompts say)."),
    limit: int | None = typer.Option(
        None, help="Only N groups, at all their levels: of each discipline the first, in turn."
    ),
    max_calls: options.MaxCalls = None,
    max_cost: options.MaxCost = None,
    as_json: options.AsJson = False,
) -> None:
    """Have a language model write the questions of prompts, once.

    FILE is a prompt file that you may read and edit before use. A prompt that has questions is kept as it is; a reply
    that cannot be used is asked for once more. The same command again resumes. Exits with 3 if it was stopped or
    prompts failed.
    Example: counterbench t2i prepare mine.csv --protocol cf-eval --author openai:MODEL --out asked.jsonl
    """
    from counterbench.asking.asker import Limits
    from counterbench.errors import InputError
    from counterbench.judges import open_judge
    from counterbench.judges.base import JudgeExtras, extras
    from counterbench.t2i.preparing import prepare as write_prompts
    from counterbench.t2i.prompts.files import load_prompts, not_used
    from counterbench.t2i.protocols import protocol as protocol_of

    asked = load_prompts(prompts)
    if limit is not None:
        asked = asked.of(asked.first(limit))
    if not as_json:
        say_some(not_used(prompts), 1, err=True, all_are="list prompts has all")
    by = protocol_of(protocol or asked.protocol)
    if author.startswith(("planted:", "pixels")):
        raise InputError(f"--author {author}: answers checks, and writes nothing; name a model, such as openai:MODEL")
    chosen, limits = open_judge(author, list), Limits(max_calls=max_calls, max_cost=max_cost)

    def begins(p: Progress) -> str:
        if not p.total:
            return f"nothing to ask {chosen.name}: each prompt has questions"
        calls = f"{counted(p.total - p.done, 'call')} to ask {chosen.name} for questions"
        then = f", at most {p.min_remaining:,} that follow from its replies" if p.min_remaining else ""
        retries = ", one more for each reply that cannot be used" if p.done < p.total else ""
        return f"{calls}{then}{retries}{already(p, 'answered')}"

    def prices() -> str:
        return extras(chosen, JudgeExtras).prices

    with working(f"asking {chosen.name}", begins, "answered", prices, quiet=as_json) as work:
        prepared = write_prompts(asked, by, chosen, out, limits=limits, on_progress=work)
    end, then = prepared.progress, command("t2i", "generate", out, "--generator", "planted:card", "--out", "images")
    if as_json:
        written = prepared.prompts
        print_json(
            {
                "file": str(out) if written is not None else None,
                "digest": written.digest if written is not None else None,
                "run": str(prepared.run),
                "complete": end.complete,
                "prompts": len(written.prompts) if written is not None else None,
                "checks": sum(len(prompt.checks) for prompt in written.prompts) if written is not None else None,
                "kept": prepared.kept,
                "without": prepared.without,
                "progress": end,
            }
        )
    else:
        _say(prepared, out)
        say_lasting(end)
        say_end(end, prices())
        say_next(then if prepared.prompts is not None else goes_on(end, then))
    if not end.complete:
        raise typer.Exit(UNFINISHED)


def _say(prepared: Prepared, out: Path) -> None:
    """Print the number of prompts that were written, and those without a readable reply."""
    end = prepared.progress
    if prepared.prompts is None:
        say(f"{prepared.run}: {end.done} of {end.total} replies, {end.calls} asked now; {out} is not written yet")
        return
    missed = [id for ids in prepared.without.values() for id in ids]
    asked = len(prepared.asked)
    parts = [f"questions for {asked - len(missed)} of {counted(asked, 'prompt')}"] if asked else []
    parts += [f"{counted(prepared.kept, 'prompt')} kept as they were"] if prepared.kept else []
    say(f"{out}: {', '.join(parts)}; digest {prepared.prompts.digest}")
    for why, ids in prepared.without.items():
        shown = ids[:_SHOWN]
        rest = f" and {len(ids) - len(shown)} more (--json has all)" if len(shown) < len(ids) else ""
        say(f"{why}, questions for none of these: {', '.join(shown)}{rest}")
        if why in prepared.examples:
            say(f"such as {prepared.examples[why]}")


def export_prompts(
    prompts: str = typer.Argument(metavar="PROMPTS", help="A shipped prompt set's name, or a prompt file."),
    out: Path = typer.Option(help="The file to write, .csv or .jsonl: a line a prompt, with its id and its text."),
    limit: int | None = typer.Option(
        None, help="Only N groups, at all their levels: of each discipline the first, in turn."
    ),
) -> None:
    """Write prompts as a table of id and text, to draw elsewhere.

    Example: counterbench t2i export-prompts laws --limit 5 --out prompts.csv
    """
    from counterbench.t2i.prompts.files import export_prompts as export
    from counterbench.t2i.prompts.files import load_prompts

    asked = load_prompts(prompts)
    written = export(asked, out, limit)
    say(f"{out}: {len(written)} of {len(asked.prompts)} prompts of {asked.name}")
    say("draw them into a folder PICTURES/MODEL, each file named by its prompt's id")
    say(f"then read them: {command('t2i', 'import', 'PICTURES', '--for', prompts, '--out', 'images')}")
