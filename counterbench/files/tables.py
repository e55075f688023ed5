"""Tables of texts with known columns, as people write them: labels, mappings. Row by row, each with its place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from counterbench.errors import InputError
from counterbench.files.rows import read_rows

SUFFIXES = (".csv", ".jsonl")


class Row(dict[str, str]):
    """A row's cells by column, without the blanks around them; "" for what the row or the table has not.

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


def read_table(path: Path, needed: Sequence[str], optional: Sequence[str] = ()) -> Iterator[Row]:
    """The rows of a CSV or JSON Lines file; other columns are left out.

    InputError, naming file and line: a column of `needed` is not there, or the file is damaged.
    """
    for row in read_rows(path):
        if path.suffix.lower() == ".csv" and (missing := [name for name in needed if name not in row.columns]):
            raise InputError(
                f"{path}, line 1: needs the columns {', '.join(missing)}; its first line names {', '.join(row.columns)}"
            )
        cells = {name: str(row.values.get(name, "")).strip() for name in (*needed, *optional)}
        if any(cells.values()):
            yield Row(cells, f"{path}, line {row.line}")
