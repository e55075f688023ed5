"""Asks a judge every question of a source and journals the replies. The same call again resumes.

A run folder holds `run.json` (suite, judge, wording), `keys.jsonl` (the truth, for scoring) and `journal.jsonl`. The
runner alone owns retries, limits, budgets and the journal; a judge only answers.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Collection, Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from itertools import chain, islice
from pathlib import Path
from typing import Any, Protocol

import msgspec

from counterbench._version import __version__
from counterbench.answers import PARSER_VERSION
from counterbench.asking.asker import Due, Limits
from counterbench.asking.runner import Progress, Runner, refuse_unpriced
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.files.claim import claim
from counterbench.judges.base import Judge, JudgeExtras, extras
from counterbench.judges.planted import PlantedJudge
from counterbench.runs.folder import JOURNAL_FILE, KEYS_FILE, RUN_FILE, SIGNED, RunInfo, write_keys
from counterbench.runs.journal import Record, answered, figures_of, identity_of
from counterbench.runs.names import given_name
from counterbench.runs.pair_queries import PairQuestions, Questions
from counterbench.runs.wordings import Wording, load_wording
from counterbench.suites.sources import Source


class Growing(Protocol):
    """Questions that depend on replies: further ones follow once every question so far has a reply."""

    # True if further questions depend on the counts of cells, as `run.json` then says; such a run does not go on past a
    # question that failed.
    by_cells: bool

    def further(self) -> Questions | None:
        """The questions that come next; None if there are no more."""
        ...

    @property
    def ahead(self) -> int:
        """Least number of questions after those that are asked now."""
        ...

    @property
    def told(self) -> str:
        """The state of the run, in a few words."""
        ...


HOW_PRICED = (
    "--price IN,OUT, US dollars for a million tokens in and out (or as price_in and price_out in its options or file); "
    "--price 0,0 if it costs nothing, or the server itself says what a call costs, which comes first"
)
# Number of stored pictures that are checked at a time, and most wrong ones that are named.
_CHECKED_AT_ONCE, _SHOWN = 64, 3


def probe(source: Source, judge: Judge, out: Path, **options: Any) -> Progress:
    """Ask `judge` every question about the pairs of `source`; `options` are those of `ask`."""
    return ask(PairQuestions(source), judge, out, **options)


def ask(
    questions: Questions,
    judge: Judge,
    out: Path,
    *,
    wording: Wording | None = None,
    votes: int = 1,
    limits: Limits | None = None,
    name: str = "",
    growing: Growing | None = None,
    beside: Callable[[Path], AbstractContextManager[object]] = nullcontext,
    on_checked: Callable[[int, int], None] = lambda done, total: None,
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> Progress:
    """Ask `judge` every one of `questions` that the run in `out` has no final answer to.

    `growing` gives further questions, until there are no more. `beside` writes other files of the run into its folder,
    before the first question and after the last answer. `on_checked(done, total)` is called while stored pictures are
    checked, before the first question. `name`: the user's name for the judge.
    Raises InputError if `out` holds another run or answers about other pictures, a picture is missing or not the
    recorded one, a planted judge's fault can show on none of these questions, or money is limited and no price is
    known; JudgeError if the judge cannot be asked at all. Every other mistake of the judge is a `Failed` record.
    """
    wording, limits, more = wording or load_wording(), limits or Limits(), extras(judge, JudgeExtras)
    by_cells = growing is not None and growing.by_cells
    info = _info(questions, judge, wording, votes, name, by_cells)
    if isinstance(judge, PlantedJudge):
        judge.refuse_unplantable(wording)
    refuse_unpriced(limits, more.unpriced, HOW_PRICED, lambda: figures_of(out / JOURNAL_FILE))
    _refuse_damage(questions, more.looks, on_checked)
    with _claimed(out, info, questions):
        info = _begin(out, info, questions)
        with beside(out):
            run = _Run(questions, out, info, wording, limits, growing, on_progress)
            to_the_end(run.ask(judge))
        return run.progress


class _Run:
    """A run at work: its questions, the state of its journal and, in a run that grows, further questions."""

    def __init__(
        self,
        questions: Questions,
        out: Path,
        info: RunInfo,
        wording: Wording,
        limits: Limits,
        growing: Growing | None,
        on_progress: Callable[[Progress], None],
    ) -> None:
        self._questions, self._out, self._info, self._wording = questions, out, info, wording
        self._growing, self._on_progress = growing, on_progress
        self._known = answered(out / JOURNAL_FILE, info)
        self.progress = Progress(total=len(questions) * info.votes, done=len(self._known.identities))
        self.progress.figures = self._known.figures
        self._runner = Runner(limits, self.progress, self._tell)
        if growing is not None:
            self.progress.ahead, self.progress.told = growing.ahead * info.votes, growing.told

    def _tell(self, progress: Progress) -> None:
        """Report the progress; a run that grows reports its last answer together with the questions that follow."""
        if self._growing is None or not progress.tried:
            self._on_progress(progress)

    async def ask(self, judge: Judge) -> None:
        """Ask the questions that have no answer yet and, of a run that grows, the next ones."""
        progress, known, journal = self.progress, self._known, self._out / JOURNAL_FILE
        asker, left = self._runner.asker(judge), progress.total - progress.done
        self._tell(progress)
        if not progress.total:  # a model that drew nothing: still a whole run, with a journal
            journal.touch()
        try:
            if left:  # otherwise no picture need be drawn
                # Questions that failed before come last: a server may never take them, and the others must not wait.
                pending = self._dues(self._questions, known.failed)
                await self._runner.ask(
                    asker, pending, journal, self._count, known.identities,
                    calls=left + progress.ahead, before=known.figures,
                )  # fmt: skip
            while (progress.complete if self._info.by_cells else progress.tried) and not asker.stopped:
                if (more := self._grow()) is None:
                    break
                await self._runner.ask(asker, self._dues(more), journal, self._count, known.identities)
        finally:
            await judge.close()

    def _count(self, record: Record) -> bool:
        self.progress.done += record.final
        self.progress.figures.add(record)
        return record.final

    def _grow(self) -> Questions | None:
        """Write the keys of a growing run's further questions and return these; None if there are no more."""
        if self._growing is None:
            return None
        progress, more = self.progress, self._growing.further()
        if more is not None:
            progress.total = _grown(self._out, more)
        progress.ahead = self._growing.ahead * self._info.votes if more is not None else 0
        progress.told = self._growing.told
        self._on_progress(progress)
        return more

    def _dues(self, questions: Questions, last: Collection[str] = ()) -> Iterator[Due]:
        """Every question as it is put to the judge, those whose ids are in `last` after the others.

        InputError if one differs from the question of that id in the journal.
        """
        first = (query for query in questions.queries() if query.id not in last)
        others = (query for query in questions.queries() if query.id in last) if last else ()
        info, known = self._info, self._known
        for query in chain(first, others):
            put = self._wording.dress(query)
            asked = put.digest
            for vote in range(info.votes):
                identity = identity_of(info.judge, info.wording_digest, query.id, asked, vote)
                if known.asked.get((query.id, vote), identity) != identity:
                    raise InputError(
                        f"{self._out}: its records of {query.id!r} are about another picture than the one that is there"
                        " now (the file was changed, or another version of Pillow draws it); put it back, or choose "
                        "another --out"
                    )
                yield Due(msgspec.structs.replace(put, vote=vote) if vote else put, identity, asked)


def under_each(wordings: Sequence[Wording], limits: Limits, ask: Callable[[Wording, Limits], Progress]) -> Progress:
    """Run `ask` under one wording after the other, within limits for all of them; returns the last progress."""
    end = ask(wordings[0], limits)
    for wording in wordings[1:]:
        left = None if end.stopped else limits.less(end.calls, end.cost)
        if left is None:
            break
        limits = left
        end = ask(wording, left)
    return end


def refuse_other(
    questions: Questions,
    judge: Judge,
    out: Path,
    *,
    wording: Wording,
    votes: int = 1,
    name: str = "",
    on_checked: Callable[[int, int], None] = lambda done, total: None,
) -> None:
    """Raise the errors of `ask` about the folder `out` and about stored pictures, and ask nothing.

    For a command that pays for other calls before these questions.
    """
    _refuse_damage(questions, extras(judge, JudgeExtras).looks, on_checked)
    with _claimed(out, _info(questions, judge, wording, votes, name), questions):
        pass


def _info(
    questions: Questions, judge: Judge, wording: Wording, votes: int, name: str, by_cells: bool = False
) -> RunInfo:
    """Build the content of `run.json`; InputError for votes or a name that cannot be."""
    if votes < 1:
        raise InputError(f"--votes must be at least 1, not {votes}")
    given_name(name)
    more = extras(judge, JudgeExtras)
    return RunInfo(
        suite=questions.name,
        suite_digest=questions.digest,
        seed=questions.seed,
        judge=judge.name,
        name=name or more.short_name,
        wording=wording.name,
        wording_digest=wording.digest,
        votes=votes,
        queries=len(questions) * votes,
        versions={"counterbench": __version__, "parser": PARSER_VERSION} | more.versions,
        by_cells=by_cells,
        shard=str(questions.shard or ""),
    )


def _claimed(out: Path, info: RunInfo, questions: Questions) -> AbstractContextManager[None]:
    return claim(out, "a run", (RUN_FILE, KEYS_FILE), lambda: _refuse_other_run(out, info, questions))


def _refuse_damage(questions: Questions, looks: bool, on_checked: Callable[[int, int], None]) -> None:
    """InputError if a stored picture cannot be read or is not the recorded one; several threads check them."""
    stored = questions.stored(looks)
    wrong, done = [], 0
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        while chunk := list(islice(stored.pictures, _CHECKED_AT_ONCE)):
            wrong += [damage for damage in threads.map(lambda picture: picture.damage, chunk) if damage]
            on_checked(done := done + len(chunk), stored.count)
    if wrong:
        more = f"; and {len(wrong) - _SHOWN} more" if len(wrong) > _SHOWN else ""
        raise InputError(
            f"{len(wrong)} of {stored.count} pictures cannot be asked about: {'; '.join(wrong[:_SHOWN])}{more}; "
            f"{stored.remedy}"
        )


def _refuse_other_run(out: Path, info: RunInfo, questions: Questions) -> None:
    if (out / RUN_FILE).is_file():
        there = formats.read_json(out / RUN_FILE, RunInfo)
        if there.by_cells and not info.by_cells and there.judge == info.judge:
            raise InputError(
                f"{out}: was asked cell by cell, {there.queries} questions so far: `validate` goes on with it; to ask "
                "otherwise choose another --out"
            )
        if there.suite_digest != info.suite_digest and questions.kin(there.suite_digest, there.queries // there.votes):
            if there.queries > info.queries:
                raise InputError(
                    f"{out}: holds more questions of this suite already, {there.queries} and not {info.queries}: ask "
                    "those (another --limit, or none), or choose another --out"
                )
            there = msgspec.structs.replace(there, suite_digest=info.suite_digest)
        for name in (*SIGNED, "shard"):
            if getattr(there, name) != getattr(info, name):
                raise InputError(
                    f"{out}: holds another run: {there.judge!r} on {there.suite!r}, {there.queries} questions; its "
                    f"{name.replace('_', ' ')} is {getattr(there, name)!r}, not {getattr(info, name)!r}; choose "
                    "another --out"
                )


def _begin(out: Path, info: RunInfo, questions: Questions) -> RunInfo:
    """Write the keys, then `run.json`, unless they are there; a run that is there may get a new name or more pairs."""
    written = info = msgspec.structs.replace(info, domain=questions.domain)
    if (out / RUN_FILE).is_file() and (out / KEYS_FILE).is_file():
        there = formats.read_json(out / RUN_FILE, RunInfo)
        written = msgspec.structs.replace(
            there,
            suite_digest=info.suite_digest,
            queries=info.queries,
            name=info.name or there.name,
            domain=info.domain,
            by_cells=info.by_cells,
        )
        known = _lines(out / KEYS_FILE) * there.votes
        if written == there and known == there.queries:
            return there
    write_keys(out, questions.keys())
    formats.write_json(out / RUN_FILE, written)
    return written


def _grown(out: Path, more: Questions) -> int:
    """Add the questions `more` to the run, keys first; returns its number of questions, every vote counted."""
    lines = (out / KEYS_FILE).read_bytes()
    with formats.written_whole(out / KEYS_FILE) as file:
        file.write(lines)
        for key in more.keys():  # noqa: SIM118  (no mapping)
            file.write(formats.encode(key) + b"\n")
    there = formats.read_json(out / RUN_FILE, RunInfo)
    info = msgspec.structs.replace(there, queries=there.queries + len(more) * there.votes)
    formats.write_json(out / RUN_FILE, info)
    return info.queries


def _lines(path: Path) -> int:
    with path.open("rb") as file:
        return sum(1 for _ in file)


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
