"""What `t2i judge` does before and after the pictures: ask certified pairs again. Is it still the judge?"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from counterbench.cli.app import CHECK_FAILED, UNFINISHED
from counterbench.cli.printing import print_json, progress, say, say_next
from counterbench.cli.work import say_end, say_lasting

if TYPE_CHECKING:
    from counterbench.asking.asker import Limits
    from counterbench.certificate import Certificate
    from counterbench.judges.base import Judge
    from counterbench.runs.queries import Key
    from counterbench.runs.wordings import Wording
    from counterbench.t2i.judging.drift import When


def ask_again(
    certificate: Certificate,
    opened: Callable[[Callable[[], Iterable[Key]]], Judge],
    run: Path,
    when: When,
    wording: Wording,
    limits: Limits,
    votes: int,
    quiet: bool,
) -> Limits:
    """Have a judge, `opened` with the keys of what it is asked, answer certified pairs again.

    Before or after (`when`) the pictures of the run in `run`, in a folder of its own there. Returns what of the limits
    is left. Exits with 3 if not all could be asked, and with 1 if the judge has changed.
    """
    from counterbench.asking.probe import probe
    from counterbench.judges.base import JudgeExtras, extras
    from counterbench.runs.pair_queries import keys
    from counterbench.t2i.judging.drift import drift, drift_run, pairs_again

    source, path = pairs_again(certificate), drift_run(run, certificate, when)
    judge = opened(lambda: keys(source))
    if not quiet and not path.exists():
        times = "before" if when == "start" else "after"
        say(f"{2 * len(source) * votes} questions about certified pairs, {times} the pictures", err=True)
    with progress("asking certified pairs again", quiet, brief=True) as report:
        end = probe(
            source,
            judge,
            path,
            wording=wording,
            votes=votes,
            limits=limits,
            again=True,
            on_progress=lambda p: report(p.done + p.failed, p.total),
        )
    left = limits.less(end.calls, end.cost)
    if not end.complete or left is None:
        if quiet:
            reasons = ["certified pairs are still to be asked again: the same `t2i judge` goes on"]
            print_json({"run": str(run), "complete": False, "admitted": True, "certified": False,
                        "reasons": reasons, "progress": end})  # fmt: skip
        else:
            say(f"{path}: {end.done} of {end.total} questions about certified pairs answered, {end.calls} asked now")
            say_lasting(end)
            say_end(end, extras(judge, JudgeExtras).prices)
            say_next(end.again)
        raise typer.Exit(UNFINISHED)
    found = drift(path, certificate)
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
