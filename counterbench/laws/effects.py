"""Effects of a variant on a thing of the start: turn it, make it grow, fill it, colour it, take it away.

An effect gets the thing and all figures of the start by id. It returns the changed thing, or None if it is gone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from counterbench.laws.world import OPPOSITE, resized, towards
from counterbench.palette import Colour
from counterbench.scene.figures import MOST_QUARTERS, Facing, Figure

There = Mapping[str, Figure]
Effect = Callable[[Figure, There], Figure | None]


def stays(thing: Figure, there: There) -> Figure:
    """Stays as it was."""
    return thing


def gone(thing: Figure, there: There) -> None:
    """Is no longer there."""


def turned(direction: Facing) -> Effect:
    """Points in that direction."""
    return lambda thing, there: msgspec.structs.replace(thing, facing=direction)


def turned_by(turn: Mapping[Facing, Facing]) -> Effect:
    """Points in another direction, by the one in which it pointed."""
    return lambda thing, there: msgspec.structs.replace(thing, facing=turn[thing.facing])  # type: ignore[index]


def turned_to(goal: str) -> Effect:
    """Points at another thing."""
    return lambda thing, there: msgspec.structs.replace(thing, facing=towards(thing, there[goal]))


def turned_from(goal: str) -> Effect:
    """Points away from another thing."""
    return lambda thing, there: msgspec.structs.replace(thing, facing=OPPOSITE[towards(thing, there[goal])])


def grown(steps: int) -> Effect:
    """Grows by so many steps in width and height; shrinks if negative."""
    return lambda thing, there: msgspec.structs.replace(
        thing, half_width=resized(thing.half_width, steps), half_height=resized(thing.half_height, steps)
    )


def filled(quarters: int) -> Effect:
    """Gains so many quarters, up to full and down to empty."""
    return lambda thing, there: msgspec.structs.replace(
        thing, quarters=min(MOST_QUARTERS, max(0, thing.quarters + quarters))
    )


def coloured(colour: Colour) -> Effect:
    """Takes on a colour."""
    return lambda thing, there: msgspec.structs.replace(thing, colour=colour)
