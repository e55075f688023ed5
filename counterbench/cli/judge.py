"""Commands about judges: probe, score."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from counterbench.cli import options
from counterbench.cli.app import UNFINISHED
from counterbench.cli.printing import command, looking, print_json, say, say_next
from counterbench.cli.work import already, goes_on, say_end, say_lasting, say_state, working

if TYPE_CHECKING:
    from counterbench.asking.asker import Limits
    from counterbench.asking.runner import Progress
    from counterbench.certificate import UntilDecided
    from counterbench.judges.base import Judge
    from counterbench.runs.wordings import Wording
    from counterbench.suites.sources import Source


def probe(
    source: options.SourceName,
    judge: str = typer.Option(
        help="pixels, planted:NAME, replay:RUN, openai:MODEL, transformers:PATH, python:MODULE:NAME, or a TOML file."
    ),
    out: Path | None = typer.Option(None, help="The run's folder (default: runs/SUITE--JUDGE)."),
    name: options.Name = "",
    seed: options.Seed = None,
    limit: options.Limit = None,
    until_certified: str = typer.Option(
        "", metavar="POLICY", help="Ask cell by cell until each is decided under a policy: what certifies."
    ),
    attempt: options.Attempt = None,
    size: options.Size = None,
    style: options.Style = "flat",
    base_url: options.BaseUrl = "",
    key_env: options.KeyEnv = "",
    price: options.Price = "",
    concurrency: options.Concurrency = None,
    votes: options.Votes = 1,
    canaries: options.Canaries = 0,
    wording: options.Wording = "default",
    max_calls: options.MaxCalls = None,
    max_cost: options.MaxCost = None,
    rpm: options.Rpm = None,
    tpm: options.Tpm = None,
    retries: options.Retries = 8,
    as_json: options.AsJson = False,
    verbose: bool = typer.Option(
        False, "-v", "--verbose", help="Print how the replies were read, and the run's identity."
    ),
) -> None:
    """Ask a judge every question of a suite or folder of pairs.

    With --until-certified, as many of a suite's as it takes to decide what a judge sees: clear cells take few.
    The same command again resumes. Exits with 3 if it was stopped by a limit or questions failed.
    Example: counterbench probe smoke --judge pixels
    """
    from counterbench.asking.asker import Limits
    from counterbench.certificate import UntilDecided
    from counterbench.certificate.policies import load_policy
    from counterbench.cli.tables import observation_lines
    from counterbench.errors import InputError
    from counterbench.judges import open_judge
    from counterbench.judges.base import JudgeExtras, called, extras
    from counterbench.runs.folder import default_path
    from counterbench.runs.pair_queries import keys
    from counterbench.runs.usage import usage_of
    from counterbench.runs.wordings import load_wording
    from counterbench.suites.attempts import attempted
    from counterbench.suites.sources import SuiteSource, open_source

    if until_certified and (seed is not None or limit is not None):
        raise InputError(
            "--until-certified asks the pairs of an attempt, all that it takes: leave out --seed and --limit"
        )
    asked = load_wording(wording)
    limits = Limits(concurrency=concurrency, max_calls=max_calls, max_cost=max_cost, rpm=rpm, tpm=tpm, retries=retries)
    drawn = open_source(source, seed, limit, size, style)
    if attempt is not None:
        drawn = SuiteSource(attempted(drawn, attempt), limit)
    growing: UntilDecided | None = None
    chosen = open_judge(
        judge, lambda: growing.keys() if growing else keys(drawn), base_url=base_url, key_env=key_env, price=price
    )
    path = out or default_path(
        drawn.name, called(chosen, name), style=style, seed=seed, limit=limit, size=size, attempt=attempt
    )
    if until_certified:
        growing = UntilDecided(drawn, load_policy(until_certified), path)
    end = ask(drawn, chosen, path, asked, limits, votes, canaries, name, growing, quiet=as_json)
    seen = usage_of(path)
    if as_json:
        print_json({"run": str(path), "complete": end.complete, "progress": end, "observed": seen})
    else:
        say_state(path, "questions", end)
        for line in observation_lines(chosen.name, seen):
            say(line)
        say_lasting(end, verbose)
        say_end(end, extras(chosen, JudgeExtras).prices)
        if verbose:
            say(f"attempts so far: {', '.join(f'{count} {name}' for name, count in seen.outcomes.items())}")
            say(f"suite {drawn.digest} · judge {chosen.name} · wording {asked.digest}")
        then = command("certify", path, *options.given(policy=until_certified)) if growing else command("score", path)
        say_next(goes_on(end, then))
    if not end.complete:
        raise typer.Exit(UNFINISHED)


def ask(
    source: Source,
    judge: Judge,
    path: Path,
    wording: Wording,
    limits: Limits,
    votes: int = 1,
    canaries: int = 0,
    name: str = "",
    growing: UntilDecided | None = None,
    quiet: bool = False,
) -> Progress:
    """Ask a judge about a source of pairs, or what `growing` says, into the run in `path`, and show how far it is."""
    from counterbench.asking.probe import probe as run_probe
    from counterbench.judges.base import JudgeExtras, called, extras

    def begins(p: Progress) -> str:
        left = f"{'at least ' if growing else ''}{p.total - p.done + p.ahead:,} questions"
        return f"{left} to ask {judge.name}{already(p, 'answered')}"

    def prices() -> str:
        return extras(judge, JudgeExtras).prices

    with working(f"asking {called(judge, name)}", begins, "answered", prices, quiet=quiet) as work:
        return run_probe(
            source if growing is None else growing.source,
            judge,
            path,
            wording=wording,
            votes=votes,
            limits=limits,
            canaries=canaries,
            name=name,
            growing=growing,
            on_checked=looking(work.report),
            on_progress=work,
        )


def score(
    runs: list[Path] = typer.Argument(metavar="RUN…", help="One run folder or several."),
    scoring: options.Scoring = "default",
    form: options.Format = options.Form.TABLE,
    as_json: options.AsJson = False,
    verbose: bool = typer.Option(False, "-v", "--verbose", help="Every measure and family of every run."),
) -> None:
    """Accuracy, CCS, gap and stability of runs, with intervals.

    Each share has its count and its 95 % Wilson interval. Example: counterbench score runs/smoke--pixels
    """
    from counterbench.cli import tables
    from counterbench.cli.grid import show, show_csv
    from counterbench.scoring.scores import score_runs

    form = options.Form.JSON if as_json else form
    documents = score_runs(runs, scoring)
    if form is options.Form.JSON:
        print_json({"runs": documents})
        return
    if form is options.Form.CSV:
        show_csv(tables.score_rows(documents))
        return
    names = tables.judge_names(documents)
    shown = [tables.ccs_table(documents), tables.measures_table(documents)] if len(documents) > 1 else []
    if verbose or len(documents) == 1:
        shown += [tables.detail_table(doc, name, verbose) for name, doc in zip(names, documents, strict=True)]
    lines = tables.legend(documents, verbose)
    for name, doc in zip(names, documents, strict=True):
        lines += tables.outcome_lines(name, doc)
        if doc.observed is not None:
            lines += tables.observation_lines(name, doc.observed)
            lines += tables.cost_lines(name, doc.observed)
        if doc.soft is not None:
            lines.append(tables.soft_line(name, doc.soft))
    lines += [f"{name}: every judge scores 0 here: truth or scoring is suspect" for name in documents[0].suspect]
    signatures = [doc.signature for doc in documents]
    lines += tables.judge_lines(names, signatures)
    lines += dict.fromkeys(map(tables.signature_line, signatures))
    show(*shown, *lines, form=form)
    if form is options.Form.TABLE:
        say_next(command("diagnose", *runs))
