"""The command validate: may a judge score? A plan first, then doctor, probe, diagnosis and certificate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import typer

from counterbench.cli import options
from counterbench.cli.app import CHECK_FAILED, UNFINISHED
from counterbench.cli.printing import command, print_json, progress, say, say_next
from counterbench.cli.work import forecast_words, goes_on, say_end, say_lasting, say_state, usd
from counterbench.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from counterbench.asking.asker import Limits
    from counterbench.certificate.policies import Policy
    from counterbench.cli.printing import Report
    from counterbench.judges.base import Judge
    from counterbench.runs.queries import Key
    from counterbench.runs.wordings import Wording
    from counterbench.suites.sources import Source


ELSEWHERE = "IMAGES/GENERATOR"  # where pictures will be that are not drawn yet
TRY = ("--limit", 5, "--samples", 1)


class Target(NamedTuple):
    """What a judge is validated for: the suite, or folder, that it is asked, and what it may then score, if anything:
    a prompt set, in `words` too, and its pictures.
    """

    suite: str
    prompts: str = ""
    words: str = ""
    images: str = ELSEWHERE


def validate(
    judge: str = typer.Argument(help="openai:MODEL, transformers:PATH, a judge's TOML file, …"),
    for_: str = typer.Option(
        ..., "--for", metavar="PROMPTS|IMAGES|SUITE", help="A prompt set, a generator's folder of pictures, or a suite."
    ),
    plan: bool = typer.Option(False, "--plan", help="Say what it takes and stop there; asks the doctor's questions."),
    policy: str = typer.Option("standard", help="What must be shown: a shipped policy's name, or a file."),
    out: Path | None = typer.Option(None, help="The run's folder (default: runs/SUITE--JUDGE)."),
    name: options.Name = "",
    times: options.Times = 1,
    base_url: options.BaseUrl = "",
    key_env: options.KeyEnv = "",
    price: options.Price = "",
    wording: options.Wording = "default",
    concurrency: options.Concurrency = None,
    max_calls: options.MaxCalls = None,
    max_cost: options.MaxCost = None,
    rpm: options.Rpm = None,
    tpm: options.Tpm = None,
    as_json: options.AsJson = False,
    verbose: bool = typer.Option(False, "-v", "--verbose", help="Every condition that does not pass."),
) -> None:
    """See whether a judge may score: plan, ask, diagnose, certify.

    It says which suite it asks, about which skills, in how many calls, for how much money and time, and does it. The
    same command again resumes. Exits with 1 unless the judge passes, with 3 if it was stopped or questions failed.
    Example: counterbench validate pixels --for laws
    """
    from counterbench.asking.asker import Limits
    from counterbench.certificate import certify, keep_certificate, kept_in
    from counterbench.certificate.policies import load_policy
    from counterbench.cli.certify import after, say_certificate
    from counterbench.cli.diagnose import diagnosis_lines
    from counterbench.cli.judge import ask
    from counterbench.diagnosis.diagnose import diagnose
    from counterbench.judges import open_judge
    from counterbench.judges.base import JudgeExtras, called, extras
    from counterbench.runs.folder import default_path
    from counterbench.runs.pair_queries import keys
    from counterbench.runs.wordings import load_wording
    from counterbench.suites.sources import open_source

    target, held_to, put = _target(for_), load_policy(policy), load_wording(wording)
    source = open_source(target.suite, times=times)
    limits = Limits(concurrency=concurrency, max_calls=max_calls, max_cost=max_cost, rpm=rpm, tpm=tpm)
    # How the judge is asked, as `t2i judge` takes it; and all else that this very command was given.
    asked = options.given(wording=wording, base_url=base_url, key_env=key_env, price=price)
    more = options.given(
        policy=policy,
        times=times,
        out=out,
        name=name,
        concurrency=concurrency,
        max_calls=max_calls,
        max_cost=max_cost,
        rpm=rpm,
        tpm=tpm,
    )

    def opened() -> Judge:
        return open_judge(judge, lambda: keys(source), base_url=base_url, key_env=key_env, price=price)

    chosen = opened()
    path = out or default_path(source.name, called(chosen, name))
    source = _as_asked_before(source, path)
    told = _planned(chosen, target, source, held_to, path, put, limits, quiet=as_json)
    if plan or not told["able"]:
        if as_json:
            print_json(told)
        elif told["able"]:
            say_next(command("validate", judge, "--for", for_, *asked, *more))
        if not told["able"]:
            raise typer.Exit(CHECK_FAILED)
        return
    end = ask(source, opened(), path, put, limits, name=name, quiet=as_json)
    told |= {"run": str(path), "complete": end.complete, "progress": end}
    if not as_json:
        say_state(path, "questions", end)
        say_lasting(end, verbose)
        say_end(end, extras(chosen, JudgeExtras).prices)
    if not end.complete:
        if as_json:
            print_json(told)
        else:
            say_next(goes_on(end, command("score", path)))
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
        say_certificate(certificate, path, kept, verbose)
        judging = command("t2i", "judge", target.images, "--judge", judge, *asked, "--certificate", kept)
        if not passed or not target.prompts:
            say_next(after(certificate, path, kept))
        elif target.images == ELSEWHERE:
            say(f"with the pictures of a generator in {ELSEWHERE}: {judging}")
            say_next(
                command("t2i", "generate", target.prompts, "--generator", "planted:literal", "--out", "images", *TRY)
            )
        else:
            say_next(judging)
    if not passed:
        raise typer.Exit(CHECK_FAILED)


def _as_asked_before(source: Source, path: Path) -> Source:
    """The source, or further pairs of it where the run in `path` has been asked those already."""
    from counterbench.runs.folder import RUN_FILE, read_run_info
    from counterbench.suites.sources import SuiteSource, first_of

    if not (path / RUN_FILE).is_file() or not isinstance(source, SuiteSource):
        return source
    info = read_run_info(path)
    pairs = info.queries // (2 * info.votes)
    return first_of(source.once, pairs) if pairs > len(source) and source.kin(info.suite_digest, pairs) else source


def _target(name: str) -> Target:
    """What `--for` names; InputError for prompts whose checks no suite asks for."""
    from counterbench.files import catalog, formats
    from counterbench.t2i.images.manifest import IMAGES_FILE, read_manifest
    from counterbench.t2i.judging.gate import SUITE, UNVERIFIABLE, needed_skills
    from counterbench.t2i.prompts.files import PROMPTS_FORMAT, drawn_skills, load_prompts, names

    path, images = Path(name), ELSEWHERE
    if (path / IMAGES_FILE).is_file():
        images, name = name, read_manifest(path).info.prompts
    of_prompts = name in names() or name.endswith(".jsonl")
    if not of_prompts and catalog.is_path(name) and path.is_file():
        of_prompts = formats.read_toml(path).get("format") == PROMPTS_FORMAT
    if not of_prompts:
        return Target(name)
    prompts = load_prompts(name)
    needed = needed_skills(prompts)
    if not needed:
        raise InputError(f"{name}: {UNVERIFIABLE}")
    if unknown := set(needed) - set(drawn_skills(SUITE)):
        raise InputError(f"{name}: no shipped suite asks about {', '.join(sorted(unknown))}, as its checks do")
    return Target(SUITE, name, f"the prompt set {prompts.name}, whose checks ask for {len(needed)} skills", images)


def _planned(
    judge: Judge,
    target: Target,
    source: Source,
    policy: Policy,
    path: Path,
    wording: Wording,
    limits: Limits,
    quiet: bool,
) -> dict[str, Any]:
    """What validating takes, printed and for JSON; `able` is false if the doctor finds that the judge is not."""
    from counterbench.asking.asker import DEFAULT_CONCURRENCY
    from counterbench.asking.doctor import check_up
    from counterbench.asking.forecast import ENOUGH, forecast
    from counterbench.asking.probe import HOW_PRICED
    from counterbench.asking.runner import refuse_unpriced
    from counterbench.certificate.chances import chances, composition
    from counterbench.cli.certificate_table import chances_line
    from counterbench.judges.base import JudgeExtras, extras
    from counterbench.runs.folder import JOURNAL_FILE
    from counterbench.runs.journal import figures_of
    from counterbench.runs.pair_queries import keys

    with progress(f"drawing {source.name}", quiet=quiet) as report:
        asked = composition(_shown(keys(source), 2 * len(source), report))
    seen = figures_of(path / JOURNAL_FILE)
    left = max(0, 2 * len(source) - seen.replies)
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
    likely = chances(policy, asked)
    if not quiet:
        say(f"for: {target.words or f'the suite {source.name}'}")
        skills = ", ".join(f"{skill} {pairs.pairs}" for skill, pairs in asked.skills.items())
        say(f"asks: {len(source):,} pairs of {source.name}, by skill: {skills}; {asked.control} controls")
        say(f"policy {policy.name}: {policy.description}")
        say(chances_line(policy.name, likely))
        done = f", {seen.replies:,} are answered already" if seen.replies else ""
        say(f"takes: {forecast_words(expected, more.prices)}{done}")
        if found is not None:
            spent = f", {usd(found.cost)} spent" if found.cost else ""
            say(f"the doctor asked {found.questions} questions for that{spent}; no limit counts them")
        for finding in found.findings if found is not None else ():
            if finding.holds is False:
                say(f"the doctor says: {finding.name} FAILS: {finding.message}")
    return {
        "suite": source.name,
        "pairs": len(source),
        "skills": {skill: pairs.pairs for skill, pairs in asked.skills.items()},
        "controls": asked.control,
        "policy": policy.name,
        "chances": likely,
        "expected": expected,
        "doctor": found,
        "able": able,
    }


def _shown(keys: Iterable[Key], total: int, report: Report) -> Iterator[Key]:
    """The keys as they come, each counted."""
    for done, key in enumerate(keys, 1):
        report(done, total)
        yield key
