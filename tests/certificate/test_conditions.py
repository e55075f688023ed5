"""One condition: pass, fail or not enough evidence, and the number of pairs that would do, against another library."""

from __future__ import annotations

import pytest
from counterbench.certificate.conditions import at_most, enough, pairs_to_pass, shown, together
from hypothesis import assume, given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from counterbench.scoring.scores import share


def low_end(rate: float, n: int) -> float:
    """Wilson's lower end at a rate that need not be whole hits of n, by statsmodels."""
    return float(proportion_confint(rate * n, n, alpha=0.05, method="wilson")[0])


@pytest.mark.parametrize(
    ("hits", "of", "bound", "verdict", "needed"),
    [
        (33, 33, 0.85, "pass", None),  # 0.896 to 1
        (33, 33, 0.895, "pass", None),
        (33, 33, 0.9, "not-enough-evidence", 35),
        (33, 33, 0.95, "not-enough-evidence", 73),
        (200, 200, 0.98, "pass", None),  # 0.981 to 1
        (90, 100, 0.85, "not-enough-evidence", 196),  # 0.826 to 0.945
        (85, 100, 0.85, "not-enough-evidence", None),  # at the bound itself no number is enough
        (80, 100, 0.85, "not-enough-evidence", None),  # 0.711 to 0.867
        (75, 100, 0.85, "fail", None),  # 0.657 to 0.825
        (0, 100, 0.05, "fail", None),
        (0, 1, 0.0, "pass", None),
        (0, 0, 0.5, "not-enough-evidence", None),
    ],
)
def test_verdicts_by_hand(hits: int, of: int, bound: float, verdict: str, needed: int | None) -> None:
    found = shown(share(hits, of), bound)
    assert (found.verdict, found.needed, found.bound) == (verdict, needed, bound)
    assert bool(found.reason) is (verdict != "pass")
    assert found.value == (hits / of if of else None)


@given(st.floats(0.01, 1), st.floats(0.01, 0.99))
def test_so_many_pairs_show_the_bound_and_one_fewer_do_not(rate: float, bound: float) -> None:
    needed = pairs_to_pass(rate, bound)
    if rate <= bound:
        assert needed is None
        return
    assert needed is not None
    assume(needed < 10**9)
    assert low_end(rate, needed) >= bound - 1e-9
    if needed > 1:
        assert low_end(rate, needed - 1) < bound + 1e-9


@given(st.integers(0, 300), st.integers(0, 300), st.floats(0, 0.99))
def test_a_verdict_is_what_the_interval_says(hits: int, more: int, bound: float) -> None:
    found = shown(share(hits, hits + more), bound)
    if hits + more == 0:
        assert found.verdict == "not-enough-evidence"
        return
    low, high = (float(x) for x in proportion_confint(hits, hits + more, alpha=0.05, method="wilson"))
    assume(min(abs(low - bound), abs(high - bound)) > 1e-9)
    expected = "pass" if low >= bound else "fail" if high < bound else "not-enough-evidence"
    assert found.verdict == expected
    if found.needed is not None:
        assert found.needed > hits + more
        assert "would show it" in found.reason


def test_least_pairs() -> None:
    assert enough(30, 30).verdict == "pass"
    few = enough(29, 30)
    assert (few.verdict, few.value, few.needed) == ("not-enough-evidence", 29, 30)
    assert "1 more" in few.reason


def test_most_of_an_outcome() -> None:
    assert at_most("refused", 2, 100, 0.02).verdict == "pass"
    many = at_most("refused", 3, 100, 0.02)
    assert (many.verdict, many.value, many.bound) == ("fail", 0.03, 0.02)
    assert many.reason == "3 of 100 questions refused, at most 2 % may be"
    assert at_most("failed", 0, 0, 0.0).value is None


def test_what_conditions_come_to() -> None:
    assert together([]) == together(["pass", "pass"]) == "pass"
    assert together(["pass", "not-enough-evidence"]) == "not-enough-evidence"
    assert together(["not-enough-evidence", "fail", "pass"]) == "fail"
