"""One call of `t2i audit`: a run's judge is asked further questions that are tied to its answers.

RUN/audit/drawn      the run about drawn pictures: which relations count for this judge
RUN/audit/pictures   the run about the model's pictures
RUN/audit/audit.json the result, once both are complete
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from counterbench.asking.asker import Limits
from counterbench.asking.asking import Asking, AskOptions
from counterbench.asking.limits import Budget, Forecast, forecast
from counterbench.certificate.policies import load_policy
from counterbench.drawing import domain
from counterbench.errors import InputError, unknown
from counterbench.files import formats
from counterbench.judges import KINDS, is_spec
from counterbench.judges.base import Judge
from counterbench.judges.planted import PlantedJudge
from counterbench.runs.folder import JOURNAL_FILE, RUN_FILE, answered, read_run_info
from counterbench.runs.queries import PromptTemplate, load_template
from counterbench.t2i.auditing.asks import AuditQuestions, picture_questions
from counterbench.t2i.auditing.claims import claim_of
from counterbench.t2i.auditing.drawn import Tried, drawn_questions, tried
from counterbench.t2i.auditing.groups import Group, draw_groups
from counterbench.t2i.auditing.relations import RELATIONS
from counterbench.t2i.auditing.result import AUDIT_FOLDER, FEWEST, AuditResult, audit_file, findings
from counterbench.t2i.judging.admission import FLOOR
from counterbench.t2i.judging.results import JudgedRun, load_models
from counterbench.t2i.prompts.prompt_set import Prompt
from counterbench.t2i.protocols.replies import replies_in

PICTURES = 60
_DRAWN, _PICTURES = "drawn", "pictures"


class AuditPlan(msgspec.Struct, frozen=True, kw_only=True):
    """The questions of an audit that have no reply yet, and what they take."""

    pictures: int  # that are audited
    relations: list[str]  # that their questions allow
    drawn: int  # questions about drawn pictures
    questions: int  # at most, about the model's pictures
    expected: Forecast  # of both


@dataclass(frozen=True)
class Audit(AskOptions):
    """One call of `t2i audit`; its properties are opened at first use.

    `run`: a run about pictures. `judge_given`: the judge that answered it; by default it is opened by the name that the
    run has. `pictures`: the number of groups; `relations`: names, by default all. `template_given`: the template of the
    run, if it is none of ours. `budget`: the calls and money that several runs share. The others are those of
    `AskOptions`. InputError if the judge or the template is not the run's, or the judge saw prompts.
    """

    run: Path
    judge_given: Judge | Callable[..., Any] | str | None = None
    _: KW_ONLY
    pictures: int = PICTURES
    relations: Sequence[str] = ()
    template_given: PromptTemplate | str = ""
    budget: Budget | None = None

    def __post_init__(self) -> None:
        if self.pictures < 1:
            raise InputError(f"--pictures must be at least 1, not {self.pictures}")
        for name in self.relations:
            if name not in RELATIONS:
                raise unknown("relation", name, RELATIONS)

    @cached_property
    def runs(self) -> list[JudgedRun]:
        """The run, model by model."""
        runs = load_models(self.run)
        if runs[0].kept.info.prompt_shown:
            raise InputError(
                f"{self.run}: its judge saw the prompts, and further questions have none; audit a run without"
            )
        return runs

    @cached_property
    def template(self) -> PromptTemplate:
        """The way to ask: the run's."""
        given, info = self.template_given, self.runs[0].info
        template = given if isinstance(given, PromptTemplate) else load_template(given or info.template)
        if template.digest != info.template_digest:
            raise InputError(f"{self.run}: was asked under another template {info.template!r}; name its file")
        return template

    @cached_property
    def _chosen(self) -> list[Group]:
        return draw_groups(self.runs, self.pictures)

    @property
    def groups(self) -> list[Group]:
        """The audited pictures and questions; InputError if there is none."""
        if not self._chosen:
            raise InputError(
                f"{self.run}: no answered question is of a form that relations take: is there an X, are there "
                "exactly N X, how many X, is the X to the left of the Y, is the X red; there is nothing to audit"
            )
        return self._chosen

    @property
    def is_due(self) -> bool:
        """True if `evaluate` audits the run by itself.

        It does if the judge saw no prompts, enough pictures have a question for it, and it takes no more calls than the
        run did.
        """
        shown = load_models(self.run)[0].kept.info.prompt_shown
        if shown or len(self._chosen) < FEWEST:
            return False
        return self.plan().expected.calls <= self.runs[0].info.queries

    @cached_property
    def usable(self) -> list[str]:
        """The relations that some group's question allows, of those wanted."""
        wanted = [name for name in RELATIONS if not self.relations or name in self.relations]
        return [name for name in wanted if any(name in group.ties(wanted) for group in self.groups)]

    def _named(self) -> Judge | Callable[..., Any] | str:
        """The judge to open: given, or by the run's own name of it; InputError if no judge has such a name."""
        name = self.runs[0].info.judge
        if self.judge_given is None and not is_spec(name):
            raise InputError(
                f"{self.run}: its judge cannot be opened by its name {name!r}; --judge names it, one of: "
                f"{', '.join(KINDS)}"
            )
        return name if self.judge_given is None else self.judge_given

    def _judge(self) -> Judge:
        info, judge = self.runs[0].info, self.open_judge(self._named(), tuple)
        if isinstance(judge, PlantedJudge):
            raise InputError(f"{judge.name}: a planted judge knows our own drawings alone; audit a judge that sees")
        if judge.name != info.judge:
            raise InputError(f"{self.run}: was answered by {info.judge!r}, not by {judge.name!r}; name that judge")
        return judge

    def _asking(self, name: str, questions: AuditQuestions) -> Asking:
        path, budget = self.run / AUDIT_FOLDER / name, self.budget or self._own_budget
        return Asking(questions, self._judge(), path, templates=[self.template], budget=budget, **self.of_asking)

    @cached_property
    def _own_budget(self) -> Budget:
        limits = self.limits or Limits()
        return Budget(limits.max_calls, limits.max_cost)

    def _left(self, name: str, questions: AuditQuestions) -> int:
        """The number of questions without a reply; InputError if the folder holds another audit."""
        path = self.run / AUDIT_FOLDER / name
        if (path / RUN_FILE).is_file() and read_run_info(path).suite_digest != questions.digest:
            raise InputError(
                f"{path}: holds an audit of other pictures or relations; give --pictures and --relations as then, or "
                f"delete {self.run / AUDIT_FOLDER} to audit anew"
            )
        return max(0, self.votes * len(questions) - self._replies(name))

    @cached_property
    def _drawn(self) -> AuditQuestions:
        return drawn_questions(self.usable)

    @property
    def tried(self) -> dict[str, Tried]:
        """The relations on drawn pictures, from the replies so far."""
        return tried(self.usable, replies_in(self.run / AUDIT_FOLDER / _DRAWN))

    def _about_pictures(self, relations: Sequence[str]) -> AuditQuestions:
        info = self.runs[0].info
        of = domain.together([run.kept.model.domain for run in self.runs])
        signed = f"relations about {info.suite_digest}"
        return picture_questions(f"{info.suite}--audit", self.groups, relations, of, signed)

    def plan(self) -> AuditPlan:
        """Forecast what is left to ask, at most; asks nothing."""
        drawn = self._drawn
        left = self._left(_DRAWN, drawn)
        pictures = self._about_pictures(self.usable if left else self._counting)
        left += self._left(_PICTURES, pictures)
        if left:
            self._named()
        return AuditPlan(
            pictures=len(self.groups),
            relations=self.usable,
            drawn=len(drawn),
            questions=len(pictures),
            expected=forecast(left, answered(self.run / JOURNAL_FILE).figures),
        )

    def _replies(self, name: str) -> int:
        return answered(self.run / AUDIT_FOLDER / name / JOURNAL_FILE).figures.replies

    def askings(self) -> Iterator[Asking]:
        """The runs that are left to ask, each to be run before the next is taken: drawn, then the model's pictures.

        The second is missing if the first is not complete. InputError for another judge than the run's.
        """
        if self.judge_given is not None:
            self._judge()
        if self._left(_DRAWN, self._drawn):
            drawn = self._asking(_DRAWN, self._drawn)
            yield drawn
            if not drawn.complete:
                return
        pictures = self._about_pictures(self._counting)
        if self._left(_PICTURES, pictures):
            yield self._asking(_PICTURES, pictures)

    @property
    def _counting(self) -> list[str]:
        return [name for name, of in self.tried.items() if of.holds]

    def result(self) -> AuditResult:
        """The findings so far; written into the run's folder once all is answered."""
        certificate = self.runs[0].kept.certificate
        policy = load_policy(FLOOR) if certificate is None else certificate.policy
        pictures = self._about_pictures(self._counting)
        whole = not self._left(_DRAWN, self._drawn) and not self._left(_PICTURES, pictures)
        found = findings(
            self.groups,
            self.tried,
            replies_in(self.run / AUDIT_FOLDER / _PICTURES),
            most=1 - policy.ccs,
            run=str(self.run),
            judge=self.runs[0].info.judge,
            complete=whole,
            calls=self._replies(_DRAWN) + self._replies(_PICTURES),
        )
        if whole:
            formats.write_json(audit_file(self.run), found)
        return found


def calls_of(prompts: Iterable[Prompt], pictures: int, questions: int) -> int:
    """About the number of questions that `evaluate` will ask in an audit, before any is answered; see `is_due`."""
    claims = [(claim, check.text) for of in prompts for check in of.checks if (claim := claim_of(check.text, "2"))]
    counts = {name: [len(relation.tie(*of).extras) for of in claims] for name, relation in RELATIONS.items()}
    usable = [name for name, of in counts.items() if any(of)]
    if not usable or pictures < FEWEST:
        return 0
    each = 1 + sum(map(sum, counts.values())) / len(claims)  # one of them for the noise
    calls = len(drawn_questions(usable)) + round(FEWEST * each)
    return calls if calls <= questions else 0
