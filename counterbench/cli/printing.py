"""The one way to print: every line, note, error, `next:` command and document goes through here, made visible.

Printed text may contain text of others (a server's model name, a folder's name, an id of a data set): none of it
reaches the terminal as a control, and none of it can begin a line of its own. Tables are in `grid`.
"""

import contextlib
import functools
import json
import os
import re
import shutil
import sys
import textwrap
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

import msgspec
import typer

from counterbench import bars
from counterbench.bars import Report
from counterbench.files.addresses import masked
from counterbench.text import duration, quoted, visible, visible_json

_SOON = 10.0  # seconds; less is not worth a forecast
_KEPT = "\0"  # stands for a space at which no line breaks; `visible` leaves none


def say(text: object, err: bool = False, whole: bool = False, ours: bool = False) -> None:
    """Print one line, on standard output or standard error; on a terminal, or by COLUMNS, it breaks between words.

    A command stays whole, since it may be copied; so does an error, a next step, and a line of a file's format
    (`whole`). An address that we serve (`ours`) is shown with its token, which opens it.
    """
    line = visible(str(text) if ours else masked(str(text)))
    stream = sys.stderr if err else sys.stdout
    program = re.escape(_program())
    whole = whole or line.startswith(("error: ", "next: "))
    if (wide := columns_of(stream)) is not None and not whole:
        indent = " " * (len(line) - len(line.lstrip()) + 2)
        commands = rf"`{program} [^`]*`|\({program} [^()]*\)|{program} [a-z].*"
        unbroken = re.sub(commands, lambda match: match[0].replace(" ", _KEPT), line)
        line = textwrap.fill(
            unbroken, wide, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
        ).replace(_KEPT, " ")
    if err and bars.standing:
        bars.standing[-1].console.print(line, markup=False, highlight=False, emoji=False, soft_wrap=True)
    else:
        typer.echo(line, err=err)


def columns_of(stream: TextIO) -> int | None:
    """The number of columns of a terminal; elsewhere (a pipe, a file) the number that COLUMNS names, else None."""
    named = os.environ.get("COLUMNS", "").isdecimal()
    return shutil.get_terminal_size().columns if named or stream.isatty() else None


def say_all(lines: Iterable[object], err: bool = False) -> None:
    """Print each of these lines, as `say` does."""
    for line in lines:
        say(line, err)


def say_some(
    lines: Sequence[str], most: int, verbose: bool = False, err: bool = False, all_are: str = "-v prints all"
) -> None:
    """Print lines; if not `verbose`, the first `most` and the number of others, with the place of all (`all_are`)."""
    shown = lines if verbose else lines[:most]
    say_all(shown, err)
    if len(shown) < len(lines):
        say(f"… and {len(lines) - len(shown)} more ({all_are})", err)


def say_next(step: str) -> None:
    """Print the next step: a command made by `command`, or words; nothing if `step` is empty."""
    if step:
        say(f"next: {step}")


def command(*words: object) -> str:
    """A command of counterbench that can be copied into a shell, with any words; empty ones are left out."""
    safe_words = (f"./{word}" if isinstance(word, Path) and str(word).startswith("-") else word for word in words)
    return " ".join([_program(), *(quoted(word) for word in safe_words if str(word))])


@functools.cache
def _program() -> str:
    """The command to type for counterbench; `python -m counterbench` where a shell would not find its name."""
    called, python = Path(sys.argv[0]), Path(sys.executable)
    module = called.parts[-2:] == ("counterbench", "__main__.py")
    if module or (called.name == "counterbench" and called.is_file() and not _is_on_path(called)):
        return f"{quoted(python.name if _is_on_path(python) else python)} -m counterbench"
    return "counterbench"


def _is_on_path(program: Path) -> bool:
    """True if a shell finds this program by its name."""
    found = shutil.which(program.name)
    return found is not None and Path(found).absolute() == program.absolute()


def print_json(value: Any) -> None:
    """Print one JSON document on standard output."""
    try:
        document = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    except UnicodeEncodeError:  # half a surrogate pair, as in the name of a file that is no UTF-8
        document = json.dumps(msgspec.to_builtins(value), ensure_ascii=False, indent=2)
    typer.echo(visible_json(masked(document)))


@contextlib.contextmanager
def progress(doing: str, quiet: bool = False, brief: bool = False) -> Iterator[Report]:
    """A callback (done, total): a bar on a terminal, a line at every quarter elsewhere, always on standard error.

    `brief`: the bar goes when it is done, and elsewhere there are no lines: the caller prints the result.
    """
    if quiet or (brief and not sys.stderr.isatty()):
        yield lambda done, total, note="": None
    elif sys.stderr.isatty():
        with bars.bar(doing, transient=brief) as report:
            yield report
    else:
        yield _line_at_each_quarter(doing)


def _line_at_each_quarter(doing: str) -> Report:
    """A callback (done, total) that prints a line on standard error at every quarter."""
    last_quarter = -1
    last_done = 0
    began, first = time.monotonic(), 0

    def report(done: int, total: int, note: str = "") -> None:
        """Print a line if a further quarter is done."""
        nonlocal last_quarter, last_done, began, first
        if last_quarter < 0 or done < last_done:  # it begins again: something else is counted now
            last_quarter, began, first = -1, time.monotonic(), done
        last_done = done
        left = (time.monotonic() - began) / max(done - first, 1) * (total - done)
        if done > first and left >= _SOON:
            note = f"{note}, {duration(left)} left" if note else f"{duration(left)} left"
        quarter = 4 * done // total if total else 4
        if quarter > last_quarter:
            last_quarter = quarter
            say(f"{doing}: {done}/{total}" + (f" ({note})" if note else ""), err=True)

    return report
