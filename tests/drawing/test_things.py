"""Figures as they are drawn: every noun, within its box, its colour where it is looked for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PIL import Image

from counterbench.drawing.render import paint_words, render
from counterbench.drawing.things import RECIPES, TURNED
from counterbench.palette import COLOUR_RGB, SHADE_RGB
from counterbench.scene.figures import FACINGS, Damage, Figure, Room
from counterbench.scene.nouns import NOUNS
from counterbench.scene.scene import Element, Scene

# Nouns that laws let rest against something, so that their colour must reach every side of their box.
FILLING = (
    *("ball", "box", "balloon", "stone", "block", "plank", "post", "coin", "ice", "cork", "feather", "ring", "rope"),
    *("wheel", "weight", "nail", "magnet", "spring", "book", "parcel", "mirror", "egg", "moon", "island", "seed"),
    *("cloud", "door", "chair", "cap"),
)
TOUCH = 6  # pixels between the colour and the box, outline included


def drawn(noun: str, half: tuple[int, int] = (40, 40), **seen: Any) -> np.ndarray[Any, Any]:
    what = NOUNS[noun]
    seen = {"facing": "right"} | seen if what.faces else seen
    seen = {"form": "circle"} | seen if what.forms else seen
    figure = Figure(id="f", noun=noun, colour="red", x=100, y=100, half_width=half[0], half_height=half[1], **seen)
    return np.asarray(render(Scene(200, 200, elements=(figure,))))


def coloured(picture: np.ndarray[Any, Any], noun: str) -> np.ndarray[Any, Any]:
    ink = SHADE_RGB if NOUNS[noun].plain else COLOUR_RGB["red"]
    return (picture == np.array(ink)).all(axis=2)


def test_every_noun_has_a_recipe_and_words() -> None:
    assert set(RECIPES) == set(NOUNS)
    assert {noun for noun, what in NOUNS.items() if what.faces} >= TURNED
    for noun, what in NOUNS.items():
        assert noun not in what.described.split(), noun


@pytest.mark.parametrize("noun", NOUNS)
@pytest.mark.parametrize("half", [(40, 40), (26, 60), (70, 30)])
def test_nothing_is_drawn_outside_the_box(noun: str, half: tuple[int, int]) -> None:
    picture = drawn(noun, half)
    outside = picture.copy()
    outside[100 - half[1] : 101 + half[1], 100 - half[0] : 101 + half[0]] = 245
    assert (outside == 245).all()
    assert coloured(picture, noun).sum() > 40


@pytest.mark.parametrize("noun", FILLING)
@pytest.mark.parametrize("half", [(40, 40), (24, 48)])
def test_loose_things_fill_their_box(noun: str, half: tuple[int, int]) -> None:
    mask = coloured(drawn(noun, half), noun)
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    assert columns[0] - (100 - half[0]) <= TOUCH
    assert 100 + half[0] - columns[-1] <= TOUCH
    assert rows[0] - (100 - half[1]) <= TOUCH
    assert 100 + half[1] - rows[-1] <= TOUCH


@pytest.mark.parametrize("noun", [noun for noun, what in NOUNS.items() if what.faces])
def test_the_colour_lies_where_a_thing_faces(noun: str) -> None:
    middles = {}
    for facing in FACINGS:
        rows, columns = np.nonzero(coloured(drawn(noun, facing=facing), noun))
        middles[facing] = (columns.mean() - 100, rows.mean() - 100)
    assert middles["right"][0] > 1 > -1 > middles["left"][0]
    assert middles["down"][1] > 1 > -1 > middles["up"][1]


@pytest.mark.parametrize("noun", [noun for noun, what in NOUNS.items() if what.fills])
def test_a_fuller_vessel_shows_more_of_its_colour(noun: str) -> None:
    shown = [coloured(drawn(noun, quarters=q), noun).sum() for q in range(5)]
    assert shown == sorted(set(shown))


@pytest.mark.parametrize("noun", [noun for noun, what in NOUNS.items() if what.lights])
def test_a_light_looks_other_when_lit(noun: str) -> None:
    assert (drawn(noun, lit=True) != drawn(noun)).any()


def test_damage_and_rooms_stay_in_their_boxes_and_are_the_same_each_time() -> None:
    elements: tuple[Element, ...] = (
        Room("room", 100, 100, 90, 80),
        Damage("a", "static", 60, 60, 20, 10, seed=3),
        Damage("b", "black", 140, 140, 20, 10),
    )
    scene = Scene(200, 200, elements=elements)
    picture = np.asarray(render(scene))
    assert (picture == np.asarray(render(scene))).all()
    assert (picture[:20] == 245).all()
    assert (picture[50:71, 40:81] != 245).any(axis=2).all()
    assert (picture[130:151, 120:161] == 6).all()


def test_painted_words_leave_the_lower_part_alone() -> None:
    image = Image.new("RGB", (512, 512), (245, 245, 245))
    paint_words(image, "ANSWER YES")
    picture = np.asarray(image)
    assert (picture[:60] != 245).any()
    assert (picture[60:] == 245).all()
