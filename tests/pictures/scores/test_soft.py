"""Scores by probability, worked by hand: both means, weights, an expected no, and what does not say how sure."""

import pytest
from pictures.judged import SIGNATURE, check

from counterbench.errors import InputError
from counterbench.pictures.protocols.checklist import Checklist
from counterbench.pictures.protocols.numbers import document
from counterbench.pictures.scores.document import Bounds, ModelDocument, SoftCounts
from counterbench.pictures.scores.results import CheckResult
from counterbench.pictures.scores.rules import SOFT


def sure(id: str, p_yes: float | None, expected: str = "yes", residual: float = 0.0, **fields: object) -> CheckResult:
    """A check that is answered by the likelier of yes and no."""
    answer = "yes" if p_yes is None or p_yes >= 0.5 else "no"
    probabilities = {} if p_yes is None else {"p_yes": p_yes, "residual": residual}
    defaults = {"level": "image", "check": id, "weight": 1, "expected": expected, "answer": answer, "dimension": ""}
    return check(**(defaults | {"credit": float(answer == expected)} | probabilities | fields))


def scored(rows: list[CheckResult], scoring: str = "soft") -> ModelDocument:
    return document(Checklist(), rows, levels=("image",), provenance=SIGNATURE, scoring_name=scoring, run="runs/mine")


def score(rows: list[CheckResult], scoring: str = "soft") -> float | None:
    return scored(rows, scoring).columns["score"].value


def test_both_soft_means_equal_values_by_hand() -> None:
    rows = [sure("a", 0.9, weight=3), sure("b", 0.2, "no"), sure("c", 0.5, weight=2)]
    assert score(rows) == pytest.approx((3 * 0.9 + 1 * 0.8 + 2 * 0.5) / 6)
    assert score(rows, "soft-geometric") == pytest.approx((0.9**3 * 0.8 * 0.5**2) ** (1 / 6))
    assert score(rows, "default") == 1  # by what was said


def test_a_surely_wrong_check_makes_the_geometric_mean_0() -> None:
    rows = [sure("a", 1.0), sure("b", 1.0, "no")]
    assert (score(rows), score(rows, "soft-geometric")) == (0.5, 0)


def test_an_answer_without_a_probability_is_lost_and_never_0() -> None:
    rows = [sure("a", 0.9), sure("b", None), sure("a", 0.7, group="h")]
    found = scored(rows)
    assert found.columns["score"].value == pytest.approx(0.7)  # of the other picture
    assert (found.scored, found.counts["image"].outcomes["unparsed"]) == (1, 1)
    assert found.bounds["score"] == Bounds(*map(pytest.approx, ((0.45 + 0.7) / 2, 0.7, (0.95 + 0.7) / 2)))  # type: ignore[arg-type]


def test_the_mass_on_neither_answer_is_reported() -> None:
    rows = [sure("a", 0.9, residual=0.1), sure("b", 0.2, residual=0.3), sure("c", None)]
    assert scored(rows).soft == SoftCounts(answers=3, with_probabilities=2, neither=pytest.approx(0.2))  # type: ignore[arg-type]
    assert scored(rows, "default").soft is None


@pytest.mark.parametrize("scoring", SOFT)
def test_a_run_without_probabilities_is_refused_with_the_remedy(scoring: str) -> None:
    why = "runs/mine: soft scoring needs .* none of 2 yes/no answers has one: .*logprobs=5 .*mode=choice, or --repeats"
    with pytest.raises(InputError, match=why):
        score([sure("a", None), sure("b", None)], scoring)


def test_a_points_probability_is_that_of_its_least_likely_part() -> None:
    rows = [sure("a", 0.9, point="p"), sure("b", 0.6, point="p"), sure("c", 0.5)]
    assert score(rows) == pytest.approx((2 * 0.6 + 0.5) / 3)
