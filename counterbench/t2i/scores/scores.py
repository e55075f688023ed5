"""Numbers that a protocol makes of judged checks: one a unit and column, and those computed from the means."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from counterbench.stats.clusters import Series
from counterbench.t2i.scores.pictures import Column


class Unit(msgspec.Struct, frozen=True):
    """A thing that is averaged over: a group or a prompt. `cluster`: what is drawn as a whole for intervals."""

    name: str
    cluster: str


class Formula(msgspec.Struct, frozen=True):
    """A number computed from the means of the columns `of`, in that order.

    `paired`: the means are over the units that have a value in each of them, so that all rest on the same ones. `low`,
    `high`: the means where the number is least, and largest, as the intervals need them; `limits`: of the number.
    """

    of: tuple[str, ...]
    compute: Callable[..., Series]
    paired: bool = False
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    limits: tuple[float, float] = (0.0, 1.0)

    def __post_init__(self) -> None:
        """Without `low` and `high` the number grows with each mean."""
        if not self.low:
            msgspec.structs.force_setattr(self, "low", (0.0,) * len(self.of))
            msgspec.structs.force_setattr(self, "high", (1.0,) * len(self.of))


class Part(msgspec.Struct, frozen=True):
    """Some units with their columns. `complete`: whether a unit has all the numbers that its pictures could give.

    `ranges`: of the columns that are not from 0 to 1.
    """

    units: tuple[Unit, ...]
    complete: tuple[bool, ...]
    columns: dict[str, Column]
    ranges: dict[str, tuple[float, float]] = {}

    def only(self, members: Sequence[int]) -> Part:
        """The units at these places."""
        return Part(
            tuple(self.units[i] for i in members),
            tuple(self.complete[i] for i in members),
            {name: [column[i] for i in members] for name, column in self.columns.items()},
            self.ranges,
        )


class Scores(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of a run before any interval.

    A column is reported as its mean over units; one whose name begins with "_" is there for a formula alone.
    `headline`: the columns and formulas that are the result, `beside`: those that stand in the same table; `bounded`:
    those that worst and best are told of. `threshold`: of the gate, where there is one.
    """

    whole: Part
    headline: tuple[str, ...]
    beside: tuple[str, ...] = ()
    bounded: tuple[str, ...] = ()
    formulas: dict[str, Formula] = {}
    threshold: float | None = None


# What the same numbers are for parts of a run, by kind ("dimension", "law", …) and name.
Slices = dict[str, dict[str, Part]]


def members(names: Sequence[str]) -> dict[str, list[int]]:
    """The places of the units with each name, by name; units without one are in none."""
    found: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        if name:
            found.setdefault(name, []).append(place)
    return dict(sorted(found.items()))
