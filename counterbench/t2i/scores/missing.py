"""Missing data: counts of losses on the way to a score, and bounds on their effect on the numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from counterbench.t2i.scores.document import Bounds, Counts
from counterbench.t2i.scores.pictures import PictureScores
from counterbench.t2i.scores.results import JUDGE_OUTCOMES, PICTURE_STATUSES, CheckResult, GroupResult
from counterbench.t2i.scores.rules import MissingData

# The least and the largest value of a number; None if nothing bounds it, or it is not defined.
Ends: TypeAlias = tuple[float | None, float | None]


def counts(groups: Sequence[GroupResult], scores: PictureScores, level: str) -> Counts:
    """The counts at one level."""
    pictures = [picture for group in groups for picture in group.pictures[level].values()]
    statuses = Counter(picture.status for picture in pictures)
    return Counts(
        groups=sum(bool(group.pictures[level]) for group in groups),
        groups_scored=sum(mean is not None for mean in scores.level(level)),
        pictures=len(pictures),
        pictures_scored=scores.scored(level),
        statuses={status: statuses[status] for status in PICTURE_STATUSES},
        outcomes=outcomes(row for picture in pictures for row in picture.checks),
    )


def outcomes(rows: Iterable[CheckResult]) -> dict[str, int]:
    """The outcomes of the checks of pictures that are ok. An answer without a credit is counted as unparsed."""
    by_outcome = Counter(
        "unparsed" if row.outcome == "answer" and row.credit is None else row.outcome
        for row in rows
        if row.picture == "ok"
    )
    return {outcome: by_outcome[outcome] for outcome in JUDGE_OUTCOMES}


def complete(of: Counts) -> bool:
    """True if nothing at this level could still be had by drawing or asking again."""
    return not any((of.statuses["missing"], of.statuses["unreadable"], of.outcomes["failed"], of.outcomes["unasked"]))


def bounded(
    names: Sequence[str], ways: Mapping[MissingData, Mapping[str, float | None]], ends: Mapping[str, Ends]
) -> dict[str, Bounds]:
    """Worst, dropped and best of these numbers; `ways` has them with lost checks wrong, left out, and right.

    `ends`: worst and best of the numbers that do not grow with every credit.
    """
    by_name = {}
    for name in names:
        worst, best = ends.get(name, (ways["zero"].get(name), ways["one"].get(name)))
        by_name[name] = _held(worst, ways["out"].get(name), best)
    return by_name


def _held(worst: float | None, dropped: float | None, best: float | None) -> Bounds:
    """The three in order: the mean without lost pictures is moved into the range of the whole, if it is outside."""
    if dropped is not None and best is not None:
        dropped = min(dropped, best)
    if dropped is not None and worst is not None:
        dropped = max(dropped, worst)
    return Bounds(worst, dropped, best)
