"""PPI++ by hand, at its limits, against ppi-python's numbers, and by how often it holds the truth."""

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbench.stats.ppi import PpiEstimate, ppi_mean

Z = 1.959963984540054
LABELS = [1, 0, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0]
JUDGED = [1, 0, 1, 0.5, 0, 1, 0.5, 0, 1, 1, 0.5, 0]
OTHERS = [1, 1, 0, 0, 0.5, 1, 0, 1, 1, 0.5, 1, 0, 1, 0, 1, 1, 0, 0.5, 1, 1, 0, 0, 1, 1, 0.5, 1, 0, 1, 1, 1, 0, 1]
CREDIT = st.sampled_from([0.0, 0.5, 1.0])
MANY = st.lists(CREDIT, min_size=2, max_size=40)


def found(labels: Sequence[float], judged: Sequence[float], others: Sequence[float], **options: float) -> PpiEstimate:
    estimate = ppi_mean(labels, judged, others, **options)
    assert estimate is not None
    return estimate


def half(estimate: PpiEstimate) -> float:
    assert estimate.low is not None
    assert estimate.high is not None
    return (estimate.high - estimate.low) / 2


def test_by_hand() -> None:
    # Labels 1, 0, 1, 0 and judged 1, 0, 0, 0; of four others the judge affirms three. Cov = 1/8 (over n), the variance
    # of all eight judged is 2/7 (over n - 1), so λ = (1/8) / (2 · 2/7) = 7/32, and the mean 1/2 + 7/32 (3/4 - 1/4).
    estimate = found([1, 0, 1, 0], [1, 0, 0, 0], [1, 1, 1, 0])
    assert estimate.judge_weight == pytest.approx(7 / 32)
    assert estimate.value == pytest.approx(1 / 2 + 7 / 64)
    # Five times the same: labels - 2λ judged = 9/16, 0, 1, 0, and half of all things are labelled.
    estimate = found([1, 0, 1, 0] * 5, [1, 0, 0, 0] * 5, [1, 1, 1, 0] * 5, judge_weight=7 / 32)
    rest = [9 / 16, 0, 1, 0] * 5
    variance = sum((x - sum(rest) / 20) ** 2 for x in rest) / 19 / 20 / 2
    assert half(estimate) == pytest.approx(Z * math.sqrt(variance))


# ppi-python 0.2.3: ppi_mean_pointestimate.
@pytest.mark.parametrize(("weight", "value"), [(None, 0.63789533), (0.0, 0.58333333), (0.5, 0.625), (1.0, 0.66666667)])
def test_as_ppi_python_does_it(weight: float | None, value: float) -> None:
    options = {} if weight is None else {"judge_weight": weight}
    assert found(LABELS, JUDGED, OTHERS, **options).value == pytest.approx(value, abs=1e-8)


def test_the_interval_is_for_these_very_things() -> None:
    """Labels of all samples of a small population, without replacement, have just this variance."""
    truth, said = np.array([1, 1, 0, 1, 0, 0]), np.array([1, 0.5, 0.5, 1, 0, 0])
    samples = [list(of) for of in combinations(range(6), 3)]
    estimates = [
        found(truth[of].tolist(), said[of].tolist(), np.delete(said, of).tolist(), judge_weight=0.4) for of in samples
    ]
    assert np.mean([of.value for of in estimates]) == pytest.approx(truth.mean())
    variance = 0.5 * np.var(truth - 0.4 * 2 * said, ddof=1) / 3
    assert np.var([of.value for of in estimates]) == pytest.approx(variance)


def test_where_all_are_labelled_nothing_is_left_to_chance() -> None:
    estimate = found([1, 0, 1, 1], [0, 0, 1, 1], [])
    assert (estimate.value, estimate.low, estimate.high, estimate.warnings) == (0.75, 0.75, 0.75, [])
    half_of, most_of = (
        found([1, 0] * n, [1, 0] * (n // 2) + [0, 1] * (n // 2), [1.0, 0.0] * (100 - n)) for n in (50, 90)
    )
    assert half(most_of) < 0.5 * half(half_of)


@pytest.mark.parametrize(("rare", "given"), [(9, False), (10, True)])
def test_fewer_than_ten_rare_labels_give_no_interval(rare: int, given: bool) -> None:
    estimate = found([1.0] * (200 - rare) + [0.0] * rare, [1.0] * 200, [1.0] * 800)
    assert estimate.value == pytest.approx(1 - rare / 200)
    assert ((estimate.low, estimate.high) == (None, None)) is not given
    assert any("of the rarer kind there is no interval" in warning for warning in estimate.warnings) is not given


def test_a_judge_who_says_the_same_of_everything_is_worth_nothing() -> None:
    estimate = found([1, 0, 1, 0, 1], [1] * 5, [1] * 100)
    assert (estimate.value, estimate.judge_weight) == (0.6, 0)


def test_a_judge_who_is_always_wrong_is_not_turned_round() -> None:
    labels = [1.0, 0.0] * 20
    estimate = found(labels, [1 - label for label in labels], [0.0] * 30 + [1.0] * 70)
    assert (estimate.value, estimate.judge_weight) == (0.5, 0)


@given(MANY, st.data())
def test_the_weight_is_a_share_and_the_interval_holds_the_value(labels: list[float], data: st.DataObject) -> None:
    judged = data.draw(st.lists(CREDIT, min_size=len(labels), max_size=len(labels)))
    estimate = found(labels, judged, [0.0, 0.5, 1.0] * 30)
    assert 0 <= estimate.judge_weight <= 1
    assert estimate.low is None or half(estimate) >= 0


def test_without_others_it_is_the_mean_of_the_labels() -> None:
    assert found([1, 0, 1], [1, 0, 0], []).value == pytest.approx(2 / 3)
    assert found([1, 0, 1], [1, 0, 0], [], judge_weight=1).judge_weight == 0


def test_fewer_than_two_labels_are_no_sample() -> None:
    assert ppi_mean([], [], [1, 0]) is None
    assert ppi_mean([1], [1], [1, 0]) is None


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ([1.0] * 50 + [0.0] * 50, []),
        ([1.0] * 50 + [0.0] * 49, ["99 labels"]),
        ([1.0] * 9 + [0.0] * 91, ["9 labels at least 0.5"]),
        ([0.5] * 91 + [0.4] * 9, ["9 labels below 0.5"]),
        ([0.5] * 99 + [0.4], ["1 label below 0.5"]),
        ([1.0] * 3, ["3 labels;", "0 labels below 0.5"]),
    ],
)
def test_what_it_warns_of(labels: list[float], expected: list[str]) -> None:
    warnings = found(labels, labels, [1, 0]).warnings
    assert len(warnings) == len(expected)
    assert all(warning.startswith(start) for warning, start in zip(warnings, expected, strict=True))


@pytest.mark.parametrize(("count", "least"), [(100, 0.925), (300, 0.935)])
def test_how_often_it_holds_the_truth(count: int, least: float) -> None:
    # 400 simulations: by chance ± 0.022. The judge errs in ways that nobody tested.
    source = np.random.default_rng(11)
    covered = 0
    for _ in range(400):
        truth = source.random(1000) < 0.3
        said = np.where(truth, source.random(1000) < 0.85, source.random(1000) < 0.2).astype(float)
        estimate = found(truth[:count].astype(float).tolist(), said[:count].tolist(), said[count:].tolist())
        covered += abs(estimate.value - float(truth.mean())) <= half(estimate)
    assert least <= covered / 400 <= 0.975
