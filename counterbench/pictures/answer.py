"""The answer of `evaluate`: which model is better, and on what evidence its judge is believed.

A run has a judge's answers about the pictures of several models. `answer` reads the run in a folder, scores and
compares its models, and gives an `Evaluated`; `sentences` puts that into lines for people.

A check is a question about a picture; its weight is its part in the score. A check is tried if a test showed that the
judge can answer such questions, else untried. Models are ranked by the tried checks alone. A score "by word" is over
all checks: there the judge is taken at its word. Denials are answers to checks that were asked negated, too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from counterbench.evidence.shown import Evidence
from counterbench.evidence.verdict import BY_PEOPLE, IN_PART, NOT_SUPPORTED, SUPPORTED, Verdict
from counterbench.pictures.auditing.audit import Audit
from counterbench.pictures.auditing.result import kept_audit
from counterbench.pictures.comparing.models import Comparisons, compare_runs
from counterbench.pictures.importing.pictures import NO_PICTURE
from counterbench.pictures.judging.judged_run import JudgedRun, load_models
from counterbench.pictures.labelling.forecast import labels_to_certify
from counterbench.pictures.labelling.label_words import label_lines
from counterbench.pictures.labelling.scored import Scored, with_labels
from counterbench.pictures.protocols import protocol
from counterbench.pictures.run_scores import frame
from counterbench.pictures.scores.document import ModelDocument, WrongAtLeast
from counterbench.pictures.scores.rules import DEFAULT
from counterbench.pictures.words.about_judges import (
    evidence_yet,
    judge_lines,
    passed_stickers,
    pictures_line,
    same_maker_lines,
)
from counterbench.pictures.words.about_numbers import shared_lines
from counterbench.pictures.words.run_names import clusters, distinct_documents, main_number, unit
from counterbench.prompts.skills import named_by_user
from counterbench.results.contrasts import Contrast
from counterbench.results.measures import plain, with_interval
from counterbench.runs.folder import JOURNAL_FILE, answered
from counterbench.runs.usage import short_names
from counterbench.stats.clusters import FEWEST
from counterbench.stats.intervals import UNDEFINED, Estimate
from counterbench.text import brief, counted, html_table, listed

if TYPE_CHECKING:
    import pandas as pd


NOT_ASKED = "not asked yet (counterbench t2i audit RUN)"


class ModelScore(msgspec.Struct, frozen=True, kw_only=True):
    """One model's score and rank."""

    model: str
    score: Estimate  # by people's labels, if there are enough of them (see `Evaluated.by_people`)
    judged: Estimate  # by the judge alone
    rank: int
    pictures: int
    answered: int  # pictures whose questions all have an answer


class Better(msgspec.Struct, frozen=True, kw_only=True):
    """A model that is shown to be better than another one."""

    model: str  # the better one
    than: str  # the other one
    p: float  # of the test, adjusted for all tests by Holm


class LabelsNeeded(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of people's answers (labels) that would be needed, if the numbers seen so far are right."""

    # To tell the first model from the second; null if they are told apart already, or the run has too few questions.
    models: int | None
    # By skill: to certify the judge for it, if it makes no error; without skills of which the run has too few answers.
    skills: dict[str, int]


class Evaluated(msgspec.Struct, frozen=True, kw_only=True):
    """`evaluate --json`: the models by rank, what is better than what, and the evidence for the judge."""

    run: str
    verdict: Verdict
    because: str  # the reason of the verdict
    tried: float  # the share, 0 … 1, of the questions' weight that is tried, and that models are ranked by
    models: list[ModelScore]  # by rank
    by_word: dict[str, Estimate]  # by model: the score over all questions, tried or not, at the judge's word
    better: list[Better]
    judge: str
    column: str  # the number by which models are ranked
    by_people: bool  # scores and tests rest on people's labels
    scoring: str  # the name of the rule by which answers are counted
    admitted: bool  # the judge was shown to see at least some of what the questions ask
    evidence: Evidence
    not_tested: dict[str, float]  # skills, or laws, without a test, with their share of the weight
    left_out: dict[str, str]  # skills, or laws, that are not scored, with the reason
    named: dict[str, float] = {}  # skills that the user's own column names, with their share of the weight
    wrong_at_least: WrongAtLeast | None  # answers that contradict one another
    audited: str = ""  # the finding of an audit (further questions to the judge), and what follows, in words
    no_audit: str = ""  # the reason why there is no audit
    revoked: list[str] = []  # skills whose admission was taken back
    labels: LabelsNeeded
    clusters: int  # the number of units that intervals and tests are over
    unit: str  # the kind of these units: prompt, group or law
    complete: bool
    calls: int  # replies about the pictures, of all calls of `evaluate`
    cost: float | None  # US dollars
    report: str = ""  # its file
    documents: list[ModelDocument] = []  # by rank: all numbers, as of `score`

    def frame(self) -> pd.DataFrame:
        """A row for each question about each picture, with the judge's reply (see `run_scores.frame`)."""
        return frame(Path(self.run))

    def __repr__(self) -> str:
        scores = ", ".join(f"{row.model} {row.score.value:.2f}" for row in self.models if row.score.value is not None)
        return brief(self, f"{self.verdict}: {scores} (judge {self.judge})")

    def _repr_html_(self) -> str:
        """For a notebook: the models by rank."""
        rows = (
            (f"{row.rank}. {row.model}", plain(row.score.value), f"{plain(row.score.low)} … {plain(row.score.high)}")
            for row in self.models
        )
        return html_table(f"judge {self.judge}", ("model", "score", "95 %"), rows)


def answer(path: Path) -> Evaluated:
    """The answer that the run in `path` gives; InputError if it is no run about generated pictures."""
    runs = load_models(path)
    scored = with_labels(path, runs, scoring_for(runs))
    return answer_of(scored, compare_runs(runs, scored.documents))


def answer_of(scored: Scored, compared: Comparisons) -> Evaluated:
    """The answer of a run whose models were read, scored and compared already.

    If people labelled enough pictures, scores, ranks and differences are by their labels, else by the judge.
    """
    path, runs, documents = scored.path, scored.runs, distinct_documents(scored.documents)
    column, audit = main_number(documents[0]), kept_audit(path)
    comparison = compared.comparisons[0] if compared.comparisons else None
    first_run, first_document, people = runs[0], documents[0], scored.by_people
    people = people if people is not None and people.headline else None
    ranks = {rank.model: rank.rank for rank in comparison.ranks.get(column, [])} if comparison is not None else {}
    model_scores = []
    for place, (run, document) in enumerate(zip(runs, documents, strict=True)):
        name, judged = document.generator, document.columns.get(column, UNDEFINED)
        model_scores.append(
            ModelScore(
                model=name,
                score=judged if people is None else people.models[place].columns[column],
                judged=judged,
                rank=ranks.get(name, 1) if people is None else people.rank(place),
                pictures=sum(row.message != NO_PICTURE and run.may_count(row.prompt_id) for row in run.kept.samples),
                answered=document.scored,
            )
        )
    model_scores.sort(key=lambda model: (model.rank, -(model.score.value or 0)))
    contrasts = [pair for pair in comparison.contrasts if pair.column == column] if comparison is not None else []
    better = [
        Better(model=pair.better, than=({pair.first, pair.second} - {pair.better}).pop(), p=pair.p_holm)
        for pair in contrasts
        if pair.better is not None and pair.p_holm is not None
    ]
    if people is not None:
        names = [document.generator for document in documents]
        better = [
            Better(model=names[pair.better], than=names[pair.first + pair.second - pair.better], p=pair.p_holm)
            for pair in people.differences
            if pair.better is not None
        ]
    figures = answered(path / JOURNAL_FILE).figures
    by_name = {document.generator: document for document in documents}
    verdict, because = verdict_of(documents, people is not None)
    supported, clusters = verdict != NOT_SUPPORTED, min(document.clusters for document in documents)
    if supported and not first_run.protocol.compares:
        because = f"{_result_in_words(model_scores, bool(better) or clusters < FEWEST, first_document)}{because}"
    denials = [document.denials for document in documents if document.denials is not None and document.denials.counts]
    return Evaluated(
        run=str(path),
        verdict=verdict,
        because=because,
        tried=first_document.covered or 0.0,
        models=model_scores,
        by_word={document.generator: document.by_word.get(column, UNDEFINED) for document in documents},
        better=sorted(better, key=lambda pair: pair.p) if supported else [],
        judge=short_names([first_document.provenance])[0],
        column=column,
        by_people=people is not None,
        revoked=sorted(
            {skill for document in documents for skill, result in document.evidence.labelled.items() if result.refuted}
            | set(audit.revoked if audit is not None else ())
            | {skill for of_model in denials for skill in of_model.revoked}
        ),
        scoring=first_document.provenance.scoring,
        admitted=first_document.admitted,
        evidence=first_document.evidence,
        not_tested=first_document.not_tested,
        left_out=first_document.left_out,
        named=named_by_user(first_run.prompts.prompts),
        wrong_at_least=first_document.wrong_at_least if audit is None else audit.wrong_at_least,
        audited=audit.brief.finding if audit is not None else "",
        no_audit="" if audit is not None else Audit(path, read=runs).why_not_due or NOT_ASKED,
        labels=LabelsNeeded(
            models=_labels_to_tell(first_run, contrasts, [model.model for model in model_scores[:2]]),
            skills=labels_to_certify(first_run),
        ),
        clusters=clusters,
        unit="law" if len(first_document.slices.get("law", ())) > 1 else unit(first_document),
        complete=all(document.complete for document in documents),
        calls=figures.replies,
        cost=figures.cost,
        documents=[by_name[model.model] for model in model_scores],
    )


def verdict_of(documents: Sequence[ModelDocument], by_people: bool) -> tuple[Verdict, str]:
    """The verdict on a run about several models, which is the lowest of theirs, and the reason for it.

    `by_people`: the scores rest on people's labels.
    """
    if by_people:
        return SUPPORTED, BY_PEOPLE
    lowest = max(documents, key=lambda document: (SUPPORTED, IN_PART, NOT_SUPPORTED).index(document.verdict))
    return lowest.verdict, lowest.because


def _result_in_words(model_scores: Sequence[ModelScore], are_told_apart: bool, document: ModelDocument) -> str:
    """The first words of a verdict's reason: a single model's score, or that several are not told apart.

    `document`: of one of the models, which says if they share no prompt.
    """
    if len(model_scores) == 1:
        return f"{model_scores[0].model} has {with_interval(model_scores[0].score)}; "
    if document.not_shared is not None and not document.not_shared.shared:
        return "no model is compared, since they share no prompt; "
    return "" if are_told_apart else "no difference shown; "


def swing_line(result: Evaluated) -> str:
    """A sentence on the first two models: how large an error of the judge on untried checks would reverse their order.

    The error is their difference over all checks, tried or not, divided by the untried share of the weight. For example
    a lead of 0.10 is reversed by errors that differ by 20 points, if half of the weight is untried. A model's error
    lies between -100 and 100 points, so that two differ by 200 at most. Empty if nothing is untried, or if the run
    supports no ranking.
    """
    untried_share = 1 - result.tried
    if len(result.models) < 2 or untried_share < 0.005 or not result.tried or result.verdict == NOT_SUPPORTED:
        return ""
    first, second = (model.model for model in result.models[:2])
    by_word = [result.by_word[name].value for name in (first, second)]
    if by_word[0] is None or by_word[1] is None:
        return ""
    lead, rest = by_word[0] - by_word[1], f"the untried {100 * untried_share:.0f} %"
    if lead < 0:
        return f"On what was tried {first} leads; over all checks {second} scores higher, but {rest} has no evidence."
    points = 100 * lead / untried_share
    if points < 0.5:
        return f"Over all checks {first} and {second} are about equal."
    if points >= 200:  # a model's error lies between -100 and 100 points
        return f"Over all checks {first} stays ahead, whatever the judge's errors on {rest}."
    return (
        f"Over all checks {first} stays ahead unless the judge's errors on {rest} favour {second} over {first} by more "
        f"than {points:.0f} of 200 points."
    )


def scoring_for(runs: list[JudgedRun]) -> str:
    """The name of the scoring: "soft" if only whole prompts were asked and every reply has a probability, else default.

    Soft scoring counts the judge's probability of yes in place of its answer.
    """
    rows = [row for run in runs for row in run.rows if row.credit is not None]
    soft = all(row.criterion == "prompt" and row.p_yes is not None for row in rows)
    return "soft" if rows and soft and "soft" in runs[0].protocol.scorings else DEFAULT


def _labels_to_tell(run: JudgedRun, contrasts: list[Contrast], first_two: list[str]) -> int | None:
    """The number of people's answers that tell the first two models apart, with a power of 80 %.

    The observed difference is taken to be right. It takes so many prompts (`comparing.contrasts.units_needed`), with a
    picture of each model, and one answer to each of its questions. None if the run has fewer prompts.
    """
    prompts = next((pair.units_needed for pair in contrasts if {pair.first, pair.second} == set(first_two)), None)
    counts = [len(prompt.checks) for prompt in run.prompts.prompts if prompt.checks]
    return None if prompts is None or prompts > len(counts) else math.ceil(2 * prompts * sum(counts) / len(counts))


def _denials_sentence(result: Evaluated) -> list[str]:
    """A list with a sentence on checks whose answers, as they are and negated, contradict; empty if there is nothing.

    It is empty, too, if the verdict's reason says the same.
    """
    finding = next((document.denials.finding for document in result.documents if document.denials is not None), "")
    return [f"{finding[0].upper()}{finding[1:]}."] if finding and finding != result.because else []


def sentences(result: Evaluated, brief: bool = False) -> list[str]:
    """The lines to print below the models' scores.

    They say what the scores do not show, what was lost, who the judge is, and the evidence for it. `brief`: leave out
    the line on an audit that found nothing wrong, the reason why there is no audit (of a judge that is not supported
    anyway), and the last lines, on the evidence so far and the human labels that are needed.
    """
    lines, compared = shared_lines(result.documents), any(protocol(run.protocol).compares for run in result.documents)
    if result.clusters < FEWEST and not (compared or result.by_people):
        lines.append(f"Only {clusters(result.documents[0])}: too few for intervals and tests, which need {FEWEST}.")
    lines += [line for line in [swing_line(result)] if line and not compared]
    unscored = [(row.pictures - row.answered, row.model) for row in result.models if row.answered < row.pictures]
    if unscored:
        lines.append("Not scored: " + listed(f"{counted(n, 'picture')} of {model}" for n, model in unscored) + ".")
    wrong = result.wrong_at_least
    if result.audited:
        if not brief or wrong is None or wrong.share.value != 0:
            lines.append(f"{result.audited[0].upper()}{result.audited[1:]}.")
    elif wrong is not None and wrong.count:
        lines.append(
            f"At least {wrong.count} of {wrong.of} pictures have a wrong answer: two answers contradict each other."
        )
    if result.no_audit and not compared and (not brief or result.verdict == SUPPORTED):
        lines.append(f"Audit skipped: {result.no_audit}.")
    if result.named:
        share = 100 * sum(result.named.values())
        lines.append(f"Skills named by your own table, for {share:.0f} % of the weight: {listed(result.named)}.")
    lines += _denials_sentence(result)
    in_verdict = all(document.reasons[:1] == [result.because] for document in result.documents)
    judged = [(document.generator, document.provenance) for document in result.documents]
    lines += [f"Judge: {result.judge}.", *same_maker_lines(judged)] if in_verdict else judge_lines(result.documents)
    if all(document.certified for document in result.documents):
        return lines
    if compared:
        return [*lines, *pictures_line(result.documents)]
    needed_labels = []
    if result.labels.models is not None:
        first, second = (model.model for model in result.models[:2])
        needed_labels.append(f"{result.labels.models:,} human labels would tell {first} from {second}")
    if result.labels.skills:
        name, least = next(iter(result.labels.skills.items()))
        needed_labels.append(f"{least}{'' if needed_labels else ' human labels'} would certify the judge for {name}")
    if any(document.evidence.labelled for document in result.documents):
        return [*lines, *label_lines(result.documents)]
    label_sentences = [f"{', '.join(needed_labels)}."] if needed_labels else []
    return lines if brief else [*lines, f"{evidence_yet(passed_stickers(result.evidence))}.", *label_sentences]
