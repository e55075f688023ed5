"""The rows of a release's tables, as importers read them: a bad row is reported and left out, never a traceback."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from counterbench.errors import InputError
from counterbench.files.data_warnings import Warnings
from counterbench.files.rows import Row, read_rows
from counterbench.prompts.prompt_set import HEAVIEST, Prompt

T = TypeVar("T")

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_BROKEN = re.compile("[\0\ud800-\udfff]")  # a null character, or half a surrogate pair


class Unusable(Exception):
    """A row cannot be used; the message gives the reason in our own words, since it names a kind of warning."""


def read_tables(
    folder: Path, glob: str, keys: Sequence[str], read: Callable[[Row], T], notes: Warnings, order: Sequence[str] = ()
) -> Iterator[T]:
    """Yield `read(row)` for each row of the files in a folder whose paths fit `glob`.

    A row for which `read` raises Unusable is left out and reported in `notes`. Files come in the order of their paths;
    those whose name, or whose folder's name, is in `order` come first, in that order. InputError if there is no file,
    if no row of a file can be used, or if no row of a file has one of `keys`: it is another benchmark or version.
    """
    ranks, last = {name: rank for rank, name in enumerate(order)}, len(order)
    named = sorted((path.relative_to(folder).as_posix(), path) for path in folder.glob(glob))
    files = [path for name, path in named if not any(part.startswith(".") for part in name.split("/"))]
    if not files:
        raise InputError(f"{folder}: has no {glob}")
    for file in sorted(files, key=lambda file: min(ranks.get(part, last) for part in (file.stem, file.parent.name))):
        rows = list(read_rows(file))
        if not rows:
            notes.add("tables without a row", file.relative_to(folder).as_posix())
            continue
        for key in keys:
            if not any(key in row.columns for row in rows):
                raise InputError(
                    f"{rows[0].where}: no {key!r} here or in any row; expected {', '.join(keys)}; it has "
                    f"{', '.join(name[:40] for name in rows[0].columns[:12]) or 'none'}"
                )
        first_error, has_result = "", False
        for row in rows:
            try:
                result = read(row)
            except Unusable as error:
                first_error = first_error or f"{row.where}: {error}; no row of this file can be used"
                notes.add(f"left out: {error}", place_of(row))
                continue
            has_result = True
            yield result
        if first_error and not has_result:
            raise InputError(first_error)


def place_of(row: Row) -> str:
    """The place of a row for a report: the name of its file, and its place in that file."""
    return f"{row.file.name}, {row.place}"


def text(row: Row, key: str) -> str:
    """The text in a cell, unchanged; Unusable if there is none, or it is empty or broken."""
    value = row.values.get(key)
    if value is None:
        raise Unusable(f"no {key!r}")
    if not isinstance(value, str):
        raise Unusable(f"{key!r} is no text")
    if not value.strip():
        raise Unusable(f"{key!r} is empty")
    if _BROKEN.search(value):
        raise Unusable(f"{key!r} has a null character or half a surrogate pair in it")
    return value


def text_if_any(row: Row, key: str, lacking: str, id: str, warnings: Warnings) -> str:
    """The text in a cell; "" if there is none, which is reported: `lacking` is the kind of warning, `id` an example."""
    try:
        return text(row, key)
    except Unusable as error:
        warnings.add(f"{lacking}: {error}", id)
        return ""


def name(row: Row, key: str) -> str:
    """The id in a cell (also a whole number) as a text; Unusable if it could not be a part of our ids."""
    value = row.values.get(key)
    if value is None:
        raise Unusable(f"no {key!r}")
    if isinstance(value, bool | float | list | dict) or not _NAME.fullmatch(str(value)):
        raise Unusable(f"{key!r} is no id (letters, digits, '.', '_', '-')")
    return str(value)


def name_in_file(row: Row, key: str, ending: str = "") -> str:
    """The id "<file>.<cell>", for ids that begin again in each file; `ending` is cut off the file's name.

    Unusable if that could not be a part of our ids.
    """
    id = f"{row.file.stem.removesuffix(ending).replace(' ', '-')}.{name(row, key)}"
    if not _NAME.fullmatch(id):
        raise Unusable("the file's name is no part of an id")
    return id


def weight(row: Row, key: str) -> float:
    """The number in a cell, also if it stands there as a text; Unusable unless it is from 0 to HEAVIEST."""
    value = row.values.get(key)
    try:
        number = float(value) if isinstance(value, int | float | str) and not isinstance(value, bool) else -1.0
    except (ValueError, OverflowError):
        number = -1.0
    if not 0 <= number <= HEAVIEST:  # nor NaN
        raise Unusable(f"{key!r} is no number from 0 to {HEAVIEST}")
    return number


def note_others(row: Row, known: Collection[str], id: str, warnings: Warnings) -> None:
    """Report the keys of a row that are not in `known`, since an importer does not keep them; `id` names the row."""
    others = (key for key in row.values if key not in known)
    warnings.add("keys that are misspelt or unknown, not kept", *(f"{id}: {key[:60]}" for key in others))


def first_of_each_id(prompts: Iterable[Prompt], warnings: Warnings) -> dict[str, Prompt]:
    """The prompts by id. Of several with the same id only the first is kept, and the others are reported."""
    by_id: dict[str, Prompt] = {}
    for prompt in prompts:
        if by_id.setdefault(prompt.id, prompt) is not prompt:
            warnings.add("left out: an id that a prompt before has", prompt.id)
    return by_id
