"""Laws of electromagnetism, against tables worked out by hand."""

from __future__ import annotations

import pytest

from counterbench.laws.electromagnetism import Circuits, Compasses, Poles
from counterbench.laws.outcomes import facts, outcome


def _values(law: Circuits | Compasses | Poles, variant: str) -> tuple[str, ...]:
    subject, around = facts(law, law.setting(3, 0), variant)
    return tuple(fact.value for fact in (*subject, *around))


# The subject lies above the magnet, left of its middle; its companion below, right of its middle; the cork on the left.
@pytest.mark.parametrize(
    ("variant", "subject", "companion"),
    [
        ("near-end", "left", "right"),
        ("far-end", "right", "left"),
        ("lower-edge", "below", "below"),
        ("upper-edge", "above", "above"),
        ("across", "below", "above"),
        ("none", "above", "below"),
    ],
)
def test_where_iron_clings(variant: str, subject: str, companion: str) -> None:
    assert _values(Poles(), variant) == (subject, companion, "left")


@pytest.mark.parametrize("variant", ["near-end", "far-end", "lower-edge", "upper-edge", "across"])
def test_iron_that_a_magnet_holds_lies_against_it(variant: str) -> None:
    law = Poles()
    for index in range(20):
        magnet, _, *iron = outcome(law, law.setting(0, index), variant).figures
        assert all(piece.box.grown(1).touches(magnet.box) for piece in iron)
        assert not any(piece.box.touches(magnet.box) for piece in iron)


# Short and whole, short and cut, long and whole, long and cut.
@pytest.mark.parametrize(
    ("variant", "lights"),
    [
        ("closed", ("lit", "dark", "lit", "dark")),
        ("cut", ("dark", "lit", "dark", "lit")),
        ("leaping", ("lit", "lit", "lit", "lit")),
        ("dead", ("dark", "dark", "dark", "dark")),
        ("short", ("lit", "lit", "dark", "dark")),
        ("long", ("dark", "dark", "lit", "lit")),
    ],
)
def test_which_lights_shine(variant: str, lights: tuple[str, ...]) -> None:
    assert _values(Circuits(), variant) == (*lights, "4")


def test_two_of_the_four_loops_have_one_more_piece_of_wire_because_they_are_cut() -> None:
    law = Circuits()
    scene = outcome(law, law.setting(3, 0), "closed")
    wires = [figure.id for figure in scene.figures if figure.noun == "wire"]
    assert [sum(wire.startswith(f"wire-{loop}-") for wire in wires) for loop in (1, 2, 3, 4)] == [4, 5, 4, 5]


# From left to right: sun, subject, mountain, companion; both were set to the right; the sign points left.
@pytest.mark.parametrize(
    ("variant", "subject", "companion"),
    [
        ("north", "up", "up"),
        ("mountain", "right", "left"),
        ("shun", "left", "right"),
        ("sun", "left", "left"),
        ("as-put", "right", "right"),
        ("south", "down", "down"),
    ],
)
def test_where_compasses_point(variant: str, subject: str, companion: str) -> None:
    assert _values(Compasses(), variant) == (subject, companion, "left")
