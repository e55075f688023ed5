"""Tables that people write: CSV with a line of names, or JSON Lines. Row by row, each with its place."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from counterbench.errors import InputError
from counterbench.files import foreign, formats

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
    """The rows of a file that ends in .jsonl (an object a line), or else of a CSV; other columns are left out.

    InputError, naming file and line: a column of `needed` is not there or there twice, or the file is damaged.
    """
    if path.suffix.lower() == ".jsonl":
        return _json_rows(path, (*needed, *optional))
    return _csv_rows(path, needed, optional)


def _json_rows(path: Path, columns: Sequence[str]) -> Iterator[Row]:
    for number, line in formats.numbered_lines(path, dict[str, Any]):
        cells = {name: "" if line.get(name) is None else str(line[name]).strip() for name in columns}
        yield Row(cells, f"{path}, line {number}")


def _csv_rows(path: Path, needed: Sequence[str], optional: Sequence[str]) -> Iterator[Row]:
    try:
        text = foreign.read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text ({error.reason} at byte {error.start}); save it as UTF-8") from None
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = [name.strip() for name in next(reader, [])]
        missing = [name for name in needed if header.count(name) != 1]
        if missing or any(header.count(name) > 1 for name in optional):
            wrong = missing or [name for name in optional if header.count(name) > 1]
            raise InputError(
                f"{path}, line 1: needs one column {' and one '.join(map(repr, wrong))}; its first line must name "
                f"the columns {', '.join(needed)}, separated by commas"
            )
        for cells in reader:
            if any(cell.strip() for cell in cells):
                given = dict(zip(header, cells, strict=False))
                stripped = {name: given.get(name, "").strip() for name in (*needed, *optional)}
                yield Row(stripped, f"{path}, line {reader.line_num}")
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: not valid CSV: {error}") from None
