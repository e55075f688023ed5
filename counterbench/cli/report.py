"""The command `report`: everything about some runs on one page, of judges or of models."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from counterbench.cli.options import Scoring
from counterbench.cli.printing import print_json, progress, say, say_next
from counterbench.errors import InputError
from counterbench.text import counted, quoted

if TYPE_CHECKING:
    from counterbench.reporting import Written
    from counterbench.reporting.t2i import WrittenModels


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
    from counterbench.reporting import Written, write_report
    from counterbench.reporting.t2i import is_about_pictures, write_model_report

    of_models = is_about_pictures(runs)
    if of_models and certificate:
        raise InputError("--certificate is of runs on pairs; a run of t2i judge keeps its own, which is shown")
    if labels is not None and not of_models:
        raise InputError("--labels are of generated pictures, and these runs are on pairs; leave it out")
    write = partial(write_model_report, labels=labels) if of_models else partial(write_report, certificates=certificate)
    with progress("making pictures small" if of_models else "drawing pictures", quiet=as_json) as on_progress:
        written = write(
            runs,
            Path(out),
            folder=folder or out.endswith(("/", os.sep)),
            scoring=scoring,
            pictures=pictures,
            plots=plots,
            on_progress=on_progress,
        )
    for problem in written.unreadable if isinstance(written, Written) else ():
        say(f"note: {problem}", err=True)
    if as_json:
        print_json(written)
        return
    for line in _pair_lines(written, Path(out)) if isinstance(written, Written) else _model_lines(written):
        say(line)
    if written.plots:
        say(f"{plots}: {len(written.plots)} files of plots")
        for file in written.plots if verbose else ():
            say(file)
    say_next(f"open {quoted(written.page)} in a browser")


def _pair_lines(of: Written, out: Path) -> list[str]:
    """What was written of runs on pairs, and what it lacks."""
    size = f"{of.bytes / 1e6:.1f} MB"
    held = (counted(of.runs, "judge"), counted(of.pairs, "pair"), counted(of.pictures, "picture"))
    lines = [f"{of.page}: {', '.join(held)}, {size}"]
    lines += [f"{label}: INCOMPLETE, {lacks}" for label, lacks in of.incomplete.items()]
    if of.left_out:
        lines.append(f"left out: {counted(of.left_out, 'pair')} that not all of these runs were asked")
    if of.note and not of.pictures:
        lines.append(f"note: {of.note}")
    if of.large and Path(of.page) == out:
        lines.append(f"note: {size} in one file is slow to open; --folder writes the pictures beside the page")
    return lines


def _model_lines(of: WrittenModels) -> list[str]:
    """What was written of runs about generated pictures."""
    held = (counted(of.runs, "run"), counted(of.groups, "group"), counted(of.pictures, "picture"))
    return [f"{of.page}: {', '.join(held)}, {of.bytes / 1e6:.1f} MB", *(f"note: {note}" for note in of.notes)]
