"""The parts that comparisons of models and of prompt sets share: runs, prompts asked alike, contrasts."""

import math
from collections.abc import Sequence, Set
from operator import attrgetter

import msgspec

from counterbench.pictures.judging.judged_run import JudgedRun
from counterbench.pictures.protocols.numbers import Paired
from counterbench.pictures.scores.document import JudgeStatus, ModelDocument, ModelProvenance, SoftCounts
from counterbench.results.contrasts import ALPHA, Contrast, adjusted
from counterbench.stats.clusters import FEWEST, Inference
from counterbench.stats.paired import times_needed

# The fields of a check that must be the same for two runs to have asked and counted the same.
_ASKED = attrgetter("id", "text", "answer_type", "expected", "weight", "criteria", "call", "after", "dimension")
MAX_UNITS = 2**20  # a larger number of units is not named: nobody would draw so many


class ModelRun(JudgeStatus, frozen=True, kw_only=True):
    """A run that takes part in a comparison, and the status of its judge."""

    model: str  # the generator's name in this comparison
    run: str
    complete: bool
    provenance: ModelProvenance
    soft: SoftCounts | None = None  # of a scoring by probability


def run_of(document: ModelDocument) -> ModelRun:
    """A run as the comparison shows it: its model, and the status of its judge."""
    fields = (*JudgeStatus.__struct_fields__, "run", "complete", "provenance", "soft")
    return ModelRun(model=document.generator, **{name: getattr(document, name) for name in fields})


def asked_alike(first: JudgedRun, second: JudgedRun) -> set[str]:
    """The ids of the prompts about which two runs asked the same questions, even if the prompts' words differ."""
    others = second.prompts.by_id
    return {
        prompt.id
        for prompt in first.prompts.prompts
        if prompt.checks and prompt.id in others
        if [*map(_ASKED, prompt.checks)] == [*map(_ASKED, others[prompt.id].checks)]
    }


def contrasts_of(couples: Sequence[Paired], unsupported: Set[str]) -> tuple[list[Contrast], int]:
    """The contrasts of every two models by every headline number, and the number of tests that p is adjusted for.

    `couples`: the paired runs. `unsupported`: the models whose judge has no evidence; no contrast with one of these
    says which model is better.
    """
    differences = [(couple, column, test) for couple in couples for column, test in couple.differences.items()]
    defined_count = sum(test.value is not None for *_, test in differences)
    contrasts = adjusted([
        Contrast(
            column=column,
            first=couple.names[0],
            second=couple.names[1],
            units=len(couple.units),
            left_out=couple.left_out,
            difference=test.interval(ALPHA),
            p=test.p(),
        )
        for couple, column, test in differences
    ])  # fmt: skip
    for place, (contrast, (*_, test)) in enumerate(zip(contrasts, differences, strict=True)):
        if not contrast.is_decided:
            needed = units_needed(test, contrast.units, ALPHA / max(1, defined_count))
            contrasts[place] = msgspec.structs.replace(contrast, units_needed=needed)
        elif not unsupported.isdisjoint((contrast.first, contrast.second)):
            contrasts[place] = msgspec.structs.replace(contrast, better=None)
    return contrasts, sum(contrast.p is not None for contrast in contrasts)


def units_needed(difference: Inference, units: int, alpha: float) -> int | None:
    """The number of units for 80 % power at `alpha`, if the observed difference is true.

    None if it cannot be told, or is above MAX_UNITS. There is no test with fewer than `FEWEST` clusters, so it is at
    least as many. `units`: the number observed so far.
    """
    if difference.value is None or difference.clusters < 2:
        return None
    _, standard_error = difference.toward(0)
    times = times_needed(difference.value, standard_error, alpha=alpha)
    if not times:
        return None
    wanted = max(times, FEWEST / difference.clusters) * units
    return max(math.ceil(wanted), units + 1) if wanted <= MAX_UNITS else None
