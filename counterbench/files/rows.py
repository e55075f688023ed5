"""Reads tables that users bring (CSV, TSV, JSONL, JSON, Parquet, a list of prompts), one row at a time.

In goes the path of a file or folder; out come `Row`s, each with its cells by column and its place for messages.
`read_rows` gives all rows, `renamed_rows` renames columns, `read_columns` also checks which columns there are. Prompt
sets, labels and imported replies are read so. An error names the line and the remedy.

A private function for each format (`_READERS`) yields rows, and an InputError in place of a row that is broken by
itself; `_checked_rows` then raises or notes these. Sizes are limited, since the files may come from strangers.
"""

import csv
import difflib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from counterbench.errors import InputError, errors_noted, unknown
from counterbench.files import foreign, formats
from counterbench.files.installation import needed

# The ends of the names of files that are read.
SUFFIXES = (".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".parquet")
LIST = ".txt"  # the end of the name of a file with one prompt in each line, and nothing else
MAX_BYTES = 256_000_000  # of a file that is read whole: JSON, or a list of prompts
_BOM = b"\xef\xbb\xbf"
_BATCH = 1_000  # rows of Parquet that are read at once, at most
_NUMBERED_BY_ROW = (".json", ".parquet")  # files in which a place is a row's number, since they have no lines


class Row(NamedTuple):
    """One row of a table."""

    line: int  # its line in `file`, from 1; in JSON and Parquet the number of the row
    values: dict[str, Any]  # its cells by column, without empty ones (in JSON: null)
    columns: Sequence[str]  # the names of all columns, also of those in which its cell is empty
    file: Path

    @property
    def place(self) -> str:
        """The place of the row in its file: "line 3"."""
        return f"{'row' if self.file.suffix.lower() in _NUMBERED_BY_ROW else 'line'} {self.line}"

    @property
    def where(self) -> str:
        """The file of the row and its place there: "FILE, line 3"."""
        return f"{self.file}, {self.place}"

    def text(self, column: str) -> str:
        """The text of a cell without blanks around it; "" if it is empty; the items of a list with ";" between them."""
        value = self.values.get(column, "")
        return ";".join(map(str, value)) if isinstance(value, list) else str(value).strip()

    def filled(self, column: str) -> str:
        """The text of a cell that must not be empty; InputError if it is."""
        if not (text := self.text(column)):
            raise InputError(f"{self.where}, column {column!r}: it is empty")
        return text


def words_of(cell: Any) -> str:
    """A cell as a text; a truth value is "yes" or "no"."""
    return str({True: "yes", False: "no"}[cell] if isinstance(cell, bool) else cell)


def read_rows(path: Path, faults: dict[str, str] | None = None) -> Iterator[Row]:
    """The rows of a file as they are read; InputError names the line and the remedy.

    `faults`: a dict that gets a note for each row that cannot be read (by the place of the row), which is then left
    out. Without `faults` such a row is an error.

    The suffix says what the file is: CSV (with commas, in UTF-8, columns named in the first line), TSV (the same with
    tabs), JSONL (one object in each line), JSON (an array of objects, or an object of objects, whose keys are their
    `id`), Parquet, or a text file with a prompt a line. In a folder, as Hugging Face has them, the file is `metadata`
    (in it or in its `data`), or all its Parquet files by name.
    """
    if path.is_dir():
        return (row for file in tables_in(path) for row in read_rows(file, faults))
    foreign.size_of(path)
    if read := _READERS.get(path.suffix.lower()):
        return _checked_rows(read(path), faults)
    raise InputError(f"{path}: unknown kind of table; its name must end in .csv, .tsv, .jsonl, .json, .parquet or .txt")


def _checked_rows(rows: Iterator[Row | InputError], faults: dict[str, str] | None) -> Iterator[Row]:
    """Yield the good rows; InputError for a row that is an error, for one with a NUL, and for too many columns.

    With `faults`, a row that is an error or has a NUL is noted there and left out.
    """
    column_names, last_columns = set[str](), None
    for row in rows:
        if isinstance(row, InputError):
            with errors_noted(faults, str(row)):
                raise row
            continue
        if row.columns is not last_columns:
            column_names.update(row.columns)
            foreign.refuse_columns(row.where, len(column_names))
            last_columns = row.columns
        with errors_noted(faults, row.where):
            for name, value in row.values.items():
                if _has_nul(value):
                    raise InputError(f"{row.where}, column {name!r}: has a NUL, which no text has; take it out")
            yield row


def _has_nul(value: Any) -> bool:
    """True if a value, or a text within it, has a NUL."""
    if isinstance(value, str):
        return "\0" in value
    if isinstance(value, dict):
        return any(map(_has_nul, value)) or any(map(_has_nul, value.values()))
    return isinstance(value, list) and any(map(_has_nul, value))


def renamed_rows(path: Path, columns: Mapping[str, str]) -> Iterator[Row]:
    """The rows of `read_rows`, with some columns renamed.

    `columns`: by our name of a column, its name in the file. Another column of the file that has one of our names by
    chance is called "NAME (theirs)". InputError if a row lacks one of the file's columns in `columns`.
    """
    ours = {theirs: name for name, theirs in columns.items()}  # our name by the file's
    for row in read_rows(path):
        if lacking := [theirs for theirs in ours if theirs not in row.columns]:
            raise InputError(f"{row.where}: --columns names {lacking[0]!r}; the columns are {', '.join(row.columns)}")
        given_away = {name for name in columns if name not in ours}  # our names, each now the name of another column
        names = [ours.get(name, f"{name} (theirs)" if name in given_away else name) for name in row.columns]
        by_name = dict(zip(row.columns, names, strict=True))
        yield row._replace(columns=names, values={by_name.get(name, name): row.values[name] for name in row.values})


def read_columns(
    path: Path, required: Sequence[str], optional: Sequence[str] = (), columns: Mapping[str, str] = {}
) -> Iterator[Row]:
    """The rows of `renamed_rows` that have a text in any `required` or `optional` column; other rows are left out.

    InputError, with file and line, if a CSV or TSV file lacks a required column, or if a column's name looks like a
    misspelling of one of these columns. In other formats a row may lack any column.
    """
    known, checked_names = (*required, *optional), set[str]()
    for row in renamed_rows(path, columns):
        for name in {*row.columns} - {*known} - checked_names:
            checked_names.add(name)
            near = difflib.get_close_matches(name.strip().casefold(), known, n=1, cutoff=0.85)
            if near and near[0] not in row.columns:
                raise unknown("column", name, known, row.where)
        missing = [name for name in required if name not in row.columns]
        if missing and path.suffix.lower() in (".csv", ".tsv"):
            raise InputError(
                f"{path}, line 1: needs the columns {', '.join(missing)}; its first line names {', '.join(row.columns)}"
            )
        if any(map(row.text, known)):
            yield row


def tables_in(folder: Path) -> list[Path]:
    """The files of a folder that hold its rows; InputError if there is none, or if it is not clear which is meant."""
    for place in (folder, folder / "data"):
        metadata = [file for suffix in SUFFIXES if (file := place / f"metadata{suffix}").is_file()]
        if len(metadata) > 1:
            raise InputError(f"{folder}: has {' and '.join(file.name for file in metadata)}; name the one to read")
        if files := metadata or sorted(place.glob("*.parquet")):
            return files
    raise InputError(
        f"{folder}: is a folder without metadata.csv, metadata.jsonl or *.parquet, also in its data/; name the file in "
        "it that has the rows"
    )


def has_table(folder: Path) -> bool:
    """True if it is clear which files of a folder hold its rows (`tables_in`)."""
    try:
        return bool(tables_in(folder))
    except InputError:
        return False


def _csv(path: Path, separator: str = ",") -> Iterator[Row | InputError]:
    """The rows of a CSV or TSV file; an InputError in place of a row that is broken by itself.

    The InputError is raised if the fault makes later rows doubtful too: an open quote, or another number of cells.
    """
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.reader(file, strict=True, delimiter=separator)
        try:
            names = _column_names(path, next(reader, []))
            while True:
                first = reader.line_num + 1
                try:
                    cells = next(reader)
                except StopIteration:
                    return
                except csv.Error as error:
                    if reader.line_num > first:  # an open quote took in lines that may be good rows
                        raise
                    yield InputError(f"{path}, line {first}: not valid CSV: {error}")
                    continue
                if not any(cells):
                    continue
                if len(cells) != len(names):
                    name = "comma" if separator == "," else "tab"
                    raise InputError(
                        f"{path}, line {first}: has {len(cells)} cells, the first line names {len(names)} columns; a "
                        f"cell with a {name} or a line end in it stands between double quotes"
                    )
                values = {name: cell for name, cell in zip(names, cells, strict=True) if cell != ""}
                yield Row(first, values, names, path)
        except csv.Error as error:
            raise InputError(f"{path}, line {reader.line_num}: not valid CSV: {error}") from None
        except UnicodeDecodeError:
            raise _not_utf8(path, foreign.read_bytes(path, MAX_BYTES)) from None


def _not_utf8(path: Path, data: bytes) -> InputError:
    """The error for a file whose bytes, `data`, are not all UTF-8; it names the line of the first that are not."""
    try:
        data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return InputError(f"{path}, line {line}: not UTF-8 ({error.reason}); save it as UTF-8")
    return InputError(f"{path}: not UTF-8; save it as UTF-8")


def _column_names(path: Path, cells: list[str]) -> list[str]:
    """The columns' names from the first line; InputError if there are none, two are equal, or a separator is wrong."""
    foreign.refuse_columns(f"{path}, line 1", len(cells))
    names = [cell.strip() for cell in cells]
    for separator, advice in ((";", "semicolons; save it with commas"), ("\t", "tabs; call it …tsv")):
        if len(names) == 1 and separator in names[0]:
            raise InputError(f"{path}, line 1: its columns are separated by {advice}")
    if not any(names):
        raise InputError(f"{path}: has no first line with the names of its columns")
    if twice := [name for name, count in Counter(names).items() if count > 1]:
        raise InputError(f"{path}, line 1: two columns are called {twice[0]!r}; rename one")
    return names


def _jsonl(path: Path) -> Iterator[Row | InputError]:
    """The rows of a JSON Lines file; an InputError in place of a line that is broken."""
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            text = line.removeprefix(_BOM).strip() if number == 1 else line.strip()
            if not text:
                continue
            if number == 1 and text.startswith(b"["):
                raise InputError(f"{path}: is one JSON array; call it …json, or write an object a line")
            try:
                values = formats.decode(text, dict[str, Any], f"{path}, line {number}")
            except InputError as error:
                yield error
            else:
                yield _row(path, number, values)


def _json(path: Path) -> Iterator[Row | InputError]:
    """The rows of a JSON array, or of an object of objects by id; an InputError for an item that is no object."""
    items = _read_json(path)
    if isinstance(items, dict) and all(isinstance(item, dict) for item in items.values()):
        items = [{"id": key, **item} for key, item in items.items()]
    if not isinstance(items, list):
        raise InputError(f"{path}: is no array of objects, [{{…}}, {{…}}]")
    for number, item in enumerate(items, 1):
        error = InputError(f"{path}, row {number}: is no object, {{…}}")
        yield _row(path, number, item) if isinstance(item, dict) else error


def _list(path: Path) -> Iterator[Row]:
    """The lines of a text file, each a row with a prompt."""
    data = foreign.read_bytes(path, MAX_BYTES)
    try:
        lines = data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise _not_utf8(path, data) from None
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield Row(number, {"prompt": line}, ("prompt",), path)


def _parquet(path: Path) -> Iterator[Row]:
    """The rows of a Parquet file, read in batches; InputError if it is not valid."""
    arrow, parquet = (needed(module, "Parquet", "export") for module in ("pyarrow", "pyarrow.parquet"))
    try:
        with parquet.ParquetFile(path) as file:
            all_values = (values for batch in _batches(path, file) for values in batch.to_pylist())
            yield from (_row(path, number, values) for number, values in enumerate(all_values, 1))
    except arrow.ArrowException as error:
        raise InputError(f"{path}: not valid Parquet: {error}") from None


def _batches(path: Path, file: Any) -> Iterator[Any]:
    """The record batches of an open Parquet `file`; InputError if it is too large unpacked, or says that it will be.

    Parquet may store a value once that many rows have, so a small file may become large. A batch has so few rows that
    it stays within `foreign.MAX_UNPACKED_BYTES` even if each of them holds the largest column chunk.
    """
    metadata = file.metadata
    foreign.refuse_columns(str(path), metadata.num_columns)
    size, largest = 0, 1
    for group in map(metadata.row_group, range(metadata.num_row_groups)):
        for column in map(group.column, range(metadata.num_columns)):
            size += column.total_uncompressed_size + foreign.MIN_BYTES_PER_VALUE * column.num_values
            largest = max(largest, column.total_uncompressed_size)
    foreign.refuse_unpacked(path, size)
    size = 0
    for batch in file.iter_batches(max(1, min(_BATCH, foreign.MAX_UNPACKED_BYTES // largest))):
        size += batch.nbytes + foreign.MIN_BYTES_PER_VALUE * batch.num_rows
        foreign.refuse_unpacked(path, size)
        yield batch


_READERS: dict[str, Callable[[Path], Iterator[Row | InputError]]] = {
    ".csv": _csv, ".tsv": partial(_csv, separator="\t"), ".jsonl": _jsonl, ".ndjson": _jsonl, ".json": _json,
    ".parquet": _parquet, LIST: _list,
}  # fmt: skip


def _row(path: Path, number: int, values: dict[str, Any]) -> Row:
    """The row of a JSON object or a Parquet record; cells that are null are left out."""
    return Row(number, {name: value for name, value in values.items() if value is not None}, [*values], path)


def _read_json(path: Path) -> Any:
    """The value in a JSON file by others; InputError that names the line if it is not valid, or has too many bytes."""
    data = foreign.read_bytes(path, MAX_BYTES)
    try:
        return json.loads(data.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        raise InputError(f"{path}, line {error.lineno}: not valid JSON: {error.msg}") from None
    except UnicodeDecodeError:
        raise _not_utf8(path, data) from None
    except (RecursionError, ValueError) as error:  # nested too deeply, or a number of thousands of digits
        raise InputError(f"{path}: not valid JSON: {error}") from None
