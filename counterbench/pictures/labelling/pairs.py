"""Two models' pictures of one prompt, of which people say the better one, in their order.

The answers are in RUN/labels/pairs-NAME.jsonl (see `answers`): first, second, equal, or "?" where a picture cannot be
read. The order depends on the run alone: every prompt has its first pair before any has its second.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations, zip_longest

import msgspec

from counterbench.errors import InputError
from counterbench.pictures.judging.judged_run import JudgedRun
from counterbench.pictures.labelling.units import LabelQuestion
from counterbench.scene.seeds import Stream


class ModelPair(msgspec.Struct, frozen=True):
    """Pictures of one sample by two models, the first on the left (or on top); the id tells none of this."""

    id: str
    sample: str
    first: str  # the names of the models' folders
    second: str


QuestionsById = Mapping[str, LabelQuestion | ModelPair]  # by id


def model_pairs(runs: Sequence[JudgedRun]) -> dict[str, ModelPair]:
    """The pairs of a run about several models by id, in the order in which they are shown; InputError without any."""
    images = [run.kept.model.images_digest for run in runs]
    shown: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))  # models by prompt and sample
    for run in runs:
        for row in run.kept.samples:
            if row.status == "ok":
                shown[row.prompt_id][row.id].append(run.kept.model.name)
    by_prompt = []
    for prompt in Stream("label-prompts", *images).shuffled(sorted(shown)):
        couples = [(id, *two) for id, models in shown[prompt].items() for two in combinations(sorted(models), 2)]
        of_prompt = [_pair(images, *couple) for couple in couples]
        by_prompt.append(Stream("label-pairs", *images, prompt).shuffled(of_prompt))
    pairs = {pair.id: pair for turn in zip_longest(*by_prompt) for pair in turn if pair is not None}
    if not pairs:
        raise InputError(
            f"{runs[0].kept.path}: no prompt has pictures of two models, and --pairs compares these; judge several "
            "folders of pictures into one run"
        )
    return pairs


def _pair(images: Sequence[str], sample: str, model: str, other: str) -> ModelPair:
    """The pair of two models' pictures of a sample, with an id that tells nothing, in a random order."""
    draw = Stream("label-pair", *images, sample, model, other)
    id = draw.noise(6).hex()
    return ModelPair(id, sample, *((model, other) if draw.chance(0.5) else (other, model)))
