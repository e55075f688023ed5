"""Numbers in words."""

from __future__ import annotations

import doctest

import pytest

from counterbench.report import words
from counterbench.scores import Share, share


def test_examples() -> None:
    assert doctest.testmod(words).failed == 0


@pytest.mark.parametrize(
    ("hits", "of", "band"), [(90, 100, "high"), (89, 100, "middle"), (70, 100, "middle"), (69, 100, "low")]
)
def test_bands_are_the_papers(hits: int, of: int, band: str) -> None:
    assert words.band(share(hits, of)) == band
    assert band in words.BANDS


def test_the_undefined_is_never_a_number() -> None:
    nothing = Share(None, None, None, 0, 0)
    assert (words.percent(nothing.value), words.interval(nothing), words.band(nothing)) == ("–", "", "")
    assert words.p_value(None) == "–"


@pytest.mark.parametrize(("p", "shown"), [(0.0004, "< 0.001"), (0.04567, "0.046"), (1.0, "1.000")])
def test_p_values(p: float, shown: str) -> None:
    assert words.p_value(p) == shown
