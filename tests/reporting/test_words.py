"""Numbers in words."""

from __future__ import annotations

import doctest
import re
from importlib.resources import files

import pytest

from counterbench.reporting import words
from counterbench.scoring.scores import Share, share
from counterbench.scoring.scores import band as band_of
from counterbench.text import HIDDEN


def test_examples() -> None:
    assert doctest.testmod(words).failed == 0


@pytest.mark.parametrize(
    ("hits", "of", "band"), [(90, 100, "high"), (89, 100, "middle"), (70, 100, "middle"), (69, 100, "low")]
)
def test_bands_are_the_papers(hits: int, of: int, band: str) -> None:
    assert band_of(share(hits, of)) == band
    assert band in words.BANDS


def test_the_undefined_is_never_a_number() -> None:
    nothing = Share(None, None, None, 0, 0)
    assert (words.percent(nothing.value), words.interval(nothing), band_of(nothing)) == ("–", "", "")
    assert words.p_value(None) == "–"


@pytest.mark.parametrize(("p", "shown"), [(0.0004, "<\u00a00.001"), (0.04567, "0.046"), (1.0, "1.000")])
def test_p_values(p: float, shown: str) -> None:
    assert words.p_value(p) == shown


def test_hidden_signs_are_the_same_in_the_page_and_in_its_gallery() -> None:
    script = files("counterbench.reporting").joinpath("templates/gallery.js").read_text()
    (found,) = re.findall(r"const HIDDEN = /\[(.*)\]/gu;", script)
    assert re.sub(r"\\u\{(\w+)\}", lambda code: f"\\U{code[1]:>08}", found) == HIDDEN
