"""Numbers that a protocol makes from judged checks.

A column has one number for each unit, which is a group or a prompt; its mean over units is reported. A formula makes a
further number from the means of columns. A part is some of the units, such as those of one category.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from counterbench.pictures.scores.results import CheckResult, PictureScore, by_key, group_results
from counterbench.pictures.scores.rules import Column, mean
from counterbench.stats.clusters import Series


class Unit(msgspec.Struct, frozen=True):
    """A thing that is averaged over: a group or a prompt."""

    name: str
    cluster: str  # resampled as a whole for intervals


class Formula(msgspec.Struct, frozen=True):
    """A number computed from the means of columns."""

    columns: tuple[str, ...]  # the names of the columns whose means are the arguments of `compute`, in their order
    compute: Callable[..., Series]
    paired: bool = False  # if True, each mean is over the units that have a value in all of the columns
    low: tuple[float, ...] = ()  # the means for which the number is least, for intervals
    high: tuple[float, ...] = ()  # the means for which it is largest
    limits: tuple[float, float] = (0.0, 1.0)  # of the number

    def __post_init__(self) -> None:
        """Set `low` and `high` for a number that grows with each mean, if they are not given."""
        if not self.low:
            msgspec.structs.force_setattr(self, "low", (0.0,) * len(self.columns))
            msgspec.structs.force_setattr(self, "high", (1.0,) * len(self.columns))


class ScorePart(msgspec.Struct, frozen=True):
    """Some units with their columns."""

    units: tuple[Unit, ...]
    complete: tuple[bool, ...]  # for each unit: it has all the numbers that its pictures could give
    columns: dict[str, Column]
    ranges: dict[str, tuple[float, float]] = {}  # of the columns that are not from 0 to 1

    def only(self, members: Sequence[int]) -> ScorePart:
        """The part with only the units at these places (indices into `units`)."""
        return ScorePart(
            tuple(self.units[i] for i in members),
            tuple(self.complete[i] for i in members),
            {name: [column[i] for i in members] for name, column in self.columns.items()},
            self.ranges,
        )


class Scores(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of a run before any interval.

    A column is reported as its mean over units; a column whose name begins with "_" serves only formulas.
    """

    whole: ScorePart
    headline: tuple[str, ...]  # the columns and formulas that are the result
    secondary: tuple[str, ...] = ()  # further ones of the same table
    bounded: tuple[str, ...] = ()  # those with worst and best
    formulas: dict[str, Formula] = {}
    threshold: float | None = None  # of the gate, if there is one


# A function from a row to the names of the parts of one kind that it belongs to (of the kind "tag": its tags).
NamesOf = Callable[[CheckResult], Iterable[str]]
# The same numbers for parts of a run, by kind ("dimension", "law", …) and name.
Slices = dict[str, dict[str, ScorePart]]


def members(names: Sequence[str]) -> dict[str, list[int]]:
    """The places (indices) of the units with each name, by name; "" is no name."""
    return dict(sorted(by_key((name, place) for place, name in enumerate(names) if name).items()))


def by_name(rows: Iterable[CheckResult], names_of: NamesOf) -> dict[str, list[CheckResult]]:
    """The rows under each of the names that `names_of` gives them, in their order; empty names are left out."""
    # A tag may be given twice.
    return by_key((name, row) for row in rows for name in dict.fromkeys(filter(None, names_of(row))))


def by_units(whole: ScorePart, names: Mapping[str, Sequence[str]]) -> Slices:
    """The parts of `whole` with the units of each name, by kind of name; `names`: for each kind a name of each unit."""
    return {
        kind: {name: whole.only(places) for name, places in members(unit_names).items()}
        for kind, unit_names in names.items()
    }


def by_checks(
    rows: Sequence[CheckResult], names: Mapping[str, NamesOf], score: Callable[[list[CheckResult]], ScorePart]
) -> Slices:
    """The `score` of the rows of each name, by kind of name; `names`: for each kind a row's names."""
    return {kind: {name: score(part) for name, part in by_name(rows, of_row).items()} for kind, of_row in names.items()}


class ByPrompt:
    """The pictures of every prompt: the units of means in protocols that compare no levels.

    A prompt is a group at one level with pictures.
    """

    def __init__(self, rows: Iterable[CheckResult], levels: Sequence[str]) -> None:
        """Put the rows together to prompts, each a group at one level."""
        self._rows, self._several = list(rows), len(levels) > 1
        groups = group_results(self._rows, levels)
        self._prompts = [(group, level) for group in groups for level in levels if group.pictures[level]]

    def named(self, field: str) -> list[str]:
        """The value of a field (category, law, …) for each prompt; the level is "" if the set has one level."""
        if field == "level":
            return [level if self._several else "" for _, level in self._prompts]
        return [str(getattr(group, field)) for group, _ in self._prompts]

    def part(
        self, columns: Sequence[str], numbers: Callable[[PictureScore], Mapping[str, float]], most: float = 1.0
    ) -> ScorePart:
        """A number for each prompt and column: the mean over those pictures of the prompt that have numbers.

        `numbers`: gives a picture's numbers by column, all of them or none ({}); they are from 0 to `most`.
        """
        units = tuple(
            Unit(f"{group.name}/{level}" if self._several else group.name, group.cluster)
            for group, level in self._prompts
        )
        by_prompt = [[n for p in group.pictures[level].values() if (n := numbers(p))] for group, level in self._prompts]
        means = {name: [mean([n[name] for n in pictures]) for pictures in by_prompt] for name in columns}
        return ScorePart(units, tuple(map(bool, by_prompt)), means, dict.fromkeys(columns, (0.0, most)))

    def slices(self, whole: ScorePart, fields: Mapping[str, str]) -> Slices:
        """The prompts of `whole` in parts, one for each value of a field.

        `whole`: a result of `part`. `fields`: for each kind of part the field of rows and groups that it is by.

        The values of a field stand in the order of the rows, which the prompts' authors chose.
        """
        by_kind = by_units(whole, {kind: self.named(field) for kind, field in fields.items()})
        order = {kind: dict.fromkeys(getattr(row, field) for row in self._rows) for kind, field in fields.items()}
        return {kind: {name: named[name] for name in order[kind] if name in named} for kind, named in by_kind.items()}
