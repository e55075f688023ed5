"""The command `doctor`: checks that a judge can be asked and sees pictures."""

from __future__ import annotations

import typer

from counterbench.cli import options
from counterbench.cli.app import CHECK_FAILED, UNFINISHED
from counterbench.cli.printing import command, print_json, progress, say, say_next
from counterbench.cli.work import forecast_words
from counterbench.text import visible

_SIGNS = {True: "ok", False: "FAILS", None: "not checked"}


def doctor(
    judge: str = typer.Option(help="openai:MODEL, transformers:PATH, python:MODULE:NAME, a judge's TOML file, …"),
    template: str = typer.Option("default", help="How the judge is asked: a shipped template's name, or a file."),
    base_url: options.BaseUrl = "",
    as_json: options.AsJson = False,
) -> None:
    """Ask a judge 24 questions before a long run: does it see at all?

    Does it answer, and alike alone and in company? Exits with 1 if a check does not hold, 3 if questions failed.
    Example: counterbench doctor --judge pixels
    """
    from counterbench.asking.doctor import check_up
    from counterbench.certificate.policies import load_policy
    from counterbench.cli.grid import show_list
    from counterbench.runs.queries import load_template

    with progress("asking", quiet=as_json) as report:
        checkup = check_up(
            judge, load_template(template), on_progress=report, most_unread=load_policy().outcomes.unparsed,
            base_url=base_url,
        )  # fmt: skip
    if as_json:
        print_json(checkup)
    else:
        show_list({f"{_SIGNS[each.holds]:<12}{each.name}": visible(each.message) for each in checkup.findings})
        if checkup.figures.replies:
            say(f"a run would take: {forecast_words(checkup.expected, checkup.prices)}")
            if checkup.unpriced and checkup.figures.cost is None:
                say(f"what {checkup.unpriced} costs is not known; give price_in and price_out after the judge's name")
        if checkup.able:
            given = options.given(base_url=base_url, template=template)
            say_next(command("probe", "certify", "--judge", judge, *given))
    if not checkup.able:
        raise typer.Exit(UNFINISHED if checkup.failed else CHECK_FAILED)
