"""Commands about prompts: t2i export-prompts."""

from __future__ import annotations

from pathlib import Path

import typer

from counterbench.cli.printing import command, say, say_next


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
    from counterbench.t2i.prompts.export import export_prompts as export
    from counterbench.t2i.prompts.files import load_prompts

    asked = load_prompts(prompts)
    written = export(asked, out, limit)
    say(f"{out}: {len(written)} of {len(asked.prompts)} prompts of {asked.name}")
    say("draw them into a folder DIR; its mapping.csv says which picture is which: path,prompt,sample")
    part = ("--limit", limit) if limit is not None else ()
    say_next(command("t2i", "generate", prompts, *part, "--generator", "folder:DIR", "--out", "images"))
