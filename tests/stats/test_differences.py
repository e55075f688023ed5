"""The mean of differences by betting: its promises, computed exactly, and numbers that stay."""

import doctest
import itertools
import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterbench.stats import differences
from counterbench.stats.differences import BETS, Differences, as_one, changed_since, log_evidence, mean, together

COUNTS = st.builds(Differences, st.integers(0, 60), st.integers(0, 60), st.integers(0, 400))
BOUNDS = st.floats(-0.9, 0.9)
# Chances that only the new judge is right, and that only the old one is.
CELLS = st.tuples(st.floats(0.01, 0.49), st.floats(0.01, 0.49))


def counted(differences: tuple[int, ...]) -> Differences:
    return Differences(differences.count(1), differences.count(-1), differences.count(0))


def mean_evidence(cells: list[tuple[float, float]], bound: float) -> float:
    """Of the e-value after one pair of each cell, over all outcomes."""
    total = 0.0
    for outcome in itertools.product((1, -1, 0), repeat=len(cells)):
        chance = math.prod({1: up, -1: down, 0: 1 - up - down}[d] for d, (up, down) in zip(outcome, cells, strict=True))
        total += chance * math.exp(log_evidence(counted(outcome), bound))
    return total


@given(st.lists(COUNTS, min_size=1, max_size=5))
def test_an_interval_without_a_shown_change_contains_zero(looks: list[Differences]) -> None:
    interval = mean(together(looks), 0.02)
    assert (interval.low or 0) <= 0 <= (interval.high or 0) or changed_since(looks, 0.04) is not None


@given(CELLS, st.integers(1, 5))
def test_the_expected_evidence_at_the_bound_is_one(cell: tuple[float, float], pairs: int) -> None:
    assert mean_evidence([cell] * pairs, cell[0] - cell[1]) == pytest.approx(1)


@given(st.lists(CELLS, min_size=2, max_size=5))
def test_the_expected_evidence_of_unlike_cells_at_the_bound_is_at_most_one(cells: list[tuple[float, float]]) -> None:
    bound = sum(up - down for up, down in cells) / len(cells)
    assert mean_evidence(cells, bound) <= 1 + 1e-9


@given(st.lists(st.sampled_from((1, -1, 0)), max_size=40), BOUNDS)
def test_evidence_equals_a_gamblers_wealth_in_any_order(differences: list[int], bound: float) -> None:
    money = sum(math.prod(1 - b + b * (1 + d) / (1 + bound) for d in differences) for b in BETS) / len(BETS)
    assert math.exp(log_evidence(counted(tuple(differences)), bound)) == pytest.approx(money, rel=1e-9)


@given(COUNTS, st.floats(0.001, 0.2))
def test_swapping_old_and_new_negates_the_interval(counts: Differences, level: float) -> None:
    forward, backward = mean(counts, level), mean(counts.turned, level)
    assert (forward.low, forward.high) == (pytest.approx(-(backward.high or 0)), pytest.approx(-(backward.low or 0)))
    assert -1 <= (forward.low or 0) <= (forward.high or 0) <= 1


@given(COUNTS, st.floats(0.001, 0.2), st.integers(2, 5))
def test_more_pairs_in_the_same_shares_narrow_the_interval(counts: Differences, level: float, factor: int) -> None:
    few, many = mean(counts, level), mean(counts.times(factor), level)
    assert (many.low or 0) >= (few.low or 0) - 1e-9
    assert (many.high or 0) <= (few.high or 0) + 1e-9


@pytest.mark.slow
@settings(max_examples=20)
@given(CELLS)
def test_looking_after_every_pair_keeps_the_error_rate(cell: tuple[float, float]) -> None:
    """Computed exactly, over the counts that are not yet refuted, for 40 pairs."""
    level, true = 0.2, cell[0] - cell[1]
    alive, missed = {(0, 0): 1.0}, 0.0
    for pairs in range(1, 41):
        after: dict[tuple[int, int], float] = {}
        for (up, down), chance in alive.items():
            for at, part in (((up + 1, down), cell[0]), ((up, down + 1), cell[1]), ((up, down), 1 - sum(cell))):
                after[at] = after.get(at, 0) + chance * part
        for up, down in list(after):
            counts = Differences(up, down, pairs - up - down)
            if max(log_evidence(counts, true), log_evidence(counts.turned, -true)) >= -math.log(level / 2):
                missed += after.pop((up, down))
        alive = after
    assert missed <= level


@pytest.mark.parametrize(
    ("counts", "low", "high"),
    [
        (Differences(0, 0, 137), -0.056, 0.056),
        (Differences(6, 31, 203), -0.1859, -0.0336),
        (Differences(15, 15, 500), -0.033, 0.033),
    ],
)
def test_intervals_equal_those_by_a_search_over_all_means(counts: Differences, low: float, high: float) -> None:
    found = mean(counts, 0.04)
    assert (found.low, found.high) == (pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))


def test_the_examples_in_docstrings_hold() -> None:
    assert doctest.testmod(differences).failed == 0


def looks(chance: random.Random, old: float, new: float, at: int, count: int = 52) -> list[Differences]:
    """A judge beside its first replies, 16 pairs a look; from look `at` on it is right as often as `new`."""
    found = []
    for look in range(count):
        pairs = [(chance.random() < (new if look >= at else old)) - (chance.random() < old) for _ in range(16)]
        found.append(Differences(pairs.count(1), pairs.count(-1), pairs.count(0)))
    return found


def first_alarm(by_look: list[Differences]) -> int | None:
    return next((k for k in range(len(by_look)) if changed_since(by_look[: k + 1], 0.045) is not None), None)


@pytest.mark.slow
def test_a_year_of_weekly_looks_seldom_has_a_false_alarm() -> None:
    chance = random.Random(33)
    assert sum(first_alarm(looks(chance, 0.95, 0.95, 0)) is not None for _ in range(100)) <= 8  # 5 %, mostly less


@pytest.mark.parametrize("at", [0, 20])
def test_a_late_change_is_found_and_dated(at: int) -> None:
    by_look = looks(random.Random(at), 0.97, 0.7, at)
    alarm = first_alarm(by_look)
    assert at <= alarm < at + 8
    since = changed_since(by_look[: alarm + 1], 0.045)
    assert abs(since - at) <= 2


def test_a_change_is_not_shown_without_a_look() -> None:
    assert changed_since([], 0.05) is None


def looks_of(chance: random.Random, alike: int, lost: float = 0.0) -> list[Differences]:
    """52 looks at 16 pairs, today and at first right on 90 %; so many pairs of a look err alike, each time anew."""
    looks = []
    for _ in range(52):
        changes = [(chance.random() < 0.9 - lost) - (chance.random() < 0.9) for _ in range(16 // alike)]
        looks.append(Differences(*(alike * changes.count(sign) for sign in (1, -1, 0))))
    return looks


def test_looks_counted_as_units_keep_the_error_rate_for_grouped_errors() -> None:
    """In groups of four, counted by pairs, far more than 5 % of judges that stay are called changed in a year."""
    chance, by_pair, by_look, found = random.Random(46), 0, 0, 0
    for _ in range(100):
        looks = looks_of(chance, 4)
        by_pair += changed_since(looks, 0.05) is not None
        by_look += changed_since([as_one(look) for look in looks], 0.05) is not None
        found += changed_since([as_one(look) for look in looks_of(chance, 4, 0.2)], 0.05) is not None
    assert by_pair > 15
    assert by_look <= 8
    assert found > 80
