"""One bootstrap for all measures: the same as `stats.bootstrap`, measure by measure, and paired by construction."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterbench.stats.bootstrap import bootstrap
from counterbench.t2i.scores.resampling import Number, Resample

VALUE = st.one_of(st.none(), st.sampled_from([0.0, 0.25, 0.5, 1.0]))
ROWS = st.lists(st.tuples(st.sampled_from("abcde"), VALUE), min_size=2, max_size=20)


def mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


@settings(max_examples=30)
@given(ROWS, st.integers(0, 5))
def test_it_is_the_clustered_bootstrap(rows: list[tuple[str, float | None]], seed: int) -> None:
    rows = sorted(rows, key=lambda row: row[0])  # the other takes clusters in the order of their first item
    clusters, values = [c for c, _ in rows], [v for _, v in rows]
    resample = Resample(clusters, draws=200, seed=seed)
    found = resample.number(resample.mean(values))
    other = bootstrap(values, mean, clusters=clusters, draws=200, seed=seed)
    if other is None:
        assert found == Number(None, None, None)
    elif len(set(clusters)) < 2:
        assert found == Number(pytest.approx(other.value), None, None)
    else:
        assert (found.value, found.low, found.high) == pytest.approx((other.value, other.low, other.high))


def test_the_order_of_groups_means_nothing() -> None:
    one, other = Resample(["a", "b", "b", "c"]), Resample(["b", "c", "a", "b"])
    assert np.array_equal(one.mean([1, 0, 0.5, 0]), other.mean([0, 0, 1, 0.5]))


def test_measures_of_one_resample_are_paired() -> None:
    resample = Resample([str(i) for i in range(30)])
    first = resample.mean([i / 30 for i in range(30)])
    second = resample.mean([i / 30 - 0.1 for i in range(30)])
    found = resample.number(first - second)
    assert (found.value, found.low, found.high) == pytest.approx((0.1, 0.1, 0.1))


def test_draws_in_which_a_measure_is_undefined_are_left_out() -> None:
    resample = Resample(["a", "b"], draws=100)
    found = resample.number(resample.mean([0.5, None]))
    assert found == Number(0.5, 0.5, 0.5)
    assert resample.number(resample.mean([None, None])) == Number(None, None, None)


def test_one_cluster_tells_nothing_of_chance() -> None:
    resample = Resample(["a", "a"])
    found = resample.number(resample.mean([0.0, 1.0]))
    assert found == Number(0.5, None, None)
    assert math.isclose(float(resample.mean([0.0, 1.0])[7]), 0.5)
