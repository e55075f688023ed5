"""The difference between a new judge and an old one on the same pairs: a verdict over all cells, and by cell."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

import msgspec

from counterbench.errors import InputError
from counterbench.runs.queries import cell_of
from counterbench.scoring.results import RunReplies
from counterbench.stats.differences import Differences, mean
from counterbench.stats.intervals import Estimate

# The chance of an error, 5 % in all: of the interval over all cells, and of those of all cells together.
OVERALL, CELLS = 0.04, 0.01
TEN_POINTS = 0.1
# How much further a forecast looks: step by step, up to so many times the pairs so far.
_STEP, _FURTHEST = 1.05, 50

CellVerdict = Literal["equivalent", "within-10-points", "changed", "undecided"]


class CellDifference(msgspec.Struct, frozen=True, kw_only=True):
    """The new judge's share of pairs right on both pictures minus the old one's."""

    difference: Estimate
    pairs: int  # that both answered
    verdict: CellVerdict

    @property
    def words(self) -> str:
        """The difference and its interval in points."""
        of = self.difference
        ends = [
            f"{100 * (end or 0):+.1f}".replace("-", "−").replace("+0.0", "0.0") for end in (of.value, of.low, of.high)
        ]
        return f"{ends[0]} [{ends[1]}, {ends[2]}]"


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict on all pairs so far, and the differences behind it."""

    verdict: Literal["equivalent", "changed", "undecided"]
    overall: CellDifference  # over all cells
    cells: dict[str, CellDifference]
    pairs_left: int | None  # that would decide it, if the shares stay as they are; null if not foreseeable


class SwapDocument(Compared, frozen=True, kw_only=True):
    """The result of `swap`."""

    old: str
    new: str
    suite: str
    delta: float
    calls: int  # replies of both judges, over all commands so far
    run: str  # the folder that holds a run of each judge that was asked
    stopped: str  # the reason why it is undecided; empty if it is decided
    again: str  # advice on how it goes on; empty if it cannot


def compared(cells: Mapping[str, Differences], delta: float) -> Compared:
    """The verdict from the differences by cell. A cell that changed counts also where the mean is within `delta`."""
    total = _total(cells.values())
    overall = _cell(total, OVERALL, delta)
    by_cell = {name: _cell(of, CELLS / len(cells), delta) for name, of in cells.items()}
    if "changed" in (overall.verdict, *(of.verdict for of in by_cell.values())):
        return Compared(verdict="changed", overall=overall, cells=by_cell, pairs_left=0)
    if overall.verdict == "equivalent":
        return Compared(verdict="equivalent", overall=overall, cells=by_cell, pairs_left=0)
    return Compared(verdict="undecided", overall=overall, cells=by_cell, pairs_left=_left(total, delta))


def _cell(of: Differences, level: float, delta: float) -> CellDifference:
    value = mean(of, level)
    low, high = value.low or 0.0, value.high or 0.0
    verdict: CellVerdict = "undecided"
    if max(-low, high) < delta:
        verdict = "equivalent"
    elif low > 0 or high < 0:
        verdict = "changed"
    elif max(-low, high) < TEN_POINTS:
        verdict = "within-10-points"
    return CellDifference(difference=value, pairs=int(of.pairs), verdict=verdict)


def _left(of: Differences, delta: float) -> int | None:
    factor = 1.0
    while of.pairs and factor < _FURTHEST:
        factor *= _STEP
        if _cell(of.times(factor), OVERALL, delta).verdict in ("equivalent", "changed"):
            return round(of.pairs * (factor - 1)) or 1
    return None


def _total(cells: Iterable[Differences]) -> Differences:
    return Differences(*map(sum, zip(*cells, strict=True)))


def paired(old: RunReplies, new: RunReplies) -> Iterator[tuple[str, int]]:
    """The cell and the difference of each pair of the new run, in its order, up to the first that lacks an answer.

    InputError if a question was put to the two judges in other words, or with another picture.
    """
    before = {pair.key.group: pair for pair in old.pairs}
    for pair in new.pairs:
        then = before.get(pair.key.group)
        if then is None or then.consistent is None or pair.consistent is None:
            return
        for key in pair.keys:
            if old.replies.question_hash(key.id) != new.replies.question_hash(key.id):
                raise InputError(
                    f"{new.path}: {key.id!r} was asked with another picture, template or words than in {old.path} (it "
                    "may be drawn by another version of counterbench or Pillow); ask with the versions in its run.json"
                )
        yield cell_of(pair.key), pair.consistent - then.consistent


def by_cell(pairs: Iterable[tuple[str, int]]) -> dict[str, Differences]:
    """The differences counted by cell."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for cell, difference in pairs:
        counts[cell][(1, -1, 0).index(difference)] += 1
    return {cell: Differences(*of) for cell, of in counts.items()}
