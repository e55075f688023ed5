"""The command `t2i judge`, which only a tested judge passes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import msgspec
import typer

from counterbench.cli import options
from counterbench.cli.app import CHECK_FAILED, UNFINISHED
from counterbench.cli.merge import then_merge
from counterbench.cli.printing import command, looking, print_json, say, say_next, say_some, waiting
from counterbench.cli.work import already, goes_on, of_shard, say_end, say_lasting, say_state, working
from counterbench.text import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from counterbench.asking.asker import Limits
    from counterbench.asking.runner import Progress
    from counterbench.certificate import Certificate
    from counterbench.drawing.domain import Domain
    from counterbench.judges.base import Judge
    from counterbench.runs.queries import Key
    from counterbench.runs.wordings import Wording
    from counterbench.suites.shards import Shard
    from counterbench.t2i.judging.drift import When
    from counterbench.t2i.judging.picture_queries import PictureQuestions


AGAIN = "certified pairs are still to be asked again: the same command again resumes"


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
    reuse: Path | None = typer.Option(
        None, metavar="RUN", help="Take over this run's replies to questions that are the same, of the same pictures."
    ),
    uncertified: bool = typer.Option(False, help="Go on without the gate; every table and file says so."),
    show_prompt: bool = typer.Option(False, help="Show the judge the prompts: measures how far it believes them."),
    scoring: str = typer.Option(
        "default", help="How it will be counted: what a soft one needs of the judge is checked before the first call."
    ),
    wording: str = typer.Option("", help="How the judge is asked: a wording's name or file (default: the protocol's)."),
    negated: float = typer.Option(
        0.0, min=0, max=1, metavar="SHARE", help="Ask this share of yes/no checks also denied: does it lean to yes?"
    ),
    shard: options.Shard = "",
    votes: options.Votes = 1,
    canaries: options.Canaries = 0,
    base_url: options.BaseUrl = "",
    key_env: options.KeyEnv = "",
    price: options.Price = "",
    concurrency: options.Concurrency = None,
    max_calls: options.MaxCalls = None,
    max_cost: options.MaxCost = None,
    rpm: options.Rpm = None,
    tpm: options.Tpm = None,
    retries: options.Retries = 8,
    upload: options.Upload = "",
    resume_from: options.ResumeFrom = "",
    as_json: options.AsJson = False,
    verbose: bool = typer.Option(False, "-v", "--verbose", help="Every reason, and the run's identity."),
) -> None:
    """Have a certified judge answer the checks of every picture.

    The same command again resumes. Exits with 1 if the judge is not admitted to these checks, with 3 if it was stopped
    or questions failed. With --shard K/N, N machines judge a part of the pictures each, with limits of its own.
    Example: counterbench t2i judge images/planted-literal --judge pixels --certificate pixels.json
    """
    from counterbench.asking.asker import Limits
    from counterbench.asking.probe import refuse_other
    from counterbench.certificate import Certificate, outdated, read_certificate
    from counterbench.cli.certify import drawn_size
    from counterbench.cli.t2i_coverage import admitting
    from counterbench.cli.t2i_drift import ask_again
    from counterbench.cli.tables import observation_lines
    from counterbench.files.remote import resume, uploaded
    from counterbench.files.remote import upload as upload_now
    from counterbench.judges import open_judge
    from counterbench.judges.base import JudgeExtras, called, extras
    from counterbench.runs.folder import default_path
    from counterbench.runs.usage import usage_of
    from counterbench.suites.shards import read_shard
    from counterbench.t2i.images.manifest import read_manifest
    from counterbench.t2i.judging.gate import refuted, untested
    from counterbench.t2i.judging.results import load_judged
    from counterbench.t2i.judging.reuse import Reuse
    from counterbench.t2i.judging.run import judge_pictures
    from counterbench.t2i.judging.session import begun
    from counterbench.t2i.prompts.files import not_used
    from counterbench.t2i.prompts.from_laws import disowned
    from counterbench.t2i.protocols import protocol as protocol_of
    from counterbench.t2i.run_scores import standing
    from counterbench.t2i.scores.document import ADMITTED, UNCERTIFIED, stamp
    from counterbench.t2i.scores.rules import DEFAULT
    from counterbench.t2i.scores.soft import soft_counts
    from counterbench.t2i.words import admission, soft_line

    def opened(known: Callable[[], Iterable[Key]]) -> Judge:
        return open_judge(judge, known, base_url=base_url, key_env=key_env, price=price)

    here = begun(
        read_manifest(images),
        opened,
        prompts=prompts,
        protocol=protocol,
        wording=wording,
        votes=votes,
        show_prompt=show_prompt,
        negated=negated,
        shard=read_shard(shard),
        scoring=scoring,
        certificate=read_certificate(certificate) if certificate is not None else None,
    )
    part = here.questions.shard
    questions, chosen, put, shown, gate = here.questions, here.judge, here.wording, here.certificate, here.gate
    made, by = questions.images, questions.protocol
    way = options.wording_given(wording or by.wording, protocol_of(questions.prompts.protocol).wording)
    way += options.given(votes=votes, base_url=base_url, key_env=key_env, price=price)
    aim = prompts or images
    if not gate.admitted and not uncertified:
        renewed = isinstance(shown, Certificate) and gate.objections == [outdated(shown)]
        admits = [] if put.shows_prompt or renewed else admitting(judge, aim, gate.left_out, way)
        what = "what would admit it"
        if isinstance(shown, Certificate) and refuted(
            shown, questions.drawn, judge=chosen.name, wording_digest=put.digest, votes=votes
        ):
            what = "it was shown not to see what is asked for; only a further attempt asks other pairs"
            further, size = (shown.attempt or 0) + 1, drawn_size(shown.suite, shown.domain)
            admits = admitting(judge, aim, gate.left_out, way, further, size)
        _turn_away(gate.objections, what, admits, as_json)
    ending = ("--prompt-shown" if show_prompt else "") + (f"--negated-{negated:g}" if negated else "")
    usual = default_path(questions.name, called(chosen, name), f"{ending}--{by.name}-{by.version}", shard=part)
    earlier = default_path(questions.name, called(chosen, name), ending.removesuffix(f"--negated-{negated:g}"))
    resume(out or usual, resume_from, upload)
    path, before = _folder(out, usual, earlier, reuse, questions, chosen.name, put, votes)
    taken = Reuse(questions, before, chosen.name, put, votes) if before is not None else None
    limits = Limits(concurrency=concurrency, max_calls=max_calls, max_cost=max_cost, rpm=rpm, tpm=tpm, retries=retries)
    if not as_json and prompts:
        say_some(not_used(prompts), 1, verbose, err=True)
    if not as_json and not put.shows_prompt and (lost := disowned(questions.drawn)):
        say(
            f"{lost} checks are not asked so by the laws of this version: nothing is drawn for them, "
            "and no certificate covers them",
            err=True,
        )
    if not as_json and questions.elsewhere:
        of = f"{questions.elsewhere} of {counted(questions.elsewhere + len(made.rows), 'picture')}"
        say(f"{of} are of prompts that {questions.prompts.name} does not have: not asked", err=True)
    if not as_json and questions.reworded:
        of = counted(questions.reworded, "picture")
        say(f"{of} of words that {questions.prompts.name} has otherwise now: not asked", err=True)
    if not as_json and (bare := sum(not questions.prompt(row).checks for row in made.rows)):
        say(f"{bare} of {counted(len(made.rows), 'picture')} are of prompts without a question: not asked", err=True)
    if not as_json and taken and before is not None and not path.exists():
        say(f"{counted(len(taken), 'reply', 'replies')} of {before} taken over, in {path}: the rest is asked", err=True)
    if not as_json and (missing := made.counts.get("missing")):
        later = "drawn later, they make another run: finish `t2i generate` first, or judge these alone"
        say(f"{missing} of {len(made.rows)} pictures are not drawn yet; {later}", err=True)

    if gate.admitted and isinstance(shown, Certificate) and not as_json:
        if gate.left_out:
            say(f"{admission(len(gate.laws), gate.left_out, gate.covered, verbose)}: asked, not scored", err=True)
        for reason in untested(shown, questions.drawn.without(gate.left_out), questions.domain):
            say(f"{ADMITTED}: {reason}", err=True)
        if size := _other_size(shown, questions.domain):
            (line,) = admitting(judge, aim, gate.laws, way, shown.attempt, size)[:1]
            say(f"pictures as large as these are tested by: {line}", err=True)

    def still(when: When, limits: Limits) -> Limits:
        """The limits that are left once certified pairs were asked again, where that says anything."""
        again = None if uncertified else here.again(path, when)
        return limits if again is None else ask_again(again, path, when, limits, quiet=as_json)

    on_checked = waiting("looking at the pictures first")
    refuse_other(questions, chosen, path, wording=put, votes=votes, name=name, on_checked=on_checked)
    limits = still("start", limits)

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
            wording=put,
            certificate=shown,
            uncertified=not gate.admitted,
            votes=votes,
            limits=limits,
            canaries=canaries,
            name=name,
            reuse=taken,
            on_checked=looking(work.report),
            on_progress=work,
        )
    left = limits.less(end.calls, end.cost)
    if end.complete and left is not None:
        still("end", left)
        if upload:
            upload_now(path, upload)
    if part is not None:
        _say_shard(path, part, end, left, prices(), as_json, verbose)
        return
    run = load_judged(path)
    found = standing(run)  # with what came back: lost replies, another model
    if as_json:
        print_json({"run": str(path), "complete": end.complete, **msgspec.structs.asdict(found), "progress": end})
    else:
        say_state(path, "questions", end)
        for line in observation_lines(called(chosen, name), usage_of(path)):
            say(line)
        if here.soft:
            say(soft_line(soft_counts(run.rows)))
        say_lasting(end, verbose)
        say_end(end, prices())
        say_some([f"{stamp(found)}: {reason}" for reason in found.reasons], 1, verbose)
        if verbose:
            say(f"pictures {questions.digest} · judge {chosen.name} · wording {put.digest}")
        given = ["--scoring", scoring] if scoring != DEFAULT else []
        say_next(AGAIN if end.complete and left is None else goes_on(end, command("t2i", "score", path, *given)))
    if not end.complete or left is None:
        raise typer.Exit(UNFINISHED)
    if not found.admitted and not uncertified:
        raise typer.Exit(CHECK_FAILED)


def _say_shard(
    path: Path, part: Shard, end: Progress, left: Limits | None, prices: str, as_json: bool, verbose: bool
) -> None:
    """How far a shard is; what it shows of judge and model is the merged run's to say."""
    if as_json:
        print_json({"run": str(path), "complete": end.complete, "shard": str(part), "progress": end})
    else:
        say_state(path, "questions", end)
        say_lasting(end, verbose)
        say_end(end, prices)
        say_next(AGAIN if end.complete and left is None else goes_on(end, then_merge(part, path)))
    if not end.complete or left is None:
        raise typer.Exit(UNFINISHED)


def _folder(
    out: Path | None,
    usual: Path,
    earlier: Path,
    reuse: Path | None,
    questions: PictureQuestions,
    judge: str,
    wording: Wording,
    votes: int,
) -> tuple[Path, Path | None]:
    """The folder of the run, and the run whose replies are taken over, if any.

    Where the usual folder holds other questions about these pictures, as before a check was mended, the run stands
    beside it and takes over the replies to all that stay. InputError if --out does. `earlier`: the usual folder of the
    version before.
    """
    from counterbench.errors import InputError
    from counterbench.runs.folder import T2I_FILE
    from counterbench.t2i.judging.reuse import holds_other_questions

    if not holds_other_questions(out or usual, questions, judge, wording, votes):
        before = out is None and not usual.exists() and (earlier / T2I_FILE).is_file()
        return out or usual, reuse or (earlier if before else None)
    if out is not None:
        raise InputError(
            f"{out}: holds another run of {judge!r}, about other questions or pictures: choose another --out; with "
            f"--reuse {out} it takes over the replies to questions that are the same"
        )
    return usual.with_name(f"{usual.name}--{questions.digest[:8]}"), reuse or usual


def _other_size(shown: Certificate, met: Domain) -> int | None:
    """The --size at which the pairs of a certificate are as large as the pictures, if they are not and can be."""
    from counterbench.drawing.domain import size_of
    from counterbench.suites.suite import LARGEST, SMALLEST, load_suite

    side = met.side
    if shown.domain is None or shown.domain.size == met.size or side is None or not SMALLEST <= side <= LARGEST:
        return None
    return side if size_of(*load_suite(shown.suite, size=side).size) == met.size else None


def _turn_away(objections: list[str], what: str, admits: list[str], as_json: bool) -> NoReturn:
    """Say why a judge is not admitted, and with which commands it might be; then exit with 1."""
    for reason in objections:
        say(f"not admitted: {reason}", err=True)
    if admits:
        say(f"{what} (then this again, with the last one's file as --certificate):", err=True)
    for line in admits:
        say(f"  {line}", err=True)
    say("(--uncertified goes on without, and says so in every table and file)", err=True)
    if as_json:
        told = {"admitted": False, "certified": False, "reasons": objections}
        print_json({"run": None, "complete": False, **told, "progress": None})
    raise typer.Exit(CHECK_FAILED)
