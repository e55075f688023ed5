"""Pairs, whose truths the program computes."""

import msgspec
import pytest
from scenery import built

from counterbench.errors import AmbiguousError, InputError
from counterbench.scene.interventions import Move, Recolour
from counterbench.scene.programs.shapes import ColourOf, Count
from counterbench.scene.scene import Scene, Shape
from counterbench.scene.visibility import Description

SQUARE = Shape("a", "square", "pink", 100, 100, 30)
CIRCLE = Shape("b", "circle", "blue", 300, 300, 30)
SCENE = Scene(elements=(SQUARE, CIRCLE))


def test_an_ambiguous_truth_or_no_change_is_refused():
    with pytest.raises(AmbiguousError, match="match"):
        built(SCENE, Recolour("a", "red"), ColourOf(Description()))
    with pytest.raises(AmbiguousError, match="changes nothing"):
        built(SCENE, Recolour("a", "pink"), ColourOf(Description(kind="square")))


def test_an_imported_pair_has_no_scenes():
    pair = msgspec.structs.replace(built(SCENE, Move("a", 120, 130), Count()), original=None, intervened=None)
    with pytest.raises(InputError, match="imported"):
        _ = pair.scenes
