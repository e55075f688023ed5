"""Commands about judges: doctor, probe, report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from counterbench.asking.options import ProbeOptions
from counterbench.cli import options
from counterbench.cli.amounts import forecast_words
from counterbench.cli.app import CHECK_FAILED, UNFINISHED
from counterbench.cli.printing import command, print_json, progress, say, say_all, say_next
from counterbench.cli.work import ask, next_step, say_asked, then_merge
from counterbench.text import counted, quoted, visible

if TYPE_CHECKING:
    from counterbench.asking.asking import AskedTemplate, Asking

_RESULTS = {True: "ok", False: "FAILS", None: "not checked"}


@options.fields_as_options
def probe(
    source: options.SourceName,
    judge: str = typer.Option(
        help="pixels, planted:NAME, replay:RUN, openai:MODEL, transformers:PATH, python:MODULE:NAME, or a TOML file."
    ),
    *,
    job_options: ProbeOptions,
    as_json: options.AsJson = False,
) -> None:
    """Ask a judge every question of a suite or folder of pairs.

    With several templates, the run is under the first, and those under the others lie in its folder.
    With --shard K/N, each of N machines asks one part, with one Nth of calls and money.
    The same command again resumes. Exits with 3 if it was stopped by a limit or questions failed.
    Example: counterbench probe smoke --judge pixels
    """
    from counterbench.asking.probe import Probe

    asking = Probe.from_options(job_options).asking()
    ends = ask(asking, quiet=as_json)
    _say_end(asking, ends, as_json)


def _say_end(asking: Asking, ends: Sequence[AskedTemplate], as_json: bool) -> None:
    """Print how the runs under all templates ended; exits with 3 unless everything was asked."""
    from counterbench.cli.grid import show
    from counterbench.cli.tables import flip_lines, flip_table
    from counterbench.results.flips import flips_of
    from counterbench.results.rules import DEFAULT
    from counterbench.runs.usage import usage_of

    part, path, several = asking.questions.shard, asking.path, len(asking.templates) > 1
    complete = asking.complete
    flips = flips_of(path, DEFAULT) if len(ends) > 1 and part is None else None
    if as_json:
        documents = [
            {"run": str(run.path), "complete": run.end.complete, "progress": run.end, "observed": usage_of(run.path)}
            for run in ends
        ]
        print_json(documents[0] | ({"complete": complete, "templates": documents, "flips": flips} if several else {}))
    else:
        for run in ends:
            say_asked(asking, run)
        if unasked := [template.name for template in asking.templates[len(ends) :]]:
            say(f"templates not asked yet: {', '.join(unasked)}")
        if flips is not None:
            show(flip_table(flips), *flip_lines(flips))
        last = next((run.end for run in ends if not run.end.complete), ends[-1].end)
        then = then_merge(part, path) if part else command("score", path)
        say_next(last.again if last.complete and not complete else next_step(last, then))
    if not complete:
        raise typer.Exit(UNFINISHED)


def doctor(
    judge: str = typer.Option(help="openai:MODEL, transformers:PATH, python:MODULE:NAME, a judge's TOML file, …"),
    template: str = typer.Option("default", help="How the judge is asked: a shipped template's name, or a file."),
    base_url: options.BaseUrl = "",
    as_json: options.AsJson = False,
) -> None:
    """Ask a judge 24 questions before a long run: does it see at all?

    Checks that it answers, sees the pictures, and gives the same answers one by one and together. Exits with 1 if a
    check does not hold, 3 if questions failed.
    Example: counterbench doctor --judge pixels
    """
    from counterbench.asking.doctor import FIRST_PAIRS, check_up
    from counterbench.cli.grid import show_list
    from counterbench.evidence.policies import load_policy
    from counterbench.runs.queries import DEFAULT, load_template

    with progress("asking", quiet=as_json) as on_progress:
        checkup = check_up(
            judge, load_template(template), on_progress=on_progress, most_unread=load_policy().outcomes.unparsed,
            base_url=base_url,
        )  # fmt: skip
    if as_json:
        print_json(checkup)
    else:
        show_list({f"{_RESULTS[check.holds]:<12}{check.name}": visible(check.message) for check in checkup.findings})
        if checkup.figures.replies:
            first = f"a first run of {FIRST_PAIRS} pairs takes"
            say(f"{first}: {forecast_words(checkup.first, checkup.prices)}")
            if checkup.unpriced and checkup.figures.cost is None:
                say(f"the price of {checkup.unpriced} is not known; give price_in and price_out after the judge's name")
        if checkup.able:
            words = ("--judge", judge, "--limit", FIRST_PAIRS, *options.command_words(base_url=base_url))
            words += ("--template", template) if template != DEFAULT else ()
            compares = judge.partition(":")[0] in ("scorer", "rater")
            say_next(command("probe", "pairwise" if compares else "certify", *words))
    if not checkup.able:
        raise typer.Exit(UNFINISHED if checkup.failed else CHECK_FAILED)


def report(
    runs: list[Path] = typer.Argument(
        metavar="RUN…", help="One run or several: of probe on one suite, or of t2i judge on the same prompts."
    ),
    out: Path = typer.Option(metavar="PATH", help="The page to write: a file that ends in .html."),
    pictures: str | None = typer.Option(
        None,
        metavar="SUITE|DIR",
        help="The pairs probed, if no shipped suite; the present folder of a model's pictures; none: no pictures.",
    ),
    labels: Path | None = typer.Option(None, help="Human labels of models' pictures, a CSV (see align)."),
) -> None:
    """Write a report: scores, faults, comparison, every reply.

    Of runs on pairs: certificates and a gallery of all pairs. Of runs of t2i judge: the ranking, the skills, and every
    picture with its checks, models side by side. One HTML file that needs no network; very many pictures lie in a
    folder beside it. Certificates in a run's folder (certificate*.json) are shown too.
    Example: counterbench report runs/smoke--pixels --out report.html
    """
    from counterbench.pages import write_report

    with progress("making pictures small") as on_progress:
        written = write_report(runs, out, labels=labels, pictures=pictures, on_progress=on_progress)
    what = counted(written.groups, "group") if written.groups is not None else counted(written.pairs or 0, "pair")
    size = f"{written.bytes / 1e6:.1f} MB"
    say(f"{written.page}: {counted(written.runs, 'run')}, {what}, {counted(written.pictures, 'picture')}, {size}")
    say_all(f"note: {note}" for note in written.notes)
    say_next(f"open {quoted(written.page)} in a browser")
