"""The command `report`: everything about some runs on one page, of judges or of models."""

from pathlib import Path

import typer

from counterbench.cli.printing import progress, say, say_next
from counterbench.text import counted, quoted


def report(
    runs: list[Path] = typer.Argument(
        metavar="RUN…", help="One run or several: of probe on one suite, or of t2i judge on the same prompts."
    ),
    out: Path = typer.Option(metavar="PATH", help="The page to write: a file that ends in .html."),
    pictures: str | None = typer.Option(
        None,
        metavar="SUITE|DIR",
        help="What was probed, if no shipped suite; where a model's pictures are now; none: a page without pictures.",
    ),
    labels: Path | None = typer.Option(None, help="People's labels of models' pictures, a CSV (see t2i align)."),
) -> None:
    """Write a report: scores, faults, comparison, every reply.

    With certificates, and a gallery of all pairs; of runs of t2i judge: the ranking, skills, and every picture with its
    checks, models side by side. One HTML file that needs no network; of very many pictures these lie in a folder
    beside it. Certificates in a run's folder (certificate*.json) are shown too.
    Example: counterbench report runs/smoke--pixels --out report.html
    """
    from counterbench.reporting import write_report

    with progress("making pictures small") as on_progress:
        written = write_report(
            runs,
            out,
            labels=labels,
            pictures=pictures,
            on_progress=on_progress,
        )
    what = counted(written.groups, "group") if written.groups is not None else counted(written.pairs or 0, "pair")
    of, size = counted(written.runs, "run"), f"{written.bytes / 1e6:.1f} MB"
    say(f"{written.page}: {of}, {what}, {counted(written.pictures, 'picture')}, {size}")
    for note in written.notes:
        say(f"note: {note}")
    say_next(f"open {quoted(written.page)} in a browser")
