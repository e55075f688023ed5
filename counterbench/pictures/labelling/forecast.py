"""A forecast of labels: the width of intervals, and the decisions, that so many of them are likely to give.

A label is a person's answer to a question about a picture. Labels correct the judge's scores, and certify the judge
for a skill if it is shown right often enough. `forecast_labels` takes the folder of a judged run and gives a
`LabelForecast` for `label --plan`; `labels_to_certify` is a quick bound for `evaluate`.

It simulates the run's own questions in the order of their draw. People's answers are those that are there, and made up
elsewhere: the judge's guess, wrong as often as the labels so far show (at first as often as a judge that just passes).
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from copy import copy
from itertools import accumulate
from pathlib import Path
from statistics import fmean

import msgspec
import numpy as np

from counterbench.evidence.admission import FLOOR, policy_of
from counterbench.evidence.cells import needed_e_value
from counterbench.evidence.policies import Policy, load_policy
from counterbench.pictures.judging.judged_run import JudgedRun, load_models
from counterbench.pictures.labelling.answers import labels_in
from counterbench.pictures.labelling.evidence import JudgedAnswer, judged_by_skill, sides_of
from counterbench.pictures.labelling.label_words import FEWEST_GROUPS
from counterbench.pictures.labelling.labelled_scores import labelled_scores
from counterbench.pictures.labelling.sample import open_sample
from counterbench.pictures.labelling.sums import LabelledModel
from counterbench.pictures.labelling.units import LabelUnit, ModelChecks, place_of
from counterbench.pictures.run_scores import score
from counterbench.pictures.words.run_names import main_number
from counterbench.prompts.skills import shares_of, skill_of
from counterbench.results.contrasts import ALPHA
from counterbench.results.measures import heading
from counterbench.stats.betting import hits_to_reach
from counterbench.text import counted

_SIZES = (50, 100, 200, 400)  # numbers of labels
_DRAWS = 5  # simulations of made-up people for each size
_MIN_LABELS = 10  # with so many labels, these say how often the judge is wrong; with fewer it is assumed


class Expected(msgspec.Struct, frozen=True, kw_only=True):
    """The result that a number of labels is likely to give."""

    labels: int  # their number
    groups: int  # the number of labelled groups (a group: the prompts about one subject)
    width: float  # of a model's interval, on average
    parted: float  # the share of pairs of models with a significant difference


class Needed(msgspec.Struct, frozen=True):
    """The number of labels with which a judge is certified for a skill."""

    yes: int  # labels of questions whose true answer is yes, those that are there already included
    no: int  # the same for no
    more: int  # labels of both kinds that are still to be given


class ToCertify(msgspec.Struct, frozen=True, kw_only=True):
    """The labels that certify the judge for a skill on one model's pictures, if all skills are tested; null if none do.

    Sensitivity is the judge's share of right answers where people say yes, specificity where they say no.
    """

    model: str
    skill: str
    sensitivity: float | None  # by the labels so far
    specificity: float | None
    at_best: Needed | None  # if the judge is right about all that has no label yet
    one_error: Needed | None  # if it is wrong once where it says yes, and once where it says no
    as_so_far: Needed | None  # if it is wrong as often as so far


class LabelForecast(msgspec.Struct, frozen=True, kw_only=True):
    """The width of intervals and the decisions to expect from more labels, as `label --plan` writes them."""

    column: str  # the number that is forecast
    questions: int  # in the run's sample, which people are asked about
    units: int  # sets of questions that are labelled together
    models: int
    labels: int  # that are there already
    wrong: float  # the assumed share of wrong answers of the judge
    expected: list[Expected]
    bound: float  # of the policy, which sensitivity and specificity must exceed
    to_certify: list[ToCertify]

    @property
    def lines(self) -> list[str]:
        """The forecast in words."""
        count_text = f"{counted(self.labels, 'label')} so far of {counted(self.questions, 'question')}"
        lines = [f"{count_text}; if the judge is wrong about {100 * self.wrong:.0f} % of them:"]
        for result in self.expected:
            parted = f"{100 * result.parted:.0f} %"
            models = "" if self.models < 2 else f", the two models told apart in {parted} of cases"
            models = f", {parted} of model pairs told apart" if self.models > 2 else models
            first = ", first in the tables" if result.groups >= FEWEST_GROUPS else ""
            lines.append(f"{result.labels:>5} labels: {heading(self.column)} ± {result.width / 2:.2f}{models}{first}")
        return lines


def forecast_labels(path: Path) -> LabelForecast:
    """The forecast for the run in `path`; its sample is drawn if it was not yet. InputError as of `open_sample`."""
    runs = load_models(path)
    sample = open_sample(path, [ModelChecks(run) for run in runs])
    labels = labels_in(path, sample)
    labelled_models = [LabelledModel(run, labels, sampled=True) for run in runs]
    column, wrong = main_number(score(runs[0])), _wrong_share(labelled_models)
    questions = sum(len(unit.questions) for unit in sample)
    sizes = dict.fromkeys(min(size, questions) for size in _SIZES)
    policy = policy_of(runs[0].kept.certificate)
    expected = [_expected(labelled_models, sample, column, wrong, size) for size in sizes]
    return LabelForecast(
        column=column, questions=questions, units=len(sample), models=len(runs), labels=len(labels), wrong=wrong,
        expected=expected, bound=policy.ccs,
        to_certify=[
            _to_certify(model, skill, judged, policy, sample)
            for model in labelled_models for skill, judged in judged_by_skill(model).items()
        ],
    )  # fmt: skip


def _wrong_share(models: Sequence[LabelledModel]) -> float:
    """The share of the judge's answers that labels show to be wrong; with few labels that of a judge that just passes.

    It is the mean distance of the judge's guess of a credit from people's credit.
    """
    errors = [abs(sum(ends) / 2 - model.guesses[place]) for model in models for place, ends in model.credits.items()]
    return sum(errors) / len(errors) if len(errors) >= _MIN_LABELS else 1 - load_policy(FLOOR).ccs


def _expected(
    labelled: Sequence[LabelledModel], sample: Sequence[LabelUnit], column: str, wrong: float, size: int
) -> Expected:
    """The mean result of made-up people who answer `size` questions, or all of the sample if it has fewer.

    `wrong`: the share of the judge's answers that they contradict.
    """
    counts_before = accumulate((len(unit.questions) for unit in sample), initial=0)
    units = [unit for unit, count in zip(sample, counts_before, strict=False) if count < size]
    places = {(question.model, question.sample, question.check) for unit in units for question in unit.questions}
    widths, is_parted, groups = list[float](), list[bool](), 0
    for draw in range(_DRAWS):
        random = np.random.default_rng(draw)
        people = [_made_up(model, places, wrong, random) for model in labelled]
        scores = labelled_scores(people, column, sample)
        numbers = [model.columns[column] for model in scores.models if column in model.columns]
        widths += [number.high - number.low for number in numbers if number.high is not None and number.low is not None]
        is_parted += [difference.p_holm <= ALPHA for difference in scores.differences]
        groups = min(model.groups for model in scores.models)
    width, share = float(np.mean(widths or [1.0])), float(np.mean(is_parted or [False]))
    return Expected(labels=len(places), groups=groups, width=width, parted=share)


def _made_up(
    model: LabelledModel, places: set[tuple[str, str, str]], wrong: float, random: np.random.Generator
) -> LabelledModel:
    """A copy of the model with an answer at each of these places (model, sample, check): people's, else a made-up one.

    A made-up answer is the judge's, reversed with chance `wrong`; a guess between 0 and 1 is the chance of credit 1.
    """
    simulated, name = copy(model), model.run.kept.model.name
    simulated.labels, simulated.credits = [], {}
    for row in model.visible_rows:
        if (name, *(place := place_of(row))) in places:
            guess = model.guesses[place]
            answer = float(random.random() < (guess if 0 < guess < 1 else abs(guess - wrong)))
            simulated.credits[place] = model.credits.get(place, (answer, answer))
    return simulated


def _to_certify(
    model: LabelledModel, skill: str, rows: list[JudgedAnswer], policy: Policy, sample: list[LabelUnit]
) -> ToCertify:
    """The labels that certify the judge for a skill, simulated in the sample's order.

    `rows`: the judge's answers that need the skill, with people's where there are some. A side is the answers whose
    truth is yes, or no: the judge must be right often enough on each (`ShareOfSide`).
    """
    places = {unit.name: place for place, unit in enumerate(sample)}
    ordered = sorted(rows, key=lambda row: places.get(row.unit, len(places)))
    sides = sides_of(ordered, sample)
    shares, n_labelled = [side.interval().value for side in sides], len(sides[0].order)  # n: of units
    answered = [row for row in ordered if row.truth in ((0, 0), (1, 1))]
    error_rates = {
        answer: fmean([row.truth != (answer, answer) for row in answered if row.yes is answer] or [0])
        for answer in (True, False)
    }

    def needed(errors_among: Callable[[bool, int], int]) -> Needed | None:
        """The labels needed, if of the next n unlabelled answers yes (or no) `errors_among(yes, n)` are wrong."""
        simulated, unlabelled = list[JudgedAnswer](), Counter[bool]()  # by the judge's answer
        for row in ordered:
            n = unlabelled[row.yes]
            is_error = errors_among(row.yes, n + 1) > errors_among(row.yes, n)
            truth = float(row.yes != is_error)
            unlabelled[row.yes] += row.truth is None
            simulated.append(row._replace(truth=row.truth or (truth, truth)))
        counts, units = list[int](), set[str]()
        for truth, side in zip((1, 0), sides_of(simulated, sample), strict=True):
            suffices = side.log_evidence(policy.ccs)[n_labelled:] >= math.log(needed_e_value(policy, 1))
            if not suffices.any():
                return None
            needed_units = {*side.order[: n_labelled + int(suffices.argmax())]}
            counts.append(sum(row.truth == (truth, truth) for row in simulated if row.unit in needed_units))
            units |= needed_units
        return Needed(counts[0], counts[1], sum(row.truth is None and row.unit in units for row in ordered))

    can_pass = all(share is None or share > policy.ccs for share in shares)
    return ToCertify(
        model=model.run.kept.model.name, skill=skill, sensitivity=shares[0], specificity=shares[1],
        at_best=needed(lambda answer, n: 0), one_error=needed(lambda answer, n: min(n, 1)),
        as_so_far=needed(lambda answer, n: int(n * error_rates[answer])) if can_pass else None,
    )  # fmt: skip


def labels_to_certify(run: JudgedRun) -> dict[str, int]:
    """By skill the number of labels that certify the judge for it, if it is right about all; half are yes, half no.

    The number is for very many pictures; with few pictures fewer labels are needed. The skill with the largest share of
    the weight is first. Skills of which the run has fewer answers are left out. Empty where whole groups are labelled:
    `forecast_labels` counts their questions by skill.
    """
    if run.protocol.labelled_by == "group":
        return {}
    policy = policy_of(run.kept.certificate)
    # The number of right answers, without an error, that shows the judge right often enough about yes (or about no).
    flawless = hits_to_reach(math.log(needed_e_value(policy, 1)), 0, 0, policy.ccs)
    answered = (row for row in run.rows if row.outcome == "answer")
    counts = Counter(skill_of(run.prompts.checks[row.prompt_id, row.check]) for row in answered)
    return {skill: 2 * flawless for skill in shares_of(run.prompts.prompts) if counts[skill] >= 2 * flawless}
