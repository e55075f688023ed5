"""The command line called in this process, as its tests call it."""

import json
from functools import cache
from typing import Any

import typer.testing
from typer.testing import CliRunner, Result

from counterbench.cli import app
from counterbench.cli.app import UNFORESEEN

# Typer builds every command anew for each call: a tenth of a second.
typer.testing._get_command = cache(typer.testing._get_command)  # type: ignore[attr-defined]


def call(*args: object, code: int | None = None) -> Result:
    """The result of a command, which must end with this `code` if one is given.

    What the command did not foresee is an error here, so that no test takes it for its message.
    """
    result = CliRunner().invoke(app, list(map(str, args)))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert UNFORESEEN not in result.output, result.output
    assert code in (None, result.exit_code), result.output
    return result


def done(*args: object, code: int = 0) -> str:
    """What a command prints that must end so: well, unless there is another code."""
    return call(*args, code=code).stdout


def document(*args: object, code: int = 0) -> Any:
    """The JSON that a command prints and nothing else, also not on standard error; it must end so."""
    result = call(*args, "--json", code=code)
    assert result.stderr == ""
    return json.loads(result.stdout)


def fails(*args: object, code: int = 2) -> str:
    """The one message of a command that must end so, with nothing on standard output."""
    result = call(*args, code=code)
    assert result.stdout == ""
    before, *messages = result.stderr.split("error: ")
    assert len(messages) == 1, result.stderr
    assert "Traceback" not in before
    return messages[0].strip()
