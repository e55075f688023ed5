"""The command validate: may a judge score? A plan first, then doctor, probe, diagnosis and certificate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import typer

from counterbench.cli import options
from counterbench.cli.app import CHECK_FAILED, UNFINISHED
from counterbench.cli.printing import command, print_json, progress, say, say_next
from counterbench.cli.work import forecast_words, goes_on, say_end, say_lasting, say_state, usd
from counterbench.text import counted

if TYPE_CHECKING:
    from counterbench.asking.asker import Limits
    from counterbench.asking.doctor import Checkup
    from counterbench.asking.forecast import Forecast
    from counterbench.asking.runner import Progress
    from counterbench.certificate import Certificate, UntilDecided
    from counterbench.certificate.policies import Policy
    from counterbench.judges.base import Judge
    from counterbench.runs.figures import Figures
    from counterbench.runs.queries import Key
    from counterbench.runs.wordings import Wording
    from counterbench.suites.sources import Source


ELSEWHERE = "IMAGES/GENERATOR"  # where pictures will be that are not drawn yet
TRY = ("--limit", 5, "--samples", 1)


class Target(NamedTuple):
    """The use for which a judge is validated: a suite, and the prompt set that it may then score, if any."""

    suite: str  # or a folder of pairs
    laws: tuple[str, ...] = ()  # the laws to ask about; empty for all
    prompts: str = ""  # the prompt set
    words: str = ""  # the prompt set in words
    images: str = ELSEWHERE  # the folder of its pictures
    wording: str = "default"  # of its protocol


class Validation(NamedTuple):
    """A validation to be run: its source, run folder, policy and settings."""

    target: Target
    source: Source
    growing: UntilDecided | None  # gives further questions, if cells are asked until each is decided
    policy: Policy
    path: Path
    wording: Wording
    votes: int
    limits: Limits

    def keys(self) -> Iterator[Key]:
        """The truth of what is asked now, for planted judges."""
        from counterbench.runs.pair_queries import keys

        return self.growing.keys() if self.growing is not None else keys(self.source)

    @property
    def asks(self) -> str:
        """The questions in words."""
        from counterbench.certificate.cells import law_of, unit, units

        name = self.source.name
        if self.growing is None:
            return f"{len(self.source):,} pairs of {name}, which is of no attempt: its certificate opens nothing"
        cells = self.growing.cells
        all_ = counted(len(set(map(law_of, cells))), unit(cells), units(cells))
        return f"{len(cells)} cells of {all_} of the suite {name}, each until it is decided"


def validate(
    judge: str = typer.Argument(help="openai:MODEL, transformers:PATH, python:MODULE:NAME, a judge's TOML file, …"),
    for_: str = typer.Option(
        ..., "--for", metavar="PROMPTS|IMAGES|SUITE", help="A prompt set, a generator's folder of pictures, or a suite."
    ),
    plan: bool = typer.Option(False, "--plan", help="Say what it takes and stop there; asks the doctor's questions."),
    policy: str = typer.Option("standard", help="What must be shown: a shipped policy's name, or a file."),
    out: Path | None = typer.Option(None, help="The run's folder (default: runs/SUITE--JUDGE)."),
    name: options.Name = "",
    attempt: options.Attempt = None,
    size: options.Size = None,
    style: options.Style = "flat",
    base_url: options.BaseUrl = "",
    key_env: options.KeyEnv = "",
    price: options.Price = "",
    wording: str = typer.Option("", help="How the judge is asked: a wording's name or file (default: the protocol's)."),
    votes: options.Votes = 1,
    concurrency: options.Concurrency = None,
    max_calls: options.MaxCalls = None,
    max_cost: options.MaxCost = None,
    rpm: options.Rpm = None,
    tpm: options.Tpm = None,
    as_json: options.AsJson = False,
    verbose: bool = typer.Option(False, "-v", "--verbose", help="Every condition that does not pass."),
) -> None:
    """See whether a judge may score: plan, ask, diagnose, certify.

    It says which suite it asks, about which laws, in how many calls, for how much money and time, and asks cell by cell
    until each is decided. The same command again resumes. Exits with 1 unless the judge passes, with 3 if it was
    stopped or questions failed.
    Example: counterbench validate pixels --for laws
    """
    from counterbench.asking.asker import Limits
    from counterbench.cli.judge import ask
    from counterbench.judges import open_judge
    from counterbench.judges.base import called

    target = _target(for_)
    limits = Limits(concurrency=concurrency, max_calls=max_calls, max_cost=max_cost, rpm=rpm, tpm=tpm)
    # Options about the judge, as `t2i judge` takes them; and the other options of this command.
    asked = options.wording_given(wording := wording or target.wording, target.wording)
    asked += options.given(base_url=base_url, key_env=key_env, price=price, votes=votes)
    more = options.given(policy=policy, attempt=attempt, size=size, style=style, out=out, name=name)
    more += options.given(concurrency=concurrency, max_calls=max_calls, max_cost=max_cost, rpm=rpm, tpm=tpm)

    def opened() -> Judge:
        return open_judge(judge, lambda: asking.keys(), base_url=base_url, key_env=key_env, price=price)

    chosen = opened()
    asking = _opened(target, called(chosen, name), policy, out, attempt, size, style, wording, votes, limits)
    planned = _planned(asking, chosen, quiet=as_json)
    if plan or not planned["able"]:
        _end_plan(planned, command("validate", judge, "--for", for_, *asked, *more), as_json)
        return
    end = ask(
        asking.source, opened(), asking.path, asking.wording, limits, votes, name=name, growing=asking.growing,
        quiet=as_json,
    )  # fmt: skip
    planned |= {"run": str(asking.path), "complete": end.complete, "progress": end}
    _say_asked(asking.path, end, chosen, planned, as_json, verbose)
    _certify(asking, called(chosen, name), ["--judge", judge, *asked], planned, as_json, verbose)


def _opened(
    target: Target,
    judge: str,
    policy: str,
    out: Path | None,
    attempt: int | None,
    size: int | None,
    style: str,
    wording: str,
    votes: int,
    limits: Limits,
) -> Validation:
    """Build a validation from a command's options; `judge`: the judge's name in a folder's name."""
    from counterbench.certificate import UntilDecided
    from counterbench.certificate.policies import load_policy
    from counterbench.runs.folder import default_path
    from counterbench.runs.wordings import DEFAULT, load_wording
    from counterbench.suites.attempts import attempt_of, attempted
    from counterbench.suites.sources import SuiteSource, open_source

    source = attempted(open_source(target.suite, size=size, style=style), attempt)
    asked, held_to = load_wording(wording), load_policy(policy)
    ending = "" if asked.name == DEFAULT else f"--{asked.name}"
    path = out or default_path(source.name, judge + ending, style=style, size=size, attempt=attempt)
    by_cells = isinstance(source, SuiteSource) and attempt_of(source.suite) is not None
    growing = UntilDecided(source, held_to, path, target.laws) if by_cells else None
    return Validation(target, source, growing, held_to, path, asked, votes, limits)


def _end_plan(planned: dict[str, Any], then: str, as_json: bool) -> None:
    """End a command that asks nothing; exits with 1 if the judge is not able."""
    if as_json:
        print_json(planned)
    elif planned["able"]:
        say_next(then)
    if not planned["able"]:
        raise typer.Exit(CHECK_FAILED)


def _say_asked(path: Path, end: Progress, judge: Judge, planned: dict[str, Any], as_json: bool, verbose: bool) -> None:
    """Say how asking ended; exits with 3 if questions are left."""
    from counterbench.judges.base import JudgeExtras, extras

    if not as_json:
        say_state(path, "questions", end)
        say_lasting(end, verbose)
        say_end(end, extras(judge, JudgeExtras).prices)
    if end.complete:
        return
    if as_json:
        print_json(planned)
    else:
        say_next(goes_on(end, command("score", path)))
    raise typer.Exit(UNFINISHED)


def _certify(
    asking: Validation, name: str, way: Sequence[object], planned: dict[str, Any], as_json: bool, verbose: bool
) -> None:
    """Diagnose and certify the run, and print its use; exits with 1 unless it passes.

    `way`: the options with which the judge was asked.
    """
    from counterbench.certificate import certify, keep_certificate, kept_in
    from counterbench.cli.certify import say_certificate
    from counterbench.cli.diagnose import diagnosis_lines
    from counterbench.diagnosis.diagnose import diagnose

    path = asking.path
    found, certificate = diagnose([path]), certify(path, asking.policy)
    keep_certificate(path, certificate)
    kept = kept_in(path, asking.policy.name)
    if as_json:
        print_json(planned | {"diagnosis": found, "certificate": certificate})
    else:
        for line in diagnosis_lines(name, found.runs[0]):
            say(line)
        say_certificate(certificate, kept, verbose)
        _say_then(asking, certificate, kept, way)
    if certificate.verdict != "pass":
        raise typer.Exit(CHECK_FAILED)


def _say_then(asking: Validation, certificate: Certificate, kept: Path, way: Sequence[object]) -> None:
    """Print the next command: judge pictures, or the step that the certificate needs."""
    target = asking.target
    judging = command("t2i", "judge", target.images, *way, "--certificate", kept)
    if certificate.verdict == "pass" and not target.prompts:
        say_next(command("verify", kept, "--run", asking.path))
    elif not certificate.admitted or (certificate.verdict != "pass" and not target.laws):
        say_next(command("diagnose", asking.path))
    elif target.images == ELSEWHERE:
        say(f"with the pictures of a generator in {ELSEWHERE}: {judging}")
        model = "planted:literal" if target.laws else "planted:card"
        say_next(command("t2i", "generate", target.prompts, "--generator", model, "--out", "images", *TRY))
    else:
        say_next(judging)


def _target(name: str) -> Target:
    """The target that `--for` names; InputError if there is none."""
    from counterbench.t2i.images.manifest import IMAGES_FILE, read_manifest
    from counterbench.t2i.judging.gate import needed_cells, suite_for
    from counterbench.t2i.judging.picture_queries import PictureQuestions
    from counterbench.t2i.prompts.files import load_prompts
    from counterbench.t2i.protocols import protocol

    if drawn := (Path(name) / IMAGES_FILE).is_file():
        made = read_manifest(Path(name))
        prompts = PictureQuestions(made, made.prompts).drawn
        name, images, what = prompts.name, name, f"the pictures in {name}, of the prompt set {prompts.name}"
    elif _names_prompts(name):
        prompts = load_prompts(name)
        images, what = ELSEWHERE, f"the prompt set {prompts.name}"
    else:
        return Target(name)
    needed, asks = needed_cells(prompts.prompts), protocol(prompts.protocol).wording
    if not needed:
        words = f"{what}, for whose checks nothing can be drawn: it is to see at all"
        return Target(suite_for(()), (), name, words, images, asks)
    words = f"{what}{': their' if drawn else ', whose'} checks ask about {counted(len(needed), 'law')}"
    return Target(suite_for(needed), tuple(needed), name, words, images, asks)


def _names_prompts(name: str) -> bool:
    """True if a name is that of a prompt set, False if of a suite; InputError if of neither."""
    from counterbench.errors import unknown
    from counterbench.files import catalog, formats
    from counterbench.files.tables import SUFFIXES
    from counterbench.t2i.prompts.files import names
    from counterbench.t2i.prompts.kinds import PROMPTS_FORMAT

    path = Path(name)
    if name in names() or name.lower().endswith(SUFFIXES):
        return True
    if catalog.is_path(name) and path.is_file():
        return formats.read_toml(path).get("format") == PROMPTS_FORMAT
    suites = catalog.names("scenes")
    if not (catalog.is_path(name) or path.is_dir() or name in suites):
        raise unknown("prompt set or suite", name, {*names(), *suites})
    return False


def _planned(asking: Validation, judge: Judge, quiet: bool) -> dict[str, Any]:
    """Print the plan of a validation, and return it for JSON; `able` is False if the doctor's check fails."""
    from counterbench.asking.probe import HOW_PRICED
    from counterbench.asking.runner import refuse_unpriced
    from counterbench.certificate.chances import chances
    from counterbench.cli.certificate_table import chances_table
    from counterbench.cli.grid import show
    from counterbench.judges.base import JudgeExtras, extras
    from counterbench.runs.folder import JOURNAL_FILE
    from counterbench.runs.journal import figures_of

    growing, policy = asking.growing, asking.policy
    seen, prices = figures_of(asking.path / JOURNAL_FILE), extras(judge, JudgeExtras).prices
    refuse_unpriced(asking.limits, extras(judge, JudgeExtras).unpriced, HOW_PRICED, lambda: seen)
    expected, checkup = _expected(asking, judge, seen, quiet)
    cells = growing.cells if growing is not None else []
    likely = chances(policy, cells, growing.attempt if growing is not None else 1)
    if not quiet:
        say(f"for: {asking.target.words or f'the suite {asking.source.name}'}")
        say(f"asks: {asking.asks}")
        say(f"policy {policy.name}" + (f": {policy.description}" if policy.description else ""))
        if growing is not None:
            show(chances_table({policy.name: likely}, cells))
        most = f"; never more than {asking.votes * growing.most:,} calls" if growing is not None else ""
        known = f", {seen.replies:,} are answered already" if seen.replies else ""
        say(f"takes: {forecast_words(expected, prices, grows=growing is not None)}{most}{known}")
        _say_checkup(checkup)
    return {
        "suite": asking.source.name,
        "cells": cells,
        "policy": policy.name,
        "chances": likely,
        "expected": expected,
        "doctor": checkup,
        "able": checkup is None or checkup.able,
    }


def _expected(asking: Validation, judge: Judge, seen: Figures, quiet: bool) -> tuple[Forecast, Checkup | None]:
    """The forecast, from the run's own replies or the doctor's; and the doctor's findings, if it asked.

    A run that has begun needs no doctor, nor does a judge that knows the truth or replays a run.
    """
    from counterbench.asking.asker import DEFAULT_CONCURRENCY
    from counterbench.asking.doctor import check_up
    from counterbench.asking.forecast import ENOUGH, forecast
    from counterbench.judges.base import JudgeExtras, extras

    growing, limits = asking.growing, asking.limits
    pairs = len(asking.source) if growing is None else len(growing.source)
    calls = asking.votes * (2 * pairs + (growing.ahead if growing is not None else 0))
    left = max(0, calls - seen.replies)
    if seen.replies >= ENOUGH or not extras(judge, JudgeExtras).looks:
        at_once = min(limits.concurrency or DEFAULT_CONCURRENCY, judge.max_in_flight) * judge.max_batch
        return forecast(left, seen, at_once), None
    few = msgspec.structs.replace(limits, max_calls=None, retries=3)
    with progress("the doctor asks", quiet=quiet) as report:
        checkup = check_up(judge, asking.wording, few, on_progress=report, most_unread=asking.policy.outcomes.unparsed)
    return forecast(left, checkup.figures), checkup


def _say_checkup(checkup: Checkup | None) -> None:
    if checkup is None:
        return
    spent = f", {usd(checkup.cost)} spent" if checkup.cost else ""
    say(f"the doctor asked {checkup.questions} questions for that{spent}; no limit counts them")
    for finding in checkup.findings:
        if finding.holds is False:
            say(f"the doctor says: {finding.name} FAILS: {finding.message}")
