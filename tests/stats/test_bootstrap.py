"""One bootstrap for all measures: as scipy's, by seed, by cluster, paired, and where a measure is undefined."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from counterbench.stats.bootstrap import FEWEST, Resample
from counterbench.stats.intervals import Estimate

VALUE = st.one_of(st.none(), st.sampled_from([0.0, 0.25, 0.5, 1.0]))
ROWS = st.lists(st.tuples(st.sampled_from("abcde"), VALUE), min_size=2, max_size=20)


def found(values: Sequence[float], clusters: Sequence[str] = (), **options: int) -> Estimate:
    resample = Resample(clusters or [f"{i:03}" for i in range(len(values))], **options)
    return resample.estimate(resample.mean(values))


def test_as_scipy_does_it() -> None:
    source = random.Random(5)
    values = [source.gauss(10, 3) for _ in range(80)]
    ours = found(values, draws=20_000)
    theirs = stats.bootstrap((values,), np.mean, n_resamples=20_000, method="percentile", random_state=1)
    assert ours.value == pytest.approx(np.mean(values))
    # The ends of both are simulated; theirs move by about 0.01 from seed to seed.
    assert (ours.low, ours.high) == pytest.approx(tuple(theirs.confidence_interval), abs=0.04)


def test_these_numbers_are_the_same_everywhere() -> None:
    estimate = found(range(40))
    assert (estimate.value, estimate.low, estimate.high) == pytest.approx((19.5, 15.799375, 22.900625))
    assert found(range(40), seed=1) != estimate


@settings(max_examples=30)
@given(ROWS, st.integers(0, 5))
def test_it_draws_whole_clusters(rows: list[tuple[str, float | None]], seed: int) -> None:
    # The same written out, draw by draw, from the same raw numbers.
    clusters = sorted({cluster for cluster, _ in rows})
    members = {name: [v for cluster, v in rows if cluster == name and v is not None] for name in clusters}
    raw = np.random.PCG64(seed).random_raw((50, len(clusters)))
    series = Resample([cluster for cluster, _ in rows], draws=50, seed=seed).mean([value for _, value in rows])
    chosen = [clusters, *([clusters[int((int(r) >> 11) * 2.0**-53 * len(clusters))] for r in row] for row in raw)]
    for at, names in enumerate(chosen):
        drawn = [value for name in names for value in members[name]]
        assert series[at] == pytest.approx(np.mean(drawn) if drawn else float("nan"), nan_ok=True)


def test_copies_of_an_item_are_no_evidence_when_they_are_one_cluster() -> None:
    source = random.Random(3)
    values = [source.random() for _ in range(30)]
    tripled = [value for value in values for _ in range(3)]
    alone, clustered = found(values), found(tripled, [f"{i // 3:03}" for i in range(90)])
    assert (clustered.low, clustered.high) == pytest.approx((alone.low, alone.high))


def test_the_order_of_groups_means_nothing() -> None:
    one, other = Resample(["a", "b", "b", "c"]), Resample(["b", "c", "a", "b"])
    assert np.array_equal(one.mean([1, 0, 0.5, 0]), other.mean([0, 0, 1, 0.5]))


def test_measures_of_one_resample_are_paired() -> None:
    resample = Resample([str(i) for i in range(30)])
    first = resample.mean([i / 30 for i in range(30)])
    second = resample.mean([i / 30 - 0.1 for i in range(30)])
    difference = resample.estimate(first - second)
    assert (difference.value, difference.low, difference.high) == pytest.approx((0.1, 0.1, 0.1))


def test_draws_in_which_a_measure_is_undefined_are_left_out() -> None:
    resample = Resample(["a", "b"], draws=100, fewest=2)
    assert resample.estimate(resample.mean([0.5, None])) == Estimate(0.5, 0.5, 0.5)
    assert resample.estimate(resample.mean([None, None])) == Estimate(None, None, None)


def test_few_clusters_give_no_interval_however_many_items_they_have() -> None:
    names = [f"{i:02}" for i in range(FEWEST)] * 5
    values = [0.0, 1.0, 1.0] * (len(names) // 3)
    few = [(value, name) for value, name in zip(values, names, strict=True) if name != "00"]
    lone = found([value for value, _ in few], [name for _, name in few])
    assert (lone.value is None, lone.low, lone.high) == (False, None, None)
    assert found(values, names).low is not None
    resample = Resample([name for _, name in few])
    assert resample.estimate(resample.mean([1.0] * len(few)) - resample.mean([0.5] * len(few))).low is None
