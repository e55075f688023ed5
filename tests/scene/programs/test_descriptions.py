"""Descriptions: the one shape that they mean, and how they read."""

import pytest
from strategies import PLACES

from counterbench.errors import AmbiguousError
from counterbench.palette import COLOURS
from counterbench.scene.scene import Scene, Shape
from counterbench.scene.visibility import Description, ExtremeTrait, find


def test_each_described_place_means_its_own_shape() -> None:
    at = ((60, 250, 40), (450, 260, 40), (250, 60, 40), (255, 450, 40), (255, 250, 60), (330, 330, 20))
    shapes = [Shape(f"s{i}", "circle", COLOURS[i], *p) for i, p in enumerate(at)]
    for order in (shapes, shapes[::-1]):
        scene = Scene(elements=tuple(order))
        for index, place in enumerate(PLACES):
            assert find(scene, Description(kind="circle", place=place)).id == f"s{index}", place


def test_a_superlative_needs_a_clear_margin() -> None:
    """Six per cent of the side to the next, and its edge ahead too; five quarters of the next one's width and area."""

    def found(place: ExtremeTrait, *shapes: tuple[str, int, int]) -> str:
        made = (Shape(f"s{i}", kind, "red", x, 60 + 100 * i, size) for i, (kind, x, size) in enumerate(shapes))
        try:
            return find(Scene(500, 500, elements=tuple(made)), Description(place=place)).id
        except AmbiguousError:
            return "unclear"

    assert found("leftmost", ("circle", 100, 20), ("circle", 130, 20)) == "s0"
    assert found("leftmost", ("circle", 100, 20), ("circle", 129, 20)) == "unclear"
    assert found("leftmost", ("circle", 100, 20), ("circle", 130, 51)) == "unclear"  # its edge lies further left
    assert found("largest", ("circle", 100, 50), ("circle", 300, 40)) == "s0"
    assert found("largest", ("circle", 100, 49), ("circle", 300, 40)) == "unclear"
    assert found("smallest", ("circle", 100, 50), ("circle", 300, 40)) == "s1"
    assert found("largest", ("diamond", 100, 50), ("square", 300, 40)) == "unclear"  # wider, and of less area
    assert found("largest", ("circle", 100, 50)) == "s0"  # alone
    assert found("largest", ("square", 100, 40), ("triangle", 300, 30)) == "s0"


def test_a_description_of_no_or_several_shapes_is_ambiguous() -> None:
    scene = Scene(elements=(Shape("a", "circle", "red", 100, 100, 30), Shape("b", "circle", "blue", 300, 300, 30)))
    assert find(scene, Description(colour="red")).id == "a"
    for description, count in ((Description(kind="circle"), 2), (Description(kind="square"), 0)):
        with pytest.raises(AmbiguousError, match=f"{count} visible shapes match"):
            find(scene, description)


def test_descriptions_read_like_english() -> None:
    assert Description().noun == "shape"
    assert Description(kind="circle", colour="red", place="largest").noun == "largest red circle"
    assert Description(kind="square", colour="blue", letter="B").noun == "blue square labeled B"
    assert Description(letter="A").definite == "shape A"
    assert Description(letter="A", kind="square").definite == "the square (labeled A)"
