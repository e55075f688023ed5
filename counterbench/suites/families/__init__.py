"""The families: ways to sample pairs of one kind, one file each. The tuple below is the whole list.

`base` is what every family does; `placement` and `twoshapes` are shared between some.
"""

from __future__ import annotations

from counterbench.errors import unknown
from counterbench.suites.families.arrow import ArrowFamily
from counterbench.suites.families.attribute import Attribute
from counterbench.suites.families.base import Canvas, Draft, Family, Parameters, Params, Plan, sample
from counterbench.suites.families.composition import Composition
from counterbench.suites.families.containment import Containment
from counterbench.suites.families.control import Control
from counterbench.suites.families.counting import Counting
from counterbench.suites.families.laws import LawControl, LawFamily
from counterbench.suites.families.occlusion import Occlusion
from counterbench.suites.families.presence import Presence
from counterbench.suites.families.spatial import Spatial

FAMILIES: tuple[Family, ...] = (
    Spatial(),
    Attribute(),
    Counting(),
    Containment(),
    ArrowFamily(),
    Occlusion(),
    Composition(),
    Presence(),
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
