"""Wilson's interval against published values and against its formula written out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from sweeping import swept

from counterbench.stats.intervals import clopper_pearson, wilson

# Newcombe (1998), "Two-sided confidence intervals for the single proportion", Table I, method 3 (score, without
# continuity correction); and 0 of 10, 33 of 33: z² / (n + z²) and n / (n + z²), by hand.
PUBLISHED = [
    (81, 263, 0.2553, 0.3662),
    (15, 148, 0.0624, 0.1605),
    (0, 20, 0.0, 0.1611),
    (1, 29, 0.0061, 0.1718),
    (0, 10, 0.0, 0.2775),
    (33, 33, 0.8957, 1.0),
]


@swept(("hits", "total", "low", "high"), PUBLISHED)
def test_wilsons_interval_equals_published_values(hits: int, total: int, low: float, high: float) -> None:
    interval = wilson(hits, total)
    assert interval == pytest.approx((low, high), abs=5.1e-5)


@given(st.integers(0, 10**7), st.integers(1, 10**7), st.sampled_from([0.9, 0.95, 0.99]))
def test_wilsons_interval_equals_scipys_exactly(hits: int, total: int, confidence: float) -> None:
    hits %= total + 1
    expected = binomtest(hits, total).proportion_ci(confidence, "wilson")
    assert wilson(hits, total, confidence) == (expected.low, expected.high)


def test_the_exact_interval_equals_that_of_r() -> None:
    # ?binom.test: Conover (1971), 682 of 925 plants.
    assert clopper_pearson(682, 925) == pytest.approx((0.7076683, 0.7654066), abs=1e-7)
    assert clopper_pearson(0, 10) == pytest.approx((0, 0.3084971), abs=1e-7)
    assert clopper_pearson(0, 0) is wilson(0, 0) is None
