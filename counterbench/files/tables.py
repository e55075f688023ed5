"""Rows of CSV and JSONL files by others, one at a time, each with its line; tables of texts with known columns.

People write the tables (labels, mappings): a column that is missing or misspelt is an error.
"""

import csv
import difflib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from counterbench.errors import InputError, unknown
from counterbench.files import foreign, formats

_BOM = b"\xef\xbb\xbf"


class Row(NamedTuple):
    """The values of one row by column, without empty cells (in JSON: null); `line`: its line in the file, from 1.

    `columns`: the names of all its cells.
    """

    line: int
    values: dict[str, Any]
    columns: Sequence[str]


def read_rows(path: Path) -> Iterator[Row]:
    """The rows of a file as they are read; InputError names the line and the remedy.

    By its suffix it is CSV (with commas, in UTF-8, columns named in the first line) or JSONL (one object in each line).
    """
    if path.is_dir():
        raise InputError(f"{path}: is a folder; name the file in it that has the rows ({path}/metadata.jsonl, say)")
    foreign.size_of(path)
    match path.suffix.lower():
        case ".csv":
            return _csv(path)
        case ".jsonl" | ".ndjson":
            return _jsonl(path)
    raise InputError(f"{path}: is read as CSV or JSONL by the end of its name; call it …csv or …jsonl, whichever it is")


def _csv(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.reader(file, strict=True)
        line = 1
        try:
            names = _names(path, next(reader, []))
            for cells in reader:
                first, line = line + 1, reader.line_num
                if not any(cells):
                    continue
                if len(cells) != len(names):
                    raise InputError(
                        f"{path}, line {first}: has {len(cells)} cells, the first line names {len(names)} columns; a "
                        "cell with a comma or a line end in it stands between double quotes"
                    )
                yield Row(first, {name: cell for name, cell in zip(names, cells, strict=True) if cell != ""}, names)
        except csv.Error as error:
            raise InputError(f"{path}, line {reader.line_num}: not valid CSV: {error}") from None
        except UnicodeDecodeError as error:
            raise InputError(f"{path}, after line {reader.line_num}: not UTF-8 ({error.reason}); save it so") from None


def _names(path: Path, cells: list[str]) -> list[str]:
    """The columns' names; InputError if there are none, one occurs twice, or the separator is no comma."""
    names = [cell.strip() for cell in cells]
    for sign, called in ((";", "semicolons"), ("\t", "tabs")):
        if len(names) == 1 and sign in names[0]:
            raise InputError(f"{path}, line 1: its columns are separated by {called}; save it with commas")
    if not any(names):
        raise InputError(f"{path}: has no first line with the names of its columns")
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"{path}, line 1: two columns are called {name!r}; rename one")
    return names


def _jsonl(path: Path) -> Iterator[Row]:
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            text = line.removeprefix(_BOM).strip() if number == 1 else line.strip()
            if not text:
                continue
            if number == 1 and text.startswith(b"["):
                raise InputError(f"{path}: is one JSON array; write an object a line (jq -c '.[]' FILE does)")
            values = formats.decode(text, dict[str, Any], f"{path}, line {number}")
            yield Row(number, {name: value for name, value in values.items() if value is not None}, [*values])


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
            _refuse_misspelt(new, (*needed, *optional), row.columns, f"{path}, line {row.line}")
            seen |= new
        if path.suffix.lower() == ".csv" and (missing := [name for name in needed if name not in row.columns]):
            raise InputError(
                f"{path}, line 1: needs the columns {', '.join(missing)}; its first line names {', '.join(row.columns)}"
            )
        cells = {name: _text(row.values.get(name, "")) for name in (*needed, *optional)}
        if any(cells.values()):
            yield Cells(cells, f"{path}, line {row.line}")


def _text(value: Any) -> str:
    return ";".join(map(str, value)) if isinstance(value, list) else str(value).strip()


def _refuse_misspelt(present: set[str], known: Sequence[str], columns: Sequence[str], where: str) -> None:
    """InputError for an unknown column whose name is similar to that of a missing one."""
    for name in sorted(present - {*known}):
        near = difflib.get_close_matches(name.strip().casefold(), known, n=1, cutoff=0.85)
        if near and near[0] not in columns:
            raise unknown("column", name, known, where)
