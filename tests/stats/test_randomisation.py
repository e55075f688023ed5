"""The randomisation test against scipy's, by cluster, and how often it finds something where there is nothing."""

import random
import tracemalloc
from collections.abc import Sequence

import numpy as np
import pytest
from scipy import stats

from counterbench.stats.clusters import Jackknife, pseudovalues, randomisation_p, swaps


def p_of(first: Sequence[float], second: Sequence[float], clusters: Sequence[str] = (), **options: int) -> float:
    """Of the difference of two means."""
    names = clusters or [f"{i:03}" for i in range(len(first))]
    both = [*first, *second]
    one, other = swaps(names, **options)
    return randomisation_p(one.mean(both) - other.mean(both))


def shifted(n: int, by: float, seed: int = 1) -> tuple[list[float], list[float]]:
    source = random.Random(seed)
    first = [source.gauss(0, 1) for _ in range(n)]
    return first, [value + by + source.gauss(0, 1) for value in first]


@pytest.mark.parametrize(("n", "by"), [(2, 1.0), (6, 1.0), (8, 0.4), (12, 0.5)])
def test_every_set_is_tried_as_scipy_does(n: int, by: float) -> None:
    first, second = shifted(n, by)

    def apart(one: Sequence[float], other: Sequence[float]) -> float:
        return float(np.mean(one) - np.mean(other))

    theirs = stats.permutation_test((first, second), apart, permutation_type="samples", n_resamples=np.inf)
    assert p_of(first, second) == pytest.approx(theirs.pvalue)


def test_random_sets_come_near_to_all_and_are_the_same_everywhere() -> None:
    first, second = shifted(14, 0.6)
    names = [f"{i:03}" for i in range(14)]
    every = [np.array([(1 - 2 * ((k >> i) & 1)) for i in range(14)]) for k in range(2**14)]
    apart = np.subtract(first, second)
    exact = np.mean([abs(signs @ apart) >= abs(apart.sum()) - 1e-9 for signs in every])
    found = p_of(first, second, names)
    assert found == pytest.approx(exact, abs=0.01)
    assert found == p_of(first, second, names)
    assert p_of([0.0] * 40, [1.0] * 40) == pytest.approx(1 / 10_000)  # never 0


def test_of_many_sets_few_are_held_at_once() -> None:
    names = [f"{i:03}" for i in range(200)]
    tracemalloc.start()
    count = len(swaps(names, 40_000)[0].mean([0.5] * 400))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 40_001
    assert most < 40e6  # all of them are 64 MB


def test_a_model_has_the_others_groups_in_the_clusters_of_each_set() -> None:
    names = [f"c{i // 2:02}" for i in range(42)]
    first, second = shifted(42, 0.5)
    lost: list[float | None] = [None if i % 5 == 0 else value for i, value in enumerate(second)]
    one, other = (of.mean([*first, *lost]) for of in swaps(names, draws=30))
    raw = np.random.PCG64(0).random_raw((30, 21)) >> np.uint64(63)
    for at, swapped in enumerate([np.zeros(21), *raw]):
        pairs = [(b, a) if swapped[i // 2] else (a, b) for i, (a, b) in enumerate(zip(first, lost, strict=True))]
        for found, of in zip((one, other), zip(*pairs, strict=True), strict=True):
            assert found[at] == pytest.approx(np.mean([value for value in of if value is not None]))


def test_all_but_each_cluster_take_no_more_room_than_one_of_them() -> None:
    names = [f"{i:04}" for i in range(3000)]
    tracemalloc.start()
    found = Jackknife(names).mean([0.5] * 3000)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (len(found), most < 5e6) == (3001, True)  # 3001 weights of 3000 clusters are 72 MB


def test_whole_clusters_are_swapped() -> None:
    first, second = shifted(6, 1.0)
    tripled = [[value for value in values for _ in range(3)] for values in (first, second)]
    clusters = [f"c{i // 3}" for i in range(18)]
    assert p_of(*tripled, clusters) == pytest.approx(p_of(first, second))
    assert p_of(*tripled) < p_of(first, second)


def test_no_difference_and_none_that_is_defined_are_1() -> None:
    assert p_of([0.5] * 5, [0.5] * 5) == 1
    assert randomisation_p(np.array([np.nan, 0.1])) == 1
    assert randomisation_p(np.array([0.5, np.nan, 0.1, 0.2])) == 0.5  # an undefined one counts as far


def test_where_there_is_nothing_little_is_found() -> None:
    found = [p_of(*shifted(10, 0.0, seed)) <= 0.05 for seed in range(200)]
    assert sum(found) / 200 <= 0.1


def test_pseudovalues_of_a_mean_are_its_values_and_of_a_ratio_vary_as_it_does() -> None:
    source = random.Random(2)
    top, low = ([source.gauss(mean, 1) for _ in range(400)] for mean in (3, 9))
    weights = Jackknife([f"{i:03}" for i in range(400)])
    assert pseudovalues(weights.mean(top)) == pytest.approx(top)
    ratio = pseudovalues(weights.mean(top) / weights.mean(low))
    linear = (np.array(top) - np.mean(top) / np.mean(low) * np.array(low)) / np.mean(low)  # the delta method's
    assert np.var(ratio, ddof=1) == pytest.approx(np.var(linear, ddof=1), rel=0.01)
