"""Tests how far up a *ladder* a judge sees: a series of pairs of pictures that become harder step by step.

A ladder changes one *dial*, such as the number or the size of things; each of its values is a *rung*, a family of pairs
of its own (`suites.families.ladders`). `LadderQuestions` chooses the next pairs to ask, and `ladder_results` gives the
result of a run: for each ladder the last rung that the judge was shown to see (`granted`). It is written into the run's
folder as `ladders.json`. `validate` asks ladders, and admission and cards use their results.

Rungs are asked from the easiest on, each until it is decided. A rung passes if its CCS, the share of pairs that are
right on both pictures, is shown to exceed the policy's bound; the first that does not pass ends its ladder. Rungs are
tested in a fixed order, so their number needs no correction (fixed-sequence testing, Maurer, Hothorn and Lehmacher
1995); but the level of the test is divided by the number of ladders. A few pairs of the rungs above the end are asked
too: they show how the curve of right answers falls, and grant nothing.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Literal

import msgspec

from counterbench.errors import unknown
from counterbench.evidence.cells import PairCount, cell_result, law_of, needed_e_value
from counterbench.evidence.document import FAIL, NOT_ENOUGH, PASS, CellVerdict
from counterbench.evidence.findings import counts
from counterbench.evidence.policies import Policy
from counterbench.evidence.sequential import UntilDecided
from counterbench.files import formats
from counterbench.results.results import load_results
from counterbench.runs.folder import JOURNAL_FILE, KEYS_FILE, answered, read_keys, read_run_info
from counterbench.runs.pair_queries import keys
from counterbench.runs.queries import Key, cell_of
from counterbench.stats.betting import hits_to_reach
from counterbench.stats.intervals import UNDEFINED, Estimate
from counterbench.stats.psychometric import Curve, fit
from counterbench.suites.families.ladders import LADDERS, Ladder
from counterbench.suites.sources import CellSource, Source
from counterbench.text import brief, counted

SUITE, RESULT_FILE = "ladder", "ladders.json"
MAX_RUNG_PAIRS = 100  # pairs of a rung
MIN_SIDE = 768  # pixels of a picture: on smaller ones not even the pixel reader tells small shapes apart
STEP = 12  # pairs of a rung that are asked at once, so few that a rung that fails early takes few calls
ABOVE, RUNGS_ABOVE = 6, 2  # pairs of each rung above the end that are asked, and the number of these rungs


class RungResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one rung that was asked about."""

    value: int  # of the dial
    right: int  # pairs right on both pictures
    of: int  # pairs with both replies
    verdict: CellVerdict


class LadderResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one ladder: the value up to which the judge was shown to see, and each rung asked about."""

    unit: str  # of the dial's values
    granted: int | None  # the value of the last rung that passed with all below it; null if the first did not
    says: str  # the same in words
    next: int | None  # the value of the first rung that is not granted; null if all are
    threshold: Estimate  # the value at which 75 % of the pairs are right, by the curve; nulls without
    rungs: list[RungResult]  # up to the first that did not pass, and those above it that were asked about
    curve: Curve | None = None  # the share of pairs right along the dial; null of fewer than three rungs


class LadderResults(msgspec.Struct, frozen=True, kw_only=True):
    """The result of all ladders of a run.

    With a probability of 95 % (under the policy `standard`) no rung is granted at which CCS is the bound or less.
    """

    format: Literal["counterbench.ladders/1"] = "counterbench.ladders/1"
    judge: str
    template_digest: str
    policy: str
    attempt: int
    bound: float  # of CCS
    threshold: float  # the evidence that decides a rung
    run: str
    side: int | None  # the shorter side of its pictures, in pixels
    lost: str  # why all ladders ended early, such as too many unreadable replies; empty if they did not
    ladders: dict[str, LadderResult]

    def __repr__(self) -> str:
        """The last rungs in words."""
        return brief(self, f"{self.judge} sees {'; '.join(ladder.says for ladder in self.ladders.values())}")


class LadderQuestions(UntilDecided):
    """The chooser of the questions of a run on ladders of the suite SUITE; see `UntilDecided`.

    `ladders`: those to test, by name; each may be cut to its first rungs. Ladders that the run in `out` has begun are
    tested too, so that nobody can drop those that went badly.
    """

    def __init__(
        self,
        source: Source,
        policy: Policy,
        out: Path,
        ladders: Mapping[str, Ladder] = LADDERS,
        answerable: Mapping[str, int] | None = None,
    ) -> None:
        self._done = 0
        self.ladders = dict(ladders) | {
            name: ladder for name, ladder in begun_ladders(out).items() if name not in ladders
        }
        rungs = [rung for ladder in self.ladders.values() for rung in ladder.rungs]
        super().__init__(source, policy, out, rungs, answerable)

    def _next_pairs(self) -> dict[str, int]:
        """The numbers of pairs to ask next, by cell (each rung is one cell); empty when all ladders have ended."""
        if self._policy.outcomes.lost(self._outcomes):
            return {}
        by_rung = {law_of(cell): count for cell, count in self._counted.items()}
        following: dict[str, int] = {}
        for ladder in self.ladders.values():
            more = next_pairs(ladder, by_rung, self._policy.ccs, self._log_e_needed)
            following |= {f"{rung}/yes-no": n for rung, n in more.items()}
        return following

    def _update_progress(self) -> None:
        """Update the number of finished ladders, and the least number of pairs left to ask."""
        open_rungs = set(map(law_of, self._next_pairs()))
        unfinished = [ladder for ladder in self.ladders.values() if open_rungs & set(ladder.rungs)]
        self._done = len(self.ladders) - len(unfinished)
        pairs_asked = Counter(map(law_of, self._order))
        enough = hits_to_reach(self._log_e_needed, 0, 0, self._policy.ccs)
        self._pairs_left = sum(max(0, enough - pairs_asked[rung]) for ladder in unfinished for rung in ladder.rungs)

    @property
    def _log_e_needed(self) -> float:
        """The logarithm of the e-value that decides a rung."""
        return math.log(rung_e_needed(self._policy, self.attempt, len(self.ladders)))

    def keys(self) -> Iterator[Key]:
        """The keys of the questions asked now, and of one pair of each ladder's hardest rung, which is never asked.

        A planted judge (one with a known fault) tells from the keys if its fault can show at all; some faults show only
        on hard pairs.
        """
        yield from super().keys()
        last_cells = [f"{ladder.rungs[-1]}/yes-no" for ladder in self.ladders.values()]
        # The pair of each cell is the first one beyond those that a run can ask: its index is MAX_RUNG_PAIRS.
        yield from keys(CellSource(self._suite, last_cells, dict.fromkeys(last_cells, MAX_RUNG_PAIRS)))

    @property
    def most(self) -> int:
        """The largest possible number of questions: no rung is decided early."""
        return 2 * MAX_RUNG_PAIRS * len(self.cells)

    @property
    def status(self) -> str:
        """The progress in words, such as "2 of 8 ladders finished"."""
        return f"{self._done} of {counted(len(self.ladders), 'ladder')} finished"


def choose(names: str) -> dict[str, Ladder]:
    """The ladders with these names, which are separated by commas; all for no name. InputError for an unknown name."""
    if not names:
        return LADDERS
    chosen = [name.strip() for name in names.split(",")]
    for name in chosen:
        if name not in LADDERS:
            raise unknown("ladder", name, LADDERS)
    return {name: LADDERS[name] for name in chosen}


def begun_ladders(out: Path) -> dict[str, Ladder]:
    """The ladders of which the run in `out` has asked about a rung, by name."""
    recorded_keys = read_keys(out) if (out / KEYS_FILE).is_file() else []
    laws = {law_of(cell_of(key)) for key in recorded_keys}
    return {name: ladder for name, ladder in LADDERS.items() if laws & set(ladder.rungs)}


def rung_e_needed(policy: Policy, attempt: int, ladders: int) -> float:
    """The e-value that decides a rung: the level is divided by the number of ladders."""
    return needed_e_value(policy, attempt) * ladders


def next_pairs(ladder: Ladder, counts: Mapping[str, PairCount], bound: float, log_e_needed: float) -> dict[str, int]:
    """The number of pairs to ask next, by rung, given the counts so far; empty at the ladder's end.

    `bound`: the CCS to exceed. `log_e_needed`: the logarithm of the e-value (measure of evidence) that decides a rung.
    """
    passing = [passed(counts.get(name), bound, log_e_needed) for name in ladder.rungs]
    if all(passing):
        return {}
    lowest = passing.index(False)
    count = counts.get(ladder.rungs[lowest], PairCount())
    missing = hits_to_reach(log_e_needed, count.right, count.wrong, bound)
    if count.pairs + missing <= MAX_RUNG_PAIRS:
        return {ladder.rungs[lowest]: min(missing, STEP)}
    ending = ladder.rungs[lowest : lowest + 1 + RUNGS_ABOVE]  # `lowest` cannot pass any more
    pairs_asked = {name: counts.get(name, PairCount()).pairs for name in ending}
    return {name: ABOVE - pairs for name, pairs in pairs_asked.items() if pairs < ABOVE}


def passed(count: PairCount | None, bound: float, log_e_needed: float) -> bool:
    """True if the count of a rung is enough evidence that its CCS exceeds the bound; False without a count."""
    return count is not None and hits_to_reach(log_e_needed, count.right, count.wrong, bound) == 0


def ladder_results(path: Path, policy: Policy, attempt: int, keep: bool = True) -> LadderResults:
    """The result of the run in `path`; it is written into the run's folder if `keep` is True."""
    info, pairs = read_run_info(path), load_results(path).pairs
    by_rung = {law_of(cell): count for cell, count in counts(pairs, lambda pair: (cell_of(pair.key),)).items()}
    ladders = begun_ladders(path)
    e_needed = rung_e_needed(policy, attempt, len(ladders))
    result = LadderResults(
        judge=info.judge,
        template_digest=info.template_digest,
        policy=policy.name,
        attempt=attempt,
        bound=policy.ccs,
        threshold=e_needed,
        run=str(path),
        side=info.side,
        lost=policy.outcomes.lost(answered(path / JOURNAL_FILE).figures.outcomes),
        ladders={name: _ladder_result(ladder, by_rung, policy.ccs, e_needed) for name, ladder in ladders.items()},
    )
    if keep:
        formats.write_json(path / RESULT_FILE, result)
    return result


def kept_ladders(path: Path) -> LadderResults | None:
    """The result that was written into a run's folder; None if there is none."""
    file = path / RESULT_FILE
    return formats.read_json(file, LadderResults) if file.is_file() else None


def _ladder_result(ladder: Ladder, by_rung: Mapping[str, PairCount], bound: float, e_needed: float) -> LadderResult:
    """The result of one ladder, from the counts by rung; `e_needed`: the e-value that decides a rung.

    Granted is the value of the last rung before the first one that does not pass.
    """
    counts_by_value = {ladder.value(name): by_rung[name] for name in ladder.rungs if name in by_rung}
    rungs: list[RungResult] = []
    granted, ended = None, False
    for value, count in counts_by_value.items():
        passes = passed(count, bound, math.log(e_needed))
        fails = cell_result(count, bound, e_needed).verdict == FAIL
        verdict: CellVerdict = PASS if passes and not ended else FAIL if fails else NOT_ENOUGH
        ended = ended or not passes
        rungs.append(RungResult(value=value, right=count.right, of=count.pairs, verdict=verdict))
        granted = granted if ended else value
    says = (
        ladder.sentence.format(granted)
        if granted is not None
        else f"nothing of {ladder.titled}: its first rung, {ladder.value(ladder.rungs[0])}, is not shown"
    )
    right, total = zip(*((count.right, count.pairs) for count in counts_by_value.values()), strict=True)
    curve = _curve(tuple(counts_by_value), right, total)
    return LadderResult(
        unit=ladder.unit,
        granted=granted,
        says=says,
        next=ladder.after(granted),
        threshold=UNDEFINED if curve is None else curve.levels["75"],
        rungs=rungs,
        curve=curve,
    )


@lru_cache(maxsize=256)  # judges that see all of a ladder have the same counts
def _curve(values: tuple[float, ...], right: tuple[int, ...], total: tuple[int, ...]) -> Curve | None:
    """The curve of right answers along the dial, fitted to the pairs right, of all, at each value.

    None if too few rungs were asked about.
    """
    return fit(values, right, total)
