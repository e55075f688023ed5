"""The doctor: is this judge able to run, and to see at all?"""

from __future__ import annotations

import typer

from counterbench.cli import options
from counterbench.cli.app import CHECK_FAILED, UNFINISHED
from counterbench.cli.printing import command, print_json, progress, say, say_next

_SIGNS = {True: "ok", False: "FAILS", None: "not checked"}


def doctor(
    judge: str = typer.Option(help="openai:MODEL, transformers:PATH, a judge's TOML file, …"),
    suite: str = typer.Option("certify", help="The suite to estimate time and cost for."),
    base_url: options.BaseUrl = "",
    key_env: options.KeyEnv = "",
    concurrency: options.Concurrency = None,
    wording: options.Wording = "default",
    retries: options.Retries = 3,
    as_json: options.AsJson = False,
    verbose: bool = typer.Option(False, "-v", "--verbose", help="Print the judge's full name too."),
) -> None:
    """Ask a judge 24 questions before a long run: does it see at all?

    Does it answer, and alike alone and in company? Exits with 1 if a check does not hold, 3 if questions failed.
    Example: counterbench doctor --judge pixels
    """
    from counterbench.asking.asker import Limits
    from counterbench.asking.doctor import check_up
    from counterbench.judges import open_judge
    from counterbench.runs.pair_queries import keys
    from counterbench.runs.wordings import load_wording
    from counterbench.suites.sources import SuiteSource
    from counterbench.suites.suite import load_suite

    load_suite(suite)  # a wrong name is said before anything is asked
    chosen = open_judge(judge, lambda: keys(SuiteSource(load_suite("smoke"))), base_url=base_url, key_env=key_env)
    with progress("asking", quiet=as_json) as report:
        found = check_up(chosen, load_wording(wording), Limits(concurrency=concurrency, retries=retries), suite, report)
    if as_json:
        print_json(found)
    else:
        if verbose:
            say(f"judge {found.judge}")
        for finding in found.findings:
            say(f"{_SIGNS[finding.holds]:<12}{finding.name:<10}{finding.message}")
        if found.per_second is not None:
            say(f"speed: about {found.per_second:.1f} questions a second")
        if found.estimate is not None:
            e = found.estimate
            price = f", about {e.cost:.2f} USD" if e.cost else ""
            say(f"{e.suite}: {e.questions} questions, about {_duration(e.seconds)}{price}")
        if found.able:
            way = (("--base-url", base_url), ("--key-env", key_env), ("--wording", wording))
            given = [word for option, value in way if value and value != "default" for word in (option, value)]
            say_next(command("probe", suite, "--judge", judge, *given))
    if not found.able:
        raise typer.Exit(UNFINISHED if found.failed else CHECK_FAILED)


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
