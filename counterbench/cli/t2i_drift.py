"""What `t2i judge` does before and after the pictures: ask certified pairs again. Is it still the judge?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from counterbench.cli.app import CHECK_FAILED, UNFINISHED
from counterbench.cli.printing import print_json, progress, say, say_next
from counterbench.cli.work import say_end, say_lasting

if TYPE_CHECKING:
    from counterbench.asking.asker import Limits
    from counterbench.t2i.judging.drift import When
    from counterbench.t2i.judging.session import Again


def ask_again(again: Again, run: Path, when: When, limits: Limits, quiet: bool) -> Limits:
    """Have certified pairs answered again, before or after (`when`) the pictures of the run in `run`.

    Returns what of the limits is left. Exits with 3 if not all could be asked, and with 1 if the judge has changed.
    """
    from counterbench.judges.base import JudgeExtras, extras

    if not quiet and not again.path.exists():
        times = "before" if when == "start" else "after"
        say(f"{again.questions} questions about certified pairs, {times} the pictures", err=True)
    with progress("asking certified pairs again", quiet, brief=True) as report:
        end, found = again.ask(limits, lambda p: report(p.done + p.failed, p.total))
    left = limits.less(end.calls, end.cost)
    if not end.complete or left is None:
        if quiet:
            reasons = ["certified pairs are still to be asked again: the same `t2i judge` goes on"]
            print_json({"run": str(run), "complete": False, "admitted": True, "certified": False,
                        "reasons": reasons, "progress": end})  # fmt: skip
        else:
            asked = f"{end.done} of {end.total} questions about certified pairs answered"
            say(f"{again.path}: {asked}, {end.calls} asked now")
            say_lasting(end)
            say_end(end, extras(again.judge, JudgeExtras).prices)
            say_next(end.again)
        raise typer.Exit(UNFINISHED)
    if found is None:
        return left
    if not quiet and end.calls:
        say(f"certified pairs asked again: {found.words}", err=True)
    if found.changed:
        say(f"not admitted: the judge is not the one that was certified: {found.words}", err=True)
        left_at = "what it said of the pictures stays uncertified" if when == "end" else "nothing else was asked"
        say(f"{left_at}; `counterbench certify` needs a new run of it: probe it anew, into another --out", err=True)
        if quiet:
            reasons = [f"the judge has changed: {found.words}"]
            print_json({"run": str(run), "complete": False, "admitted": False, "certified": False,
                        "reasons": reasons, "progress": end})  # fmt: skip
        raise typer.Exit(CHECK_FAILED)
    return left
