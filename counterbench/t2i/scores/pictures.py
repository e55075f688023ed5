"""The score of every picture, and a mean of them for each group."""

from __future__ import annotations

from collections.abc import Sequence

from counterbench.t2i.scores.results import GroupResult
from counterbench.t2i.scores.rules import Kept, Scoring, every_check, picture_score

Column = list[float | None]  # a value for each unit, None if it has none


class PictureScores:
    """The score of every picture of every group under one scoring, from all checks or from those that are `kept`."""

    def __init__(self, groups: Sequence[GroupResult], how: Scoring, kept: Kept = every_check) -> None:
        self.how = how
        self.by_group = [
            {
                level: {sample: picture_score(picture, how, kept) for sample, picture in pictures.items()}
                for level, pictures in group.pictures.items()
            }
            for group in groups
        ]

    def level(self, level: str) -> Column:
        """The mean over each group's scored samples at a level; None without such samples, or without the level."""
        return [mean(list(scores[level].values())) for scores in self.by_group]

    def scored(self, level: str) -> int:
        """The number of pictures of a level that have a score."""
        return sum(score is not None for scores in self.by_group for score in scores[level].values())

    def complete(self) -> tuple[bool, ...]:
        """True if a group has a number at every level at which it has pictures."""
        return tuple(
            all(mean(list(of.values())) is not None for of in scores.values() if of) for scores in self.by_group
        )


def mean(values: Sequence[float | None]) -> float | None:
    """The mean of the values that are not None; None if all are."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
