"""The rows of somebody's own pairs: their columns, the type of their answers, the files of their pictures."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from counterbench.answers import Answer, answer_type, canonical, parse
from counterbench.errors import InputError
from counterbench.files import foreign
from counterbench.files.rows import Row, read_rows
from counterbench.scene.pairs import ROLES, Pair

ANSWERS = ("original_answer", "intervened_answer")
REQUIRED = (*ROLES, "question", *ANSWERS)
OPTIONAL = ("id", "category", "skill", "family", "answer_type", "relevant")
FREE = "text"
_RECOGNISED = ("yes-no", "integer", "colour", "colour-shape")  # types recognised by their answers, tried in this order
_YES_NO = {"true": "yes", "false": "no"}
# The names of the pictures' columns in our own metadata.jsonl, which are those of Hugging Face's imagefolder.
_FILE_NAMES = {f"{role}_file_name": role for role in ROLES}
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|data:")
# The most different words of a column that a diagnosis tries, and the most signs of each.
_MOST_WORDS, _LONGEST_WORDS = 20, 60
_WHOLE = 2**53  # a whole number below this stays an integer


class Item(NamedTuple):
    """A row of the file."""

    line: int
    id: str
    category: str
    skill: str
    family: str
    question: str
    files: Sequence[Path]  # of its pictures
    extra: Mapping[str, Any]  # its further columns
    kind: str = ""  # the type of its answers
    answers: tuple[str, ...] = ("", "")
    why: str = ""  # the reason why it is left out; "" if it is not

    @property
    def label(self) -> str:
        """The row's line and its pair's id."""
        return f"line {self.line} ({self.id})"


class Columns(NamedTuple):
    """The columns of a file beside those of a pair."""

    numbers: set[str]  # with a number in every cell, which a diagnosis compares with errors
    words: set[str]  # with a few different words, likewise
    others: list[str]


def read_items(file: Path) -> Iterator[Item]:
    """The rows of a file of pairs; InputError names the line, the column and what to do.

    A fault of a single row (no answer, no picture, an id that is taken) is no error: the row is left out.
    """
    seen: set[str] = set()
    for number, row in enumerate(read_rows(file), 1):
        if number == 1:
            _refuse_columns(row.file, row)
        item = _item(row.file, number, row)
        if not item.why and item.id in seen:
            item = item._replace(why="the id is taken by a row further up")
        if not item.why:
            seen.add(item.id)
        yield item


def columns_of(items: Sequence[Item]) -> Columns:
    """The columns of a file beside those of a pair."""
    cells: dict[str, list[Any]] = {}
    for item in items:
        for name, value in item.extra.items():
            cells.setdefault(name, []).append(value)
    numbers = {name for name, values in cells.items() if all(_number(value) is not None for value in values)}
    words = {name for name, values in cells.items() if name not in numbers and _are_few_words(values)}
    return Columns(numbers, words, [name for name in cells if name not in numbers | words])


def pair_of(item: Item, index: int, columns: Columns) -> Pair:
    """The pair of a row, the `index`-th of its family."""
    traits = {name: _cell(value) for name, value in item.extra.items() if name in columns.words}
    return Pair(
        id=item.id,
        index=index,
        family=item.family,
        category=item.category,
        skill=item.skill,
        stratum="published",
        form="yes-no" if item.kind == "yes-no" else "open",
        question=item.question,
        answer_type=item.kind,
        original_answer=item.answers[0],
        intervened_answer=item.answers[1],
        relevant=item.answers[0] != item.answers[1],
        truth="published",
        intervention="",
        difficulty={name: _number(value) or 0 for name, value in item.extra.items() if name in columns.numbers},
        traits=traits or msgspec.UNSET,
    )


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


def _refuse_columns(file: Path, row: Row) -> None:
    """InputError if a column is missing in the first row."""
    columns = [_FILE_NAMES.get(name, name) for name in row.columns]
    missing = [name for name in REQUIRED if name not in columns]
    if missing:
        others = [name for name in columns if name not in REQUIRED + OPTIONAL]
        rename = f"; rename those of {', '.join(map(repr, others))} that are meant" if others else ""
        raise InputError(
            f"{row.where}: has no {', '.join(map(repr, missing))}{rename}; a pair needs the columns "
            f"{', '.join(REQUIRED)}, and may have {', '.join(OPTIONAL)}"
        )


def _item(file: Path, number: int, row: Row) -> Item:
    values = {_FILE_NAMES.get(name, name): value for name, value in row.values.items()}
    place = row.where
    said = {}
    for name in (name for name in (*REQUIRED, *OPTIONAL) if name in values):
        if isinstance(values[name], dict | list):
            raise InputError(f"{place}, column {name!r}: {str(values[name])[:60]!r} is neither text nor a number")
        said[name] = _cell(values[name])
    category = said.get("category") or said.get("skill") or said.get("family") or "pairs"
    item = Item(
        line=row.line,
        id=said.get("id") or f"{number:06d}",
        category=category,
        skill=said.get("skill") or category,
        family=said.get("family") or category,
        question=said.get("question", ""),
        files=[_file(file, said.get(role, ""), f"{place}, column {role!r}") for role in ROLES],
        extra={name: value for name, value in values.items() if name not in REQUIRED + OPTIONAL},
    )
    for name in ("question", *ANSWERS):
        if not said.get(name):
            return item._replace(why=f"no {name}")
    kind, answers = _typed(said, place)
    for name, answer in zip(ANSWERS, answers, strict=True):
        if not answer:
            return item._replace(why=f"its {name} is none that a reply could be held against: {said[name][:60]!r}")
    for role, path in zip(ROLES, item.files, strict=True):
        if not path.is_file():
            return item._replace(why=f"the {role} picture is not there: {said.get(role) or 'no name'}")
    return item._replace(kind=kind, answers=answers)


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


def _plain(text: str) -> str:
    """An answer without case, space around it or a full stop."""
    text = text.casefold().strip().rstrip(".")
    return _YES_NO.get(text, text)


def _typed(said: Mapping[str, str], place: str) -> tuple[str, tuple[str, ...]]:
    """The type of a row's answers, and both answers in canonical form; "" for one that no reply could be read as.

    InputError if the row names a type and an answer is not of that type.
    """
    answers = [_plain(said[name]) for name in ANSWERS]
    kind = said.get("answer_type", "")
    if not kind:
        kinds = (name for name in _RECOGNISED if all(map(answer_type(name).is_canonical, answers)))
        kind = next(kinds, FREE)
    if kind == FREE:
        return kind, tuple(_read(said[name]) for name in ANSWERS)
    try:
        answer_type(kind)
    except InputError as error:
        raise InputError(f"{place}, column 'answer_type': {error}") from None
    for name, answer in zip(ANSWERS, answers, strict=True):
        try:
            canonical(answer, kind)
        except InputError as error:
            raise InputError(f"{place}, column {name!r}: {error}; or leave answer_type out") from None
    return kind, tuple(answers)


def _read(answer: str) -> str:
    """A free answer, read as a reply of the same words would be; "" if no reply can be read as this answer."""
    outcome = parse(answer, FREE)
    return outcome.value if isinstance(outcome, Answer) and parse(outcome.value, FREE) == outcome else ""
