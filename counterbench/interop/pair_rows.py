"""A row of somebody's own pairs as a pair of ours: its columns, its answers' type, where its pictures lie."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from counterbench.errors import InputError
from counterbench.files import foreign
from counterbench.files.rows import Row, read_rows
from counterbench.interop.oddities import RELEVANCE
from counterbench.interop.pair_answers import ANSWERS, plain, typed
from counterbench.scene.pairs import ROLES, Pair
from counterbench.suites.folder import picture_name

REQUIRED = (*ROLES, "question", *ANSWERS)
OPTIONAL = ("id", "category", "skill", "family", "answer_type", "relevant")
# The names of the pictures' columns in our own metadata.jsonl, which are those of Hugging Face's imagefolder.
_FILE_NAMES = {f"{role}_file_name": role for role in ROLES}
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|data:")
# The most different words of a column that a diagnosis tries, and the most signs of each.
_MOST_WORDS, _LONGEST_WORDS = 20, 60
_WHOLE = 2**53  # a whole number below this stays an integer
_LONGEST_NAME = 200  # signs of an id or family as a file's name; file systems take 255


class Item(NamedTuple):
    """A row as a pair."""

    line: int
    pair: Pair
    files: tuple[Path, Path]  # of its pictures
    beside: dict[str, Any]  # its other columns
    why: str = ""  # the reason why it is left out; "" if it is not
    odd: str = ""  # another oddity, in words

    @property
    def label(self) -> str:
        """The row's line and its pair's id."""
        return f"line {self.line} ({self.pair.id})"


def read_items(file: Path) -> Iterator[Item]:
    """The rows of a file of pairs; InputError names the line, the column and what to do.

    A fault of a single row (no answer, no picture, an id that is taken) is no error: the row is left out.
    """
    seen: set[str] = set()
    for number, row in enumerate(read_rows(file), 1):
        row = row._replace(values=_renamed(file, row))
        if number == 1:
            _refuse_columns(file, row)
        item = _item(file, number, row)
        if not item.why and item.pair.id in seen:
            item = item._replace(why="the id is taken by a row further up")
        if not item.why:
            seen.add(item.pair.id)
        yield item


def with_columns(items: list[Item]) -> tuple[list[Item], list[str]]:
    """The items, their pairs with the columns that a diagnosis compares with errors; and all other columns' names.

    A diagnosis takes the columns with a number in every cell, or with a few different words.
    """
    cells: dict[str, list[Any]] = {}
    for item in items:
        for name, value in item.beside.items():
            cells.setdefault(name, []).append(value)
    numbers = {name for name, values in cells.items() if all(_number(value) is not None for value in values)}
    words = {name for name, values in cells.items() if name not in numbers and _are_few_words(values)}
    tried = []
    for item in items:
        measured = {name: _number(value) or 0 for name, value in item.beside.items() if name in numbers}
        traits = {name: _cell(value) for name, value in item.beside.items() if name in words}
        pair = msgspec.structs.replace(item.pair, difficulty=measured, traits=traits or msgspec.UNSET)
        tried.append(item._replace(pair=pair))
    return tried, [name for name in cells if name not in numbers | words]


def _are_few_words(values: list[Any]) -> bool:
    if any(isinstance(value, dict | list) or len(_cell(value)) > _LONGEST_WORDS for value in values):
        return False
    return len(set(map(_cell, values))) <= _MOST_WORDS


def _number(value: Any) -> int | float | None:
    """A cell as a finite number; None if it is none."""
    try:
        number = value if isinstance(value, int | float) else float(value)
        if isinstance(value, bool) or not math.isfinite(number):
            return None
    except (TypeError, ValueError, OverflowError):
        return None
    return int(number) if number == int(number) and abs(number) < _WHOLE else number


def _cell(value: Any) -> str:
    """A cell as words."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value).strip()


def _renamed(file: Path, row: Row) -> dict[str, Any]:
    for name, role in _FILE_NAMES.items():
        if name in row.values and role in row.values:
            raise InputError(f"{file}, line {row.line}: has both {role!r} and {name!r}; keep one of the two columns")
    return {_FILE_NAMES.get(name, name): value for name, value in row.values.items()}


def _refuse_columns(file: Path, row: Row) -> None:
    """InputError if a column is missing in the first row."""
    columns = [_FILE_NAMES.get(name, name) for name in row.columns]
    missing = [name for name in REQUIRED if name not in columns]
    if missing:
        others = [name for name in columns if name not in REQUIRED + OPTIONAL]
        rename = f"; rename those of {', '.join(map(repr, others))} that are meant" if others else ""
        raise InputError(
            f"{file}, line {row.line}: has no {', '.join(map(repr, missing))}{rename}; a pair needs the columns "
            f"{', '.join(REQUIRED)}, and may have {', '.join(OPTIONAL)}"
        )


def _item(file: Path, number: int, row: Row) -> Item:
    values, place = row.values, f"{file}, line {row.line}"
    said = {
        name: _words(values[name], f"{place}, column {name!r}") for name in (*REQUIRED, *OPTIONAL) if name in values
    }
    category = said.get("category") or said.get("skill") or said.get("family") or "pairs"
    pair = Pair(
        id=said.get("id") or f"{number:06d}",
        index=0,
        family=said.get("family") or category,
        category=category,
        skill=said.get("skill") or category,
        stratum="published",
        form="open",
        question=said.get("question", ""),
        answer_type="text",
        original_answer="",
        intervened_answer="",
        relevant=False,
        truth="published",
        intervention="",
        difficulty={},
    )
    _, family, named = picture_name(pair, "").split("/")
    for column, part in (("family", family), ("id", named)):
        if len(part) > _LONGEST_NAME:
            raise InputError(f"{place}: its {column} is too long for the name of a file; shorten it")
    names = [said.get(role, "") for role in ROLES]
    files = [_file(file, name, f"{place}, column {role!r}") for role, name in zip(ROLES, names, strict=True)]
    item = Item(row.line, pair, (files[0], files[1]), {n: v for n, v in values.items() if n not in REQUIRED + OPTIONAL})
    if not pair.question:
        return item._replace(why="no question")
    for name in ANSWERS:
        if not said.get(name):
            return item._replace(why=f"no {name}")
    kind, answers = typed(said, place)
    for name, answer in zip(ANSWERS, answers, strict=True):
        if not answer:
            return item._replace(why=f"its {name} is none that a reply could be held against: {said[name][:60]!r}")
    pair = msgspec.structs.replace(
        pair,
        form="yes-no" if kind == "yes-no" else "open",
        answer_type=kind,
        original_answer=answers[0],
        intervened_answer=answers[1],
        relevant=answers[0] != answers[1],
    )
    claimed = {"yes": True, "no": False, "1": True, "0": False}.get(plain(said.get("relevant", "")))
    odd = f"relevant {RELEVANCE}, which decide" if claimed not in (None, pair.relevant) else ""
    for role, name, path in zip(ROLES, names, files, strict=True):
        if not name or not path.is_file():
            gone = name or "no name"
            return item._replace(pair=pair, odd=odd, why=f"the {role} picture is not there: {gone}")
    return item._replace(pair=pair, odd=odd)


def _words(value: Any, place: str) -> str:
    """A cell as text; InputError for a list or an object."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, str | int | float):
        raise InputError(f"{place}: {str(value)[:60]!r} is neither text nor a number")
    return str(value).strip()


def _file(file: Path, name: str, place: str) -> Path:
    """A picture's file, there or not; InputError if it is on the net or outside the folder that `file` lies in."""
    if _URL.match(name):
        raise InputError(f"{place}: {name[:80]!r} is an address; download the pictures and name the files")
    try:
        return foreign.inside(file.parent, name, place) if name else file.parent
    except InputError as error:
        raise InputError(
            f"{error}; pictures lie in the folder of {file.name}, or below it, and are named from there: copy them"
        ) from None
