"""The layout of papers: a row for each model or judge, the numbers in groups of columns, the largest in bold.

`WideTable` holds such a table, whatever its numbers are about; `models_in_rows` fills one from the scores of models,
and `cli.tables` from those of judges.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from counterbench.cli.grid import BEST, SECOND, GridCell, Table, number_cell
from counterbench.evidence.verdict import NOT_SUPPORTED
from counterbench.pictures.protocols import protocol
from counterbench.pictures.scores.document import ModelDocument
from counterbench.pictures.words.run_names import main_number
from counterbench.results.measures import PERCENT, Notation, heading, notation_of
from counterbench.runs.usage import short_names
from counterbench.stats.intervals import Estimate

_MARK = "†"
_TESTED = "`compare` tests whether they differ"
_LEGEND = f"bold: the largest number of its column; underlined: the second largest; {_TESTED}"
_LEGEND_MARKED = (
    f"bold: the largest number of its column (without {_MARK}, if any is so); underlined: the second largest; {_TESTED}"
)
_MARKED = f"{_MARK}: not supported by evidence, or incomplete"
_MEANS = "mean: over the prompts of its group; overall: over all prompts"
_DECIMALS = 9  # numbers that are the same to so many are tied


class WideCell(NamedTuple):
    """A number of a wide table."""

    number: Estimate | None
    notation: Notation
    doubtful: bool  # not supported by evidence, or of an incomplete run


class WideTable:
    """A table with a row for each model or judge, whose numbers are added run by run."""

    def __init__(
        self, title: str, keys: Sequence[str], columns: Sequence[tuple[str, str]], notes: Sequence[str] = ()
    ) -> None:
        """Make an empty table.

        `keys`: the headers of the columns that name a row. `columns`: for each column of numbers the name of its group
        ("" for none) and its header. `notes`: lines below the table.
        """
        self.title, self.keys, self.columns, self.notes = title, keys, columns, notes
        self._rows: dict[tuple[str, ...], dict[int, WideCell]] = {}  # by names, then by place in `columns`

    def add(self, names: tuple[str, ...], cells: Sequence[WideCell], run: str, place: int = 0) -> None:
        """Add cells to the row of these names, the first at a place in `columns`.

        If the row has such cells already, they go to a row of their own, named by the run.
        """
        if place in self._rows.get(names, {}):
            names = (f"{names[0]} in {run}", *names[1:])
        self._rows.setdefault(names, {}).update(enumerate(cells, place))

    def page(self) -> Iterator[Table | str]:
        """The table, and lines on what its marks mean."""
        marked = {names for names, cells in self._rows.items() if any(cell.doubtful for cell in cells.values())}
        yield self.table()
        yield from [_LEGEND_MARKED if marked else _LEGEND] if any(map(self._styles, range(len(self.columns)))) else []
        yield from [_MARKED] if marked else []
        yield from self.notes

    def table(self) -> Table:
        """The table alone."""
        table = Table(self.title, self.keys, keys=len(self.keys), wide=True)
        for group, header in self.columns:
            table.add_numbers(header, group=group)
        styles = [self._styles(place) for place in range(len(self.columns))]
        marked = {names for names, cells in self._rows.items() if any(cell.doubtful for cell in cells.values())}
        for names, cells in self._rows.items():
            row: list[str | GridCell] = [f"{names[0]} {_MARK}" if names in marked else names[0], *names[1:]]
            for place, style_of in enumerate(styles):
                number, notation, _ = cells.get(place, _NO_CELL)
                row.append(number_cell(number, notation, interval=False, style=style_of.get(names, "")))
            table.add_row(*row)
        return table

    def _styles(self, place: int) -> dict[tuple[str, ...], str]:
        """The styles of the best and second best numbers of a column, by row; ties share a style.

        Doubtful numbers have one only where all are. None has one where all are alike, nor in a column of differences.
        """
        cells = {names: cells[place] for names, cells in self._rows.items() if place in cells}
        ranked = {names: cell for names, cell in cells.items() if not cell.doubtful} or cells
        values = {
            names: round(number.value, _DECIMALS)
            for names, (number, notation, _) in ranked.items()
            if number is not None and number.value is not None and not notation.signed
        }
        largest = sorted(set(values.values()), reverse=True)[:2]
        style_of = dict(zip(largest, (BEST, SECOND), strict=True)) if len(largest) == 2 else {}
        return {names: style_of[value] for names, value in values.items() if value in style_of}


_NO_CELL = WideCell(None, PERCENT, False)


class _ModelColumn(NamedTuple):
    """A column of models' scores, with the place of its number in a document."""

    group: str
    header: str
    column: str  # the document's name of the number
    kind: str = ""  # of the part of the prompts ("category", "dimension"); empty for all prompts
    part: str = ""  # its name

    def number(self, document: ModelDocument) -> Estimate | None:
        """The number in a document; None if it has none."""
        numbers = document.slices.get(self.kind, {}).get(self.part, {}) if self.kind else document.columns
        return numbers.get(self.column)


def models_in_rows(documents: Sequence[ModelDocument], title: str, whole: bool, kind: str = "") -> WideTable:
    """The scores of models on one prompt set, under one protocol: a row for each model, a group for each judge.

    The columns are those of the protocol's headline, as in CF-World's Table 2; of a single number they are its parts:
    dimensions in their categories with each category's mean, as in T2I-CoReBench's Table 3, or categories, as in
    R2I-Bench's Table 2. With a `kind` they are the parts of this kind, such as tags, by the protocol's main number.
    `whole`: True for judges' whole names; models have their whole names always.
    """
    notation, judges = protocol(documents[0].protocol).notation, short_names([d.provenance for d in documents], whole)
    of_judge = _part_columns(documents, kind) if kind else _model_columns(documents)
    groups = list(dict.fromkeys(judges))
    columns = [
        (": ".join(filter(None, (judge if len(groups) > 1 else "", own.group))), own.header)
        for judge in groups
        for own in of_judge
    ]
    notes = [_MEANS] if any(own.group for own in of_judge) else []
    table = WideTable(title + (" (%)" if notation is PERCENT else ""), ["model"], columns, notes)
    for document, judge in zip(documents, judges, strict=True):
        doubtful, source = document.verdict == NOT_SUPPORTED or not document.complete, document.provenance
        cells = [WideCell(own.number(document), notation_of(own.column, notation), doubtful) for own in of_judge]
        name = source.generator_name or source.generator
        table.add((name,), cells, document.run, groups.index(judge) * len(of_judge))
    return table


def _part_columns(documents: Sequence[ModelDocument], kind: str) -> list[_ModelColumn]:
    """A column of the main number for each part of a kind; ungated where its parts have no gate."""
    parts = {name: part for document in documents for name, part in document.slices.get(kind, {}).items()}
    main = main_number(documents[0])
    return [
        _ModelColumn("", name, main if main in part else f"ungated_{main}", kind, name) for name, part in parts.items()
    ]


def _model_columns(documents: Sequence[ModelDocument]) -> list[_ModelColumn]:
    """The columns of models' scores; see `models_in_rows`."""
    headline = list(dict.fromkeys(name for document in documents for name in document.headline))
    if len(headline) > 1:
        return [_ModelColumn("", heading(name), name) for name in headline]
    category_of = {name: category for document in documents for name, category in document.category_of.items()}
    categories, dimensions = (
        list(dict.fromkeys(name for document in documents for name in document.slices.get(kind, ())))
        for kind in ("category", "dimension")
    )
    (main,) = headline
    overall = _ModelColumn("", "overall", main)
    if category_of.keys() >= set(dimensions) and 1 < len(categories) < len(dimensions):
        nested = []
        for category in categories:
            inner = [name for name in dimensions if category_of[name] == category]
            nested += [_ModelColumn(category, name, main, "dimension", name) for name in inner]
            nested.append(_ModelColumn(category, "mean", main, "category", category))
        return [*nested, overall]
    kind, names = ("category", categories) if len(categories) > 1 else ("dimension", dimensions)
    return [_ModelColumn("", name, main, kind, name) for name in names if len(names) > 1] + [overall]
