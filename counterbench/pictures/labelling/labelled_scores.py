"""The models' scores by people's standard, from labels of some pictures and the judge's guesses about all.

Each number is a sum over units that were drawn one by one; `stats.sampled` estimates it with an interval that holds at
all times, however often one looks. It is about these pictures, not about other prompts. Nothing is assumed of the
judge: a bad one only makes the interval wider.

Labels that were made elsewhere have no order and no chances of their own: they must be of a simple random sample of
pictures (of groups, for the numbers behind CF-Eval's gate).
"""

from collections.abc import Mapping, Sequence
from itertools import combinations, product

import msgspec
import numpy as np

from counterbench.pictures.labelling.label_words import FEWEST_GROUPS
from counterbench.pictures.labelling.sums import LabelledModel, UnitSum, in_order
from counterbench.pictures.labelling.units import LabelUnit
from counterbench.pictures.scores.document import ByPeople, Corrected
from counterbench.pictures.scores.labels import unused_label_lines
from counterbench.results.contrasts import ALPHA
from counterbench.results.measures import with_interval
from counterbench.stats.paired import holm
from counterbench.stats.sampled import estimate, p_value


class CorrectedDifference(msgspec.Struct, frozen=True, kw_only=True):
    """Two models' difference in one number, first less second; `p_holm` is adjusted for all pairs of models."""

    first: int  # the index of the model in `models`
    second: int
    value: Corrected
    p_holm: float

    @property
    def better(self) -> int | None:
        """The index of the better model, if the difference is significant; else None."""
        return None if self.p_holm > ALPHA else self.first if (self.value.value or 0) > 0 else self.second


class LabelledScores(msgspec.Struct, frozen=True, kw_only=True):
    """All models of a run by people's standard, and their differences in the main number."""

    models: list[ByPeople]
    differences: list[CorrectedDifference]

    @property
    def headline(self) -> bool:
        """True if these numbers, and not the judge's, are the headline of every model."""
        return all(model.headline for model in self.models)

    def lines(self, names: Sequence[str]) -> list[str]:
        """A line for every two models; `names`: of the models."""
        lines = []
        for difference in self.differences:
            result = "no difference is shown" if difference.better is None else f"{names[difference.better]} is better"
            p = "p < 0.001" if difference.p_holm < 0.001 else f"p {difference.p_holm:.3f}"
            names_of_two = f"{names[difference.first]} less {names[difference.second]}"
            lines.append(f"by people, {names_of_two}: {with_interval(difference.value)}: {result} ({p})")
        return lines

    def rank(self, model: int) -> int:
        """A model's rank: one more than the number of models that are shown to be better."""
        better_models = (pair.better for pair in self.differences if model in (pair.first, pair.second))
        return 1 + sum(better not in (None, model) for better in better_models)


def labelled_scores(models: Sequence[LabelledModel], column: str, sample: Sequence[LabelUnit] | None) -> LabelledScores:
    """The scores of the models of a run by the labels; `sample`: the run's, if the labels are of its questions.

    `column`: the main number. InputError, naming the line, for a label that does not fit its check.
    """
    sums = [model.sums() for model in models]
    differences = []
    for first, second in combinations(range(len(models)), 2):
        if column in sums[first] and column in sums[second]:
            difference = sums[first][column].less(sums[second][column])
            p = 1.0 if difference.unsampled(sample) else p_value(*difference.sampled(sample))
            differences.append((first, second, _estimated(difference, sample), p))
    adjusted = holm([p for *_, p in differences])
    by_people = [_by_people(model, by_name, column, sample) for model, by_name in zip(models, sums, strict=True)]
    all_labelled = all(
        column in by_name and by_name[column].labelled.keys() >= by_name[column].spans.keys() for by_name in sums
    )
    headline = all(people.columns and (all_labelled or people.groups >= FEWEST_GROUPS) for people in by_people)
    return LabelledScores(
        models=[msgspec.structs.replace(people, headline=headline) for people in by_people],
        differences=[
            CorrectedDifference(first=first, second=second, value=value, p_holm=1.0 if p is None else p)
            for (first, second, value, _), p in zip(differences, adjusted, strict=True)
        ],
    )


def _by_people(
    model: LabelledModel, sums: Mapping[str, UnitSum], main: str, sample: Sequence[LabelUnit] | None
) -> ByPeople:
    """One model's numbers by people's labels: means, and the rates computed from them, with notes.

    The interval of a rate has its ends at corners of the box of its means' intervals, each of them at alpha divided by
    the number of means (Bonferroni). `main`: the main number, whose labelled groups are counted.
    """
    columns = {name: _estimated(number, sample) for name, number in sums.items() if number.labelled}
    for name, formula in model.formulas.items():
        if all(part in columns for part in formula.columns):
            wide = [_estimated(sums[part], sample, ALPHA / len(formula.columns)) for part in formula.columns]
            corners = product(*((operand.low, operand.high) for operand in wide))
            with np.errstate(divide="ignore", invalid="ignore"):
                ends = [float(formula.compute(*map(np.float64, corner))) for corner in corners]
                value = float(formula.compute(*(np.float64(operand.value) for operand in wide)))
                judged = float(formula.compute(*(np.float64(operand.judged) for operand in wide)))
            clamped = [min(max(end, formula.limits[0]), formula.limits[1]) for end in ends if not np.isnan(end)]
            if not (np.isfinite(value) and clamped):  # a denominator of 0
                continue
            columns[name] = Corrected(
                value, min(clamped), max(clamped), judged=judged, judge_weight=None,
                labelled=min(operand.labelled for operand in wide), of=min(operand.of for operand in wide),
            )  # fmt: skip
    total = sums.get(main)
    groups = (
        {name.split("/")[0] for name in in_order(total.spans, total.labelled, sample)} if total is not None else set()
    )
    notes, protocol = unused_label_lines(model.run.rows, model.labels), model.run.protocol
    if not sums:
        notes.append(f"no scores by people: S of {protocol.name} cannot be computed from labels of checks")
    elif model.credits and not (total is not None and total.labelled):
        unit = "group" if protocol.labelled_by == "group" else "picture"
        notes.append(f"no scores by people: no {unit} has labels of all its checks")
    return ByPeople(columns=columns, groups=len(groups), labels=len(model.labels), headline=False, notes=notes)


def _estimated(number: UnitSum, sample: Sequence[LabelUnit] | None, alpha: float = ALPHA) -> Corrected:
    """A number by labels and guesses, with its interval at `alpha`; units outside the sample may have any value."""
    terms, labelled = number.sampled(sample)
    sum_ = estimate(terms, labelled, alpha)
    # Questions that the run has by now, and the sample has not: nobody is asked them, so they may be anything.
    outside = [span for name, span in number.spans.items() if name in number.unsampled(sample)]
    low, high, guess = (sum(ends) for ends in zip(*outside, strict=True)) if outside else (0.0, 0.0, 0.0)
    return Corrected(
        sum_.value + guess, sum_.low + low, sum_.high + high, judged=float(terms.judged.sum()) + guess,
        judge_weight=sum_.judge_weight, labelled=len(labelled.things), of=len(number.spans),
    )  # fmt: skip
