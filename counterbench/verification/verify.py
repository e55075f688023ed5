"""Verifies a suite or a folder of pairs: checks each pair by itself (`checks`), and then all of them together.

`verify` is the main function. It gets a source of pairs, lets several processes check them (`_Check`), and returns a
`VerifyReport` with a `Problem` for each fault. Together it checks that no pair is there twice, that a folder holds what
its `suite.json` says, that laws are sound, and that answers are balanced: in each stratum (a group of pairs of one
family) the answers about the first pictures occur equally often, within one.
"""

import contextlib
import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import msgspec
import PIL

from counterbench.bars import OnProgress, unseen
from counterbench.drawing.render import RENDERER_VERSION
from counterbench.drawing.styles import FLAT, STICKER
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.laws import Law, law
from counterbench.laws.soundness import problems
from counterbench.scene.pairs import Pair
from counterbench.suites.comparisons import is_comparison, pair_of_comparison
from counterbench.suites.families import family
from counterbench.suites.families.base import YES_NO
from counterbench.suites.families.laws import LawParams, law_names
from counterbench.suites.folder import PAIRS_FILE, SUITE_FILE
from counterbench.suites.sources import FolderSource, Source, SuiteSource
from counterbench.suites.suite import SUITE_FORMAT, Suite, parse_suite
from counterbench.suites.workers import in_chunks, worker_count
from counterbench.text import brief, counted
from counterbench.verification.checks import CHECKS, Problem, Redrawing, check_pair

# Stands for a pair's id in a problem of the whole folder.
WHOLE = "(all)"
_CHUNK = 16  # pairs in a task of a worker
_SETTINGS = 2  # the number of settings in which every law is checked


@dataclass
class VerifyReport:
    """The report of `verify`: problems, and by family the number of pairs and of problems of each check."""

    source: str
    digest: str
    pairs: Counter[str] = field(default_factory=Counter)
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    unchecked: frozenset[str] = frozenset()  # checks that could not be made, for want of scenes or pictures

    def __repr__(self) -> str:
        verdict = "every check holds" if self.holds else counted(len(self.problems), "problem")
        return brief(self, f"{self.source}: {counted(sum(self.pairs.values()), 'pair')}, {verdict}")

    @property
    def holds(self) -> bool:
        """True if no problem was found."""
        return not self.problems

    def table(self) -> dict[str, dict[str, int]]:
        """The number of pairs that each check found wrong, by family and check."""
        wrong: dict[str, dict[str, set[str]]] = {name: defaultdict(set) for name in self.pairs}  # ids by both
        for problem in self.problems:
            wrong.setdefault(problem.family, defaultdict(set))[problem.check].add(problem.pair)
        return {name: {check: len(ids[check]) for check in CHECKS} for name, ids in wrong.items()}


# A pair without its scenes (which take memory), a digest of its content, and its problems.
_Checked = tuple[Pair, bytes, list[Problem]]


def _suite_and_renderer(source: Source, report: VerifyReport) -> tuple[Suite | None, bool]:
    """The suite that `source` is, or that its `suite.json` defines, and True if this version draws the same pixels.

    The suite is None for imported pairs. The report is told if the file of pairs was changed, which checks cannot be
    made, and if another renderer drew the pictures. InputError if the folder's definition is damaged.
    """
    if isinstance(source, SuiteSource):
        return source.suite, True
    assert isinstance(source, FolderSource)
    folder, info = source.folder, source.folder.info
    if info.pairs_digest != formats.file_digest(folder.path / PAIRS_FILE):
        report.problems.append(Problem(WHOLE, "", "record", f"{PAIRS_FILE} was changed after it was written"))
    if info.truth == "published":
        report.unchecked = frozenset({"truth", "change", "layout", "mask", "reader"})
        if not any((folder.path / "images").rglob("*.png")):
            report.unchecked |= {"picture"}
        unchecked = ", ".join(sorted(report.unchecked))
        report.notes.append(f"truth is published, scenes are unknown; not checked: {unchecked}")
        return None, False
    used = (info.versions.get("pillow"), info.versions.get("renderer"))
    current = (PIL.__version__, str(RENDERER_VERSION))
    if used != current:
        report.notes.append(
            f"drawn with Pillow {used[0]} and renderer {used[1]}, these are {current[0]} and {current[1]}: pictures "
            "are compared with their recorded digests, not drawn again"
        )
    return _suite_from(info.definition, str(folder.path / SUITE_FILE)), used == current


def _law_problems(suite: Suite) -> Iterator[Problem]:
    """Problems of the laws that a suite names, each under the first family of the suite that names the law."""
    laws = [
        (name, p.family) for p in suite.parts if isinstance(p.params, LawParams) for name in law_names(p.params.laws)
    ]
    for name, family_name in dict(reversed(laws)).items():
        for message in _problems_of_law(law(name), suite.seed):
            yield Problem(f"law {name}", family_name, "law", message)


@lru_cache(maxsize=256)
def _problems_of_law(tested: Law, seed: int) -> list[str]:
    """The problems of a law in several settings, each once."""
    return list(dict.fromkeys(message for index in range(_SETTINGS) for message in problems(tested, seed, index)))


def _suite_from(definition: dict[str, Any] | None, where: str) -> Suite:
    """The suite that a folder's definition describes, read as a suite file; InputError if it is damaged."""
    try:
        if definition is None:
            raise KeyError("definition")
        fields = ("name", "count", "forms", "params")
        entries = [{key: entry[key] for key in fields} for entry in definition["families"]]
        named = {"format": SUITE_FORMAT, "name": "folder", "seed": definition["seed"], "family": entries}
        named["compared"] = "compared" in definition
        suite = parse_suite(named | {"diamonds": "square"} | definition["canvas"], where)
        style = definition.get("style", FLAT)
        return suite.sized(definition.get("size")).styled(FLAT if style == STICKER else style)
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{where}: its definition is damaged: {error!r}") from None


@dataclass(frozen=True)
class _Check:
    """The task of worker processes: a function from some pairs to the same pairs, checked one by one."""

    source: Source
    side: int | None  # pixels of the shorter side of drawn pictures; None: as many as the scene's
    same_renderer: bool  # True if this version draws the same pixels
    has_pictures: bool  # True if the folder has pictures

    def __call__(self, pairs: list[Pair]) -> list[_Checked]:
        """The pairs of a chunk, checked."""
        return [self._check_pair(pair) for pair in pairs]

    def _check_pair(self, pair: Pair) -> _Checked:
        """The pair without scenes, a digest of its content, and its problems."""
        pictures = [picture.unchecked() for picture in self.source.pictures(pair)]
        try:
            drawing = Redrawing(self.side, self.source.style or FLAT, self.source.ground(pair))
        except InputError as error:
            return pair, b"", [Problem(pair.id, pair.family, "picture", str(error))]
        wrong = list(check_pair(pair, pictures, self.same_renderer, drawing))
        if not pictures and pair.truth == "published" and self.has_pictures:
            wrong.append(Problem(pair.id, pair.family, "picture", "it has no pictures, others of its folder have"))
        key = (pair.program, [pair.original, pair.intervened]) if pair.truth == "computed" else (pair.id,)
        content = hashlib.blake2b(formats.encode(key), digest_size=16).digest()
        if is_comparison(pair.answer_type) and pair.relevant and not wrong:
            pair = pair_of_comparison(pair)  # whose answers are the balanced ones; those of a control are equal
        return msgspec.structs.replace(pair, original=None, intervened=None), content, wrong


def verify(source: Source, *, workers: int | None = None, on_progress: OnProgress = unseen) -> VerifyReport:
    """Check every pair of `source` and the balance of the whole; see docs/pairs.md, "Truth is checked twice".

    Raises FormatError or InputError if the folder itself cannot be read; a fault of a pair is a Problem in the report.
    """
    report = VerifyReport(source.name, source.digest)
    suite, same_renderer = _suite_and_renderer(source, report)
    check = _Check(source, suite.side if suite else None, same_renderer, "picture" not in report.unchecked)
    total = len(source)
    strata: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)  # answers by family and stratum
    yes_no: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)  # the same by family and treatment
    id_by_content: dict[bytes, str] = {}
    ids: set[str] = set()
    pairs = iter(source)
    if isinstance(source, FolderSource) and source.limit is None:
        pairs = source.folder.read_pairs()  # however many lines there are
    checked = in_chunks(check, pairs, workers=worker_count(workers), chunk=_CHUNK, total=total)
    for done, (pair, content, wrong) in enumerate(checked, 1):
        report.pairs[pair.family] += 1
        report.problems += wrong
        first = id_by_content.setdefault(content, pair.id)
        if first != pair.id or pair.id in ids:
            message = f"the same pair as {first}" if first != pair.id else "its id is used twice"
            report.problems.append(Problem(pair.id, pair.family, "unique", message))
        ids.add(pair.id)
        if not is_comparison(pair.answer_type):
            strata[pair.family, pair.stratum][pair.original_answer] += 1
        if pair.answer_type == "yes-no":
            group = pair.cell if pair.category in ("control", "comparison") else ""  # which take turns by themselves
            yes_no[pair.family, group][pair.original_answer] += 1
        on_progress(done, total)
    if isinstance(source, FolderSource) and source.limit is None and report.pairs != source.folder.info.counts:
        message = f"{dict(report.pairs)} pairs by family, but {SUITE_FILE} says {source.folder.info.counts}"
        report.problems.append(Problem(WHOLE, "", "record", message))
    report.problems += _law_problems(suite) if suite else ()
    report.problems += _balance_problems(strata, yes_no, suite)
    return report


def _balance_problems(
    strata: dict[tuple[str, str], Counter[str]], yes_no: dict[tuple[str, str], Counter[str]], suite: Suite | None
) -> Iterator[Problem]:
    """Problems where some answer about first pictures occurs more often than another by more than one.

    This is checked for all answers in each stratum, and for yes and no in each family or, for controls, each treatment.
    `strata`: by family and stratum, the number of each answer. `yes_no`: the same by family and treatment ("" for other
    pairs), of yes/no questions alone; a family with one stratum need not be checked twice.
    """
    params = {part.family: part.params for part in suite.parts} if suite else {}
    one_answer = {name for name in params if getattr(params[name], "answer", "")}  # of all yes/no questions
    for (name, stratum), counts in strata.items():
        if name in one_answer:
            continue
        options = set(counts)
        if name in params:
            with contextlib.suppress(InputError):  # a stratum that no item has
                options |= set(family(name).alphabet(params[name], stratum))
        elif options <= set(YES_NO):
            options = set(YES_NO)
        elif len(options) == 1 and counts.total() > 1:
            only = next(iter(options))
            yield Problem(WHOLE, name, "balance", f"every original answer of {stratum!r} is {only!r}")
        numbers = [counts[option] for option in options]
        if max(numbers) - min(numbers) > 1:
            shown = ", ".join(f"{o} {counts[o]}" for o in sorted(options, key=lambda o: (-counts[o], o))[:8])
            yield Problem(WHOLE, name, "balance", f"original answers of {stratum!r} are not within one: {shown}")
    for (name, group), counts in yes_no.items():
        if (
            name not in one_answer
            and abs(counts["yes"] - counts["no"]) > 1
            and sum(1 for f, _ in strata if f == name) > 1
        ):
            where = f" of {group!r}" if group else ""
            yield Problem(WHOLE, name, "balance", f"{counts['yes']} items{where} go from yes, {counts['no']} from no")
