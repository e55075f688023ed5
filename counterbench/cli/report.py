"""The command `report`: everything about some runs on one page."""

from __future__ import annotations

import os
from pathlib import Path

import typer

from counterbench.cli.options import Scoring
from counterbench.cli.printing import print_json, progress, say, say_next
from counterbench.text import counted, quoted


def report(
    runs: list[Path] = typer.Argument(metavar="RUN…", help="One run folder or several, of one suite."),
    out: str = typer.Option(
        metavar="PATH", help="The page to write: a file that ends in .html, or a folder (no suffix, or a / at its end)."
    ),
    folder: bool = typer.Option(False, "--folder", help="Write a folder: index.html with whole pictures beside it."),
    plots: Path | None = typer.Option(None, help="Also write every plot as SVG and PNG (300 dpi) into this folder."),
    scoring: Scoring = "default",
    certificate: list[Path] = typer.Option([], help="A certificate to show; may be given several times."),
    pictures: str | None = typer.Option(
        None, metavar="SUITE|DIR", help="What was probed, if it is not a shipped suite; none: a page without pictures."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document about what was written."),
    verbose: bool = typer.Option(False, "-v", "--verbose", help="Name every file of --plots."),
) -> None:
    """Write a report: scores, faults, comparison, every reply.

    With certificates, and a gallery of all pairs. One HTML file that needs no network, or a folder for large
    suites. Certificates in a run's folder (certificate*.json) are shown too.
    Example: counterbench report runs/smoke--pixels --out report.html
    """
    from counterbench.reporting import write_report

    with progress("drawing pictures", quiet=as_json) as on_progress:
        written = write_report(
            runs,
            Path(out),
            folder=folder or out.endswith(("/", os.sep)),
            scoring=scoring,
            certificates=certificate,
            pictures=pictures,
            plots=plots,
            on_progress=on_progress,
        )
    for problem in written.unreadable:
        say(f"note: {problem}", err=True)
    if as_json:
        print_json(written)
        return
    size = f"{written.bytes / 1e6:.1f} MB"
    held = ", ".join(
        (counted(written.runs, "judge"), counted(written.pairs, "pair"), counted(written.pictures, "picture"), size)
    )
    say(f"{written.page}: {held}")
    if written.left_out:
        say(f"left out: {counted(written.left_out, 'pair')} that not all of these runs were asked")
    if written.note and not written.pictures:
        say(f"note: {written.note}")
    if written.plots:
        say(f"{plots}: {len(written.plots)} files of plots")
        for file in written.plots if verbose else ():
            say(file)
    if written.large and Path(written.page) == Path(out):
        say(f"note: {size} in one file is slow to open; --folder writes the pictures beside the page")
    say_next(f"open {quoted(written.page)} in a browser")
