"""Effects of a variant on a thing of the start: turn it, make it grow, fill it, light it, colour it, take it away.

An effect is a function. It gets the thing, and all figures of the start by id. It returns the changed thing, or None if
the thing is gone. `stays`, `gone` and `shines` are effects; `turned`, `grown`, `filled` and others return one. The rest
of the functions help to write effects and starts: the direction of one thing from another, a slide until something
stops it, a changed size, places in rows.
"""

from collections.abc import Callable, Mapping, Sequence

from counterbench.palette import Colour
from counterbench.scene.figures import MAX_QUARTERS, FacingSide, Figure, Room
from counterbench.scene.geometry import Box

DIRECTIONS: dict[FacingSide, tuple[int, int]] = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
OPPOSITE: dict[FacingSide, FacingSide] = {"left": "right", "right": "left", "up": "down", "down": "up"}
CLOCKWISE: dict[FacingSide, FacingSide] = {"up": "right", "right": "down", "down": "left", "left": "up"}
ANTICLOCKWISE: dict[FacingSide, FacingSide] = {to: direction for direction, to in CLOCKWISE.items()}
# Each direction after a mirror that slants like the sign "/".
SLASH: dict[FacingSide, FacingSide] = {"right": "up", "up": "right", "left": "down", "down": "left"}

# One step of growth multiplies a size by 14/10, one step of shrinking by 10/14: a change that is seen at a glance.
_STEP = (14, 10)

# The figures of the start by id. The id is the role, or "role-1", "role-2" … for several figures in one role.
FiguresByRole = Mapping[str, Figure]
Effect = Callable[[Figure, FiguresByRole], Figure | None]


def stays(thing: Figure, things: FiguresByRole) -> Figure:
    """An effect: the thing stays as it was."""
    return thing


def gone(thing: Figure, things: FiguresByRole) -> None:
    """An effect: the thing is no longer there."""


def turned(direction: FacingSide) -> Effect:
    """The effect that makes a thing point in `direction`."""
    return lambda thing, things: thing.but(facing=direction)


def turned_by(turn: Mapping[FacingSide, FacingSide]) -> Effect:
    """The effect that turns a thing from the direction in which it points to the one that `turn` gives for it."""
    return lambda thing, things: thing.but(facing=turn[thing.facing])  # type: ignore[index]


def turned_to(goal: str) -> Effect:
    """The effect that makes a thing point at the figure with the id `goal`."""
    return lambda thing, things: thing.but(facing=towards(thing, things[goal]))


def turned_from(goal: str) -> Effect:
    """The effect that makes a thing point away from the figure with the id `goal`."""
    return lambda thing, things: thing.but(facing=OPPOSITE[towards(thing, things[goal])])


def grown(steps: int) -> Effect:
    """The effect that makes a thing grow by so many steps (see `resized`) both ways, or shrink if negative."""
    return lambda thing, things: thing.but(
        half_width=resized(thing.half_width, steps), half_height=resized(thing.half_height, steps)
    )


def filled(quarters: int) -> Effect:
    """The effect that adds so many quarters to a vessel, or takes them away if negative; it stops at empty and full."""
    return lambda thing, things: thing.but(quarters=min(MAX_QUARTERS, max(0, thing.quarters + quarters)))


def shines(thing: Figure, things: FiguresByRole) -> Figure:
    """An effect: the thing is lit."""
    return thing.but(lit=True)


def coloured(colour: Colour) -> Effect:
    """The effect that gives a thing another colour."""
    return lambda thing, things: thing.but(colour=colour)


def towards(start: Figure, goal: Figure) -> FacingSide:
    """The direction from one figure to another, along the axis on which they are farther apart."""
    dx, dy = goal.x - start.x, goal.y - start.y
    if abs(dx) > abs(dy):
        return "right" if dx > 0 else "left"
    return "down" if dy > 0 else "up"


def slide(thing: Figure, direction: FacingSide, room: Room, obstacles: Sequence[Figure] = ()) -> Figure:
    """`thing`, moved straight in `direction` until the next pixel would touch a wall of the room or an obstacle.

    A thing that touches the wall already stays where it is.
    """
    dx, dy = DIRECTIONS[direction]
    here, one_step_on = (
        Box.around(thing.x + x, thing.y + y, thing.half_width, thing.half_height) for x, y in ((0, 0), (dx, dy))
    )
    steps = 0
    if one_step_on.within(room.interior):
        back, front = _along(here, dx, dy)
        steps = _along(room.interior, dx, dy)[1] - front
        for other in (obstacle.box for obstacle in obstacles):
            near, far = _along(other, dx, dy)
            (low, high), (other_low, other_high) = (_along(box, abs(dy), abs(dx)) for box in (here, other))  # across
            touch = max(1, near - front)  # the first step at which it would touch
            if low <= other_high and other_low <= high and touch <= far - back:
                steps = min(steps, touch - 1)
    return thing.but(x=thing.x + dx * steps, y=thing.y + dy * steps)


def _along(box: Box, dx: int, dy: int) -> tuple[int, int]:
    """The back and the front edge of a box that moves along (dx, dy), in pixels.

    A motion to the left or up counts coordinates as negative, so that both edges always grow: a box from x = 10 to 20
    has the edges (10, 20) to the right, and (-20, -10) to the left.
    """
    low, high = (box.left, box.right) if dx else (box.top, box.bottom)
    return (low, high) if dx + dy > 0 else (-high, -low)


def resized(half: int, steps: int) -> int:
    """Half a length or size, in pixels, after so many steps of growth, or of shrinking if negative.

    >>> resized(50, 1), resized(50, -1)
    (70, 35)
    """
    large, small = _STEP
    for _ in range(abs(steps)):
        half = half * large // small if steps > 0 else half * small // large
    return half


def headed(vehicle: Figure, direction: FacingSide) -> Figure:
    """The vehicle with its front in `direction`, and its longer side along that direction."""
    wide, long = sorted((vehicle.half_width, vehicle.half_height))
    half_width, half_height = (long, wide) if direction in ("left", "right") else (wide, long)
    return vehicle.but(facing=direction, half_width=half_width, half_height=half_height)


def heads(pixels: int, direction: FacingSide) -> Effect:
    """The effect that turns a vehicle in a direction (see `headed`) and moves it so many pixels that way."""
    dx, dy = DIRECTIONS[direction]
    return lambda thing, things: headed(thing, direction).but(x=thing.x + dx * pixels, y=thing.y + dy * pixels)


def grid(left: int, top: int, pitch: int, count: int, across: int) -> list[tuple[int, int]]:
    """The (x, y) of `count` places, in rows of `across` from (left, top) on, `pitch` pixels apart both ways."""
    return [(left + pitch * (k % across), top + pitch * (k // across)) for k in range(count)]
