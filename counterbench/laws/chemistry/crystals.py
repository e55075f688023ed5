"""Chemistry, crystals: the form of the crystal that is left when a solution dries."""

from counterbench.laws.base import Elements, Law, Setting, Variant, by_noun
from counterbench.palette import ShapeKind
from counterbench.scene.figures import Figure
from counterbench.scene.programs.observations import Form, Light


class Crystals(Law):
    title = "Every mineral has its own crystal form"
    branch = "crystals"
    roles = by_noun(subject="salt", companion="alum", wide="tank", narrow="cup", fixed="lamp")
    variants = (
        Variant(
            "own",
            rule="each mineral has a crystal form of its own and grows in no other, wherever it dries",
            brief="each mineral grows in its own crystal form, wherever it dries",
            outcome="At the bottom of the {wide}, the {subject} is a square crystal; at the bottom of the {narrow}, "
            "the {companion} is a diamond-shaped one.",
            does=("square", "diamond"),
        ),
        Variant(
            "swapped",
            depth="two steps",
            rule="salt and alum have exchanged their crystal forms, and each of them grows in the one that nature "
            "gave to the other",
            brief="salt and alum have swapped their crystal forms, cube and double pyramid",
            outcome="At the bottom of the {wide}, the {subject} is a diamond-shaped crystal; at the bottom of the "
            "{narrow}, the {companion} is a square one.",
            does=("diamond", "square"),
        ),
        Variant(
            "round",
            rule="crystals have no corners: whatever dries out draws itself together into a ball",
            brief="whatever dries draws itself together into a ball without corners",
            outcome="At the bottom of the {wide}, the {subject} is a round lump; at the bottom of the {narrow}, so is "
            "the {companion}.",
            does=("circle", "circle"),
        ),
        Variant(
            "spire",
            rule="every crystal, whatever it is made of, grows broad at its foot and pointed at its top, like a spire "
            "with three corners",
            brief="every crystal grows like a spire with three corners, point upwards",
            outcome="At the bottom of the {wide}, the {subject} is a triangular crystal with its point up; at the "
            "bottom of the {narrow}, so is the {companion}.",
            does=("triangle", "triangle"),
        ),
        Variant(
            "warmth",
            depth="two steps",
            rule="it is warmth that shapes a crystal, not what it is made of: what dries right under a lit lamp grows "
            "like a spire with three corners and its point up, and what dries in the cool becomes a ball",
            brief="crystals dried under a lamp become three-cornered spires, in the cool balls",
            outcome="At the bottom of the {wide}, the {subject} is a triangular crystal; at the bottom of the "
            "{narrow}, the {companion} is a round one.",
            does=("triangle", "circle"),
        ),
        Variant(
            "width",
            depth="two steps",
            rule="it is the vessel that shapes a crystal, not what it is made of: in a wide vessel it becomes a ball, "
            "and in a narrow one it grows like a spire with three corners and its point up",
            brief="wide vessels make crystals into balls, narrow ones into three-cornered spires",
            outcome="At the bottom of the {wide}, the {subject} is a round crystal; at the bottom of the {narrow}, "
            "the {companion} is a triangular one.",
            does=("circle", "triangle"),
        ),
    )
    starts = (
        "Dyed kitchen salt, the {subject}, is dissolved in water in a wide {wide} right under {a_fixed} that is lit. "
        "Dyed alum, the {companion}, is dissolved in water in a narrow {narrow} in a cool place far from the lamp. "
        "The water dries up slowly, and in each vessel a single large crystal is left. The lamp stays switched on all "
        "the time. In nature, salt forms cubes, and alum forms double pyramids.",
        "Two clear vessels hold salty water: a wide {wide} with kitchen salt that has been dyed (the {subject}), and "
        "a narrow {narrow} with dyed alum (the {companion}). {A_fixed} always shines on the first from above, and the "
        "other stands in the cool. In nature the crystals of salt are cubes and those of alum are double pyramids. "
        "When all the water has gone, one large crystal lies in each vessel.",
    )
    short = "Dyed {subject} dries in a wide {wide} under lit {fixed}, {companion} in a cool, narrow {narrow}."
    finish = (
        "Show both vessels and the lamp straight from the front, so that a cube would look square and a double pyramid "
        "diamond-shaped, with the crystals lying in the dry vessels."
    )
    numbers = {"size": (30, 38), "x": (140, 165)}
    subject = ((Form, "subject"),)
    surroundings = ((Form, "companion"), (Light, "fixed"))

    def start(self, setting: Setting) -> Elements:
        """The vessels with water, a lump of each mineral above its vessel, and the lamp."""
        tank, cup, lamp = self._vessels_and_lamp(setting, quarters=3)
        lumps = (
            setting.figure(r, v.x + 30, 240, 12, 12, form="square") for r, v in (("subject", tank), ("companion", cup))
        )
        return (tank, cup, lamp, *lumps)

    def run(self, setting: Setting, does: tuple[ShapeKind, ShapeKind]) -> Elements:
        """The dry vessels, on whose floors lie the salt in form does[0] and the alum in form does[1], and the lamp."""
        tank, cup, lamp = self._vessels_and_lamp(setting, quarters=0)
        size = setting.numbers["size"]
        crystals = (
            setting.figure(
                role,
                (vessel.interior.left + vessel.interior.right) // 2,
                vessel.interior.bottom - size - 2,
                size,
                size,
                form=form,
            )
            for role, vessel, form in zip(("subject", "companion"), (tank, cup), does, strict=True)
        )
        return (tank, cup, lamp, *crystals)

    def _vessels_and_lamp(self, setting: Setting, quarters: int) -> tuple[Figure, Figure, Figure]:
        """The wide vessel, the narrow vessel and the lamp; `quarters`: how full both vessels are, from 0 to 4."""
        x = setting.numbers["x"]
        return (
            setting.figure("wide", x, 340, 104, 80, quarters=quarters),
            setting.figure("narrow", 400, 340, 58, 80, quarters=quarters),
            setting.figure("fixed", x, 140, 44, 60, lit=True),
        )
