"""The order in which a run's questions are labelled: drawn once, without replacement, with known chances.

RUN/labels/sample.jsonl has a line for each unit, in this order. The draw depends on the run alone, so raters on several
machines get the same questions.
"""

import math
from collections.abc import Sequence
from pathlib import Path

from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.pictures.labelling.units import LabelUnit, ModelChecks, label_units
from counterbench.scene.seeds import Stream

LABELS_FOLDER, SAMPLE_FILE = "labels", "sample.jsonl"
_BYTES = 6  # the size of the random number from which a time is computed


def sample_file(run: Path) -> Path:
    """The file of a run's sample."""
    return run / LABELS_FOLDER / SAMPLE_FILE


def read_sample(run: Path) -> list[LabelUnit] | None:
    """The units of a run in the order in which they are labelled; None if the sample is not drawn yet."""
    file = sample_file(run)
    return list(formats.read_lines(file, LabelUnit)) if file.is_file() else None


def open_sample(run: Path, models: Sequence[ModelChecks], others: Sequence[ModelChecks] = ()) -> list[LabelUnit]:
    """The run's sample in its order: units of questions that are labelled together, those of a prompt.

    It is drawn and written if there is none yet; `others`, the same pictures' checks by other judges, then make units
    likelier on which judges disagree. InputError if the run has no question for people.
    """
    sample = read_sample(run)
    if sample is not None:
        return sample
    if models[0].run.protocol.compares:
        raise InputError(
            f"{run}: compares two models' pictures; to let people compare them: counterbench label {run} --pairs"
        )
    units = in_random_order(label_units(models, others), [model.run.kept.model.images_digest for model in models])
    if not units:
        raise InputError(f"{run}: has no picture with a check that counts in a score, so there is nothing to label")
    file = sample_file(run)
    with formats.clear_os_errors(file, "writing"):
        file.parent.mkdir(exist_ok=True)
        formats.write_lines(file, units)
    return units


def in_random_order(units: Sequence[LabelUnit], digests: Sequence[str]) -> list[LabelUnit]:
    """The units in a random order: the next one is drawn among the rest, with a chance in proportion to its weight.

    Each gets an exponential time with its weight as the rate, and they come in the order of their times. The questions
    of a unit are in random order, too, so that the first is not always of the same model.
    """

    def time(unit: LabelUnit) -> float:
        """The random time of a unit, exponential with its weight as the rate."""
        chance = int.from_bytes(Stream("label-draw", *digests, unit.name).noise(_BYTES)) + 1
        return -math.log(chance / 256**_BYTES) / unit.weight

    return [
        LabelUnit(unit.name, unit.weight, tuple(Stream("label-turn", *digests, unit.name).shuffled(unit.questions)))
        for unit in sorted(units, key=time)
    ]
