"""Parts of runs as tables: a row for each generator as papers print it, or a row for each part."""

from __future__ import annotations

from collections.abc import Sequence

from counterbench.cli.grid import Table
from counterbench.cli.t2i_tables import Numbers, cell_of, interval_mark, table_over, with_interval
from counterbench.t2i.scores.document import Document
from counterbench.t2i.words import SIGNED, by_set, heading, row_name

# Most dimensions or categories of a table with a column for each.
_ACROSS = 16
# The subject of slices, by the one number that a protocol comes to.
_ACROSS_BY = {"score": ("category", "dimension"), "s": ("category", "subcategory")}
# Most rows of a table with a row for each part.
_MOST = 40
# The kinds that come first; the others stand as the protocol has them.
_FIRST = ("discipline", "law", "category", "dimension")
# Names of slices whose own name says too little.
_SLICES = {"threshold": "threshold of the gate"}


def across_tables(documents: Sequence[Document], interval: bool = False) -> list[Table]:
    """The one number of a protocol by category and by dimension or subcategory, as papers print it.

    One table where each dimension is of one category: its dimensions, then its mean; then those of the next.
    """
    return [_across(of, kinds, interval) for of in by_set(documents) for kinds in _kinds_across(of)]


def _kinds_across(documents: Sequence[Document]) -> list[tuple[str, ...]]:
    """For runs on one prompt set: the kinds of parts that have a table with a column for each part."""
    kinds = _ACROSS_BY.get(_number(documents[0]), ())
    few = [what for what in kinds if 2 <= len(_names(documents, what)) <= _ACROSS]
    nested = len(few) == 2 and all(of.category_of.keys() == of.slices[few[1]].keys() for of in documents)
    return [("category", "dimension")] if nested else [(what,) for what in few]


def _number(document: Document) -> str:
    """Name of the one number of a run; "" if there are several."""
    return next((name for name in _ACROSS_BY if name in document.columns), "")


def _names(documents: Sequence[Document], what: str) -> list[str]:
    return list(dict.fromkeys(name for of in documents for name in of.slices.get(what, ())))


def _across(documents: Sequence[Document], kinds: Sequence[str], interval: bool) -> Table:
    if len(kinds) == 1:
        title = f"by {kinds[0]}"
        sections = [[(kinds[0], name) for name in _names(documents, kinds[0])]]
    else:
        title = "by dimension, with the mean of each category"
        category_of = {name: category for of in documents for name, category in of.category_of.items()}
        sections = [
            [
                *(("dimension", name) for name in _names(documents, "dimension") if category_of[name] == category),
                ("category", category),
            ]
            for category in _names(documents, "category")
        ]
    number, columns = _number(documents[0]), [part for section in sections for part in section]
    mark = interval_mark(of.columns[number] for of in documents) if interval else ""
    table = table_over(f"{documents[0].signature.protocol} {title}{mark}", documents)
    table.add_column("generator")
    table.add_numbers(*(name for _, name in columns), "overall")
    for of in documents:
        found = (of.slices.get(what, {}).get(name, {}) for what, name in columns)
        cells = [cell_of(part.get(number), interval=interval) for part in (*found, of.columns)]
        table.add_row(row_name(of), *cells)
    return table


def shown_slices(document: Document, among: Sequence[Document]) -> dict[str, dict[str, Numbers]]:
    """The parts that have a row of their own below the tables of `among`, of which the run is one.

    A part that is alone has none, nor one with its numbers in a table already: in `across_tables`, or by another name.
    """
    (alike,) = [of for of in by_set(among) if any(each is document for each in of)]
    across = [what for kinds in _kinds_across(alike) for what in kinds]
    told = [_counted(document, what) for what in across]
    found: dict[str, dict[str, Numbers]] = {}
    kinds = [*(what for what in _FIRST if what in document.slices), *document.slices]
    for what in dict.fromkeys(kinds):
        parts, units = document.slices[what], document.slice_units[what]
        own = _counted(document, what)
        if what in across or len(parts) < 2 or any(_same(own, other) for other in told):
            continue
        told.append(own)
        most = sorted(parts, key=lambda name: -units[name])[:_MOST] if len(parts) > _MOST else parts
        found[what] = {name: parts[name] for name in most}
    return found


def _counted(document: Document, what: str) -> list[tuple[int, Numbers]]:
    return [(document.slice_units[what][name], part) for name, part in document.slices.get(what, {}).items()]


def _same(first: list[tuple[int, Numbers]], second: list[tuple[int, Numbers]]) -> bool:
    """True if the parts are the same, under any names."""
    return len(first) == len(second) and all(part in second for part in first)


def slice_tables(document: Document, among: Sequence[Document]) -> list[Table | str]:
    """One generator's numbers by discipline, law, category, …, and the number of parts that were left out."""
    found: list[Table | str] = []
    for what, parts in shown_slices(document, among).items():
        found.append(_slice(document, what, parts))
        if cut := len(document.slices[what]) - len(parts):
            found.append(f"… and {cut} more: --format csv has all")
    return found


def depth_tables(documents: Sequence[Document]) -> list[Table]:
    """RRR by depth of the rule, a row for each generator, if prompts give a depth."""
    return [_by_depth(of) for of in by_set(documents) if len(_names(of, "depth")) > 1 and "rrr" in of[0].columns]


def _by_depth(documents: Sequence[Document]) -> Table:
    table = table_over(f"RRR on {documents[0].signature.prompts} by depth of the rule", documents)
    names = _names(documents, "depth")
    table.add_column("generator")
    table.add_numbers(*names)
    for of in documents:
        parts = (of.slices.get("depth", {}).get(name, {}) for name in names)
        table.add_row(row_name(of), *(cell_of(part.get("rrr"), interval=False) for part in parts))
    return table


def _slice(document: Document, what: str, parts: dict[str, Numbers]) -> Table:
    columns = list(dict.fromkeys(name for part in parts.values() for name in part if not name.startswith("point_")))
    shown = [name for name in document.headline if name in columns]
    ungated = "" if shown else ", ungated"
    shown = shown or [name for name in columns if name.startswith("ungated_s_")]
    mark = interval_mark(part.get(name) for part in parts.values() for name in shown if with_interval(name, document))
    table = table_over(f"{document.generator} by {_SLICES.get(what, what)}{ungated}{mark}", [document])
    table.add_column(what)
    table.add_numbers("units", *map(heading, shown))
    for name, part in parts.items():
        cells = [cell_of(part.get(n), n in SIGNED, with_interval(n, document)) for n in shown]
        table.add_row(name, str(document.slice_units[what][name]), *cells)
    return table
