"""The command line called in this process, as its tests call it."""

from __future__ import annotations

from typer.testing import CliRunner, Result

from counterbench.cli import app


def call(*args: object) -> Result:
    """The result of a command; what it raises beside an exit is raised again, so that no test takes it for one."""
    result = CliRunner().invoke(app, list(map(str, args)))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result
