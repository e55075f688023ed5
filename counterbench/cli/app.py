"""Common to all commands beside printing: exit codes, and each error as one clear line on standard error."""

import functools
import os
import sys
import traceback
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, TypeVar

import typer
import typer.core

from counterbench.cli.printing import say_all
from counterbench.errors import CounterbenchError
from counterbench.files.addresses import address_of, fetched, written

F = TypeVar("F", bound=Callable[..., None])

# 0: done, or the check holds. The others:
CHECK_FAILED, BAD_INPUT, UNFINISHED, INTERRUPTED, READER_LEFT = 1, 2, 3, 130, 141

UNFORESEEN = "unexpected: an invalid input, or a bug of counterbench; counterbench --debug COMMAND … shows where"

_debug = False


def show_tracebacks(wanted: bool) -> None:
    """Have `guarded` print the traceback of an error before its one line (`--debug`)."""
    global _debug
    _debug = wanted


class CommandGroup(typer.core.TyperGroup):
    """A group of commands: its help lists them in sections (`rich_help_panel`), with descriptions that are not cut."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write a section of the help for each group of commands."""
        groups: dict[str, list[tuple[str, str]]] = {}
        wide = max(map(len, self.commands))
        for name, command in self.commands.items():
            group = getattr(command, "rich_help_panel", None)
            help_ = command.get_short_help_str(formatter.width - wide - 4)
            groups.setdefault(group if isinstance(group, str) else "Commands", []).append((f"{name:<{wide}}", help_))
        _write_sections(formatter, groups)


def commands(help_: str, **options: Any) -> typer.Typer:
    """A new Typer application without commands, for the whole program or one group; `help_`: its text of help."""
    return typer.Typer(
        no_args_is_help=True,
        cls=CommandGroup,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        help=help_,
        **options,
    )


# Options that name a path to write to, and options whose text may be a path to read (a `Path` always is one).
_WRITTEN = ("out", "plots")
_READ = ("source", "suite", "prompts", "for_", "target", "template", "policy")


class Command(typer.core.TyperCommand):
    """A command whose help lists its options in sections (`rich_help_panel`)."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write a section of the help for each group of options."""
        groups: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for param in self.get_params(ctx):
            if (record := param.get_help_record(ctx)) is not None:
                usual = "Arguments" if param.param_type_name == "argument" else "Options"
                groups.setdefault(getattr(param, "rich_help_panel", None) or usual, []).append(record)
        _write_sections(formatter, groups)


def _write_sections(formatter: Any, groups: Mapping[str, list[tuple[str, str]]]) -> None:
    """Write the rows of each group that has any, under the group's name, into a help text."""
    for group, rows in groups.items():
        if rows:
            with formatter.section(group):
                formatter.write_dl(rows)


def guarded(command: F, keeps: Collection[str] = ()) -> F:
    """The command with every error as one message and exit code 2, Ctrl-C as 130.

    Addresses that it reads are fetched first, except for the options named in `keeps`.
    """

    @functools.wraps(command)
    def run(*args: Any, **options: Any) -> None:
        """Run the command; print an error as lines on standard error, and exit with its code."""
        try:
            command(*args, **{name: v if name in keeps else _fetch_value(name, v) for name, v in options.items()})
        except typer.Exit:
            raise
        except KeyboardInterrupt as stop:
            resumes = "stopped; nothing is lost: run the same command again to resume"
            say_all(_notes(stop) or [resumes], err=True)
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:  # the reader of standard output has ended: no error of the command
            sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115  (for what Python flushes when it ends)
            raise typer.Exit(READER_LEFT) from None
        except Exception as error:
            shown = traceback.format_exc().split("\n") if _debug else []
            say_all([*shown, f"error: {_message(error)}", *_notes(error)], err=True)
            raise typer.Exit(BAD_INPUT) from None

    return run  # type: ignore[return-value]


def _fetch_value(name: str, value: Any) -> Any:
    """An option's value, with local copies in place of addresses to read; InputError for an address to write to."""
    if isinstance(value, list):
        return [_fetch_value(name, entry) for entry in value]
    is_path = isinstance(value, Path) or (isinstance(value, str) and name in (*_READ, *_WRITTEN))
    if not is_path or not address_of(value):
        return value
    return type(value)(written(value, name) if name in _WRITTEN else fetched(value))


def _message(error: Exception) -> str:
    """The message of an error: its own text for ours and the system's; with the kind of error for all others."""
    if isinstance(error, CounterbenchError):
        return str(error)
    if isinstance(error, OSError) and error.filename is not None:  # a name too long, a folder that is closed
        return f"{error.filename}: {error.strerror}"
    message = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return message if isinstance(error, OSError) else f"{message} ({UNFORESEEN})"


def _notes(error: BaseException) -> list[str]:
    """The notes that were added to an error."""
    return getattr(error, "__notes__", [])
