"""The command `t2i score`: scores of generators, from the runs of their judges."""

from __future__ import annotations

from pathlib import Path

import msgspec
import typer

from counterbench.cli import options
from counterbench.cli.printing import command, print_json, say_next


def score(
    runs: list[Path] = typer.Argument(metavar="RUN…", help="One run of t2i judge or several."),
    scoring: str = typer.Option("default", help="How it is counted; `list protocols` has each protocol's ways."),
    threshold: float | None = typer.Option(
        None, help="cf-eval's gate: L2 and L3 count where the group's S_L1 is at least this (0.5)."
    ),
    labels: Path | None = typer.Option(None, help="People's labels of some of the pictures, a CSV (of one run)."),
    form: options.Format = options.Form.TABLE,
    as_json: options.AsJson = False,
    verbose: bool = typer.Option(
        False,
        "-v",
        "--verbose",
        help="All numbers: beside planted models, by dimension, law and the like; the reasons.",
    ),
) -> None:
    """Scores of generators, with intervals.

    By their runs' protocol: of cf-eval S_L1 to S_L3, PRR and RRR; of checklist and r2i-score the mean, and where it is
    lowest; and the evidence that the judge sees. With -v, and in markdown and latex, all numbers.
    Example: counterbench t2i score runs/mine runs/another
    """
    from counterbench.cli import t2i_tables as tables
    from counterbench.cli.grid import show, show_csv
    from counterbench.t2i import run_scores as scores
    from counterbench.t2i import words
    from counterbench.t2i.judging.results import load_models
    from counterbench.t2i.scores.rules import DEFAULT

    form = options.Form.JSON if as_json else form
    judged = [of_model for run in runs for of_model in load_models(run)]
    documents = [scores.score(run, scoring, threshold) for run in judged]
    by_people = scores.labelled_all(judged, labels) if labels is not None else [{} for _ in judged]
    if form is options.Form.CSV:
        show_csv(tables.score_rows(documents))
        return
    if form is options.Form.JSON:
        plain = [scores.as_json(document) for document in documents]
        for entry in plain:
            entry["uncertified_because"] = entry["reasons"]
        for entry, of in zip(plain, by_people, strict=True):
            entry |= {"labelled": msgspec.to_builtins(of)} if labels is not None else {}
        print_json({"runs": plain})
        return
    every = words.distinct_documents(documents)
    if verbose or form is not options.Form.TABLE:
        page = list(tables.whole_page(every, by_people))
    else:
        page = list(tables.brief_page(every))
        page += [tables.truth_table(of, people) for of, people in zip(every, by_people, strict=True) if people]
    page += [
        f"{of.generator}, {level}: {why}"
        for of, people in zip(every, by_people, strict=True)
        for level, each in people.items()
        for why in each.warnings
    ]
    page += words.pictures_line(documents) if labels is None else []
    show(*page, form=form)
    if not verbose and form is options.Form.TABLE:
        given: list[object] = ["--scoring", scoring] if scoring != DEFAULT else []
        given += ["--threshold", threshold] if threshold is not None else []
        given += ["--labels", labels] if labels is not None else []
        say_next(command("t2i", "score", *runs, *given, "-v"))
