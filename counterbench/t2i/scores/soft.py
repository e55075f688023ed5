"""Yes/no checks by probability: the credit of each, and the judge's probability of neither."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from counterbench.errors import InputError
from counterbench.t2i.scores.document import SoftCounts
from counterbench.t2i.scores.results import CheckResult
from counterbench.t2i.scores.rules import Scoring

HOW_TOLD = (
    "openai:MODEL?logprobs=5 (where the server gives log-probabilities), transformers:PATH?mode=choice, or --votes K "
    "of a judge with a temperature above 0"
)


def credited(rows: Iterable[CheckResult], how: Scoring, where: str = "") -> list[CheckResult]:
    """The rows with the credits that a scoring counts; as they are, unless it is `soft`.

    Then the credit of a yes/no check is the probability of its expected answer, among yes and no. An answer without a
    probability is lost; other checks, such as grades, keep their credits. InputError, at `where`, if there are yes/no
    answers and none has a probability. Rows with such credits already stay as they are.
    """
    rows = list(rows)
    if not how.soft:
        return rows
    answered = [row for row in rows if _yes_no(row) and row.credit is not None]
    if answered and all(row.p_yes is None for row in answered):
        place = f"{where}: " if where else ""
        raise InputError(
            f"{place}none of {len(answered)} yes/no answers says how sure the judge was, which a soft scoring counts: "
            f"judge into another --out with {HOW_TOLD}; or leave out --scoring"
        )
    return [_soft(row) if row.credit is not None and _yes_no(row) else row for row in rows]


def soft_counts(rows: Sequence[CheckResult]) -> SoftCounts:
    """The number of yes/no answers, of those with a probability, and the mean probability of neither."""
    answered = [row for row in rows if _yes_no(row) and row.answer is not None]
    residuals = [row.residual for row in answered if row.p_yes is not None and row.residual is not None]
    neither = sum(residuals) / len(residuals) if residuals else None
    return SoftCounts(answers=len(answered), told=len(residuals), neither=neither)


def _soft(row: CheckResult) -> CheckResult:
    p = row.p_yes if row.p_yes is None or row.expected == "yes" else 1 - row.p_yes
    return msgspec.structs.replace(row, credit=p)


def _yes_no(row: CheckResult) -> bool:
    return row.expected in ("yes", "no")
