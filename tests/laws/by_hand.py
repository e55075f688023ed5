"""What is seen of a law's outcomes, to be compared with what was worked out by hand."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from counterbench.laws import law
from counterbench.laws.outcomes import facts, outcome
from counterbench.scene.figures import Figure


def worked_out(names: Collection[str]) -> pytest.MarkDecorator:
    """A test of each law in two settings."""
    return pytest.mark.parametrize(("name", "index"), [(name, index) for name in names for index in (0, 5)])


def seen(name: str, index: int) -> dict[str, tuple[str, ...]]:
    """Of each variant: the values of its subject's facts, then those of its surroundings'."""
    found = law(name)
    setting = found.setting(3, index)
    values = {}
    for variant in found.variants:
        subject, around = facts(found, setting, variant.name)
        values[variant.name] = tuple(fact.value for fact in (*subject, *around))
    return values


def figures(name: str, variant: str, index: int = 0) -> dict[str, Figure]:
    """The figures of an outcome by their ids."""
    found = law(name)
    return {figure.id: figure for figure in outcome(found, found.setting(3, index), variant).figures}
