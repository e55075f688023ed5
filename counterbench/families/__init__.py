"""The families: ways to sample pairs of one kind. The tuple below is the whole list."""

from __future__ import annotations

from counterbench.errors import unknown
from counterbench.families.arrow import ArrowFamily
from counterbench.families.attribute import Attribute
from counterbench.families.base import Canvas, Draft, Family, Parameters, Params, Plan, sample
from counterbench.families.composition import Composition
from counterbench.families.containment import Containment
from counterbench.families.control import Control
from counterbench.families.counting import Counting
from counterbench.families.laws import LawControl, LawFamily
from counterbench.families.occlusion import Occlusion
from counterbench.families.spatial import Spatial

FAMILIES: tuple[Family, ...] = (
    Spatial(),
    Attribute(),
    Counting(),
    Containment(),
    ArrowFamily(),
    Occlusion(),
    Composition(),
    Control(),
    LawFamily(),
    LawControl(),
)


def family(name: str, where: str = "") -> Family:
    """The family called `name`; InputError with the valid names if there is none."""
    for candidate in FAMILIES:
        if candidate.name == name:
            return candidate
    raise unknown("family", name, [f.name for f in FAMILIES], where)


__all__ = ["FAMILIES", "Canvas", "Draft", "Family", "Parameters", "Params", "Plan", "family", "sample"]
