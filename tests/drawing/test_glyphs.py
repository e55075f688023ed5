"""No two nouns look alike: in the same colour and the same box, enough of their pixels differ."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

from counterbench.drawing.render import render
from counterbench.palette import SHAPES
from counterbench.scene.figures import FACINGS, MOST_QUARTERS, Figure
from counterbench.scene.nouns import NOUNS
from counterbench.scene.scene import Scene

SIDE = 128  # pixels
# Two nouns differ in at least this share of their box's pixels, by more than so much in some channel.
LEAST_SHARE = 0.04
CLEARLY = 60

Tile = np.ndarray[Any, Any]
Ways = dict[tuple[str, Any], Tile]


def drawn(noun: str, **seen: Any) -> Tile:
    """Every second pixel, both ways, of a noun alone."""
    half = (SIDE - 1) // 2
    figure = Figure(id="f", noun=noun, colour="red", x=half, y=half, half_width=half, half_height=half, **seen)
    return np.asarray(render(Scene(SIDE, SIDE, elements=(figure,))))[::2, ::2]


def ways(noun: str) -> Ways:
    """A noun in every way that it can be seen, by what is set."""
    what = NOUNS[noun]
    if what.faces:
        return {("facing", facing): drawn(noun, facing=facing) for facing in FACINGS}
    if what.forms:
        return {("form", form): drawn(noun, form=form) for form in SHAPES}
    if what.lights:
        return {("lit", lit): drawn(noun, lit=lit) for lit in (False, True)}
    if what.fills:
        return {("quarters", quarters): drawn(noun, quarters=quarters) for quarters in range(MOST_QUARTERS + 1)}
    return {("", ""): drawn(noun)}


def apart(one: Ways, other: Ways) -> float:
    """The least share of pixels that differ: in the same state where both have states of a kind, else in any two."""
    same = sorted(one.keys() & other.keys())
    pairs = [(one[way], other[way]) for way in same] or list(product(one.values(), other.values()))
    return min(float((np.maximum(a, b) - np.minimum(a, b) > CLEARLY).any(axis=2).mean()) for a, b in pairs)


@pytest.mark.slow
def test_no_two_nouns_look_alike() -> None:
    tiles = {noun: ways(noun) for noun in NOUNS}
    pairs = [(a, b) for a, b in combinations(NOUNS, 2)]
    near = {(a, b): share for a, b in pairs if (share := apart(tiles[a], tiles[b])) < LEAST_SHARE}
    assert not near
