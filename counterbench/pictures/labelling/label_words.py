"""Words about people's labels wherever scores are shown: how many there are, and what they say of the judge."""

from collections.abc import Mapping, Sequence

from counterbench.evidence.shown import OnPictures
from counterbench.pictures.scores.document import ModelDocument
from counterbench.results.measures import heading
from counterbench.text import counted, listed

# The number of labelled groups of each model from which on the numbers by people's labels are the headline.
FEWEST_GROUPS = 30


def people_heading(column: str) -> str:
    """The heading of a number by people; "ungated" tells it from the same number behind a gate."""
    return heading(column) + (", ungated" if column.startswith("ungated_") else "")


def label_lines(documents: Sequence[ModelDocument]) -> list[str]:
    """Lines on people's labels: how many there are, the judge's answers beside them, and those that are not used."""
    labelled = [(model, model.by_people) for model in documents if model.by_people is not None]
    lines = []
    for model, people in labelled[:1]:
        least = min(people.groups for _, people in labelled)
        ending = (
            ""
            if people.headline
            else f"; with {FEWEST_GROUPS - least} more labelled groups, scores by people come first"
        )
        if model.groups < FEWEST_GROUPS and people.headline:
            ending = ", of every question: the scores are of these pictures, not of others like them"
        elif model.groups < FEWEST_GROUPS:
            ending = f"; with fewer than {FEWEST_GROUPS} groups, scores by people come first once all are labelled"
        lines.append(f"{counted(sum(people.labels for _, people in labelled), 'human label')}{ending}")
    judges = [(model.generator, line) for model, _ in labelled for line in _skill_lines(model.evidence.labelled)]
    lines += [line for _, line in judges] if len(labelled) == 1 else [f"{name}: {line}" for name, line in judges]
    notes = [(model.generator, note) for model, people in labelled for note in people.notes]
    return lines + list(dict.fromkeys(f"{name}: {note}" for name, note in notes))


def _skill_lines(skills: Mapping[str, OnPictures]) -> list[str]:
    """Lines on the skills for which labels certify or refute the judge, and the number of skills left open."""
    by_words = {
        "judge certified by labels for": [skill for skill, evidence in skills.items() if evidence.admitted],
        "labels show the judge wrong too often for": [skill for skill, evidence in skills.items() if evidence.refuted],
    }
    lines = [f"{words} {listed(names)}" for words, names in by_words.items() if names]
    open_ = len(skills) - sum(map(len, by_words.values()))
    return lines + ([f"labels are too few to decide about the judge for {counted(open_, 'skill')}"] if open_ else [])
