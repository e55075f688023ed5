"""The bootstrap: against scipy's, by seed, by cluster, and where a statistic is undefined."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from counterbench.stats.bootstrap import bootstrap
from counterbench.stats.intervals import Estimate

VALUES = st.lists(st.integers(0, 9), min_size=1, max_size=25)


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def found(values: Sequence[float], **options: object) -> Estimate:
    estimate = bootstrap(values, mean, **options)  # type: ignore[arg-type]
    assert estimate is not None
    return estimate


def test_as_scipy_does_it() -> None:
    source = random.Random(5)
    values = [source.gauss(10, 3) for _ in range(80)]
    ours = found(values, draws=20_000)
    theirs = stats.bootstrap((values,), np.mean, n_resamples=20_000, method="percentile", random_state=1)
    assert ours.value == pytest.approx(mean(values))
    # The ends of both are simulated; theirs move by about 0.01 from seed to seed.
    assert (ours.low, ours.high) == pytest.approx(tuple(theirs.confidence_interval), abs=0.04)


def test_these_numbers_are_the_same_everywhere() -> None:
    estimate = found(list(range(40)))
    assert (estimate.value, estimate.low, estimate.high) == pytest.approx((19.5, 15.799375, 22.900625))


@settings(max_examples=20)
@given(VALUES, st.integers(0, 2**32))
def test_a_seed_decides_everything(values: list[int], seed: int) -> None:
    assert found(values, seed=seed, draws=50) == found(values, seed=seed, draws=50)
    assert found(values, seed=seed, draws=50, clusters=list(range(len(values)))) == found(values, seed=seed, draws=50)


def test_another_seed_draws_others() -> None:
    source = random.Random(1)
    values = [source.random() for _ in range(50)]
    assert found(values, seed=1) != found(values, seed=2)


def test_copies_of_an_item_are_no_evidence_when_they_are_one_cluster() -> None:
    source = random.Random(3)
    values = [source.random() for _ in range(30)]
    tripled = [value for value in values for _ in range(3)]
    clusters = [i for i in range(30) for _ in range(3)]
    alone, clustered, pretended = found(values), found(tripled, clusters=clusters), found(tripled)
    assert (clustered.low, clustered.high) == pytest.approx((alone.low, alone.high))
    assert pretended.high - pretended.low < 0.7 * (clustered.high - clustered.low)


def test_clusters_are_whole_wherever_their_items_stand() -> None:
    # Two clusters of sum 1: every draw of two has the sum 2, although the items' order mixes them.
    estimate = bootstrap([1, 0, 0, 1], sum, clusters=["a", "b", "a", "b"], draws=200)
    assert estimate == Estimate(2, 2.0, 2.0)


@settings(max_examples=20)
@given(VALUES)
def test_the_interval_lies_within_the_values(values: list[int]) -> None:
    estimate = found(values, draws=100)
    assert min(values) <= estimate.low <= estimate.high <= max(values)


def test_more_confidence_is_wider() -> None:
    source = random.Random(7)
    values = [source.random() for _ in range(60)]
    narrow, wide = found(values, confidence=0.5), found(values, confidence=0.99)
    assert wide.low < narrow.low < narrow.high < wide.high


def test_where_the_statistic_is_undefined() -> None:
    def of_the_hits(values: Sequence[int]) -> float | None:
        hits = [value for value in values if value > 0]
        return mean(hits) if hits else None

    assert bootstrap([], mean) is None
    assert bootstrap([0, 0, 0], of_the_hits) is None
    assert bootstrap([0, 0, 0, 5], of_the_hits, draws=100) == Estimate(5, 5.0, 5.0)  # draws of zeros alone are left out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"draws": 0}, "0 draws"),
        ({"seed": -1}, "seed of -1"),
        ({"confidence": 1.5}, "confidence is 1.5"),
        ({"clusters": [1]}, "different lengths, 2 and 1"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        found([1, 2], **options)
