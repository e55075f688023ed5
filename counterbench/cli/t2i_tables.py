"""Scores of text-to-image models as tables for people, of any protocol: fractions with two decimals.

Every run is called as its document's generator: `words.told_apart` gives no two the same name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from counterbench.cli.grid import Cell, Table, cell, flat
from counterbench.runs.names import short_names
from counterbench.stats.intervals import Estimate
from counterbench.t2i.scores.document import Bounds, Difference, Document, Standing, stamp
from counterbench.t2i.scores.labels import LabelledMean
from counterbench.t2i.words import NONE, SIGNED, by_set, heading, lossy, plain, row_name, uses

# Of more headline columns than these, means stand without their interval; `-v` has all.
_FEW = 3
_MEANS = ("factual", "counterfactual")
Numbers = Mapping[str, Estimate]


def headline_tables(documents: Sequence[Document], everything: bool = False) -> list[Table]:
    """The scores of each generator, and of the planted references; then the numbers beside them.

    Tables for each prompt set, protocol and scoring; with `everything`, every number has its interval.
    """
    tables = []
    for of in by_set(documents):
        s, first = of[0].signature, of[0]
        gate = f", gate at S_L1 of {s.threshold:g}" if "share_gated" in first.columns else ""
        title, rests_on = f"{s.protocol} on {s.prompts}, {s.scoring} scoring{gate}", lossy(of)
        tables.append(_scores(title, of, rests_on, [name for each in of for name in each.headline], everything))
        if beside := [name for each in of for name in each.beside]:
            tables.append(_scores(f"{s.protocol} on {s.prompts}, beside the scores", of, [], beside, everything))
    return tables


def _scores(
    title: str, documents: Sequence[Document], rests_on: Sequence[str], names: Sequence[str], everything: bool
) -> Table:
    columns = list(dict.fromkeys(names))
    shown = {name: everything or with_interval(name, documents[0]) for name in columns}
    table = table_over(title, documents)
    table.add_column("generator")
    table.add_numbers(*rests_on)
    for name in columns:
        mark = interval_mark(of.columns.get(name) for of in documents) if shown[name] else ""
        table.add_numbers(heading(name) + mark)
    blank = [""] * len(rests_on)
    for document in documents:
        used = uses(document)
        cells = [cell_of(document.columns.get(n), n in SIGNED, shown[n]) for n in columns]
        table.add_row(row_name(document), *("{}/{}".format(*used[name]) for name in rests_on), *cells)
        if any(f"ungated_{n}" in document.columns for n in columns):
            cells = [cell_of(document.columns.get(f"ungated_{n}"), interval=shown[n]) for n in columns]
            table.add_row("  ungated", *blank, *cells, style="dim")
    references = [item for document in documents for item in document.references.items()]
    if references:
        table.add_section()
    for i, (name, line) in enumerate(references):
        if (name, line) not in references[:i]:  # once, unless the runs were given different ones
            cells = [cell(NONE if column == "share_gated" else plain(line.get(column))) for column in columns]
            table.add_row(f"{name} (planted, true)", *blank, *cells, style="italic")
    return table


def with_interval(column: str, document: Document) -> bool:
    """True if tables show the interval of a column: of all if few, else of headline columns that are no means."""
    mean = column.startswith("s_") or column in _MEANS
    return len(document.headline) <= _FEW or (column in document.headline and not mean)


def point_table(documents: Sequence[Document]) -> list[Table]:
    """The assessment point alone, beside the weighted score, where the protocol has one."""
    chosen = [of for of in documents if any(name.startswith("point_") for name in of.columns)]
    if not chosen:
        return []
    names = list(dict.fromkeys(n for of in chosen for n in of.headline if f"point_{n}" in of.columns))
    mark = interval_mark(of.columns.get(f"point_{name}") for of in chosen for name in names)
    table = table_over(f"The assessment point alone{mark}", chosen)
    table.add_column("generator")
    table.add_numbers(*map(heading, names))
    for of in chosen:
        table.add_row(row_name(of), *(cell_of(of.columns.get(f"point_{name}")) for name in names))
        if any(f"ungated_point_{name}" in of.columns for name in names):
            cells = [cell_of(of.columns.get(f"ungated_point_{name}")) for name in names]
            table.add_row("  ungated", *cells, style="dim")
    return [table]


def leaning_table(documents: Sequence[Document]) -> list[Table]:
    """Answers of judges to checks asked both ways, if there are any."""
    chosen = [of for of in documents if of.leaning is not None]
    if not chosen:
        return []
    table = table_over("Checks asked as they are and denied: only one can be yes", chosen)
    table.add_column("generator")
    table.add_numbers("asked both ways", "yes to both", "no to both", "leans to yes [95 %]")
    for of in chosen:
        if (found := of.leaning) is not None:
            both = (cell_of(share, interval=False) for share in (found.both_yes, found.both_no))
            cells = (*both, cell_of(found.leaning, signed=True))
            table.add_row(row_name(of), str(found.pairs), *cells)
    return [table]


def bounds_table(document: Document) -> Table:
    """Bounds of the scores: as if all lost answers were wrong, left out, or right."""
    table = table_over(f"{document.generator}: worst and best that what is lost could make it", [document])
    table.add_column("")
    gated = any(name.startswith("ungated_") for name in document.bounds)
    ends = ("worst", "dropped", "best")
    table.add_numbers(*ends, *(f"{end}, ungated" for end in ends if gated))
    for name, of in document.bounds.items():
        if not name.startswith("ungated_"):
            ungated = _ends(document.bounds[f"ungated_{name}"]) if gated else []
            table.add_row(heading(name), *_ends(of), *ungated)
    return table


def lost_table(documents: Sequence[Document]) -> Table:
    """Number of pictures and replies at every level."""
    table = table_over("Pictures, and the judge's replies to their checks", documents, keys=2)
    table.add_column("generator", "level")
    first = next(iter(documents[0].counts.values()))
    replies = [name if name == "answer" else f"judge {name}" for name in first.outcomes]
    table.add_numbers("groups scored", "pictures scored", *first.statuses, *replies)
    for document in documents:
        for place, (level, of) in enumerate(document.counts.items()):
            scored = (f"{of.groups_scored}/{of.groups}", f"{of.pictures_scored}/{of.pictures}")
            counts = (*of.statuses.values(), *of.outcomes.values())
            table.add_row(row_name(document) if place == 0 else "", level, *scored, *map(str, counts))
    return table


def truth_table(
    document: Document, labelled: Mapping[str, LabelledMean], bands: Mapping[str, Estimate | None]
) -> Table:
    """The ungated mean of each level: by people's labels if there are any, as judged, and the band beside it.

    Either may be empty; a level that it lacks has a dash.
    """
    table = table_over(f"{document.generator}: ungated means of S, and how far the judge may be off [95 %]", [document])
    table.add_column("level")
    table.add_numbers("people (PPI++)", "labels", "as judged", "band (Rogan-Gladen)")
    for level in document.counts:
        people, corrected = labelled.get(level), bands.get(level)
        labels = NONE if people is None else f"{people.labels}/{people.labels + people.others}"
        table.add_row(level, cell_of(people), labels, cell_of(level_mean(document, level)), cell_of(corrected))
    return table


def level_mean(document: Document, level: str) -> Estimate | None:
    """The ungated mean of a level, under the protocol's name for it."""
    by_level = document.slices.get("level", {}).get(level, {})
    names = (f"ungated_s_{level}", f"s_{level}")
    found = [document.columns[name] for name in names if name in document.columns]
    return found[0] if found else by_level.get("score", document.columns.get("score"))


def differences_table(found: Sequence[Difference], stamp: str) -> Table:
    """Every two runs: the first's numbers less the second's, paired by cluster."""
    table = _titled("First less second, paired [95 %]", stamp, keys=2)
    table.add_column("first", "second")
    columns = list(dict.fromkeys(name for each in found for name in each.headline))
    called = (f"{'ungated ' * name.startswith('ungated_')}{heading(name)}" for name in columns)
    table.add_numbers("units", "left out", *called)
    for each in found:
        cells = [cell_of(each.columns.get(name), signed=True) for name in columns]
        table.add_row(each.first, each.second, str(each.units), str(each.left_out), *cells)
    return table


def score_rows(documents: Sequence[Document]) -> list[dict[str, Any]]:
    """Every number of every run for CSV, fractions: a row for the whole, each dimension, category, law, …."""
    rows = []
    for document, judge in zip(documents, short_names([d.signature for d in documents]), strict=True):
        s = document.signature
        run: dict[str, Any] = {
            "run": document.run,
            "generator": document.generator,
            "judge": judge,
            "prompts": s.prompts,
            "protocol": s.protocol,
            "scoring": s.scoring,
            "admitted": document.admitted,
            "certified": document.certified,
            "complete": document.complete,
            "covered": document.covered,
            "unverified": document.unverified,
        }
        run |= flat({"domain": msgspec.to_builtins(document.domain)}) if document.domain is not None else {}
        whole = run | {"part": "overall", "name": "", "units": document.groups}
        rows.append(whole | flat(msgspec.to_builtins(document.columns)))
        for what, parts in document.slices.items():
            for name, part in parts.items():
                of = run | {"part": what, "name": name, "units": document.slice_units[what][name]}
                rows.append(of | flat(msgspec.to_builtins(part)))
    return rows


def table_over(title: str, runs: Iterable[Standing | Document], keys: int = 1) -> Table:
    """An empty table of these runs, stamped as the least of them."""
    return _titled(title, worst_stamp(runs), keys)


def worst_stamp(runs: Iterable[Standing | Document]) -> str:
    """The stamp of a table of several runs: that of the least certified run."""
    stamps = {stamp(run) for run in runs} - {""}
    return max(stamps, key=str.isupper, default="")


def _titled(title: str, stamp: str, keys: int = 1) -> Table:
    return Table(f"{stamp}: {title}" if stamp else title, keys)


def cell_of(number: Estimate | None, signed: bool = False, interval: bool = True) -> Cell:
    """A number with its interval; a dash where it is undefined."""
    if number is None or number.value is None:
        return cell(NONE, "dim")
    text = cell(plain(number.value, signed))
    if interval and number.low is not None and number.high is not None:
        text.append(f" [{plain(number.low, signed)}, {plain(number.high, signed)}]", style="dim")
    return text


def interval_mark(numbers: Iterable[Estimate | None]) -> str:
    """The note in a title if any of these numbers has an interval."""
    return " [95 %]" if any(number is not None and number.low is not None for number in numbers) else ""


def _ends(of: Bounds) -> list[str]:
    return [plain(of.worst), plain(of.dropped), plain(of.best)]
