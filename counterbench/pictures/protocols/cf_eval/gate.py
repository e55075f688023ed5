"""CF-Eval's ways to count: the groups that count at L2 and L3, and the shares of the prior and without the subject."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from counterbench.errors import InputError
from counterbench.pictures.scores.results import GroupResult, PictureScore
from counterbench.pictures.scores.rules import DEFAULT, Column, PictureScores, Scoring, mean, missing_credit
from counterbench.prompts.from_laws import ASSESSMENT, LEVELS
from counterbench.prompts.table import CONTRAST

PRESENCE = "presence"
ROUNDING = 1e-9  # a mean of 0.5 that floating point puts a hair below it still passes the gate
THRESHOLD = 0.5


class GatedScoring(Scoring, frozen=True, kw_only=True):
    """One way to count CF-Eval."""

    # The S_L1 that must reach the threshold for L2 and L3 to count: the mean of the group's samples, or that of each
    # picture's partner, the L1 picture with the same sample number.
    gate: Literal["group", "picture"] = "group"
    rates: Literal["paper", "readme"] = "paper"  # the source of the formulas of PRR and RRR
    threshold: float = THRESHOLD  # 0 … 1

    def at(self, threshold: float) -> GatedScoring:
        """This scoring with another threshold; InputError if that is outside 0 … 1."""
        if not 0 <= threshold <= 1:
            raise InputError(
                f"--threshold must be from 0 to 1, as S_L1 is, not {threshold}; the paper's threshold is 0.5"
            )
        return msgspec.structs.replace(self, threshold=threshold)


# The paper (CF-World, section 3.3) has one picture for each prompt and says nothing about lost checks: only pictures
# with a credit for every check have its S. Its release counts everything lost as 0 and never clamps. Its README states
# other formulas.
SCORINGS: dict[str, GatedScoring] = {
    DEFAULT: GatedScoring(),
    "per-picture": GatedScoring(gate="picture"),
    "paper": GatedScoring(gate="picture", missing_data="out"),
    "as-released": GatedScoring(gate="picture", missing_data="zero", clamp=False),
    "readme": GatedScoring(rates="readme"),
}


class Gate:
    """The groups, or pictures, that count at L2 and L3: those whose S_L1 reaches the threshold."""

    def __init__(self, scores: PictureScores, scoring: GatedScoring) -> None:
        """Find the S_L1 that decides about each sample: its own, or its group's mean."""
        self._threshold = scoring.threshold - ROUNDING
        firsts = [by_level[LEVELS[0]] for by_level in scores.by_group]
        means = [missing_credit(scoring)] * len(firsts)
        if scoring.gate == "group":
            means = [mean(list(first.values())) for first in firsts]
            firsts = [dict.fromkeys(first, group_mean) for first, group_mean in zip(firsts, means, strict=True)]
        # By group: the S_L1 that decides about each sample, by sample, and about a sample that has no L1 picture.
        self._deciding = list(zip(firsts, means, strict=True))

    def closed(self) -> Column:
        """The share of each group's pictures for which the gate is closed; 0 or 1 if the gate is by group."""
        shares = ([float(s < self._threshold) for s in first.values() if s is not None] for first, _ in self._deciding)
        return [mean(share) for share in shares]

    def apply(self, scores: PictureScores, level: str) -> Column:
        """The group's mean at L2 or L3: 0 if the gate is closed, None if it is not known.

        None also for a group that lacks the level, or L1.
        """
        return [
            mean([self._gated(first.get(k, other), score) for k, score in by_level[level].items()]) if first else None
            for (first, other), by_level in zip(self._deciding, scores.by_group, strict=True)
        ]

    def _gated(self, s_l1: float | None, score: float | None) -> float | None:
        """A picture's score behind the gate: 0 if the deciding S_L1 is too low, None if that is not known."""
        if s_l1 is None:
            return None
        return score if s_l1 >= self._threshold else 0.0


# The outcomes that a judge may see in a picture: the prior's (the usual one) alone, both (which is impossible), the
# asked one alone, and neither.
SHOWN = ("prior", "both", "asked", "neither")


def prior_columns(groups: Sequence[GroupResult], level: str) -> dict[str, Column]:
    """The shares of each of SHOWN among the pictures of each group with answers about the prior at a level."""
    outcomes = [[what for p in group.pictures[level].values() if (what := shown(p)) is not None] for group in groups]
    return {name: [mean([float(outcome == name) for outcome in of_group]) for of_group in outcomes] for name in SHOWN}


def missing_column(groups: Sequence[GroupResult], level: str) -> Column:
    """The share of each group's pictures without the subject, among those with an answer to the presence check."""
    credits = [[_mean_credit(p, PRESENCE) for p in group.pictures[level].values()] for group in groups]
    return [mean([float(credit < 0.5) for credit in group_credits if credit is not None]) for group_credits in credits]


def shown(picture: PictureScore) -> str | None:
    """The outcome that the judge affirms: "prior", "both", "asked" or "neither"; None without answers.

    An outcome is affirmed, or denied, when the mean credit of its checks is more than half on that side.
    """
    assessment = _mean_credit(picture, ASSESSMENT)
    contrast = _mean_credit(picture, CONTRAST)
    if assessment is None or contrast is None:
        return None
    shows_prior, shows_asked = contrast < 0.5, assessment > 0.5
    if shows_prior and assessment >= 0.5:
        return "both" if shows_asked else "neither"
    return "prior" if shows_prior else "asked" if shows_asked else "neither"


def contradictions(groups: Sequence[GroupResult]) -> tuple[int, int]:
    """The numbers of pictures for which the judge affirms both outcomes, and for which it answers about both.

    No picture shows both, so the judge is wrong at least once about each of the first.
    """
    outcomes = [shown(picture) for group in groups for picture in group.every_picture]
    return outcomes.count("both"), sum(outcome is not None for outcome in outcomes)


def _mean_credit(picture: PictureScore, dimension: str) -> float | None:
    """The plain mean of a dimension's credits; None if it has no check, or a check without credit."""
    credits = [row.credit for row in picture.checks if row.dimension == dimension]
    known = [credit for credit in credits if credit is not None]
    return sum(known) / len(known) if known and len(known) == len(credits) else None
