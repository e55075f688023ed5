"""Laws: rules of small worlds, real and altered, that run. One file a group; the tuple below is the whole list."""

from __future__ import annotations

from counterbench.errors import unknown
from counterbench.laws import (
    astronomy,
    biology,
    chemistry,
    electromagnetism,
    geography,
    heat,
    mechanics,
    optics,
    society,
)
from counterbench.laws.base import Law, Role, Setting, Variant

LAWS: tuple[Law, ...] = (
    *mechanics.LAWS,
    *optics.LAWS,
    *heat.LAWS,
    *astronomy.LAWS,
    *electromagnetism.LAWS,
    *biology.LAWS,
    *chemistry.LAWS,
    *geography.LAWS,
    *society.LAWS,
)


def law(name: str, where: str = "") -> Law:
    """The law called `name`; InputError with the valid names if there is none."""
    for candidate in LAWS:
        if candidate.name == name:
            return candidate
    raise unknown("law", name, [found.name for found in LAWS], where)


__all__ = ["LAWS", "Law", "Role", "Setting", "Variant", "law"]
