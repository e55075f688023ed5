"""Evidence that a judge is right on these very pictures: its sensitivity and specificity by people's answers, by skill.

Both are shares over all of the run's yes/no questions that need a skill, and the hypothesis is that one of them is the
policy's bound or less. The evidence against it is that of a bet on w · 1{truth yes} (1{judge yes} − bound), w the
inverse chance of being drawn, and likewise for no (`stats.sampled.log_evidence`); it may be looked at after every
label. Adjusted for the number of skills, as a certificate's cells are.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from counterbench.evidence.admission import policy_of
from counterbench.evidence.cells import needed_e_value
from counterbench.evidence.shown import OnPictures
from counterbench.pictures.labelling.sums import LabelledModel, Span, SumEnds, UnitSum, in_order
from counterbench.pictures.labelling.units import LabelUnit, place_of
from counterbench.pictures.scores.labels import affirmed
from counterbench.pictures.scores.results import by_key
from counterbench.prompts.skills import skill_of
from counterbench.stats.betting import BETS, adjusted
from counterbench.stats.intervals import UNDEFINED, Estimate
from counterbench.stats.sampled import Floats, log_evidences

_LARGEST = 600.0  # the highest logarithm of an e-value: `exp` of more than 709 overflows
_BETS = np.array(BETS)
_FEWEST = 10  # the smallest number of labels of a side that can refute a judge: a few may be a rater's slips
_LOG_E_OF_SIDE = math.log(40)  # refutes a share at 2.5 %: of each side of an interval of 95 %
_HALVINGS = 9  # in the search for an end of an interval, which it finds to 1/500


class JudgedAnswer(NamedTuple):
    """A yes/no question that the judge answered."""

    unit: str
    yes: bool  # the judge's answer
    truth: SumEnds | None  # lowest and highest share of people's answers that is yes; None without a label

    @property
    def denied(self) -> "JudgedAnswer":
        """This answer, as one to the opposite question."""
        return JudgedAnswer(
            self.unit, not self.yes, None if self.truth is None else (1 - self.truth[1], 1 - self.truth[0])
        )


def labelled_evidence(model: LabelledModel, sample: Sequence[LabelUnit] | None) -> dict[str, OnPictures]:
    """The evidence by skill, for the skills that have a label.

    `sample`: the run's units in the order of their draw; None for labels that were made elsewhere.
    """
    policy, skills = policy_of(model.run.kept.certificate), judged_by_skill(model)
    e_needed = needed_e_value(policy, 1)
    sides = {
        skill: sides_of(questions, sample)
        for skill, questions in skills.items()
        if any(question.truth is not None for question in questions)
    }
    logs = {skill: [float(side.log_evidence(policy.ccs)[-1]) for side in both] for skill, both in sides.items()}
    log_e_to_refute = math.log(2 * len(sides) * e_needed) if sides else 0.0
    values = adjusted([math.exp(min(_LARGEST, *both)) for both in logs.values()])
    return {
        skill: OnPictures(
            admitted=value >= e_needed,
            refuted=any(
                side.count >= _FEWEST and side.log_evidence(policy.ccs, against=True)[-1] >= log_e_to_refute
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


def judged_by_skill(model: LabelledModel) -> dict[str, list[JudgedAnswer]]:
    """The yes/no questions about a model's pictures that the judge answered, by skill."""
    by_skill = defaultdict[str, list[JudgedAnswer]](list)
    for row in model.visible_rows:
        if row.yes_no and row.credit is not None:
            unit = model.unit(row) if model.sampled else f"{model.run.kept.model.name}/{row.sample_id}"
            judged = JudgedAnswer(unit, affirmed(row), model.credits.get(place_of(row)))
            skill = skill_of(model.run.prompts.checks[row.prompt_id, row.check])
            by_skill[skill].append(judged if row.expected == "yes" else judged._replace(truth=judged.denied.truth))
    return by_skill


def sides_of(
    questions: Sequence[JudgedAnswer], sample: Sequence[LabelUnit] | None
) -> "tuple[ShareOfSide, ShareOfSide]":
    """The questions as two sides: those whose truth is yes, and those whose truth is no, each turned into yes."""
    return ShareOfSide(questions, sample), ShareOfSide([question.denied for question in questions], sample)


class ShareOfSide:
    """The share of the questions with the true answer yes to which the judge says yes, with the evidence about it.

    `count`: the number of labelled questions whose true answer is surely yes. `order`: the labelled units, as drawn.
    """

    def __init__(self, questions: Sequence[JudgedAnswer], sample: Sequence[LabelUnit] | None) -> None:
        """Put the questions into their units, and the labelled units into the order of the draw."""
        self._units = by_key((question.unit, question) for question in questions)
        whole = {name for name, unit in self._units.items() if all(question.truth is not None for question in unit)}
        self.order = in_order(self._units, whole, sample)
        self._sample = sample
        self.count = sum(low for name in self.order for _, (low, _) in self._labelled(name))

    def log_evidence(self, bound: float, against: bool = False) -> Floats:
        """The evidence that the share exceeds the bound (`against`: is below), before all units and after each.

        The result, (U + 1,) for U labelled units in the order of the draw, has natural logarithms of e-values. `bound`:
        0 … 1.
        """
        spans = {name: Span(-bound * len(unit), (1 - bound) * len(unit), 0.0) for name, unit in self._units.items()}
        sums = {}
        for name in self.order:
            ends = [sorted((yes - bound) * end for end in truth) for yes, truth in self._labelled(name)]
            sums[name] = sum(low for low, _ in ends), sum(high for _, high in ends)
        terms, labelled = UnitSum(spans, sums).sampled(self._sample)
        if against:
            terms, labelled = terms.turned, labelled.turned
        return log_evidences(terms, labelled, bets=_BETS)

    def interval(self) -> Estimate:
        """The share, with a 95 % interval; questions are weighted by the inverse of their chance to be drawn."""
        hits = total = 0.0
        draw_weights = {unit.name: unit.weight for unit in self._sample or ()}  # a chance to be drawn, up to a factor
        for name in self.order:
            for yes, (low, _) in self._labelled(name):
                hits += low * yes / draw_weights.get(name, 1.0)
                total += low / draw_weights.get(name, 1.0)
        if not total:
            return UNDEFINED
        value = hits / total
        low = _bisect(0.0, value, lambda bound: self.log_evidence(bound)[-1] >= _LOG_E_OF_SIDE)
        high = 1 - _bisect(
            0.0, 1 - value, lambda bound: self.log_evidence(1 - bound, against=True)[-1] >= _LOG_E_OF_SIDE
        )
        return Estimate(value, low, high)

    def _labelled(self, unit: str) -> Iterator[tuple[bool, SumEnds]]:
        """The judge's answer to each labelled question of a unit, with the range of people's share of yes."""
        return ((question.yes, question.truth) for question in self._units[unit] if question.truth is not None)


def _bisect(low: float, high: float, refuted: Callable[[float], bool]) -> float:
    """The largest bound between `low` and `high` that is refuted, by halving; `low` if none is."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if 0 < middle < 1 and refuted(middle) else (low, middle)
    return low
