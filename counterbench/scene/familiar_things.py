"""Familiar things that have a usual number or order of parts, as elements of a scene. No pixels."""

from __future__ import annotations

import re
from typing import Annotated, Literal, get_args

import msgspec

from counterbench.errors import InputError, unknown
from counterbench.scene.geometry import BaseElement, Box, Half

FamiliarKind = Literal["die", "traffic light", "dog", "flag", "hand", "clock"]
FAMILIAR: tuple[FamiliarKind, ...] = get_args(FamiliarKind)
LOOKS = 4  # the number of ways to colour each thing
USUAL, ALTERED = "usual", "altered"  # the kinds of their pictures

# The parts that can be drawn, as a pattern of letters, one for each part. Of a die: three rows of three places, a pip
# or none at each. Of a traffic light: its lights from the top. Of a dog: hind, middle and front legs. Of a flag: red
# and white stripes from the top. Of a hand: the thumb and the other fingers. Of a clock: its numbers.
_PARTS: dict[FamiliarKind, str] = {
    "die": "[x.]{9}",
    "traffic light": "(?=.*r)(?=.*y)(?=.*g)[ryg]{3}",
    "dog": "h{1,3}m?f{1,3}",
    "flag": "(rw){5,8}r?",
    "hand": "tf{3,5}",
    "clock": "n{10,14}",
}


class Familiar(BaseElement, frozen=True, tag="familiar", omit_defaults=True):
    """A thing that people know, with the parts that it has here; it fills its box around (x, y)."""

    thing: FamiliarKind
    parts: str  # a letter for each part, see `_PARTS`
    x: int
    y: int
    half_width: Half
    half_height: Half
    look: Annotated[int, msgspec.Meta(ge=0, lt=LOOKS)] = 0  # its colours
    pose: Annotated[int, msgspec.Meta(ge=0, lt=720)] = 0  # of a clock: minutes after twelve; else of no effect
    flipped: bool = False  # left for right

    @property
    def box(self) -> Box:
        """The box that holds the whole drawing of this thing."""
        return Box.around(self.x, self.y, self.half_width, self.half_height)

    @property
    def count(self) -> int:
        """The number of drawn parts; a dot in `parts` is a place without one."""
        return len(self.parts.replace(".", ""))

    def check(self) -> None:
        """InputError unless a thing of this kind can be drawn with these parts."""
        if self.thing not in _PARTS:
            raise unknown("thing", self.thing, FAMILIAR, self.id)
        if not re.fullmatch(_PARTS[self.thing], self.parts):
            raise InputError(f"{self.id!r}: a {self.thing} cannot have the parts {self.parts!r}")
        if not (0 <= self.look < LOOKS and 0 <= self.pose < 720):
            raise InputError(f"{self.id!r}: look must be less than {LOOKS}, and pose less than 720 minutes")
