"""The command line: thin. Each command parses, calls and prints; tables are here, numbers are not.

One file a command or group of commands, `*_tables` for what they print, `options` for what they share, `app` for
errors, progress and exit codes.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable

import typer

from counterbench.cli import certify, compare, data, demo, diagnose, doctor, judge, pairs, report, t2i
from counterbench.cli.app import guarded

app = typer.Typer(
    name="counterbench",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Tests a vision-language judge on counterfactual picture pairs with exact truth.",
)
COMMANDS: dict[str, Callable[..., None]] = {
    "demo": demo.demo,
    "list": data.list_,
    "generate": pairs.generate,
    "verify": pairs.verify,
    "gallery": pairs.gallery,
    "probe": judge.probe,
    "score": judge.score,
    "compare": compare.compare,
    "diagnose": diagnose.diagnose,
    "certify": certify.certify,
    "doctor": doctor.doctor,
    "import": data.import_,
    "report": report.report,
}
for _name, _command in COMMANDS.items():
    app.command(_name)(guarded(_command))
app.add_typer(t2i.app, name="t2i")


@app.callback(invoke_without_command=True)
def top(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", help="Print the version and leave."),
) -> None:
    """Tests a vision-language judge on counterfactual picture pairs with exact truth."""
    if version:
        from counterbench._version import __version__

        typer.echo(f"counterbench {__version__}")
        raise typer.Exit


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that cannot show a sign gets a question mark
    app()
