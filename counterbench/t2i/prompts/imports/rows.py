"""JSON and CSV files that somebody else wrote, row by row: a bad row gives a message, never a traceback."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from counterbench.errors import InputError
from counterbench.files.rows import read_json, read_rows
from counterbench.interop.imported import Noted
from counterbench.t2i.prompts.prompt_set import Prompt

T = TypeVar("T")

MOST_BYTES = 64_000_000  # of a file; the published ones have 2 million at most
MOST_WEIGHT = 1e6
KEY = "(key)"  # the cell in which a row of an object of objects has its key
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_BROKEN = re.compile("[\0\ud800-\udfff]")


class Unusable(Exception):
    """An object cannot be used; the message gives the reason in our own words, since it names a kind of warning."""


@dataclass(frozen=True)
class Row:
    """One object of a file; `odd` gets the report on it."""

    root: Path  # the release's folder
    file: Path
    which: str  # its place in the file: "row 3"
    cells: dict[str, Any]
    odd: Noted

    @property
    def place(self) -> str:
        """The row's file, relative to the release's folder, and its place there."""
        return f"{self.file.relative_to(self.root).as_posix()}, {self.which}"

    def text(self, key: str) -> str:
        """A text that is not empty, as it stands there; else Unusable."""
        value = self.cells.get(key)
        if value is None:
            raise Unusable(f"no {key!r}")
        if not isinstance(value, str):
            raise Unusable(f"{key!r} is no text")
        if not value.strip():
            raise Unusable(f"{key!r} is empty")
        if _BROKEN.search(value):
            raise Unusable(f"{key!r} has a null or half a sign in it")
        return value

    def text_if_any(self, key: str, lacking: str, id: str) -> str:
        """A text; "" where there is none, which is reported as `lacking` of `id`."""
        try:
            return self.text(key)
        except Unusable as error:
            self.odd.add(f"{lacking}: {error}", id)
            return ""

    def name(self, key: str) -> str:
        """An id, which may be a whole number, fit to be part of ours; else Unusable."""
        value = self.cells.get(key)
        if value is None:
            raise Unusable(f"no {key!r}")
        if isinstance(value, bool | float | list | dict) or not _NAME.fullmatch(str(value)):
            raise Unusable(f"{key!r} is no id (letters, digits, '.', '_', '-')")
        return str(value)

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

    def note_others(self, known: Collection[str], id: str) -> None:
        """Report the keys that an importer does not know, and so does not keep."""
        for key in self.cells:
            if key not in known:
                self.odd.add("keys that are misspelt or unknown, not kept", f"{id}: {key[:60]}")


def files_in(folder: Path, pattern: str = "**/*.json") -> list[Path]:
    """The files in a folder of the release, by name, without hidden ones; InputError if there is none."""
    named = sorted((path.relative_to(folder).as_posix(), path) for path in folder.glob(pattern))
    files = [path for name, path in named if not any(part.startswith(".") for part in name.split("/"))]
    if not files:
        raise InputError(f"{folder}: has no {pattern}")
    return files


def csv_rows(root: Path, file: Path, keys: Sequence[str], odd: Noted, numbers: Collection[str] = ()) -> list[Row]:
    """The rows of a CSV file, without their empty cells; InputError if one of `keys` is in no row.

    `numbers`: the columns whose cells are read as numbers, if they are numbers. A file without a row is reported.
    """
    rows = [
        Row(root, file, f"line {row.line}", row.values | {key: _number(row.values.get(key)) for key in numbers}, odd)
        for row in read_rows(file)
    ]
    if not rows:
        odd.add("tables without a row", file.relative_to(root).as_posix())
        return []
    return expect(rows, keys)


def _number(cell: str | None) -> float | str | None:
    try:
        return cell and float(cell)
    except ValueError:
        return cell


def json_rows(root: Path, file: Path, keys: Sequence[str], odd: Noted, keyed: bool = False) -> list[Row]:
    """The objects of a file that is a list of objects; InputError if it is not, or if one of `keys` is in no object.

    `keyed`: it is an object of objects, and each has its own key under `KEY`. Other items become rows without cells.
    """
    items = read_json(file, MOST_BYTES)
    if keyed and isinstance(items, dict):
        named = [(f"{key[:60]!r}", {**of, KEY: key} if isinstance(of, dict) else {}) for key, of in items.items()]
    elif not keyed and isinstance(items, list):
        named = [(f"row {number}", of if isinstance(of, dict) else {}) for number, of in enumerate(items, 1)]
    else:
        raise InputError(f"{file}: is no {'object' if keyed else 'list'} of objects with {', '.join(keys)}")
    return expect([Row(root, file, which, cells, odd) for which, cells in named], keys, str(file))


def expect(rows: list[Row], keys: Sequence[str], where: str = "") -> list[Row]:
    """The rows; InputError if one of `keys` is in none of them: another benchmark, or another version of it."""
    if not rows:
        raise InputError(f"{where}: has no row; expected {', '.join(keys)}")
    for key in keys:
        if not any(key in row.cells for row in rows):
            has = ", ".join(name[:40] for name in [*rows[0].cells][:12])
            raise InputError(
                f"{rows[0].file}, {rows[0].which}: no {key!r} here or in any row; expected {', '.join(keys)}; it has "
                f"{has or 'none'}"
            )
    return rows


def usable(rows: Iterable[Row], read: Callable[[Row], T]) -> Iterator[T]:
    """The result of reading each row; bad rows are reported and left out. InputError if every row is bad."""
    first = None
    some = False
    for row in rows:
        try:
            result = read(row)
        except Unusable as error:
            first = first or f"{row.file}, {row.which}: {error}; no row of this file can be used"
            row.odd.add(f"left out: {error}", row.place)
            continue
        some = True
        yield result
    if first and not some:
        raise InputError(first)


def once(prompts: Iterable[Prompt], odd: Noted) -> dict[str, Prompt]:
    """The prompts by id; only the first of those with the same id, the others are reported."""
    by_id: dict[str, Prompt] = {}
    for prompt in prompts:
        if by_id.setdefault(prompt.id, prompt) is not prompt:
            odd.add("left out: an id that a prompt before has", prompt.id)
    return by_id
