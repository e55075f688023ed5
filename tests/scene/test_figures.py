"""Figures: what a noun cannot have is refused."""

from __future__ import annotations

from typing import Any

import pytest

from counterbench.errors import InputError
from counterbench.scene.figures import Figure
from counterbench.scene.scene import Scene


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"noun": "unicorn"}, "noun 'unicorn'"),
        ({"noun": "ball", "facing": "left"}, "cannot face"),
        ({"noun": "flag"}, "must face"),
        ({"noun": "ball", "lit": True}, "cannot be lit"),
        ({"noun": "ball", "quarters": 2}, "cannot be filled"),
        ({"noun": "ball", "form": "square"}, "cannot have a form"),
        ({"noun": "crystal"}, "must have a form"),
        ({"noun": "tank", "quarters": 5}, "quarters must be 0 to 4"),
        ({"noun": "tank", "quarters": -1}, "quarters must be 0 to 4"),
        ({"noun": "ball", "colour": "brown"}, "colour 'brown'"),
        ({"noun": "ball", "half_height": 5}, "at least 6"),
        ({"noun": "ball", "x": 5}, "outside the canvas"),
    ],
)
def test_figures_are_checked(wrong: dict[str, Any], message: str) -> None:
    given = {"id": "f", "colour": "red", "x": 256, "y": 256, "half_width": 20, "half_height": 20, **wrong}
    with pytest.raises(InputError, match=message):
        Scene(512, 512, elements=(Figure(**given),))
