"""Scores of text-to-image models as tables and lines for people, of any protocol: fractions with two decimals.

Every run is called as its document's generator: `words.distinct_documents` gives no two the same name.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from counterbench.cli.grid import Table, flat, number_cell, show_result
from counterbench.cli.options import Form
from counterbench.cli.printing import command, say_next
from counterbench.pictures import words
from counterbench.pictures.labelling.scored import Scored, score_runs
from counterbench.pictures.labelling.words import label_lines, people_heading
from counterbench.pictures.protocols.cf_eval.gate import THRESHOLD
from counterbench.pictures.run_scores import as_json
from counterbench.pictures.scores.document import Document, Numbers
from counterbench.pictures.scores.ratings import Ratings
from counterbench.pictures.scores.rules import DEFAULT
from counterbench.results.measures import FRACTION, heading, notation_of
from counterbench.runs.usage import short_names
from counterbench.stats.intervals import Estimate
from counterbench.text import counted

# Of more headline columns than these, means stand without their interval in a brief table.
_FEW = 3
_MEANS = ("factual", "counterfactual")
# Most rows of a table with a row for each part.
_MOST = 40
# The kinds of parts that come first.
_FIRST = ("law", "category", "dimension", "subcategory")
# The fields of a document that stand in every row of CSV.
_STATUS = ("verdict", "admitted", "certified", "complete", "covered")
# The numbers that stand below a model's own, by the prefix of their columns.
_APART = {"ungated_": "ungated", "point_": "assessment point", "ungated_point_": "assessment point, ungated"}
# The names of a row, its numbers by column, its style.
_Row = tuple[Sequence[str], Mapping[str, Estimate], str]


def show_scores(
    runs: Sequence[Path], scoring: str, threshold: float | None, labels: Path | None, form: Form, verbose: bool
) -> None:
    """Print the scores of models, of runs about their pictures."""
    scored = score_runs(runs, scoring, threshold, labels)
    documents = [document for of in scored for document in of.documents]
    brief = form is Form.TABLE and not verbose
    show_result(form, lambda: _as_json(scored), lambda: score_rows(documents), lambda: _page(scored, form, brief))
    if brief:
        given: list[object] = ["--scoring", scoring] if scoring != DEFAULT else []
        given += ["--threshold", threshold] if threshold is not None else []
        given += ["--labels", labels] if labels is not None else []
        say_next(command("score", *runs, *given, "-v"))


def _as_json(scored: Sequence[Scored]) -> dict[str, Any]:
    """Every document, with the ranking of its run by the protocol pairwise, best first; and these runs' ratings."""
    runs = []
    for of in scored:
        ranking = [
            {"generator": each.model, "rating": Estimate(each.rating, each.low, each.high), "rank": each.rank}
            for each in (of.ratings.models if of.ratings is not None else ())
        ]
        for entry in map(as_json, of.documents):
            runs.append(entry | {"uncertified_because": entry["reasons"]} | ({"ranking": ranking} if ranking else {}))
    ratings = {str(of.path): of.ratings for of in scored if of.ratings is not None}
    return {"runs": runs} | ({"ratings": ratings} if ratings else {})


def _page(scored: Sequence[Scored], form: Form, brief: bool) -> Iterator[Table | str]:
    documents = [document for of in scored for document in of.documents]
    named = words.distinct_documents(documents, "short" if form is Form.TABLE else "whole")
    for of in scored:
        if of.ratings is not None:
            yield from ratings_page(of.ratings, str(of.path))
    yield from brief_page(named) if brief else whole_page(named)
    names = (document.generator for document in named)
    for of in scored:
        own = [next(names) for _ in of.documents]
        yield from of.by_people.lines(own) if of.by_people is not None else ()
        yield from [of.raters.line] if of.raters is not None else ()
    yield from words.audit_lines({of.run: of.audit for of in documents})
    yield from words.pictures_line(documents)


def ratings_page(of: Ratings, run: str) -> Iterator[Table | str]:
    """The ranking of one run, and what its judge's answers say of it."""
    table = Table(f"Ratings (400 points: odds of 10 to 1; mean 1000): {run}")
    table.add_column("model")
    table.add_numbers("rank", "rating [95 %]", "won", "equal", "lost")
    for each in of.models:
        counts = (f"{n:g}" for n in (each.won, each.tied, each.lost))
        table.add_row(each.model, str(each.rank), words.rating(each), *counts)
    yield table
    yield from words.ratings_lines(of)


def brief_page(documents: Sequence[Document]) -> Iterator[Table | str]:
    """The verdict, a line a model, what is notable of it, and the evidence."""
    yield from words.verdict_lines((of.generator, of) for of in documents)
    for of in words.by_set(documents):
        by_people = (
            [people_table(of, whole=False)] if any(each.by_people and each.by_people.columns for each in of) else []
        )
        leading = all(each.by_people is not None and each.by_people.headline for each in of)
        yield from [*by_people, _headline(of, whole=False)][:: 1 if leading or not by_people else -1]
    yield from words.shared_lines(documents)
    yield from words.brief_legend(documents)
    yield from label_lines(documents)
    for document in documents:
        yield from (
            f"{document.generator}: {line}" for line in [*words.warnings(document), *words.leaning_lines(document)]
        )
        yield from words.notable(document)
    yield from words.judge_lines(documents)


def whole_page(documents: Sequence[Document]) -> Iterator[Table | str]:
    """Every number of every run, beside those of planted models, what it rests on, and its notes."""
    yield from words.verdict_lines((of.generator, of) for of in documents)
    for of in words.by_set(documents):
        yield _headline(of, whole=True)
        if any(each.by_people and each.by_people.columns for each in of):
            yield people_table(of, whole=True)
            yield from beside_people(of)
        if any(each.secondary for each in of):
            yield _headline(of, whole=True, secondary=True)
    yield from words.shared_lines(documents, whole=True)
    lost, shown = words.lossy(documents), [part for of in documents for part in _numbers_of(of)]
    if lost:
        yield f"{', '.join(lost)}: how many of all there are the numbers rest on"
    yield from [*words.legend(documents), *words.no_interval(documents, shown)]
    notes = [
        [*words.apart_lines(of), *words.rests_lines(of), *words.notes(of), *words.leaning_lines(of)] for of in documents
    ]
    common = [note for note in notes[0] if len(notes) > 1 and all(note in of for of in notes)]
    yield from (f"all runs: {note}" for note in common)
    yield from label_lines(documents)
    for document, of_it in zip(documents, notes, strict=True):
        yield from (f"{document.generator}: {note}" for note in of_it if note not in common)
        if words.losses(document):
            yield bounds_table(document)
    for alike in words.by_set(documents):
        yield from slice_tables(alike)
    yield lost_table(documents)
    yield from map(provenance_line, documents)
    yield from words.judge_lines(documents, whole=True)
    for document in documents:
        reasons = document.reasons if document.admitted else document.reasons[1:]
        yield from (f"{document.generator}: not certified: {reason}" for reason in reasons)


def _numbers_of(document: Document) -> list[Numbers]:
    return [document.columns, *(part for parts in document.slices.values() for part in parts.values())]


def _table(title: str, keys: Sequence[str], counts: Sequence[str], names: Sequence[str], rows: Sequence[_Row],
           intervals: Sequence[str] | None = None) -> Table:  # fmt: skip
    """A table with a row of numbers in these columns, under the `keys` and `counts` that name it.

    `intervals`: the columns that show theirs, by default all.
    """
    shown, table = names if intervals is None else intervals, Table(title, len(keys))
    table.add_column(*keys)
    table.add_numbers(*counts)
    for name in names:
        known = any(of[name].low is not None for _, of, _ in rows if name in of and name in shown)
        table.add_numbers(heading(name) + " [95 %]" * known)
    for place, (cells, of, style) in enumerate(rows):
        if style == "italic" and rows[place - 1][-1] != style:  # planted models stand below a rule
            table.add_section()
        numbers = (number_cell(of.get(name), notation_of(name), interval=name in shown) for name in names)
        table.add_row(*cells, *numbers, style=style)
    return table


def _headline(documents: Sequence[Document], whole: bool, secondary: bool = False) -> Table:
    """The scores of models on one prompt set, the best of a run first.

    The `whole` has ungated and planted models, and every interval.
    """
    main, order = words.main_number(documents[0]), [of.run for of in documents]
    documents = sorted(documents, key=lambda of: (order.index(of.run), -(of.columns[main].value or 0)))
    s, first, counts = documents[0].provenance, documents[0], [] if secondary else words.lossy(documents)
    names = list(dict.fromkeys(n for of in documents for n in (of.secondary if secondary else of.headline)))
    blank, rows = [""] * len(counts), list[_Row]()
    for of in documents:
        used = words.uses(of)
        rows.append(([words.row_name(of), *("{}/{}".format(*used[name]) for name in counts)], of.columns, ""))
        if not secondary and any(of.by_word[name].value != of.columns[name].value for name in names if of.by_word):
            rows.append((["  by word, all checks", *blank], of.by_word, "dim"))
        for prefix, name in _APART.items() if whole else ():
            apart = {n: of.columns[f"{prefix}{n}"] for n in names if f"{prefix}{n}" in of.columns}
            rows += [([f"  {name}", *blank], apart, "dim")] if apart else []
    references = {str(item): item for of in documents for item in of.references.items()} if whole else {}
    for name, line in references.values():
        true = {key: Estimate(value, None, None) for key, value in line.items() if key != "share_gated"}
        rows.append(([f"{name} (planted, true)", *blank], true, "italic"))
    gated, few = "share_gated" in first.columns, first.columns[names[0]].low is None and not whole
    title = f"{s.protocol} on {s.prompts}"
    title += f", {s.scoring} scoring" if whole or s.scoring != DEFAULT else ""
    title += f", gate at S_L1 of {s.threshold:g}" if gated and (whole or s.threshold != THRESHOLD) else ""
    title += f": only {words.clusters(first)}, so no intervals" if few else ", beside the scores" * secondary
    shown = None if whole else [name for name in names if with_interval(name, first)]
    return _table(title, ["model"], counts, names, rows, shown)


def with_interval(column: str, document: Document) -> bool:
    """True if a brief table shows the interval of a column: of all if few, else of those that are no means."""
    mean = column.startswith("s_") or column in _MEANS
    return len(document.headline) <= _FEW or not mean


def bounds_table(document: Document) -> Table:
    """Bounds of the scores: as if all lost answers were wrong, left out, or right."""
    ends, gated = ("worst", "dropped", "best"), any(name.startswith("ungated_") for name in document.bounds)
    table = Table(f"{document.generator}: worst and best that what is lost could make it")
    table.add_column("")
    table.add_numbers(*ends, *(f"{end}, ungated" for end in ends if gated))
    for name, of in document.bounds.items():
        if not name.startswith("ungated_"):
            both = [of, document.bounds[f"ungated_{name}"]] if gated else [of]
            table.add_row(heading(name), *(FRACTION.plain(getattr(each, end)) for each in both for end in ends))
    return table


def lost_table(documents: Sequence[Document]) -> Table:
    """Number of pictures and replies at every level."""
    first = next(iter(documents[0].counts.values()))
    replies = [name if name == "answer" else f"judge {name}" for name in first.outcomes]
    table = Table("Pictures, and the judge's replies to their checks", 2)
    table.add_column("model", "level")
    table.add_numbers("groups scored", "pictures scored", *first.statuses, *replies)
    for document in documents:
        for place, (level, of) in enumerate(document.counts.items()):
            scored = (f"{of.groups_scored}/{of.groups}", f"{of.pictures_scored}/{of.pictures}")
            counts = (*of.statuses.values(), *of.outcomes.values())
            table.add_row(words.row_name(document) if place == 0 else "", level, *scored, *map(str, counts))
    return table


def people_table(documents: Sequence[Document], whole: bool) -> Table:
    """The models' numbers by people's standard, with how far they rest on labels, and the judge's beside."""
    table = Table("By people's labels [95 %, at any time]", keys=2)
    table.add_column("model", "")
    table.add_numbers("by people", "judge alone", "units labelled")
    for document in documents:
        columns = {} if document.by_people is None else document.by_people.columns
        shown = [name for name in document.headline if name in columns]
        shown += [name for name in columns if name not in shown] if whole else []
        for place, name in enumerate(shown):
            of, model = columns[name], words.row_name(document) if place == 0 else ""
            number = people_heading(name)
            table.add_row(model, number, number_cell(of), FRACTION.plain(of.judged), f"{of.labelled}/{of.of}")
    return table


def beside_people(documents: Sequence[Document]) -> Iterator[Table]:
    """The judge's answers about each model's pictures beside people's, by skill."""
    for document in (document for document in documents if document.evidence.labelled):
        table = Table(f"{document.generator}: judge beside people [95 %, at any time]")
        table.add_column("skill")
        table.add_numbers("right where yes", "right where no", "yes + no", "drawn CCS")
        table.add_column("")
        for skill, of in document.evidence.labelled.items():
            drawn = document.evidence.drawn[skill].ccs if skill in document.evidence.drawn else None
            state = "certified" if of.admitted else "wrong" if of.refuted else ""
            shares = (number_cell(of.sensitivity), number_cell(of.specificity))
            table.add_row(skill, *shares, f"{of.yes} + {of.no}", number_cell(drawn, interval=False), state)
        yield table


def slice_tables(documents: Sequence[Document]) -> Iterator[Table | str]:
    """The numbers of models on one prompt set by discipline, law, category, …, and the number of parts left out."""
    s, several = documents[0].provenance, len(documents) > 1
    for what in words.kinds_of_parts(documents, _FIRST):
        units = {name: count for of in documents for name, count in of.slice_units.get(what, {}).items()}
        most = sorted(units, key=lambda name: -units[name])[:_MOST] if len(units) > _MOST else list(units)
        rows = [([name, *[of.generator] * several, str(of.slice_units[what][name])], of.slices[what][name], "")
                for name in most for of in documents if name in of.slices.get(what, {})]  # fmt: skip
        columns = list(dict.fromkeys(column for _, numbers, _ in rows for column in numbers))
        gated = [name for name in documents[0].headline if name in columns]
        names = gated or [name for name in columns if name.startswith("ungated_s_")]
        title = f"{s.protocol} on {s.prompts} by {what}{'' if gated else ', ungated'}"
        shown = [name for name in names if with_interval(name, documents[0])]
        yield _table(title, [what, *["model"] * several], ["units"], names, rows, shown)
        if cut := len(units) - len(most):
            yield f"… and {cut} more: --format csv has all"


def score_rows(documents: Sequence[Document]) -> list[dict[str, Any]]:
    """Every number of every run for CSV, fractions: a row for the whole, each dimension, category, law, …."""
    rows = []
    for document, judge in zip(documents, short_names([d.provenance for d in documents], full=True), strict=True):
        s = document.provenance
        named = s.generator_name or document.generator
        run: dict[str, Any] = {"run": document.run, "generator": named, "asked_as": document.generator, "judge": judge}
        run |= {name: getattr(s, name) for name in ("prompts", "protocol", "scoring")}
        run |= {name: getattr(document, name) for name in _STATUS}
        run |= {"not_tested": sum(document.not_tested.values())}
        run |= {"not_shared": " ".join(document.not_shared.lacking) if document.not_shared is not None else ""}
        run |= flat({"domain": msgspec.to_builtins(document.domain)}) if document.domain is not None else {}
        parts = [("overall", "", document.groups, document.columns)] + [
            (what, name, document.slice_units[what][name], part)
            for what, of in document.slices.items()
            for name, part in of.items()
        ]
        rows += [
            run | {"part": what, "name": name, "units": units} | flat(msgspec.to_builtins(numbers))
            for what, name, units, numbers in parts
        ]
    return rows


def provenance_line(document: Document) -> str:
    """A line with the settings and digests behind a run's numbers."""
    s = document.provenance
    certificate = f"certificate {s.certificate} ({s.policy})" if s.certificate else "no certificate"
    shown = " · prompt shown" if s.prompt_shown else ""
    return (
        f"prompts {s.prompts} {s.prompts_digest} · generator {s.generator} · {counted(s.samples, 'sample')} · "
        f"seed {s.generator_seed} · judge {s.judge} · "
        f"template {s.template} {s.template_digest[:8]}{shown} · parser {s.parser} · {certificate} · {s.protocol}, "
        f"{s.scoring} scoring · counterbench {s.version}"
    )
