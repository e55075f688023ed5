"""Named ways to count judged pictures, so that a number says which rule it was counted by.

Missing data are of two kinds. A picture that is refused or blank is the model's own answer, and nobody needs a judge to
see that it is wrong. All else says nothing about the model: a picture that never came or cannot be read, and a reply of
the judge that is unparsed, refused, failed or was not asked for. That is an instrument's failure, which is never a
score.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from counterbench.errors import unknown
from counterbench.t2i.scores.results import CheckResult, Picture

MissingData = Literal["own", "out", "zero", "one"]

DEFAULT = "default"


class Scoring(msgspec.Struct, frozen=True, kw_only=True):
    """One way to count.

    `gate`: whose S_L1 must reach the threshold for L2 and L3 to count at all: the mean of the group's samples, or each
    picture's own partner, the L1 picture with the same sample number. `rates`: whose formulas PRR and RRR are.
    `missing_data`: it counts as `zero` or `one`, or its picture is left `out`; `own` leaves pictures out unless what is
    missing is the model's own (refused or blank), which counts as 0. `clamp`: whether a credit outside 0 … 1 is brought
    back into it.
    """

    gate: Literal["group", "picture"] = "group"
    rates: Literal["paper", "readme"] = "paper"
    missing_data: MissingData = "own"
    clamp: bool = True


# The paper (CF-World, section 3.3) has one picture a prompt and says nothing of what is lost: only pictures with a
# credit for every check have its S. Its release counts everything lost as 0 and never clamps. Its README states other
# formulas.
SCORINGS: dict[str, Scoring] = {
    DEFAULT: Scoring(),
    "per-picture": Scoring(gate="picture"),
    "paper": Scoring(gate="picture", missing_data="out"),
    "as-released": Scoring(gate="picture", missing_data="zero", clamp=False),
    "readme": Scoring(rates="readme"),
}


def scoring(name: str) -> Scoring:
    """The scoring called `name`; InputError with the valid names if there is none."""
    if name not in SCORINGS:
        raise unknown("scoring", name, SCORINGS)
    return SCORINGS[name]


def picture_score(picture: Picture, how: Scoring, dimension: str | None = None) -> float | None:
    """S = Σ wᵢ sᵢ / Σ wᵢ over the picture's checks of weight above 0 (CF-World, section 3.3.2), or over one dimension.

    None where there is no such check, and where something was lost that is left out: one lost check leaves out the
    whole picture, because a mean over what happens to be answered would be another quantity.
    """
    checks = [row for row in picture.checks if row.weight > 0 and dimension in (None, row.dimension)]
    if not checks:
        return None
    if picture.status != "ok":
        own = how.missing_data == "own" and picture.status in ("refused", "blank")
        return 0.0 if own else missing_credit(how)
    credits = [_credit(row, how) for row in checks]
    if any(credit is None for credit in credits):
        return None
    total = sum(row.weight for row in checks)
    return sum(row.weight * credit for row, credit in zip(checks, credits, strict=True) if credit is not None) / total


def missing_credit(how: Scoring) -> float | None:
    """The credit of what is missing and not the model's own; None where its picture is left out."""
    return {"zero": 0.0, "one": 1.0}.get(how.missing_data)


def _credit(row: CheckResult, how: Scoring) -> float | None:
    if row.credit is None:
        return missing_credit(how)
    return min(1.0, max(0.0, row.credit)) if how.clamp else row.credit
