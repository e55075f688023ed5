"""Numbers that a protocol makes from judged checks: one for each unit and column, and formulas of their means."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from counterbench.stats.clusters import Series
from counterbench.t2i.scores.pictures import Column


class Unit(msgspec.Struct, frozen=True):
    """A thing that is averaged over: a group or a prompt."""

    name: str
    cluster: str  # resampled as a whole for intervals


class Formula(msgspec.Struct, frozen=True):
    """A number computed from the means of columns."""

    of: tuple[str, ...]  # the columns, in the order of the arguments
    compute: Callable[..., Series]
    paired: bool = False  # the means are over the units with a value in each column
    low: tuple[float, ...] = ()  # the means for which the number is least, for intervals
    high: tuple[float, ...] = ()  # the means for which it is largest
    limits: tuple[float, float] = (0.0, 1.0)  # of the number

    def __post_init__(self) -> None:
        """Set `low` and `high` for a number that grows with each mean, if they are not given."""
        if not self.low:
            msgspec.structs.force_setattr(self, "low", (0.0,) * len(self.of))
            msgspec.structs.force_setattr(self, "high", (1.0,) * len(self.of))


class Part(msgspec.Struct, frozen=True):
    """Some units with their columns."""

    units: tuple[Unit, ...]
    complete: tuple[bool, ...]  # for each unit: it has all the numbers that its pictures could give
    columns: dict[str, Column]
    ranges: dict[str, tuple[float, float]] = {}  # of the columns that are not from 0 to 1

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

    A column is reported as its mean over units; a column whose name begins with "_" serves only formulas.
    """

    whole: Part
    headline: tuple[str, ...]  # the columns and formulas that are the result
    secondary: tuple[str, ...] = ()  # further ones of the same table
    bounded: tuple[str, ...] = ()  # those with worst and best
    formulas: dict[str, Formula] = {}
    threshold: float | None = None  # of the gate, if there is one


# The same numbers for parts of a run, by kind ("dimension", "law", …) and name.
Slices = dict[str, dict[str, Part]]


def members(names: Sequence[str]) -> dict[str, list[int]]:
    """The places of the units with each name, by name; units without one are in none."""
    by_name: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        if name:
            by_name.setdefault(name, []).append(place)
    return dict(sorted(by_name.items()))
