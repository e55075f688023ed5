"""Prints the scores of text-to-image models: as tables and lines for people, as CSV rows or as JSON.

In go the folders of runs, each with a judge's replies about models' pictures (`show_scores`, for the command `score`);
the functions below take the scores of each model as a `ModelDocument`. `brief_page` and `whole_page` yield the tables
and lines in the order in which they are printed.

Scores are fractions with two decimals. A *column* is the name of a number ("s_l1"); a document's *headline* names the
columns that are shown first. A *slice* is a part of the prompts: one law, one category. *Lost* answers did not come or
could not be read. `run_names.distinct_documents` has made the models' names (`generator`) different from each other.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from counterbench.cli.grid import Table, flat, number_cell, show_result
from counterbench.cli.options import OutputForm, command_words
from counterbench.cli.printing import command, say_next
from counterbench.cli.wide import models_in_rows
from counterbench.pictures.labelling.label_words import label_lines, people_heading
from counterbench.pictures.labelling.scored import Scored, score_runs
from counterbench.pictures.protocols.cf_eval.gate import THRESHOLD
from counterbench.pictures.run_scores import as_json
from counterbench.pictures.scores.document import ModelDocument, Numbers
from counterbench.pictures.scores.ratings import Ratings
from counterbench.pictures.scores.rules import DEFAULT
from counterbench.pictures.words import about_judges, about_numbers, about_ratings, run_names
from counterbench.results.measures import FRACTION, heading, notation_of
from counterbench.runs.usage import short_names
from counterbench.stats.intervals import Estimate
from counterbench.text import counted

# In a brief table with more headline columns than this, means are shown without their interval.
_MAX_WITH_INTERVALS = 3
_MEANS = ("factual", "counterfactual")
# The most rows of a table with a row for each part (each law, category, …) of the prompts.
_MAX_ROWS = 40
# The kinds of parts (slices) whose tables come first.
_FIRST_KINDS = ("law", "category", "dimension", "subcategory")
# The fields of a document that stand in every row of CSV.
_STATUS_FIELDS = ("verdict", "admitted", "certified", "complete", "covered")
# The rows that stand below a model's own row: the row's name, by the prefix of the columns that it shows.
_EXTRA_ROWS = {"ungated_": "ungated", "point_": "assessment point", "ungated_point_": "assessment point, ungated"}
# A row of a table: its first cells (texts), its numbers by column, its style ("", "dim" or "italic").
_ScoreRow = tuple[Sequence[str], Mapping[str, Estimate], str]


def show_scores(
    runs: Sequence[Path],
    scoring: str,
    threshold: float | None,
    labels: Path | None,
    form: OutputForm,
    verbose: bool,
    wide: bool = False,
) -> None:
    """Print the scores of the models in some runs, in the given form.

    `scoring`: the rule by which answers count; `threshold`: the gate of the protocol CF-Eval, if not its own; `labels`:
    a file of people's labels; `verbose`: every number; `wide`: the layout of papers.
    """
    scored = score_runs(runs, scoring, threshold, labels)
    brief = (form is OutputForm.TABLE or wide) and not verbose
    show_result(form, lambda: _as_json(scored), lambda: _csv_rows(scored), lambda: _page(scored, form, brief, wide))
    if brief and form is OutputForm.TABLE:
        rule = scoring if scoring != DEFAULT else None
        say_next(command("score", *runs, *command_words(scoring=rule, threshold=threshold, labels=labels), "-v"))


def _as_json(scored: Sequence[Scored]) -> dict[str, Any]:
    """The value to print as JSON: all documents, with the ranking and the ratings of runs by the protocol pairwise."""
    runs = []
    for run in scored:
        ranking = [
            {"generator": model.model, "rating": Estimate(model.rating, model.low, model.high), "rank": model.rank}
            for model in (run.ratings.models if run.ratings is not None else ())
        ]
        for entry in map(as_json, run.documents):
            runs.append(entry | {"uncertified_because": entry["reasons"]} | ({"ranking": ranking} if ranking else {}))
    ratings = {str(run.path): run.ratings for run in scored if run.ratings is not None}
    return {"runs": runs} | ({"ratings": ratings} if ratings else {})


def _csv_rows(scored: Sequence[Scored]) -> list[dict[str, Any]]:
    """The rows for CSV: those of `score_rows`, and one a model (its folder's name) with its rating by pairwise."""
    return score_rows([document for run in scored for document in run.documents]) + [
        {"run": str(run.path), "generator": model.model, "protocol": "pairwise", "part": "rating"}
        | {key: value for key, value in msgspec.to_builtins(model).items() if key != "model"}
        for run in scored
        for model in (run.ratings.models if run.ratings is not None else ())
    ]


def _page(scored: Sequence[Scored], form: OutputForm, brief: bool, wide: bool) -> Iterator[Table | str]:
    """The tables and lines of the scores, for people; `brief`: only the most important; `wide`: as in papers."""
    documents = [document for run in scored for document in run.documents]
    names: run_names.NameForm = "short" if form is OutputForm.TABLE else "whole"
    renamed, wide_names = run_names.distinct_documents(documents, names), names if wide else None
    for run in scored:
        if run.ratings is not None:
            yield from ratings_page(run.ratings, str(run.path))
    yield from brief_page(renamed, wide_names) if brief else whole_page(renamed, wide_names)
    titles = (document.generator for document in renamed)
    for run in scored:
        names_of_run = [next(titles) for _ in run.documents]
        yield from run.by_people.lines(names_of_run) if run.by_people is not None else ()
        yield from [run.raters.line] if run.raters is not None else ()
    yield from about_judges.audit_lines({document.run: document.audit for document in documents})
    yield from about_judges.pictures_line(documents)


def ratings_page(ratings: Ratings, run: str) -> Iterator[Table | str]:
    """The ranking of one run by the ratings of its models, and lines on its judge's answers."""
    by_number = any(model.mean_number is not None for model in ratings.models)
    numbers = ["rank", "rating [95 %]", "won", "equal", "lost", *(["mean number"] if by_number else [])]
    table = Table(f"Ratings (400 points: odds of 10 to 1; mean 1000): {run}", ["model"], numbers)
    for model in ratings.models:
        counts = [f"{n:g}" for n in (model.won, model.tied, model.lost)]
        counts += ["–" if model.mean_number is None else f"{model.mean_number:.3g}"] if by_number else []
        table.add_row(model.model, str(model.rank), about_ratings.rating(model), *counts)
    yield table
    yield from about_ratings.ratings_lines(ratings)


def brief_page(documents: Sequence[ModelDocument], wide: run_names.NameForm | None = None) -> Iterator[Table | str]:
    """The most important tables and lines: the verdict, a row for each model, notable things, and the evidence.

    `wide`: the form of judges' names in the layout of papers; None for the usual layout.
    """
    yield from about_judges.verdict_lines((document.generator, document) for document in documents)
    for alike in run_names.by_set(documents):
        labelled = any(document.by_people and document.by_people.columns for document in alike)
        by_people = [people_table(alike, whole=False)] if labelled else []
        people_lead = all(document.by_people is not None and document.by_people.headline for document in alike)
        main = [*_main_tables(alike, False, wide)]
        yield from [*by_people, *main] if people_lead else [*main, *by_people]  # the headline numbers come first
    yield from about_numbers.shared_lines(documents)
    yield from about_numbers.brief_legend(documents)
    yield from label_lines(documents)
    for document in documents:
        yield from (
            f"{document.generator}: {line}"
            for line in [*about_numbers.warnings(document), *about_numbers.leaning_lines(document)]
        )
        yield from about_numbers.notable(document)
    yield from about_judges.judge_lines(documents)


def whole_page(documents: Sequence[ModelDocument], wide: run_names.NameForm | None = None) -> Iterator[Table | str]:
    """All tables and lines: every number of every run, those of planted models, provenance and notes.

    A planted model draws with known faults, so its true numbers are known. `wide`: as for `brief_page`.
    """
    yield from about_judges.verdict_lines((document.generator, document) for document in documents)
    for alike in run_names.by_set(documents):
        yield from _main_tables(alike, True, wide)
        if any(document.by_people and document.by_people.columns for document in alike):
            yield people_table(alike, whole=True)
            yield from beside_people(alike)
        if any(document.secondary for document in alike):
            yield _headline(alike, whole=True, secondary=True)
    yield from about_numbers.shared_lines(documents, in_full=True)
    lost, shown = (
        run_names.columns_of_losses(documents),
        [part for document in documents for part in _numbers_of(document)],
    )
    if lost:
        yield f"{', '.join(lost)}: the number of items behind the scores, of all items"
    yield from [*about_numbers.legend(documents), *about_numbers.no_interval_lines(documents, shown)]
    sources = (
        about_numbers.no_change_lines,
        about_numbers.unit_count_lines,
        about_numbers.notes,
        about_numbers.leaning_lines,
    )
    notes = [[line for lines_of in sources for line in lines_of(document)] for document in documents]
    common = [note for note in notes[0] if len(notes) > 1 and all(note in lines for lines in notes)]
    yield from (f"all runs: {note}" for note in common)
    yield from label_lines(documents)
    for document, notes_of_run in zip(documents, notes, strict=True):
        yield from (f"{document.generator}: {note}" for note in notes_of_run if note not in common)
        if about_numbers.losses(document):
            yield bounds_table(document)
    for alike in run_names.by_set(documents):
        yield from slice_tables(alike) if wide is None else _wide_slices(alike, wide)
    yield lost_table(documents)
    yield from map(provenance_line, documents)
    yield from about_judges.judge_lines(documents, in_full=True)
    for document in documents:
        reasons = document.reasons if document.admitted else document.reasons[1:]
        yield from (f"{document.generator}: not certified: {reason}" for reason in reasons)


def _numbers_of(document: ModelDocument) -> list[Numbers]:
    """All numbers of a document: of the whole, and of each part."""
    return [document.columns, *(part for parts in document.slices.values() for part in parts.values())]


def _table(title: str, keys: Sequence[str], counts: Sequence[str], names: Sequence[str], rows: Sequence[_ScoreRow],
           intervals: Sequence[str] | None = None) -> Table:  # fmt: skip
    """A table of scores: a line for each of `rows`, with numbers in the columns `names`.

    The first columns have the headers `keys` (words) and `counts` (numbers of items). `intervals`: the names of the
    columns that show their intervals, by default all. Rows in italics are planted models.
    """
    shown, headers = names if intervals is None else intervals, [*counts]
    for name in names:
        has_interval = any(values[name].low is not None for _, values, _ in rows if name in values and name in shown)
        headers.append(heading(name) + (" [95 %]" if has_interval else ""))
    table = Table(title, keys, headers, keys=len(keys))
    for place, (cells, values, style) in enumerate(rows):
        if style == "italic" and rows[place - 1][-1] != style:  # planted models stand below a rule
            table.add_section()
        numbers = (number_cell(values.get(name), notation_of(name), interval=name in shown) for name in names)
        table.add_row(*cells, *numbers, style=style)
    return table


def _main_tables(
    documents: Sequence[ModelDocument], whole: bool, wide: run_names.NameForm | None
) -> Iterator[Table | str]:
    """The table with a row for each model of one prompt set, in the layout that `wide` says, and lines on it."""
    if wide is None:
        yield _headline(documents, whole)
    else:
        yield from models_in_rows(documents, _title(documents[0], whole), wide == "whole").page()


def _headline(documents: Sequence[ModelDocument], whole: bool, secondary: bool = False) -> Table:
    """The table of scores of models on one prompt set; of the models in one run the best comes first.

    `whole`: True for also ungated scores, planted models and every interval. `secondary`: True for a table of the
    further numbers, without the scores.
    """
    # The documents in their order, the names of the columns, and the rows.
    main, order = run_names.main_number(documents[0]), [doc.run for doc in documents]
    documents = sorted(documents, key=lambda doc: (order.index(doc.run), -(doc.columns[main].value or 0)))
    first = documents[0]
    loss_columns = (
        [] if secondary else run_names.columns_of_losses(documents)
    )  # each lost number "of" its whole: "2/120"
    names = list(dict.fromkeys(n for doc in documents for n in (doc.secondary if secondary else doc.headline)))
    blank = [""] * len(loss_columns)
    rows: list[_ScoreRow] = []
    for doc in documents:
        uses = run_names.uses(doc)
        rows.append(
            ([run_names.row_name(doc), *("{}/{}".format(*uses[name]) for name in loss_columns)], doc.columns, "")
        )
        # The scores over all checks, also over those that no drawn pair tests, where they differ.
        if not secondary and any(doc.by_word[name].value != doc.columns[name].value for name in names if doc.by_word):
            rows.append((["  by word, all checks", *blank], doc.by_word, "dim"))
        for prefix, name in _EXTRA_ROWS.items() if whole else ():
            extra = {n: doc.columns[f"{prefix}{n}"] for n in names if f"{prefix}{n}" in doc.columns}
            rows += [([f"  {name}", *blank], extra, "dim")] if extra else []
    # The rows of planted models, whose true numbers are known: each only once, though several runs may name it.
    references = {str(item): item for doc in documents for item in doc.references.items()} if whole else {}
    for name, line in references.values():
        true = {key: Estimate(value, None, None) for key, value in line.items() if key != "share_gated"}
        rows.append(([f"{name} (planted, true)", *blank], true, "italic"))
    # The title, and the columns that show their intervals.
    lacks_intervals = first.columns[names[0]].low is None and not whole
    title = _title(first, whole)
    if lacks_intervals:
        title += f": only {run_names.clusters(first)}, so no intervals"
    elif secondary:
        title += ", beside the scores"
    intervals = None if whole else [name for name in names if with_interval(name, first)]
    return _table(title, ["model"], loss_columns, names, rows, intervals)


def _title(document: ModelDocument, whole: bool) -> str:
    """The title of a table: protocol and prompts; scoring and gate where they are not the usual ones, or `whole`."""
    provenance = document.provenance
    title = f"{provenance.protocol} on {provenance.prompts}"
    title += f", {provenance.scoring} scoring" if whole or provenance.scoring != DEFAULT else ""
    is_shown = "share_gated" in document.columns and (whole or provenance.threshold != THRESHOLD)
    return title + (f", gate at S_L1 of {provenance.threshold:g}" if is_shown else "")


def with_interval(column: str, document: ModelDocument) -> bool:
    """True if a brief table shows the interval of this column; with many headline columns it shows none of means."""
    mean = column.startswith("s_") or column in _MEANS
    return len(document.headline) <= _MAX_WITH_INTERVALS or not mean


def bounds_table(document: ModelDocument) -> Table:
    """A table of the bounds of the scores: if all lost answers were wrong, were left out, or were right."""
    ends, gated = ("worst", "dropped", "best"), any(name.startswith("ungated_") for name in document.bounds)
    title = f"{document.generator}: lowest and highest possible scores, given the lost answers"
    table = Table(title, [""], [*ends, *(f"{end}, ungated" for end in ends if gated)])
    for name, bounds in document.bounds.items():
        if not name.startswith("ungated_"):
            pair = [bounds, document.bounds[f"ungated_{name}"]] if gated else [bounds]
            table.add_row(heading(name), *(FRACTION.plain(getattr(bound, end)) for bound in pair for end in ends))
    return table


def lost_table(documents: Sequence[ModelDocument]) -> Table:
    """A table of the numbers of pictures and replies, by outcome, at every level."""
    first = next(iter(documents[0].counts.values()))
    replies = [name if name == "answer" else f"judge {name}" for name in first.outcomes]
    numbers = ["groups scored", "pictures scored", *first.statuses, *replies]
    table = Table("Pictures, and the judge's replies to their checks", ["model", "level"], numbers, keys=2)
    for document in documents:
        for place, (level, tally) in enumerate(document.counts.items()):
            scored = (f"{tally.groups_scored}/{tally.groups}", f"{tally.pictures_scored}/{tally.pictures}")
            counts = (*tally.statuses.values(), *tally.outcomes.values())
            table.add_row(run_names.row_name(document) if place == 0 else "", level, *scored, *map(str, counts))
    return table


def people_table(documents: Sequence[ModelDocument], whole: bool) -> Table:
    """A table of the numbers that people's labels give, the judge's own, and the share of units with labels."""
    headers = ["model", ""], ["by people", "judge alone", "units labelled"]
    table = Table("By people's labels [95 %, at any time]", *headers, keys=2)
    for document in documents:
        columns = {} if document.by_people is None else document.by_people.columns
        shown = [name for name in document.headline if name in columns]
        shown += [name for name in columns if name not in shown] if whole else []
        for place, name in enumerate(shown):
            value, model = columns[name], run_names.row_name(document) if place == 0 else ""
            numbers = (number_cell(value), FRACTION.plain(value.judged), f"{value.labelled}/{value.of}")
            table.add_row(model, people_heading(name), *numbers)
    return table


def beside_people(documents: Sequence[ModelDocument]) -> Iterator[Table]:
    """A table for each model with people's labels: by skill, the share of people's answers that the judge gives too."""
    for document in (document for document in documents if document.evidence.labelled):
        headers = ["skill"], ["right where yes", "right where no", "yes + no", "drawn CCS"], [""]
        table = Table(f"{document.generator}: judge beside people [95 %, at any time]", *headers)
        for skill, labelled in document.evidence.labelled.items():
            drawn = document.evidence.drawn[skill].ccs if skill in document.evidence.drawn else None
            state = "certified" if labelled.admitted else "wrong" if labelled.refuted else ""
            shares = (number_cell(labelled.sensitivity), number_cell(labelled.specificity))
            table.add_row(skill, *shares, f"{labelled.yes} + {labelled.no}", number_cell(drawn, interval=False), state)
        yield table


def slice_tables(documents: Sequence[ModelDocument]) -> Iterator[Table | str]:
    """A table for each kind of slice (discipline, law, category, …) with its numbers; a line if rows are left out."""
    provenance, several = documents[0].provenance, len(documents) > 1
    for kind in run_names.kinds_of_parts(documents, _FIRST_KINDS):
        units = {name: count for doc in documents for name, count in doc.slice_units.get(kind, {}).items()}
        parts = sorted(units, key=lambda name: -units[name])[:_MAX_ROWS] if len(units) > _MAX_ROWS else list(units)
        rows = [([name, *([doc.generator] if several else []), str(doc.slice_units[kind][name])],
                 doc.slices[kind][name], "")
                for name in parts for doc in documents if name in doc.slices.get(kind, {})]  # fmt: skip
        columns = list(dict.fromkeys(column for _, numbers, _ in rows for column in numbers))
        headline_here = [name for name in documents[0].headline if name in columns]
        names = headline_here or [name for name in columns if name.startswith("ungated_s_")]
        title = f"{provenance.protocol} on {provenance.prompts} by {kind}{'' if headline_here else ', ungated'}"
        intervals = [name for name in names if with_interval(name, documents[0])]
        yield _table(title, [kind, "model"] if several else [kind], ["units"], names, rows, intervals)
        if cut := len(units) - len(parts):
            yield f"… and {cut} more: --format csv has all"


def _wide_slices(documents: Sequence[ModelDocument], names: run_names.NameForm) -> Iterator[Table]:
    """A table for each kind of slice with a row for each model; `names`: the form of judges' names."""
    for kind in run_names.kinds_of_parts(documents, _FIRST_KINDS):
        number = heading(run_names.main_number(documents[0]))
        title = f"{_title(documents[0], whole=True)}: {number} by {kind}"
        yield models_in_rows(documents, title, names == "whole", kind).table()


def score_rows(documents: Sequence[ModelDocument]) -> list[dict[str, Any]]:
    """The rows for CSV: by column, every number of a run as a fraction; one row for the whole and one a slice."""
    rows = []
    for document, judge in zip(documents, short_names([d.provenance for d in documents], full=True), strict=True):
        provenance = document.provenance
        named = provenance.generator_name or document.generator
        run: dict[str, Any] = {"run": document.run, "generator": named, "asked_as": document.generator, "judge": judge}
        run |= {name: getattr(provenance, name) for name in ("prompts", "protocol", "scoring")}
        run |= {name: getattr(document, name) for name in _STATUS_FIELDS}
        run |= {"not_tested": sum(document.not_tested.values())}
        run |= {"not_shared": " ".join(document.not_shared.lacking) if document.not_shared is not None else ""}
        run |= flat({"domain": msgspec.to_builtins(document.domain)}) if document.domain is not None else {}
        parts = [("overall", "", document.groups, document.columns)] + [
            (kind, name, document.slice_units[kind][name], part)
            for kind, by_name in document.slices.items()
            for name, part in by_name.items()
        ]
        rows += [
            run | {"part": kind, "name": name, "units": units} | flat(msgspec.to_builtins(numbers))
            for kind, name, units, numbers in parts
        ]
    return rows


def provenance_line(document: ModelDocument) -> str:
    """A line with the settings and digests behind a run's numbers: prompts, generator, judge, certificate, …"""
    s = document.provenance
    certificate = f"certificate {s.certificate} ({s.policy})" if s.certificate else "no certificate"
    shown = " · prompt shown" if s.prompt_shown else ""
    return (
        f"prompts {s.prompts} {s.prompts_digest} · generator {s.generator} · {counted(s.samples, 'sample')} · "
        f"seed {s.generator_seed} · judge {s.judge} · "
        f"template {s.template} {s.template_digest[:8]}{shown} · parser {s.parser} · {certificate} · {s.protocol}, "
        f"{s.scoring} scoring · counterbench {s.version}"
    )
