"""JSON and CSV files that somebody else wrote, row by row: a bad row gives a message, never a traceback."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from counterbench.errors import InputError
from counterbench.files import foreign
from counterbench.files.rows import read_rows
from counterbench.interop.oddities import Noted

T = TypeVar("T")

MOST_BYTES = 64_000_000  # of a file; the published ones have 2 million at most
MOST_SIGNS = 20_000  # of a text; the published ones have 2,100 at most
MOST_WEIGHT = 1e6
KEY = "(key)"  # the cell in which a row of `keyed_rows` has its key
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_BROKEN = re.compile("[\0\ud800-\udfff]")


class Unusable(Exception):
    """An object cannot be used; the message gives the reason in our own words, since it names a kind of oddity."""


@dataclass(frozen=True)
class Row:
    """One object of a file."""

    root: Path
    file: Path
    which: str  # its place in the file: "row 3"
    cells: dict[str, Any]

    @property
    def place(self) -> str:
        """The row's file, relative to the release's folder, and its place there."""
        return f"{self.file.relative_to(self.root).as_posix()}, {self.which}"

    @property
    def where(self) -> str:
        """The row's file and its place there, for messages."""
        return f"{self.file}, {self.which}"

    def text(self, key: str) -> str:
        """A text that is not empty, as it stands there; else Unusable."""
        return text(self.cells.get(key), key)

    def name(self, key: str) -> str:
        """An id, which may be a whole number, fit to be part of ours; else Unusable."""
        value = self.cells.get(key)
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value) if 0 <= value < 10**9 else "-"
        if not isinstance(value, str):
            raise Unusable(f"no {key!r}" if value is None else f"{key!r} is no id")
        if not _NAME.fullmatch(value):
            raise Unusable(f"{key!r} is no id (letters, digits, '.', '_', '-')")
        return value

    def name_in_file(self, key: str, ending: str = "") -> str:
        """An id with its file's name (less an ending) before it, where ids begin again in each file; else Unusable."""
        id = f"{self.file.stem.removesuffix(ending).replace(' ', '-')}.{self.name(key)}"
        if not _NAME.fullmatch(id):
            raise Unusable("the file's name is no part of an id")
        return id

    def weight(self, key: str) -> float:
        """A number from 0; else Unusable."""
        value = self.cells.get(key)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MOST_WEIGHT:  # nor NaN
            raise Unusable(f"{key!r} is no number from 0 to {MOST_WEIGHT:.0f}")
        return float(value)


def text(value: object, key: str) -> str:
    """A value under `key` as a text that is not empty; else Unusable."""
    if value is None:
        raise Unusable(f"no {key!r}")
    if not isinstance(value, str):
        raise Unusable(f"{key!r} is no text")
    if not value.strip():
        raise Unusable(f"{key!r} is empty")
    if len(value) > MOST_SIGNS:
        raise Unusable(f"{key!r} has more than {MOST_SIGNS} signs")
    if _BROKEN.search(value):
        raise Unusable(f"{key!r} has a null or half a sign in it")
    return value


def note_others(row: Row, known: Collection[str], id: str, odd: Noted) -> None:
    """Report the keys of a row that an importer does not know, and so does not keep."""
    for key in row.cells:
        if key not in known:
            odd.add("keys that are misspelt or unknown, not kept", f"{id}: {key[:60]}")


def json_files(folder: Path, pattern: str = "**/*.json") -> list[Path]:
    """The JSON files in a folder of the release and below it, by name; InputError if there is none."""
    files = files_in(folder, pattern)
    if not files:
        raise InputError(f"{folder}: has no JSON file")
    return files


def files_in(folder: Path, pattern: str) -> list[Path]:
    """The files in a folder of the release, by name, without hidden ones."""
    named = sorted((path.relative_to(folder).as_posix(), path) for path in folder.glob(pattern))
    return [path for name, path in named if not any(part.startswith(".") for part in name.split("/"))]


def csv_rows(root: Path, file: Path, keys: Sequence[str], odd: Noted, numbers: Collection[str] = ()) -> list[Row]:
    """The rows of a CSV file, without their empty cells; InputError if one of `keys` is in no row.

    `numbers`: the columns whose cells are read as numbers, if they are numbers. A file without a row is reported.
    """
    rows = [
        Row(root, file, f"line {line}", cells | {key: _number(cells.get(key)) for key in numbers})
        for line, cells, _ in read_rows(file)
    ]
    if not rows:
        odd.add("tables without a row", file.relative_to(root).as_posix())
    expect(rows, keys)
    return rows


def _number(cell: str | None) -> float | str | None:
    try:
        return cell and float(cell)
    except ValueError:
        return cell


def list_rows(root: Path, file: Path, keys: Sequence[str], odd: Noted) -> list[Row]:
    """The objects of a file that is a list of objects; InputError if it is not, or if one of `keys` is in no object."""
    rows = _load(file)
    if not isinstance(rows, list):
        raise InputError(f"{file}: is {_kind(rows)}; expected a list of objects with {', '.join(keys)}")
    return _rows(root, file, ((f"row {number}", value) for number, value in enumerate(rows, 1)), keys, odd)


def keyed_rows(root: Path, file: Path, keys: Sequence[str], odd: Noted) -> list[Row]:
    """The objects of a file that is an object of objects, as `list_rows`; each has its own key under `KEY`."""
    rows = _load(file)
    if not isinstance(rows, dict):
        raise InputError(f"{file}: is {_kind(rows)}; expected an object of ids, each an object with {', '.join(keys)}")
    values = (
        (f"{key[:60]!r}", {**value, KEY: key} if isinstance(value, dict) else value) for key, value in rows.items()
    )
    return _rows(root, file, values, keys, odd)


def _rows(root: Path, file: Path, values: Iterable[tuple[str, Any]], keys: Sequence[str], odd: Noted) -> list[Row]:
    rows = []
    for which, value in values:
        row = Row(root, file, which, value if isinstance(value, dict) else {})
        if isinstance(value, dict):
            rows.append(row)
        else:
            odd.add("left out: no object", row.place)
    if not rows:
        raise InputError(f"{file}: has no row; expected objects with {', '.join(keys)}")
    expect(rows, keys)
    return rows


def expect(rows: Sequence[Row], keys: Sequence[str]) -> None:
    """InputError if one of `keys` is in none of the rows of a file: another benchmark, or another version of it."""
    for key in keys:
        if rows and not any(key in row.cells for row in rows):
            has = ", ".join(name[:40] for name in [*rows[0].cells][:12])
            raise InputError(
                f"{rows[0].where}: no {key!r} here or in any row; expected {', '.join(keys)}; it has {has}"
            )


def usable(rows: Iterable[Row], read: Callable[[Row], T], odd: Noted) -> Iterator[T]:
    """The result of reading each row; bad rows are counted and left out. InputError if every row is bad."""
    first = None
    some = False
    for row in rows:
        try:
            result = read(row)
        except Unusable as error:
            first = first or f"{row.where}: {error}; no row of this file can be used"
            odd.add(f"left out: {error}", row.place)
            continue
        some = True
        yield result
    if first and not some:
        raise InputError(first)


def _load(file: Path) -> Any:
    """The value in a file; InputError that names the line if it is no JSON in UTF-8."""
    data = foreign.read_bytes(file, MOST_BYTES)
    try:
        return json.loads(data.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        raise InputError(f"{file}, line {error.lineno}: not valid JSON: {error.msg}") from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{file}, line {line}: not UTF-8 ({error.reason}); is it the published file?") from None
    except (RecursionError, ValueError) as error:  # nested too deeply, or a number of thousands of digits
        raise InputError(f"{file}: not valid JSON: {error}") from None


def _kind(value: object) -> str:
    return "a list" if isinstance(value, list) else "an object" if isinstance(value, dict) else "a single value"
