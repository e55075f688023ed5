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
# What our own metadata.jsonl calls the pictures, as Hugging Face's imagefolder does.
_FILE_NAMES = {f"{role}_file_name": role for role in ROLES}
# Other names that people give to columns: named in the error, never taken silently.
_ONE = r"(image|img|picture|path|file)?_?(original|orig|before|base|source|factual|1|a)_?(image|img|path|file)?"
_TWO = r"(image|img|picture|path|file)?_?(intervened|int|after|edited|counterfactual|2|b)_?(image|img|path|file)?"
_TRUTH = r"(answer|label|truth|gt)"
_ALSO_CALLED = {
    "original": _ONE,
    "intervened": _TWO,
    "question": r"prompt|query|text|q",
    "original_answer": rf"{_TRUTH}(_?(original|orig|before|1|a))?|(orig|before)_{_TRUTH}",
    "intervened_answer": rf"{_TRUTH}_?(intervened|int|after|edited|2|b)|(int|after|edited)_{_TRUTH}",
}
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|data:")
# Different words of a column that errors may go with, and signs of each.
_MOST_WORDS, _LONGEST_WORDS = 20, 60
_WHOLE = 2**53  # below this a whole number is kept as one
_LONGEST_NAME = 200  # signs of an id or family as a file's name; file systems take 255


class Item(NamedTuple):
    """A row: its pair and its pictures' files. `beside`: its other columns; `why` it is left out, if it is.

    `odd`: what is odd about it otherwise, in words.
    """

    line: int
    pair: Pair
    files: tuple[Path, Path]
    beside: dict[str, Any]
    why: str = ""
    odd: str = ""

    @property
    def label(self) -> str:
        """Where it stands and what it is called."""
        return f"line {self.line} ({self.pair.id})"


def read_items(file: Path) -> Iterator[Item]:
    """The rows of a file of pairs; InputError names the line, the column and what to do.

    What only one row suffers from (no answer, no picture, an id that is taken) is no error but why it is left out.
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


class Columns(NamedTuple):
    """The further columns of a file of `rows` rows, by what is in them.

    `numbers` in every cell, or a few different `words`: a diagnosis tries whether errors go with these. `others` are
    kept, and no more.
    """

    rows: int
    numbers: frozenset[str]
    words: frozenset[str]
    others: tuple[str, ...]

    def tried(self, item: Item) -> Item:
        """The item, its pair with what it has in these columns."""
        cells = item.beside.items()
        numbers = {name: _number(value) or 0 for name, value in cells if name in self.numbers}
        words = {name: _cell(value) for name, value in cells if name in self.words}
        pair = msgspec.structs.replace(item.pair, difficulty=numbers, traits=words or msgspec.UNSET)
        return item._replace(pair=pair)


def read_columns(file: Path) -> Columns:
    """What the further columns of all rows hold; InputError as of `read_items`."""
    rows, seen, odd = 0, dict[str, set[str]](), set[str]()
    measured: dict[str, bool] = {}
    for item in read_items(file):
        rows += 1
        for name, value in item.beside.items():
            measured[name] = measured.get(name, True) and _number(value) is not None
            cells = seen.setdefault(name, set())
            if len(cells) <= _MOST_WORDS:
                cells.add(_cell(value))
            if isinstance(value, dict | list) or len(_cell(value)) > _LONGEST_WORDS:
                odd.add(name)
    numbers = frozenset(name for name, all_ in measured.items() if all_)
    words = frozenset(name for name, cells in seen.items() if len(cells) <= _MOST_WORDS) - numbers - odd
    return Columns(rows, numbers, words, tuple(name for name in seen if name not in numbers | words))


def _number(value: Any) -> int | float | None:
    """A cell as a number that can be worked with; None if it is none."""
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
    """InputError if a column is missing in the first row, with the one that may be meant."""
    columns = [_FILE_NAMES.get(name, name) for name in row.columns]
    missing = [name for name in REQUIRED if name not in columns]
    if missing:
        others = [name for name in columns if name not in REQUIRED + OPTIONAL]
        meant = [(other, name) for name in missing for other in others if _may_mean(other, name)]
        hint = "".join(f"; rename {other!r} to {name!r}" for other, name in meant[: len(missing)])
        raise InputError(
            f"{file}, line {row.line}: has no {', '.join(map(repr, missing))}{hint}; a pair needs the columns "
            f"{', '.join(REQUIRED)}, and may have {', '.join(OPTIONAL)}"
        )


def _may_mean(other: str, name: str) -> bool:
    return re.fullmatch(_ALSO_CALLED[name], other.casefold().replace("-", "_").replace(" ", "_")) is not None


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
    """A picture's file, there or not; InputError if it is on the net or leads out of the folder that `file` lies in."""
    if _URL.match(name):
        raise InputError(f"{place}: {name[:80]!r} is an address; download the pictures and name the files")
    try:
        return foreign.inside(file.parent, name, place) if name else file.parent
    except InputError as error:
        raise InputError(
            f"{error}; pictures lie in the folder of {file.name}, or below it, and are named from there: copy them"
        ) from None
