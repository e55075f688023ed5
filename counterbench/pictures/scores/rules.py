"""Named ways to count judged pictures, so that a number says which rule it was counted by.

Missing data are of two kinds. A picture that is refused or blank is the model's own answer, and it is wrong without a
judge. All other losses say nothing about the model: a picture that never came or cannot be read, and a reply of the
judge that is unparsed, refused, failed or was not asked for. They are failures of the instrument, which are never a
score.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from counterbench.errors import InputError
from counterbench.pictures.scores.results import CheckResult, GroupResult, PictureScore

MissingData = Literal["own", "out", "zero", "one", "skip"]
Column = list[float | None]  # a value for each unit, None if it has none

DEFAULT = "default"
_SOFT_NOTE = (
    "openai:MODEL?logprobs=5 (where the server gives log-probabilities), transformers:PATH?mode=choice, or --repeats K "
    "of a judge with a temperature above 0"
)


class Scoring(msgspec.Struct, frozen=True, kw_only=True):
    """The rules by which credits of checks become a picture's score."""

    # Missing data count as `zero` or `one`, or leave their picture `out`; `own`: they leave it out, but a picture that
    # is refused or blank counts as 0; `skip`: a picture's score is over the checks that have an answer.
    missing_data: MissingData = "own"
    clamp: bool = True  # a credit outside 0 … 1 is brought back into it
    decimals: int | None = None  # of a picture's score; None: it is not rounded
    soft: bool = False  # the credit of a yes/no check or count is the probability of the right answer (`credited`)
    mean: Literal["arithmetic", "geometric"] = "arithmetic"  # the weighted mean of a picture's checks


# Ways to count by probability, for the scorings of any protocol that asks yes/no checks: VQAScore (Lin et al., ECCV
# 2024) for one check, Soft-TIFA's two means (GenEval 2, Kamath et al., 2025) for several.
SOFT = {"soft": Scoring(soft=True), "soft-geometric": Scoring(soft=True, mean="geometric")}


def picture_score(picture: PictureScore, scoring: Scoring, dimension: str = "") -> float | None:
    """S = Σ wᵢ sᵢ / Σ wᵢ over a picture's checks (CF-World, section 3.3.2), with weights wᵢ above 0 and credits sᵢ.

    `dimension`: the only one whose checks count; "" for all.
    The geometric mean is exp(Σ wᵢ ln sᵢ / Σ wᵢ), and 0 if any credit is.
    None if there is no such check, or if a loss leaves the picture out: except with `skip`, one lost check leaves out
    the whole picture, because a mean over the answered checks would be another quantity.
    """
    checks = [row for row in picture.checks if row.weight > 0 and dimension in ("", row.dimension)]
    if not checks:
        return None
    if picture.status != "ok":
        is_models_own = scoring.missing_data in ("own", "skip") and picture.status in ("refused", "blank")
        return 0.0 if is_models_own else missing_credit(scoring)
    if scoring.missing_data == "skip" and not (checks := [row for row in checks if row.credit is not None]):
        return None
    credits = [credit for row in checks if (credit := _credit(row, scoring)) is not None]
    if len(credits) < len(checks):
        return None
    total = sum(row.weight for row in checks)
    weighed = [(row.weight, credit) for row, credit in zip(checks, credits, strict=True)]
    if scoring.mean == "arithmetic":
        score = sum(weight * credit for weight, credit in weighed) / total
    elif min(credits) <= 0:
        score = 0.0
    else:
        score = math.exp(sum(weight * math.log(credit) for weight, credit in weighed) / total)
    return score if scoring.decimals is None else round(score, scoring.decimals)


def missing_credit(scoring: Scoring) -> float | None:
    """The credit of missing data that are not the model's own; None if their picture is left out."""
    return {"zero": 0.0, "one": 1.0}.get(scoring.missing_data)


def _credit(row: CheckResult, scoring: Scoring) -> float | None:
    """The credit of a check under a scoring, clamped if it says so; None if the check leaves its picture out."""
    if row.credit is None:
        return missing_credit(scoring)
    return min(1.0, max(0.0, row.credit)) if scoring.clamp else row.credit


class PictureScores:
    """The scores of all pictures of some groups under one scoring (a `PictureScore` is one picture with its checks)."""

    def __init__(self, groups: Sequence[GroupResult], scoring: Scoring, dimension: str = "") -> None:
        """Score every picture, by group, level and sample; `dimension`: the only one whose checks count, "" for all."""
        self.scoring = scoring
        self.by_group = [
            {
                level: {sample: picture_score(picture, scoring, dimension) for sample, picture in pictures.items()}
                for level, pictures in group.pictures.items()
            }
            for group in groups
        ]

    def level(self, level: str) -> Column:
        """For each group the mean score of its scored pictures at a level; None if it has no scored picture there."""
        return [mean(list(scores[level].values())) for scores in self.by_group]

    def scored(self, level: str) -> int:
        """The number of pictures of a level that have a score."""
        return sum(score is not None for scores in self.by_group for score in scores[level].values())

    def complete(self) -> tuple[bool, ...]:
        """For each group, True if it has a number at every level at which it has pictures."""
        return tuple(
            all(mean(list(level.values())) is not None for level in scores.values() if level)
            for scores in self.by_group
        )


def mean(values: Sequence[float | None]) -> float | None:
    """The mean of the values that are not None; None if all are."""
    present = [value for value in values if value is not None]
    return sum(present) / len(present) if present else None


def credited(rows: Iterable[CheckResult], scoring: Scoring, where: str = "") -> list[CheckResult]:
    """The rows with the credits that a scoring counts. A scoring that is not `soft` leaves them as they are.

    A soft scoring replaces credits by probabilities. A yes/no check gets the probability of its expected answer, among
    yes and no, or no credit (lost) without a probability. A count gets the probability of the expected number, if it is
    known. Other checks, such as grades, and checks whose credit follows from others keep their credits. A second call
    changes nothing. InputError, which begins with `where`, if there are yes/no answers and none has a probability.
    """
    rows = list(rows)
    if not scoring.soft:
        return rows
    answered = [row for row in rows if row.yes_no and row.credit is not None and not row.follows]
    if answered and all(row.p_yes is None for row in answered):
        place = f"{where}: " if where else ""
        raise InputError(
            f"{place}soft scoring needs the judge's probabilities, and none of {len(answered)} yes/no answers has one: "
            f"judge into another --out with {_SOFT_NOTE}; or leave out --scoring"
        )
    return list(map(_soft, rows))


def _soft(row: CheckResult) -> CheckResult:
    """The row with the judge's probability of the expected answer as its credit; None for a yes/no check without one.

    Grades, counts without a probability, and credits that follow from other checks or are None stay as they are.
    """
    if row.credit is None or row.follows or not (row.yes_no or row.p_expected is not None):
        return row
    p_right = row.p_yes if row.p_yes is None or row.expected == "yes" else 1 - row.p_yes
    return msgspec.structs.replace(row, credit=p_right if row.p_expected is None else row.p_expected)
