"""Names of colours and shapes never depend on taste: far apart to the eye, and every word means one thing."""

from itertools import combinations, product

import numpy as np
from skimage.color import deltaE_ciede2000, rgb2lab

from counterbench.drawing.render import render
from counterbench.palette import (
    ARROW_RGB,
    BACKGROUND,
    BACKGROUND_SHADES,
    COLOUR_RGB,
    COLOUR_SYNONYMS,
    COLOURS,
    CONFUSED_WITH,
    CONTAINER_RGB,
    LABEL_DARK_RGB,
    LABEL_LIGHT_RGB,
    OTHER_COLOURS,
    OTHER_SHAPES,
    OUTLINE_RGB,
    RGB,
    SHAPE_SYNONYMS,
    SHAPES,
)
from counterbench.scene.scene import Label, Scene, Shape

FAR = 20.0
INKS: tuple[RGB, ...] = (OUTLINE_RGB, CONTAINER_RGB, ARROW_RGB)


def ciede2000(a: RGB, b: RGB) -> float:
    """CIEDE2000 difference of two sRGB colours."""
    lab = rgb2lab(np.array([[a, b]], dtype=np.float64) / 255)
    return float(deltaE_ciede2000(lab[0, 0], lab[0, 1]))


def test_colours_inks_and_backgrounds_are_far_apart() -> None:
    colours = list(COLOUR_RGB.values())
    shades = [(shade, shade, shade) for shade in BACKGROUND_SHADES]
    pairs = [*combinations(colours, 2), *product(colours, shades), *product(colours, INKS), *product(INKS, shades)]
    near = [pair for pair in pairs if ciede2000(*pair) < FAR]
    assert not near


def test_the_letter_on_a_shape_is_far_from_its_fill() -> None:
    for colour in COLOURS:
        scene = Scene(128, 128, elements=(Shape("a", "square", colour, 64, 64, 60), Label("l", "I", "a", height=60)))
        ink = render(scene).getpixel((64, 64))
        assert ink in (LABEL_DARK_RGB, LABEL_LIGHT_RGB), colour
        assert ciede2000(ink, COLOUR_RGB[colour]) >= 30, colour


def test_the_default_background_is_a_shade_and_shades_are_unique() -> None:
    assert BACKGROUND in BACKGROUND_SHADES
    assert len(set(BACKGROUND_SHADES)) == len(BACKGROUND_SHADES) >= 2
    assert [shade for shade in BACKGROUND_SHADES if not 0 <= shade <= 255] == []


def test_no_letter_ink_is_a_background_or_a_fill() -> None:
    assert LABEL_LIGHT_RGB not in {(s, s, s) for s in range(200, 256)}
    assert not {LABEL_DARK_RGB, LABEL_LIGHT_RGB} & set(COLOUR_RGB.values())


def test_confused_colours_are_symmetric_pairs() -> None:
    assert set(CONFUSED_WITH) == set(COLOURS)
    for colour, other in CONFUSED_WITH.items():
        assert colour != other
        assert CONFUSED_WITH[other] == colour


def test_every_word_means_one_thing() -> None:
    words = [*COLOURS, *COLOUR_SYNONYMS, *OTHER_COLOURS, *SHAPES, *SHAPE_SYNONYMS, *OTHER_SHAPES]
    assert len(set(words)) == len(words)
    assert [word for word in words if not (word == word.lower().strip() and word.isalpha())] == []
    assert set(COLOUR_SYNONYMS.values()) <= set(COLOURS)
    assert set(SHAPE_SYNONYMS.values()) <= set(SHAPES)


def test_the_usual_other_words_for_cyan_are_known() -> None:
    """They decided the paper's controls: all 14 wrong ones of one model are turquoise, teal or aqua."""
    assert {w for w, c in COLOUR_SYNONYMS.items() if c == "cyan"} >= {"turquoise", "teal", "aqua"}
