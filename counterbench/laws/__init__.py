"""Laws: rules of small worlds, real and altered, that run. One or two a file; the tuple below lists all."""

from __future__ import annotations

from counterbench.errors import unknown
from counterbench.laws import (
    cells,
    circuits,
    climate,
    compasses,
    crystals,
    fairness,
    falling,
    fluids,
    forces,
    heat,
    heredity,
    images,
    layers,
    light,
    magnets,
    melting,
    mixing,
    orbits,
    plants,
    reactions,
    rivers,
    sunlight,
    traffic,
    waste,
    watering,
    weather,
)
from counterbench.laws.base import Law, Role, Setting, Variant

LAWS: tuple[Law, ...] = (
    # Physics.
    *falling.LAWS,
    *fluids.LAWS,
    *forces.LAWS,
    *light.LAWS,
    *images.LAWS,
    *heat.LAWS,
    *melting.LAWS,
    *sunlight.LAWS,
    *orbits.LAWS,
    *magnets.LAWS,
    *circuits.LAWS,
    *compasses.LAWS,
    # Biology.
    *plants.LAWS,
    *cells.LAWS,
    *watering.LAWS,
    *heredity.LAWS,
    # Chemistry.
    *mixing.LAWS,
    *layers.LAWS,
    *crystals.LAWS,
    *reactions.LAWS,
    # Geography.
    *rivers.LAWS,
    *weather.LAWS,
    *climate.LAWS,
    # Society.
    *traffic.LAWS,
    *fairness.LAWS,
    *waste.LAWS,
)


def law(name: str, where: str = "") -> Law:
    """The law called `name`; InputError with the valid names if there is none."""
    for candidate in LAWS:
        if candidate.name == name:
            return candidate
    raise unknown("law", name, [found.name for found in LAWS], where)


__all__ = ["LAWS", "Law", "Role", "Setting", "Variant", "law"]
