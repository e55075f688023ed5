"""The Rogan-Gladen band: by hand, what is left out, how often it holds the truth, and what it refuses."""

import numpy as np
import pytest
from t2i.judged import WEIGHTS, check, gone, picture, right

from counterbench.stats.correction import Errors
from counterbench.stats.intervals import Estimate
from counterbench.t2i.scores.correction import band
from counterbench.t2i.scores.results import CheckResult

ONE = ("l1",)
PERFECT = Errors((10**9, 10**9), (10**9, 10**9))


def found(rows: list[CheckResult], errors: dict[str, Errors], **options: int) -> Estimate:
    estimate = band(rows, levels=ONE, errors=errors, **options)["l1"]
    assert estimate is not None
    return estimate


def shares(yes: int, of: int, **fields: object) -> list[CheckResult]:
    """As many groups of one picture with one check each, of which `yes` get credit."""
    return [check(group=f"g{i:03}", credit=float(i < yes), **fields) for i in range(of)]


def test_by_hand() -> None:
    # 60 of 100 at .9 and .8: (.6 + .8 - 1) / .7.
    assert found(shares(60, 100), {"position": Errors((90, 100), (80, 100))}).value == pytest.approx(4 / 7)


def test_a_check_whose_right_answer_is_no_swaps_the_two() -> None:
    rows = shares(60, 100, expected="no")
    assert found(rows, {"position": Errors((90, 100), (80, 100))}).value == pytest.approx((0.6 + 0.9 - 1) / 0.7)


def test_the_parts_of_a_point_are_corrected_each_by_the_errors_of_its_own_skill() -> None:
    # Of 100 points with two right parts, one skill errs on 10 parts; the other never does.
    halves = (("moved", "position", 1.0), ("moved-2", "colour", 0.0))
    rows = [
        check(group=f"g{i:03}", check=name, skill=skill, point="logic", weight=4.0, credit=credit if i < 10 else 1.0)
        for i in range(100)
        for name, skill, credit in halves
    ]
    errors = {"position": PERFECT, "colour": Errors((90, 100), (100, 100))}
    assert found(rows, errors).value == pytest.approx(1)


def test_a_level_is_put_together_by_skill_and_weight() -> None:
    rows = [row for i in range(100) for row in picture(float(i < 90), float(i < 60), float(i < 40), group=f"g{i:03}")]
    errors = {
        "visual-integrity": Errors((95, 100), (95, 100)),
        "assessment-point": Errors((90, 100), (80, 100)),
        "logic-consistency": Errors((80, 100), (90, 100)),
    }
    expected = (3 * (0.85 / 0.9) + 15 * (0.4 / 0.7) + 8 * (0.3 / 0.7)) / 26
    assert found(rows, errors).value == pytest.approx(expected)


def test_what_the_model_refused_is_0_and_what_nobody_saw_is_left_out() -> None:
    errors = dict.fromkeys(WEIGHTS, PERFECT)
    rows = right(group="a") + gone("refused", group="b") + gone("missing", group="c") + picture(1, None, 1, group="d")
    assert found(rows, errors).value == pytest.approx(0.5)
    assert found(gone("blank"), {}) == Estimate(0, 0, 0)
    assert band(gone("missing"), levels=ONE, errors={}) == {"l1": None}


def coverage(judged: tuple[float, float], tested: tuple[float, float], simulations: int = 100) -> float:
    """How often the band of 150 pictures holds their true mean, for a judge as tested on 200 things of each kind.

    Truths differ by check: right with .9, .4, .3; errors are independent.
    """
    source = np.random.default_rng(5)
    truth = source.random((150, 3)) < (0.9, 0.4, 0.3)
    true_mean = float((truth * np.array(list(WEIGHTS.values()))).sum() / 26 / 150)
    covered = 0
    for seed in range(simulations):
        said = np.where(truth, source.random((150, 3)) < judged[0], source.random((150, 3)) >= judged[1])
        rows = [row for i in range(150) for row in picture(*said[i].astype(float).tolist(), group=f"g{i:03}")]
        errors = {
            skill: Errors((int(source.binomial(200, tested[0])), 200), (int(source.binomial(200, tested[1])), 200))
            for skill in WEIGHTS
        }
        estimate = found(rows, errors, draws=400, seed=seed)
        covered += estimate.low <= true_mean <= estimate.high
    return covered / simulations


def test_it_holds_the_truth_as_often_as_it_says_where_error_rates_transfer() -> None:
    assert coverage((0.95, 0.9), (0.95, 0.9)) >= 0.9  # by chance ± 0.044


def test_it_does_not_where_they_do_not() -> None:
    assert coverage((0.85, 0.8), (0.95, 0.95), 30) < 0.7
