"""A model's numbers as sums over units, by the judge's guesses and by people's labels.

A unit is what people label together (`units.LabelUnit`), such as one check (a question) of one picture. A number of a
model, such as its mean score S, is a sum with a term for each unit. The term is a range: before its unit is labelled,
from 0 to its largest value; after, one value, or a range again where people could not tell. `LabelledModel.sums` gives
a `UnitSum` for each number; `labelled_scores` makes intervals of these by `stats.sampled`. Labels are for a sample of
the units, drawn at random.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import takewhile
from statistics import fmean
from typing import NamedTuple

import msgspec
import numpy as np

from counterbench.pictures.comparing.joining import is_mean_of_checks
from counterbench.pictures.judging.judged_run import JudgedRun
from counterbench.pictures.labelling.units import CheckPlace, LabelUnit, ModelChecks, place_of
from counterbench.pictures.run_scores import labels_of
from counterbench.pictures.scores.labels import CANNOT_TELL, HumanLabel, labels_with_credits
from counterbench.pictures.scores.results import CheckResult, by_key, joined
from counterbench.pictures.scores.rules import DEFAULT
from counterbench.pictures.scores.scores import Formula
from counterbench.scene.seeds import Stream
from counterbench.stats.sampled import SeenTerms, Terms

SumEnds = tuple[float, float]  # the lowest and the highest possible value
_HALF = 0.5  # a larger share of raters decides a check; a credit of at most this is wrong for the checks that need it
Credits = Mapping[CheckPlace, SumEnds]  # by check, 0 … 1; the ends differ where people could not tell


class Span(NamedTuple):
    """The term of a unit before it is labelled: its range, and the judge's guess."""

    low: float
    high: float
    guess: float


class UnitSum(NamedTuple):
    """A number as a sum over units, of which some have labels of all their checks."""

    spans: Mapping[str, Span]  # by unit
    labelled: Mapping[str, SumEnds]  # the terms of labelled units, by unit

    def less(self, other: "UnitSum") -> "UnitSum":
        """The difference of this number and another model's, as a sum over units; a unit that one lacks is 0 there."""
        spans, labelled = {}, {}
        for name in dict.fromkeys((*self.spans, *other.spans)):
            first, second = (number.spans.get(name, Span(0.0, 0.0, 0.0)) for number in (self, other))
            spans[name] = Span(first.low - second.high, first.high - second.low, first.guess - second.guess)
            ends = [number.labelled.get(name, None if name in number.spans else (0.0, 0.0)) for number in (self, other)]
            if ends[0] is not None and ends[1] is not None:
                labelled[name] = (ends[0][0] - ends[1][1], ends[0][1] - ends[1][0])
        return UnitSum(spans, labelled)

    def unsampled(self, sample: Sequence[LabelUnit] | None) -> set[str]:
        """The names of the units that the sample does not have."""
        return set() if sample is None else self.spans.keys() - {unit.name for unit in sample}

    def sampled(self, sample: Sequence[LabelUnit] | None) -> tuple[Terms, SeenTerms]:
        """The units of the sample in the shape of `stats.sampled`, and those with labels, in the order of the draw.

        Without a `sample` all units are taken, each with a weight of 1.
        """
        weights = dict.fromkeys(self.spans, 1.0) if sample is None else {unit.name: unit.weight for unit in sample}
        names = [name for name in self.spans if name in weights]
        low, high, guess = np.array([self.spans[name] for name in names], float).reshape(-1, 3).T
        index_of = {name: place for place, name in enumerate(names)}
        order = in_order(self.spans, self.labelled, sample)
        ends = np.array([self.labelled[name] for name in order], float).reshape(-1, 2).T
        return Terms(low, high, guess, np.array([weights[name] for name in names])), SeenTerms(
            [index_of[name] for name in order], *ends
        )


def in_order(units: Collection[str], labelled: Collection[str], sample: Sequence[LabelUnit] | None) -> list[str]:
    """The labelled units in the order in which they were drawn, up to the first one without a label.

    Without a sample: all labelled units, in an order that depends on their names alone.
    """
    if sample is None:
        return sorted(labelled, key=lambda name: Stream("label-order", name).noise(8))
    return list(takewhile(labelled.__contains__, (unit.name for unit in sample if unit.name in units)))


class LabelledModel(ModelChecks):
    """One model's checks with people's labels, and its numbers as sums (`sums`).

    `sampled`: the labels are answers to a run's drawn sample, and the units are those of the sample; else each picture
    is a unit. `credits`: people's credit of each labelled check, as a range of 0 … 1.
    """

    def __init__(self, run: JudgedRun, labels: Sequence[HumanLabel], sampled: bool) -> None:
        super().__init__(run)
        self.sampled, self.labels = sampled, labels_of(self.run, labels)
        self.credits = _credits(self.visible_rows, self.labels)

    def sums(self) -> dict[str, UnitSum]:
        """By name each number that is a mean over prompts or groups; empty for a protocol whose S is no mean."""
        run, levels = self.run, self.run.prompts.levels
        if not is_mean_of_checks(run.protocol):
            return {}
        if run.protocol.labelled_by == "check":
            return {"score": self._mean("")}
        ungated = "ungated_" if self.formulas else ""
        means = {f"{ungated}s_{level}": self._mean(level) for level in levels}
        return means | (self._gated() if self.formulas else {})

    @property
    def formulas(self) -> Mapping[str, Formula]:
        """By name the formulas of PRR and RRR, rates of CF-Eval's means at the levels L1, L2 and L3; else empty."""
        run = self.run
        score = run.protocol.score(self.rows[:1], run.prompts.levels, run.protocol.scorings[DEFAULT])
        return {name: formula for name, formula in score.formulas.items() if name in score.headline and formula.paired}

    @property
    def _guessed(self) -> Credits:
        """The judge's guess of each check's credit, as a range whose ends are the same."""
        return {place: (guess, guess) for place, guess in self.guesses.items()}

    def _mean(self, level: str) -> UnitSum:
        """The mean of S over the prompts of a level, without a gate, as a sum over units."""
        shares, guesses = self.shares(level), self._guessed
        in_mean = (row for row in self.visible_rows if place_of(row) in shares)
        units = by_key((self.unit(row) if self.sampled else row.sample_id, row) for row in in_mean)
        spans = {
            name: Span(0.0, sum(shares[place_of(row)] for row in rows), _term(rows, shares, guesses, 0))
            for name, rows in units.items()
        }
        labelled = {
            name: (_term(rows, shares, people, 0), _term(rows, shares, people, 1))
            for name, rows in units.items()
            if all(place_of(row) in self.credits for row in rows)
            for people in [self._credits_with_needs(rows)]
        }
        return UnitSum(spans, labelled)

    def _credits_with_needs(self, rows: Sequence[CheckResult]) -> Credits:
        """People's credits of these checks; 0 for a check that needs one which is wrong (`asks.unmet`)."""
        credits = {place_of(row): self.credits[place_of(row)] for row in rows}
        for sample in dict.fromkeys(row.sample_id for row in rows):
            wrong_ids = set[str](), set[str]()  # at the low and at the high end: ids of wrong checks
            for check in self.run.prompts.by_id[sample.rpartition("/")[0]].checks:
                if (place := (sample, check.id)) in credits:
                    low, high = (
                        0.0 if ids.intersection(check.needs) else end
                        for ids, end in zip(wrong_ids, credits[place], strict=True)
                    )
                    credits[place] = low, high
                    for ids, end in zip(wrong_ids, (low, high), strict=True):
                        ids.update([check.id] if end <= _HALF else [])
        return credits

    def _gated(self) -> dict[str, UnitSum]:
        """S at each level behind the gate, as sums over groups; a labelled group needs labels of all its checks."""
        groups = by_key((row.group, place_of(row)) for row in self.visible_rows)
        labelled_groups = {group for group, places in groups.items() if all(place in self.credits for place in places)}
        by_guesses = self._columns(self.rows, self._guessed, 0)
        rows = [row for row in self.rows if row.group in labelled_groups]
        ends = [self._columns(rows, self.credits, end) for end in (0, 1)] if rows else [{}, {}]
        sums = {}
        for name, by_group in by_guesses.items():
            share = 1 / max(1, len(by_group))
            # Groups of which no picture is there to be labelled count 0, and are never drawn.
            spans = {group: Span(0.0, share, share * guess) for group, guess in by_group.items() if group in groups}
            low, high = (columns.get(name, {}) for columns in ends)
            sums[name] = UnitSum(spans, {group: (share * low[group], share * high[group]) for group in low})
        return sums

    def _columns(self, rows: Sequence[CheckResult], credits: Credits, end: int) -> dict[str, dict[str, float]]:
        """S at each level behind the gate, by name and group, from one `end` (0 low, 1 high) of these credits."""
        run = self.run
        credited_rows = [
            row if row.picture != "ok" else msgspec.structs.replace(row, credit=credits[place_of(row)][end])
            for row in rows
        ]
        part = run.protocol.score(credited_rows, run.prompts.levels, run.protocol.scorings[DEFAULT]).whole
        return {
            name: {unit.name: value for unit, value in zip(part.units, column, strict=True) if value is not None}
            for name, column in part.columns.items()
            if name.startswith("s_")
        }


def _term(rows: Iterable[CheckResult], shares: Mapping[CheckPlace, float], credits: Credits, end: int) -> float:
    """Σ share · credit of these checks, by one `end` (0 low, 1 high) of credits; parts of a point are one check."""
    checks = (
        msgspec.structs.replace(row, weight=shares[place], credit=credits[place][end], outcome="answer")
        for row in rows
        for place in [place_of(row)]
    )
    by_sample = by_key((check.sample_id, check) for check in checks)
    return sum(row.weight * (row.credit or 0) for of_sample in by_sample.values() for row in joined(of_sample))


def _credits(rows: Iterable[CheckResult], labels: Sequence[HumanLabel]) -> dict[CheckPlace, SumEnds]:
    """People's credit of each labelled check, as a range of 0 … 1 that is wide where people could not tell.

    More than half of the raters decide a yes/no question, and a tie is "cannot tell"; of grades it is their mean.
    """
    by_check = {place_of(row): row for row in rows}
    by_place = defaultdict[CheckPlace, list[SumEnds]](list)
    for label in labels:
        if label.label == CANNOT_TELL and (label.sample, label.check) in by_check:
            by_place[label.sample, label.check].append((0.0, 1.0))
    for _, row, credit in labels_with_credits(rows, labels):
        by_place[place_of(row)].append((credit, credit))
    credits = dict[CheckPlace, SumEnds]()
    for place, ranges in by_place.items():
        low, high = (fmean(ends) for ends in zip(*ranges, strict=True))
        credits[place] = (float(low > _HALF), float(high >= _HALF)) if by_check[place].yes_no else (low, high)
    return credits
