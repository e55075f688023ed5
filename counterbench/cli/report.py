"""The command `report`: everything about some runs on one page, of judges or of models."""

from __future__ import annotations

import os
from pathlib import Path

import typer

from counterbench.cli.options import Scoring
from counterbench.cli.printing import print_json, progress, say, say_next
from counterbench.errors import InputError
from counterbench.text import counted, quoted


def report(
    runs: list[Path] = typer.Argument(
        metavar="RUN…", help="One run or several: of probe on one suite, or of t2i judge on the same prompts."
    ),
    out: str = typer.Option(
        metavar="PATH", help="The page to write: a file that ends in .html, or a folder (no suffix, or a / at its end)."
    ),
    folder: bool = typer.Option(False, "--folder", help="Write a folder: index.html with whole pictures beside it."),
    plots: Path | None = typer.Option(None, help="Also write every plot as SVG and PNG (300 dpi) into this folder."),
    scoring: Scoring = "default",
    certificate: list[Path] = typer.Option([], help="A certificate to show; may be given several times."),
    pictures: str | None = typer.Option(
        None,
        metavar="SUITE|DIR",
        help="What was probed, if no shipped suite; where a model's pictures are now; none: a page without pictures.",
    ),
    labels: Path | None = typer.Option(None, help="People's labels of models' pictures, a CSV (see t2i align)."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document about what was written."),
    verbose: bool = typer.Option(False, "-v", "--verbose", help="Name every file of --plots."),
) -> None:
    """Write a report: scores, faults, comparison, every reply.

    With certificates, and a gallery of all pairs; of runs of t2i judge: scores, habit, losses, and every picture with
    its checks, models side by side. One HTML file that needs no network, or a folder for large suites. Certificates in
    a run's folder (certificate*.json) are shown too.
    Example: counterbench report runs/smoke--pixels --out report.html
    """
    from counterbench.reporting import write_report
    from counterbench.reporting.t2i import is_about_pictures

    as_folder = folder or out.endswith(("/", os.sep))
    if is_about_pictures(runs):
        if certificate:
            raise InputError("--certificate is of runs on pairs; a run of t2i judge keeps its own, which is shown")
        _models(runs, out, as_folder, scoring, labels, pictures, plots, as_json, verbose)
        return
    if labels is not None:
        raise InputError("--labels are of generated pictures, and these runs are on pairs; leave it out")
    with progress("drawing pictures", quiet=as_json) as on_progress:
        written = write_report(
            runs,
            Path(out),
            folder=as_folder,
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
    _say_plots(plots, written.plots, verbose)
    if written.large and Path(written.page) == Path(out):
        say(f"note: {size} in one file is slow to open; --folder writes the pictures beside the page")
    say_next(f"open {quoted(written.page)} in a browser")


def _models(
    runs: list[Path],
    out: str,
    folder: bool,
    scoring: str,
    labels: Path | None,
    pictures: str | None,
    plots: Path | None,
    as_json: bool,
    verbose: bool,
) -> None:
    """The report on runs about generated pictures."""
    from counterbench.reporting.t2i import write_model_report

    with progress("making pictures small", quiet=as_json) as on_progress:
        written = write_model_report(
            runs,
            Path(out),
            folder=folder,
            scoring=scoring,
            labels=labels,
            pictures=pictures,
            plots=plots,
            on_progress=on_progress,
        )
    if as_json:
        print_json(written)
        return
    held = (counted(written.runs, "run"), counted(written.groups, "group"), counted(written.pictures, "picture"))
    say(f"{written.page}: {', '.join(held)}, {written.bytes / 1e6:.1f} MB")
    for note in written.notes:
        say(f"note: {note}")
    _say_plots(plots, written.plots, verbose)
    say_next(f"open {quoted(written.page)} in a browser")


def _say_plots(folder: Path | None, files: list[str], verbose: bool) -> None:
    if files:
        say(f"{folder}: {len(files)} files of plots")
        for file in files if verbose else ():
            say(file)
