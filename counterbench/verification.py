"""Truth is checked twice: every pair of a suite or folder by its scenes, words and pixels, and all of them together."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import msgspec
import PIL

from counterbench import formats
from counterbench.checks import CHECKS, Problem, check_pair
from counterbench.errors import CounterbenchError, InputError
from counterbench.families import family
from counterbench.families.base import YES_NO, Canvas, read_params
from counterbench.folder import METADATA_FILE, Folder, metadata
from counterbench.pairs import Pair
from counterbench.sources import FolderSource, Source, SuiteSource
from counterbench.suite import Part, Suite
from counterbench.workers import count as worker_count
from counterbench.workers import in_chunks

_CHUNK = 16


@dataclass
class VerifyReport:
    """What `verify` found: problems, and by family the number of pairs and of problems of each check."""

    source: str
    digest: str
    pairs: Counter[str] = field(default_factory=Counter)
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

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
        if self.suite is not None and isinstance(self.source, FolderSource):
            problems += tuple(_differences(pair, self.suite))
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
    """Check every pair of `source` and the balance of the whole; see DESIGN.md, "Truth is checked twice".

    Raises FormatError or InputError where the folder itself cannot be read; whatever is wrong with a pair is a
    Problem in the report.
    """
    report = VerifyReport(source.name, source.digest)
    suite, same_renderer = None, True
    if isinstance(source, SuiteSource):
        suite = source.suite
    elif isinstance(source, FolderSource):
        suite, same_renderer = _origin(source.folder, report)
    task = _Check(source, suite, same_renderer)
    total = len(source)
    strata: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    yes_no: dict[str, Counter[str]] = defaultdict(Counter)
    seen: dict[bytes, str] = {}
    ids: set[str] = set()
    checked = in_chunks(task, source, workers=worker_count(workers), chunk=_CHUNK, total=total)
    for done, pair in enumerate(checked, 1):
        report.pairs[pair.family] += 1
        report.problems += pair.problems
        first = seen.setdefault(pair.content, pair.id)
        if first != pair.id or pair.id in ids:
            message = f"the same pair as {first}" if first != pair.id else "its id is used twice"
            report.problems.append(Problem(pair.id, pair.family, "unique", message))
        ids.add(pair.id)
        strata[pair.family, pair.stratum][pair.original_answer] += 1
        if pair.answer_type == "yes-no":
            yes_no[pair.family][pair.original_answer] += 1
        on_progress(done, total)
    report.problems += _unbalanced(strata, yes_no, suite)
    if isinstance(source, FolderSource):
        report.problems += _metadata_problems(source.folder)
    return report


def _origin(folder: Folder, report: VerifyReport) -> tuple[Suite | None, bool]:
    """The suite that a folder says it was drawn from, and whether this version draws the same pixels."""
    info = folder.info
    if info.truth == "published":
        report.notes.append(
            "truth is published, scenes are unknown: truth, change, layout, mask and reader not checked"
        )
        return None, False
    same = info.versions.get("pillow") == PIL.__version__
    if not same:
        report.notes.append(
            f"drawn with Pillow {info.versions.get('pillow')}, this is {PIL.__version__}: pictures are compared with "
            "their recorded digests, not drawn again"
        )
    suite = _suite_of(info.definition or {})
    if suite is None:
        report.notes.append("drawn by another version of its families: items are not derived again")
    return suite, same


def _suite_of(definition: dict[str, object]) -> Suite | None:
    """The suite of a recorded definition; None if a family has another version now."""
    try:
        canvas = msgspec.convert(definition["canvas"], Canvas)
        parts = []
        for entry in definition["families"]:  # type: ignore[attr-defined]
            kind = family(entry["name"])
            if kind.version != entry["version"]:
                return None
            parts.append(Part(kind.name, entry["count"], tuple(entry["forms"]), read_params(kind, entry["params"])))
        return Suite(str(definition["name"]), int(str(definition["seed"])), canvas, parts)
    except (KeyError, TypeError, ValueError, msgspec.ValidationError) as error:
        raise InputError(f"suite.json: its definition is damaged: {error!r}") from None


def _differences(pair: Pair, suite: Suite) -> Iterator[Problem]:
    """The recorded pair is the one that the suite draws, field by field."""
    part = next((p for p in suite.parts if p.family == pair.family), None)
    if part is None or not 0 <= pair.index < part.count:
        yield Problem(pair.id, pair.family, "record", "the suite has no such item")
        return
    try:
        drawn = suite.sample(part, pair.index)
    except CounterbenchError as error:
        yield Problem(pair.id, pair.family, "record", f"cannot be drawn again: {error}")
        return
    bare = msgspec.structs.replace(pair, digests=None)
    differing = [
        name for name in bare.__struct_fields__ if name != "digests" and getattr(bare, name) != getattr(drawn, name)
    ]
    if differing:
        yield Problem(pair.id, pair.family, "record", f"not as the suite draws it: {', '.join(differing)}")
    elif pair.digests is None or not all(msgspec.structs.astuple(pair.digests)):
        yield Problem(pair.id, pair.family, "record", "digests are missing")


def _unbalanced(
    strata: dict[tuple[str, str], Counter[str]], yes_no: dict[str, Counter[str]], suite: Suite | None
) -> Iterator[Problem]:
    """Original answers within one of each other: in every stratum, and yes against no in every family."""
    params = {part.family: part.params for part in suite.parts} if suite else {}
    for (name, stratum), counts in strata.items():
        options = set(counts)
        if name in params:
            options |= set(family(name).alphabet(params[name], stratum))
        elif options <= set(YES_NO):
            options = set(YES_NO)
        found = [counts[option] for option in options]
        if max(found) - min(found) > 1:
            shown = ", ".join(f"{o} {counts[o]}" for o in sorted(options, key=lambda o: (-counts[o], o))[:8])
            yield Problem("(all)", name, "balance", f"original answers of {stratum!r} are not within one: {shown}")
    for name, counts in yes_no.items():
        if abs(counts["yes"] - counts["no"]) > 1 and sum(1 for f, _ in strata if f == name) > 1:
            yield Problem("(all)", name, "balance", f"{counts['yes']} items go from yes, {counts['no']} from no")


def _metadata_problems(folder: Folder) -> Iterator[Problem]:
    """`metadata.jsonl` says of every pair what `pairs.jsonl` says."""
    lines = formats.read_lines(folder.path / METADATA_FILE, dict)
    for pair in folder:
        if next(lines, None) != metadata(pair):
            yield Problem(pair.id, pair.family, "record", f"its line of {METADATA_FILE} does not match it")
    if next(lines, None) is not None:
        yield Problem("(all)", "", "record", f"{METADATA_FILE} has lines of no pair")
