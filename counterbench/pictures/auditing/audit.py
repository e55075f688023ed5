"""One call of `t2i audit`: a run's judge is asked further questions that are related to its answers.

A relation (see `relations`) makes such questions from an answered one, so that wrong answers contradict each other. The
path: `groups` draws the answered questions to audit; `askings` gives the runs for the caller to ask; `conclude` counts
contradictions into an `AuditResult`. If these are too many by the policy (the rules for judges), the judge's admission
is revoked. First comes the trial of each relation on drawn pictures, whose answers are known: only relations whose
questions this judge can answer count.

RUN/audit/drawn      the run about drawn pictures: the trial of the relations
RUN/audit/pictures   the run about the model's pictures
RUN/audit/denied     the run about negated questions on drawn pictures (see `denials`), if it is needed
RUN/audit/audit.json the result, once both of the first are complete
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from counterbench.asking.asking import Asking
from counterbench.asking.job import Job
from counterbench.asking.limits import Forecast, forecast
from counterbench.drawing import domain
from counterbench.errors import InputError, unknown
from counterbench.evidence.admission import policy_of
from counterbench.files import formats
from counterbench.files.addresses import fetched
from counterbench.judges.base import Judge
from counterbench.judges.opening import judge_of_run
from counterbench.judges.panel import NOTHING_NEW, PANEL
from counterbench.judges.planted import PlantedJudge
from counterbench.pictures.auditing.audit_questions import AuditQuestions, picture_questions
from counterbench.pictures.auditing.denials import NEGATION_FOLDER, denials_of, negation_questions, negation_trial_due
from counterbench.pictures.auditing.drawn import RelationTrial, drawn_questions, relation_trials
from counterbench.pictures.auditing.groups import AuditGroup, draw_groups
from counterbench.pictures.auditing.relations import RELATIONS, takes
from counterbench.pictures.auditing.result import (
    AUDIT_FOLDER,
    MIN_GROUPS,
    AuditResult,
    audit_file,
    audit_result,
    kept_audit,
    replies_digest,
)
from counterbench.pictures.judging.judged_run import JudgedRun, load_models
from counterbench.pictures.options import AuditOptions
from counterbench.pictures.protocols.replies import replies_in
from counterbench.prompts.claims import claim_of
from counterbench.prompts.prompt_set import Prompt
from counterbench.runs.folder import JOURNAL_FILE, RUN_FILE, answered, read_keys, read_run_info
from counterbench.runs.queries import PromptTemplate, load_template

PROMPTS_SHOWN = "the judge was shown the prompts, and an audit's questions have none"
_DRAWN, _PICTURES = "drawn", "pictures"


class AuditPlan(msgspec.Struct, frozen=True, kw_only=True):
    """The questions of an audit that have no reply yet, and what they take."""

    pictures: int  # the pictures that are audited
    relations: list[str]  # the names of the relations that apply to their questions
    drawn: int  # questions about drawn pictures
    questions: int  # the most questions about the model's pictures
    expected: Forecast  # of all calls that are left


@dataclass(frozen=True)
class Audit(AuditOptions, Job):
    """One call of `t2i audit` about the run in `folder`.

    `read`: the run, model by model, if it was read already. Using it raises InputError if the judge or the template is
    not the run's, or if the judge saw the prompts.
    """

    read: Sequence[JudgedRun] = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        """InputError for fewer than one picture, or a relation that there is not."""
        if self.pictures < 1:
            raise InputError(f"--pictures must be at least 1, not {self.pictures}")
        for name in self.wanted_names:
            if name not in RELATIONS:
                raise unknown("relation", name, RELATIONS)

    @cached_property
    def path(self) -> Path:
        """The run's folder."""
        return fetched(self.folder)

    @cached_property
    def wanted_names(self) -> list[str]:
        """The names of the relations that the user asks for; empty for all."""
        names = self.relations.split(",") if isinstance(self.relations, str) else self.relations
        return [name.strip() for name in names if name.strip()]

    @cached_property
    def runs(self) -> list[JudgedRun]:
        """The judged pictures of each model of the run.

        InputError if the judge saw the prompts, or if it compared pictures.
        """
        runs = list(self.read) or load_models(self.path)
        if runs[0].kept.info.prompt_shown:
            raise InputError(f"{self.path}: {PROMPTS_SHOWN}; audit a run judged without prompts")
        if runs[0].protocol.compares:
            raise InputError(f"{self.path}: compares pictures, and an audit asks about single ones; audit another run")
        return runs

    @cached_property
    def asked_by(self) -> PromptTemplate:
        """The template in which the run was asked; InputError if `template` is another, or if it has changed."""
        info = self.runs[0].info
        template = load_template(self.template or info.template)
        if template.digest != info.template_digest:
            raise InputError(f"{self.path}: was asked with template {info.template!r}; name its file as --template")
        return template

    @cached_property
    def _drawn_groups(self) -> list[AuditGroup]:
        """The audited questions with their pictures, drawn at random from the run; empty if there is none."""
        return draw_groups(self.runs, self.pictures)

    @property
    def groups(self) -> list[AuditGroup]:
        """The audited questions with their pictures; InputError if there is none."""
        if not self._drawn_groups:
            raise InputError(
                f"{self.path}: there is nothing to audit: no answered question has a form that relations apply "
                "to (is there an X, are there exactly N X, how many X, is the X to the left of the Y, is the X red)"
            )
        return self._drawn_groups

    @property
    def is_kept(self) -> bool:
        """True if the run has the result of this audit, or of a larger one."""
        result = kept_audit(self.path)
        return result is not None and not result.left_out and result.pictures >= len(self._drawn_groups)

    @property
    def why_not_due(self) -> str:
        """The reason why `evaluate` does not audit the run by itself; empty if it does."""
        try:
            if self.runs[0].info.judge.startswith(PANEL):
                return NOTHING_NEW
            calls = self._calls_left()[-1] if len(self._drawn_groups) >= MIN_GROUPS else 0
        except InputError as error:
            return str(error)
        return why_not(len(self._drawn_groups), calls, self.runs[0].info.queries)

    @cached_property
    def usable_names(self) -> list[str]:
        """The names of the wanted relations that apply to at least one audited group."""
        return [name for name in self._applicable_names if not self.wanted_names or name in self.wanted_names]

    @cached_property
    def _applicable_names(self) -> list[str]:
        """The names of all relations that apply to at least one audited group."""
        names = {name for group in self.groups for name in group.related([*RELATIONS])}
        return [name for name in RELATIONS if name in names]

    def _judge_to_open(self) -> Judge | Callable[..., Any] | str:
        """The judge to open: the given one, or the run's name of it."""
        return judge_of_run(self.path, self.runs[0].info.judge, self.judge)

    def _judge(self) -> Judge:
        """The run's judge, opened; InputError if it is another one, or a planted judge."""
        info, judge = self.runs[0].info, self.open_judge(self._judge_to_open())
        if isinstance(judge, PlantedJudge):
            raise InputError(
                f"{judge.name}: a planted judge only answers about pictures drawn by counterbench; name another judge"
            )
        if judge.name != info.judge:
            raise InputError(
                f"{self.path}: was answered by {info.judge!r}, not by {judge.name!r}; name {info.judge!r} as --judge"
            )
        return judge

    def _asking(self, name: str, questions: AuditQuestions) -> Asking:
        """The run of the audit in the folder `name`, which asks these questions."""
        return self.asking_about(
            questions, self._judge(), self.path / AUDIT_FOLDER / name, templates=[self.asked_by],
            repeats=self.runs[0].info.repeats,
        )  # fmt: skip

    def _unanswered(self, name: str, questions: AuditQuestions) -> int:
        """The number of questions of the audit's run `name` without a reply, each repeat counted.

        InputError if the run's folder holds another audit, or a larger one.
        """
        path = self.path / AUDIT_FOLDER / name
        advice = f"delete {self.path / AUDIT_FOLDER} to audit anew"
        if (path / RUN_FILE).is_file() and read_run_info(path).suite_digest != questions.digest:
            raise InputError(f"{path}: holds an audit of other replies than the run has now; {advice}")
        if self._known_ids(name) - {item.id for item in questions.items}:
            raise InputError(
                f"{path}: holds an audit of more pictures or relations; give --pictures and --relations as then, or "
                f"more, or {advice}"
            )
        return max(0, self.runs[0].info.repeats * len(questions) - self._reply_count(name))

    def _known_ids(self, name: str) -> set[str]:
        """The ids of the questions that the audit's run `name` has already."""
        path = self.path / AUDIT_FOLDER / name
        return {key.id for key in read_keys(path)} if (path / RUN_FILE).is_file() else set()

    @cached_property
    def _trial_questions(self) -> AuditQuestions:
        """The questions about drawn pictures: of the usable relations, and of those in the trial of a smaller audit."""
        earlier_names = {id.rpartition("/")[2].partition(".")[0] for id in self._known_ids(_DRAWN)}
        return drawn_questions([name for name in RELATIONS if name in earlier_names or name in self.usable_names])

    @property
    def trials(self) -> dict[str, RelationTrial]:
        """The result of each usable relation's trial on drawn pictures, by name, from the replies so far."""
        return relation_trials(self.usable_names, replies_in(self.path / AUDIT_FOLDER / _DRAWN))

    def _about_pictures(self, relations: Sequence[str]) -> AuditQuestions:
        """The questions of these relations about the model's pictures."""
        info = self.runs[0].info
        shared_domain = domain.together([run.kept.model.domain for run in self.runs])
        identifying = f"relations about {replies_digest(self.path)}"
        known_ids = self._known_ids(_PICTURES)
        return picture_questions(f"{info.suite}--audit", self.groups, relations, shared_domain, identifying, known_ids)

    def plan(self) -> AuditPlan:
        """Forecast what is left to ask, at most; asks nothing."""
        drawn, pictures, open_calls = self._calls_left()
        if open_calls:
            self._judge_to_open()
        return AuditPlan(
            pictures=len(self.groups),
            relations=self.usable_names,
            drawn=drawn,
            questions=pictures,
            expected=forecast(open_calls, answered(self.path / JOURNAL_FILE).figures),
        )

    def _calls_left(self) -> tuple[int, int, int]:
        """The numbers of questions about drawn pictures, of questions about the model's, and of calls that are left.

        The calls include negated questions on drawings, if these are due.
        """
        trial_left = self._unanswered(_DRAWN, self._trial_questions)
        pictures = self._about_pictures(self.usable_names if trial_left else self._counting_names)
        negations = self._unanswered(NEGATION_FOLDER, negation_questions()) if self._is_negation_trial_due else 0
        return len(self._trial_questions), len(pictures), trial_left + self._unanswered(_PICTURES, pictures) + negations

    def _reply_count(self, name: str) -> int:
        """The number of replies in the audit's run `name`."""
        return answered(self.path / AUDIT_FOLDER / name / JOURNAL_FILE).figures.replies

    def askings(self) -> Iterator[Asking]:
        """The runs that are left to ask; the caller runs each before it takes the next.

        First comes the one about drawn pictures. If it ends incomplete, nothing follows. Then come the one about the
        model's pictures, and negated questions about drawings, if the run contradicts itself. InputError for another
        judge than the run's.
        """
        if self.judge:
            self._judge()
        if self._unanswered(_DRAWN, self._trial_questions):
            drawn = self._asking(_DRAWN, self._trial_questions)
            yield drawn
            if not drawn.complete:
                return
        pictures = self._about_pictures(self._counting_names)
        if self._unanswered(_PICTURES, pictures):
            yield self._asking(_PICTURES, pictures)
        if self._is_negation_trial_due:
            yield self._asking(NEGATION_FOLDER, negation_questions())

    @property
    def _is_negation_trial_due(self) -> bool:
        """True if negated questions about drawings must be asked, because the run contradicts itself."""
        return negation_trial_due(self.runs[0], policy_of(self.runs[0].kept.certificate).control)

    @property
    def _counting_names(self) -> list[str]:
        """The names of the relations that count for this judge, by its answers about drawn pictures."""
        return [name for name, trial in self.trials.items() if trial.holds]

    def conclude(self) -> AuditResult:
        """The findings so far; written into the run's folder once all is answered."""
        pictures = self._about_pictures(self._counting_names)
        is_complete = not self._unanswered(_DRAWN, self._trial_questions) and not self._unanswered(_PICTURES, pictures)
        result = audit_result(
            self.groups,
            self.trials,
            replies_in(self.path / AUDIT_FOLDER / _PICTURES),
            most=1 - policy_of(self.runs[0].kept.certificate).ccs,
            left_out=[name for name in self._applicable_names if name not in self.usable_names],
            run=str(self.path),
            replies=replies_digest(self.path),
            judge=self.runs[0].info.judge,
            complete=is_complete,
            calls=sum(map(self._reply_count, (_DRAWN, _PICTURES, NEGATION_FOLDER))),
            denials=denials_of(self.runs[0]),
        )
        if is_complete:
            formats.write_json(audit_file(self.path), result)
        return result


def why_not(pictures: int, calls: int, questions: int) -> str:
    """The reason why `evaluate` does not audit a run; empty if it does.

    `pictures`: the number that could be audited. `calls`: those that the audit takes. `questions`: those of the run.
    """
    if pictures < MIN_GROUPS:
        return f"needs {MIN_GROUPS} auditable pictures, found {pictures}"
    return f"takes {calls:,} calls, more than the run's own {questions:,}" if calls > questions else ""


def calls_foreseen(prompts: Iterable[Prompt], picture_counts: Mapping[str, int], questions: int) -> tuple[int, str]:
    """The forecast number of calls of `evaluate`'s audit, before any question is answered; 0 for none, with the reason.

    `picture_counts`: the number of pictures by prompt id; `questions`: the number of the run's own questions.
    """
    claims_of = {
        prompt.id: [(claim, c.text) for c in prompt.checks if (claim := claim_of(c.text, "2")) and takes(claim, c.text)]
        for prompt in prompts
    }
    pictures = sum(picture_counts.get(id, 0) for id, pairs in claims_of.items() if pairs)
    if pictures < MIN_GROUPS:
        return 0, why_not(pictures, 0, questions)
    claims = [claim for pairs in claims_of.values() for claim in pairs]
    counts = {
        name: [len(relation.applied_to(*claim).extras) for claim in claims] for name, relation in RELATIONS.items()
    }
    mean = 1 + sum(map(sum, counts.values())) / len(claims)  # questions of a group; one of them for the noise
    calls = len(drawn_questions([name for name, extras in counts.items() if any(extras)])) + round(MIN_GROUPS * mean)
    reason = why_not(pictures, calls, questions)
    return 0 if reason else calls, reason
