"""Names of colours and shapes never depend on taste: far apart to the eye, and every word means one thing."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from skimage.color import deltaE_ciede2000, rgb2lab

from counterbench.drawing.render import render
from counterbench.palette import (
    ARROW_RGB,
    BACKGROUND,
    BACKGROUND_SHADES,
    COLOUR_RGB,
    COLOUR_SYNONYMS,
    COLOURS,
    CONTAINER_RGB,
    LABEL_DARK_RGB,
    LABEL_LIGHT_RGB,
    OTHER_COLOURS,
    OTHER_SHAPES,
    OUTLINE_RGB,
    RGB,
    SHAPE_SYNONYMS,
    SHAPES,
    Colour,
)
from counterbench.scene.scene import Label, Scene, Shape

FAR = 20.0
INKS = {"outline": OUTLINE_RGB, "container": CONTAINER_RGB, "arrow": ARROW_RGB}


def apart(a: RGB, b: RGB) -> float:
    """CIEDE2000 difference of two sRGB colours."""
    lab = rgb2lab(np.array([[a, b]], dtype=np.float64) / 255)
    return float(deltaE_ciede2000(lab[0, 0], lab[0, 1]))


def test_the_measure_is_the_one_meant() -> None:
    assert apart((0, 0, 0), (255, 255, 255)) == pytest.approx(100, abs=0.1)
    assert apart((9, 9, 9), (9, 9, 9)) == 0


def test_eight_colours_and_four_shapes() -> None:
    assert len(COLOURS) == len(set(COLOURS)) == 8
    assert len(SHAPES) == len(set(SHAPES)) == 4
    assert tuple(COLOUR_RGB) == COLOURS
    assert len(set(COLOUR_RGB.values())) == 8
    assert all(0 <= channel <= 255 for rgb in COLOUR_RGB.values() for channel in rgb)


@pytest.mark.parametrize(("a", "b"), list(combinations(COLOURS, 2)))
def test_any_two_colours_are_far_apart(a: Colour, b: Colour) -> None:
    assert apart(COLOUR_RGB[a], COLOUR_RGB[b]) >= FAR


@pytest.mark.parametrize("shade", BACKGROUND_SHADES)
@pytest.mark.parametrize("colour", COLOURS)
def test_every_colour_is_far_from_every_background(colour: Colour, shade: int) -> None:
    assert apart(COLOUR_RGB[colour], (shade, shade, shade)) >= FAR


@pytest.mark.parametrize("ink", INKS)
@pytest.mark.parametrize("colour", COLOURS)
def test_every_colour_is_far_from_the_inks(colour: Colour, ink: str) -> None:
    assert apart(COLOUR_RGB[colour], INKS[ink]) >= FAR


@pytest.mark.parametrize("shade", BACKGROUND_SHADES)
@pytest.mark.parametrize("ink", INKS)
def test_the_inks_are_far_from_every_background(ink: str, shade: int) -> None:
    assert apart(INKS[ink], (shade, shade, shade)) >= FAR


@pytest.mark.parametrize("colour", COLOURS)
def test_the_letter_on_a_shape_is_far_from_its_fill(colour: Colour) -> None:
    scene = Scene(elements=(Shape("a", "square", colour, 256, 256, 60), Label("l", "I", "a", height=60)))
    ink = render(scene).getpixel((256, 256))
    assert ink in (LABEL_DARK_RGB, LABEL_LIGHT_RGB)
    assert apart(ink, COLOUR_RGB[colour]) >= 30


def test_the_default_background_is_one_of_the_shades_and_no_shade_repeats() -> None:
    assert BACKGROUND in BACKGROUND_SHADES
    assert len(set(BACKGROUND_SHADES)) == len(BACKGROUND_SHADES) >= 2
    assert all(0 <= shade <= 255 for shade in BACKGROUND_SHADES)


def test_no_letter_ink_is_a_background_or_a_fill() -> None:
    greys = {(s, s, s) for s in range(200, 256)}
    assert LABEL_LIGHT_RGB not in greys
    assert not {LABEL_DARK_RGB, LABEL_LIGHT_RGB} & set(COLOUR_RGB.values())


@pytest.mark.parametrize(
    ("ours", "synonyms", "others"),
    [(COLOURS, COLOUR_SYNONYMS, OTHER_COLOURS), (SHAPES, SHAPE_SYNONYMS, OTHER_SHAPES)],
    ids=["colours", "shapes"],
)
def test_every_word_means_one_thing(ours: tuple[str, ...], synonyms: dict[str, str], others: tuple[str, ...]) -> None:
    assert set(synonyms.values()) <= set(ours)
    assert not set(synonyms) & set(ours)
    assert not set(synonyms) & set(others)
    assert not set(others) & set(ours)
    assert len(set(others)) == len(others)
    for word in (*ours, *synonyms, *others):
        assert word == word.lower().strip()
        assert word.isalpha()


def test_no_word_is_both_a_colour_and_a_shape() -> None:
    colours = {*COLOURS, *COLOUR_SYNONYMS, *OTHER_COLOURS}
    shapes = {*SHAPES, *SHAPE_SYNONYMS, *OTHER_SHAPES}
    assert not colours & shapes


def test_the_usual_other_words_for_cyan_are_known() -> None:
    """They decided the paper's controls: all 14 wrong ones of one model are turquoise, teal or aqua."""
    assert {w for w, c in COLOUR_SYNONYMS.items() if c == "cyan"} >= {"turquoise", "teal", "aqua"}
