"""The figures of a law's outcomes, to be compared with what was worked out by hand."""

from __future__ import annotations

from counterbench.laws import law
from counterbench.laws.outcomes import outcome
from counterbench.scene.figures import Figure


def figures(name: str, variant: str, index: int = 0) -> dict[str, Figure]:
    """The figures of an outcome by their ids."""
    found = law(name)
    return {figure.id: figure for figure in outcome(found, found.setting(3, index), variant).figures}


def variants(name: str) -> list[str]:
    """The names of a law's variants."""
    return [variant.name for variant in law(name).variants]
