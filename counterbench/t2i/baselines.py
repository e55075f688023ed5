"""The true numbers of planted models on a prompt set: known from what they draw, without a judge."""

from __future__ import annotations

from counterbench.errors import CounterbenchError
from counterbench.t2i.generators.planted import PlantedGenerator
from counterbench.t2i.judging.ground_truth import true_results
from counterbench.t2i.prompts.prompt_set import PromptSet
from counterbench.t2i.protocols import cf_eval
from counterbench.t2i.scores.columns import LEVELS
from counterbench.t2i.scores.document import Reference

# The models that stand beside every PRR and RRR.
REFERENCE_MODELS = ("turkey", "literal")


def references(prompts: PromptSet) -> dict[str, Reference]:
    """The true numbers of the reference models on the same prompts.

    None for a set that is not about laws, or whose laws are others in this version than when the pictures were judged.
    """
    if prompts.seed is None or prompts.levels != LEVELS or not _as_drawn(prompts):
        return {}
    return {name: true_reference(PlantedGenerator(name, prompts), prompts, 1) for name in REFERENCE_MODELS}


def true_reference(generator: PlantedGenerator, prompts: PromptSet, samples: int) -> Reference:
    """The true numbers of a planted model on `samples` pictures of each prompt."""
    return cf_eval.reference(cf_eval.whole(true_results(generator, prompts.prompts, samples), prompts.levels))


def _as_drawn(prompts: PromptSet) -> bool:
    """Whether what this version draws as right is right by the prompts' own checks."""
    try:
        rows = list(true_results(PlantedGenerator("reasoner", prompts), prompts.prompts, 1))
    except CounterbenchError:
        return False
    return all(row.credit == 1 for row in rows)
