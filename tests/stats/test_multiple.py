"""Adjusted p-values against R's and against the procedures written out."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from counterbench.stats.multiple import benjamini_hochberg, holm

P_VALUES = st.lists(st.floats(0, 1), max_size=30)


def test_published_values() -> None:
    # The documentation of stdlib's padjust, which follows R's p.adjust.
    assert holm([0.319, 0.201, 0.4, 0.374, 0.113]) == pytest.approx([0.957, 0.804, 0.957, 0.957, 0.565])
    assert benjamini_hochberg([0.319, 0.201, 0.4, 0.374, 0.113]) == pytest.approx([0.4] * 5)
    assert benjamini_hochberg([0.008, 0.03, 0.123, 0.6, 0.2]) == pytest.approx([0.04, 0.075, 0.205, 0.6, 0.25])


def test_benjamini_and_hochberg_s_own_example() -> None:
    # Their paper (1995), section 3.2: of 15 p-values four are rejected at 5 % by the FDR, three by Bonferroni and Holm.
    p = [
        0.0001,
        0.0004,
        0.0019,
        0.0095,
        0.0201,
        0.0278,
        0.0298,
        0.0344,
        0.0459,
        0.324,
        0.4262,
        0.5719,
        0.6528,
        0.759,
        1,
    ]
    assert sum(q <= 0.05 for q in benjamini_hochberg(p)) == 4
    assert sum(q <= 0.05 for q in holm(p)) == 3


@given(P_VALUES)
def test_the_procedures_written_out(p_values: list[float]) -> None:
    n = len(p_values)
    holms, rates = holm(p_values), benjamini_hochberg(p_values)
    rank = {i: k for k, i in enumerate(sorted(range(n), key=lambda i: p_values[i]))}
    for i in range(n):
        below = [j for j in range(n) if rank[j] <= rank[i]]
        above = [j for j in range(n) if rank[j] >= rank[i]]
        stepped = max(min(1.0, (n - rank[j]) * p_values[j]) for j in below)
        false_rate = min(min(1.0, n * p_values[j] / (rank[j] + 1)) for j in above)
        assert holms[i] == pytest.approx(stepped, abs=1e-12)
        assert rates[i] == pytest.approx(false_rate, abs=1e-12)


@given(P_VALUES)
def test_holm_is_never_below_benjamini_hochberg_nor_that_below_p(p_values: list[float]) -> None:
    for p, h, bh in zip(p_values, holm(p_values), benjamini_hochberg(p_values), strict=True):
        assert p - 1e-12 <= bh <= h + 1e-12 <= 1 + 2e-12


@settings(max_examples=10)  # statsmodels' Holm collects garbage in every call
@given(P_VALUES.filter(bool))
def test_holm_as_in_statsmodels(p_values: list[float]) -> None:
    assert holm(p_values) == pytest.approx(list(multipletests(p_values, method="holm")[1]), abs=1e-12)


def test_one_alone_is_not_adjusted() -> None:
    assert holm([0.03]) == benjamini_hochberg([0.03]) == [0.03]


def test_none_at_all() -> None:
    assert holm([]) == benjamini_hochberg([]) == []


@pytest.mark.parametrize("p", [-0.01, 1.01, math.nan])
def test_what_is_no_p_value_is_refused(p: float) -> None:
    with pytest.raises(ValueError, match="p-value"):
        holm([0.5, p])
    with pytest.raises(ValueError, match="p-value"):
        benjamini_hochberg([p])
