"""Commands about judges: probe, score."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

from counterbench.cli import options
from counterbench.cli.app import UNFINISHED
from counterbench.cli.merge import then_merge
from counterbench.cli.printing import command, looking, print_json, say, say_next
from counterbench.cli.work import already, goes_on, of_shard, say_end, say_lasting, say_state, working

if TYPE_CHECKING:
    from counterbench.asking.asker import Limits
    from counterbench.asking.runner import Progress
    from counterbench.certificate import UntilDecided
    from counterbench.judges.base import Judge
    from counterbench.runs.wordings import Wording
    from counterbench.suites.shards import Shard
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
    attempt: options.Attempt = None,
    size: options.Size = None,
    style: options.Style = "flat",
    shard: options.Shard = "",
    base_url: options.BaseUrl = "",
    key_env: options.KeyEnv = "",
    price: options.Price = "",
    concurrency: options.Concurrency = None,
    votes: options.Votes = 1,
    wording: options.Wording = "default",
    wordings: options.Wordings = "",
    max_calls: options.MaxCalls = None,
    max_cost: options.MaxCost = None,
    rpm: options.Rpm = None,
    tpm: options.Tpm = None,
    retries: options.Retries = 8,
    upload: options.Upload = "",
    resume_from: options.ResumeFrom = "",
    as_json: options.AsJson = False,
    verbose: bool = typer.Option(
        False, "-v", "--verbose", help="Print how the replies were read, and the run's identity."
    ),
) -> None:
    """Ask a judge every question of a suite or folder of pairs.

    With --wordings, the run is under the first, and those under the others lie in its folder.
    With --shard K/N, N machines ask a part each, with limits of its own.
    The same command again resumes. Exits with 3 if it was stopped by a limit or questions failed.
    Example: counterbench probe smoke --judge pixels
    """
    from counterbench.asking.asker import Limits
    from counterbench.asking.probe import under_each
    from counterbench.cli.wordings import wordings_named
    from counterbench.files.remote import resume, uploaded
    from counterbench.judges import open_judge
    from counterbench.judges.base import called
    from counterbench.runs.folder import default_path, wording_path
    from counterbench.runs.pair_queries import keys
    from counterbench.suites.attempts import attempted
    from counterbench.suites.shards import read_shard
    from counterbench.suites.sources import open_source

    part = read_shard(shard)
    worded = wordings_named(wording, wordings)
    limits = Limits(concurrency=concurrency, max_calls=max_calls, max_cost=max_cost, rpm=rpm, tpm=tpm, retries=retries)
    drawn = attempted(open_source(source, seed, limit, size, style), attempt, limit)
    ran: list[Ran] = []

    def opened() -> Judge:
        return open_judge(judge, lambda: keys(drawn), base_url=base_url, key_env=key_env, price=price)

    def asked_under(put: Wording, left: Limits) -> Progress:
        own = put is worded[0]
        asked, within = (chosen, path) if own else (opened(), wording_path(path, put.name))
        end = ask(drawn.sharded(part), asked, within, put, left, votes, name, quiet=as_json)
        ran.append(Ran(within, put, asked, end))
        return end

    chosen = opened()
    path = out or default_path(
        drawn.name, called(chosen, name), style=style, shard=part, seed=seed, limit=limit, size=size, attempt=attempt
    )
    resume(path, resume_from, upload)
    with uploaded(path, upload):
        under_each(worded, limits, asked_under)
    then = then_merge(part, path) if part else command("score", path)
    _say_end(ran, worded, drawn, part, then, as_json, verbose)


def _say_end(
    ran: Sequence[Ran],
    wordings: Sequence[Wording],
    source: Source,
    part: Shard | None,
    then: str,
    as_json: bool,
    verbose: bool,
) -> None:
    """Say how a command's runs ended, the first one's under the run's own wording; exits with 3 unless all is asked."""
    from counterbench.cli.grid import show
    from counterbench.cli.wordings import flip_lines, flip_tables
    from counterbench.scoring.flips import flips_of
    from counterbench.scoring.rules import DEFAULT

    complete = len(ran) == len(wordings) and all(each.end.complete for each in ran)
    flips = flips_of(ran[0].path, DEFAULT) if len(ran) > 1 and part is None else None
    if as_json:
        documents = [each.document for each in ran]
        several = {"complete": complete, "wordings": documents, "flips": flips} if len(wordings) > 1 else {}
        print_json(documents[0] | several)
    else:
        for each in ran:
            each.tell(verbose)
            if verbose:
                say(f"suite {source.digest} · judge {each.judge.name} · wording {each.wording.digest}")
        if unasked := [each.name for each in wordings[len(ran) :]]:
            say(f"not asked yet under {', '.join(unasked)}")
        if flips is not None:
            show(*flip_tables(flips), *flip_lines(flips))
        say_next(then_of(ran, complete, then))
    if not complete:
        raise typer.Exit(UNFINISHED)


class Ran(NamedTuple):
    """A run of this command, under one wording, and how it ended."""

    path: Path
    wording: Wording
    judge: Judge
    end: Progress

    @property
    def document(self) -> dict[str, Any]:
        """For --json."""
        from counterbench.runs.usage import usage_of

        seen = usage_of(self.path)
        return {"run": str(self.path), "complete": self.end.complete, "progress": self.end, "observed": seen}

    def tell(self, verbose: bool) -> None:
        """Print it."""
        from counterbench.cli.tables import observation_lines
        from counterbench.judges.base import JudgeExtras, extras
        from counterbench.runs.usage import usage_of

        seen = usage_of(self.path)
        say_state(self.path, "questions", self.end)
        for line in observation_lines(self.judge.name, seen):
            say(line)
        say_lasting(self.end, verbose)
        say_end(self.end, extras(self.judge, JudgeExtras).prices)
        if verbose:
            say(f"attempts so far: {', '.join(f'{count} {name}' for name, count in seen.outcomes.items())}")


def then_of(ran: Sequence[Ran], complete: bool, then: str) -> str:
    """The natural next step after several runs: `then` if all is asked, else a step for the first incomplete run."""
    end = next((each.end for each in ran if not each.end.complete), ran[-1].end)
    return end.again if end.complete and not complete else goes_on(end, then)


def ask(
    source: Source,
    judge: Judge,
    path: Path,
    wording: Wording,
    limits: Limits,
    votes: int = 1,
    name: str = "",
    growing: UntilDecided | None = None,
    quiet: bool = False,
) -> Progress:
    """Ask a judge about a source of pairs, or the questions of `growing`, into the run in `path`, and show progress."""
    from counterbench.asking.probe import probe as run_probe
    from counterbench.judges.base import JudgeExtras, called, extras
    from counterbench.runs.wordings import DEFAULT

    under = f" under {wording.name}" if wording.name != DEFAULT else ""

    def begins(p: Progress) -> str:
        left = f"{'at least ' if growing else ''}{p.total - p.done + p.ahead:,} questions"
        return f"{left} to ask {judge.name}{under}{already(p, 'answered')}{of_shard(source.shard, limits)}"

    def prices() -> str:
        return extras(judge, JudgeExtras).prices

    with working(f"asking {called(judge, name)}{under}", begins, "answered", prices, quiet=quiet) as work:
        return run_probe(
            source if growing is None else growing.source,
            judge,
            path,
            wording=wording,
            votes=votes,
            limits=limits,
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
    from counterbench.cli.wordings import flip_lines, flip_tables
    from counterbench.scoring.flips import flips_of
    from counterbench.scoring.scores import score_runs

    form = options.Form.JSON if as_json else form
    documents = score_runs(runs, scoring)
    flips = {str(run): found for run in runs if (found := flips_of(run, scoring)) is not None}
    if form is options.Form.JSON:
        print_json({"runs": documents} | ({"flips": flips} if flips else {}))
        return
    if form is options.Form.CSV:
        show_csv(tables.score_rows(documents))
        return
    names = tables.judge_names(documents)
    shown = [tables.ccs_table(documents), tables.measures_table(documents)] if len(documents) > 1 else []
    if verbose or len(documents) == 1:
        shown += [tables.detail_table(doc, name, verbose) for name, doc in zip(names, documents, strict=True)]
    for found in flips.values():
        shown += flip_tables(found)
    lines = tables.legend(documents)
    for name, doc in zip(names, documents, strict=True):
        lines += tables.outcome_lines(name, doc)
        if doc.observed is not None:
            lines += tables.observation_lines(name, doc.observed)
            lines += tables.cost_lines(name, doc.observed)
        if doc.soft is not None:
            lines.append(tables.soft_line(name, doc.soft))
        lines += [f"{name}: {line}" for line in flip_lines(flips[doc.run])] if doc.run in flips else []
    lines += [f"{name}: every judge scores 0 here: truth or scoring is suspect" for name in documents[0].suspect]
    signatures = [doc.signature for doc in documents]
    lines += tables.judge_lines(names, signatures)
    lines += dict.fromkeys(map(tables.signature_line, signatures))
    show(*shown, *lines, form=form)
    if form is options.Form.TABLE:
        say_next(command("diagnose", *runs))
