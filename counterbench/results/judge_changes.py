"""The difference between a new judge and an old one on the same pairs: a verdict over all cells, and by cell.

A cell is a kind of question (`runs.queries.cell_of`). Its differences are shares of pairs, −1 … 1, new minus old;
`Shift` and `Moved` are of models' scores.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

import msgspec

from counterbench.errors import InputError
from counterbench.results.results import RunReplies
from counterbench.runs.queries import cell_of
from counterbench.stats.differences import Differences, mean, together
from counterbench.stats.intervals import Estimate

# The chance of an error, 5 % in all: of the interval over all cells, and of those of all cells together.
OVERALL, CELLS = 0.045, 0.005
TEN_POINTS = 0.1  # the bound of the verdict "within-10-points"
# A forecast tries numbers of pairs, each _STEP times the one before, up to _FURTHEST times the pairs so far.
_STEP, _FURTHEST = 1.05, 50


class CellDifference(msgspec.Struct, frozen=True, kw_only=True):
    """The new judge's share of pairs right on both pictures minus the old one's, in one cell or over all."""

    difference: Estimate
    pairs: int  # that both answered
    verdict: Literal["equivalent", "within-10-points", "changed", "undecided"]


class ComparedJudges(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict on pairs of several cells, and the differences behind it."""

    verdict: Literal["equivalent", "changed", "undecided"]
    overall: CellDifference  # over all cells
    cells: dict[str, CellDifference]
    pairs_left: int | None  # that would decide it if the shares stay as they are; null if that cannot be foreseen


class Shift(msgspec.Struct, frozen=True, kw_only=True):
    """One model's main number by both judges, over the groups that both have scored."""

    model: str
    groups: int
    old: Estimate
    new: Estimate
    difference: Estimate  # new less old, paired by group

    @property
    def is_shown(self) -> bool:
        """True if the interval of the difference excludes 0."""
        low, high = self.difference.low, self.difference.high
        return low is not None and high is not None and (low > 0 or high < 0)


class Moved(msgspec.Struct, frozen=True, kw_only=True):
    """A model in a run and in a later one by another judge: the difference of its scores, split by its two causes."""

    model: str
    judge: Shift  # on the same pictures: the later judge less the earlier
    pictures: Shift  # by the later judge: later pictures less earlier ones
    what: Literal["judge", "model", ""]  # the cause that is shown, the judge if both are; empty if none is


def compared(cells: Mapping[str, Differences], delta: float, alpha: float = OVERALL) -> ComparedJudges:
    """The verdict on a new judge, from the differences by cell.

    `delta`: the judges are equivalent if the whole interval over all cells lies within ± delta. A cell that changed
    makes the verdict "changed", whatever the mean over all cells. `alpha`: the chance of an error of the interval over
    all cells.
    """
    total = together(cells.values())
    overall = _cell_difference(total, alpha, delta)
    by_cell = {name: _cell_difference(differences, CELLS / len(cells), delta) for name, differences in cells.items()}
    changed = "changed" in (overall.verdict, *(cell.verdict for cell in by_cell.values()))
    decided = changed or overall.verdict == "equivalent"
    return ComparedJudges(
        verdict="changed" if changed else "equivalent" if decided else "undecided",
        overall=overall,
        cells=by_cell,
        pairs_left=0 if decided else _pairs_left(total, delta),
    )


def _cell_difference(differences: Differences, alpha: float, delta: float) -> CellDifference:
    """The mean difference of one cell, or of all, and the verdict on it. `alpha`: the chance of an error."""
    value = mean(differences, alpha)
    low, high = value.low or 0.0, value.high or 0.0
    verdicts = ((max(-low, high) < delta, "equivalent"), (low > 0 or high < 0, "changed"))
    otherwise = "within-10-points" if max(-low, high) < TEN_POINTS else "undecided"
    verdict = next((name for holds, name in verdicts if holds), otherwise)
    return CellDifference(difference=value, pairs=round(differences.pairs), verdict=verdict)  # type: ignore[arg-type]


def _pairs_left(differences: Differences, delta: float) -> int | None:
    """The number of further pairs that would decide, if the shares stay; None if that cannot be foreseen."""
    factor = _STEP
    while differences.pairs and factor < _FURTHEST:
        if _cell_difference(differences.times(factor), OVERALL, delta).verdict in ("equivalent", "changed"):
            return max(1, round(differences.pairs * (factor - 1)))
        factor *= _STEP
    return None


def paired(old: RunReplies, new: RunReplies) -> Iterator[tuple[str, int]]:
    """The cell of each pair of the new run, and new minus old (1, 0 or −1), up to the first pair that lacks an answer.

    InputError if a question was put to the two judges in other words, or with another picture.
    """
    old_results = {pair.key.group: pair.consistent for pair in old.pairs}
    for pair in new.pairs:
        old_right, new_right = old_results.get(pair.key.group), pair.consistent
        if old_right is None or new_right is None:
            return
        for id in (key.id for key in pair.keys):
            if old.replies.question_hash(id) != new.replies.question_hash(id):
                raise InputError(
                    f"{new.path}: {id!r} was asked with another picture, template or words than in {old.path}, perhaps "
                    "drawn by another version of counterbench or Pillow; ask with the versions in its run.json"
                )
        yield cell_of(pair.key), new_right - old_right


def by_cell(pairs: Iterable[tuple[str, int]]) -> dict[str, Differences]:
    """The counts of the differences 1, −1 and 0 by cell; `pairs`: each pair's cell and difference, as of `paired`."""
    counts: dict[str, list[int]] = {}
    for cell, difference in pairs:
        counts.setdefault(cell, [0, 0, 0])[(1, -1, 0).index(difference)] += 1
    return {cell: Differences(*tally) for cell, tally in counts.items()}
