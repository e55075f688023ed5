"""Export: pairs written in the formats of other people's tools."""

from __future__ import annotations

import typer

from counterbench.cli import options
from counterbench.cli.printing import progress, say, say_next
from counterbench.text import counted


def export(
    source: options.SourceName,
    format_: str = typer.Option(
        ..., "--format", metavar="FORMAT", help="hf, croissant, webdataset, … (see: counterbench list exports)."
    ),
    out: str = typer.Option(help="The folder to write, or an address such as s3://bucket/pairs."),
    template: options.PromptTemplate = "default",
    limit: options.Limit = None,
) -> None:
    """Write pairs in the format of another tool.

    export.json is written last and names every file with its digest: without it an export is not whole.
    Example: counterbench export counterbench-550 --format hf --out hf
    """
    from counterbench.interop.exports import EXPORTS, Options, exporter
    from counterbench.interop.exports import export as write
    from counterbench.runs.templates import load_template
    from counterbench.suites.sources import open_source

    exporter(format_)  # before anything is drawn
    chosen = Options(load_template(template))
    with progress("exporting") as report:
        done = write(format_, open_source(source, limit=limit), out, chosen, report)
    held = f"{counted(len(done.files), 'file')}, {_size(sum(file.bytes for file in done.files.values()))}"
    say(f"{out}: {counted(done.pairs, 'pair')} of {done.suite} as {format_}, {held}")
    if "://" not in out:  # what reads a folder does not read every store
        say_next(EXPORTS[format_].then.format(out=out))


def _size(length: int) -> str:
    """A number of bytes, rounded: "12 kB", "3.4 MB"."""
    return f"{length / 1e3:,.0f} kB" if length < 999_500 else f"{length / 1e6:,.1f} MB"
