"""Base of the elements of a scene. No pixels."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Self

import msgspec

from counterbench.errors import InputError
from counterbench.scene.geometry import Box

MIN_HALF = 6
Half = Annotated[int, msgspec.Meta(ge=MIN_HALF)]


class BaseElement(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """Base of the elements; `id` is unique in its scene."""

    # Fields that hold a place, across and down the scene.
    across: ClassVar[tuple[str, ...]] = ("x",)
    down: ClassVar[tuple[str, ...]] = ("y",)
    id: str

    def check(self) -> None:
        """InputError unless all values are in range. For elements made in code: JSON is checked by its types."""

    def but(self, **fields: Any) -> Self:
        """This element with other values in these fields."""
        return msgspec.structs.replace(self, **fields)

    def places(self, dx: int, dy: int) -> dict[str, int]:
        """The fields that hold a place, with the values that they have after a shift."""
        moved = {field: getattr(self, field) + dx for field in self.across}
        return moved | {field: getattr(self, field) + dy for field in self.down}

    def check_least(self, least: int, *fields: str) -> None:
        """InputError if one of these fields is smaller than `least`."""
        for field in fields:
            if getattr(self, field) < least:
                value = getattr(self, field)
                raise InputError(f"element {self.id!r}: {field} must be at least {least}, not {value}")


class BaseFrame(BaseElement, frozen=True):
    """Base of rectangular frames: (x, y) is the middle, the walls lie inside the box of half_width and half_height."""

    x: int
    y: int
    half_width: Half
    half_height: Half
    wall: Annotated[int, msgspec.Meta(ge=1)] = 6

    @property
    def box(self) -> Box:
        """The outer edge of the walls."""
        return Box.around(self.x, self.y, self.half_width, self.half_height)

    @property
    def interior(self) -> Box:
        """The space inside the walls."""
        return self.box.grown(-self.wall)

    def check(self) -> None:
        """See `BaseElement`."""
        self.check_least(MIN_HALF, "half_width", "half_height")
        self.check_least(1, "wall")
