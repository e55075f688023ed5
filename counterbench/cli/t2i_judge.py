"""The command `t2i judge`, which only a tested judge passes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import msgspec
import typer

from counterbench.cli import options
from counterbench.cli.app import CHECK_FAILED, UNFINISHED
from counterbench.cli.printing import command, print_json, say, say_all, say_next, say_some
from counterbench.cli.work import ask, next_step, say_asked, then_merge
from counterbench.evidence.verdict import verdict_line
from counterbench.pictures.options import JudgingOptions
from counterbench.text import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from counterbench.asking.asking import AskedTemplate, Asking
    from counterbench.pictures.judging.run import Judging


@options.fields_as_options
def judge(
    images: list[Path] = typer.Argument(
        metavar="IMAGES/GENERATOR…", help="A generator's folder of pictures; several are one run, in random order."
    ),
    judge: str = typer.Option(help="As for probe: openai:MODEL, transformers:PATH, python:MODULE:NAME, a TOML file, …"),
    *,
    job_options: JudgingOptions,
    as_json: options.AsJson = False,
) -> None:
    """Have a tested judge answer the checks of every picture.

    The same command again resumes. Exits with 1 if the judge is not admitted to these checks, with 3 if it was stopped
    or questions failed. With --shard K/N, N machines judge a part of the pictures each, with its part of calls
    and money.
    Example: counterbench t2i judge images/planted-literal --judge pixels --certificate pixels.json
    """
    from counterbench.evidence.admission import COMPARISONS
    from counterbench.evidence.watch import unchanged
    from counterbench.pictures.judging.run import Judging, why_useless
    from counterbench.runs.folder import JOURNAL_FILE, answered

    session = Judging.from_options(job_options)
    questions, uncertified = session.questions, session.uncertified

    def advice(attempt: int | None = None, size: int | None = None) -> str:
        """The command that may admit the judge, on the pairs of this attempt and size."""
        template = () if questions.protocol.rates else ("template",)
        again = session.command_words(*template, "repeats", "base_url", "price")
        again += options.command_words(attempt=attempt, size=size)
        by_order = questions.protocol.compares or questions.protocol.rates
        about = COMPARISONS if by_order else session.prompts or images[0]
        return command("validate", f"rater:{judge}" if questions.protocol.rates else judge, "--for", about, *again)

    if not session.admission.admitted and not uncertified:
        _turn_away(session, advice, as_json)
    asking = session.asking()
    if not as_json:
        _say_before(session)
    with unchanged(session.certificate, session.judge, session, asking):
        (run,) = ask(asking, f" about {counted(len(questions.files), 'picture')}", quiet=as_json)
        admitted = _say_run(session, asking, run, as_json)
    if not run.end.complete:
        raise typer.Exit(UNFINISHED)
    if (not admitted and not uncertified) or why_useless(answered(asking.path / JOURNAL_FILE).figures):
        raise typer.Exit(CHECK_FAILED)


def _turn_away(session: Judging, advice: Callable[..., str], as_json: bool) -> NoReturn:
    """Print the reasons against a judge, and the command that may admit it; then exit with 1.

    `advice` gives that command from an attempt and a size of pictures; without them, for the first attempt.
    """
    from counterbench.cli.certify import drawn_size
    from counterbench.evidence.admission import refutes
    from counterbench.evidence.issue import outdated

    granted, cert = session.admission, session.opened_certificate
    say_all((f"not admitted: {reason}" for reason in granted.objections), err=True)
    may_pass = session.questions.protocol.rates or not session.asked_by.shows_prompt
    if may_pass and not (cert is not None and granted.objections == [outdated(cert)]):
        again, what = advice(), "to get the judge admitted, run"
        if cert is not None and refutes(cert, session.questions.drawn, session.way_to_ask):
            what = "the judge was shown not to see what is asked; a further attempt asks other pairs"
            again = advice((cert.attempt or 0) + 1, drawn_size(cert.suite, cert.domain))
        say(f"{what} (then this command again, with the last certificate as --certificate):", err=True)
        say(f"  {again}", err=True)
    say("(--uncertified judges without a certificate: the numbers are then unproven)", err=True)
    if as_json:
        reasons = {"admitted": False, "certified": False, "reasons": granted.objections}
        reasons |= {"evidence": granted.evidence, "not_tested": granted.not_tested}
        print_json({"run": None, "complete": False, **reasons, "progress": None})
    raise typer.Exit(CHECK_FAILED)


def _say_before(session: Judging) -> None:
    """Print the questions that are not asked, and the evidence that the judge sees."""
    from counterbench.pictures.words.about_judges import judge_line, next_evidence
    from counterbench.prompts.files import not_used

    if isinstance(session.prompts, str) and session.prompts:
        say_some(not_used(session.prompts), 1, err=True)
    granted = session.admission
    say_all(_not_asked(session), err=True)
    say(judge_line(session.opened_judge.name, granted, granted.objections, in_full=True), err=True)
    if granted.admitted and _untested(session):
        say(next_evidence(pairs=session.questions.protocol.compares), err=True)


def _untested(session: Judging) -> list[str]:
    """The reasons why an admitted judge's numbers will not be certified."""
    from counterbench.evidence.admission import untested
    from counterbench.evidence.prompt_checks import scored_prompts

    certificate, questions = session.opened_certificate, session.questions
    prompts = scored_prompts(questions.drawn, session.admission.counts)
    return [] if certificate is None else untested(certificate, prompts, questions.domain)


def _not_asked(session: Judging) -> list[str]:
    """The checks and pictures about which nothing is asked, or nothing is certified, and why."""
    from counterbench.prompts.from_laws import disowned

    questions, generators = session.questions, session.questions.generators
    rows = [row for model in generators for row in model.images.rows]
    lines = []
    if not session.asked_by.shows_prompt and (lost := disowned(questions.drawn)):
        lines.append(
            f"{lost} checks differ from those of the laws in this version: no pairs are drawn for them, "
            "and no certificate covers them"
        )
    elsewhere, reworded = (sum(getattr(model, key) for model in generators) for key in ("elsewhere", "reworded"))
    if elsewhere:
        pictures = f"{elsewhere} of {counted(elsewhere + len(rows), 'picture')}"
        lines.append(f"{pictures} are of prompts that {questions.prompts.name} does not have: not asked")
    if reworded:
        pictures = counted(reworded, "picture")
        lines.append(f"{pictures} are of prompts whose words differ in {questions.prompts.name}: not asked")
    if bare := sum(not questions.prompt(row).checks for row in rows):
        lines.append(f"{bare} of {counted(len(rows), 'picture')} are of prompts without a question: not asked")
    if missing := sum(row.status == "missing" for row in rows):
        later = "pictures drawn later need another run: finish `t2i generate` first, or judge only these"
        lines.append(f"{missing} of {len(rows)} pictures are not drawn yet; {later}")
    return lines


def _say_run(session: Judging, asking: Asking, run: AskedTemplate, as_json: bool) -> bool:
    """Print the state of the run, and the reasons if its judge is no longer admitted, for example after lost replies.

    Returns True if the judge is still admitted; of a shard always True, since only the merged run decides.
    """
    from counterbench.pictures.judging.judged_run import load_models
    from counterbench.pictures.run_scores import judge_status

    part, document = session.part, {"run": str(run.path), "complete": run.end.complete}
    status = judge_status(load_models(run.path)[0]) if part is None else None
    if as_json:
        about: dict[str, Any] = {"shard": str(part)} if status is None else msgspec.structs.asdict(status)
        print_json({**document, **about, "progress": run.end})
        return status is None or status.admitted
    if status is not None and run.end.complete:
        say(verdict_line(status.verdict, status.because))
    say_asked(asking, run)
    if status is not None:
        printed = _untested(session) if session.admission.admitted else session.admission.objections
        for reason in (reason for reason in status.reasons if reason not in (*printed, status.because)):
            say(f"{'not certified' if status.admitted else 'not admitted'}: {reason}")
    say_next(next_step(run.end, then_merge(part, run.path) if part else command("score", run.path)))
    return status is None or status.admitted
