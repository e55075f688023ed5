"""The command validate: may a judge score? A plan first, then doctor, probe, diagnosis and certificate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import typer

from counterbench.cli import options
from counterbench.cli.app import CHECK_FAILED, UNFINISHED
from counterbench.cli.printing import command, print_json, progress, say, say_next
from counterbench.cli.work import forecast_words, say_end, say_lasting, say_state, usd
from counterbench.text import counted

if TYPE_CHECKING:
    from counterbench.asking.asker import Limits
    from counterbench.asking.runner import Progress
    from counterbench.certificate import UntilDecided
    from counterbench.certificate.policies import Policy
    from counterbench.judges.base import Judge
    from counterbench.runs.wordings import Wording
    from counterbench.suites.sources import Source


ELSEWHERE = "IMAGES/GENERATOR"  # where pictures will be that are not drawn yet
TRY = ("--limit", 5, "--samples", 1)


class Target(NamedTuple):
    """What a judge is validated for: the suite, or folder, that it is asked (`laws`: about these alone, if any), and
    what it may then score, if anything: a prompt set, in `words` too, its pictures, and how its protocol asks.
    """

    suite: str
    laws: tuple[str, ...] = ()
    prompts: str = ""
    words: str = ""
    images: str = ELSEWHERE
    wording: str = "default"


def validate(
    judge: str = typer.Argument(help="openai:MODEL, transformers:PATH, python:MODULE:NAME, a judge's TOML file, …"),
    for_: str = typer.Option(
        ..., "--for", metavar="PROMPTS|IMAGES|SUITE", help="A prompt set, a generator's folder of pictures, or a suite."
    ),
    plan: bool = typer.Option(False, "--plan", help="Say what it takes and stop there; asks the doctor's questions."),
    policy: str = typer.Option("standard", help="What must be shown: a shipped policy's name, or a file."),
    out: Path | None = typer.Option(None, help="The run's folder, or an address (default: runs/SUITE--JUDGE)."),
    name: options.Name = "",
    attempt: options.Attempt = None,
    size: options.Size = None,
    base_url: options.BaseUrl = "",
    key_env: options.KeyEnv = "",
    price: options.Price = "",
    wording: str = typer.Option("", help="How the judge is asked: a wording's name or file (default: the protocol's)."),
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
    from counterbench.asking.probe import under_further
    from counterbench.certificate import UntilDecided, certify, keep_certificate, kept_in
    from counterbench.certificate.policies import load_policy
    from counterbench.cli.certify import after, say_certificate
    from counterbench.cli.diagnose import diagnosis_lines
    from counterbench.cli.judge import Ran, ask, then_of
    from counterbench.diagnosis.diagnose import diagnose
    from counterbench.judges import open_judge
    from counterbench.judges.base import JudgeExtras, called, extras
    from counterbench.runs.folder import default_path, wording_path
    from counterbench.runs.pair_queries import keys
    from counterbench.runs.wordings import DEFAULT, load_wording
    from counterbench.suites.attempts import attempt_of, attempted
    from counterbench.suites.sources import SuiteSource, open_source

    target, held_to = _target(for_), load_policy(policy)
    put = load_wording(wording := wording or target.wording)
    further = held_to.further(put)
    source = attempted(open_source(target.suite, size=size), attempt)
    limits = Limits(concurrency=concurrency, max_calls=max_calls, max_cost=max_cost, rpm=rpm, tpm=tpm)
    # How the judge is asked, as `t2i judge` takes it; and all else that this very command was given.
    asked = options.wording_given(wording, target.wording)
    asked += options.given(base_url=base_url, key_env=key_env, price=price)
    more = options.given(
        policy=policy,
        attempt=attempt,
        size=size,
        out=out,
        name=name,
        concurrency=concurrency,
        max_calls=max_calls,
        max_cost=max_cost,
        rpm=rpm,
        tpm=tpm,
    )

    growing: UntilDecided | None = None

    def opened() -> Judge:
        return open_judge(
            judge, lambda: growing.keys() if growing else keys(source), base_url=base_url, key_env=key_env, price=price
        )

    chosen = opened()
    way = "" if put.name == DEFAULT else f"--{put.name}"
    path = out or default_path(source.name, called(chosen, name) + way, size=size, attempt=attempt)
    if isinstance(source, SuiteSource) and attempt_of(source.suite) is not None:
        growing = UntilDecided(source, held_to, path, target.laws)
    told = _planned(chosen, target, source, growing, held_to, path, put, further, limits, quiet=as_json)
    if plan or not told["able"]:
        if as_json:
            print_json(told)
        elif told["able"]:
            say_next(command("validate", judge, "--for", for_, *asked, *more))
        if not told["able"]:
            raise typer.Exit(CHECK_FAILED)
        return
    end = ask(source, opened(), path, put, limits, name=name, growing=growing, quiet=as_json)

    ran = [Ran(path, put, chosen, end)]

    def under(another: Wording, left: Limits) -> Progress:
        within = wording_path(path, another.name)
        end = ask(growing.asked if growing else source, opened(), within, another, left, name=name, quiet=as_json)
        ran.append(Ran(within, another, chosen, end))
        return end

    under_further(end, further, limits, under)
    complete = len(ran) == 1 + len(further) and all(each.end.complete for each in ran)
    told |= {"run": str(path), "complete": complete, "progress": end}
    told |= {"wordings": [each.document for each in ran]} if further else {}
    if not as_json:
        for each in ran:
            say_state(each.path, "questions", each.end)
            say_lasting(each.end, verbose)
            say_end(each.end, extras(chosen, JudgeExtras).prices)
    if not complete:
        if as_json:
            print_json(told)
        else:
            say_next(then_of(ran, complete, command("score", path)))
        raise typer.Exit(UNFINISHED)
    found, certificate = diagnose([path]), certify(path, held_to)
    keep_certificate(path, certificate)
    kept = kept_in(path, held_to.name)
    passed = certificate.verdict == "pass"
    if as_json:
        print_json(told | {"diagnosis": found, "certificate": certificate})
    else:
        for line in diagnosis_lines(called(chosen, name), found.runs[0]):
            say(line)
        say_certificate(certificate, kept, verbose)
        judging = command("t2i", "judge", target.images, "--judge", judge, *asked, "--certificate", kept)
        if not certificate.admitted or not target.prompts or (not passed and not target.laws):
            say_next(after(certificate, path, kept))
        elif target.images == ELSEWHERE:
            say(f"with the pictures of a generator in {ELSEWHERE}: {judging}")
            model = "planted:literal" if target.laws else "planted:card"
            say_next(command("t2i", "generate", target.prompts, "--generator", model, "--out", "images", *TRY))
        else:
            say_next(judging)
    if not passed:
        raise typer.Exit(CHECK_FAILED)


def _target(name: str) -> Target:
    """What `--for` names; InputError if that is nothing."""
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
    """Whether a name is that of a prompt set, or of a suite; InputError if of nothing."""
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


def _planned(
    judge: Judge,
    target: Target,
    source: Source,
    growing: UntilDecided | None,
    policy: Policy,
    path: Path,
    wording: Wording,
    further: list[Wording],
    limits: Limits,
    quiet: bool,
) -> dict[str, Any]:
    """What validating takes, printed and for JSON; `able` is false if the doctor finds that the judge is not."""
    from counterbench.asking.asker import DEFAULT_CONCURRENCY
    from counterbench.asking.doctor import check_up
    from counterbench.asking.forecast import ENOUGH, forecast
    from counterbench.asking.probe import HOW_PRICED
    from counterbench.asking.runner import refuse_unpriced
    from counterbench.certificate.cells import law_of, unit, units
    from counterbench.certificate.chances import chances
    from counterbench.cli.certificate_table import chances_table
    from counterbench.cli.grid import show
    from counterbench.judges.base import JudgeExtras, extras
    from counterbench.runs.folder import JOURNAL_FILE, wording_path
    from counterbench.runs.journal import figures_of

    seen = figures_of(path / JOURNAL_FILE)
    asked = 2 * (len(source) if growing is None else len(growing.source)) + (growing.ahead if growing else 0)
    within = [figures_of(wording_path(path, other.name) / JOURNAL_FILE).replies for other in further]
    replies, ways = seen.replies + sum(within), 1 + len(further)
    left = max(0, ways * asked - replies)
    more = extras(judge, JudgeExtras)
    refuse_unpriced(limits, more.unpriced, HOW_PRICED, lambda: seen)
    found = None
    if seen.replies >= ENOUGH or not more.looks:  # a judge that knows the truth, or what was said, needs no doctor
        at_once = min(limits.concurrency or DEFAULT_CONCURRENCY, judge.max_in_flight) * judge.max_batch
        expected = forecast(left, seen, at_once)
    else:
        with progress("the doctor asks", quiet=quiet) as report:
            few = msgspec.structs.replace(limits, max_calls=None, retries=3)
            found = check_up(judge, wording, few, on_progress=report, most_unread=policy.outcomes.unparsed)
        expected = found.forecast(left)
    able = found is None or found.able
    cells = growing.cells if growing is not None else []
    likely = chances(policy, cells, growing.attempt if growing is not None else 1)
    if not quiet:
        say(f"for: {target.words or f'the suite {source.name}'}")
        if growing is not None:
            all_ = counted(len(set(map(law_of, cells))), unit(cells), units(cells))
            say(f"asks: {len(cells)} cells of {all_} of the suite {source.name}, each until it is decided")
        else:
            say(f"asks: {len(source):,} pairs of {source.name}, which is of no attempt: its certificate opens nothing")
        say(f"policy {policy.name}" + (f": {policy.description}" if policy.description else ""))
        if further:
            bound = f"{100 * (policy.max_flip_rate or 0):g} %"
            names = ", ".join(other.name for other in further)
            say(f"  at most {bound} of the answers may hang on the wording: the same is asked under {names} too")
        if growing is not None:
            show(chances_table({policy.name: likely}, cells))
        done = f", {replies:,} are answered already" if replies else ""
        done = f"; never more than {ways * growing.most:,} calls{done}" if growing is not None else done
        say(f"takes: {forecast_words(expected, more.prices, grows=growing is not None)}{done}")
        if found is not None:
            spent = f", {usd(found.cost)} spent" if found.cost else ""
            say(f"the doctor asked {found.questions} questions for that{spent}; no limit counts them")
        for finding in found.findings if found is not None else ():
            if finding.holds is False:
                say(f"the doctor says: {finding.name} FAILS: {finding.message}")
    return {
        "suite": source.name,
        "cells": cells,
        "policy": policy.name,
        "chances": likely,
        "expected": expected,
        "doctor": found,
        "able": able,
    }
