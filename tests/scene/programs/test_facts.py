"""Facts: when they hold, what they need, their words, which name the part that they mean, and how they are misread."""

import numpy as np
import pytest
from scenery import figure
from sweeping import swept

from counterbench.drawing.render import render
from counterbench.errors import AmbiguousError
from counterbench.judges.pixels import read_answer
from counterbench.judges.pixels.ink import CannotRead
from counterbench.judges.pixels.words import read_claim
from counterbench.palette import COLOUR_RGB
from counterbench.scene.figures import Damage, Figure, Room
from counterbench.scene.nouns import NOUNS
from counterbench.scene.programs.facts import Fact, Whole, observed
from counterbench.scene.programs.named import Named
from counterbench.scene.programs.observations import ColourSeen, Facing, Light, Number, Side, Slope, Where
from counterbench.scene.scene import Scene

BALL, LAMP = Named("ball", "red"), Named("lamp", "green")


ROOM = Room("room", 256, 256, 236, 236, 8)
SHOWN = Scene(elements=(ROOM, figure("ball", "red", 256, 464), figure("lamp", "green", 256, 200)))
FLOOR, LIT = Fact(Where(BALL), "floor"), Fact(Light(LAMP), "lit")


# Three red apples, and a leaf.
APPLES = Scene(
    elements=(
        *(figure("apple", "red", 60 + 90 * i, 100, id=f"a{i}") for i in range(3)),
        figure("leaf", "cyan", 100, 300),
    )
)


def test_a_fact_holds_if_its_value_is_observed_and_needs_a_clear_one() -> None:
    assert observed(Where(BALL), SHOWN) == FLOOR
    assert FLOOR.holds(SHOWN)
    assert (FLOOR.answer(SHOWN), LIT.answer(SHOWN)) == ("yes", "no")
    assert (FLOOR.skill, Whole().skill) == ("place", "integrity")
    twice = SHOWN.with_elements(*SHOWN.elements, figure("ball", "red", 100, 464, id="other"))
    with pytest.raises(AmbiguousError):
        FLOOR.holds(twice)


@swept("value", Where.values)
def test_facts_about_an_absent_thing_are_false_and_misread_by_agreeable(value: str) -> None:
    absent = Fact(Where(Named("box", "blue")), value)
    assert absent.answer(SHOWN) == "no"
    assert absent.misreadings(SHOWN) == {"agreeable": "yes"}
    assert absent.traits(SHOWN).keys() <= {"side"}


def test_an_absent_things_count_is_zero() -> None:
    none, single = (Fact(Number(Named("box", "blue")), value) for value in "01")
    assert (none.answer(SHOWN), single.answer(SHOWN)) == ("yes", "no")
    assert single.misreadings(SHOWN)["agreeable"] == "yes"
    assert "agreeable" not in none.misreadings(SHOWN)
    assert none.phrasings()[0] == "Is it true that there is no blue box to be seen?"


def test_uncountable_things_are_asked_about_as_some_or_none() -> None:
    """However many patches of oil are drawn: nobody can say that there is exactly one oil."""
    oil = [figure("oil", "blue", 100 + 200 * i, 100, id=f"o{i}") for i in range(2)]
    some, none = (Fact(Number(Named("oil", "blue")), value) for value in "10")
    for count, answers in ((0, ("no", "yes")), (1, ("yes", "no")), (2, ("yes", "no"))):
        scene = Scene(elements=tuple(oil[:count]))
        assert (some.answer(scene), none.answer(scene)) == answers
    assert some.phrasings()[:2] == ("Is there some blue oil?", "Is it true that there is some blue oil?")
    assert none.phrasings()[0] == "Is it true that there is no blue oil to be seen?"
    assert [noun for noun in ("oil", "water", "syrup", "tea", "salt", "ice") if not NOUNS[noun].mass] == []


def test_a_thing_on_a_mountain_is_at_its_top_or_foot() -> None:
    mountain, ice = Named("mountain", "red"), Named("ice", "blue")
    statements = {value: Slope(ice, mountain).clause(value).statement for value in Slope.values}
    assert statements["above"] == "the blue ice is at the top of the red mountain"
    assert statements["below"] == "the blue ice is at the foot of the red mountain"
    assert statements["left"] == "the blue ice is to the left of the red mountain"
    assert Slope(Named("tile"), Named("wedge")).clause("above").statement == "the tile is above the wedge"


def test_damage_makes_a_picture_not_whole() -> None:
    assert Whole().holds(SHOWN)
    assert not Whole().holds(SHOWN.with_elements(*SHOWN.elements, Damage("d", "black", 100, 100, 20, 20)))


def test_facts_are_asked_as_sentences() -> None:
    assert FLOOR.statement == "the red ball rests on the floor"
    questions = (
        "Does the red ball rest on the floor?",
        "Is it true that the red ball rests on the floor?",
        "In the picture, does the red ball rest on the floor?",
    )
    assert FLOOR.phrasings() == tuple(f"{text} If it cannot be seen, answer no." for text in questions)
    assert Fact(Number(Named("apple", "red")), "1").phrasings()[0] == "Is there exactly one red apple?"
    assert Fact(Number(Named("apple", "red")), "3").phrasings()[0] == "Are there exactly three red apples?"


def test_facts_are_miscounted_and_miscoloured_as_yes_no_questions() -> None:
    three, four = (Fact(Number(Named("apple", "red")), value) for value in "34")
    assert three.misreadings(APPLES) == {"off-by-one": "no", "off-by-minus-one": "no"}
    assert four.misreadings(APPLES) == {"off-by-one": "yes", "off-by-minus-one": "no"}
    blue = Fact(ColourSeen(Named("leaf")), "blue")
    assert blue.misreadings(APPLES) == {"colour-confusion": "yes"}
    assert Whole().misreadings(APPLES) == {}


def test_the_fault_left_right_misreads_a_side_where_either_is_true() -> None:
    scene = SHOWN.with_elements(*SHOWN.elements, figure("flag", "blue", 100, 100, facing="left"))
    left, right, up = (Fact(Facing(Named("flag")), value) for value in ("left", "right", "up"))
    assert [fact.misreadings(scene)["left-right"] for fact in (left, right, up)] == ["no", "yes", "no"]
    assert FLOOR.misreadings(SHOWN) == {}
    assert Fact(Side(Named("flag"), LAMP), "right").misreadings(scene) == {"left-right": "yes"}


def test_a_facts_traits_describe_its_thing() -> None:
    ball = {
        "size": "small",
        "column": "middle",
        "row": "bottom",
        "edge": "yes",
        "colour": "red",
        "side": "above or below",
    }
    lamp = {"size": "small", "column": "middle", "row": "middle", "colour": "green"}
    assert FLOOR.traits(SHOWN) == ball
    assert LIT.traits(SHOWN) == lamp
    assert Fact(Number(Named("apple", "red")), "3").traits(APPLES) == {"count": "3", "colour": "red"}
    assert Whole().traits(SHOWN) == {}
    damaged = SHOWN.with_elements(*SHOWN.elements, Damage("d", "black", 100, 300, 20, 20))
    assert Whole().traits(damaged) == {"column": "left", "row": "middle"}


@swept(
    ("noun", "question"),
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
def test_a_colour_question_names_the_coloured_part(noun: str, question: str) -> None:
    assert ColourSeen(Named(noun)).clause("red").question == question


def test_a_facing_question_names_the_part_that_points() -> None:
    assert Facing(Named("compass", "red")).clause("up").question == "does the arrow of the red compass point upwards"
    assert Facing(Named("flag", "red")).clause("up").question == "does the red flag fly upwards"


def test_the_pixel_reader_understands_every_part() -> None:
    for noun, what in NOUNS.items():
        if not what.part:
            continue
        state = {"facing": "right"} if what.faces else {"quarters": 2} if what.fills else {}
        part = Figure(id="f", noun=noun, colour="red", x=256, y=256, half_width=60, half_height=60, **state)
        image = render(Scene(elements=(part,)))
        for colour, wanted in (("red", "yes"), ("green", "no")):
            fact = Fact(ColourSeen(Named(noun)), colour)
            for text in fact.phrasings():
                claim = read_claim(text)
                assert (claim.kind, claim.things[0].noun, claim.value) == ("colour", noun, colour)
                assert read_answer(image, text) == wanted


def test_a_question_about_a_part_that_no_thing_has_is_not_understood() -> None:
    with pytest.raises(CannotRead, match="I do not understand"):
        read_claim("Is the handle of the cup red?")


def test_a_vessels_contents_never_have_the_colour_that_names_it() -> None:
    """A green cup has a green handle: nobody can take the name for that of what is in it."""
    for noun in ("tank", "cup"):
        vessel = Figure(id="f", noun=noun, colour="red", x=256, y=256, half_width=60, half_height=60, quarters=4)
        picture = np.asarray(render(Scene(elements=(vessel,))))
        red, inside = (picture == COLOUR_RGB["red"]).all(axis=2), vessel.interior
        assert red.any()
        assert not red[inside.top : inside.bottom, inside.left : inside.right].any()
