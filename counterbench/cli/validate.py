"""The command validate: may a judge score? A plan first, then doctor, probe, diagnosis and certificate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import msgspec
import typer

from counterbench.cli import options
from counterbench.cli.amounts import forecast_words, usd
from counterbench.cli.app import CHECK_FAILED, UNFINISHED
from counterbench.cli.printing import command, print_json, progress, say, say_all, say_next
from counterbench.cli.work import ask, next_step, say_asked
from counterbench.errors import InputError
from counterbench.evidence.options import ValidateOptions
from counterbench.text import counted

if TYPE_CHECKING:
    from counterbench.evidence.document import Certificate
    from counterbench.evidence.ladders import LadderQuestions
    from counterbench.evidence.validation import Certified, Validation, ValidationPlan

ELSEWHERE = "IMAGES/GENERATOR"  # where pictures will be that are not drawn yet
TRY = ("--limit", 5, "--samples", 1)  # options of a first, small `t2i generate`
_AGAIN = (  # options that the suggested command repeats
    "template", "repeats", "base_url", "price", "ladders", "policy", "attempt", "size", "style", "out", "name",
    "concurrency", "max_calls", "max_cost", "rpm",
)  # fmt: skip


@options.fields_as_options
def validate(
    judge: str = typer.Argument(help="openai:MODEL, transformers:PATH, python:MODULE:NAME, a judge's TOML file, …"),
    target: str = typer.Option(
        ..., "--for", metavar="PROMPTS|IMAGES|SUITE", help="A prompt set, a generator's folder of pictures, or a suite."
    ),
    onto: options.Onto = None,
    by_family: bool = typer.Option(False, "--by-family", help="--for stickers: 60 pairs of each family, not of all."),
    *,
    job_options: ValidateOptions,
    as_json: options.AsJson = False,
    verbose: bool = typer.Option(False, "-v", "--verbose", help="Every condition that does not pass."),
) -> None:
    """See whether a judge may score: plan, ask, diagnose, certify.

    It says which suite it asks, about which laws, in how many calls, for how much money and time, and asks cell by cell
    until each is decided. The same command again resumes. Exits with 1 unless the judge passes, with 3 if it was
    stopped or questions failed.
    Example: counterbench validate pixels --for laws

    or: counterbench validate openai:gpt-4o-mini --for stickers --onto pictures
    """
    if target == "stickers" or onto is not None or by_family:
        from counterbench.cli.stickers import validate_stickers

        if job_options.ladders:
            raise InputError("--ladders is for --for ladder; leave it out with stickers")
        if target == "stickers" and onto is None:
            raise InputError("--for stickers needs pictures of your own: give --onto FOLDER or TABLE")
        others = (job_options.attempt, job_options.size, job_options.style)
        if target != "stickers" or onto is None or others != (None, None, "flat"):
            raise InputError("stickers take --for stickers --onto FOLDER or TABLE, without --attempt and --size")
        validate_stickers(judge, onto, by_family, job_options, as_json)
        return
    from counterbench.evidence.validation import Certified, Validation

    validation = Validation.from_options(job_options)
    with progress("the doctor asks", quiet=as_json) as report:
        planned = validation.plan(report)
    if not as_json:
        _say_plan(validation, planned)
    if job_options.plan or not planned.able:
        if as_json:
            print_json(planned)
        elif planned.able:
            say_next(command("validate", judge, "--for", target, *job_options.command_words(*_AGAIN)))
        raise typer.Exit(0 if planned.able else CHECK_FAILED)
    asking = validation.asking()
    (run,) = ask(asking, quiet=as_json)
    document = msgspec.to_builtins(planned) | {"run": str(run.path), "complete": run.end.complete, "progress": run.end}
    if not as_json:
        say_asked(asking, run, verbose, observed=False)
    if not run.end.complete:
        if as_json:
            print_json(document)
        else:
            say_next(next_step(run.end, command("score", run.path)))
        raise typer.Exit(UNFINISHED)
    found = validation.conclude()
    if isinstance(found, Certified):
        _say_certified(validation, found, document, as_json, verbose)
        return
    from counterbench.cli.ladders import say_ladders

    if as_json:
        print_json(document | msgspec.to_builtins(found))
    else:
        say_ladders(found, validation.rules.alpha)
        say_next(command("report", run.path))
    if any(ladder.granted is None for ladder in found.ladders.values()):
        raise typer.Exit(CHECK_FAILED)


def _say_plan(validation: Validation, planned: ValidationPlan) -> None:
    """Print the plan: the suite, the policy, calls, cost, and the doctor's findings."""
    from counterbench.judges.base import JudgeExtras, extras

    policy, grows = validation.rules, planned.most is not None
    say(f"for: {validation.use.words or f'the suite {planned.suite}'}")
    say(f"asks: {_questions_in_words(validation, planned)}")
    about = f": right on both pictures of more than {100 * policy.ccs:g} % of the pairs of every rung seen"
    about = about if validation.of_ladders else f": {policy.description}" if policy.description else ""
    say(f"policy {policy.name}{about}")
    most = f"; at most {planned.most:,} calls" if planned.most is not None else ""
    known = f", {planned.answered:,} are answered already" if planned.answered else ""
    prices = extras(validation.opened_judge, JudgeExtras).prices
    takes = forecast_words(planned.expected, prices, grows=grows and not validation.of_ladders)
    of_ladders = " if it sees all rungs, fewer if not" if validation.of_ladders else ""
    say(f"takes: {takes}{of_ladders}{most}{known}")
    if (checkup := planned.doctor) is not None:
        spent = f", {usd(checkup.figures.cost)} spent" if checkup.figures.cost else ""
        say(f"the doctor asked {checkup.questions} questions for this{spent}, not counted by --max-calls")
        for finding in checkup.failing:
            say(f"the doctor says: {finding.name} FAILS: {finding.message}")
        if checkup.failing:
            say("nothing else was asked; mend this first (counterbench doctor shows all checks)")


def _questions_in_words(validation: Validation, planned: ValidationPlan) -> str:
    """The number and kind of the planned questions, in words."""
    from counterbench.evidence.cells import law_of, unit, units

    cells, source = planned.cells, validation.source
    if planned.most is None:
        return f"{len(source):,} pairs of {planned.suite}, which is of no attempt: passing lets no judge score"
    if validation.of_ladders:
        ladders = counted(len(cast("LadderQuestions", validation.adaptive).ladders), "ladder")
        return f"{len(cells)} rungs of {ladders}, each ladder from its easiest rung until one is not shown"
    all_ = counted(len(set(map(law_of, cells))), unit(cells), units(cells))
    until = "is decided" if validation.panel is None else "has all pairs that all members were asked"
    return f"{len(cells)} cells of {all_} of the suite {planned.suite}, each until it {until}"


def _say_certified(
    validation: Validation, result: Certified, document: dict[str, Any], as_json: bool, verbose: bool
) -> None:
    """Print diagnosis and certificate; exits with 1 unless the judge passes."""
    from counterbench.cli.certify import say_certificate
    from counterbench.cli.diagnose import diagnosis_lines
    from counterbench.evidence.shown import evidence_of
    from counterbench.judges.base import called

    diagnosis, certificate, file = result
    if as_json:
        evidence = evidence_of(certificate, validation.use.laws)
        print_json(document | {"diagnosis": diagnosis, "certificate": certificate, "evidence": evidence})
    else:
        say_all(diagnosis_lines(called(validation.opened_judge, validation.name), diagnosis.runs[0]))
        say_certificate(certificate, file, verbose)
        if unasked := validation.unasked(certificate):
            say(unasked)
        _say_then(validation, certificate, file)
    if certificate.verdict != "pass":
        raise typer.Exit(CHECK_FAILED)


def _say_then(validation: Validation, certificate: Certificate, file: Path) -> None:
    """Print the next command: judge pictures, or the step that the certificate needs."""
    use, judge = validation.use, validation.judge
    settings = validation.command_words("repeats", "base_url", "price")  # the certificate says the template
    judging = command("t2i", "judge", use.images or ELSEWHERE, "--judge", judge, *settings, "--certificate", file)
    if certificate.verdict == "pass" and not use.prompts:
        say_next(command("verify", file, "--run", validation.path))
    elif not certificate.admitted or (certificate.verdict != "pass" and not use.laws):
        say_next(command("diagnose", validation.path))
    elif not use.images:
        say(f"once a generator's pictures are in {ELSEWHERE}: {judging}")
        model = "planted:literal" if use.laws else "planted:card"
        say_next(command("t2i", "generate", use.prompts, "--generator", model, "--out", "images", *TRY))
    else:
        say_next(judging)
