"""Chemistry: which form minerals take as they dry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from counterbench.laws.base import Law, Role, Setting, Variant
from counterbench.palette import ShapeKind
from counterbench.scene.figures import Figure
from counterbench.scene.programs.observations import Form, Light, Observation
from counterbench.scene.scene import Element
from counterbench.scene.seeds import Stream


class Crystals(Law):
    """The form of what is left when a solution dries."""

    name = "crystals"
    title = "Every mineral has its own crystal form"
    discipline = "chemistry"
    branch = "crystals"
    roles: ClassVar[dict[str, Role]] = {
        "subject": Role(("salt",)),
        "companion": Role(("alum",)),
        "wide": Role(("tank",)),
        "narrow": Role(("cup",)),
        "fixed": Role(("lamp",)),
    }
    variants = (
        Variant(
            name="own",
            real=True,
            rule="each mineral has a crystal form of its own and grows in no other, wherever it dries",
            outcome="At the bottom of the {wide}, the {subject} is a square crystal; at the bottom of the {narrow}, "
            "the {companion} is a diamond-shaped one.",
        ),
        Variant(
            name="swapped",
            rule="salt and alum have exchanged their crystal forms, and each of them grows in the one that nature gave "
            "to the other",
            outcome="At the bottom of the {wide}, the {subject} is a diamond-shaped crystal; at the bottom of the "
            "{narrow}, the {companion} is a square one.",
        ),
        Variant(
            name="round",
            rule="crystals have no corners: whatever dries out draws itself together into a ball",
            outcome="At the bottom of the {wide}, the {subject} is a round lump; at the bottom of the {narrow}, so is "
            "the {companion}.",
        ),
        Variant(
            name="spire",
            rule="every crystal, whatever it is made of, grows broad at its foot and pointed at its top, like a spire "
            "with three corners",
            outcome="At the bottom of the {wide}, the {subject} is a triangular crystal with its point up; at the "
            "bottom of the {narrow}, so is the {companion}.",
        ),
        Variant(
            name="warmth",
            rule="it is warmth that shapes a crystal, not what it is made of: what dries right under a lit lamp "
            "becomes a triangle with its point up, and what dries in the cool becomes a round ball",
            outcome="At the bottom of the {wide}, the {subject} is a triangular crystal; at the bottom of the "
            "{narrow}, the {companion} is a round one.",
        ),
        Variant(
            name="width",
            rule="it is the vessel that shapes a crystal, not what it is made of: in a wide vessel it becomes a round "
            "ball, and in a narrow one a triangle with its point up",
            outcome="At the bottom of the {wide}, the {subject} is a round crystal; at the bottom of the {narrow}, the "
            "{companion} is a triangular one.",
        ),
    )
    starts = (
        "Dyed kitchen salt, the {subject}, is dissolved in water in a wide {wide} right under {a_fixed} that is lit. "
        "Dyed alum, the {companion}, is dissolved in water in a narrow {narrow} in a cool place far from the lamp. The "
        "water dries up slowly, and in each vessel a single large crystal is left. The lamp stays switched on all the "
        "time. In nature, salt forms cubes, and alum forms double pyramids.",
        "Two clear vessels hold salty water: a wide {wide} with kitchen salt that has been dyed (the {subject}), and a "
        "narrow {narrow} with dyed alum (the {companion}). {A_fixed} always shines on the first from above, and the "
        "other stands in the cool. In nature the crystals of salt are cubes and those of alum are double pyramids. "
        "When all the water has gone, one large crystal lies in each vessel.",
    )
    finish = (
        "Show both vessels and the lamp straight from the front, so that a cube would look square and a double pyramid "
        "diamond-shaped, with the crystals lying in the dry vessels."
    )

    # Whatever is nearer to the lamp than this dries in the warmth; vessels are wide from this on. In pixels.
    warm_within: ClassVar[int] = 60
    wide_from: ClassVar[int] = 80

    def numbers(self, stream: Stream) -> dict[str, int]:
        """How large the crystals grow, and where the vessels stand."""
        return {"size": stream.integer(30, 38), "x": stream.integer(140, 165)}

    def start(self, setting: Setting) -> Sequence[Element]:
        """Vessels with water and, above it, a heap of what is to be dissolved."""
        tank, cup, lamp = self._things(setting, quarters=3)
        heaps = (
            setting.figure(r, v.x + 30, 240, 14, 10, form="triangle")
            for r, v in (("subject", tank), ("companion", cup))
        )
        return (tank, cup, lamp, *heaps)

    def run(self, setting: Setting, variant: str) -> Sequence[Element]:
        """The water is gone; a crystal lies on the floor of each vessel."""
        tank, cup, lamp = self._things(setting, quarters=0)
        found = [self._crystal(setting, variant, r, v, lamp) for r, v in (("subject", tank), ("companion", cup))]
        return (tank, cup, lamp, *found)

    def _crystal(self, setting: Setting, variant: str, role: str, vessel: Figure, lamp: Figure) -> Figure:
        own: dict[str, ShapeKind] = {"subject": "square", "companion": "diamond"}
        swapped: dict[str, ShapeKind] = {"subject": "diamond", "companion": "square"}
        form: ShapeKind
        if variant in ("round", "spire"):
            form = "circle" if variant == "round" else "triangle"
        elif variant == "warmth":
            form = "triangle" if abs(vessel.x - lamp.x) <= self.warm_within else "circle"
        elif variant == "width":
            form = "circle" if vessel.half_width >= self.wide_from else "triangle"
        else:
            form = swapped[role] if variant == "swapped" else own[role]
        size = setting.numbers["size"]
        return setting.figure(role, vessel.x, vessel.interior.bottom - size - 2, size, size, form=form)

    def _things(self, setting: Setting, quarters: int) -> tuple[Figure, Figure, Figure]:
        x = setting.numbers["x"]
        return (
            setting.figure("wide", x, 340, 104, 80, quarters=quarters),
            setting.figure("narrow", 400, 340, 58, 80, quarters=quarters),
            setting.figure("fixed", x, 140, 44, 60, lit=True),
        )

    def subject(self, setting: Setting) -> tuple[Observation, ...]:
        """The form of the salt."""
        return (Form(setting["subject"]),)

    def surroundings(self, setting: Setting) -> tuple[Observation, ...]:
        """The alum obeys as well; the lamp burns on."""
        return (Form(setting["companion"]), Light(setting["fixed"]))


LAWS: tuple[Law, ...] = (Crystals(),)
