"""Means over clusters: intervals by hand, as a bootstrap's where there are many, and how often they hold; the test."""

import math
import random
from collections.abc import Callable, Sequence
from itertools import chain, repeat

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from counterbench.stats.clusters import FEWEST, PSEUDO_PAIRED, Inference, Means, Series, counting_as
from counterbench.stats.intervals import Estimate

Ends = tuple[float, float]
EVERYTHING = (-math.inf, math.inf)


def mean(column: Sequence[float | None], clusters: Sequence[str] = ()) -> Estimate:
    over = Means(clusters or [f"{i:03}" for i in range(len(column))])
    return over.infer([column], lambda s: s, ((0,), (1,)), (0, 1)).interval()


def ratio(above: Series, below: Series) -> Series:
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Series = above / np.sqrt(below)
    return found


def rate(above: Sequence[float | None], below: Sequence[float | None], clusters: Sequence[str]) -> Estimate:
    return Means(clusters).infer([above, below], ratio, ((0, 1), (1, 0.5)), (0, math.inf)).interval()


def ends(found: Estimate) -> Ends:
    return found.low, found.high


def test_means_and_intervals_equal_those_by_hand() -> None:
    # Twelve laws of two groups, half right in each: with half a law that is all wrong the mean is 6 / 12.5.
    low, _ = ends(mean([1.0, 0.0] * 12, [f"{i // 2:02}" for i in range(24)]))
    variance = (12 * 0.02**2 + 0.5 * 0.48**2) / (12.5 * 11.5)
    assert low == pytest.approx(0.48 - stats.t.ppf(0.975, 11) * math.sqrt(variance))


@pytest.mark.parametrize("groups", [1, 2, 10])
def test_clusters_of_equal_units_get_one_pseudo_cluster(groups: int) -> None:
    low, high = ends(mean([1.0] * 20 * groups, [f"{i // groups:02}" for i in range(20 * groups)]))
    variance = (20 * (1 / 21) ** 2 + (20 / 21) ** 2) / (21 * 20)
    assert low == pytest.approx(20 / 21 - stats.t.ppf(0.975, 19) * math.sqrt(variance))
    assert high == 1


def laws_of(sizes: Sequence[int]) -> list[str]:
    return [f"{law:03}" for law, size in enumerate(sizes) for _ in range(size)]


def test_clusters_of_unequal_sizes_count_as_fewer() -> None:
    # Kish's effective sample size; 35 laws of sizes as 1/rank count as 11, too few for an interval.
    ranked = [round(1000 / rank) for rank in range(1, 36)]
    assert counting_as(ranked) == pytest.approx(sum(ranked) ** 2 / sum(size**2 for size in ranked))
    assert counting_as(ranked) == pytest.approx(10.7, abs=0.1)
    values: list[float | None] = [0.0, 1.0] * (sum(ranked) // 2 + 1)
    assert mean(values[: sum(ranked)], laws_of(ranked)).low is None
    # t has the freedom of so many laws, and the error is wider by 1/√(1 − Σw²), by hand with pseudo-laws of half a law.
    sizes = [20] * 10 + [2] * 20
    names, column = laws_of(sizes), [float(i % 2) for i in range(240)]
    n = 240**2 / (10 * 400 + 20 * 4)
    pseudo = 0.5 * 240 / n
    centre = 120 / (240 + pseudo)
    squares = sum((size * (0.5 - centre)) ** 2 for size in sizes) + (pseudo * centre) ** 2 / 0.5
    error = math.sqrt(squares * (n + 0.5) / (n - 0.5)) / (240 + pseudo)
    assert ends(mean(column, names))[0] == pytest.approx(centre - stats.t.ppf(0.975, n - 1) * error)


@pytest.mark.parametrize("laws", [12, 35, 200])
def test_an_interval_has_a_width_even_if_all_agree(laws: int) -> None:
    clusters = [f"{i:03}" for i in range(laws)] * 2
    for share, beyond in ((1.0, mean([1.0] * 2 * laws, clusters).low), (0.0, mean([0.0] * 2 * laws, clusters).high)):
        assert 1 / (4 * laws) < abs(share - beyond) < 4 / laws


def test_an_interval_of_many_clusters_equals_a_bootstraps() -> None:
    # The second of two columns is of clusters of one to four groups, and a rate is no mean.
    source = np.random.default_rng(3)
    sizes = source.integers(1, 5, 800)
    laws = [source.beta(3, 2, 2) for _ in sizes]
    below = [[min(1.0, law[0] + source.random() / 5) for _ in range(n)] for law, n in zip(laws, sizes, strict=True)]
    above = [[law[1] * value for value in values] for law, values in zip(laws, below, strict=True)]
    clusters = list(chain(*(repeat(f"{i:03}", n) for i, n in enumerate(sizes))))
    sums = np.array([[sum(values), sum(under), len(values)] for values, under in zip(above, below, strict=True)])
    drawn = sums[source.integers(0, 800, (5000, 800))].sum(axis=1)
    theirs = np.quantile((drawn[:, 0] / drawn[:, 2]) / np.sqrt(drawn[:, 1] / drawn[:, 2]), [0.025, 0.975])
    ours = rate(list(chain(*above)), list(chain(*below)), clusters)
    assert ends(ours) == pytest.approx(tuple(theirs), abs=0.003)
    assert ours.value == pytest.approx(sums[:, 0].sum() / np.sqrt(sums[:, 1].sum() * sums[:, 2].sum()))


def test_copies_within_a_cluster_add_no_evidence() -> None:
    source = random.Random(3)
    doubled = [value for value in (source.random() for _ in range(30)) for _ in range(2)]
    clusters = [f"{i // 2:02}" for i in range(60)]
    names = [name for name in clusters for _ in range(2)]
    assert ends(mean(doubled, clusters)) == pytest.approx(ends(mean([v for v in doubled for _ in range(2)], names)))


def test_the_order_of_groups_changes_nothing() -> None:
    pairs = [(f"{i % 15}", i % 4 / 3) for i in range(60)]
    forward, reverse = (mean([value for _, value in part], [name for name, _ in part]) for part in (pairs, pairs[::-1]))
    assert ends(forward) == pytest.approx(ends(reverse), abs=1e-14)


def test_a_rate_is_never_below_0_and_undefined_without_a_denominator() -> None:
    clusters = [f"{i // 3:02}" for i in range(36)]
    nearly = [0.0] * 35 + [0.2]
    assert ends(rate(nearly, [1.0] * 36, clusters))[0] == 0
    assert rate(nearly, [0.0] * 36, clusters) == Estimate(None, None, None)
    assert mean([None] * 36, clusters) == Estimate(None, None, None)


def test_few_clusters_give_no_interval_however_many_groups_they_have() -> None:
    names = [f"{i:02}" for i in range(FEWEST)] * 5
    values: list[float | None] = [0.0, 1.0, 1.0] * (len(names) // 3)
    lone = mean([None if name == "00" else value for name, value in zip(names, values, strict=True)], names)
    assert (lone.value is None, lone.low, lone.high) == (False, None, None)
    assert mean(values, names).low is not None


def inference(pairs: Sequence[tuple[float, float]], rates: bool = False) -> Inference:
    """Of the difference of two models' means, or of their rates, of clusters of two groups."""
    below = [0.5 + (i % 3) / 6 for i in range(len(pairs))]
    first, second = ([pair[i] for pair in pairs] for i in (0, 1))
    over = Means([f"{i // 2:02}" for i in range(len(pairs))])
    if rates:
        compute: Callable[..., Series] = lambda a, b, c, d: ratio(a, b) - ratio(c, d)  # noqa: E731
        return over.infer([first, below, second, below[::-1]], compute, ((0, 1, 1, 0.5), (1, 0.5, 0, 1)), EVERYTHING)
    return over.infer([first, second], lambda a, b: a - b, ((0, 1), (1, 0)), (-1, 1), PSEUDO_PAIRED)


SHARES = st.floats(0, 1, width=16)


@given(
    st.lists(st.tuples(SHARES, SHARES), min_size=24, max_size=60),
    st.booleans(),
    st.floats(-1.2, 1.2),
    st.floats(0.001, 0.5),
)
def test_the_interval_holds_exactly_the_values_that_the_test_does_not_reject(
    pairs: list[tuple[float, float]], rates: bool, truth: float, level: float
) -> None:
    found = inference(pairs, rates)
    low, high = ends(found.interval(level))
    p = found.p(truth)
    if abs(p - level) > 1e-9:  # at an end itself the last digit decides
        assert (p <= level) == (not low <= truth <= high)
    assert found.p(found.value or 0.0) == 1


def test_the_p_of_a_difference_equals_that_by_hand() -> None:
    # Twelve laws of which the first model passes all, the second none; a quarter of a law says the contrary.
    found = inference([(1.0, 0.0)] * 24)
    centre, weight = (12 - 0.25) / 12.25, 0.25
    error = math.sqrt((12 * (1 - centre) ** 2 + weight * (1 + centre) ** 2) / (12.25 * 11.25))
    assert found.p() == pytest.approx(2 * stats.t.sf(centre / error, 11))
    assert (found.p(1.0), found.p(1.01)) == (1, 0)  # no difference is above 1


def test_a_missing_value_or_few_clusters_give_no_p() -> None:
    assert inference([(1.0, 0.0)] * 22).p() is None
    assert Inference(None, 40).p() is None
    assert inference([(0.5, 0.5)] * 24).p() == 1


def shares_held(n: int, units: int, share: float, runs: int) -> tuple[float, float, float]:
    """How often the intervals of a level, a rate and a difference hold, of laws that differ, or of single pictures."""
    source = np.random.default_rng([n, round(1000 * share)])
    over, held = Means([f"{i:03}" for i in range(n) for _ in range(units)]), np.zeros(3)

    def drawn(chance: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        laws = np.full(n, chance) if units == 1 else source.beta(2 * chance, 2 - 2 * chance, n)
        return (source.random((n, units)) < laws[:, None]).astype(float).ravel()

    less: Callable[..., Series] = lambda first, second: first - second  # noqa: E731
    for _ in range(runs):
        level, below, other = drawn(share), drawn(0.9), drawn(share)
        found = (
            (over.infer([level.tolist()], lambda s: s, ((0,), (1,)), (0, 1)), share),
            (
                over.infer([level.tolist(), below.tolist()], ratio, ((0, 1), (1, 0)), (0, math.inf)),
                share / math.sqrt(0.9),
            ),
            (over.infer([level.tolist(), other.tolist()], less, ((0, 1), (1, 0)), (-1, 1), PSEUDO_PAIRED), 0),
        )
        held += [ends(inferred.interval())[0] <= truth <= ends(inferred.interval())[1] for inferred, truth in found]
    return tuple(held / runs)


def test_intervals_cover_a_share_near_1() -> None:
    # 400 simulations: by chance ± 0.022. A bootstrap covers 0.62 to 0.87 here.
    assert min(shares_held(12, 10, 0.98, 400)) >= 0.94


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.98, 0.95, 0.9, 0.5, 0.1, 0.03])
@pytest.mark.parametrize(("n", "units"), [(12, 10), (35, 10), (200, 1), (12, 1), (35, 1)])
def test_intervals_cover_any_share(n: int, units: int, share: float) -> None:
    assert min(shares_held(n, units, share, 1500)) >= 0.94


FIFTH = [30] * 7 + [3] * 28


def held_and_rejected(sizes: Sequence[int], share: float, is_whole: bool) -> tuple[float, float]:
    """How often a level's interval holds, and how often the test tells two models of the same share apart."""
    runs = 1500
    source, over = np.random.default_rng([len(sizes), sum(sizes)]), Means(laws_of(sizes))

    def drawn() -> list[float]:
        laws = len(sizes)
        chance = source.binomial(1, share, laws) if is_whole else source.beta(2 * share, 2 - 2 * share, laws)
        found: list[float] = (source.random(sum(sizes)) < np.repeat(chance, sizes)).astype(float).tolist()
        return found

    held = told_apart = 0
    for _ in range(runs):
        first, second = drawn(), drawn()
        low, high = ends(over.infer([first], lambda s: s, ((0,), (1,)), (0, 1)).interval())
        held += low <= share <= high
        p = over.infer([first, second], lambda a, b: a - b, ((0, 1), (1, 0)), (-1, 1), PSEUDO_PAIRED).p()
        told_apart += p is not None and p <= 0.05
    return held / runs, told_apart / runs


@pytest.mark.slow
@pytest.mark.parametrize("is_whole", [True, False])
@pytest.mark.parametrize("share", [0.95, 0.9, 0.8, 0.5])
@pytest.mark.parametrize("sizes", [[10] * 12, [10] * 35, FIFTH, [30] * 20 + [3] * 80], ids=["12", "35", "35u", "100u"])
def test_levels_hold_for_all_kinds_of_clusters(sizes: list[int], share: float, is_whole: bool) -> None:
    held, told_apart = held_and_rejected(sizes, share, is_whole)
    assert held >= 0.94
    assert told_apart <= 0.065
