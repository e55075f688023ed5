"""Diamonds: two thirds as wide as high, but in suites and scenes from before: there, squares turned by 45 degrees."""

from __future__ import annotations

import numpy as np
import pytest

from counterbench.drawing.render import render
from counterbench.palette import COLOUR_RGB, OUTLINE_RGB
from counterbench.scene.scene import Scene, Shape
from counterbench.suites.suite import Suite, load_suite


def diamonds(suite: Suite) -> set[bool]:
    shapes = [s for i in suite.positions(160) for scene in suite[i].scenes for s in scene.shapes if s.kind == "diamond"]
    assert len(shapes) > 50
    return {shape.slim for shape in shapes}


def test_every_suite_has_slim_diamonds_but_that_of_the_paper() -> None:
    assert diamonds(load_suite("certify")) == {True}
    assert diamonds(load_suite("counterbench-550")) == {False}


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
