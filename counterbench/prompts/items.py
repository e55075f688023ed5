"""The rows of a table that people write about prompts, questions and pictures, under our names of its columns.

`read_items` takes a file or folder and gives `PromptItems`: rows whose cells are by our names (`COLUMNS`), and notes on
what is not used. A published format is recognised by its columns (`known_tables`); else columns have our names, or
those that the user maps to ours. `prompts.table` makes prompts of the rows, and `importing.places` finds their
pictures.
"""

import difflib
import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from counterbench.errors import InputError, unknown
from counterbench.files import rows
from counterbench.files.data_warnings import DataWarning, Warnings
from counterbench.files.rows import Row, read_rows
from counterbench.prompts.known_tables import FORMATS, recognised

OF_PROMPT = ("prompt", "category", "discipline")
OF_PICTURE = ("image", "model", "sample", "seed")
TEXTS = ("dimension", "skill", "criterion", "criteria", "call", "after")  # of a question
OF_QUESTION = ("question", "answer", "answer_type", "choices", "weight", "check", "needs", "tags", *TEXTS)
COLUMNS = (*OF_PROMPT, "id", "level", *OF_QUESTION, "questions", *OF_PICTURE)
# The first words of questions and orders that need no question mark.
_QUESTION_STARTS = re.compile(
    r"(is|are|was|were|does|do|did|has|have|can|could|will|would|should|must|may|who|whose|what|which|where|when|why|how|"
    r"count|name|rate|tell|say|check|describe|determine|verify|look)\b",
    re.IGNORECASE,
)
SUFFIXES = (*rows.SUFFIXES, rows.LIST)
ALIASES = {"expected": "answer", "image_path": "image", "subcategory": "discipline"}
_PICTURE = {**dict(zip(OF_PICTURE, OF_PICTURE, strict=True)), "image_path": "image"}
# Other names that people use for our columns: if these were ignored in silence, scores would be wrong.
_OTHER_NAMES = {
    **dict.fromkeys(("answers", "label", "gt", "ground_truth", "target", "truth", "correct"), "answer"),
    **dict.fromkeys(("prompts", "text", "caption"), "prompt"),
    **dict.fromkeys(("score_max", "max_score", "scale", "type"), "answer_type"),
    **dict.fromkeys(("img", "picture", "file_name", "filename"), "image"),
    **dict.fromkeys(("dependency", "dependencies", "depends"), "needs"),
    **dict.fromkeys(("options",), "choices"),
    **dict.fromkeys(("generator",), "model"),
    "dim": "dimension",
    "tag": "tags",
    "group": "id",
}


class PromptItems(NamedTuple):
    """The rows of a table, and the names of its columns that are not used.

    The values of a row are its filled cells under our names of the columns; texts have no blanks around them.
    """

    path: Path
    rows: list[Row]
    unused: list[str]
    format: str = ""  # the name of its format, if it is one of `known_tables`
    warnings: Sequence[DataWarning] = ()  # things that the table says and that we cannot ask
    columns: Sequence[str] = ()  # our names of the columns that are used, also of empty ones
    # The reasons why rows are left out, by the row's place; None: the first row with a fault is an error.
    faults: dict[str, str] | None = None

    def leaves_out(self, row: Row) -> bool:
        """True if a row is left out because of a fault that was noted."""
        return row.where in (self.faults or ())

    @property
    def not_used(self) -> list[DataWarning]:
        """All warnings, the first one about the columns that nobody uses, if there are any."""
        unused = DataWarning("columns that are not used", len(self.unused), tuple(self.unused))
        return [unused, *self.warnings] if self.unused else [*self.warnings]


def read_items(path: Path, columns: Mapping[str, str] = {}, faults: dict[str, str] | None = None) -> PromptItems:
    """The rows of a file or folder (see `read_rows`).

    `columns`: the table's name of a column by ours. Without it, a published format is recognised by its columns
    (`known_tables`), unless the table has questions in columns of ours. Columns about pictures are kept in any case.
    `faults`: as of `PromptItems`. InputError, with file, line and column, if the table is damaged, has no column that
    we know, or has a column whose name is misspelt or is clearly another name for one of ours.
    """
    table = list(read_rows(path, faults))
    if faults and not table:
        raise InputError(next(iter(faults.values())))
    places = _first_places(table)
    name = "" if columns or not table else recognised(table[0].columns)
    warnings = Warnings()
    if name:
        ours = {column: _PICTURE[column] for column in places if column in _PICTURE}
        used: Collection[str] = {*ours, *FORMATS[name].columns, *FORMATS[name].also}
        read = list(FORMATS[name].read(table, warnings))
    else:
        used = ours = _our_names(path, places, columns)
        read = [{} for _ in table]
    if places and not used:
        raise InputError(
            f"{next(iter(places.values()))}: has none of the columns {', '.join(COLUMNS)}; it has "
            f"{', '.join(repr(column[:40]) for column in places)}; write a first line with the columns' names, or say "
            "--columns prompt=NAME"
        )
    kept = list[Row]()
    for row, cells in zip(table, read, strict=True):
        cells |= {ours[column]: cell for column, cell in row.values.items() if column in ours}
        values = _filled_cells(path, row, cells)
        if "tags" in values and not {"question", "questions"} & {*values}:
            warnings.add("tags of prompts without a question: not asked", row.place)
        if isinstance(words := values.get("question"), str) and not _is_question(words, values):
            warnings.add("texts that are no question, asked as yes or no all the same", row.place)
        if values:
            kept.append(row._replace(values=values))
    unused = [column for column in places if column not in used]
    return PromptItems(
        path, kept, unused, name, list(warnings.all()), ["prompt", *ours.values()] if name else [*ours.values()], faults
    )


def _is_question(words: str, cells: Mapping[str, Any]) -> bool:
    """True if a text reads like a question (`_QUESTION_STARTS`, "?"), or if other cells say how it is answered."""
    typed = "answer_type" in cells or "choices" in cells or str(cells.get("answer", "yes")).lower() not in ("yes", "no")
    return typed or bool(re.search(r"[?？]", words)) or _QUESTION_STARTS.match(words.strip()) is not None


def columns_given(text: str, valid: Sequence[str] = COLUMNS) -> dict[str, str]:
    """The names of a table's columns by ours, from "prompt=Prompt,question=Q"; InputError for a name not in `valid`."""
    given = {}
    for part in filter(None, map(str.strip, text.split(","))):
        name, equals, theirs = map(str.strip, part.partition("="))
        if not equals or not theirs:
            raise InputError(f"--columns {part!r}: is written OURS=THEIRS, with commas between: prompt=Prompt,answer=A")
        if (ours := name if name in valid else ALIASES.get(name, name)) not in valid:
            raise unknown("column", name, valid, "--columns")
        given[ours] = theirs
    return given


def _filled_cells(path: Path, row: Row, cells: Mapping[str, Any]) -> dict[str, Any]:
    """The cells of a row that are not empty, texts without blanks around them.

    The path of a picture is relative to its row's file; in the result it is relative to `path`, if that is a folder.
    """
    stripped = {name: cell.strip() if isinstance(cell, str) else cell for name, cell in cells.items()}
    image, folder = stripped.get("image"), row.file.parent
    if image and isinstance(image, str) and path.is_dir() and folder != path and "://" not in image:
        stripped["image"] = (folder.relative_to(path) / image).as_posix()  # it was relative to its own file
    return {name: cell for name, cell in stripped.items() if cell not in ("", None, [])}


def _first_places(table: Sequence[Row]) -> dict[str, str]:
    """The columns of all rows in their order, each with the place where it first occurs."""
    places: dict[str, str] = {}
    for row in table:
        for name in row.columns:
            if name not in places:
                of_file = row.file.suffix.lower() in (".csv", ".tsv")
                places[name] = f"{row.file}, line 1" if of_file else row.where
    return places


def _our_names(path: Path, places: Mapping[str, str], given: Mapping[str, str]) -> dict[str, str]:
    """Our names of the used columns, by their names in the table; InputError for a column that is misspelt.

    `places`: the table's columns, as `_first_places` gives them. `given`: the `columns` of `read_items`.
    """
    for ours, name in given.items():
        if places and name not in places:
            raise unknown("column", name, places, f"{path}, --columns {ours}")
    used = {name: ours for ours, name in given.items()}
    plain = {name: name.strip().casefold().replace(" ", "_").replace("-", "_") for name in places}
    as_image = ["file_name"] if path.is_dir() or path.stem == "metadata" else []  # as Hugging Face names the picture
    for known in (*ALIASES, *COLUMNS, *as_image):
        ours = "image" if known in as_image else ALIASES.get(known, known)
        matches = [known] if known in places else [name for name in places if plain[name] == known]
        if matches and matches[0] not in used and ours not in used.values():
            used[matches[0]] = ours
    for name, place in places.items():
        meant = _OTHER_NAMES.get(plain[name])
        if not meant:
            meant = next(iter(difflib.get_close_matches(plain[name], (*COLUMNS, *ALIASES), n=1, cutoff=0.85)), None)
        if meant and name not in used and ALIASES.get(meant, meant) not in used.values():
            scale = "; a scale is the answer type rating:LOW-HIGH, such as rating:1-5" if meant == "answer_type" else ""
            raise InputError(
                f"{place}: unknown column {name!r} (did you mean {meant!r}?){scale}; rename it, or leave "
                f"it out (or say --columns {meant}={name})"
            )
    return used
