"""All columns of a run, so that the whole and every part of it are averages of the same numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from counterbench.stats.bootstrap import Resample, Series
from counterbench.stats.intervals import Estimate
from counterbench.t2i.scores.columns import ASSESSMENT, LEVELS, SHOWN, Column, Gate, Scores, habit_columns
from counterbench.t2i.scores.document import Gated, Habit, Part, Rates, Swept
from counterbench.t2i.scores.results import GroupResult
from counterbench.t2i.scores.rules import Scoring

R = TypeVar("R", Series, Estimate)

SWEEP = (0.3, 0.4, 0.5, 0.6, 0.7)  # the paper's Table 4
RATES = ("s_l1", "s_l2", "s_l3", "prr", "rrr")


def rates(first: Series, second: Series, third: Series, formula: str) -> dict[str, Series]:
    """The three means and PRR and RRR made of them, by the paper's formula or the README's; not finite if undefined."""
    import numpy as np

    with np.errstate(divide="ignore", invalid="ignore"):
        if formula == "readme":
            prr, rrr = second / first, third / second * third
        else:
            prr, rrr = second / np.sqrt(first), third / np.sqrt(second)
    return dict(zip(RATES, (first, second, third, prr, rrr), strict=True))


def picked(found: Mapping[str, R], prefix: str) -> dict[str, R]:
    """The five rates among the measures that begin with `prefix`; empty where they are not measured."""
    return {name: found[prefix + name] for name in RATES if prefix + name in found}


class Table:
    """The columns of a run under one scoring: see `Part` for what is made of them.

    `threshold` is that of the gate, None for a set without the three levels, which has none.
    """

    def __init__(self, groups: Sequence[GroupResult], levels: Sequence[str], how: Scoring, threshold: float) -> None:
        self.how, self.levels = how, tuple(levels)
        self.threshold = threshold if self.levels == LEVELS else None
        self.scores = Scores(groups, how)
        point = Scores(groups, how, ASSESSMENT)
        self.columns: dict[str, Column] = {}
        self._told: dict[str, list[int]] = {}  # how many pictures tell of habit, by level and group
        for level in self.levels:
            self.columns[f"level {level}"] = self.scores.level(level)
            self.columns[f"point level {level}"] = point.level(level)
        for level in self.levels[1:]:
            told, shares = habit_columns(groups, level)
            if any(told):
                self._told[level] = told
                self.columns |= {f"{what} {level}": column for what, column in shares.items()}
        if self.threshold is not None:
            gate = Gate(self.scores, self.threshold)
            self.columns["closed"] = gate.closed()
            for level in LEVELS[1:]:
                self.columns[f"gated {level}"] = gate.apply(self.scores, level)
                self.columns[f"point gated {level}"] = gate.apply(point, level)
        elif len(self.levels) == 2:
            pairs = zip(*(self.columns[f"level {level}"] for level in self.levels), strict=True)
            self.columns["change"] = [None if a is None or b is None else b - a for a, b in pairs]

    def has_all(self, group: int) -> bool:
        """Whether a group has a value at every level, gated too."""
        return all(
            column[group] is not None
            for name, column in self.columns.items()
            if name.startswith(("level ", "gated ", "change"))
        )

    def series(self, members: Sequence[int], resample: Resample) -> dict[str, Series]:
        """Every measure of these groups under the resample's draws; `resample` has a cluster for each of them."""
        found = {name: resample.mean([column[i] for i in members]) for name, column in self.columns.items()}
        if self.threshold is None:
            return found
        for of in ("", "point "):
            plain = [found[f"{of}level {level}"] for level in LEVELS]
            gated = [plain[0], *(found[f"{of}gated {level}"] for level in LEVELS[1:])]
            for name, means in (("ungated", plain), ("gated", gated)):
                made = rates(means[0], means[1], means[2], self.how.rates)
                found |= {f"{of}{name} {rate}": series for rate, series in made.items()}
        return found

    def part(self, members: Sequence[int], resample: Resample) -> Part:
        """The numbers of these groups."""
        found = resample.estimates(self.series(members, resample))
        gated = self.threshold is not None
        point = Gated(ungated=Rates(**picked(found, "point ungated ")), **picked(found, "point gated "))
        return Part(
            groups=len(members),
            clusters=resample.clusters,
            levels={level: found[f"level {level}"] for level in self.levels},
            change=found.get("change"),
            share_gated=found.get("closed"),
            ungated=Rates(**picked(found, "ungated ")) if gated else None,
            assessment_levels={level: found[f"point level {level}"] for level in self.levels},
            assessment_point=point if gated else None,
            habit={
                level: Habit(pictures=sum(told[i] for i in members), **{w: found[f"{w} {level}"] for w in SHOWN})
                for level, told in self._told.items()
            },
            **picked(found, "gated "),
        )

    def sweep(self, resample: Resample) -> list[Swept]:
        """The gated rates at the paper's thresholds; none without a gate."""
        if self.threshold is None:
            return []
        swept = []
        first = resample.mean(self.columns[f"level {LEVELS[0]}"])
        for threshold in SWEEP:
            gate = Gate(self.scores, threshold)
            second, third = (resample.mean(gate.apply(self.scores, level)) for level in LEVELS[1:])
            made = rates(first, second, third, self.how.rates)
            swept.append(
                Swept(
                    threshold=threshold,
                    share_gated=resample.estimate(resample.mean(gate.closed())),
                    **{name: resample.estimate(series) for name, series in made.items()},
                )
            )
        return swept
