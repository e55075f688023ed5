"""Truth is checked twice: every pair of a suite or folder by its scenes, words and pixels, and all of them together."""

from __future__ import annotations

import contextlib
import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import msgspec

from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.scene.pairs import Pair
from counterbench.suites.families import family
from counterbench.suites.families.base import YES_NO
from counterbench.suites.sources import FolderSource, Source, SuiteSource
from counterbench.suites.suite import Suite
from counterbench.suites.workers import count as worker_count
from counterbench.suites.workers import in_chunks
from counterbench.verification.checks import CHECKS, Problem, check_pair
from counterbench.verification.folder_check import (
    WHOLE,
    Origin,
    count_problems,
    differences,
    metadata_problems,
    missing_pairs,
    origin,
    stray_pictures,
)

_CHUNK = 16


@dataclass
class VerifyReport:
    """What `verify` found: problems, and by family the number of pairs and of problems of each check."""

    source: str
    digest: str
    pairs: Counter[str] = field(default_factory=Counter)
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    unchecked: frozenset[str] = frozenset()  # checks that could not be made, for want of scenes or pictures

    @property
    def holds(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems

    def table(self) -> dict[str, dict[str, int]]:
        """By family: the number of pairs that each check found wrong."""
        wrong: dict[str, dict[str, set[str]]] = {name: defaultdict(set) for name in self.pairs}
        for p in self.problems:
            wrong.setdefault(p.family, defaultdict(set))[p.check].add(p.pair)
        return {name: {check: len(found[check]) for check in CHECKS} for name, found in wrong.items()}


class _Summary(msgspec.Struct, frozen=True):
    """What the whole needs to know of one pair."""

    id: str
    family: str
    stratum: str
    answer_type: str
    original_answer: str
    content: bytes
    problems: tuple[Problem, ...]


@dataclass(frozen=True)
class _Check:
    """The workers' task: check pairs one by one."""

    source: Source
    suite: Suite | None
    same_renderer: bool

    def __call__(self, pairs: list[Pair]) -> list[_Summary]:
        return [self._one(pair) for pair in pairs]

    def _one(self, pair: Pair) -> _Summary:
        problems = tuple(check_pair(pair, self.source.pictures(pair), self.same_renderer))
        if isinstance(self.source, FolderSource) and pair.truth != self.source.folder.info.truth:
            problems += (Problem(pair.id, pair.family, "record", f"its truth is {pair.truth}, the folder's is not"),)
        if self.suite is not None and isinstance(self.source, FolderSource):
            problems += tuple(differences(pair, self.suite))
        scenes = [pair.original, pair.intervened]
        key = (pair.program, scenes) if pair.truth == "computed" else (pair.id,)
        content = hashlib.blake2b(formats.encode(key), digest_size=16).digest()
        return _Summary(pair.id, pair.family, pair.stratum, pair.answer_type, pair.original_answer, content, problems)


def verify(
    source: Source,
    *,
    workers: int | None = None,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> VerifyReport:
    """Check every pair of `source` and the balance of the whole; see docs/pairs.md, "Truth is checked twice".

    Raises FormatError or InputError where the folder itself cannot be read; whatever is wrong with a pair is a
    Problem in the report.
    """
    report = VerifyReport(source.name, source.digest)
    whole = isinstance(source, FolderSource) and source.limit is None
    found = Origin(source.suite, same_renderer=True) if isinstance(source, SuiteSource) else Origin()
    if isinstance(source, FolderSource):
        found = origin(source.folder)
        report.notes += found.notes
        report.problems += found.problems
        report.unchecked = found.unchecked
    task = _Check(source, found.suite, found.same_renderer)
    total = len(source)
    strata: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    yes_no: dict[str, Counter[str]] = defaultdict(Counter)
    seen: dict[bytes, str] = {}
    ids: dict[str, None] = {}
    pairs = source.folder.read_pairs() if isinstance(source, FolderSource) and whole else iter(source)
    checked = in_chunks(task, pairs, workers=worker_count(workers), chunk=_CHUNK, total=total)
    for done, pair in enumerate(checked, 1):
        report.pairs[pair.family] += 1
        report.problems += pair.problems
        first = seen.setdefault(pair.content, pair.id)
        if first != pair.id or pair.id in ids:
            message = f"the same pair as {first}" if first != pair.id else "its id is used twice"
            report.problems.append(Problem(pair.id, pair.family, "unique", message))
        ids[pair.id] = None
        strata[pair.family, pair.stratum][pair.original_answer] += 1
        if pair.answer_type == "yes-no":
            yes_no[pair.family][pair.original_answer] += 1
        on_progress(done, total)
    report.problems += _unbalanced(strata, yes_no, found.suite)
    if isinstance(source, FolderSource) and whole:
        report.problems += count_problems(source.folder, report.pairs)
        report.problems += metadata_problems(source.folder)
        report.problems += stray_pictures(source.folder)
        if found.suite is not None:
            report.problems += missing_pairs(list(ids), found.suite, source.folder.info.limit)
    return report


def _unbalanced(
    strata: dict[tuple[str, str], Counter[str]], yes_no: dict[str, Counter[str]], suite: Suite | None
) -> Iterator[Problem]:
    """Original answers within one of each other: in every stratum, and yes against no in every family."""
    params = {part.family: part.params for part in suite.parts} if suite else {}
    for (name, stratum), counts in strata.items():
        options = set(counts)
        if name in params:
            with contextlib.suppress(InputError):  # a stratum that no item has: the record check names the pair
                options |= set(family(name).alphabet(params[name], stratum))
        elif options <= set(YES_NO):
            options = set(YES_NO)
        elif len(options) == 1 and counts.total() > 1:
            only = next(iter(options))
            yield Problem(WHOLE, name, "balance", f"every original answer of {stratum!r} is {only!r}")
        found = [counts[option] for option in options]
        if max(found) - min(found) > 1:
            shown = ", ".join(f"{o} {counts[o]}" for o in sorted(options, key=lambda o: (-counts[o], o))[:8])
            yield Problem(WHOLE, name, "balance", f"original answers of {stratum!r} are not within one: {shown}")
    for name, counts in yes_no.items():
        if abs(counts["yes"] - counts["no"]) > 1 and sum(1 for f, _ in strata if f == name) > 1:
            yield Problem(WHOLE, name, "balance", f"{counts['yes']} items go from yes, {counts['no']} from no")
