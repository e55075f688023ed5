"""Tables of texts with known columns that people write (labels, mappings), row by row, each with its place."""

import difflib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from counterbench.errors import InputError, unknown
from counterbench.files.rows import read_rows

SUFFIXES = (".csv", ".jsonl")


class Cells(dict[str, str]):
    """A row's cells by column, without blanks around them; "" for a cell that the row or the table lacks.

    A list in JSON becomes its items with ";" between them.

    `where` names file and line.
    """

    def __init__(self, cells: dict[str, str], where: str) -> None:
        super().__init__(cells)
        self.where = where

    def filled(self, column: str) -> str:
        """A cell that must not be empty; InputError if it is."""
        if not self[column]:
            raise InputError(f"{self.where}, column {column!r}: it is empty")
        return self[column]


def read_table(path: Path, needed: Sequence[str], optional: Sequence[str] = ()) -> Iterator[Cells]:
    """The rows of a CSV or JSON Lines file; other columns are left out.

    InputError with file and line: a column of `needed` is missing, one of `optional` is misspelt, or the file is
    damaged.
    """
    seen: set[str] = set()
    for row in read_rows(path):
        if new := {*row.columns} - seen:
            _refuse_misspelt(new, (*needed, *optional), row.columns, row.where)
            seen |= new
        if path.suffix.lower() in (".csv", ".tsv") and (
            missing := [name for name in needed if name not in row.columns]
        ):
            raise InputError(
                f"{path}, line 1: needs the columns {', '.join(missing)}; its first line names {', '.join(row.columns)}"
            )
        cells = {name: _text(row.values.get(name, "")) for name in (*needed, *optional)}
        if any(cells.values()):
            yield Cells(cells, row.where)


def _text(value: Any) -> str:
    return ";".join(map(str, value)) if isinstance(value, list) else str(value).strip()


def _refuse_misspelt(present: set[str], known: Sequence[str], columns: Sequence[str], where: str) -> None:
    """InputError for an unknown column whose name is similar to that of a missing one."""
    for name in sorted(present - {*known}):
        near = difflib.get_close_matches(name.strip().casefold(), known, n=1, cutoff=0.85)
        if near and near[0] not in columns:
            raise unknown("column", name, known, where)
