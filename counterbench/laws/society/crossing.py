"""Society, traffic: vehicles at a red light."""

from counterbench.laws.base import MIDDLE, Elements, Law, Role, Setting, Variant, by_noun
from counterbench.laws.effects import DIRECTIONS, Effect, FiguresByRole, headed, stays
from counterbench.scene.figures import FacingSide, Figure
from counterbench.scene.programs.observations import Light, Side


def _leaves(direction: FacingSide) -> Effect:
    """The effect that makes a vehicle leave the crossing by the road in `direction`.

    It stands as far from the middle as it stood before, and as far off the middle line of its road.
    """
    dx, dy = DIRECTIONS[direction]

    def effect(vehicle: Figure, things: FiguresByRole) -> Figure:
        """The vehicle on that road."""
        far, aside = abs(vehicle.x - MIDDLE), vehicle.y - MIDDLE
        x, y = MIDDLE + dx * far + (aside if dy else 0), MIDDLE + dy * far + (aside if dx else 0)
        return headed(vehicle, direction).but(x=x, y=y)

    return effect


class Crossing(Law):
    title = "At a red light traffic waits"
    branch = "traffic"
    roles = by_noun(subject="car", companion="bus", signal=Role(("signal",), ("red",)), fixed="lantern", corner="block")
    variants = (
        Variant(
            "wait",
            rule="a red light means stop, and all traffic waits where it is until the light turns green",
            brief="a red light means stop, and all traffic waits where it is",
            outcome="The {subject} still waits to the left of the {signal}, and the {companion} still waits to the "
            "right of it.",
            does=stays,
        ),
        Variant(
            "go",
            depth="two steps",
            rule="the colours of traffic lights have changed places: what tells our drivers to stop tells theirs to "
            "drive straight on, and what tells ours to go tells theirs to stop",
            brief="what tells our drivers to stop tells theirs to drive straight on",
            outcome="The {subject} has crossed and is now to the right of the {signal}; the {companion} has crossed "
            "and is now to the left of it.",
            does={"subject": _leaves("right"), "companion": _leaves("left")},
        ),
        Variant(
            "own-left",
            depth="two steps",
            rule="a red light means that every driver must turn off to the left-hand side, as the driver sees it",
            brief="at a red light drivers turn off to their own left-hand side",
            outcome="The {subject} has turned off into the upper road, above the {signal}, and the {companion} into "
            "the lower road, below it.",
            does={"subject": _leaves("up"), "companion": _leaves("down")},
        ),
        Variant(
            "north",
            rule="a traffic light that tells drivers to stop sends everybody off to the north, wherever they came from",
            brief="a traffic light that says stop sends everybody off to the north",
            outcome="The {subject} and the {companion} have both turned off into the upper road and are above the "
            "{signal}.",
            does=_leaves("up"),
        ),
        Variant(
            "size",
            depth="two steps",
            rule="a red light lets long vehicles drive straight on and sends short ones off to the south",
            brief="red lights let long vehicles go straight, send short ones south",
            outcome="The {companion} has crossed and is now to the left of the {signal}; the {subject} has turned off "
            "into the lower road, below it.",
            does={"subject": _leaves("down"), "companion": _leaves("left")},
        ),
        Variant(
            "first-come",
            depth="two steps",
            rule="whoever came first to a red light drives straight on, and whoever came later turns off to the north",
            brief="whoever reached a red light first drives straight on, others turn north",
            outcome="The {subject} has crossed and is now to the right of the {signal}; the {companion} has turned "
            "off into the upper road, above it.",
            does={"subject": _leaves("right"), "companion": _leaves("up")},
        ),
    )
    starts = (
        "A crossing of two wide roads on a map, north at the top, with {a_signal} in the very middle that has shown "
        "red to everybody for a long time. First {a_subject} came from the left, then {a_companion} came from the "
        "right. At the corner on the lower right stands {a_fixed} that is lit day and night.",
        "Two wide roads cross, seen like a map with north at the top. In the centre hangs {a_signal}, and its red "
        "light shines on all four roads and does not change. {A_subject} reached the crossing first, from the left; "
        "{a_companion} reached it later, from the right. {A_fixed} on the lower right corner always shines.",
    )
    short = (
        "Map of a crossing: at {a_signal}, {a_subject} came first, from west; {a_companion} later, from east; "
        "{a_fixed} shines."
    )
    finish = "Show the crossing some time later, while the light is still red."
    numbers = {"far": (150, 185), "car": (32, 36), "bus": (46, 52)}
    subject = ((Side, "subject", "signal"),)
    surroundings = ((Side, "companion", "signal"), (Light, "fixed"))

    def start(self, setting: Setting) -> Elements:
        """The crossing, with the car on the left and the bus on the right, both waiting at the red light."""
        n, corners = setting.numbers, ((128, 128), (384, 128), (128, 384))
        return (
            setting.figure("signal", 256, 256, 30, 42),
            setting.figure("fixed", 384, 384, 44, 50, lit=True),
            *(setting.figure("corner", x, y, 50, 50, id=f"corner-{k}") for k, (x, y) in enumerate(corners)),
            setting.figure("subject", MIDDLE - n["far"], MIDDLE + 32, n["car"], 26, facing="right"),
            setting.figure("companion", MIDDLE + n["far"], MIDDLE - 32, n["bus"], 26, facing="left"),
        )
