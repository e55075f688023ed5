"""Pairs, whose truths the program computes."""

import msgspec
import pytest
from scenery import built

from counterbench.errors import AmbiguousError, InputError
from counterbench.scene.interventions import Move, Recolour
from counterbench.scene.pairs import Pair
from counterbench.scene.programs.shapes import ColourOf, Count, Equals
from counterbench.scene.scene import Scene, Shape
from counterbench.scene.visibility import Description

SQUARE = Shape("a", "square", "pink", 100, 100, 30)
CIRCLE = Shape("b", "circle", "blue", 300, 300, 30)
SCENE = Scene(elements=(SQUARE, CIRCLE))


def test_both_truths_come_from_the_program_and_give_relevance():
    pair = built(SCENE, Recolour("a", "red"), ColourOf(Description(kind="square")))
    assert pair.answers == ("pink", "red")
    assert pair.relevant
    same = built(SCENE, Recolour("a", "red"), ColourOf(Description(kind="circle")))
    assert same.answers == ("blue", "blue")
    assert not same.relevant


def test_a_pair_survives_json():
    pair = built(SCENE, Move("a", 120, 130), Count("square"))
    assert msgspec.json.decode(msgspec.json.encode(pair), type=Pair) == pair
    assert pair.digests.original_scene == SCENE.digest


def test_an_ambiguous_truth_or_no_change_is_refused():
    with pytest.raises(AmbiguousError, match="match"):
        built(SCENE, Recolour("a", "red"), ColourOf(Description()))
    with pytest.raises(AmbiguousError, match="changes nothing"):
        built(SCENE, Recolour("a", "pink"), ColourOf(Description(kind="square")))


def test_an_imported_pair_has_no_scenes():
    pair = msgspec.structs.replace(built(SCENE, Move("a", 120, 130), Count()), original=None, intervened=None)
    with pytest.raises(InputError, match="imported"):
        _ = pair.scenes


def test_a_pair_has_an_open_or_a_yes_no_form() -> None:
    opened = built(SCENE, Recolour("a", "red"), Count("square", "pink"))
    assert (opened.form, opened.answer_type) == ("open", "integer")
    closed = built(SCENE, Recolour("a", "red"), Equals(Count("square", "pink"), "1"))
    assert (closed.form, closed.answer_type) == ("yes-no", "yes-no")
