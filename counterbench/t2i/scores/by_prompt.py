"""Judged checks by prompt: the units of means in protocols that compare no levels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from counterbench.t2i.scores.pictures import mean
from counterbench.t2i.scores.results import CheckResult, Picture, group_results
from counterbench.t2i.scores.scores import Part, Slices, Unit, members


class ByPrompt:
    """The pictures of every prompt; a prompt is a group at one level with pictures."""

    def __init__(self, rows: Iterable[CheckResult], levels: Sequence[str]) -> None:
        self._rows, self._several = list(rows), len(levels) > 1
        groups = group_results(self._rows, levels)
        self._prompts = [(group, level) for group in groups for level in levels if group.pictures[level]]

    def named(self, field: str) -> list[str]:
        """The value of each prompt in a field of its rows: category, law, …; "" for the level of a one-level set."""
        if field == "level":
            return [level if self._several else "" for _, level in self._prompts]
        return [str(getattr(group, field)) for group, _ in self._prompts]

    def part(
        self, columns: Sequence[str], numbers: Callable[[Picture], Mapping[str, float]], most: float = 1.0
    ) -> Part:
        """A number for each prompt and column: the mean over the prompt's pictures whose `numbers` are there.

        A picture has all numbers or none. They are from 0 to `most`.
        """
        units = tuple(
            Unit(f"{of.name}/{level}" if self._several else of.name, of.cluster) for of, level in self._prompts
        )
        by_prompt = [[n for p in of.pictures[level].values() if (n := numbers(p))] for of, level in self._prompts]
        means = {name: [mean([n[name] for n in of]) for of in by_prompt] for name in columns}
        return Part(units, tuple(map(bool, by_prompt)), means, dict.fromkeys(columns, (0.0, most)))

    def slices(self, whole: Part, fields: Mapping[str, str]) -> Slices:
        """The prompts of `whole` by these fields, under the names given for them.

        The values of a field stand in the order of the rows, which the prompts' authors chose.
        """
        by_kind: Slices = {}
        for what, field in fields.items():
            parts, order = members(self.named(field)), dict.fromkeys(getattr(row, field) for row in self._rows)
            by_kind[what] = {name: whole.only(parts[name]) for name in order if name in parts}
        return by_kind
