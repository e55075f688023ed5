"""The command `t2i judge`, which only a tested judge passes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import msgspec
import typer

from counterbench.cli import options
from counterbench.cli.app import CHECK_FAILED, UNFINISHED
from counterbench.cli.merge import then_merge
from counterbench.cli.printing import command, looking, print_json, say, say_next, say_some
from counterbench.cli.work import already, goes_on, of_shard, say_end, say_lasting, say_state, working
from counterbench.text import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from counterbench.asking.runner import Progress
    from counterbench.certificate import Certificate
    from counterbench.drawing.domain import Domain
    from counterbench.judges.base import Judge
    from counterbench.runs.queries import Key
    from counterbench.t2i.judging.session import Session


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
    name: options.Name = "",
    uncertified: bool = typer.Option(False, help="Go on without the gate; every table and file says so."),
    show_prompt: bool = typer.Option(False, help="Show the judge the prompts: measures how far it believes them."),
    wording: str = typer.Option("", help="How the judge is asked: a wording's name or file (default: the protocol's)."),
    negated: float = typer.Option(
        0.0, min=0, max=1, metavar="SHARE", help="Ask this share of yes/no checks also denied: does it lean to yes?"
    ),
    shard: options.Shard = "",
    upload: options.Upload = "",
    resume_from: options.ResumeFrom = "",
    votes: options.Votes = 1,
    base_url: options.BaseUrl = "",
    key_env: options.KeyEnv = "",
    price: options.Price = "",
    concurrency: options.Concurrency = None,
    max_calls: options.MaxCalls = None,
    max_cost: options.MaxCost = None,
    rpm: options.Rpm = None,
    tpm: options.Tpm = None,
    retries: options.Retries = 8,
    as_json: options.AsJson = False,
    verbose: bool = typer.Option(False, "-v", "--verbose", help="Every reason, and the run's identity."),
) -> None:
    """Have a certified judge answer the checks of every picture.

    The same command again resumes. Exits with 1 if the judge is not admitted to these checks, with 3 if it was stopped
    or questions failed. With --shard K/N, N machines judge a part of the pictures each, with limits of its own.
    Example: counterbench t2i judge images/planted-literal --judge pixels --certificate pixels.json
    """
    from counterbench.asking.asker import Limits
    from counterbench.certificate import read_certificate
    from counterbench.files.remote import resume, uploaded
    from counterbench.judges import open_judge
    from counterbench.judges.base import JudgeExtras, called, extras
    from counterbench.runs.folder import default_path
    from counterbench.suites.shards import read_shard
    from counterbench.t2i.images.manifest import read_manifest
    from counterbench.t2i.judging.run import judge_pictures
    from counterbench.t2i.judging.session import start_session
    from counterbench.t2i.protocols import protocol as protocol_of
    from counterbench.t2i.scores.document import UNCERTIFIED

    def opened(known: Callable[[], Iterable[Key]]) -> Judge:
        return open_judge(judge, known, base_url=base_url, key_env=key_env, price=price)

    part = read_shard(shard)
    session = start_session(
        read_manifest(images),
        opened,
        prompts=prompts,
        protocol=protocol,
        wording=wording,
        votes=votes,
        show_prompt=show_prompt,
        negated=negated,
        shard=part,
        certificate=read_certificate(certificate) if certificate is not None else None,
    )
    questions, chosen, gate = session.questions, session.judge, session.gate
    by = questions.protocol
    way = options.wording_given(wording or by.wording, protocol_of(questions.prompts.protocol).wording)
    way += options.given(votes=votes, base_url=base_url, key_env=key_env, price=price)
    advice = _Advice(judge, prompts or images, way)
    if not gate.admitted and not uncertified:
        _turn_away(session, advice, as_json)
    ending = ("--prompt-shown" if show_prompt else "") + (f"--negated-{negated:g}" if negated else "")
    usual = default_path(questions.name, called(chosen, name), f"{ending}--{by.name}-{by.version}", shard=part)
    path = out or usual
    resume(path, resume_from, upload)
    limits = Limits(concurrency=concurrency, max_calls=max_calls, max_cost=max_cost, rpm=rpm, tpm=tpm, retries=retries)
    if not as_json:
        _say_before(session, advice, prompts, verbose)

    def begins(p: Progress) -> str:
        mark = "" if gate.admitted else f"{UNCERTIFIED}: "
        then = f" and, once they are answered, {p.ahead}" if p.ahead else ""
        asks = f"{counted(p.total - p.done, 'question')}{then} about {counted(len(questions.files), 'picture')}"
        return f"{mark}{asks} to ask {chosen.name}{already(p, 'answered')}{of_shard(part, limits)}"

    def prices() -> str:
        return extras(chosen, JudgeExtras).prices

    with (
        uploaded(path, upload),
        working(f"asking {chosen.name}", begins, "answered", prices, quiet=as_json) as work,
    ):
        end = judge_pictures(
            questions,
            chosen,
            path,
            wording=session.wording,
            certificate=session.certificate,
            uncertified=not gate.admitted,
            votes=votes,
            limits=limits,
            name=name,
            on_checked=looking(work.report),
            on_progress=work,
        )
    admitted = True
    if part is None:
        admitted = _say_run(session, path, end, prices(), as_json, verbose)
    elif as_json:
        print_json({"run": str(path), "complete": end.complete, "shard": str(part), "progress": end})
    else:
        say_state(path, "questions", end)
        say_lasting(end, verbose)
        say_end(end, prices())
        say_next(goes_on(end, then_merge(part, path)))
    if not end.complete:
        raise typer.Exit(UNFINISHED)
    if not admitted and not uncertified:
        raise typer.Exit(CHECK_FAILED)


@dataclass(frozen=True)
class _Advice:
    """The commands that may admit a judge to the checks of `target`, a prompt set or its pictures.

    `way`: how the judge is asked, as options.
    """

    judge: str
    target: object
    way: Sequence[object]

    def commands(self, laws: Collection[str], attempt: int | None = None, size: int | None = None) -> list[str]:
        """For these laws, on the pairs of this attempt and size."""
        pairs = options.given(attempt=attempt, size=size)
        return [command("validate", self.judge, "--for", self.target, *self.way, *pairs)]


def _turn_away(session: Session, advice: _Advice, as_json: bool) -> NoReturn:
    """Print the reasons against a judge, and the commands that may admit it; then exit with 1."""
    from counterbench.certificate import outdated
    from counterbench.cli.certify import drawn_size
    from counterbench.t2i.judging.gate import refuted

    gate, shown = session.gate, session.certificate
    commands, what = advice.commands(gate.left_out), "what would admit it"
    if session.wording.shows_prompt or (shown is not None and gate.objections == [outdated(shown)]):
        commands = []
    elif shown is not None and refuted(
        shown,
        session.questions.drawn,
        judge=session.judge.name,
        wording_digest=session.wording.digest,
        votes=session.votes,
    ):
        what = "it was shown not to see what is asked for; only a further attempt asks other pairs"
        size = drawn_size(shown.suite, shown.domain)
        commands = advice.commands(gate.left_out, (shown.attempt or 0) + 1, size)
    for reason in gate.objections:
        say(f"not admitted: {reason}", err=True)
    if commands:
        say(f"{what} (then this again, with the last one's file as --certificate):", err=True)
    for line in commands:
        say(f"  {line}", err=True)
    say("(--uncertified goes on without, and says so in every table and file)", err=True)
    if as_json:
        reasons = {"admitted": False, "certified": False, "reasons": gate.objections}
        print_json({"run": None, "complete": False, **reasons, "progress": None})
    raise typer.Exit(CHECK_FAILED)


def _say_before(session: Session, advice: _Advice, prompts: str, verbose: bool) -> None:
    """Print the questions that are not asked, and those for which an admitted judge is not certified."""
    from counterbench.t2i.judging.gate import untested
    from counterbench.t2i.prompts.files import not_used
    from counterbench.t2i.scores.document import ADMITTED
    from counterbench.t2i.words import admission

    if prompts:
        say_some(not_used(prompts), 1, verbose, err=True)
    for line in _not_asked(session):
        say(line, err=True)
    gate, shown, questions = session.gate, session.certificate, session.questions
    if not gate.admitted or shown is None:
        return
    if gate.left_out:
        say(f"{admission(len(gate.laws), gate.left_out, gate.covered, verbose)}: asked, not scored", err=True)
    for reason in untested(shown, questions.drawn.without(gate.left_out), questions.domain):
        say(f"{ADMITTED}: {reason}", err=True)
    if size := _other_size(shown, questions.domain):
        (line,) = advice.commands(gate.laws, shown.attempt, size)[:1]
        say(f"pictures as large as these are tested by: {line}", err=True)


def _not_asked(session: Session) -> list[str]:
    """The checks and pictures about which nothing is asked, or nothing is certified, and why."""
    from counterbench.t2i.prompts.from_laws import disowned

    questions = session.questions
    rows = questions.images.rows
    lines = []
    if not session.wording.shows_prompt and (lost := disowned(questions.drawn)):
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


def _say_run(session: Session, path: Path, end: Progress, prices: str, as_json: bool, verbose: bool) -> bool:
    """Print the state of the run in `path`, and if its judge is still admitted, after lost replies for example."""
    from counterbench.cli.tables import observation_lines
    from counterbench.judges.base import called
    from counterbench.runs.folder import read_run_info
    from counterbench.runs.usage import usage_of
    from counterbench.t2i.judging.results import load_judged
    from counterbench.t2i.run_scores import standing
    from counterbench.t2i.scores.document import stamp

    found = standing(load_judged(path))
    if as_json:
        print_json({"run": str(path), "complete": end.complete, **msgspec.structs.asdict(found), "progress": end})
        return found.admitted
    say_state(path, "questions", end)
    for line in observation_lines(called(session.judge, read_run_info(path).name), usage_of(path)):
        say(line)
    say_lasting(end, verbose)
    say_end(end, prices)
    say_some([f"{stamp(found)}: {reason}" for reason in found.reasons], 1, verbose)
    if verbose:
        say(f"pictures {session.questions.digest} · judge {session.judge.name} · wording {session.wording.digest}")
    say_next(goes_on(end, command("t2i", "score", path)))
    return found.admitted


def _other_size(shown: Certificate, met: Domain) -> int | None:
    """The --size at which the pairs of a certificate are as large as the pictures, if they are not and can be."""
    from counterbench.drawing.domain import size_of
    from counterbench.suites.suite import LARGEST, SMALLEST, load_suite

    side = met.side
    if shown.domain is None or shown.domain.size == met.size or side is None or not SMALLEST <= side <= LARGEST:
        return None
    return side if size_of(*load_suite(shown.suite, size=side).size) == met.size else None
