"""The small physics that laws share: things that move until something stops them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from counterbench.figures import Facing, Figure, Room
from counterbench.geometry import Box

WAYS: dict[Facing, tuple[int, int]] = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
OPPOSITE: dict[Facing, Facing] = {"left": "right", "right": "left", "up": "down", "down": "up"}
CLOCKWISE: dict[Facing, Facing] = {"up": "right", "right": "down", "down": "left", "left": "up"}


def slide(thing: Figure, way: Facing, room: Room, obstacles: Sequence[Figure] = ()) -> Figure:
    """`thing`, moved that way until it touches a wall of the room or one of the obstacles."""
    inner, box = room.interior, thing.box
    dx, dy = WAYS[way]
    free = {
        "left": box.left - inner.left,
        "right": inner.right - box.right,
        "up": box.top - inner.top,
        "down": inner.bottom - box.bottom,
    }[way]
    for other in obstacles:
        gap = _gap_ahead(box, other.box, way)
        if gap is not None:
            free = min(free, gap)
    return msgspec.structs.replace(thing, x=thing.x + dx * free, y=thing.y + dy * free)


def _gap_ahead(box: Box, other: Box, way: Facing) -> int | None:
    """How many pixels are free between a box and another that lies ahead of it; None if it does not."""
    if way in ("left", "right"):
        if box.bottom < other.top or other.bottom < box.top:
            return None
        gap = other.left - box.right - 1 if way == "right" else box.left - other.right - 1
    else:
        if box.right < other.left or other.right < box.left:
            return None
        gap = other.top - box.bottom - 1 if way == "down" else box.top - other.bottom - 1
    return gap if gap >= 0 else None
