"""Imports somebody's own pairs: reads a CSV or JSONL file of pictures and questions, and writes a folder of pairs.

Each row of the file is a pair: two picture files, a question and the right answer about each. `import_pairs` is the
main function. `read_items` makes a `PairItem` of each row: a pair, or the reason why the row makes none. `_entries`
reads the pictures and adds warnings about odd ones; `write_import` writes all. Columns that a pair does not need are
kept; those with numbers, or with few different words, are stored so that a diagnosis can look for a link between them
and errors. The columns are described in docs/own-data.md.
"""

import io
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from PIL import Image, ImageChops

from counterbench.answers import Answer, answer_type, canonical, parse
from counterbench.bars import OnProgress, unseen
from counterbench.drawing import reading
from counterbench.errors import InputError, errors_at
from counterbench.files import foreign
from counterbench.files.data_warnings import Warnings
from counterbench.files.rows import Row, read_rows, words_of
from counterbench.interop.imported import (
    Entry,
    Imported,
    folder_info,
    imported_pair,
    note_answers,
    note_relevance,
    write_import,
)
from counterbench.scene.pairs import ROLES, Pair

# A pixel differs if one of its channels differs by so much, more than the noise of JPEG. If a larger share of the
# pixels differs, a warning says that more than one thing may have been changed.
_NOISE, _MAX_SHARE_CHANGED = 32, 0.5
ANSWERS = ("original_answer", "intervened_answer")
REQUIRED = (*ROLES, "question", *ANSWERS)
OPTIONAL = ("id", "category", "skill", "family", "answer_type", "relevant")
FREE = "text"  # the answer type of free text
_RECOGNISED = ("yes-no", "integer", "colour", "colour-shape")  # types recognised by their answers, tried in this order
_YES_NO = {"true": "yes", "false": "no"}  # other words for answers that are yes or no
# The names of the pictures' columns in our own metadata.jsonl, which are those of Hugging Face's imagefolder.
_FILE_NAMES = {f"{role}_file_name": role for role in ROLES}
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|data:")
# Of a column that a diagnosis looks at: the most different texts in it, and the most characters of each.
_MAX_TEXTS, _MAX_CHARACTERS = 20, 60
_MAX_WHOLE = 2**53  # a whole number below this stays an integer


class PairItem(NamedTuple):
    """A row of the file, as a pair or with the reason why it makes none."""

    label: str  # the row's name in warnings: "line 3 (000002)"
    id: str  # of the pair
    files: Sequence[Path]  # of its two pictures
    extra: Mapping[str, Any]  # its further columns: their values by name
    pair: Pair | str  # the pair, or the reason why the row is left out


class Columns(NamedTuple):
    """The names of the columns of a file that a pair does not need."""

    numbers: set[str]  # those with a number in every cell, which a diagnosis looks at
    words: set[str]  # those with a few different words, which a diagnosis looks at, too
    others: list[str]  # those that are only kept


def import_pairs(file: Path, out: Path, on_progress: OnProgress = unseen, allow_outside: bool = False) -> Imported:
    """Read the pairs in `file` and write them as the folder `out`, or nothing.

    `allow_outside`: pictures may lie outside its folder. A row that cannot be a pair is left out and named among the
    warnings. Raises InputError that names the line and the column, with nothing written, if the file is no file of
    pairs or a picture is on the net or outside its folder.
    """
    items = list(read_items(file, allow_outside))
    if not items:
        raise InputError(f"{file}: has no rows")
    notes = Warnings()
    info = folder_info(out.resolve().name, file.name, f"imported from {file.name}")
    return write_import(out, info, _entries(file, items, notes, on_progress), notes)


def _entries(file: Path, items: Sequence[PairItem], notes: Warnings, on_progress: OnProgress) -> Iterator[Entry]:
    """The pairs of the file with their pictures, one at a time; after the last one `notes` is complete."""
    columns = columns_of(items)
    pairs: list[Pair] = []
    hashes: set[int] = set()
    for number, item in enumerate(items, 1):
        if (entry := _entry(file, item, columns, notes)) is not None:
            pair = entry.pair
            content_hash = hash((pair.question, *(digest for _, digest in entry.pictures)))
            if content_hash in hashes:
                notes.add("the same pictures and question as an earlier pair", pair.id)
            hashes.add(content_hash)
            pairs.append(pair)
            yield entry
        on_progress(number, len(items))
    notes.add(
        "columns that are kept, but not tested for a link with errors: neither only numbers nor a few short words",
        *columns.others,
    )
    free_texts = sum(pair.answer_type == FREE for pair in pairs)
    notes.count("pairs whose answers are free text: replies must say the same words", free_texts)
    note_answers(notes, pairs)
    note_relevance(notes, pairs)


def _entry(file: Path, item: PairItem, columns: Columns, notes: Warnings) -> Entry | None:
    """The pair of a row with its pictures; None for a row that is left out. Warnings are added to `notes`."""
    if isinstance(item.pair, str):
        reason, _, detail = item.pair.partition(": ")
        notes.add(f"left out, {reason}", f"{item.label}{f': {detail}' if detail else ''}")
        return None
    pictures, warnings = list[reading.PlainPicture](), list[str]()
    for path in item.files:
        try:
            data = foreign.read_bytes(path, reading.MAX_BYTES)
            pictures.append(reading.normalised(data))
        except InputError as error:
            named = path.relative_to(file.parent) if path.is_relative_to(file.parent) else path
            notes.add("left out, a picture cannot be read", f"{item.label}: {named}: {error}")
            return None
        warnings += (f"pictures that were converted: {change}" for change in reading.changes(data))
        warnings += ["blank pictures, all of one colour"] if pictures[-1].blank else []
    original, intervened = pictures
    for reason in dict.fromkeys([*warnings, *warnings_about(original, intervened, item.pair.relevant)]):
        notes.add(reason, item.pair.id)
    traits = {name: words_of(value).strip() for name, value in item.extra.items() if name in columns.words}
    numbers = {name: _number(value) or 0 for name, value in item.extra.items() if name in columns.numbers}
    pair = msgspec.structs.replace(item.pair, difficulty=numbers, traits=traits or msgspec.UNSET)
    return Entry(pair, [(picture.png, picture.digest) for picture in pictures], item.extra)


def warnings_about(original: reading.PlainPicture, intervened: reading.PlainPicture, relevant: bool) -> Iterator[str]:
    """Warnings about two pictures that hardly make a pair; `relevant`: True if the pair's answers differ."""
    if original.digest == intervened.digest:
        yield "identical pictures, yet two answers" if relevant else "identical pictures: nothing was changed"
    elif (original.width, original.height) != (intervened.width, intervened.height):
        yield "two pictures of different sizes"
    else:
        first, second = (Image.open(io.BytesIO(picture.png)) for picture in (original, intervened))
        red, green, blue = ImageChops.difference(first, second).split()
        counts = ImageChops.lighter(ImageChops.lighter(red, green), blue).histogram()
        if sum(counts[_NOISE:]) > _MAX_SHARE_CHANGED * sum(counts):
            yield "pictures that differ in more than half of their pixels: check that only one thing differs"


def read_items(file: Path, allow_outside: bool = False) -> Iterator[PairItem]:
    """The rows of a file of pairs; InputError names the line, the column and what to do.

    A fault of a single row (no answer, no picture, an id that is taken) is no error: its item has the reason as `pair`.
    """
    ids: set[str] = set()
    for number, row in enumerate(read_rows(file), 1):
        if number == 1:
            _refuse_columns(row.file, row)
        item = _item(number, row, allow_outside)
        if isinstance(item.pair, Pair):
            if item.id in ids:
                item = item._replace(pair="the id is used by an earlier row")
            ids.add(item.id)
        yield item


def columns_of(items: Sequence[PairItem]) -> Columns:
    """The columns of a file that a pair does not need, by their content."""
    cells: dict[str, list[Any]] = {}
    for item in items:
        for name, value in item.extra.items():
            cells.setdefault(name, []).append(value)
    numbers = {name for name, values in cells.items() if all(_number(value) is not None for value in values)}
    texts = {
        name: {words_of(value).strip() for value in values}
        for name, values in cells.items()
        if name not in numbers and not any(isinstance(value, dict | list) for value in values)
    }
    words = {
        name for name, values in texts.items() if len(values) <= _MAX_TEXTS and max(map(len, values)) <= _MAX_CHARACTERS
    }
    return Columns(numbers, words, [name for name in cells if name not in numbers | words])


def _number(value: Any) -> int | float | None:
    """A cell as a finite number; None if it is none."""
    try:
        number = value if isinstance(value, int | float) else float(value)
        if isinstance(value, bool) or not math.isfinite(number):
            return None
    except (TypeError, ValueError, OverflowError):
        return None
    return int(number) if number == int(number) and abs(number) < _MAX_WHOLE else number


def _refuse_columns(file: Path, row: Row) -> None:
    """InputError if `row`, the first of the file, lacks a column that a pair needs."""
    columns = [_FILE_NAMES.get(name, name) for name in row.columns]
    missing = [name for name in REQUIRED if name not in columns]
    if missing:
        unknown_columns = [name for name in columns if name not in REQUIRED + OPTIONAL]
        rename = f"; rename those of {', '.join(map(repr, unknown_columns))} that are meant" if unknown_columns else ""
        raise InputError(
            f"{row.where}: has no {', '.join(map(repr, missing))}{rename}; a pair needs the columns "
            f"{', '.join(REQUIRED)}, and may have {', '.join(OPTIONAL)}"
        )


def _item(number: int, row: Row, allow_outside: bool) -> PairItem:
    """The row of this number (from 1, its id if it has none) as a pair, or with the reason why it makes none."""
    values = {_FILE_NAMES.get(name, name): value for name, value in row.values.items()}
    cells = {}
    for name in (name for name in (*REQUIRED, *OPTIONAL) if name in values):
        if isinstance(values[name], dict | list):
            raise InputError(f"{row.where}, column {name!r}: {str(values[name])[:60]!r} is neither text nor a number")
        cells[name] = words_of(values[name]).strip()
    id = cells.get("id") or f"{number:06d}"
    files = [_file(row.file, cells.get(role, ""), f"{row.where}, column {role!r}", allow_outside) for role in ROLES]
    extra = {name: value for name, value in values.items() if name not in REQUIRED + OPTIONAL}
    return PairItem(f"line {row.line} ({id})", id, files, extra, _pair(id, cells, files, row.where))


def _pair(id: str, cells: Mapping[str, str], files: Sequence[Path], place: str) -> Pair | str:
    """The pair of a row's cells, or the reason why they make none."""
    for name in ("question", *ANSWERS):
        if not cells.get(name):
            return f"no {name}"
    kind, answers = _type_and_answers(cells, place)
    for name, answer in zip(ANSWERS, answers, strict=True):
        if not answer:
            return f"its {name} is no answer that a reply can be compared with: {cells[name][:60]!r}"
    for role, path in zip(ROLES, files, strict=True):
        if not path.is_file():
            return f"the {role} picture is not there: {cells.get(role) or 'no name'}"
    category = cells.get("category") or cells.get("skill") or cells.get("family") or "pairs"
    family, skill = cells.get("family") or category, cells.get("skill") or category
    return imported_pair(id, family, category, skill, cells["question"], kind, answers)


def _file(file: Path, name: str, place: str, allow_outside: bool) -> Path:
    """The path of a picture, which need not be there; InputError if it is an address, or outside the folder of `file`.

    `name`: as it stands in the cell. `place`: the line and the column, for the error.
    """
    if _URL.match(name):
        raise InputError(f"{place}: {name[:80]!r} is an address; download the pictures and name the files")
    remedy = f"pictures lie in the folder of {file.name}, or below it: copy them, or take them from there by "
    remedy += "--allow-outside"
    return foreign.inside(file.parent, name, place, remedy, allow_outside) if name else file.parent


def _type_and_answers(cells: Mapping[str, str], place: str) -> tuple[str, tuple[str, ...]]:
    """The type of a row's answers, and both answers in canonical form; "" for one that no reply could be read as.

    InputError if the row names a type and an answer is not of that type.
    """
    plain = [cells[name].casefold().strip().rstrip(".") for name in ANSWERS]
    answers = [_YES_NO.get(text, text) for text in plain]
    kind = cells.get("answer_type", "")
    if not kind:
        kinds = (name for name in _RECOGNISED if all(map(answer_type(name).is_canonical, answers)))
        kind = next(kinds, FREE)
    if kind == FREE:
        return kind, tuple(_readable_text(cells[name]) for name in ANSWERS)
    with errors_at(f"{place}, column 'answer_type'"):
        answer_type(kind)
    for name, answer in zip(ANSWERS, answers, strict=True):
        try:
            canonical(answer, kind)
        except InputError as error:
            raise InputError(f"{place}, column {name!r}: {error}; or leave answer_type out") from None
    return kind, tuple(answers)


def _readable_text(answer: str) -> str:
    """An answer of free text in the form in which a reply of the same words is read; "" if no reply is read as it."""
    outcome = parse(answer, FREE)
    return outcome.value if isinstance(outcome, Answer) and parse(outcome.value, FREE) == outcome else ""
