"""CF-Eval (CF-World, section 3.3): S of a picture, the gate by S_L1, PRR and RRR, and the numbers beside them.

A group is the prompts about one altered law: L1 states the real law, L2 the altered law and its outcome, L3 the
altered law alone. S is the weighted mean of a picture's checks. The gate: if a group's S_L1 is below a threshold, its
L2 and L3 count 0. The prior is what usually happens, the real law's outcome. `CFEval.score` computes the numbers from
the rows of checks.

PRR = E[S_L2] / √E[S_L1] and RRR = E[S_L3] / √E[S_L2]; the release's README states S_L2 / S_L1 and (S_L3 / S_L2) · S_L3,
which the scoring `readme` uses. E is the mean over groups of the mean over a group's samples; both sides of a rate are
over the groups with a score at both its levels. RRR is not monotone: a model that follows only the prior can have a
higher RRR than a model that is right at L2 and wrong at L3. So read neither rate without the references: the planted
generators `prior`, `literal` and `starter`, which draw with known mistakes.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import ClassVar, cast

from counterbench.errors import CounterbenchError, InputError
from counterbench.laws.base import DEPTHS, NO_CHANGE
from counterbench.pictures.generators.planted import PlantedGenerator
from counterbench.pictures.protocols.asks import Ask, CheckReplies
from counterbench.pictures.protocols.authors import by_author
from counterbench.pictures.protocols.base import Protocol
from counterbench.pictures.protocols.cf_eval import questions
from counterbench.pictures.protocols.cf_eval.gate import (
    PRESENCE,
    SCORINGS,
    Gate,
    GatedScoring,
    missing_column,
    prior_columns,
)
from counterbench.pictures.protocols.ground_truth import true_results
from counterbench.pictures.scores.measure import means
from counterbench.pictures.scores.results import CheckResult, GroupResult, group_results
from counterbench.pictures.scores.rules import DEFAULT, Column, PictureScores, Scoring
from counterbench.pictures.scores.scores import Formula, NamesOf, ScorePart, Scores, Slices, Unit, by_checks, by_units
from counterbench.prompts.from_laws import ASSESSMENT, FACTUAL, LEVELS
from counterbench.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.prompts.table import CONTRAST
from counterbench.stats.clusters import Series

# The models that stand beside every PRR and RRR.
REFERENCE_MODELS = ("prior", "literal", "starter")
RATES = ("s_l1", "s_l2", "s_l3", "prr", "rrr")
# The parts by depth, from outcomes that the rule states to outcomes that must be inferred; then those without change.
_BY_DEPTH = (*DEPTHS, NO_CHANGE)
# The column of all variants of rules but `FACTUAL`, which hold in no real world (CF-World, section 5.1).
COUNTERFACTUAL = "counterfactual"
# The parts by what checks ask.
_OF_CHECKS: Mapping[str, NamesOf] = {"dimension": lambda row: (row.dimension,), "tag": lambda row: row.tags}
# The change between two means of different groups. (A column `change` has differences within groups instead.)
_CHANGE = Formula(
    (COUNTERFACTUAL, FACTUAL), lambda altered, real: altered - real, low=(0, 1), high=(1, 0), limits=(-1, 1)
)


class CFEval(Protocol):
    """CF-World's protocol: on its own data, on our laws, and on sets of other levels, which have no gate."""

    name = "cf-eval"
    summary = "CF-World: integrity, assessment point and logic consistency, weighted; the gate, PRR and RRR"
    asks = "each check alone, graded by its criteria where it has any; the prompt is not shown"
    calls = "one a check: 3.7 on laws, 3.3 on CF-World's own set"
    needs = "checks of the dimension assessment-point; levels l1, l2 and l3 for the gate, PRR and RRR"
    labelled_by = "group"
    scorings: ClassVar[Mapping[str, Scoring]] = SCORINGS

    def fits(self, prompts: PromptSet) -> None:
        """InputError if no check is about an assessment point: then the set asks nothing of CF-Eval."""
        checks = [check for prompt in prompts.prompts for check in prompt.checks]
        if not any(check.dimension == ASSESSMENT for check in checks):
            dimensions = sorted({check.dimension for check in checks})
            raise InputError(
                f"{prompts.name!r} has no check of the dimension {ASSESSMENT!r}, which cf-eval asks for (it has "
                f"{', '.join(map(repr, dimensions[:5])) or 'no check at all'}); --protocol checklist takes any"
            )

    def prepare(self, prompt: Prompt, replies: CheckReplies) -> Sequence[Ask]:
        """The question for a list of questions, for a prompt without checks; once more, if the reply cannot be used."""
        return by_author(prompt, questions.author_question(prompt), replies)

    def checks(self, prompt: Prompt, replies: CheckReplies) -> Sequence[Check]:
        """The prompt's own checks, else those that an author wrote."""
        return prompt.checks or list(questions.checks(questions.author_question(prompt).items(replies)))

    def counted(self, rows: Iterable[CheckResult]) -> Sequence[CheckResult]:
        """The rows that count: without those of variants whose outcome is as the start.

        In such a variant a model that changes nothing would pass. All rows, if a set has only such variants.
        """
        all_rows = list(rows)
        return [row for row in all_rows if row.depth != NO_CHANGE] or all_rows

    def gate(self, levels: Sequence[str]) -> str:
        """L1, for a set with L1, L2 and L3."""
        return LEVELS[0] if _has_gate(levels) else ""

    def score(self, rows: Iterable[CheckResult], levels: Sequence[str], scoring: Scoring) -> Scores:
        """S by level and, for a set with L1, L2 and L3, the gate and the rates."""
        gated, groups = cast(GatedScoring, scoring), group_results(self.counted(rows), levels)
        scores, has_gate = PictureScores(groups, scoring), _has_gate(levels)
        columns = _gated_columns(groups, scores, gated) if has_gate else _ungated_columns(groups, scores, levels)
        whole = _part(groups, scores, columns)
        if has_gate:
            return Scores(
                whole=whole,
                headline=RATES,
                secondary=("share_gated", *(name for name in columns if name.startswith(("prior_", "missing_")))),
                bounded=tuple(f"{prefix}{name}" for prefix in ("", "ungated_") for name in RATES[:3]),
                formulas=_formulas(gated),
                threshold=gated.threshold,
            )
        by_level = tuple(f"s_{level}" for level in levels)
        formulas = {"change": _CHANGE} if FACTUAL in columns else {}
        change_names = (name for name in (FACTUAL, COUNTERFACTUAL, "change") if name in columns or name in formulas)
        return Scores(whole=whole, headline=(*by_level, *change_names), bounded=by_level, formulas=formulas)

    def slices(self, rows: Iterable[CheckResult], levels: Sequence[str], scoring: Scoring) -> Slices:
        """The numbers by law, discipline, category, variant and depth.

        Also by dimension, and by tag (things that a law moves, and things that it leaves unaffected), never gated. Only
        depth and variant also have the rows that are not `counted`.
        """
        all_rows = list(rows)
        main_rows = self.counted(all_rows)
        groups = group_results(main_rows, levels)
        has_gate, whole = _has_gate(levels), self.score(main_rows, levels, scoring).whole
        parts = by_units(whole, _names(groups))
        if len(main_rows) < len(all_rows):
            no_change = self.slices([row for row in all_rows if row.depth == NO_CHANGE], levels, scoring)
            parts |= {kind: dict(sorted({**parts[kind], **no_change[kind]}.items())) for kind in ("variant", "depth")}
        parts["depth"] = {name: parts["depth"][name] for name in _BY_DEPTH if name in parts["depth"]}

        def ungated(part_rows: list[CheckResult]) -> ScorePart:
            """S by level from these rows alone, without the gate."""
            part_groups = group_results(part_rows, levels)
            scores = PictureScores(part_groups, scoring)
            return _part(part_groups, scores, _means(scores, levels, "ungated_" if has_gate else ""))

        checks = by_checks([row for row in main_rows if row.weight > 0], _OF_CHECKS, ungated)
        return parts | {kind: dict(sorted(by_name.items())) for kind, by_name in checks.items()}

    def references(self, prompts: PromptSet) -> Mapping[str, Mapping[str, float | None]]:
        """The true numbers of `prior`, `literal` and `starter` on the same prompts.

        Empty for a set that is not about laws, or whose laws differ in this version from when it was drawn.
        """
        if prompts.seed is None or not _has_gate(prompts.levels) or not _as_drawn(prompts):
            return {}
        return {name: self.true_numbers(PlantedGenerator(name, prompts), prompts, 1) for name in REFERENCE_MODELS}

    def true_numbers(self, generator: PlantedGenerator, prompts: PromptSet, samples: int) -> Mapping[str, float | None]:
        """The numbers of a planted model on `samples` pictures of each prompt from a judge that is always right."""
        rows = true_results(generator, prompts.prompts, samples)
        scores = self.score(rows, prompts.levels, SCORINGS[DEFAULT])
        numbers = means(scores)
        return {name: numbers[name] for name in (*scores.headline, *scores.secondary)}


def _has_gate(levels: Sequence[str]) -> bool:
    """True if a set has the levels L1, L2 and L3, in any order, and so a gate, PRR and RRR."""
    return set(levels) == set(LEVELS)


def _as_drawn(prompts: PromptSet) -> bool:
    """True if our laws are as when the set was drawn: the right pictures are right by the prompts' checks."""
    try:
        return all(row.credit == 1 for row in true_results(PlantedGenerator("reasoner", prompts), prompts.prompts, 1))
    except CounterbenchError:
        return False


def _ratio(numerator: Series, denominator: Series) -> Series:
    """The ratio of two means; infinite or undefined, without a warning, where the lower one is 0."""
    import numpy as np

    with np.errstate(divide="ignore", invalid="ignore"):
        ratio: Series = numerator / denominator
    return ratio


def _over_root(numerator: Series, denominator: Series) -> Series:
    """The ratio of one mean to the square root of another."""
    import numpy as np

    return _ratio(numerator, np.sqrt(denominator))


# By the source of the formulas: PRR and RRR, each as a function of the numerator's mean and the denominator's.
_RATES: dict[str, dict[str, Callable[[Series, Series], Series]]] = {
    "paper": {"prr": _over_root, "rrr": _over_root},
    "readme": {"prr": _ratio, "rrr": lambda numerator, denominator: _ratio(numerator, denominator) * numerator},
}


def _formulas(scoring: GatedScoring) -> dict[str, Formula]:
    """PRR and RRR by name: gated and ungated ("ungated_"), for S and for the assessment point alone ("point_").

    S_L1 of a group that counts at L2 is at least the threshold, so PRR is largest where S_L1 equals the threshold.
    """
    return {
        f"{prefix}{rate}": Formula(
            (f"{prefix}s_{above}", f"{prefix}s_{below}"),
            compute,
            paired=True,
            low=(0, 1),
            high=(1, scoring.threshold if f"{prefix}{rate}" == "prr" else 0),
            limits=(0, math.inf),
        )
        for prefix in ("", "ungated_", "point_", "ungated_point_")
        for (rate, compute), (below, above) in zip(_RATES[scoring.rates].items(), pairwise(LEVELS), strict=True)
    }


def _ungated_columns(groups: Sequence[GroupResult], scores: PictureScores, levels: Sequence[str]) -> dict[str, Column]:
    """The columns of a set without a gate: S by level, and (`point_…`) S of the assessment point alone.

    Two levels have their difference beside them ("change"); one level has S under the real rule and under altered ones.
    """
    columns = _means(scores, levels)
    if len(levels) == 2:
        pairs = zip(*columns.values(), strict=True)
        columns["change"] = [None if a is None or b is None else b - a for a, b in pairs]
    if len(levels) == 1 and any(group.variant == FACTUAL for group in groups):
        (column,) = columns.values()
        by_variant = [(group.variant, score) for group, score in zip(groups, column, strict=True)]
        columns[FACTUAL] = [score if variant == FACTUAL else None for variant, score in by_variant]
        columns[COUNTERFACTUAL] = [score if variant not in ("", FACTUAL) else None for variant, score in by_variant]
    return columns | _means(PictureScores(groups, scores.scoring, ASSESSMENT), levels, "point_")


def _gated_columns(groups: Sequence[GroupResult], scores: PictureScores, scoring: GatedScoring) -> dict[str, Column]:
    """The columns of a set with L1, L2 and L3: S gated and not, of all checks and of the assessment point; shares."""
    gate, point = Gate(scores, scoring), PictureScores(groups, scoring, ASSESSMENT)
    columns = {"share_gated": gate.closed()} | _s_by_level(gate, scores, "") | _s_by_level(gate, point, "point_")
    columns |= _means(scores, LEVELS, "ungated_") | _means(point, LEVELS, "ungated_point_")
    for level in LEVELS[1:]:
        if _has_check(groups, level, CONTRAST):
            columns |= {f"{shown}_{level}": column for shown, column in prior_columns(groups, level).items()}
    for level in LEVELS:
        if _has_check(groups, level, PRESENCE):
            columns[f"missing_{level}"] = missing_column(groups, level)
    return columns


def _has_check(groups: Sequence[GroupResult], level: str, dimension: str) -> bool:
    """True if any check at a level is of a dimension, answered or not."""
    pictures = (picture for group in groups for picture in group.pictures[level].values())
    return any(row.dimension == dimension for picture in pictures for row in picture.checks)


def _s_by_level(gate: Gate, scores: PictureScores, prefix: str) -> dict[str, Column]:
    """S by level: at L1 as it is, at L2 and L3 behind the gate."""
    first = _means(scores, LEVELS[:1], prefix)
    return first | {f"{prefix}s_{level}": gate.apply(scores, level) for level in LEVELS[1:]}


def _part(groups: Sequence[GroupResult], scores: PictureScores, columns: dict[str, Column]) -> ScorePart:
    """The groups as units, with these columns."""
    units = tuple(Unit(group.name, group.cluster) for group in groups)
    return ScorePart(units, scores.complete(), columns, {"change": (-1.0, 1.0)})


def _means(scores: PictureScores, levels: Sequence[str], prefix: str = "") -> dict[str, Column]:
    """For each level a column of the groups' mean scores, named <prefix>s_<level>."""
    return {f"{prefix}s_{level}": scores.level(level) for level in levels}


def _names(groups: Sequence[GroupResult]) -> dict[str, list[str]]:
    """The value of each group in the fields by which numbers are sliced, by field."""
    fields = ("category", "discipline", "law", "depth")
    return {field: [str(getattr(group, field)) for group in groups] for field in fields} | {
        "variant": [f"{group.law}/{group.variant}" if group.law and group.variant else "" for group in groups]
    }
