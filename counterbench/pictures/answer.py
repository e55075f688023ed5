"""The answer of `evaluate`, from its run: which model is better, and on what evidence its judge is believed.

A check is tried if a test showed that the judge can answer such questions, else untried; models are ranked by the tried
ones. The weight of a check is its part in the score.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from counterbench.evidence.shown import Evidence
from counterbench.evidence.verdict import IN_PART, NOT_SUPPORTED, SUPPORTED, Verdict
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
from counterbench.pictures.words import (
    clusters,
    distinct_documents,
    evidence_yet,
    judge_lines,
    main_number,
    passed_stickers,
    pictures_line,
    shared_lines,
    unit,
)
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
    """One model's score and rank; `answered`: its pictures whose questions all have an answer."""

    model: str
    score: Estimate  # by people's labels, if there are enough of them (see `Evaluated.by_people`)
    judged: Estimate  # by the judge alone
    rank: int
    pictures: int
    answered: int


class Better(msgspec.Struct, frozen=True, kw_only=True):
    """A model that is better than another one; `p` is adjusted for all tests by Holm."""

    model: str
    than: str
    p: float


class LabelsNeeded(msgspec.Struct, frozen=True, kw_only=True):
    """Answers of people that would be needed, if what is seen so far is right; null or absent if none can be named."""

    models: int | None  # to tell the first model from the second, if they are not told apart and the run has so many
    skills: dict[str, int]  # to certify the judge for a skill, without an error, where the run has so many answers


class Evaluated(msgspec.Struct, frozen=True, kw_only=True):
    """`evaluate --json`: the models by rank, what is better than what, and the evidence for the judge."""

    run: str
    verdict: Verdict
    because: str  # the reason of the verdict
    tried: float  # the share of the questions' weight that the judge was shown to see, and that models are ranked by
    models: list[ModelScore]
    by_word: dict[str, Estimate]  # the models' scores over all questions, tried or not
    better: list[Better]
    judge: str
    column: str  # the number by which models are ranked
    by_people: bool  # scores and tests rest on people's labels
    scoring: str
    admitted: bool
    evidence: Evidence
    not_tested: dict[str, float]  # skills, or laws, without a test, with their share of the weight
    left_out: dict[str, str]  # skills, or laws, that are not scored, with the reason
    named: dict[str, float] = {}  # skills that the user's own column names, with their share of the weight
    wrong_at_least: WrongAtLeast | None  # answers that contradict one another
    audited: str = ""  # the finding of an audit, and what follows, in words
    no_audit: str = ""  # why there is none
    revoked: list[str] = []  # skills whose admission was taken back
    labels: LabelsNeeded
    clusters: int  # over which intervals and tests are
    unit: str  # the kind of these: prompt, group or law
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
    """The answer of a run whose models were read, scored and compared already."""
    path, runs, documents = scored.path, scored.runs, distinct_documents(scored.documents)
    column, audit = main_number(documents[0]), kept_audit(path)
    comparison = compared.comparisons[0] if compared.comparisons else None
    first, status, people = runs[0], documents[0], scored.by_people
    people = people if people is not None and people.headline else None
    ranks = {rank.model: rank.rank for rank in comparison.ranks.get(column, [])} if comparison is not None else {}
    ranked = []
    for place, (run, document) in enumerate(zip(runs, documents, strict=True)):
        name, judged = document.generator, document.columns.get(column, UNDEFINED)
        ranked.append(
            ModelScore(
                model=name,
                score=judged if people is None else people.models[place].columns[column],
                judged=judged,
                rank=ranks.get(name, 1) if people is None else people.rank(place),
                pictures=sum(row.message != NO_PICTURE and run.may_count(row.prompt_id) for row in run.kept.samples),
                answered=document.scored,
            )
        )
    ranked.sort(key=lambda model: (model.rank, -(model.score.value or 0)))
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
    if supported and not first.protocol.compares:
        because = f"{_result_in_words(ranked, bool(better) or clusters < FEWEST)}{because}"
    denied = [document.denials for document in documents if document.denials is not None and document.denials.counts]
    return Evaluated(
        run=str(path),
        verdict=verdict,
        because=because,
        tried=status.covered or 0.0,
        models=ranked,
        by_word={document.generator: document.by_word.get(column, UNDEFINED) for document in documents},
        better=sorted(better, key=lambda pair: pair.p) if supported else [],
        judge=short_names([status.provenance])[0],
        column=column,
        by_people=people is not None,
        revoked=sorted(
            {skill for document in documents for skill, result in document.evidence.labelled.items() if result.refuted}
            | set(audit.revoked if audit is not None else ())
            | {skill for denials in denied for skill in denials.revoked}
        ),
        scoring=status.provenance.scoring,
        admitted=status.admitted,
        evidence=status.evidence,
        not_tested=status.not_tested,
        left_out=status.left_out,
        named=named_by_user(first.prompts.prompts),
        wrong_at_least=status.wrong_at_least if audit is None else audit.wrong_at_least,
        audited=audit.brief.finding if audit is not None else "",
        no_audit="" if audit is not None else Audit(path, read=runs).why_not_due or NOT_ASKED,
        labels=LabelsNeeded(
            models=_labels_to_tell(first, contrasts, [model.model for model in ranked[:2]]),
            skills=labels_to_certify(first),
        ),
        clusters=clusters,
        unit="law" if len(status.slices.get("law", ())) > 1 else unit(status),
        complete=all(document.complete for document in documents),
        calls=figures.replies,
        cost=figures.cost,
        documents=[by_name[model.model] for model in ranked],
    )


def verdict_of(documents: Sequence[ModelDocument], by_people: bool) -> tuple[Verdict, str]:
    """The verdict on a run about several models, the lowest of theirs; `by_people`: labels carry the scores."""
    if by_people:
        return SUPPORTED, "the scores rest on people's labels of these pictures"
    lowest = max(documents, key=lambda document: (SUPPORTED, IN_PART, NOT_SUPPORTED).index(document.verdict))
    return lowest.verdict, lowest.because


def _result_in_words(ranked: Sequence[ModelScore], are_told_apart: bool) -> str:
    """The first words of a verdict's reason: a single model's score, or that several are not told apart."""
    if len(ranked) == 1:
        return f"{ranked[0].model} has {with_interval(ranked[0].score)}; "
    return "" if are_told_apart else "no difference shown; "


def swing_line(result: Evaluated) -> str:
    """A sentence: the judge's error on what was not tried that would reverse the order of the first two models.

    It is their difference over all questions, tried or not, divided by the untried share of the weight. Empty where
    nothing is untried, and where nothing is supported.
    """
    untried = 1 - result.tried
    if len(result.models) < 2 or untried < 0.005 or not result.tried or result.verdict == NOT_SUPPORTED:
        return ""
    first, second = (model.model for model in result.models[:2])
    values = [result.by_word[name].value for name in (first, second)]
    if values[0] is None or values[1] is None:
        return ""
    lead, rest = values[0] - values[1], f"the untried {100 * untried:.0f} %"
    if lead < 0:
        return f"Over all checks {second} scores higher than {first}; {rest} has no evidence."
    points = 100 * lead / untried
    if points < 0.5:
        return f"Over all checks {first} and {second} are about equal."
    if points >= 200:  # a model's error lies between -100 and 100 points
        return f"Over all checks {first} stays ahead, whatever the judge's errors on {rest}."
    return (
        f"Over all checks {first} stays ahead unless the judge's error on {rest} differs between {first} and {second} "
        f"by more than {points:.0f} points."
    )


def scoring_for(runs: list[JudgedRun]) -> str:
    """The scoring: "soft" if only whole prompts were asked and every reply has a probability, else the default."""
    rows = [row for run in runs for row in run.rows if row.credit is not None]
    soft = all(row.criterion == "prompt" and row.p_yes is not None for row in rows)
    return "soft" if rows and soft and "soft" in runs[0].protocol.scorings else DEFAULT


def _labels_to_tell(run: JudgedRun, contrasts: list[Contrast], first_two: list[str]) -> int | None:
    """The number of people's answers that tell the first two models apart, with a power of 80 %.

    The observed difference is taken to be right. As many prompts as that takes (see `comparing.models.units_needed`),
    with a picture of each model, and each of its questions answered once. None if the run has fewer prompts.
    """
    needed = next((pair.units_needed for pair in contrasts if {pair.first, pair.second} == set(first_two)), None)
    counts = [len(prompt.checks) for prompt in run.prompts.prompts if prompt.checks]
    return None if needed is None or needed > len(counts) else math.ceil(2 * needed * sum(counts) / len(counts))


def _denials_sentence(result: Evaluated) -> list[str]:
    """A sentence on answers that contradict each other, as a list of one; empty without, or if the verdict has it."""
    finding = next((document.denials.finding for document in result.documents if document.denials is not None), "")
    return [f"{finding[0].upper()}{finding[1:]}."] if finding and finding != result.because else []


def sentences(result: Evaluated, brief: bool = False) -> list[str]:
    """The lines below the models' scores: what these do not show, what was lost, the judge, and the evidence for it.

    `brief`: leave out three: the line on an audit that found nothing wrong; the reason why there is no audit; and the
    last lines, on the evidence for the judge so far and on the human labels that are needed.
    """
    lines, compared = shared_lines(result.documents), any(protocol(run.protocol).compares for run in result.documents)
    if result.clusters < FEWEST and not compared:
        lines.append(f"Only {clusters(result.documents[0])}: too few for intervals and tests, which need {FEWEST}.")
    lines += [line for line in [swing_line(result)] if line and not compared]
    lost = [(row.pictures - row.answered, row.model) for row in result.models if row.answered < row.pictures]
    if lost:
        lines.append("Not scored: " + listed(f"{counted(n, 'picture')} of {model}" for n, model in lost) + ".")
    wrong = result.wrong_at_least
    if result.audited:
        if not brief or wrong is None or wrong.share.value != 0:
            lines.append(f"{result.audited[0].upper()}{result.audited[1:]}.")
    elif wrong is not None and wrong.count:
        lines.append(
            f"At least {wrong.count} of {wrong.of} pictures have a wrong answer: two answers contradict each other."
        )
    lines += [f"Audit skipped: {result.no_audit}."] if result.no_audit and not (compared or brief) else []
    if result.named:
        share = 100 * sum(result.named.values())
        lines.append(f"Skills named by your own table, for {share:.0f} % of the weight: {listed(result.named)}.")
    lines += _denials_sentence(result)
    in_verdict = all(document.reasons[:1] == [result.because] for document in result.documents)
    lines += [f"Judge: {result.judge}."] if in_verdict else judge_lines(result.documents)
    if all(document.certified for document in result.documents):
        return lines
    if compared:
        return [*lines, *pictures_line(result.documents)]
    needed = []
    if result.labels.models is not None:
        first, second = (model.model for model in result.models[:2])
        needed.append(f"{result.labels.models:,} human labels would tell {first} from {second}")
    if result.labels.skills:
        name, least = next(iter(result.labels.skills.items()))
        needed.append(f"{least}{'' if needed else ' human labels'} would certify the judge for {name}")
    if any(document.evidence.labelled for document in result.documents):
        return [*lines, *label_lines(result.documents)]
    ahead = [f"{', '.join(needed)}."] if needed else []
    return lines if brief else [*lines, f"{evidence_yet(passed_stickers(result.evidence))}.", *ahead]
