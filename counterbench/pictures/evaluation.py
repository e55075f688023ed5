"""One call of `evaluate`: pictures of some models and their prompts go in; which model is better comes out.

The path: `plan` imports the pictures and forecasts calls and money; the caller asks each run of `askings`; `conclude`
gives the answer. Before the pictures the judge is tested: on drawn pairs (the drawn test; its result is the judge's
certificate), on the ladder of counts (drawn pictures with more and more things to count), and on stickers (drawn things
on top of the user's pictures). After them, an audit asks further questions whose answers may contradict earlier ones.
`evaluation_jobs` makes these jobs from the options.

The run's folder holds all of it: `plan.json`, `images/<model>` (the pictures), `questions.jsonl` (if an author, a
language model, wrote them), `drawn` (the drawn test, unless an earlier certificate serves), `ladders` and `stickers`
(the other tests), and the run about the pictures.
"""

import dataclasses
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from tempfile import TemporaryDirectory

import msgspec

from counterbench.asking.asker import Limits, questions_at_once
from counterbench.asking.asking import Asking
from counterbench.asking.limits import NOTHING, Forecast, forecast
from counterbench.asking.side_by_side import BATCH
from counterbench.errors import InputError
from counterbench.evidence.policies import load_policy
from counterbench.evidence.prompt_checks import needed_cells
from counterbench.evidence.rungs import COUNT
from counterbench.evidence.stickers import kept_result
from counterbench.evidence.validation import ValidationPlan
from counterbench.evidence.watch import unchanged, watched
from counterbench.files import formats
from counterbench.judges.panel import NOTHING_NEW, PanelJudge
from counterbench.judges.planted import PlantedJudge
from counterbench.pictures.answer import Evaluated, answer
from counterbench.pictures.auditing.audit import PROMPTS_SHOWN, Audit, calls_foreseen
from counterbench.pictures.auditing.denials import negation_folder, negation_questions, negation_trial_due
from counterbench.pictures.auditing.result import MIN_GROUPS, kept_audit
from counterbench.pictures.evaluation_jobs import DRAWN, POLICY, EvaluationJobs, OnDone, model_name
from counterbench.pictures.judging.judged_run import load_models
from counterbench.pictures.judging.negation import negated_check
from counterbench.pictures.judging.run import why_useless
from counterbench.pictures.protocols import protocol
from counterbench.prompts.skills import FAMILIES, families_for, shares_of
from counterbench.runs.folder import JOURNAL_FILE, PLAN_FILE, RUN_FILE, Figures, answered, read_run_info
from counterbench.runs.queries import load_template, with_prompt
from counterbench.suites.stickers import STICKERS
from counterbench.text import brief, counted, listed

_MAX_NAMED = 3  # pictures that an error names


class EvaluationPlan(msgspec.Struct, frozen=True, kw_only=True):
    """The content of `plan.json`: what will be asked, and what it takes; null where it is not known."""

    models: dict[str, int]  # pictures that can be seen, by model
    prompts: int
    questions: int  # about the pictures, those asked negated included
    denied: int = 0  # of these, the questions of the first round that are asked negated
    skills: dict[str, float]  # by skill that the questions need (counting, …): its share, 0 … 1, of their weight
    not_tried: dict[str, float]  # of these, the skills that no drawn pair tests
    families: list[str]  # of drawn pairs, which test the judge; of prompts about laws, the laws
    certificate: str  # the file of an earlier drawn test that serves; empty if the judge is tested now
    drawn: ValidationPlan | None  # of the drawn test; null if an earlier one serves
    ladders: Forecast  # of the ladder of counts, up to the largest number that a question asks for
    stickers: Forecast  # of the test by stickers on the pictures
    audit: Forecast  # of the audit's questions, about
    no_audit: str = ""  # the reason why there is no audit; empty if there is one, or was
    pictures: Forecast  # of the questions about the pictures
    calls: int  # if the judge is right on all drawn pairs
    most: int  # calls in the worst case
    cost: float | None  # US dollars, if the judge is right on all drawn pairs
    most_cost: float | None  # in the worst case
    seconds: float | None

    @property
    def able(self) -> bool:
        """False if the judge fails one of the short checks (`doctor`) that come before the drawn test."""
        return self.drawn is None or self.drawn.able

    @property
    def steps(self) -> int:
        """The number of jobs (drawn test, ladders, stickers, audit, pictures) that have calls left to make."""
        rounds = (self.drawn.expected if self.drawn is not None else None, self.ladders, self.stickers, self.audit)
        return sum(expected is not None and expected.calls > 0 for expected in (*rounds, self.pictures))

    def __repr__(self) -> str:
        pictures = counted(sum(self.models.values()), "picture")
        return brief(self, f"{pictures} of {counted(len(self.models), 'model')}: {self.calls:,} to {self.most:,} calls")


@dataclass(frozen=True)
class Evaluation(EvaluationJobs):
    """One call of `evaluate`: a job (see `asking.job`) made of others, which test a judge and ask it about pictures."""

    @property
    def objections(self) -> list[str]:
        """The reasons why the judge may not score these pictures; empty if it may, or was not tested yet."""
        stickers = kept_result(self.path / STICKERS)
        of_drawn_test = () if self.admission.nothing_tested else self.admission.objections
        return [*of_drawn_test, *(stickers.objections if stickers is not None else ())]

    @contextmanager
    def planning(self, only: bool = True) -> Iterator["Evaluation"]:
        """Give the evaluation whose `plan` is to be called, and which may be a copy in a temporary folder.

        It is a copy if it is `only` planned and has no files yet, so that a mere forecast leaves nothing behind.
        """
        if not only or (self.path.is_dir() and any(self.path.iterdir())):
            yield self
        else:
            with TemporaryDirectory() as folder:
                yield dataclasses.replace(self, out=folder)

    def plan(self, on_progress: OnDone = lambda done, total: None) -> EvaluationPlan:
        """Import the pictures and forecast the calls, money and time; keeps the plan in the run's folder.

        Without replies or a certificate the doctor's questions (a short check of the judge) are asked, to learn what a
        question takes. InputError if money is limited and no price is known, for a planted judge (one with a built-in
        fault), if an author has not written the questions yet, and if no picture can be judged.
        """
        if isinstance(self.opened_judge, PlantedJudge):
            raise InputError(
                f"{self.opened_judge.name}: a planted judge only answers about pictures drawn by counterbench; name "
                "another judge"
            )
        if isinstance(self.opened_judge, PanelJudge):
            raise InputError(f"{self.judge}: {NOTHING_NEW}, or give all its judges here, as several --judge")
        if self.needs_author:
            raise InputError(
                "the plan depends on the author's questions, which are not written yet; run without a plan, or write "
                "them with `t2i prepare` and give them as `questions`"
            )
        self._refuse_other_judge()
        images = self.import_pictures(on_progress)
        models = {model_name(folder): folder.counts.get("ok", 0) for folder in images}
        if not any(models.values()):
            unread = self.unread
            why = f": {listed(unread[:_MAX_NAMED])}{' and more' if len(unread) > _MAX_NAMED else ''}" if unread else ""
            raise InputError(f"{self.source}: none of its pictures can be judged{why}")
        asking = self.judging().asking()
        asking.refuse_other_run()
        file, plan_file = self.certificate_file, self.path / PLAN_FILE
        earlier = formats.read_json(plan_file, EvaluationPlan).drawn if plan_file.is_file() else None
        drawn = self.validation.plan(checkup=earlier.doctor if earlier is not None else None) if file is None else None
        # The replies that tell what a question takes: those about these pictures, else those to the doctor. With a
        # certificate and neither of them nothing is known, and nothing is asked to learn it.
        so_far = asking.figures
        doctor, drawn_test = (drawn.doctor, drawn.expected) if drawn is not None else (None, NOTHING)
        figures = so_far if so_far.replies else doctor.figures if doctor is not None else None
        pictures = asking.plan(figures if so_far.replies or file is None or figures is not None else Figures())
        stickers = self.sticker_test.plan(figures) if self.sticker_test is not None else NOTHING
        ladders, worst_calls = NOTHING, (drawn.most or drawn_test.calls) - drawn.answered if drawn is not None else 0
        if (ladder := self.ladders_due) is not None and ladder.adaptive is not None:
            ladders, worst_calls = ladder.asking().plan(figures), worst_calls + self.repeats * ladder.adaptive.most
        audit_size, no_audit = self._audit_questions(len(asking.questions))
        at_once = questions_at_once(self.opened_judge, Limits())
        audit = forecast(self.repeats * audit_size, figures or Figures(), at_once) if audit_size else NOTHING
        # A judge that contradicts itself about the pictures is asked negated questions about drawings, too.
        trial_possible = self.negated_share and (pictures.calls or self._negation_trial_due)
        worst_calls += self.repeats * len(negation_questions()) if trial_possible else 0
        # A judge that is watched (`evidence.watch`) is asked a batch of pairs, two questions each, before and after.
        look_calls = 2 * 2 * BATCH * self.repeats if pictures.calls and watched(file) else 0
        later_calls = stickers.calls + audit.calls + pictures.calls
        call_cost = None if pictures.cost is None or not pictures.calls else pictures.cost / pictures.calls
        expected = drawn_test + ladders + stickers + audit + pictures
        plan = EvaluationPlan(
            models=models,
            prompts=len(self.prompts.prompts),
            questions=len(asking.questions) + (asking.adaptive.min_remaining if asking.adaptive is not None else 0),
            denied=sum(bool(negated_check(key.role)) for key in asking.questions.keys()),  # noqa: SIM118  no dictionary
            skills=shares_of(self.prompts.prompts),
            not_tried=self._not_tried,
            families=list(self.validation.use.laws) or families_for(self.prompts.prompts),
            certificate=str(file or ""),
            drawn=drawn,
            ladders=ladders,
            stickers=stickers,
            pictures=pictures,
            audit=audit,
            no_audit=no_audit,
            calls=expected.calls + look_calls,
            most=worst_calls + later_calls + look_calls,
            cost=None if expected.cost is None else expected.cost + (call_cost or 0) * look_calls,
            most_cost=None if call_cost is None else call_cost * (worst_calls + later_calls + look_calls),
            seconds=expected.seconds,
        )
        if not (so_far.replies or (drawn is not None and drawn.answered)):  # the plan is of the whole run
            formats.write_json(plan_file, plan)
        return plan

    def _refuse_other_judge(self) -> None:
        """InputError if the run's folder, or that of its drawn test, is of another judge or template."""
        judge, template = self.opened_judge.name, load_template(self.template)
        for folder in (self.path, self.path / DRAWN):
            if not (folder / RUN_FILE).is_file():
                continue
            info = read_run_info(folder)
            if info.judge != judge:
                raise InputError(
                    f"{folder}: is a run of the judge {info.judge!r}, not of {judge!r}; name another --out"
                )
            if info.template_digest not in (template.digest, with_prompt(template).digest):
                raise InputError(
                    f"{folder}: was asked with template {info.template!r}, not {template.name!r} as it is now; name "
                    "another --out"
                )

    @property
    def _not_tried(self) -> dict[str, float]:
        """The skills that no drawn pair tests, with their share of the weight; none of prompts about laws."""
        if self.validation.use.laws and needed_cells(self.prompts.prompts):
            return {}
        return {skill: share for skill, share in shares_of(self.prompts.prompts).items() if skill not in FAMILIES}

    def _audit_questions(self, questions: int) -> tuple[int, str]:
        """About the number of questions of the audit, and if it is 0 the reason (empty: the audit is done already).

        `questions`: the number of questions about the pictures.
        """
        audit = kept_audit(self.path)
        if audit is not None and not audit.left_out and audit.pictures >= MIN_GROUPS:
            return 0, ""
        if protocol(self.protocol or self.prompts.protocol).shows_prompt:
            return 0, PROMPTS_SHOWN
        by_id = Counter(row.prompt_id for folder in self.import_pictures() for row in folder.rows if row.status == "ok")
        return calls_foreseen(self.prompts.prompts, by_id, questions)

    def askings(self) -> Iterator[Asking]:
        """Yield the runs that are left to ask; the caller asks each before it takes the next.

        Their order: drawn pairs, the ladder of counts, stickers, the pictures, negated questions about drawings (if
        the judge contradicted itself), the audit. The certificate is written once the drawn test is complete. The
        pictures, and the runs after them, come only if all tests are complete and the judge is admitted to some
        questions (see `objections`). A watched judge is asked again before and after the pictures: it must not change.
        """
        if self.certificate_file is None and not (yield from self.validation.until_concluded()):
            return
        judging = self.judging()
        if not (judging.admission.admitted or judging.admission.nothing_tested):
            return
        ladders = self.ladders_due if COUNT not in judging.admission.left_out else None
        if ladders is not None and not (yield from ladders.until_concluded()):
            return
        stickers = (
            self.sticker_test
            if self.sticker_test is not None and self.sticker_test.saved(of_others=True) is None
            else None
        )
        if stickers is not None and not (yield from stickers.until_concluded()):
            return
        if not self.objections:
            pictures = judging.asking()
            with unchanged(self.certificate_file, judging.judge, judging, pictures):
                yield pictures
            if pictures.complete:
                yield from self._negation_trial()
                yield from self._audit()

    def _negation_trial(self) -> Iterator[Asking]:
        """The run that asks negated questions about drawings, if contradictions would count against the judge."""
        if self._negation_trial_due:
            template, judge = load_template(self.template), self.open_judge(self.judge)
            yield self.asking_about(negation_questions(), judge, negation_folder(self.path), templates=[template])

    @property
    def _negation_trial_due(self) -> bool:
        """True if the trial of negated questions is to be asked; the pictures must have been asked about."""
        return negation_trial_due(load_models(self.path)[0], load_policy(POLICY).control)

    def _audit(self) -> Iterator[Asking]:
        """The runs of the audit, if one is due; a smaller audit that the user began goes on."""
        audit = Audit(self.path, self.judge, **self.job_options)
        if not audit.is_kept and not audit.why_not_due:
            yield from audit.until_concluded()

    def conclude(self) -> Evaluated:
        """The answer: the models by score, and the evidence for the judge, from all replies in the run's folder."""
        return answer(self.path)

    @property
    def useless(self) -> str:
        """The reason why the judge's replies about the pictures cannot be used; empty if they can, so far."""
        return why_useless(answered(self.path / JOURNAL_FILE).figures)
