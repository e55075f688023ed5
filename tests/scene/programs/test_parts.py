"""Questions name the part that they mean, and the pixel reader understands them."""

from __future__ import annotations

import numpy as np
import pytest

from counterbench.drawing.render import render
from counterbench.judges.pixels.cannot import CannotRead
from counterbench.judges.pixels.things.clauses import read_claims
from counterbench.judges.pixels.things.reader import read_things
from counterbench.palette import COLOUR_RGB
from counterbench.scene.figures import Figure
from counterbench.scene.nouns import NOUNS
from counterbench.scene.programs.facts import Fact
from counterbench.scene.programs.named import Named
from counterbench.scene.programs.observations import ColourSeen, Facing
from counterbench.scene.scene import Scene


@pytest.mark.parametrize(
    ("noun", "asked"),
    [
        ("jar", "is the liquid in the jar red"),
        ("bottle", "is the liquid in the bottle red"),
        ("cup", "is the cup red"),
        ("thermometer", "is the column of the thermometer red"),
        ("flower", "are the petals of the flower red"),
        ("lamp", "is the shade of the lamp red"),
        ("signal", "is the light of the signal red"),
        ("ball", "is the ball red"),
    ],
)
def test_a_colour_is_asked_of_the_part_that_has_it(noun: str, asked: str) -> None:
    assert ColourSeen(Named(noun)).clause("red").question == asked


def test_where_a_part_points_it_is_named() -> None:
    assert Facing(Named("compass", "red")).clause("up").question == "does the arrow of the red compass point upwards"
    assert Facing(Named("flag", "red")).clause("up").question == "does the red flag fly upwards"


def test_the_pixel_reader_understands_every_part() -> None:
    for noun, what in NOUNS.items():
        if not what.part:
            continue
        seen = {"facing": "right"} if what.faces else {"quarters": 2} if what.fills else {}
        figure = Figure(id="f", noun=noun, colour="red", x=256, y=256, half_width=60, half_height=60, **seen)
        image = render(Scene(elements=(figure,)))
        for colour, wanted in (("red", "yes"), ("green", "no")):
            fact = Fact(ColourSeen(Named(noun)), colour)
            for text in fact.phrasings():
                (claim, *_) = read_claims(text)
                assert (claim.what, claim.things[0].noun, claim.value) == ("colour", noun, colour)
                assert read_things(image, text) == wanted


def test_a_part_that_nothing_has_is_not_understood() -> None:
    with pytest.raises(CannotRead, match="I do not understand"):
        read_claims("Is the handle of the cup red?")


def test_what_is_in_a_vessel_that_is_named_by_its_colour_has_another() -> None:
    """A green cup has a green handle: nobody can take the name for that of what is in it."""
    for noun in ("tank", "cup"):
        figure = Figure(id="f", noun=noun, colour="red", x=256, y=256, half_width=60, half_height=60, quarters=4)
        shown = np.asarray(render(Scene(elements=(figure,))))
        red, inside = (shown == COLOUR_RGB["red"]).all(axis=2), figure.interior
        assert red.any()
        assert not red[inside.top : inside.bottom, inside.left : inside.right].any()
