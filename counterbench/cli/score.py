"""The commands `score`, `compare` and `align`: judges by runs about pairs, models by runs about their pictures."""

from __future__ import annotations

from pathlib import Path

import typer

from counterbench.cli import options
from counterbench.errors import InputError


def score(
    runs: list[Path] = typer.Argument(metavar="RUN…", help="One run folder or several, about pairs or about pictures."),
    scoring: str = typer.Option(
        "default",
        help="The scoring rule. Pairs: default, strict (no synonyms) or as-released (the paper's code); pictures: "
        "see `list protocols`.",
    ),
    threshold: float | None = typer.Option(
        None, help="Pictures, cf-eval's gate: L2 and L3 count where the group's S_L1 is at least this (0.5)."
    ),
    labels: Path | None = typer.Option(
        None, help="Pictures: human labels of some of them, a CSV (default: those of `counterbench label`)."
    ),
    layout: options.Layout = typer.Option(
        options.Layout.DEFAULT.value, help="wide: a row a model (or judge) as in papers; best bold, second underlined."
    ),
    form: options.FormatOption = options.OutputForm.TABLE,
    as_json: options.AsJson = False,
    verbose: bool = typer.Option(False, "-v", "--verbose", help="Every measure and slice, and the reasons."),
) -> None:
    """Scores of judges, or of models by their pictures, with intervals.

    Pairs: accuracy, CCS, gap and stability, each share with its count and its 95 % Wilson interval. Pictures: by the
    runs' protocol, of cf-eval S_L1 to S_L3, PRR and RRR, of the others the mean; and the evidence that the judge sees.
    Example: counterbench score runs/smoke--pixels
    """
    form, wide = options.OutputForm.JSON if as_json else form, layout is options.Layout.WIDE
    if wide and form in (options.OutputForm.JSON, options.OutputForm.CSV):
        raise InputError(f"--layout wide is of tables, and {form} has every number of every run: leave it out")
    from counterbench.runs.folder import about_pictures

    if about_pictures(runs):
        from counterbench.cli.model_tables import show_scores as show_models

        show_models(runs, scoring, threshold, labels, form, verbose, wide)
        return
    for name, given in {"threshold": threshold, "labels": labels}.items():
        if given is not None:
            raise InputError(f"--{name} is for runs about pictures, and these are about pairs; leave it out")
    from counterbench.cli.tables import show_scores as show_judges

    show_judges(runs, scoring, form, verbose, wide)


def compare(
    runs: list[Path] = typer.Argument(
        metavar="RUN RUN…", help="Two run folders or more: of judges on pairs; or of t2i judge, of several models."
    ),
    scoring: str = typer.Option("default", help="The scoring rule, as for `score`."),
    anyway: bool = typer.Option(
        False, "--anyway", help="Pairs: compare also across suites, templates or repeats; the tables are marked."
    ),
    form: options.FormatOption = options.OutputForm.TABLE,
    as_json: options.AsJson = False,
    verbose: bool = typer.Option(False, "-v", "--verbose", help="Every two runs, with counts."),
) -> None:
    """Compare judges, or models: is a difference more than chance?

    Prints differences with intervals, p, ranks, and the sample size that would decide a tie. Judges: the cost of each
    for 1,000 pictures and the cells it is admitted to. Models: paired by group, p adjusted for all tests; two judges or
    protocols on the same pictures also with their agreement.
    Example: counterbench compare runs/smoke--pixels runs/smoke--planted-noisy
    """
    form = options.OutputForm.JSON if as_json else form
    from counterbench.runs.folder import about_pictures

    if about_pictures(runs):
        from counterbench.cli.compare_models import show_models

        if anyway:
            raise InputError("--anyway is for runs about pairs, and these are about pictures; leave it out")
        show_models(runs, scoring, form, verbose)
        return
    from counterbench.cli.compare import show_judges

    show_judges(runs, scoring, anyway, form, verbose)


def align(
    labels: Path = typer.Argument(
        metavar="LABELS.csv",
        help="Human labels (sample, check, label), ratings (id or sample, rating) or preferences (id, first, "
        "second, better; between models or judges); rater, model.",
    ),
    runs: list[Path] = typer.Argument(metavar="RUN…", help="Runs of t2i judge about the pictures that are labelled."),
    columns: options.ColumnsOption = "",
    metrics: Path | None = typer.Option(
        None, help="Other numbers of the pictures, to stand beside the judges: id or sample, model, metric, value."
    ),
    form: options.FormatOption = options.OutputForm.TABLE,
    as_json: options.AsJson = False,
) -> None:
    """Measure how well judges agree with people about pictures.

    Checks: sensitivity, specificity, F1 and kappa, also by dimension. Pictures and models: agreement with people's
    order, and by threshold. Raters, and two judges on the same pictures: agreement with each other.
    Example: counterbench align labels.csv runs/mine runs/other-judge
    """
    from counterbench.cli.align_tables import show_alignment

    show_alignment(labels, runs, columns, metrics, options.OutputForm.JSON if as_json else form)
