"""The commands `score` and `compare`: of judges, by runs about pairs; of models, by runs about their pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from counterbench.cli import options
from counterbench.cli.printing import command, print_json, say_next
from counterbench.errors import InputError
from counterbench.runs.folder import about_pictures


def score(
    runs: list[Path] = typer.Argument(metavar="RUN…", help="One run folder or several, about pairs or about pictures."),
    scoring: str = typer.Option(
        "default",
        help="How it is counted. Pairs: default, strict (no synonyms) or as-released (the paper's code); pictures: "
        "`list protocols` has each protocol's ways.",
    ),
    threshold: float | None = typer.Option(
        None, help="Pictures, cf-eval's gate: L2 and L3 count where the group's S_L1 is at least this (0.5)."
    ),
    labels: Path | None = typer.Option(
        None, help="Pictures: people's labels of some of them, a CSV (default: those of `counterbench label`)."
    ),
    form: options.Format = options.Form.TABLE,
    as_json: options.AsJson = False,
    verbose: bool = typer.Option(False, "-v", "--verbose", help="Every measure and slice, and the reasons."),
) -> None:
    """Scores of judges, or of models by their pictures, with intervals.

    Pairs: accuracy, CCS, gap and stability, each share with its count and its 95 % Wilson interval. Pictures: by the
    runs' protocol, of cf-eval S_L1 to S_L3, PRR and RRR, of the others the mean; and the evidence that the judge sees.
    Example: counterbench score runs/smoke--pixels
    """
    form = options.Form.JSON if as_json else form
    if about_pictures(runs):
        _show_models(runs, scoring, threshold, labels, form, verbose)
        return
    for name, given in {"threshold": threshold, "labels": labels}.items():
        if given is not None:
            raise InputError(f"--{name} is of runs about pictures, and these are about pairs; leave it out")
    _show_judges(runs, scoring, form, verbose)


def _show_judges(runs: Sequence[Path], scoring: str, form: options.Form, verbose: bool) -> None:
    from counterbench.cli import tables
    from counterbench.cli.grid import show, show_csv
    from counterbench.results.flips import flips_of
    from counterbench.results.scores import score_runs, why_nothing

    documents = score_runs(runs, scoring)
    flips = {str(run): of_run for run in runs if (of_run := flips_of(run, scoring)) is not None}
    if form is options.Form.JSON:
        print_json({"runs": documents} | ({"flips": flips} if flips else {}))
        return
    if form is options.Form.CSV:
        show_csv(tables.score_rows(documents))
        return
    whole = form is not options.Form.TABLE  # names are shortened for terminals alone
    names = tables.judge_names(documents, whole)
    shown = [tables.ccs_table(documents, whole), tables.measures_table(documents, whole)] if len(documents) > 1 else []
    if verbose or len(documents) == 1:
        shown += [tables.detail_table(doc, name, verbose) for name, doc in zip(names, documents, strict=True)]
    shown += map(tables.flip_table, flips.values())
    lines = tables.legend(documents)
    for name, doc in zip(names, documents, strict=True):
        lines += tables.outcome_lines(name, doc)
        if doc.observed is not None:
            lines += tables.snapshot_lines(name, doc)
            lines += tables.observation_lines(name, doc.observed)
            lines += tables.cost_lines(name, doc.observed)
        if doc.soft is not None:
            lines.append(tables.soft_line(name, doc.soft))
        lines += [f"{name}: {line}" for line in tables.flip_lines(flips[doc.run])] if doc.run in flips else []
    why = why_nothing(documents[0].provenance.truth)
    lines += [f"{name}: every judge scores 0 here: {why}" for name in documents[0].suspect]
    provenances = [doc.provenance for doc in documents]
    lines += tables.judge_lines(names, provenances)
    lines += dict.fromkeys(map(tables.provenance_line, provenances))
    show(*shown, *lines, form=form)
    if form is options.Form.TABLE:
        say_next(command("diagnose", *runs))


def _show_models(
    runs: Sequence[Path],
    scoring: str,
    threshold: float | None,
    labels: Path | None,
    form: options.Form,
    verbose: bool,
) -> None:
    from counterbench.cli import t2i_tables as tables
    from counterbench.cli.grid import show, show_csv
    from counterbench.cli.t2i_ratings import ranking_of, ratings_page
    from counterbench.pictures import words
    from counterbench.pictures.labelling.scored import score_runs
    from counterbench.pictures.run_scores import as_json as plain_document
    from counterbench.pictures.scores.rules import DEFAULT

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
        say_next(command("score", *runs, *given, "-v"))


def compare(
    runs: list[Path] = typer.Argument(
        metavar="RUN RUN…", help="Two run folders or more: of judges on pairs; or of t2i judge, of several models."
    ),
    scoring: str = typer.Option("default", help="How it is counted, as `score` has it."),
    anyway: bool = typer.Option(
        False, "--anyway", help="Pairs: compare runs on different suites, templates or votes; marked."
    ),
    form: options.Format = options.Form.TABLE,
    as_json: options.AsJson = False,
    verbose: bool = typer.Option(False, "-v", "--verbose", help="Every two of them, with counts."),
) -> None:
    """Compare judges, or models: which is better, or chance?

    Differences with intervals, p, ranks, and what would part a tie. Judges: the cost of each for 1,000 pictures and the
    cells it is admitted to. Models: paired by group, p adjusted for all of them; two judges or protocols on the same
    pictures stand side by side, with how far they agree.
    Example: counterbench compare runs/smoke--pixels runs/smoke--planted-noisy
    """
    form = options.Form.JSON if as_json else form
    if about_pictures(runs):
        from counterbench.cli.t2i_compare import show_models

        if anyway:
            raise InputError("--anyway is of runs about pairs, and these are about pictures; leave it out")
        show_models(runs, scoring, form, verbose)
        return
    from counterbench.cli.compare import show_judges

    show_judges(runs, scoring, anyway, form, verbose)
