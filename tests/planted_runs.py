"""Run folders of planted judges, written without drawing a picture. Shared by the tests of certificates."""

import asyncio
import functools
import hashlib
import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from rehearsal import Rehearsal
from sharing import shared

from counterbench.answers import PARSER_VERSION
from counterbench.evidence.cells import law_of
from counterbench.files import formats
from counterbench.judges.planted import PlantedJudge
from counterbench.results.results import PairResult
from counterbench.runs.folder import Record, RunInfo, identity_of
from counterbench.runs.pair_queries import keys
from counterbench.runs.queries import Key, Query, load_template
from counterbench.scene.pairs import Pair
from counterbench.suites.sources import Cell, CellSource, SuiteSource, cells_of, in_turn
from counterbench.suites.suite import Suite, load_suite

# So many pairs of a cell show the standard policy's bound if all are right, and so many where two laws are lost.
ENOUGH, ENOUGH_FOR_LOST = 26, 36


@functools.cache
def source_of(suite: str, limit: int | None = None) -> SuiteSource:
    return SuiteSource(load_suite(suite), limit)


@functools.cache
def keys_of(suite: str, limit: int | None = None) -> tuple[Key, ...]:
    return tuple(keys(source_of(suite, limit)))


def records(judge: str, known: Sequence[Key], repeats: int = 1) -> list[Record]:
    """What `planted:…` says to the questions of these keys, in the journal's form."""
    queries = [
        Query(id=k.id, group=k.group, role=k.role, pictures=(), text=k.group, answer_type=k.answer_type) for k in known
    ]
    replies = asyncio.run(PlantedJudge(judge.partition(":")[2], known).answer(queries))
    template = load_template().digest
    return [
        Record(
            id=key.id,
            identity=identity_of(judge, template, key.id, key.id, repeat),
            asked=key.id,
            repeat=repeat,
            reply=reply.text,
            failure=reply.failure,
            outcome="failed" if reply.failure else "answer",
            parser=PARSER_VERSION,
            time=datetime.now(UTC).isoformat(timespec="milliseconds"),
            model=reply.model,
        )
        for key, reply in zip(known, replies, strict=True)
        for repeat in range(repeats)
    ]


def erring_records(judge: str, known: Sequence[Key], errs: Callable[[Key], object]) -> list[Record]:
    """The same of a judge that is wrong where `errs` says so: the other of yes and no, or another answer."""
    return [
        msgspec.structs.replace(record, reply={"yes": "no", "no": "yes"}.get(key.expected, "77"))
        if errs(key)
        else record
        for key, record in zip(known, records(judge, known), strict=True)
    ]


@functools.cache
def rehearsal_of(suite: str, limit: int | None = None) -> Rehearsal:
    return Rehearsal(source_of(suite, limit))


def results(judge: str, suite: str, limit: int | None = None) -> list[PairResult]:
    return rehearsal_of(suite, limit).results(judge.partition(":")[2])


@functools.cache
def _cells(suite: str) -> tuple[Suite, dict[str, Cell]]:
    return load_suite(suite), cells_of(load_suite(suite))


@functools.lru_cache(10_000)
def _pair(suite: str, cell: str, nth: int) -> Pair:
    whole, cells = _cells(suite)
    return whole.sample(cells[cell].part, cells[cell].start + nth * cells[cell].step)


class KeptSource(CellSource):
    """Items of a suite, cell by cell, each drawn once for all tests of a process."""

    def __iter__(self) -> Iterator[Pair]:
        return (_pair(self.suite.name, name, nth) for name, nth in self._numbered_cells)


@functools.cache
def cells_source(suite: str, laws: Collection[str], per_cell: int) -> CellSource:
    """The first `per_cell` pairs of every cell of these laws (or families), and as many controls.

    Where that is enough to admit them, also so many pairs more that every picture kind is decided.
    """
    counts = json.loads((_made(suite, laws, per_cell) / "counts.json").read_text())
    return KeptSource(load_suite(suite), in_turn(counts))


def _made(suite: str, laws: Collection[str], per_cell: int) -> Path:
    """The number of pairs of every cell, and the keys of all: drawing them takes long, so one process does for all."""

    def make(path: Path) -> None:
        cells = cells_of(load_suite(suite))
        counts = {n: per_cell for n, c in cells.items() if c.control or law_of(n) in laws}
        while True:
            source = KeptSource(load_suite(suite), in_turn(counts))
            more = _for_kinds(source, counts, 36 if per_cell < ENOUGH_FOR_LOST else 80) if per_cell >= ENOUGH else {}
            if not more:
                break
            counts = {name: n + more.get(name, 0) for name, n in counts.items()}
        path.mkdir()
        (path / "counts.json").write_text(json.dumps(counts))
        formats.write_lines(path / "keys.jsonl", list(keys(source)))

    description = json.dumps([suite, *sorted(laws), per_cell])
    return shared(f"cells-{hashlib.sha256(description.encode()).hexdigest()[:16]}", make)


def _for_kinds(source: CellSource, counts: dict[str, int], enough: int) -> dict[str, int]:
    """Further pairs of the cells that show those kinds most often of which there are fewer than `enough` pairs yet."""
    shown: dict[str, Counter[str]] = defaultdict(Counter)
    for pair in source:
        for kind in {kind for kinds in pair.kinds for kind in kinds} if pair.relevant else ():
            shown[kind][pair.cell] += 1
    more: dict[str, int] = {}
    for cells in shown.values():
        cell, n = max(cells.items(), key=lambda item: item[1] / counts[item[0]])
        lacking = enough - cells.total()
        more[cell] = max(more.get(cell, 0), math.ceil(lacking * counts[cell] / n))
    return {cell: n for cell, n in more.items() if n > 0}


@functools.cache
def keys_of_cells(suite: str, laws: Collection[str], per_cell: int) -> tuple[Key, ...]:
    return tuple(formats.read_lines(_made(suite, laws, per_cell) / "keys.jsonl", Key))


def write_run(path: Path, judge: str, suite: str, limit: int | None = None, repeats: int = 1) -> Path:
    """A run in `path` as the runner would leave it (but for the digests of the pictures that were not drawn)."""
    return _write(path, judge, source_of(suite, limit), keys_of(suite, limit), repeats)


def write_cells_run(path: Path, judge: str, laws: Collection[str], per_cell: int = 30, suite: str = "laws") -> Path:
    """The same of a run that asked so many pairs of every cell of some laws."""
    return _write(path, judge, cells_source(suite, laws, per_cell), keys_of_cells(suite, laws, per_cell), 1)


def write_again(path: Path, judge: str, source: SuiteSource) -> Path:
    """The same of a run about any pairs of a suite."""
    return _write(path, judge, source, list(keys(source)), 1)


def _write(path: Path, judge: str, source: SuiteSource, known: Sequence[Key], repeats: int) -> Path:
    path.mkdir(parents=True)
    formats.write_lines(path / "keys.jsonl", known)
    formats.write_lines(path / "journal.jsonl", records(judge, known, repeats))
    info = RunInfo(
        suite=source.name,
        suite_digest=source.digest,
        seed=source.seed,
        judge=judge,
        template="default",
        template_digest=load_template().digest,
        repeats=repeats,
        queries=len(known) * repeats,
        versions={"counterbench": "0", "parser": PARSER_VERSION},
        domain=source.domain,
    )
    formats.write_json(path / "run.json", info)
    return path


def read_journal(path: Path) -> list[Record]:
    return list(formats.read_lines(path / "journal.jsonl", Record))


def rewrite(path: Path, changed: Sequence[Record]) -> None:
    formats.write_lines(path / "journal.jsonl", changed)


def edit_info(path: Path, **changes: object) -> None:
    """Another `run.json`, and replies that are to what it says was asked."""
    info = msgspec.structs.replace(formats.read_json(path / "run.json", RunInfo), **changes)
    formats.write_json(path / "run.json", info)
    rewrite(path, [
        msgspec.structs.replace(r, identity=identity_of(info.judge, info.template_digest, r.id, r.asked, r.repeat))
        for r in read_journal(path)
    ])  # fmt: skip
