"""The answers and scores of people beside those of one judge, a row each, and parts of them."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import msgspec

from counterbench.pictures.scores.results import CheckResult

# The kinds of parts: by dimension of checks, and by fields of prompts.
KINDS = ("dimension", "category", "discipline", "level")
ScoreBySample: TypeAlias = Mapping[str, float]  # of pictures, by sample


class JoinedRow(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that people and the judge have both answered, compared or scored."""

    about: CheckResult | None  # a check of the picture; None for a preference about a sample that no run has
    dimension: str = ""  # of the check, or of all checks that a score counts; empty if it counts any

    def name(self, kind: str) -> str:
        """The name of the part of this kind to which it belongs; empty if it belongs to none."""
        return self.dimension if kind == "dimension" else getattr(self.about, kind, "")


class JoinedCheck(JoinedRow, frozen=True, kw_only=True):
    """The answers to one yes/no check of one picture; True is yes."""

    about: CheckResult
    skill: str
    person: bool  # the majority's
    judge: bool


class JoinedPicture(JoinedRow, frozen=True, kw_only=True):
    """The scores of one picture."""

    about: CheckResult
    model: str
    people: float  # from 0 to 1, unless people rated on another scale
    judge: float  # on the scale of its protocol, or of the metric


class JoinedPreference(JoinedRow, frozen=True, kw_only=True):
    """People's preference between two pictures of one sample beside the judge's scores of them."""

    better: int  # 1: most raters prefer the first model; -1: the second; 0: neither, or there is no majority
    lead: float | None  # the judge's score of the first less that of the second; None without both
    where: str  # the place of its first row, with picture and models


class Joined(msgspec.Struct, frozen=True):
    """All rows of one judge, or a part of them."""

    max_score: float | None  # of the judge's scale, which begins at 0; None for a metric
    checks: Sequence[JoinedCheck]
    pictures: Sequence[JoinedPicture]
    preferences: Sequence[JoinedPreference]
    by_dimension: Sequence[JoinedPicture] = ()  # the scores of the same pictures by the checks of each dimension

    def parts(self, kind: str) -> "dict[str, Joined]":
        """The rows of each part of a kind, by its name, in the order of the rows."""
        pictures = self.by_dimension if kind == "dimension" else self.pictures
        names = dict.fromkeys(row.name(kind) for rows in (self.checks, pictures, self.preferences) for row in rows)
        return {
            name: Joined(
                self.max_score,
                [row for row in self.checks if row.name(kind) == name],
                [row for row in pictures if row.name(kind) == name],
                [row for row in self.preferences if row.name(kind) == name],
            )
            for name in filter(None, names)
        }
