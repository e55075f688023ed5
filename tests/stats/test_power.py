"""Power and sample size against another tool's values and against every outcome counted one by one."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterbench.stats.paired import mcnemar_exact
from counterbench.stats.power import mcnemar_power, pairs_needed, times_needed

RATES = st.tuples(st.floats(0.01, 0.45), st.floats(0.01, 0.45))


def test_power_as_in_pwrss() -> None:
    # R package pwrss, power.exact.mcnemar(prob10 = 0.20, prob01 = 0.10, method = "exact"), its own tests (there checked
    # against G*Power and PASS): power for 100 pairs, and the pairs for 80 %, with their power.
    assert mcnemar_power(100, 0.20, 0.10) == pytest.approx(0.373077084, abs=1e-8)
    assert mcnemar_power(249, 0.20, 0.10) == pytest.approx(0.801446921, abs=1e-8)
    assert pairs_needed(0.20, 0.10) == 249


@pytest.mark.parametrize("pairs", [1, 5, 6, 9, 20])
@pytest.mark.parametrize(("first", "second"), [(0.3, 0.1), (0.5, 0.5), (0.9, 0.0), (0.05, 0.4), (0.2, 0.2)])
def test_power_is_the_probability_of_the_tables_that_reject(pairs: int, first: float, second: float) -> None:
    # Every table, with its trinomial probability and its own p.
    total = 0.0
    for a in range(pairs + 1):
        for b in range(pairs + 1 - a):
            ways = math.comb(pairs, a) * math.comb(pairs - a, b)
            chance = ways * first**a * second**b * max(0.0, 1 - first - second) ** (pairs - a - b)
            total += chance * (mcnemar_exact(a, b) <= 0.05)
    assert mcnemar_power(pairs, first, second) == pytest.approx(total, abs=1e-9)


@settings(max_examples=30)
@given(RATES.filter(lambda rates: abs(rates[0] - rates[1]) > 0.02), st.sampled_from([0.5, 0.8, 0.9]))
def test_the_pairs_needed_are_just_enough(rates: tuple[float, float], power: float) -> None:
    needed = pairs_needed(*rates, power=power)
    assert needed is not None
    assert mcnemar_power(needed, *rates) >= power > mcnemar_power(needed - 1, *rates)


def test_no_difference_is_never_found() -> None:
    assert pairs_needed(0.1, 0.1) is None
    assert pairs_needed(0.0, 0.0) is None
    assert mcnemar_power(1000, 0, 0) == 0
    assert mcnemar_power(0, 0.3, 0.1) == 0


def test_a_tiny_difference_is_worked_out_too() -> None:
    # By Connor's (1987) normal approximation 177,034 pairs; the exact test needs a little more.
    first, second = 0.103, 0.1
    needed = pairs_needed(first, second)
    connor = (1.959964 * math.sqrt(0.203) + 0.841621 * math.sqrt(0.203 - 9e-6)) ** 2 / 9e-6
    assert needed is not None
    assert connor < needed < 1.01 * connor


def test_a_number_that_nobody_draws_is_not_looked_for() -> None:
    assert pairs_needed(0.1, 0.1000001) is None
    assert pairs_needed(0.02, 0.021) is not None


# ---- means


def test_times_needed_as_a_table_of_sample_sizes_has_it() -> None:
    # Of a normal test at 5 %, two-sided, for an effect of half a standard deviation: 31.4 items (statsmodels agrees).
    from statsmodels.stats.power import normal_sample_size_one_tail

    found = times_needed(0.5, 1.0)
    assert found == pytest.approx(31.395, abs=1e-3)
    assert found == pytest.approx(float(normal_sample_size_one_tail(0.5, 0.8, 0.025)))
    assert times_needed(-0.5, 1.0) == found
    assert times_needed(0.0, 1.0) is None
