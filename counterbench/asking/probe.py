"""Asks a judge every question of a source and journals what comes back. The same call again resumes.

A run folder holds `run.json` (what is asked of whom), `keys.jsonl` (the truth, for scoring) and `journal.jsonl`. The
runner alone owns retries, limits, budgets and the journal; a judge only answers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from counterbench._version import __version__
from counterbench.answers import PARSER_VERSION
from counterbench.asking.asker import Limits
from counterbench.asking.runner import Progress, Runner
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.files.claim import claim
from counterbench.judges.base import Judge, JudgeExtras, extras
from counterbench.runs.folder import JOURNAL_FILE, KEYS_FILE, RUN_FILE, RunInfo, write_keys
from counterbench.runs.journal import Journal, answered
from counterbench.runs.questions import PairQuestions, Questions
from counterbench.runs.wordings import Wording, load_wording
from counterbench.suites.sources import Source


def probe(
    source: Source,
    judge: Judge,
    out: Path,
    *,
    wording: Wording | None = None,
    votes: int = 1,
    limits: Limits | None = None,
    canaries: int = 0,
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> Progress:
    """Ask `judge` every question about the pairs of `source`; see `ask`."""
    return ask(
        PairQuestions(source),
        judge,
        out,
        wording=wording,
        votes=votes,
        limits=limits,
        canaries=canaries,
        on_progress=on_progress,
    )


def ask(
    questions: Questions,
    judge: Judge,
    out: Path,
    *,
    wording: Wording | None = None,
    votes: int = 1,
    limits: Limits | None = None,
    canaries: int = 0,
    beside: Callable[[Path], None] = lambda path: None,
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> Progress:
    """Ask `judge` every one of `questions` that the run in `out` has no final answer to.

    `beside` writes into the run's folder what else belongs to it; it is called before anything is asked.
    Raises InputError if `out` holds another run, BusyError if another process is writing there, and whatever reading
    a picture raises; everything that the judge does wrong is a `Failed` record instead, unless it says that it cannot
    be asked at all (JudgeError). Once all is answered, the first `canaries` questions are asked again, for
    `canaries.jsonl`.
    """
    if votes < 1:
        raise InputError(f"--votes must be at least 1, not {votes}")
    if canaries < 0:
        raise InputError(f"--canaries must be 0 or more, not {canaries}")
    wording = wording or load_wording()
    info = RunInfo(
        suite=questions.name,
        suite_digest=questions.digest,
        seed=questions.seed,
        judge=judge.name,
        wording=wording.name,
        wording_digest=wording.digest,
        votes=votes,
        queries=len(questions) * votes,
        versions={"counterbench": __version__, "parser": PARSER_VERSION} | extras(judge, JudgeExtras).versions,
    )
    with claim(out, "a run", (RUN_FILE, KEYS_FILE), lambda: _refuse_other_run(out, info)):
        _begin(out, info, questions)
        beside(out)
        settled = answered(out / JOURNAL_FILE)  # read first: a damaged journal is left as it is
        runner = Runner(questions, judge, wording, votes, settled, limits or Limits(), canaries, on_progress)
        with Journal(out / JOURNAL_FILE) as journal:
            to_the_end(runner.run(journal))
        return runner.progress


def _refuse_other_run(out: Path, info: RunInfo) -> None:
    if (out / RUN_FILE).is_file():
        there = formats.read_json(out / RUN_FILE, RunInfo)
        for name in ("suite_digest", "judge", "wording_digest", "votes"):
            if getattr(there, name) != getattr(info, name):
                raise InputError(
                    f"{out}: holds another run: its {name.replace('_', ' ')} is {getattr(there, name)!r}, not "
                    f"{getattr(info, name)!r} (it is {there.judge!r} on {there.suite!r}); choose another --out"
                )


def _begin(out: Path, info: RunInfo, questions: Questions) -> None:
    """Write the keys, then `run.json`, unless they are there."""
    if not (out / RUN_FILE).is_file() or not (out / KEYS_FILE).is_file():
        write_keys(out, questions.keys())
        formats.write_json(out / RUN_FILE, info)


def to_the_end(work: Coroutine[None, None, None]) -> None:
    """Run a coroutine, in a thread of its own where an event loop is running already (a notebook)."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(work)
        return
    loop = asyncio.new_event_loop()
    task = loop.create_task(work)
    try:
        with ThreadPoolExecutor(1) as thread:
            end = thread.submit(loop.run_until_complete, task)
            try:
                end.result()
            except KeyboardInterrupt:
                loop.call_soon_threadsafe(task.cancel)
                raise
    finally:
        loop.close()
