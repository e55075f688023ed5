"""Commands about judges: probe, score."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from counterbench.cli import options
from counterbench.cli.app import UNFINISHED
from counterbench.cli.printing import command, looking, print_json, say, say_next
from counterbench.cli.work import goes_on, say_end, say_lasting, say_state, working

if TYPE_CHECKING:
    from counterbench.asking.runner import Progress


def probe(
    source: options.SourceName,
    judge: str = typer.Option(
        help="pixels, planted:NAME, replay:RUN, openai:MODEL, transformers:PATH, or a judge's TOML file."
    ),
    out: Path | None = typer.Option(None, help="The run's folder (default: runs/SUITE--JUDGE)."),
    name: options.Name = "",
    seed: options.Seed = None,
    limit: options.Limit = None,
    times: options.Times = 1,
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
    """Ask a judge every question of a suite or folder; the same command again resumes.

    Exits with 3 if it was stopped by a limit or questions failed. Example: counterbench probe smoke --judge pixels
    """
    from counterbench.asking.asker import Limits
    from counterbench.asking.probe import probe as run_probe
    from counterbench.cli.tables import observation_lines
    from counterbench.judges import open_judge
    from counterbench.judges.base import JudgeExtras, called, extras
    from counterbench.runs.folder import default_path
    from counterbench.runs.pair_queries import keys
    from counterbench.runs.usage import usage_of
    from counterbench.runs.wordings import load_wording
    from counterbench.suites.sources import open_source

    opened = open_source(source, seed, limit, times)
    chosen = open_judge(judge, lambda: keys(opened), base_url=base_url, key_env=key_env, price=price)
    asked = load_wording(wording)
    path = out or default_path(opened.name, called(chosen, name), seed, limit)
    limits = Limits(concurrency=concurrency, max_calls=max_calls, max_cost=max_cost, rpm=rpm, tpm=tpm, retries=retries)

    def begins(p: Progress) -> str:
        again = f", {p.done} are answered already" if p.done else ""
        return f"{p.total - p.done} questions to ask {chosen.name}{again}"

    def prices() -> str:
        return extras(chosen, JudgeExtras).prices

    with working(f"asking {chosen.name}", begins, "answered", prices, quiet=as_json) as work:
        end = run_probe(
            opened,
            chosen,
            path,
            wording=asked,
            votes=votes,
            limits=limits,
            canaries=canaries,
            name=name,
            on_checked=looking(work.report),
            on_progress=work,
        )
    seen = usage_of(path)
    if as_json:
        print_json({"run": str(path), "complete": end.complete, "progress": end, "observed": seen})
    else:
        say_state(path, "questions", end)
        for line in observation_lines(chosen.name, seen):
            say(line)
        say_lasting(end, verbose)
        say_end(end, prices())
        if verbose:
            say(f"attempts so far: {', '.join(f'{count} {name}' for name, count in seen.outcomes.items())}")
            say(f"suite {opened.digest} · judge {chosen.name} · wording {asked.digest}")
        say_next(goes_on(end, command("score", path)))
    if not end.complete:
        raise typer.Exit(UNFINISHED)


def score(
    runs: list[Path] = typer.Argument(metavar="RUN…", help="One run folder or several."),
    scoring: options.Scoring = "default",
    as_json: options.AsJson = False,
    verbose: bool = typer.Option(False, "-v", "--verbose", help="Every measure of every run."),
) -> None:
    """Accuracy, CCS, gap, stability and outcomes, each with its count and 95 % Wilson interval.

    Example: counterbench score runs/smoke--pixels
    """
    from counterbench.cli.grid import show
    from counterbench.cli.tables import (
        ccs_table,
        cost_lines,
        detail_table,
        observation_lines,
        outcome_lines,
        signature_line,
        soft_line,
    )
    from counterbench.scoring.scores import score_runs

    documents = score_runs(runs, scoring)
    if as_json:
        print_json({"runs": documents})
        return
    if len(documents) > 1:
        show(ccs_table(documents))
    for doc in documents:
        if verbose or len(documents) == 1:
            show(detail_table(doc))
        for line in outcome_lines(doc):
            say(line)
        if doc.observed is not None:
            for line in observation_lines(doc.signature.judge, doc.observed):
                say(line)
            for line in cost_lines(doc.signature.judge, doc.observed):
                say(line)
        if doc.soft is not None:
            say(soft_line(doc.signature.judge, doc.soft))
    for name in documents[0].suspect:
        say(f"{name}: every judge scores 0 here: truth or scoring is suspect")
    for line in dict.fromkeys(signature_line(doc.signature) for doc in documents):
        say(line)
    say_next(command("diagnose", *runs))
