"""The scores of a run with people's labels, where there are any: those in its folder, or those of a file.

`score_runs` takes the folders of runs and gives a `Scored` for each; `with_labels` does so for a run that was read
already. With labels a model's numbers are corrected (`labelled_scores`), and a judge that is right on these pictures is
certified for a skill, or its admission is taken back (`labelled_evidence`).
"""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import msgspec

from counterbench.errors import InputError
from counterbench.evidence.admission import untested
from counterbench.evidence.shown import OnPictures
from counterbench.pictures.comparing.people import raters_of
from counterbench.pictures.comparing.people_results import Raters
from counterbench.pictures.judging.judged_run import JudgedRun, load_models, on_same_prompts
from counterbench.pictures.labelling.answers import labels_in
from counterbench.pictures.labelling.evidence import labelled_evidence
from counterbench.pictures.labelling.labelled_scores import LabelledScores, labelled_scores
from counterbench.pictures.labelling.sample import read_sample
from counterbench.pictures.labelling.sums import LabelledModel
from counterbench.pictures.protocols.cf_eval.gate import THRESHOLD
from counterbench.pictures.run_scores import labels_of, score, scored_part, skills_of
from counterbench.pictures.scores.document import ByPeople, ModelDocument
from counterbench.pictures.scores.labels import HumanLabel, read_labels
from counterbench.pictures.scores.ratings import Ratings
from counterbench.pictures.scores.rules import DEFAULT, SOFT
from counterbench.pictures.words.run_names import main_number
from counterbench.text import listed


class Scored(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The models of one run with their scores, by people's standard too where there are labels."""

    path: Path
    runs: list[JudgedRun]
    documents: list[ModelDocument]
    labels: list[HumanLabel]
    by_people: LabelledScores | None  # the models in the order of `documents`

    @cached_property
    def ratings(self) -> Ratings | None:
        """The models' ratings, of a run that compared their pictures."""
        compared = self.runs[0].comparisons
        return None if compared is None else compared.ratings

    @property
    def raters(self) -> Raters | None:
        """The agreement of the raters with each other; None of fewer than two."""
        return raters_of(self.labels, self.runs)


def score_runs(
    paths: Sequence[Path], scoring: str = DEFAULT, threshold: float | None = None, labels: Path | None = None
) -> list[Scored]:
    """The scores of the models of these runs; InputError if one is no run about pictures, or is damaged.

    `labels`: a file of them; by default those that were given on each run's page. InputError if they do not fit, or do
    not say of which of several models they are.
    """
    runs = [load_models(path) for path in paths]
    all_runs = on_same_prompts([run for models in runs for run in models])
    if labels is not None and len(all_runs) > 1 and any(not label.generator for label in read_labels(labels)):
        raise InputError(
            f"{labels}: these runs are about {len(all_runs)} models; name each label's model in a column `model`"
        )
    marked = iter(all_runs)
    by_path = [(path, [next(marked) for _ in models]) for path, models in zip(paths, runs, strict=True)]
    return [with_labels(path, models, scoring, threshold, labels) for path, models in by_path]


def labelled_runs(path: Path) -> list[JudgedRun]:
    """The models of a run, with the skills that people's labels show its judge to see, or not to see."""
    return with_labels(path, load_models(path)).runs


def with_labels(
    path: Path,
    runs: list[JudgedRun],
    scoring: str = DEFAULT,
    threshold: float | None = None,
    labels: Path | None = None,
) -> Scored:
    """The scores of one run's models, by people's labels too if there are any; the run was read already."""
    sample = read_sample(path)
    human_labels = read_labels(labels) if labels is not None else labels_in(path, sample or [])
    if not any(labels_of(run, human_labels) for run in runs):
        documents = [score(run, scoring, threshold) for run in runs]
        return Scored(path=path, runs=runs, documents=documents, labels=human_labels, by_people=None)
    drawn_sample = sample if labels is None else None  # the labels of a file were not drawn by us
    models = [LabelledModel(run, human_labels, drawn_sample is not None) for run in runs]
    evidence = [labelled_evidence(model, drawn_sample) for model in models]
    admitted = [frozenset(name for name, skill in skills.items() if skill.admitted) for skills in evidence]
    admitted_skills = frozenset.intersection(*admitted)
    unseen_skills = frozenset(name for skills in evidence for name, skill in skills.items() if skill.refuted)
    runs = [msgspec.structs.replace(run, seen_skills=admitted_skills, unseen_skills=unseen_skills) for run in runs]
    documents = [score(run, scoring, threshold) for run in runs]
    by_people = labelled_scores(models, main_number(documents[0]), drawn_sample)
    documents = [
        _certified(document, run, human, of_model)
        for document, run, human, of_model in zip(documents, runs, by_people.models, evidence, strict=True)
    ]
    return Scored(path=path, runs=runs, documents=documents, labels=human_labels, by_people=by_people)


def _certified(
    document: ModelDocument, run: JudgedRun, human: ByPeople, evidence: dict[str, OnPictures]
) -> ModelDocument:
    """The document with the evidence of labels, which alone can certify a judge for pictures unlike drawn ones."""
    skills = skills_of(scored_part(run))
    refuted = [skill for skill, finding in evidence.items() if finding.refuted]
    all_admitted = all(skill in evidence and evidence[skill].admitted for skill in skills)
    certificate, reasons = run.kept.certificate, document.reasons
    if all_admitted and certificate is not None:
        about_pictures = untested(certificate, scored_part(run).prompts, run.kept.model.domain)
        reasons = [reason for reason in reasons if reason not in about_pictures]
    if refuted:
        reasons = [*reasons, f"people's labels show that it is wrong too often about {listed(refuted)}"]
    scoring = document.provenance.scoring
    if scoring not in (DEFAULT, *SOFT) or document.provenance.threshold not in (None, THRESHOLD):
        human = msgspec.structs.replace(human, notes=[*human.notes, "scores by people use the default scoring"])
    return msgspec.structs.replace(
        document,
        by_people=human,
        evidence=msgspec.structs.replace(document.evidence, labelled=evidence),
        reasons=reasons,
        certified=document.admitted and not reasons,
    )
