"""Adjusted p-values against published ones, statsmodels', and the procedure written out."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from counterbench.stats.multiple import holm

P_VALUES = st.lists(st.floats(0, 1), max_size=30)


def test_published_values() -> None:
    # The documentation of stdlib's padjust, which follows R's p.adjust.
    assert holm([0.319, 0.201, 0.4, 0.374, 0.113]) == pytest.approx([0.957, 0.804, 0.957, 0.957, 0.565])


@given(P_VALUES)
def test_the_procedure_written_out(p_values: list[float]) -> None:
    n = len(p_values)
    rank = {i: k for k, i in enumerate(sorted(range(n), key=lambda i: p_values[i]))}
    for i, found in enumerate(holm(p_values)):
        below = [j for j in range(n) if rank[j] <= rank[i]]
        assert found == pytest.approx(max(min(1.0, (n - rank[j]) * p_values[j]) for j in below), abs=1e-12)


@pytest.mark.slow
@settings(max_examples=5)  # statsmodels' Holm collects garbage in every call
@given(P_VALUES.filter(bool))
def test_as_in_statsmodels(p_values: list[float]) -> None:
    assert holm(p_values) == pytest.approx(list(multipletests(p_values, method="holm")[1]), abs=1e-12)


def test_one_alone_is_not_adjusted_and_none_is_none() -> None:
    assert holm([0.03]) == [0.03]
    assert holm([]) == []
