"""What a law's variant comes to: the pictures to compare with, and the programs that tell them apart.

`references`: `right` (what the variant gives), `habit` (what the real law gives), `fracture` (the subject obeys the
variant, its surroundings the real law), `neither` (what a third variant gives), `stray` (right, but for something that
no variant moves and that is another way all the same; not every law has room for one) and `damaged` (right, with parts
of the picture garbled).
"""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from counterbench.errors import InputError
from counterbench.laws.base import SIDE, Law, Setting, stage
from counterbench.laws.layout import is_free
from counterbench.laws.strays import strayed
from counterbench.scene.figures import Damage
from counterbench.scene.programs.facts import Fact, FactProgram, Together, Whole, observed
from counterbench.scene.programs.observations import Observation
from counterbench.scene.scene import Element, Scene
from counterbench.scene.seeds import Stream

Reference = Literal["right", "habit", "fracture", "neither", "stray", "damaged"]
REFERENCES: tuple[Reference, ...] = get_args(Reference)

_DAMAGES = 3
_PLACES = 400


class Programs(msgspec.Struct, frozen=True):
    """What is checked of a picture of one variant, and of habit (`contrast`)."""

    integrity: Whole
    assessment: Fact | Together
    consistency: Together
    contrast: Fact | Together | None


def outcome(law: Law, setting: Setting, variant: str) -> Scene:
    """The scene that a variant gives."""
    return stage(law.run(setting, law.variant(variant).does))


def facts(law: Law, setting: Setting, variant: str) -> tuple[tuple[Fact, ...], tuple[Fact, ...]]:
    """What is true of the subject, and of its surroundings, in a variant's outcome."""
    scene = outcome(law, setting, variant)
    subject, around = law.observations(setting)
    return tuple(observed(of, scene) for of in subject), tuple(observed(of, scene) for of in around)


def programs(law: Law, setting: Setting, variant: str) -> Programs:
    """The checks of a variant's pictures; the real law's have no contrast."""
    subject, around = facts(law, setting, variant)
    real = law.real.name
    rule = setting.fill(law.variant(variant).rule)
    return Programs(
        integrity=Whole(),
        assessment=_together(subject),
        consistency=Together((*subject, *around), rule),
        contrast=None if law.variant(variant).real else _together(facts(law, setting, real)[0]),
    )


def _together(subject: tuple[Fact, ...]) -> Fact | Together:
    return subject[0] if len(subject) == 1 else Together(subject)


def references(law: Law, setting: Setting, variant: str, stream: Stream) -> dict[Reference, Scene]:
    """The pictures to compare with. The real law has no `habit`, its `fracture` is against a variant from `stream`."""
    real = law.variant(variant).real
    against = stream.choice(law.altered).name if real else law.real.name
    asked = programs(law, setting, variant).assessment
    others = (outcome(law, setting, v.name) for v in law.altered if v.name not in (variant, against))
    third = [scene for scene in others if not asked.holds(scene)]
    if not third:
        raise InputError(f"law {law.name!r}, variant {variant!r}: no third variant gives its subject another outcome")
    right = outcome(law, setting, variant)
    found: dict[Reference, Scene] = {
        "right": right,
        "fracture": fractured(law, setting, variant, against),
        "neither": stream.choice(third),
        "damaged": damaged(right, stream),
    }
    if not real:
        found["habit"] = outcome(law, setting, against)
    still = bystanders(law, setting)
    subject, around = law.observations(setting)
    stray = strayed(right, still, [*subject, *(of for of in around if of not in still)], stream)
    if stray is not None:
        found["stray"] = stray
    return found


def bystanders(law: Law, setting: Setting) -> list[Observation]:
    """What is looked at of the surroundings and is the same under every variant."""
    values = [facts(law, setting, variant.name)[1] for variant in law.variants]
    return [seen[0].of for seen in zip(*values, strict=True) if len({fact.value for fact in seen}) == 1]


def fractured(law: Law, setting: Setting, variant: str, against: str) -> Scene:
    """The subject as under `variant`, everything else as under `against`."""

    def of_subject(element: Element) -> bool:
        return any(element.id == role or element.id.startswith(f"{role}-") for role in law.subject_roles)

    obeying, other = outcome(law, setting, variant).elements, outcome(law, setting, against).elements
    return stage([*(e for e in other if not of_subject(e)), *(e for e in obeying if of_subject(e))])


def damaged(scene: Scene, stream: Stream) -> Scene:
    """The scene with parts of the picture garbled or blacked out, beside its figures: those can still be seen."""
    broken, damages = scene, 0
    for _ in range(_PLACES):
        half_width, half_height = stream.integer(20, 44), stream.integer(8, 20)
        x = stream.integer(half_width, SIDE - 1 - half_width)
        y = stream.integer(half_height, SIDE - 1 - half_height)
        kind: Literal["static", "black"] = "static" if stream.chance(0.7) else "black"
        new = Damage(f"damage-{damages}", kind, x, y, half_width, half_height, stream.below(1 << 20))
        if is_free(new.box, broken):
            broken, damages = broken.with_elements(*broken.elements, new), damages + 1
        if damages == _DAMAGES:
            break
    if not damages:
        raise InputError("there is no room for damage beside the figures; leave more of the picture free")
    return broken


def checks_of(found: Programs) -> dict[str, FactProgram]:
    """The programs by the name of their check."""
    named: dict[str, FactProgram] = {
        "integrity": found.integrity,
        "assessment": found.assessment,
        "consistency": found.consistency,
    }
    return named if found.contrast is None else named | {"contrast": found.contrast}
