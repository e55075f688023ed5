"""What damage befalls: only kinds that a person sees on such a thing."""

from __future__ import annotations

from typing import Any

import pytest

from counterbench.laws.damage import spoilt
from counterbench.scene.figures import Damage, Figure
from counterbench.scene.nouns import NOUNS
from counterbench.scene.scene import Scene
from counterbench.scene.seeds import Stream


def kinds_on(noun: str, half: int, **more: Any) -> set[str]:
    """The kinds of damage that befall a thing among others."""
    one = Figure(id="one", noun=noun, colour="red", x=256, y=256, half_width=half, half_height=half, **more)
    seen = set()
    for turn in range(60):
        scene = spoilt(Scene(elements=(one,)), Stream("damage", turn))
        assert scene is not None
        seen |= {e.kind for e in scene.elements if isinstance(e, Damage)}
    return seen


@pytest.mark.parametrize("noun", [noun for noun, what in NOUNS.items() if what.holds])
def test_what_is_hollow_is_neither_cut_nor_in_blocks(noun: str) -> None:
    """A wall is as thin as a line: of one in blocks a grey strip would be left."""
    assert kinds_on(noun, 60, **({"quarters": 0} if NOUNS[noun].fills else {})) == {"blur", "doubled", "melted", "seam"}


def test_what_is_not_has_every_kind() -> None:
    assert kinds_on("box", 60) == {"blocks", "blur", "cut", "doubled", "melted", "seam"}
