"""What all commands share: exit codes, one clear message on standard error, progress, JSON, the `next:` line."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

import msgspec
import typer

from counterbench.errors import CounterbenchError, JudgeError

F = TypeVar("F", bound=Callable[..., None])

# Seconds in which nobody wonders what a command is at.
_MOMENT = 2.0
# 0: done, or the check holds. The others:
CHECK_FAILED, BAD_INPUT, UNFINISHED, INTERRUPTED, READER_LEFT = 1, 2, 3, 130, 141


@contextlib.contextmanager
def kept(done: str) -> Iterator[None]:
    """Say of work that a judge or generator ends for good that what was `done` ("answered", "drawn") is kept."""
    try:
        yield
    except JudgeError as error:
        again = f"what was {done} before is kept: the same command again goes on from there"
        raise JudgeError(f"{error}\n{again}") from None


class Report(Protocol):
    """Takes how much is done, of how much, and a note on what there is to wait for."""

    def __call__(self, done: int, total: int, note: str = "") -> None:
        """Show it."""
        ...


def guarded(command: F) -> F:
    """The command with our errors as one message and exit code 2, and Ctrl-C as 130."""

    @functools.wraps(command)
    def run(*args: Any, **options: Any) -> None:
        try:
            command(*args, **options)
        except CounterbenchError as error:
            typer.echo(f"error: {error}", err=True)
            raise typer.Exit(BAD_INPUT) from None
        except KeyboardInterrupt:
            typer.echo("stopped; nothing is lost: the same command again goes on from here", err=True)
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:  # whoever read standard output has left: nothing is wrong with what was checked
            sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115  (for what Python flushes when it ends)
            raise typer.Exit(READER_LEFT) from None

    return run  # type: ignore[return-value]


@contextlib.contextmanager
def progress(doing: str, quiet: bool = False) -> Iterator[Report]:
    """A callback (done, total): a bar on a terminal, a line at every quarter elsewhere, always on standard error."""
    if quiet:
        yield lambda done, total, note="": None
    elif sys.stderr.isatty():
        with _bar(doing) as report:
            yield report
    else:
        yield _lines(doing)


@contextlib.contextmanager
def _bar(doing: str) -> Iterator[Report]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    # Refreshed by hand: a refreshing thread would keep workers from being forked.
    with Progress(*columns, console=Console(stderr=True), auto_refresh=False) as bar:
        task = bar.add_task(doing, total=None)
        last = 0.0

        def report(done: int, total: int, note: str = "") -> None:
            nonlocal last
            now = time.monotonic()
            if now - last > 0.1 or done == total:
                last = now
                shown = f"{doing} ({note})" if note else doing
                bar.update(task, completed=done, total=total, description=shown, refresh=True)

        yield report


def looking(report: Report) -> Callable[[int, int], None]:
    """Shows how many stored pictures were looked at before the first question, if it takes more than a moment."""
    begun = time.monotonic()

    def checked(done: int, total: int) -> None:
        if time.monotonic() - begun > _MOMENT:
            report(done, total, "looking at the pictures first")

    return checked


def _lines(doing: str) -> Report:
    shown = -1
    before = 0

    def report(done: int, total: int, note: str = "") -> None:
        nonlocal shown, before
        shown = shown if done >= before else -1  # it begins again: something else is counted now
        before = done
        quarter = 4 * done // total if total else 4
        if quarter > shown:
            shown = quarter
            typer.echo(f"{doing}: {done}/{total}" + (f" ({note})" if note else ""), err=True)

    return report


def print_json(value: Any) -> None:
    """One JSON document on standard output."""
    typer.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def say_some(lines: Sequence[str], most: int, verbose: bool, err: bool = False) -> None:
    """The lines; without -v, only so many of them and the number of the others."""
    shown = lines if verbose else lines[:most]
    for line in shown:
        typer.echo(line, err=err)
    if len(shown) < len(lines):
        typer.echo(f"… and {len(lines) - len(shown)} more (-v prints all)", err=err)


def say_next(command: str) -> None:
    """The natural next command."""
    typer.echo(f"next: {command}")
