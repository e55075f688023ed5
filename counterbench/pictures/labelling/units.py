"""The questions of a run that people may answer, in units that are labelled together, and the judge's guess of each.

`label_units` takes the models of a run (`ModelChecks`) and gives the units from which a sample is drawn for people. A
unit has the questions about one check, or one group of prompts, and a weight in the draw. A guess is the judge's credit
of a check, 0 … 1, which labels correct. A row (`CheckResult`) is one check of one picture.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cached_property
from statistics import fmean

import msgspec

from counterbench.pictures.auditing.result import contradicted_checks
from counterbench.pictures.judging.judged_run import JudgedRun
from counterbench.pictures.run_scores import judged_part
from counterbench.pictures.scores.results import CheckResult, by_key
from counterbench.prompts.prompt_set import Prompt
from counterbench.scene.seeds import Stream

UNSURE = 0.5  # the guess about a check that the judge contradicts itself on, or gives no answer to
_MIN_WEIGHT = 1 / 5  # of the mean weight: no unit is less likely to be drawn than that

CheckPlace = tuple[str, str]  # a check of one of a model's pictures: sample id, check id


class LabelQuestion(msgspec.Struct, frozen=True):
    """One check of one picture; its id tells neither the model nor the picture."""

    id: str
    model: str  # the name of its folder
    sample: str
    check: str


class LabelUnit(msgspec.Struct, frozen=True):
    """Questions that are labelled together: those of a prompt, about the pictures of all models."""

    name: str
    weight: float  # in the draw
    questions: tuple[LabelQuestion, ...]


class ModelChecks:
    """The checks of one model's pictures that people may label: without what its judge was shown not to see."""

    def __init__(self, run: JudgedRun) -> None:
        """Take the rows that people may label, and those whose picture is there."""
        part = judged_part(run)
        self.run = part
        self.rows = [row for row in part.protocol.counted(part.rows) if row.weight > 0]
        self.visible_rows = [row for row in self.rows if row.picture == "ok"]
        self._joined = {prompt.id: first_of_joined(prompt) for prompt in part.prompts.prompts}

    def unit(self, row: CheckResult) -> str:
        """The unit of a row: its group, or the check of its sample that it counts together with."""
        if self.run.protocol.labelled_by == "group":
            return row.group
        return f"{row.sample_id}/{self._joined[f'{row.group}/{row.level}'][row.check]}"

    @cached_property
    def guesses(self) -> dict[CheckPlace, float]:
        """The judge's best guess of the credit of each check, 0 … 1.

        Its probability where it tells one; one half where it contradicts itself (asked both ways, or in an audit) or
        gives no answer; else its credit.
        """
        unsure = {(both.sample, both.check) for both in self.run.both_forms if both.answer == both.answer_negated}
        name, audited = self.run.kept.model.name, contradicted_checks(self.run.kept.path)
        unsure |= {(sample, check) for (model, sample, check), broken in audited.items() if broken and model == name}
        return {
            place: UNSURE if place in unsure else _guess(row) for row in self.visible_rows for place in [place_of(row)]
        }

    def shares(self, level: str = "") -> dict[CheckPlace, float]:
        """The share of each check in the mean over prompts (of a level): S of a picture is Σ wᵢ sᵢ / Σ wᵢ.

        A picture that the model refused or left blank counts, with nothing right.
        """
        rows = [row for row in self.rows if level in ("", row.level) and row.picture not in ("missing", "unreadable")]
        totals: dict[str, float] = defaultdict(float)
        for row in rows:
            totals[row.sample_id] += row.weight
        pictures = Counter(sample.rpartition("/")[0] for sample in totals)
        return {
            place_of(row): row.weight / totals[row.sample_id] / pictures[f"{row.group}/{row.level}"] / len(pictures)
            for row in rows
            if row.picture == "ok"
        }


def place_of(row: CheckResult) -> CheckPlace:
    """The place of a row: the sample and the check."""
    return row.sample_id, row.check


def _guess(row: CheckResult) -> float:
    """The judge's guess of a check's credit, 0 … 1: the probability of the expected answer, else the credit."""
    if row.credit is None:
        return UNSURE
    if row.yes_no and row.p_yes is not None and not row.follows:
        return row.p_yes if row.expected == "yes" else 1 - row.p_yes
    return min(1.0, max(0.0, row.credit))


def label_units(models: Sequence[ModelChecks], others: Sequence[ModelChecks] = ()) -> list[LabelUnit]:
    """The units of a run about these models, by name.

    `others`: other judges of the same pictures. A unit is drawn more often, up to 1.5 times, where the judge is unsure
    or judges disagree, and in proportion to its part in a score; never less often than a fifth of the mean. More than
    1.5 would widen the interval of few labels (`benchmarks/labels.py widths`).
    """
    guessed = ((checks.run.kept.model.name, checks.guesses) for checks in (*models, *others))
    by_place = by_key(((model, *place), guess) for model, guesses in guessed for place, guess in guesses.items())
    # The variance of a guess, as a share of the largest.
    doubts = {place: 4 * guess * (1 - guess) for place, guesses in by_place.items() for guess in [fmean(guesses)]}
    questions, score_parts = defaultdict[str, list[LabelQuestion]](list), defaultdict[str, float](float)
    for checks in models:
        shares, model = checks.shares(), checks.run.kept.model.name
        for row in checks.visible_rows:
            id = Stream("label", model, row.sample_id, row.check).noise(6).hex()
            questions[checks.unit(row)].append(LabelQuestion(id, model, row.sample_id, row.check))
            score_parts[checks.unit(row)] += shares[place_of(row)]
    weights = {
        name: score_parts[name] * (1 + fmean(doubts[check.model, check.sample, check.check] for check in unit) / 2)
        for name, unit in questions.items()
    }
    min_weight = _MIN_WEIGHT * sum(weights.values()) / max(1, len(weights))
    return [LabelUnit(name, max(min_weight, weights[name]), tuple(questions[name])) for name in sorted(questions)]


def first_of_joined(prompt: Prompt) -> dict[str, str]:
    """For each check the first of those that count together with it: parts of a point, and checks that need others."""
    first: dict[str, str] = {}
    of_point: dict[str, str] = {}
    for check in prompt.checks:
        near = [*check.needs, *([of_point[check.point]] if check.point in of_point else [])]
        heads = {first[id] for id in near if id in first}
        head = min(heads, default=check.id)
        first = {id: head if first_id in heads else first_id for id, first_id in first.items()} | {check.id: head}
        if check.point:
            of_point[check.point] = check.id
    return first
