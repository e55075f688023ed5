"""Scores of text-to-image models as tables and lines for people, of any protocol: fractions with two decimals.

Every run is called as its document's generator: `words.told_apart` gives no two the same name.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from counterbench.cli.grid import Cell, Table, cell, flat
from counterbench.runs.usage import short_names
from counterbench.stats.intervals import Estimate
from counterbench.t2i.scores.document import Document, JudgeStatus, stamp
from counterbench.t2i.scores.labels import LabelledMean
from counterbench.t2i.words import (
    NONE,
    SIGNED,
    by_set,
    heading,
    kinds_of_parts,
    legend,
    lossy,
    no_interval,
    notes,
    plain,
    row_name,
    unit,
    uses,
)
from counterbench.text import counted

# Of more headline columns than these, means stand without their interval; `-v` has all.
_FEW = 3
_MEANS = ("factual", "counterfactual")
# The kinds of parts that papers print with a column for each part, by the one number of a protocol; and most columns.
_ACROSS_BY, _ACROSS = {"score": ("category", "dimension"), "s": ("category", "subcategory")}, 16
# Most rows of a table with a row for each part.
_MOST = 40
# The kinds of parts that come first.
_FIRST = ("discipline", "law", "category", "dimension")
# The fields of a document that stand in every row of CSV.
_STATUS = ("admitted", "certified", "complete", "covered", "unverified")
# Names of slices whose own name says too little.
_SLICES = {"threshold": "threshold of the gate"}
Numbers = Mapping[str, Estimate]
# A row of numbers: its name, cells before the numbers, the numbers by column, its style.
_Row = tuple[str, Sequence[str], Numbers, str]


def _numbers(
    title: str,
    runs: Sequence[Document],
    names: Sequence[str],
    rows: Sequence[_Row],
    *,
    header: str = "generator",
    before: Sequence[str] = (),
    headers: Sequence[str] = (),
    intervals: Collection[str] | None = None,
) -> Table:
    """A table with a row of numbers in these columns, with `before` as the headers of the cells before them.

    `intervals`: the columns that show theirs, by default all.
    """
    shown = names if intervals is None else intervals
    table = table_over(title, runs, [header], before)
    for name, called in zip(names, headers or list(map(heading, names)), strict=True):
        known = [of[name] for _, _, of, _ in rows if name in of and name in shown]
        table.add_numbers(called + " [95 %]" * any(number.low is not None for number in known))
    for place, (name, cells, of, style) in enumerate(rows):
        if style == "italic" and rows[place - 1][-1] != style:  # planted models stand below a rule
            table.add_section()
        table.add_row(name, *cells, *(cell_of(of.get(n), n in SIGNED, n in shown) for n in names), style=style)
    return table


def headline_tables(documents: Sequence[Document], everything: bool = False) -> list[Table]:
    """The scores of each generator, and of the planted references; then the numbers beside them.

    Tables for each prompt set, protocol and scoring; with `everything`, every number has its interval.
    """
    tables = []
    for of in by_set(documents):
        s, first = of[0].provenance, of[0]
        gate = f", gate at S_L1 of {s.threshold:g}" if "share_gated" in first.columns else ""
        title = f"{s.protocol} on {s.prompts}, {s.scoring} scoring{gate}"
        tables.append(_scores(title, of, lossy(of), [name for each in of for name in each.headline], everything))
        if secondary := [name for each in of for name in each.secondary]:
            tables.append(_scores(f"{s.protocol} on {s.prompts}, beside the scores", of, [], secondary, everything))
    return tables


def _scores(
    title: str, documents: Sequence[Document], rests_on: Sequence[str], names: Sequence[str], everything: bool
) -> Table:
    columns, blank = list(dict.fromkeys(names)), [""] * len(rests_on)
    rows: list[_Row] = []
    for of in documents:
        used = uses(of)
        rows.append((row_name(of), ["{}/{}".format(*used[name]) for name in rests_on], of.columns, ""))
        rows += _ungated(of, columns, blank)
    references = [item for document in documents for item in document.references.items()]
    for i, (name, line) in enumerate(references):
        if (name, line) not in references[:i]:  # once, unless the runs were given different ones
            true = {key: Estimate(value, None, None) for key, value in line.items() if key != "share_gated"}
            rows.append((f"{name} (planted, true)", blank, true, "italic"))
    shown = [name for name in columns if everything or with_interval(name, documents[0])]
    return _numbers(title, documents, columns, rows, before=rests_on, intervals=shown)


def _ungated(of: Document, columns: Sequence[str], blank: Sequence[str], prefix: str = "ungated_") -> list[_Row]:
    numbers = {n: of.columns[f"{prefix}{n}"] for n in columns if f"{prefix}{n}" in of.columns}
    return [("  ungated", blank, numbers, "dim")] if numbers else []


def with_interval(column: str, document: Document) -> bool:
    """True if tables show the interval of a column: of all if few, else of headline columns that are no means."""
    mean = column.startswith("s_") or column in _MEANS
    return len(document.headline) <= _FEW or (column in document.headline and not mean)


def point_table(documents: Sequence[Document]) -> list[Table]:
    """The assessment point alone, beside the weighted score, where the protocol has one."""
    names = list(dict.fromkeys(n for of in documents for n in of.headline if f"point_{n}" in of.columns))
    chosen = [of for of in documents if any(f"point_{name}" in of.columns for name in names)]
    rows: list[_Row] = []
    for of in chosen:
        rows.append((row_name(of), (), {name: of.columns[f"point_{name}"] for name in names}, ""))
        rows += _ungated(of, names, (), "ungated_point_")
    return [_numbers("The assessment point alone", chosen, names, rows)] if chosen else []


def leaning_table(documents: Sequence[Document]) -> list[Table]:
    """Answers of judges to checks asked both ways, if there are any."""
    leanings = [(of, of.leaning) for of in documents if of.leaning is not None]
    if not leanings:
        return []
    title, headers = "Checks asked as they are and denied: only one can be yes", ("yes to both", "no to both")
    numbers = ("asked both ways", *headers, "leans to yes [95 %]")
    table = table_over(title, [of for of, _ in leanings], ["generator"], numbers)
    for of, leaning in leanings:
        both = (cell_of(share, interval=False) for share in (leaning.both_yes, leaning.both_no))
        table.add_row(row_name(of), str(leaning.pairs), *both, cell_of(leaning.leaning, signed=True))
    return [table]


def bounds_table(document: Document) -> Table:
    """Bounds of the scores: as if all lost answers were wrong, left out, or right."""
    gated = any(name.startswith("ungated_") for name in document.bounds)
    ends = ("worst", "dropped", "best")
    headers = [*ends, *(f"{end}, ungated" for end in ends if gated)]
    title = f"{document.generator}: worst and best that what is lost could make it"
    table = table_over(title, [document], [""], headers)
    for name, of in document.bounds.items():
        if not name.startswith("ungated_"):
            both = [of, document.bounds[f"ungated_{name}"]] if gated else [of]
            table.add_row(heading(name), *(plain(getattr(each, end)) for each in both for end in ends))
    return table


def lost_table(documents: Sequence[Document]) -> Table:
    """Number of pictures and replies at every level."""
    first = next(iter(documents[0].counts.values()))
    replies = [name if name == "answer" else f"judge {name}" for name in first.outcomes]
    headers = ("groups scored", "pictures scored", *first.statuses, *replies)
    table = table_over("Pictures, and the judge's replies to their checks", documents, ["generator", "level"], headers)
    for document in documents:
        for place, (level, of) in enumerate(document.counts.items()):
            scored = (f"{of.groups_scored}/{of.groups}", f"{of.pictures_scored}/{of.pictures}")
            counts = (*of.statuses.values(), *of.outcomes.values())
            table.add_row(row_name(document) if place == 0 else "", level, *scored, *map(str, counts))
    return table


def truth_table(
    document: Document, labelled: Mapping[str, LabelledMean], bands: Mapping[str, Estimate | None]
) -> Table:
    """The ungated mean of each level: by people's labels if there are any, as judged, and the band beside it."""
    title = f"{document.generator}: ungated means of S, and how far the judge may be off [95 %]"
    headers = ("people (PPI++)", "labels", "as judged", "band (Rogan-Gladen)")
    table = table_over(title, [document], ["level"], headers)
    for level in document.counts:
        by_level = {"score": document.columns.get("score")} | document.slices.get("level", {}).get(level, {})
        names = (f"ungated_s_{level}", f"s_{level}")  # the protocol's name for its mean
        columns = [document.columns[name] for name in names if name in document.columns]
        judged, people = columns[0] if columns else by_level["score"], labelled.get(level)
        labels = NONE if people is None else f"{people.labels}/{people.labels + people.others}"
        table.add_row(level, cell_of(people), labels, cell_of(judged), cell_of(bands.get(level)))
    return table


def across_tables(documents: Sequence[Document], interval: bool = False) -> list[Table]:
    """The one number of a protocol by category and by dimension or subcategory, as papers print it."""
    tables = []
    for of in by_set(documents):
        number, kinds = _across(of)
        for what, names in kinds.items():
            rows: list[_Row] = []
            for each in of:
                parts = {name: part[number] for name, part in each.slices.get(what, {}).items() if number in part}
                rows.append((row_name(each), (), parts | {"": each.columns[number]}, ""))
            title = f"{of[0].provenance.protocol} by {what}"
            shown = None if interval else ()
            tables.append(_numbers(title, of, [*names, ""], rows, headers=[*names, "overall"], intervals=shown))
    return tables


def _across(documents: Sequence[Document]) -> tuple[str, dict[str, list[str]]]:
    """Of runs on one prompt set: their one number ("" if there are several), and the names of parts by kind."""
    number = next((name for name in _ACROSS_BY if name in documents[0].columns), "")
    kinds = {
        what: list(dict.fromkeys(name for of in documents for name in of.slices.get(what, ())))
        for what in _ACROSS_BY.get(number, ())
    }
    return number, {what: names for what, names in kinds.items() if 2 <= len(names) <= _ACROSS}


def shown_slices(document: Document, among: Sequence[Document]) -> dict[str, dict[str, Numbers]]:
    """The parts that have a row of their own below the tables of `among`, of which the run is one.

    A part that is alone has none, nor one with its numbers in a table already: in `across_tables`, or by another name.
    """
    (alike,) = [of for of in by_set(among) if any(each is document for each in of)]
    _, across = _across(alike)
    kinds: dict[str, dict[str, Numbers]] = {}
    for what in kinds_of_parts([document], _FIRST, across):
        parts, units = document.slices[what], document.slice_units[what]
        most = sorted(parts, key=lambda name: -units[name])[:_MOST] if len(parts) > _MOST else parts
        kinds[what] = {name: parts[name] for name in most}
    return kinds


def slice_tables(document: Document, among: Sequence[Document]) -> list[Table | str]:
    """One generator's numbers by discipline, law, category, …, and the number of parts that were left out."""
    tables: list[Table | str] = []
    for what, parts in shown_slices(document, among).items():
        columns = dict.fromkeys(name for part in parts.values() for name in part)
        gated = [name for name in document.headline if name in columns]
        names = gated or [name for name in columns if name.startswith("ungated_s_")]
        title = f"{document.generator} by {_SLICES.get(what, what)}{'' if gated else ', ungated'}"
        rows = [(name, [str(document.slice_units[what][name])], part, "") for name, part in parts.items()]
        shown = [name for name in names if with_interval(name, document)]
        tables.append(_numbers(title, [document], names, rows, header=what, before=["units"], intervals=shown))
        if cut := len(document.slices[what]) - len(parts):
            tables.append(f"… and {cut} more: --format csv has all")
    return tables


def score_rows(documents: Sequence[Document]) -> list[dict[str, Any]]:
    """Every number of every run for CSV, fractions: a row for the whole, each dimension, category, law, …."""
    rows = []
    for document, judge in zip(documents, short_names([d.provenance for d in documents]), strict=True):
        s = document.provenance
        run: dict[str, Any] = {"run": document.run, "generator": document.generator, "judge": judge}
        run |= {name: getattr(s, name) for name in ("prompts", "protocol", "scoring")}
        run |= {name: getattr(document, name) for name in _STATUS}
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


def table_over(
    title: str, runs: Iterable[JudgeStatus], words: Sequence[str] = (), numbers: Sequence[str] = ()
) -> Table:
    """A table of these runs without rows, stamped as the least certified of them; `words` head the keys of a row."""
    worst = max({stamp(run) for run in runs} - {""}, key=str.isupper, default="")
    table = Table(f"{worst}: {title}" if worst else title, len(words))
    table.add_column(*words)
    table.add_numbers(*numbers)
    return table


def cell_of(number: Estimate | None, signed: bool = False, interval: bool = True) -> Cell:
    """A number with its interval; a dash where it is undefined."""
    if number is None or number.value is None:
        return cell(NONE, "dim")
    text = cell(plain(number.value, signed))
    if interval and number.low is not None and number.high is not None:
        text.append(f" [{plain(number.low, signed)}, {plain(number.high, signed)}]", style="dim")
    return text


def counts_line(document: Document) -> str:
    """A line with the groups, laws and pictures of a run's numbers."""
    scored, pictures = uses(document)["pictures"]
    laws = len(document.slices.get("law", ()))
    about = f", {counted(laws, 'law')}" if laws else ""
    groups = counted(document.groups, unit(document))
    return f"{document.generator}: {groups}{about}, {scored} of {counted(pictures, 'picture')} scored"


def legend_lines(documents: Sequence[Document], sliced: bool = False) -> list[str]:
    """Lines that explain the names in the tables; `sliced`: tables of the slices were printed too."""
    lost = lossy(documents)
    lines = [f"{', '.join(lost)}: how many of all there are the numbers rest on"] if lost else []
    shown: list[Numbers] = [of.columns for of in documents]
    if sliced:
        shown += [part for of in documents for parts in shown_slices(of, documents).values() for part in parts.values()]
    return lines + legend(documents) + no_interval(documents, shown)


def notes_of_all(documents: Sequence[Document], verbose: bool = False) -> list[str]:
    """The notes that every one of several runs has."""
    first, *others = [notes(document, verbose) for document in documents]
    return [note for note in first if others and all(note in each for each in others)]


def note_lines(document: Document, verbose: bool = False, said: Sequence[str] = ()) -> list[str]:
    """Notes on a run's numbers, without those that were `said` of all runs."""
    return [f"{document.generator}: {note}" for note in notes(document, verbose) if note not in said]


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
