"""Commands about judges: probe, score."""

from __future__ import annotations

import shlex
from collections import Counter
from pathlib import Path

import typer

from counterbench.cli.app import UNFINISHED, print_json, progress, say_next


def probe(
    source: str = typer.Argument(metavar="SUITE|DIR", help="A shipped suite's name, a suite file, or a folder."),
    judge: str = typer.Option(help="pixels, planted:NAME[?p=…], or replay:RUN; see `counterbench list judges`."),
    out: Path | None = typer.Option(None, help="The run's folder (default: runs/SUITE--JUDGE)."),
    seed: int | None = typer.Option(None, help="Other items of the suite: replaces its seed."),
    limit: int | None = typer.Option(None, help="Only the first N items, from every family in turn."),
    concurrency: int | None = typer.Option(None, help="Most batches in flight at once."),
    votes: int = typer.Option(1, help="How often each question is asked; the majority counts."),
    wording: str = typer.Option("default", help="How the judge is asked: a shipped wording's name, or a file."),
    max_calls: int | None = typer.Option(None, help="Stop before more than N questions are asked."),
    max_cost: float | None = typer.Option(None, help="Stop once so many US dollars are spent."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
    verbose: bool = typer.Option(
        False, "-v", "--verbose", help="Print how the replies were read, and the run's identity."
    ),
) -> None:
    """Ask a judge every question of a suite or folder; the same command again resumes.

    Exits with 3 if it was stopped by a limit or questions failed. Example: counterbench probe smoke --judge pixels
    """
    from counterbench.asking import Limits
    from counterbench.journal import read_journal
    from counterbench.judges import open_judge
    from counterbench.probing import keys
    from counterbench.run import probe as run_probe
    from counterbench.run_folder import JOURNAL_FILE, default_path
    from counterbench.sources import open_source
    from counterbench.wordings import load_wording

    opened = open_source(source, seed, limit)
    chosen = open_judge(judge, lambda: keys(opened))
    path = out or default_path(opened.name, chosen.name, seed, limit)
    limits = Limits(concurrency=concurrency, max_calls=max_calls, max_cost=max_cost)
    with progress(f"asking {chosen.name}", quiet=as_json) as report:
        end = run_probe(
            opened,
            chosen,
            path,
            wording=load_wording(wording),
            votes=votes,
            limits=limits,
            on_progress=lambda p: report(p.done + p.failed, p.total),
        )
    if as_json:
        print_json({"run": str(path), "complete": end.complete, "progress": end})
    else:
        state = "complete" if end.complete else f"{end.total - end.done} without an answer, {end.failed} failed"
        typer.echo(f"{path}: {end.done} of {end.total} questions answered ({state}), {end.calls} asked now")
        if end.stopped:
            typer.echo(f"stopped: {end.stopped}")
        if verbose:
            outcomes = Counter(record.outcome for record in read_journal(path / JOURNAL_FILE))
            typer.echo(f"attempts so far: {', '.join(f'{count} {name}' for name, count in outcomes.items())}")
            typer.echo(f"suite {opened.digest} · judge {chosen.name} · wording {load_wording(wording).digest}")
        say_next(f"counterbench score {shlex.quote(str(path))}" if end.complete else "the same command again resumes")
    if not end.complete:
        raise typer.Exit(UNFINISHED)


def score(
    runs: list[Path] = typer.Argument(metavar="RUN…", help="One run folder or several."),
    scoring: str = typer.Option("default", help="default, strict (no synonyms) or as-released (the paper's code)."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
    verbose: bool = typer.Option(False, "-v", "--verbose", help="Every measure of every run."),
) -> None:
    """Accuracy, CCS, gap, stability and outcomes, each with its count and 95 % Wilson interval.

    Example: counterbench score runs/smoke--pixels
    """
    from counterbench.cli.tables import ccs_table, detail_table, outcome_lines, show, signature_line
    from counterbench.scores import score_runs

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
            typer.echo(line)
    for name in documents[0].suspect:
        typer.echo(f"{name}: every judge scores 0 here: truth or scoring is suspect")
    for line in dict.fromkeys(signature_line(doc) for doc in documents):
        typer.echo(line)
