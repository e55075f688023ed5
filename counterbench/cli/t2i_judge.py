"""The command `t2i judge`, which only a tested judge passes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import msgspec
import typer

from counterbench.cli import options
from counterbench.cli.app import CHECK_FAILED, UNFINISHED
from counterbench.cli.options import Calls, Elsewhere, Server
from counterbench.cli.printing import command, print_json, say, say_next, say_some
from counterbench.cli.work import asked, goes_on, say_asked, then_merge
from counterbench.text import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from counterbench.asking.asking import Asked, Asking
    from counterbench.certificate.document import Certificate
    from counterbench.drawing.domain import Domain
    from counterbench.t2i.judging.run import Session


@options.spread
def judge(
    images: Path = typer.Argument(metavar="IMAGES/GENERATOR", help="A generator's folder of pictures."),
    judge: str = typer.Option(help="As for probe: openai:MODEL, transformers:PATH, python:MODULE:NAME, a TOML file, …"),
    certificate: Path | None = typer.Option(None, help="What the judge was shown to see: a certificate's file."),
    prompts: str = typer.Option(
        "", metavar="SET|FILE", help="Ask what this prompt set asks (default: the prompts that the pictures carry)."
    ),
    protocol: str = typer.Option(
        "", help="What is asked and how it is scored (see: counterbench list protocols; default: as the prompts say)."
    ),
    out: Path | None = typer.Option(None, help="The run's folder (default: runs/PROMPTS--GENERATOR--JUDGE--PROTOCOL)."),
    uncertified: bool = typer.Option(False, help="Go on without an admission; every table and file says so."),
    template: str = typer.Option(
        "",
        help="How the judge is asked (default: as the protocol says); shown-prompt shows the prompt too.",
    ),
    negated: float = typer.Option(
        0.0, min=0, max=1, metavar="SHARE", help="Ask this share of yes/no checks also denied: does it lean to yes?"
    ),
    shard: options.Shard = "",
    votes: options.Votes = 1,
    *,
    server: Server,
    calls: Calls,
    elsewhere: Elsewhere,
    as_json: options.AsJson = False,
) -> None:
    """Have a certified judge answer the checks of every picture.

    The same command again resumes. Exits with 1 if the judge is not admitted to these checks, with 3 if it was stopped
    or questions failed. With --shard K/N, N machines judge a part of the pictures each, with limits of its own.
    Example: counterbench t2i judge images/planted-literal --judge pixels --certificate pixels.json
    """
    from counterbench.suites.shards import read_shard
    from counterbench.t2i.judging.run import Session
    from counterbench.t2i.protocols import protocol as protocol_of
    from counterbench.t2i.scores.document import UNCERTIFIED

    session = Session(
        images, judge, out, certificate_given=certificate, uncertified=uncertified, prompts=prompts, protocol=protocol,
        template_given=template, negated=negated, shard=read_shard(shard), votes=votes,
        limits=calls.limits, **vars(server), **vars(elsewhere),
    )  # fmt: skip
    questions = session.questions
    usual = protocol_of(questions.prompts.protocol).template
    asked_with = options.template_given(template or questions.protocol.template, usual)

    def advice(attempt: int | None = None, size: int | None = None) -> str:
        """The command that may admit the judge, on the pairs of this attempt and size."""
        asked_so = [
            *asked_with,
            *options.given(votes=votes, **vars(server)),
            *options.given(attempt=attempt, size=size),
        ]
        return command("validate", judge, "--for", prompts or images, *asked_so)

    if not session.admission.admitted and not uncertified:
        _turn_away(session, advice, as_json)
    asking = session.asking()
    if not as_json:
        _say_before(session, advice, prompts)
    mark = "" if session.admission.admitted else f"{UNCERTIFIED}: "
    (run,) = asked(asking, f" about {counted(len(questions.files), 'picture')}", mark, quiet=as_json)
    admitted = _say_run(session, asking, run, as_json)
    if not run.end.complete:
        raise typer.Exit(UNFINISHED)
    if not admitted and not uncertified:
        raise typer.Exit(CHECK_FAILED)


def _turn_away(session: Session, advice: Callable[..., str], as_json: bool) -> NoReturn:
    """Print the reasons against a judge, and the command that may admit it; then exit with 1."""
    from counterbench.certificate.issue import outdated
    from counterbench.cli.certify import drawn_size
    from counterbench.t2i.judging.admission import refuted

    granted, shown = session.admission, session.certificate
    for reason in granted.objections:
        say(f"not admitted: {reason}", err=True)
    if not session.template.shows_prompt and not (shown is not None and granted.objections == [outdated(shown)]):
        again, what = advice(), "what would admit it"
        if shown is not None and refuted(shown, session.questions.drawn, **session.asked_so):
            what = "it was shown not to see what is asked for; only a further attempt asks other pairs"
            again = advice((shown.attempt or 0) + 1, drawn_size(shown.suite, shown.domain))
        say(f"{what} (then this again, with the last one's file as --certificate):", err=True)
        say(f"  {again}", err=True)
    say("(--uncertified goes on without, and says so in every table and file)", err=True)
    if as_json:
        reasons = {"admitted": False, "certified": False, "reasons": granted.objections}
        print_json({"run": None, "complete": False, **reasons, "progress": None})
    raise typer.Exit(CHECK_FAILED)


def _say_before(session: Session, advice: Callable[..., str], prompts: str) -> None:
    """Print the questions that are not asked, and those for which an admitted judge is not certified."""
    from counterbench.t2i.judging.admission import untested
    from counterbench.t2i.prompts.files import not_used
    from counterbench.t2i.scores.document import ADMITTED
    from counterbench.t2i.words import admission

    if prompts:
        say_some(not_used(prompts), 1, err=True)
    for line in _not_asked(session):
        say(line, err=True)
    granted, shown, questions = session.admission, session.certificate, session.questions
    if not granted.admitted or shown is None:
        return
    if granted.left_out:
        say(f"{admission(len(granted.laws), granted.left_out, granted.covered)}: asked, not scored", err=True)
    for reason in untested(shown, questions.drawn.without(granted.left_out), questions.domain):
        say(f"{ADMITTED}: {reason}", err=True)
    if size := _other_size(shown, questions.domain):
        say(f"pictures as large as these are tested by: {advice(shown.attempt, size)}", err=True)


def _not_asked(session: Session) -> list[str]:
    """The checks and pictures about which nothing is asked, or nothing is certified, and why."""
    from counterbench.t2i.prompts.from_laws import disowned

    questions = session.questions
    rows = questions.images.rows
    lines = []
    if not session.template.shows_prompt and (lost := disowned(questions.drawn)):
        lines.append(
            f"{lost} checks are not asked so by the laws of this version: nothing is drawn for them, "
            "and no certificate covers them"
        )
    if questions.elsewhere:
        of = f"{questions.elsewhere} of {counted(questions.elsewhere + len(rows), 'picture')}"
        lines.append(f"{of} are of prompts that {questions.prompts.name} does not have: not asked")
    if questions.reworded:
        of = counted(questions.reworded, "picture")
        lines.append(f"{of} of words that {questions.prompts.name} has otherwise now: not asked")
    if bare := sum(not questions.prompt(row).checks for row in rows):
        lines.append(f"{bare} of {counted(len(rows), 'picture')} are of prompts without a question: not asked")
    if missing := questions.images.counts.get("missing"):
        later = "drawn later, they make another run: finish `t2i generate` first, or judge these alone"
        lines.append(f"{missing} of {len(rows)} pictures are not drawn yet; {later}")
    return lines


def _say_run(session: Session, asking: Asking, run: Asked, as_json: bool) -> bool:
    """Print the state of the run, and if its judge is still admitted, after lost replies for example."""
    from counterbench.t2i.judging.results import load_judged
    from counterbench.t2i.run_scores import judge_status
    from counterbench.t2i.scores.document import stamp

    part, document = session.shard, {"run": str(run.path), "complete": run.end.complete}
    status = judge_status(load_judged(run.path)) if part is None else None
    if as_json:
        about: dict[str, Any] = {"shard": str(part)} if status is None else msgspec.structs.asdict(status)
        print_json({**document, **about, "progress": run.end})
        return status is None or status.admitted
    say_asked(asking, run)
    if status is not None:
        say_some([f"{stamp(status)}: {reason}" for reason in status.reasons], 1, all_are="--json has all")
    say_next(goes_on(run.end, then_merge(part, run.path) if part else command("t2i", "score", run.path)))
    return status is None or status.admitted


def _other_size(shown: Certificate, met: Domain) -> int | None:
    """The --size at which the pairs of a certificate are as large as the pictures, if they are not and can be."""
    from counterbench.drawing.domain import size_of
    from counterbench.suites.suite import LARGEST, SMALLEST, load_suite

    side = met.side
    if shown.domain is None or shown.domain.size == met.size or side is None or not SMALLEST <= side <= LARGEST:
        return None
    return side if size_of(*load_suite(shown.suite, size=side).size) == met.size else None
