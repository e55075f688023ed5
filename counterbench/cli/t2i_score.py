"""The command `t2i score`: scores of generators, from the runs of their judges."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import typer

from counterbench.cli import options
from counterbench.cli.printing import command, print_json, say_next

if TYPE_CHECKING:
    from counterbench.cli.grid import Table


def score(
    runs: list[Path] = typer.Argument(metavar="RUN…", help="One run of t2i judge or several."),
    scoring: str = typer.Option("default", help="How it is counted; `list protocols` has each protocol's ways."),
    threshold: float | None = typer.Option(
        None, help="cf-eval's gate: L2 and L3 count where the group's S_L1 is at least this (0.5)."
    ),
    labels: Path | None = typer.Option(None, help="People's labels of some of the pictures, a CSV (of one run)."),
    fuse: str = typer.Option(
        "", metavar="all|majority|any", help="Also as one judge: what all say, most, or any, of runs on one folder."
    ),
    form: options.Format = options.Form.TABLE,
    as_json: options.AsJson = False,
    verbose: bool = typer.Option(
        False, "-v", "--verbose", help="By dimension, law and the like; the gate's thresholds; the reasons."
    ),
) -> None:
    """Scores of generators, with intervals.

    By their runs' protocol: of cf-eval S_L1 to S_L3, PRR and RRR, beside those of turkey, literal and starter, and the
    share of reversion; of checklist and r2i-score the mean, by dimension and category.
    Example: counterbench t2i score runs/mine runs/another
    """
    from counterbench.cli import t2i_lines as lines
    from counterbench.cli import t2i_slices as slices
    from counterbench.cli import t2i_tables as tables
    from counterbench.cli.grid import show, show_csv
    from counterbench.errors import InputError
    from counterbench.t2i import run_scores as scores
    from counterbench.t2i import words
    from counterbench.t2i.comparing.pairs import paired_differences
    from counterbench.t2i.fusion import fused
    from counterbench.t2i.judging.results import load_judged
    from counterbench.t2i.scores.rules import DEFAULT

    form = options.Form.JSON if as_json else form
    if labels is not None and len(runs) != 1:
        raise InputError("--labels are of the pictures of one run; name one")
    judged = [load_judged(run) for run in runs]
    documents = [scores.score(run, scoring, threshold) for run in judged]
    together = fused(judged, documents, fuse, scoring, threshold) if fuse else []
    bands = [scores.corrected(run) for run in judged]
    by_people = scores.labelled(judged[0], labels) if labels is not None else {}
    if form is options.Form.CSV:
        show_csv(tables.score_rows([*documents, *together]))
        return
    every = words.told_apart([*documents, *together], brief=form is not options.Form.JSON)
    named = every[: len(runs)]
    differences, not_compared = paired_differences(judged, named, scoring, threshold)
    if form is options.Form.JSON:
        plain = [scores.as_json(document) for document in documents]
        for entry, band in zip(plain, bands, strict=True):
            entry |= {"uncertified_because": entry["reasons"], "corrected": msgspec.to_builtins(band)}
        if labels is not None:
            plain[0]["labelled"] = msgspec.to_builtins(by_people)
        told = {"runs": plain, "differences": differences}
        print_json(told | ({"fused": [scores.as_json(document) for document in together]} if fuse else {}))
        return
    page: list[Table | str] = [*tables.headline_tables(every, verbose), *slices.across_tables(every, interval=verbose)]
    page += [] if verbose else slices.depth_tables(every)  # which has them with all their numbers
    page += tables.leaning_table(named)
    page += lines.legend_lines(every, differences, sliced=verbose)
    said = lines.notes_of_all(named, verbose)
    page += [f"all runs: {note}" for note in said]
    for document, band in zip(named, bands, strict=True):
        page += [lines.counts_line(document), *words.apart_lines(document), *words.rests_lines(document)]
        page += lines.note_lines(document, verbose, said)
        page += [tables.truth_table(document, by_people, band)] if band or by_people else []
        page += lines.label_lines(document.generator, by_people)
        page += [tables.bounds_table(document)] if words.has_losses(document) else []
        if verbose:
            page += slices.slice_tables(document, every)
    if verbose:
        page += [*tables.point_table(named), tables.lost_table(named)]
    page += lines.fused_lines(together)
    if differences:
        page.append(tables.differences_table(differences, tables.worst_stamp(named)))
    page += not_compared
    show(*page, *map(lines.signature_line, documents), form=form)
    if not verbose and form is options.Form.TABLE:
        given: list[object] = ["--scoring", scoring] if scoring != DEFAULT else []
        given += ["--threshold", threshold] if threshold is not None else []
        given += ["--labels", labels] if labels is not None else []
        given += ["--fuse", fuse] if fuse else []
        say_next(command("t2i", "score", *runs, *given, "-v"))
