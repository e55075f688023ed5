"""Diamonds: two thirds as wide as high, but in suites and scenes from before: there, squares turned by 45 degrees."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from counterbench.drawing.render import render
from counterbench.errors import InputError
from counterbench.judges.pixels.reader import read_answer
from counterbench.palette import COLOUR_RGB, OUTLINE_RGB
from counterbench.scene.scene import Scene, Shape
from counterbench.suites.suite import Suite, load_suite
from counterbench.verification.verify import _suite_of


def diamonds(suite: Suite) -> set[bool]:
    shapes = [s for i in suite.positions(160) for scene in suite[i].scenes for s in scene.shapes if s.kind == "diamond"]
    assert len(shapes) > 50
    return {shape.slim for shape in shapes}


def test_every_suite_has_slim_diamonds_but_that_of_the_paper() -> None:
    assert diamonds(load_suite("certify")) == {True}
    assert diamonds(load_suite("counterbench-550")) == {False}


def test_the_papers_suite_is_what_it_was() -> None:
    suite = load_suite("counterbench-550")
    assert suite.digest == "dfb9a04dbdead5bc4332e657f95e4c13"
    assert "diamonds" not in suite.definition["canvas"]


def test_a_definition_that_names_no_diamonds_has_square_ones() -> None:
    named = load_suite("smoke").definition
    before = named | {"canvas": {key: value for key, value in named["canvas"].items() if key != "diamonds"}}
    suites = [_suite_of(definition, "suite.json") for definition in (before, named)]
    assert [suite and suite.canvas.diamonds for suite in suites] == ["square", "slim"]


def test_a_shape_that_is_not_slim_is_written_as_ever() -> None:
    shape = Shape("d", "diamond", "red", 50, 60, 20)
    assert msgspec.json.encode(shape) == (
        b'{"type":"shape","id":"d","kind":"diamond","colour":"red","x":50,"y":60,"size":20}'
    )
    slim = msgspec.structs.replace(shape, slim=True)
    assert msgspec.json.decode(msgspec.json.encode(slim), type=Shape) == slim
    with pytest.raises(InputError, match="only a diamond can be slim, not a circle"):
        Scene(elements=(Shape("c", "circle", "red", 50, 60, 20, slim=True),))


@pytest.mark.parametrize("size", [8, 17, 30, 61, 90])
def test_a_slim_diamond_is_drawn_where_its_geometry_is(size: int) -> None:
    shape = Shape("d", "diamond", "red", 256, 256, size, slim=True)
    assert tuple(shape.box) == (256 - 2 * size // 3, 256 - size, 256 + 2 * size // 3, 256 + size)
    picture = np.asarray(render(Scene(elements=(shape,))))
    inked = (picture != 245).any(axis=2)
    rows, columns = np.flatnonzero(inked.any(axis=1)), np.flatnonzero(inked.any(axis=0))
    assert (columns[0], rows[0], columns[-1], rows[-1]) == tuple(shape.box)
    assert (picture == picture[:, ::-1][:, [-1, *range(511)]]).all(), "it is symmetric"
    pure = (picture == COLOUR_RGB["red"]).all(axis=2) | (picture == OUTLINE_RGB).all(axis=2)
    for y, x in np.argwhere(pure)[:: max(1, size // 10)]:
        assert shape.contains((int(x), int(y)))
    assert not shape.contains((256 + 2 * size // 3, 256 + size // 2))
    assert shape.meets((0, 256), (511, 256))
    assert not shape.meets((256 + size * 2 // 3 + 1, 0), (256 + size * 2 // 3 + 1, 511))


@pytest.mark.parametrize("slim", [True, False])
@pytest.mark.parametrize("size", [9, 10, 16, 25, 33, 48, 77])
def test_the_pixel_reader_reads_both(slim: bool, size: int) -> None:
    scene = Scene(
        elements=(
            Shape("d", "diamond", "green", 150, 200, size, slim=slim),
            Shape("s", "square", "blue", 350, 300, size),
        )
    )
    assert read_answer(render(scene), "What color is the diamond?") == "green"
    assert read_answer(render(scene), "How many diamonds are there in the picture?") == "1"
    assert read_answer(render(scene), "Is the green diamond to the left of the blue square?") == "yes"
