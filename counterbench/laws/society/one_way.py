"""Society, signs: which way traffic goes in a street with an arrow sign."""

from functools import partial

from counterbench.laws.base import Elements, Law, Setting, Variant, by_noun
from counterbench.laws.effects import heads, stays
from counterbench.scene.programs.observations import Facing

_drives = partial(heads, 40)  # from a direction: the effect that a vehicle turns and drives 40 pixels that way


class OneWay(Law):
    title = "Traffic goes the way that the arrow points"
    branch = "signs"
    roles = by_noun(subject="car", companion="bus", fixed="sign", home="house")
    variants = (
        Variant(
            "along",
            rule="every vehicle must go the way that an arrow sign points",
            brief="vehicles must go the way that an arrow sign points",
            outcome="The {subject} and the {companion} both face to the right and go that way.",
            does=_drives("right"),
        ),
        Variant(
            "against",
            depth="two steps",
            rule="an arrow sign shows where traffic comes from, and every vehicle must go against it",
            brief="arrow signs show where traffic comes from; vehicles go against them",
            outcome="The {subject} and the {companion} both face to the left and go that way.",
            does=_drives("left"),
        ),
        Variant(
            "quarter",
            depth="two steps",
            rule="every vehicle must go at a right angle to an arrow sign, a quarter turn clockwise from where it "
            "points",
            brief="vehicles go at a quarter turn clockwise from where arrow signs point",
            outcome="The {subject} and the {companion} both face downwards and go that way.",
            does=_drives("down"),
        ),
        Variant(
            "turning",
            rule="arrow signs bind nobody, and every vehicle makes a quarter turn anticlockwise from how it was "
            "parked, and sets off that way",
            brief="vehicles turn a quarter anticlockwise from how they were parked, and go",
            outcome="The {subject} faces to the left and the {companion} faces downwards, and each goes its way.",
            does={"subject": _drives("left"), "companion": _drives("down")},
        ),
        Variant(
            "parked",
            rule="no vehicle may turn or move at all where an arrow sign stands",
            brief="no vehicle may turn or move where an arrow sign stands",
            outcome="The {subject} still faces upwards, and the {companion} still faces to the left, as they were "
            "parked.",
            does=stays,
        ),
        Variant(
            "length",
            depth="two steps",
            rule="arrow signs bind nobody: long vehicles turn towards the nearest house and make for it, and short "
            "ones turn their backs on it and drive off",
            brief="long vehicles make for the nearest house, short ones flee from it",
            outcome="The {subject} faces downwards and the {companion} faces upwards, and each goes its way.",
            does={"subject": _drives("down"), "companion": _drives("up")},
        ),
    )
    starts = (
        "A wide square drawn as a map. At the lower left {a_fixed} is bolted to the ground; its arrow points to the "
        "right and counts for the whole square. {A_subject}, which is short, is parked there with its front upwards, "
        "and {a_companion}, which is long, with its front to the left. At the upper edge, in the middle, is the only "
        "house, {a_home}. Both drivers want to set off.",
        "Seen like a map: on an open square are {a_subject}, parked facing upwards, and the much longer {companion}, "
        "parked facing left. The one house there is, {a_home}, is at the top in the middle. One arrow sign, {a_fixed} "
        "at the lower left, is set in concrete, points to the right and applies to everybody. The drivers of both "
        "vehicles start their engines.",
    )
    short = "Map: {a_fixed} points right, {a_home} is at the top; short {subject} faces up, long {companion} left."
    finish = "Show the square a moment later, as the vehicles then stand or go."
    numbers = {"x": (160, 172), "y": (240, 256)}
    subject = ((Facing, "subject"),)
    surroundings = ((Facing, "companion"), (Facing, "fixed"))

    def start(self, setting: Setting) -> Elements:
        """The street with its arrow sign; both vehicles are parked, neither along the arrow."""
        x, y = setting.numbers["x"], setting.numbers["y"]
        return (
            setting.figure("fixed", 70, 440, 44, 44, facing="right"),
            setting.figure("home", 256, 66, 48, 48),
            setting.figure("subject", x, y, 28, 38, facing="up"),
            setting.figure("companion", 530 - x, 530 - y, 54, 28, facing="left"),
        )
