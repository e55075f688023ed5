"""The command line: thin. Each command parses, calls and prints; tables are here, numbers are not.

One file for a command or group of commands, `*_tables` for their tables, `options` for their common options, `app` for
errors and exit codes, `work` for the lines that long work prints. Only `printing` (lines, progress, JSON) and `grid`
(tables) print.
"""

import io
import sys
import warnings
from collections.abc import Callable
from typing import cast

import typer

from counterbench.cli import (
    cards,
    certify,
    demo,
    diagnose,
    evaluate,
    exchange,
    judge,
    label,
    listing,
    machines,
    pairs,
    score,
    swap,
    t2i,
    validate,
)
from counterbench.cli.app import INTERRUPTED, Command, commands, guarded, show_tracebacks
from counterbench.cli.printing import command, say

app = commands(
    "Tests a vision-language judge on counterfactual picture pairs with exact truth.",
    name="counterbench",
    add_completion=False,
)
# The ways in first, then the rest by task.
COMMANDS: dict[str, dict[str, Callable[..., None]]] = {
    "Start": {
        "doctor": judge.doctor,
        "evaluate": evaluate.evaluate,
        "validate": validate.validate,
        "compare": score.compare,
        "report": judge.report,
        "label": label.label,
        "demo": demo.demo,
    },
    "Test a judge": {
        "probe": judge.probe,
        "score": score.score,
        "diagnose": diagnose.diagnose,
        "certify": certify.certify,
    },
    "A judge that changes": {"swap": swap.swap, "watch": swap.watch},
    "Publish what a judge sees": {"card": cards.card, "site": cards.site},
    "Score text-to-image models": {"align": score.align},
    "Draw pairs": {
        "list": listing.list_,
        "generate": pairs.generate,
        "verify": pairs.verify,
        "gallery": pairs.gallery,
        "import": exchange.import_,
        "export": exchange.export,
    },
    "Many machines": {"merge": machines.merge},
}
for _panel, _commands in COMMANDS.items():
    for _name, _command in _commands.items():
        _kept = ("out",) if _command is exchange.export else ()  # an address there is not fetched
        app.command(_name, cls=Command, rich_help_panel=_panel)(guarded(_command, _kept))
app.add_typer(machines.app, name="ray", rich_help_panel="Many machines")
app.add_typer(t2i.app, name="t2i", rich_help_panel="Score text-to-image models")
for _info in (*machines.app.registered_commands, *t2i.app.registered_commands):
    _info.cls = Command


@app.callback(invoke_without_command=True)
def top(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", help="Print the version and exit."),
    debug: bool = typer.Option(False, "--debug", help="Before the command: show the traceback of an error."),
) -> None:
    """Tests a vision-language judge on counterfactual picture pairs with exact truth."""
    show_tracebacks(debug)
    if version:
        from counterbench._version import __version__

        say(f"counterbench {__version__}")
        raise typer.Exit


# Typer brings a click of its own and exports only this child of what it raises for a wrong usage.
_UsageError = cast(type[typer.BadParameter], typer.BadParameter.__mro__[1])


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that cannot show a character gets a question mark
    warnings.showwarning = lambda message, *_, **__: say(f"warning: {message}", err=True)
    try:
        code = app(prog_name=command(), standalone_mode=False)
    except _UsageError as error:
        code = error.exit_code
        if type(error).__name__ == "NoArgsIsHelpError":  # whose message is our help
            error.show()
        else:
            say(f"error: {error.format_message()}", err=True)
            say(f"help: {error.ctx.command_path if error.ctx else command()} --help", err=True)
    except typer.Abort:
        code = INTERRUPTED
    sys.exit(code or 0)
