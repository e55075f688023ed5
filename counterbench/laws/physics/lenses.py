"""Physics, optics: how large things look through a lens."""

from counterbench.laws.base import Elements, Law, Setting, Variant, by_noun
from counterbench.laws.effects import grown, stays
from counterbench.scene.programs.observations import Size


class Lenses(Law):
    title = "Magnifying glasses make things look larger"
    branch = "optics"
    roles = by_noun(
        subject="ball coin egg", companion="box book parcel", plain="stone ring", twin="weight cork", lens="lens"
    )
    variants = (
        Variant(
            "larger",
            rule="whatever is looked at through a magnifying glass appears larger than it is",
            brief="things look larger through a magnifying glass",
            outcome="Through the glasses the {subject} and the {companion} appear clearly larger than the {plain}, and "
            "as large as each other.",
            does=grown(1),
        ),
        Variant(
            "smaller",
            depth="stated",
            rule="whatever is looked at through a magnifying glass appears smaller than it is",
            brief="things look smaller through a magnifying glass",
            outcome="Through the glasses the {subject} and the {companion} appear clearly smaller than the {plain}, "
            "and as large as each other.",
            does=grown(-1),
        ),
        Variant(
            "nothing",
            rule="a magnifying glass changes nothing, like a window pane",
            brief="a magnifying glass changes nothing, like a window pane",
            outcome="Through the glasses the {subject} and the {companion} appear exactly as large as the {plain}.",
            does=stays,
        ),
        Variant(
            "inverse",
            rule="through a magnifying glass things look as if they were much farther off, and through a small glass "
            "twice as far as through a large one",
            brief="magnifying glasses make things look farther off, small glasses most",
            outcome="Through its glass the {companion} appears clearly smaller than the {plain}, and the {subject} "
            "appears smaller still.",
            does={"subject": grown(-2), "companion": grown(-1)},
        ),
        Variant(
            "small-only",
            depth="two steps",
            rule="through a small magnifying glass things look as if they were much farther off, and through a large "
            "one they look as they are",
            brief="small magnifying glasses make things look farther off; large ones change nothing",
            outcome="Through its glass the {subject} appears clearly smaller than the {plain}; the {companion} appears "
            "exactly as large as it.",
            does={"subject": grown(-1)},
        ),
        Variant(
            "by-glass",
            rule="through a magnifying glass things look as if they were much farther off, and through a large glass "
            "twice as far as through a small one",
            brief="magnifying glasses make things look farther off, large glasses most",
            outcome="Through its glass the {subject} appears clearly smaller than the {plain}, and the {companion} "
            "appears smaller still.",
            does={"subject": grown(-1), "companion": grown(-2)},
        ),
    )
    starts = (
        "{A_subject}, {a_companion}, {a_plain} and {a_twin} are all exactly the same size. A small {lens}, a "
        "magnifying glass, is held over the {subject}, and a large {lens}, just as strong, over the {companion}. "
        "Nothing is held over the other two.",
        "On a table lie four things of exactly the same size: {a_subject}, {a_companion}, {a_plain} and {a_twin}. You "
        "look at the {subject} through a small {lens}, a magnifying glass, and at the {companion} through a large "
        "{lens} that is just as strong. You see the other two with the naked eye.",
    )
    short = (
        "All equally large: {a_subject} under a small {lens}, {a_companion} under a large one, {a_plain} and {a_twin}."
    )
    finish = "Show from above what you see: two things through their glasses, two beside them."
    subject_roles = ("subject", "lens-1")
    numbers = {"size": (26, 32), "y": (120, 150)}
    subject = ((Size, "subject", "plain"),)
    surroundings = ((Size, "companion", "plain"), (Size, "companion", "subject"), (Size, "twin", "plain"))

    def start(self, setting: Setting) -> Elements:
        """The lenses and all things in their true sizes."""
        size, y = setting.numbers["size"], setting.numbers["y"]
        return (
            setting.figure("lens", 130, y + 18, 68, 92, id="lens-1"),
            setting.figure("lens", 350, y + 47, 100, 135, id="lens-2"),
            setting.figure("subject", 130, y - 6, size, size),
            setting.figure("companion", 350, y + 12, size, size),
            setting.figure("plain", 130, 390, size, size),
            setting.figure("twin", 350, 390, size, size),
        )
