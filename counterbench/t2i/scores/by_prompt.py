"""Judged checks by prompt: what is averaged over where no level is held against another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from counterbench.t2i.scores.pictures import mean
from counterbench.t2i.scores.results import CheckResult, Picture, group_results
from counterbench.t2i.scores.scores import Part, Slices, Unit, members


class ByPrompt:
    """The pictures of every prompt, which is a group at one of the levels at which it has pictures."""

    def __init__(self, rows: Iterable[CheckResult], levels: Sequence[str]) -> None:
        self._rows, self._several = list(rows), len(levels) > 1
        groups = group_results(self._rows, levels)
        self._prompts = [(group, level) for group in groups for level in levels if group.pictures[level]]

    def named(self, field: str) -> list[str]:
        """The value of each prompt in a field of its rows: its category, law, …; of a set with one level no level."""
        if field == "level":
            return [level if self._several else "" for _, level in self._prompts]
        return [str(getattr(group, field)) for group, _ in self._prompts]

    def part(
        self, columns: Sequence[str], numbers: Callable[[Picture], Mapping[str, float]], most: float = 1.0
    ) -> Part:
        """A number a prompt and column, the mean over its pictures that have `numbers`: all of them, or none.

        They are from 0 to `most`.
        """
        units = tuple(
            Unit(f"{of.name}/{level}" if self._several else of.name, of.cluster) for of, level in self._prompts
        )
        found = [[n for p in of.pictures[level].values() if (n := numbers(p))] for of, level in self._prompts]
        means = {name: [mean([n[name] for n in of]) for of in found] for name in columns}
        return Part(units, tuple(map(bool, found)), means, dict.fromkeys(columns, (0.0, most)))

    def slices(self, whole: Part, fields: Mapping[str, str]) -> Slices:
        """The prompts of `whole` by these fields, under the names that they are given.

        What they have there stands in the order of the rows, which is the one that the prompts' authors chose.
        """
        found: Slices = {}
        for what, field in fields.items():
            parts, order = members(self.named(field)), dict.fromkeys(getattr(row, field) for row in self._rows)
            found[what] = {name: whole.only(parts[name]) for name in order if name in parts}
        return found
