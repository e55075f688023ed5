"""Scores by probability, worked by hand: both means, weights, an expected no, and what does not say how sure."""

from __future__ import annotations

import math

import pytest
from t2i.judged import SIGNATURE, check

from counterbench.errors import InputError
from counterbench.t2i.protocols.checklist import Checklist
from counterbench.t2i.protocols.numbers import difference, document
from counterbench.t2i.scores.document import Bounds, Document, SoftCounts
from counterbench.t2i.scores.results import CheckResult
from counterbench.t2i.scores.rules import SOFT
from counterbench.t2i.scores.soft import credited


def sure(id: str, p_yes: float | None, expected: str = "yes", residual: float = 0.0, **fields: object) -> CheckResult:
    """A check that is answered by the likelier of yes and no."""
    said = "yes" if p_yes is None or p_yes >= 0.5 else "no"
    told = {} if p_yes is None else {"p_yes": p_yes, "residual": residual}
    of = {"level": "image", "check": id, "weight": 1, "expected": expected, "answer": said, "dimension": ""}
    return check(**(of | {"credit": float(said == expected)} | told | fields))


def scored(rows: list[CheckResult], scoring: str = "soft") -> Document:
    return document(Checklist(), rows, levels=("image",), signature=SIGNATURE, scoring_name=scoring, run="runs/mine")


def score(rows: list[CheckResult], scoring: str = "soft") -> float | None:
    return scored(rows, scoring).columns["score"].value


def test_both_means_by_hand_with_weights_and_an_expected_no() -> None:
    rows = [sure("a", 0.9, weight=3), sure("b", 0.2, "no"), sure("c", 0.5, weight=2)]
    assert score(rows) == pytest.approx((3 * 0.9 + 1 * 0.8 + 2 * 0.5) / 6)
    assert score(rows, "soft-geometric") == pytest.approx((0.9**3 * 0.8 * 0.5**2) ** (1 / 6))
    assert score(rows, "default") == 1  # by what was said


def test_the_mean_is_of_pictures_then_of_prompts() -> None:
    rows = [sure("a", 0.9), sure("b", 0.1), sure("a", 0.4, sample=1), sure("a", 1.0, group="h")]
    assert score(rows) == pytest.approx(((0.5 + 0.4) / 2 + 1) / 2)
    assert score(rows, "soft-geometric") == pytest.approx(((math.sqrt(0.09) + 0.4) / 2 + 1) / 2)


def test_one_check_that_is_surely_wrong_makes_a_geometric_mean_0() -> None:
    rows = [sure("a", 1.0), sure("b", 1.0, "no")]
    assert (score(rows), score(rows, "soft-geometric")) == (0.5, 0)


def test_a_check_of_weight_0_counts_in_neither_mean() -> None:
    rows = [sure("a", 0.81), sure("b", 0.0, weight=0)]
    assert score(rows) == score(rows, "soft-geometric") == pytest.approx(0.81)


def test_grades_count_as_they_are() -> None:
    rows = [sure("a", 0.64), check(level="image", check="g", weight=1, expected="5", answer="2", credit=0.25)]
    assert score(rows) == pytest.approx((0.64 + 0.25) / 2)
    assert score(rows, "soft-geometric") == pytest.approx(0.4)


def test_an_answer_that_does_not_say_how_sure_is_lost_and_never_0() -> None:
    rows = [sure("a", 0.9), sure("b", None), sure("a", 0.7, group="h")]
    found = scored(rows)
    assert found.columns["score"].value == pytest.approx(0.7)  # of the other picture
    assert (found.scored, found.counts["image"].outcomes["unparsed"]) == (1, 1)
    assert found.bounds["score"] == Bounds(*map(pytest.approx, ((0.45 + 0.7) / 2, 0.7, (0.95 + 0.7) / 2)))  # type: ignore[arg-type]


def test_what_is_lost_to_any_scoring_stays_lost() -> None:
    unread = sure("b", 0.9, credit=None, answer=None, outcome="unparsed")
    assert score([sure("a", 0.9), unread]) is None
    gone = [check(level="image", credit=None, answer=None, outcome="unasked", picture="refused")]
    assert score([sure("a", 0.9, group="h"), *gone]) == pytest.approx(0.45)


def test_the_mass_on_neither_is_told() -> None:
    rows = [sure("a", 0.9, residual=0.1), sure("b", 0.2, residual=0.3), sure("c", None)]
    assert scored(rows).soft == SoftCounts(answers=3, told=2, neither=pytest.approx(0.2))  # type: ignore[arg-type]
    assert scored(rows, "default").soft is None


@pytest.mark.parametrize("scoring", SOFT)
def test_a_run_without_probabilities_is_refused_with_what_to_do(scoring: str) -> None:
    said = "runs/mine: none of 2 yes/no answers says how sure .*logprobs=5 .*mode=choice, or --votes"
    with pytest.raises(InputError, match=said):
        score([sure("a", None), sure("b", None)], scoring)


def test_nothing_is_credited_twice() -> None:
    rows = [sure("a", 0.3, "no"), sure("b", None)]
    once = credited(rows, SOFT["soft"])
    assert [row.credit for row in once] == [pytest.approx(0.7), None]
    assert credited(once, SOFT["soft"]) == once


def test_parts_of_a_point_are_as_likely_as_the_least() -> None:
    rows = [sure("a", 0.9, point="p"), sure("b", 0.6, point="p"), sure("c", 0.5)]
    assert score(rows) == pytest.approx((2 * 0.6 + 0.5) / 3)


def test_two_models_are_compared_by_probability() -> None:
    first, second = [sure("a", 0.9), sure("a", 0.5, group="h")], [sure("a", 0.6), sure("a", 0.6, group="h")]
    found = difference(Checklist(), first, second, names=("x", "y"), levels=("image",), how=Checklist.scorings["soft"])
    assert found.columns["score"].value == pytest.approx(0.1)
