"""Evidence that a judge is right on these very pictures: its sensitivity and specificity by people's answers, by skill.

Both are shares over all of the run's yes/no questions that need a skill, and the hypothesis is that one of them is the
policy's bound or less. The evidence against it is that of a bet on w · 1{truth yes} (1{judge yes} − bound), w the
inverse chance of being drawn, and likewise for no (`stats.sampled.log_evidence`); it may be looked at after every
label. Adjusted for the number of skills, as a certificate's cells are.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from counterbench.evidence.admission import policy_of
from counterbench.evidence.cells import needed_e_value
from counterbench.evidence.document import Certificate
from counterbench.evidence.shown import OnPictures
from counterbench.pictures.labelling.scores import in_order
from counterbench.pictures.labelling.sums import Ends, LabelledModel
from counterbench.pictures.labelling.units import Unit, place_of
from counterbench.pictures.scores.labels import affirmed
from counterbench.prompts.skills import skill_of
from counterbench.stats.betting import BETS, adjusted
from counterbench.stats.intervals import Estimate
from counterbench.stats.sampled import Floats, SeenTerms, Terms, log_evidences

_LARGEST = 600.0  # the highest logarithm that is written
_BETS = np.array(BETS)
_FEWEST = 10  # labels of a side that can refute a judge: one or two may be a rater's slip
_HALVINGS = 9  # of the interval of a share, to 1/500


class Judged(NamedTuple):
    """A yes/no question that the judge answered."""

    unit: str
    yes: bool  # the judge's answer
    truth: Ends | None  # of people's answer, 0 for no … 1 for yes; None without a label


def labelled_evidence(
    models: Sequence[LabelledModel], certificate: Certificate | None, sample: Sequence[Unit] | None
) -> dict[str, OnPictures]:
    """The evidence by skill, of these models together, for the skills that have a label."""
    policy, skills = policy_of(certificate), judged_by_skill(models)
    least = needed_e_value(policy, 1)
    sides = {
        skill: [Side(asked, truth, sample) for truth in (True, False)]
        for skill, asked in skills.items()
        if any(each.truth is not None for each in asked)
    }
    logs = {skill: [float(side.logs(policy.ccs)[-1]) for side in both] for skill, both in sides.items()}
    values = adjusted([math.exp(min(_LARGEST, *of)) for of in logs.values()])
    return {
        skill: OnPictures(
            admitted=value >= least,
            refuted=any(
                side.count >= _FEWEST and side.logs(policy.ccs, against=True)[-1] >= math.log(2 * len(sides) * least)
                for side in both
            ),
            sensitivity=both[0].interval(),
            specificity=both[1].interval(),
            yes=round(both[0].count),
            no=round(both[1].count),
            evidence=value,
        )
        for (skill, both), value in zip(sides.items(), values, strict=True)
    }


def judged_by_skill(models: Sequence[LabelledModel]) -> dict[str, list[Judged]]:
    """The yes/no questions about these models' pictures that the judge answered."""
    asked = defaultdict[str, list[Judged]](list)
    for of in models:
        skills = {(p.id, check.id): skill_of(check) for p in of.of.run.prompts.prompts for check in p.checks}
        for row in of.of.asked:
            if row.yes_no and row.credit is not None:
                credit = of.credits.get(place_of(row))
                truth = credit if row.expected == "yes" or credit is None else (1 - credit[1], 1 - credit[0])
                unit = of.of.unit(row) if of.sampled else f"{of.of.run.kept.model.name}/{row.sample_id}"
                asked[skills[f"{row.group}/{row.level}", row.check]].append(Judged(unit, affirmed(row), truth))
    return asked


class Side:
    """The questions whose truth is yes (or no): the share to which the judge says so, bet on unit by unit."""

    def __init__(self, asked: Sequence[Judged], truth: bool, sample: Sequence[Unit] | None) -> None:
        self._units = defaultdict[str, list[Judged]](list)
        for each in asked:
            self._units[each.unit].append(each)
        self._truth = truth
        whole = {name for name, of in self._units.items() if all(each.truth is not None for each in of)}
        self.order = in_order(self._units, whole, sample)
        self._weights = {} if sample is None else {unit.name: unit.weight for unit in sample}
        self.count = sum(self._of(each)[0] for name in self.order for each in self._units[name])

    def logs(self, bound: float, against: bool = False) -> Floats:
        """The evidence that the share exceeds the bound (`against`: is below), before all units and after each."""
        terms, seen = self._bets(bound)
        return log_evidences(*((terms.turned, seen.turned) if against else (terms, seen)), bets=_BETS)

    def interval(self) -> Estimate:
        """The share of those labelled, weighted by the inverse of their chance, with an interval of 95 %."""
        hits = total = 0.0
        for name in self.order:
            for each in self._units[name]:
                weight = 1 / self._weights.get(name, 1.0)
                hits += weight * self._of(each)[0] * (each.yes is self._truth)
                total += weight * self._of(each)[0]
        if not total:
            return Estimate(None, None, None)
        value = hits / total
        low = _halved(0.0, value, lambda bound: self.logs(bound)[-1] >= math.log(40))
        high = 1 - _halved(0.0, 1 - value, lambda bound: self.logs(1 - bound, against=True)[-1] >= math.log(40))
        return Estimate(value, low, high)

    def _of(self, each: Judged) -> Ends:
        """1 … 1 if the truth is this side's, 0 … 0 if not, 0 … 1 if nobody can tell."""
        assert each.truth is not None
        return each.truth if self._truth else (1 - each.truth[1], 1 - each.truth[0])

    def _bets(self, bound: float) -> tuple[Terms, SeenTerms]:
        names = [name for name in self._units if not self._weights or name in self._weights]
        counts = np.array([len(self._units[name]) for name in names], float)
        weights = np.array([self._weights.get(name, 1.0) for name in names])
        places = {name: place for place, name in enumerate(names)}
        seen = np.array([self._seen(self._units[name], bound) for name in self.order]).reshape(-1, 2)
        terms = Terms(-bound * counts, (1 - bound) * counts, 0 * counts, weights)
        return terms, SeenTerms([places[name] for name in self.order], seen[:, 0], seen[:, 1])

    def _seen(self, asked: Sequence[Judged], bound: float) -> Ends:
        terms = [sorted((float(each.yes is self._truth) - bound) * end for end in self._of(each)) for each in asked]
        return sum(low for low, _ in terms), sum(high for _, high in terms)


def _halved(low: float, high: float, refuted: Callable[[float], bool]) -> float:
    """The largest bound that is refuted, between two; the first if none is."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if 0 < middle < 1 and refuted(middle) else (low, middle)
    return low
