"""Physics, optics: on which side of a thing its shadow lies."""

from counterbench.laws.base import Elements, FigureTuple, Law, Setting, Variant, by_noun
from counterbench.laws.effects import DIRECTIONS
from counterbench.scene.figures import FacingSide
from counterbench.scene.programs.observations import Facing, Light, Side


class Shadows(Law):
    title = "Shadows lie away from the light"
    branch = "optics"
    roles = by_noun(subject="shadow", thing="box book parcel", companion="sundial", light="lamp lantern")
    variants = (
        Variant(
            "away",
            rule="shadows fall on the side that is turned away from the light",
            brief="shadows fall on the side away from the light",
            outcome="The {subject} lies to the right of the {thing}, and the {companion} points to the right.",
            does=("right", "right"),
        ),
        Variant(
            "towards",
            depth="two steps",
            rule="shadows fall on the side that is turned towards the light",
            brief="shadows fall on the side towards the light",
            outcome="The {subject} lies to the left of the {thing}, and the {companion} points to the left.",
            does=("left", "left"),
        ),
        Variant(
            "rising",
            rule="shadows are lighter than air, and rise like smoke from whatever casts them",
            brief="shadows rise like smoke from whatever casts them",
            outcome="The {subject} lies above the {thing}, and the {companion} points upwards.",
            does=("up", "up"),
        ),
        Variant(
            "sinking",
            rule="shadows are heavy, and sink like stones from whatever casts them",
            brief="shadows sink like stones from whatever casts them",
            outcome="The {subject} lies below the {thing}, and the {companion} points downwards.",
            does=("down", "down"),
        ),
        Variant(
            "rods-rise",
            depth="two steps",
            rule="solid bodies cast their shadows towards the light, and the shadows of thin rods rise like smoke",
            brief="bodies cast shadows towards the light; the shadows of rods rise",
            outcome="The {subject} lies to the left of the {thing}, and the {companion} points upwards.",
            does=("left", "up"),
        ),
        Variant(
            "turned",
            depth="two steps",
            rule="the shadow of a solid body lies a quarter turn clockwise from the way that the light shines, and "
            "that of a thin rod a quarter turn anticlockwise",
            brief="from the light's way, bodies' shadows turn ninety degrees clockwise, rods' anticlockwise",
            outcome="The {subject} lies below the {thing}, and the {companion} points upwards.",
            does=("down", "up"),
        ),
    )
    starts = (
        "On the left {a_light} is lit and shines to the right, on {a_thing} and on {a_companion}, whose pointer is "
        "the shadow of a thin rod in its middle. The {thing} casts a shadow too.",
        "A lit {light} stands at the left edge of the picture. Its light falls from the left on {a_thing}, which "
        "casts a grey shadow, and on {a_companion}: there, a thin rod in the middle casts a shadow as the pointer.",
    )
    short = "A lit {light} on the left shines rightwards on {a_thing}, casting a shadow, and on {a_companion}."
    finish = "Show the light, the {thing} with its whole shadow, and the {companion}."
    numbers = {"x": (270, 330), "size": (30, 38), "lamp": (150, 200)}
    subject = ((Side, "subject", "thing"),)
    surroundings = ((Facing, "companion"), (Light, "light"), (Side, "light", "thing"))

    def start(self, setting: Setting) -> FigureTuple:
        """The light, the thing before its shadow is drawn, and the sundial."""
        n = setting.numbers
        return (
            setting.figure("light", 80, n["lamp"], 50, 66, lit=True),
            setting.figure("thing", n["x"], 150, n["size"], n["size"]),
            setting.figure("companion", n["x"], 400, 56, 56, facing="right"),
        )

    def run(self, setting: Setting, does: tuple[FacingSide, FacingSide]) -> Elements:
        """The start with shadows: does[0] is the side of the thing's shadow, does[1] that of the sundial's."""
        light, thing, dial = self.start(setting)
        side, dial_side = does
        dx, dy = DIRECTIONS[side]
        off = 2 * thing.half_width + 9
        shadow = setting.figure("subject", thing.x + off * dx, thing.y + off * dy, thing.half_width, thing.half_height)
        return (light, thing, shadow, dial.but(facing=dial_side))
