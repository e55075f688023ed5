"""The test `validate --for stickers`: does a judge see stickers on the user's own pictures?

A sticker is a thing that we draw on such a picture, the ground; so the truth about it is known.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from counterbench.cli.amounts import forecast_words
from counterbench.cli.app import CHECK_FAILED, UNFINISHED
from counterbench.cli.grid import Table, show
from counterbench.cli.printing import command, print_json, progress, say, say_next
from counterbench.cli.work import ask, next_step
from counterbench.results.measures import FRACTION
from counterbench.text import counted, listed

# The user's options that the proposed next command repeats.
_AGAIN = ("policy", "template", "repeats", "name", "base_url", "price")

if TYPE_CHECKING:
    from counterbench.evidence.options import ValidateOptions
    from counterbench.evidence.stickers import StickerResult


def validate_stickers(judge: str, onto: Path, by_family: bool, job_options: ValidateOptions, as_json: bool) -> None:
    """Plan, ask about the pictures alone and with stickers, and say the verdict; exits with 1 unless it passes.

    `onto`: the folder or table of the pictures; `by_family`: ask more, and decide each family of pairs.
    """
    from counterbench.evidence.stickers import StickerTest
    from counterbench.judges.base import called
    from counterbench.pictures.importing.places import pictures_of
    from counterbench.runs.folder import default_path
    from counterbench.suites.stickers import MIN_SIDE

    files, small = pictures_of(onto)
    test = StickerTest.from_options(job_options, files=files, out=Path(), by_family=by_family)
    ending = "--by-family" if by_family else ""
    usual = default_path(f"stickers-{onto.resolve().stem}", called(test.opened_judge, test.name), ending)
    path = Path(job_options.out or usual)
    test = replace(test, out=path)
    planned = test.plan()
    if not as_json:
        no_room = f"; left out, with a side below {MIN_SIDE} pixels: {small}" if small else ""
        say(f"for: stickers on {counted(len(files), 'picture')} of {onto}{no_room}")
        say(f"asks: {len(set(test.grounds))} pictures as they are, then {test.pairs} pairs of stickers on them")
        say(f"takes: {forecast_words(planned, '')}")
    if job_options.plan:
        if as_json:
            about = {"pictures": len(files), "no_room": small, "pairs": test.pairs}
            print_json(about | {"calls": planned.calls, "run": str(path)})
        return
    with progress("drawing", quiet=as_json) as report:
        for asking in test.askings(report):
            (run,) = ask(asking, quiet=as_json)
            if not asking.complete:
                if as_json:
                    print_json({"run": str(asking.path), "complete": False, "progress": run.end})
                else:
                    say_next(next_step(run.end, ""))
                raise typer.Exit(UNFINISHED)
    result = test.saved() or test.conclude()
    if as_json:
        print_json(result)
    else:
        _say_result(result, len(set(test.grounds)))
        if result.verdict == "not-enough-evidence" and not by_family:
            say("--by-family asks more, 60 pairs of each family, and decides each family")
            again = job_options.command_words(*_AGAIN)
            say_next(command("validate", judge, "--for", "stickers", "--onto", onto, "--by-family", *again))
        elif result.families and result.verdict != "pass":
            say_next(command("diagnose", result.run))
    if result.verdict != "pass":
        raise typer.Exit(CHECK_FAILED)


def _say_result(result: StickerResult, different: int) -> None:
    """Print the result by family, and the verdict. `different`: the number of different pictures."""
    table = Table("stickers on these pictures", ["family"], ["pairs", "right on both"])
    for name, finding in [*result.families.items(), ("all", result.finding)]:
        table.add_row(name, str(finding.pairs), FRACTION.whole(finding.ccs))
    if result.families:
        show(table)
    if result.declined:
        treated = f"{counted(sum(result.declined.values()), 'further pair')}, treated ({listed(result.declined)})"
        say(f"not counted: {treated}; the judge gives almost no readable answer about such pictures")
    alone = f"pictures without stickers: {result.grounds} drawn, {different} different"
    say(f"{alone}; left out, since the judge did not say that they have none: {result.left_out}")
    words = {"pass": "passes: it sees stickers on these pictures", "fail": "fails", "not-enough-evidence": "undecided"}
    say(f"{words[result.verdict]}{f': {result.reason}' if result.reason else ''}")
