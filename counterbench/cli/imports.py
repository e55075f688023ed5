"""Import: what others made, read into folders and runs of our own, with what is odd about it listed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from counterbench.cli.options import AsJson
from counterbench.cli.printing import YOURS, command, print_json, progress, say, say_next
from counterbench.errors import InputError
from counterbench.text import counted

if TYPE_CHECKING:
    from counterbench.interop.oddities import Oddity


def import_(
    format_: str = typer.Argument(metavar="FORMAT", help="pairs, replies, or counterbench (the original release)."),
    path: Path = typer.Argument(help="A CSV or JSONL file of pairs or replies; of a release its folder."),
    out: Path = typer.Option(help="The folder or run to write."),
    pairs: Path | None = typer.Option(None, metavar="DIR", help="replies: the folder of the pairs replied to."),
    judge: str = typer.Option("", metavar="NAME", help="replies: what to call the judge that replied."),
    as_json: AsJson = False,
    verbose: bool = typer.Option(False, "-v", "--verbose", help="Name every odd item."),
) -> None:
    """Read pairs or replies that were made elsewhere.

    They become a folder or run of our own, with what is odd about them listed.
    Example: counterbench import pairs data/pairs.csv --out mine
    """
    if format_ == "replies":
        _import_replies(path, pairs, judge, out, as_json, verbose)
        return
    if pairs is not None or judge:
        raise InputError(f"--pairs and --judge are for replies, not for {format_!r}")
    from counterbench.interop import importer

    read = importer(format_)
    with progress("importing", quiet=as_json) as report:
        found = read(path, out, report)
    info = found.info
    if as_json:
        print_json({"out": str(out), "info": info, "runs": list(map(str, found.runs)), "oddities": found.oddities})
        return
    runs = f", truth as published, {counted(len(found.runs), 'run')}" if found.runs else ", truth as given there"
    say(f"{out}: {counted(info.pairs, 'pair')} of {info.source}{runs}")
    _say_oddities(found.oddities, verbose)
    if found.runs:
        say_next(f"{command('score', out / 'runs')}/* --scoring strict")
    else:
        named = str(out) if "/" in str(out) else f"./{out}"  # a bare name could be a suite's
        say_next(command("probe", named, "--judge", YOURS))


def _import_replies(path: Path, pairs: Path | None, judge: str, out: Path, as_json: bool, verbose: bool) -> None:
    from counterbench.interop.replies import import_replies

    if pairs is None or not judge:
        raise InputError("import replies: --pairs names the folder of the pairs and --judge who replied; give both")
    with progress("importing", quiet=as_json) as report:
        found = import_replies(path, pairs, judge, out, report)
    if as_json:
        print_json({"run": str(out), "info": found.info, "replies": found.replies, "oddities": found.oddities})
        return
    replies = counted(found.replies, "reply", "replies")
    say(f"{out}: {replies} of {judge} to {counted(found.info.queries, 'question')} about {found.info.suite}")
    _say_oddities(found.oddities, verbose)
    say_next(command("score", out))


def _say_oddities(oddities: Sequence[Oddity], verbose: bool) -> None:
    for oddity in oddities:
        say(f"odd: {oddity.line(None) if verbose else oddity.line()}")
