"""One number a group for all that is averaged over groups: S by level, gated or not, and what became of habit."""

from __future__ import annotations

from collections.abc import Sequence

from counterbench.t2i.scores.results import GroupResult, Picture
from counterbench.t2i.scores.rules import Scoring, missing_credit, picture_score

Column = list[float | None]  # a value for each group, None where it has none

LEVELS = ("l1", "l2", "l3")  # a set with these has a gate, PRR and RRR
ASSESSMENT = "assessment-point"
ROUNDING = 1e-9  # a mean of 0.5 that floating point puts a hair below it still passes the gate


class Scores:
    """The S of every picture of every group under one scoring, of all its checks or of one dimension."""

    def __init__(self, groups: Sequence[GroupResult], how: Scoring, dimension: str | None = None) -> None:
        self.how = how
        self.by_group = [
            {
                level: {sample: picture_score(picture, how, dimension) for sample, picture in pictures.items()}
                for level, pictures in group.pictures.items()
            }
            for group in groups
        ]

    def level(self, level: str) -> Column:
        """The mean over the group's scored samples at a level."""
        return [_mean(list(scores[level].values())) for scores in self.by_group]

    def scored(self, level: str) -> int:
        """How many pictures of a level have a score."""
        return sum(score is not None for scores in self.by_group for score in scores[level].values())


class Gate:
    """Which groups, or pictures, count at L2 and L3: those whose S_L1 reaches the threshold."""

    def __init__(self, scores: Scores, threshold: float) -> None:
        self._how = scores.how
        self._first = [by_level[LEVELS[0]] for by_level in scores.by_group]
        self._threshold = threshold - ROUNDING

    def closed(self) -> Column:
        """The share of each group's gate that is closed: 0 or 1, or with a gate by picture anything between."""
        if self._how.gate == "group":
            means = [_mean(list(first.values())) for first in self._first]
            return [None if mean is None else float(mean < self._threshold) for mean in means]
        shares = ([float(s < self._threshold) for s in first.values() if s is not None] for first in self._first)
        return [_mean(share) for share in shares]

    def apply(self, scores: Scores, level: str) -> Column:
        """The group's mean at L2 or L3: 0 where the gate is closed, whatever is there, None where it is not known."""
        if self._how.gate == "group":
            pairs = zip(self.closed(), scores.level(level), strict=True)
            return [None if closed is None else 0.0 if closed else mean for closed, mean in pairs]
        return [
            _mean([self._through(first.get(sample, missing_credit(self._how)), s) for sample, s in of[level].items()])
            for first, of in zip(self._first, scores.by_group, strict=True)
        ]

    def _through(self, partner: float | None, score: float | None) -> float | None:
        if partner is None:
            return None
        return score if partner >= self._threshold else 0.0


SHOWN = ("reverted", "both", "asked")


def habit_columns(groups: Sequence[GroupResult], level: str) -> tuple[list[int], dict[str, Column]]:
    """How many pictures of each group tell of habit at a level, and of those the shares of each of SHOWN."""
    found = [[shown for p in group.pictures[level].values() if (shown := _shown(p)) is not None] for group in groups]
    columns: dict[str, Column] = {what: [_mean([float(one == what) for one in of]) for of in found] for what in SHOWN}
    return [len(of) for of in found], columns


def _shown(picture: Picture) -> str | None:
    """What the judge affirms: habit's outcome ("reverted"), "both", the one "asked", or neither; None without answers.

    An outcome is affirmed, or denied, when the mean credit of its checks is more than half on that side.
    """
    asked = _mean_credit(picture, ASSESSMENT)
    contrast = _mean_credit(picture, "contrast")
    if asked is None or contrast is None:
        return None
    habitual, right = contrast < 0.5, asked > 0.5
    if habitual and asked >= 0.5:
        return "both" if right else "neither"
    return "reverted" if habitual else "asked" if right else "neither"


def _mean_credit(picture: Picture, dimension: str) -> float | None:
    """The plain mean of a dimension's credits; None if there is no check of it, or one without credit."""
    credits = [row.credit for row in picture.checks if row.dimension == dimension]
    known = [credit for credit in credits if credit is not None]
    return sum(known) / len(known) if known and len(known) == len(credits) else None


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
