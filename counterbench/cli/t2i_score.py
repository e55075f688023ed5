"""The command `t2i score`: scores of generators, from the runs of their judges."""

from __future__ import annotations

from pathlib import Path

import typer

from counterbench.cli import options
from counterbench.cli.printing import command, print_json, say_next


def score(
    runs: list[Path] = typer.Argument(metavar="RUN…", help="One run of t2i judge or several."),
    scoring: str = typer.Option("default", help="How it is counted; `list protocols` has each protocol's ways."),
    threshold: float | None = typer.Option(
        None, help="cf-eval's gate: L2 and L3 count where the group's S_L1 is at least this (0.5)."
    ),
    labels: Path | None = typer.Option(
        None, help="People's labels of some of the pictures, a CSV (default: those of `counterbench label`)."
    ),
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
    from counterbench.cli.t2i_ratings import ranking_of, ratings_page
    from counterbench.pictures import words
    from counterbench.pictures.labelling.scored import score_runs
    from counterbench.pictures.run_scores import as_json as plain_document
    from counterbench.pictures.scores.rules import DEFAULT

    form = options.Form.JSON if as_json else form
    scored = score_runs(runs, scoring, threshold, labels)
    documents = [document for of in scored for document in of.documents]
    if form is options.Form.CSV:
        show_csv(tables.score_rows(documents))
        return
    if form is options.Form.JSON:
        plain = [plain_document(document) for document in documents]
        for entry in plain:
            entry["uncertified_because"] = entry["reasons"]
        about = (of for of in scored for _ in of.documents)
        for entry, of in zip(plain, about, strict=True):
            entry |= {} if of.ratings is None else {"ranking": ranking_of(of.ratings)}
        ratings = {str(of.path): of.ratings for of in scored if of.ratings is not None}
        print_json({"runs": plain} | ({"ratings": ratings} if ratings else {}))
        return
    every = words.distinct_documents(documents, "short" if form is options.Form.TABLE else "whole")
    rated = [part for of in scored if of.ratings is not None for part in ratings_page(of.ratings, str(of.path))]
    page = list(tables.whole_page(every) if verbose or form is not options.Form.TABLE else tables.brief_page(every))
    by_people = iter(every)
    for of in scored:
        named = [next(by_people).generator for _ in of.documents]
        page += of.by_people.lines(named) if of.by_people is not None else []
        page += [of.raters.line] if of.raters is not None else []
    page = [*rated, *page]
    page += [*words.audit_lines({of.run: of.audit for of in documents}), *words.pictures_line(documents)]
    show(*page, form=form)
    if not verbose and form is options.Form.TABLE:
        given: list[object] = ["--scoring", scoring] if scoring != DEFAULT else []
        given += ["--threshold", threshold] if threshold is not None else []
        given += ["--labels", labels] if labels is not None else []
        say_next(command("t2i", "score", *runs, *given, "-v"))
