"""The command `evaluate`: it ranks models by their pictures, with a judge that is tested first.

In go a table or folder of pictures with their prompts, and a judge; an `Evaluation` (`pictures.evaluation`) does the
work. This module prints the plan, asks run after run (`evaluate`, the loop over `askings`), and prints the answer: the
verdict, the models by rank, and the evidence for the judge. The helpers stand in the order in which it calls them.

A run that is asked lies in a folder of the evaluation ("drawn", "stickers/run", …), and each folder is a *step*. Exit
codes: 1 if the judge or a score is not good enough, 3 if questions are left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import typer

from counterbench.cli import options
from counterbench.cli.amounts import count, usd
from counterbench.cli.app import CHECK_FAILED, UNFINISHED
from counterbench.cli.printing import command, print_json, progress, say, say_all, say_next, say_some
from counterbench.cli.work import ask, next_step, say_asked, working
from counterbench.errors import InputError
from counterbench.evidence.verdict import NOT_SUPPORTED, verdict_line
from counterbench.pictures.options import EvaluateOptions
from counterbench.text import about, counted, listed, some, wrapped

if TYPE_CHECKING:
    from counterbench.asking.asking import Asking
    from counterbench.asking.runner import Progress
    from counterbench.pictures.answer import Evaluated
    from counterbench.pictures.evaluation import Evaluation, EvaluationPlan
    from counterbench.pictures.panels import PanelEvaluated
    from counterbench.pictures.scores.document import ModelDocument

NO_REPORT = "Report: none, since the extra `report` is not installed: pip install 'counterbench[report]'"
_MAX_NOTES = 5  # notes on rows and files that are not used; of more the number is printed


@options.fields_as_options
def evaluate(
    source: options.Pictures,
    judge: list[str] = typer.Option(
        metavar="JUDGE",
        help="As for probe: openai:MODEL, transformers:PATH, python:MODULE:NAME, a TOML file, …; give it several times "
        "to test each, and all as a panel.",
    ),
    min_score: float | None = typer.Option(
        None, "--min", metavar="SCORE", help="Exit with 1 if any model scores below this (0 to 1)."
    ),
    require: Literal["supported"] | None = typer.Option(
        None, "--require", help='Exit with 1 also if the verdict is "in part".'
    ),
    *,
    job_options: EvaluateOptions,
    as_json: options.AsJson = False,
    verbose: bool = typer.Option(False, "-v", "--verbose", help="Every note, and the scores by skill."),
) -> None:
    """Rank models by their pictures, with a judge that is tested first.

    Plans, tests the judge on drawn pairs of the skills that the questions need, asks it about every picture, and says
    which model is better. The first line says if the judge may be believed: supported, in part, not supported. The same
    command again resumes. Exits with 1 if it is not supported (with --require supported also if it is in part), or
    --min is not reached, with 3 if it was stopped or questions failed.
    Example: counterbench evaluate pictures.csv --judge openai:gpt-4o-mini
    """
    if min_score is not None and not 0 <= min_score <= 1:
        raise InputError(f"--min {min_score:g}: scores are from 0 to 1")
    if len(judge) > 1:
        _evaluate_panel(job_options, min_score, require, as_json, verbose)
        return
    from counterbench.pictures.evaluation import Evaluation

    evaluation = Evaluation.from_options(job_options, judge=judge[0])
    try:
        planned = _planned(evaluation, job_options.plan, as_json, verbose)
        if job_options.plan:
            if as_json:
                print_json(planned)
            raise typer.Exit(0 if planned.able else CHECK_FAILED)
        _ask_all(evaluation, planned, as_json)
    except _TurnedAway as turned:
        _say_turned_away(turned, evaluation, as_json)
        raise typer.Exit(CHECK_FAILED) from None
    _say_answer(evaluation, min_score, require, as_json, verbose)


class _TurnedAway(Exception):
    """A judge that a test does not admit. `run`: the folder of the run that shows it; `plan`: if nothing was asked."""

    def __init__(self, reasons: Sequence[str], run: Path | None = None, plan: EvaluationPlan | None = None) -> None:
        self.reasons, self.run, self.plan = reasons, run, plan


def _planned(evaluation: Evaluation, plan: bool, as_json: bool, verbose: bool) -> EvaluationPlan:
    """The plan, which is printed, after a language model has written the questions that the prompts lack.

    `plan`: no more than this is wanted. Raises _TurnedAway if more is, and the judge fails the doctor's checks.
    """
    if not as_json:
        say_some(evaluation.material.notes, _MAX_NOTES, verbose, err=True)
    if evaluation.needs_author and not plan:
        _write_questions(evaluation, as_json)
    with evaluation.planning(only=plan) as work:
        with progress("reading pictures", quiet=as_json, brief=True) as report:
            planned = work.plan(report)
        if not as_json:
            _say_plan(work, planned, err=not plan)
            say_some(work.unread, _MAX_NOTES, verbose, err=True)
    if not (plan or planned.able):
        raise _TurnedAway(["the judge fails the doctor's checks, so nothing was asked about pictures"], plan=planned)
    return planned


def _ask_all(evaluation: Evaluation, planned: EvaluationPlan, as_json: bool) -> None:
    """Ask the runs, one after the other: tests of the judge, then questions about the pictures.

    Raises _TurnedAway for a judge that a test does not admit; exits with 3 if questions are left.
    """
    pictures, steps_begun = counted(sum(planned.models.values()), "picture"), dict[str, None]()
    for asking in evaluation.askings():
        within = asking.path.relative_to(evaluation.path).parts if asking.path.is_relative_to(evaluation.path) else ()
        part = "/".join(within[:2])
        steps_begun[part if part in _UNPLANNED else part.partition("/")[0]] = None
        about = next((things for name, things in _ABOUT.items() if part.startswith(name)), pictures)
        step = f"step {len(steps_begun)}{f' of {planned.steps}' if len(steps_begun) <= planned.steps else ''}: "
        ask(asking, f" about {about}", quiet=as_json, step=step)
        if why := evaluation.useless:
            raise _TurnedAway([why], asking.path)
        if not asking.complete:
            _stop(asking, as_json)
    if (reasons := evaluation.objections) and (file := evaluation.certificate_file) is not None:
        tested = file.parent if not evaluation.admission.admitted else evaluation.path / "stickers" / "run"
        tested = tested if tested.is_dir() else evaluation.path / "stickers" / "pictures"
        raise _TurnedAway(reasons, tested)


def _evaluate_panel(
    job_options: EvaluateOptions, min_score: float | None, require: str | None, as_json: bool, verbose: bool
) -> None:
    """Evaluate with each of several judges, then with all that are admitted as a panel."""
    from counterbench.api_t2i import conclude_panel
    from counterbench.pictures.panels import PanelEvaluation

    work, plans = PanelEvaluation(job_options), dict[str, "EvaluationPlan"]()
    if not job_options.plan:
        work.refuse_further()
    for name, evaluation in work.evaluations.items():
        if not as_json:
            say(f"judge {name}:", err=not job_options.plan)
        try:
            plans[name] = _planned(evaluation, job_options.plan, as_json, verbose)
        except _TurnedAway as turned:
            work.turned_away[name] = turned.reasons[0]
        work.share_questions()
    calls, most = (sum(getattr(plan, field) for plan in plans.values()) for field in ("calls", "most"))
    if not as_json:
        say(
            f"all judges: {calls:,} calls, at most {most:,}; their panel takes more only where it is undecided",
            err=not job_options.plan,
        )
    if job_options.plan:
        if as_json:
            print_json({"judges": plans, "calls": calls, "most": most})
        raise typer.Exit(0 if all(plan.able for plan in plans.values()) else CHECK_FAILED)
    for name, evaluation in work.members.items():
        if not as_json:
            say(f"judge {name}:", err=True)
        try:
            _ask_all(evaluation, plans[name], as_json)
        except _TurnedAway as turned:
            work.turned_away[name] = turned.reasons[0]

    def ask_more(asking: Asking) -> None:
        """Ask a run of the panel; exits with 3 if questions are left."""
        ask(asking, quiet=as_json)
        if not asking.complete:
            _stop(asking, as_json)

    work.ask_panel(ask_more)
    with progress("writing the reports", quiet=as_json, brief=True) as report:
        ended = conclude_panel(work, report)
    if as_json:
        print_json(ended)
    else:
        say_all(_panel_lines(ended, work.unasked, verbose))
        if ended.panel is not None:
            say_next(command("compare", *work.drawn_tests))
    if ended.panel is None:
        raise typer.Exit(CHECK_FAILED)
    _exit_unless_good(ended.panel, min_score, require)


def _panel_lines(ended: PanelEvaluated, unasked: str, verbose: bool) -> Iterator[str]:
    """The lines of the answers by each judge and by the panel; `unasked`: what keeps the panel undecided."""
    for name, reason in ended.turned_away.items():
        yield verdict_line(NOT_SUPPORTED, f"{name} is turned away: {reason}")
    panel = {f"the panel, {ended.panel.judge}": ended.panel} if ended.panel is not None else {}
    for name, answer in (ended.judges | panel).items():
        yield f"By {name}:"
        yield from [*answer_lines(answer, verbose), ""]
    if ended.panel is None:
        yield f"No panel: {counted(len(ended.judges), 'judge')} of {len(ended.judges | ended.turned_away)} may score"
    yield from [unasked] if unasked else []
    yield from [str(ended.panel_gain)] if ended.panel_gain is not None else []


# The things that a run asks about, in words, by its folder in that of the evaluation; other runs ask about pictures.
_ABOUT = {
    "drawn": "drawn pairs",
    "ladders": "drawn counts",
    "stickers/pictures": "these pictures without stickers",
    "stickers": "stickers on these pictures",
    "audit/denied": "negated questions about drawings, since the judge contradicted itself",
    "audit": "relations between answers",
}

_UNPLANNED = ("audit/denied",)  # folders that are a step of their own, after the planned ones


def _write_questions(evaluation: Evaluation, as_json: bool) -> None:
    """Have the author, a language model, write the missing questions; exits with 3 if the work was stopped."""

    def first_line(p: Progress) -> str:
        """The line printed before the author is asked."""
        return f"prompts without questions: {p.total - p.done}; {evaluation.author} is asked to write these"

    with working("writing questions", first_line, "written", lambda: "", quiet=as_json) as work:
        prepared = evaluation.write_questions(work)
    if prepared.prompts is None:
        say(f"stopped: {prepared.progress.stopped or 'questions are left'}; run it again to resume", err=True)
        raise typer.Exit(UNFINISHED)
    if not as_json:
        checks = sum(len(prompt.checks) for prompt in prepared.prompts.prompts)
        say(f"{evaluation.author} wrote {counted(checks, 'question')}: {evaluation.written_file}", err=True)


def _say_plan(evaluation: Evaluation, planned: EvaluationPlan, err: bool) -> None:
    """Print the plan: pictures and questions, tests of the judge, calls, cost and time; `err`: on standard error."""
    models = ", ".join(f"{name} {pictures}" for name, pictures in planned.models.items())
    skills = listed(name for name in planned.skills)
    questions = counted(planned.questions - planned.denied, "question")
    questions += f", {planned.denied} of them also asked negated" if planned.denied else ""
    say(f"pictures: {models}; {counted(planned.prompts, 'prompt')}, {questions}", err)
    if planned.drawn is None:
        say(f"the judge was tested before: {planned.certificate}", err)
    else:
        say(f"the questions need: {skills}; drawn pairs test: {listed(planned.families)}", err)
    if planned.not_tried:
        share = 100 * sum(planned.not_tried.values())
        untried = f"{share:.0f} % of the weight ({some(planned.not_tried)})"
        say(f"not tried: {untried}: no drawn pair asks this, human labels can test it", err)
    small = evaluation.sticker_test.small if evaluation.sticker_test is not None else 0
    stickers = f"stickers on these pictures{f' (without room for them: {small})' if small > 0 else ''}"
    tests = {"drawn counts up to the largest asked for": planned.ladders, stickers: planned.stickers}
    for test_words, forecast in (tests | {"relations between answers": planned.audit}).items():
        if forecast.calls:
            say(f"{test_words} test the judge again: {100 * forecast.calls / planned.calls:.0f} % of the calls", err)
    if planned.no_audit and not err:  # otherwise the answer says so
        say(f"audit skipped: {planned.no_audit}", err)
    cost, most_cost = (f", {usd(amount)}" if amount else "" for amount in (planned.cost, planned.most_cost))
    time = f", {about(planned.seconds)}" if planned.seconds is not None else ""
    usual = f"{planned.calls:,} calls{cost}{time} if all answers are right, more if not"
    say(f"takes: {usual}; at most {planned.most:,} calls{most_cost}", err)
    if planned.drawn is not None and planned.drawn.doctor is not None:
        say(f"the doctor asked {planned.drawn.doctor.questions} questions for this, not counted by --max-calls", err)
        for finding in planned.drawn.doctor.failing:
            say(f"the doctor says: {finding.name} FAILS: {finding.message}", err=True)


def _stop(asking: Asking, as_json: bool) -> None:
    """Print why a run was not asked to its end; exits with 3."""
    end = asking.ends[-1].end
    if as_json:
        print_json({"run": str(asking.path), "complete": False, "progress": end})
    else:
        if end.stopped:
            say(f"stopped: {end.stopped}", err=True)
        else:
            say_asked(asking, asking.ends[-1])  # with the reasons of what failed
        say_next(next_step(end, ""))
    raise typer.Exit(UNFINISHED)


def _say_turned_away(turned: _TurnedAway, evaluation: Evaluation, as_json: bool) -> None:
    """Print why the judge may not score."""
    first, *others = turned.reasons
    if as_json and turned.plan is not None:
        print_json(turned.plan)
    elif as_json:
        verdict = {"verdict": NOT_SUPPORTED, "because": first}
        print_json({"run": str(turned.run), **verdict, "admitted": False, "reasons": turned.reasons})
    else:
        say_all(wrapped(verdict_line(NOT_SUPPORTED, first)))
    say_all((f"also: {reason}" for reason in others), err=True)
    if not as_json and turned.run not in (None, evaluation.path):
        say_next(command("diagnose", turned.run))


def _say_answer(
    evaluation: Evaluation, min_score: float | None, require: str | None, as_json: bool, verbose: bool
) -> None:
    """Print the answer; exits with 1 if the verdict is not supported, or is or scores less than the user demands.

    `min_score`: the least score of every model; `require`: the verdict that is required; None: no demand.
    """
    from counterbench.api_t2i import conclude

    with progress("writing the report", quiet=as_json, brief=True) as report:
        ended = conclude(evaluation.path, report)
    if as_json:
        print_json(ended)
    else:
        say_all(answer_lines(ended, verbose))
        if not all(document.certified for document in ended.documents):
            say_next(command("label", evaluation.path))
    _exit_unless_good(ended, min_score, require)


def _exit_unless_good(ended: Evaluated, min_score: float | None, require: str | None) -> None:
    """Exit with 1 if the verdict is not supported, or is or scores less than the user demands (`_say_answer`)."""
    values = [(model, model.score.value) for model in ended.models] if min_score is not None else []
    below = [(model.model, value) for model, value in values if value is None or value < (min_score or 0)]
    if below:
        scores_below = [f"{name} {'no score' if value is None else f'{value:.4g}'}" for name, value in below]
        say(f"below --min {min_score:g}: {', '.join(scores_below)}", err=True)
    if below or ended.verdict == NOT_SUPPORTED or (require and ended.verdict != require):
        raise typer.Exit(CHECK_FAILED)


def answer_lines(evaluated: Evaluated, verbose: bool = False) -> list[str]:
    """The lines of the answer: verdict, models by rank, what they do not show, evidence for the judge, report."""
    from counterbench.pictures.answer import sentences

    unproven = ["Scores by the judge's word, without evidence:"] if evaluated.verdict == NOT_SUPPORTED else []
    first = [verdict_line(evaluated.verdict, evaluated.because), *unproven]
    lines = [*first, *_model_lines(evaluated), *sentences(evaluated, brief=not verbose)]
    if verbose:
        lines += [f"{name}: {why}" for name, why in evaluated.left_out.items()]
        lines += [f"{name}: right on {drawn.ccs.value:.3f} of {drawn.pairs} drawn pairs"
                  for name, drawn in evaluated.evidence.drawn.items() if drawn.ccs.value is not None]  # fmt: skip
        lines += [line for document in evaluated.documents for line in _by_skill(document)]
        lines.append(f"{count(evaluated.calls)} replies" + (f", {usd(evaluated.cost)}" if evaluated.cost else ""))
    lines.append(f"Report: {evaluated.report}" if evaluated.report else NO_REPORT)
    return [part for line in lines for part in wrapped(line)]


def _model_lines(evaluated: Evaluated) -> list[str]:
    """A line for each model: its score with an interval, and the models that it is better than.

    If the judge's own numbers differ for any model, each line also has that score, "by word": over all checks, also
    those that no test is about.
    """
    width = max(len(model.model) for model in evaluated.models)
    better: dict[str, list[str]] = {}
    for win in evaluated.better:
        p = f"{win.p:.3f}" if win.p >= 0.001 else "< 0.001"
        better.setdefault(win.model, []).append(f"{win.than} (p {p})")
    shows_by_word = any(evaluated.by_word[model.model] != model.judged for model in evaluated.models)
    lines = []
    for model in evaluated.models:
        low, high, by_word = model.score.low, model.score.high, evaluated.by_word[model.model].value
        interval = f"[{low:.2f}, {high:.2f}]" if low is not None and high is not None else " " * 12
        value = f"{model.score.value:.2f}" if model.score.value is not None else "  – "
        word_text = f"by word {by_word:.2f}  " if shows_by_word and by_word is not None else ""
        than = f"better than {listed(better[model.model])}" if model.model in better else ""
        lines.append(f"{model.model:<{width}}  {value}  {interval}  {word_text}{than}".rstrip())
    return lines


def _by_skill(document: ModelDocument) -> list[str]:
    """A line for each skill, law or other part of the prompts, with the model's number there."""
    return [
        f"{document.generator}, {kind} {name}: {number.value:.2f}"
        for kind, parts in document.slices.items()
        for name, part in parts.items()
        if (number := part.get(document.headline[0])) is not None and number.value is not None
    ]
