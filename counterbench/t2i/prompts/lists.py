"""A plain list of prompts and questions, in CSV or JSON Lines, as a prompt set: a row for each question."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from counterbench.errors import InputError
from counterbench.files.rows import read_rows
from counterbench.files.tables import Row, read_table
from counterbench.t2i.prompts.kinds import NAME, WrittenCheck
from counterbench.t2i.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.t2i.prompts.written import CHECKLIST, check_of, in_order, refuse_mixed_calls
from counterbench.text import slug

LEVEL = "image"  # the only level of a list that names none
_OF_PROMPT = ("category", "discipline")
_OF_CHECK = ("dimension", "skill", "answer_type", "expected", "criterion", "criteria", "call", "after")
COLUMNS = ("question", "id", "level", "check", "weight", "tags", *_OF_PROMPT, *_OF_CHECK)
# Other names that people use for our columns: if these were ignored in silence, scores would be wrong.
_MEANT = {
    **dict.fromkeys(("answer", "answers", "label", "gt", "ground_truth", "target", "truth", "correct"), "expected"),
    **dict.fromkeys(("prompts", "text", "caption"), "prompt"),
    **dict.fromkeys(("score_max", "max_score", "scale", "type"), "answer_type"),
    "questions": "question",
    "dim": "dimension",
    "tag": "tags",
    "group": "id",
}


class _Listed:
    """A prompt that rows are about, with the place of its first row."""

    def __init__(self, row: Row, group: str) -> None:
        self.where = row.where
        self.group, self.level = group, row["level"] or LEVEL
        self.said = {column: row[column] for column in ("prompt", *_OF_PROMPT)}
        self.checks: list[Check] = []

    def add(self, row: Row) -> None:
        """Add a row; InputError if it contradicts those before, or its check cannot be asked."""
        for column, before in self.said.items():
            if row[column] and before and row[column] != before:
                line = self.where.rpartition(", ")[2]
                raise InputError(
                    f"{row.where}, column {column!r}: {row[column]!r}, but {before!r} in {line}, of the same prompt; "
                    "another prompt needs another id"
                )
            self.said[column] = before or row[column]
        if row["question"]:
            check = _check(row, f"q{len(self.checks) + 1}")
            if any(check.id == other.id for other in self.checks):
                raise InputError(
                    f"{row.where}, column 'check': its prompt has a check {check.id!r} already; rename one"
                )
            self.checks.append(check)

    def prompt(self) -> Prompt:
        """The prompt with all its checks."""
        refuse_mixed_calls(self.checks, self.where)
        return Prompt(
            id=f"{self.group}/{self.level}",
            group=self.group,
            level=self.level,
            text=self.said["prompt"],
            checks=tuple(self.checks),
            category=self.said["category"],
            discipline=self.said["discipline"],
        )


def read_list(path: Path) -> PromptSet:
    """The set of a list, judged as a checklist; InputError that names file, line and column.

    Rows with the same id (and level), or without ids the same words, are one prompt. A prompt without an id gets one
    from its words, so that it does not depend on other prompts; checks are q1 and so on, in the order of the rows.
    """
    _refuse_misnamed(path)
    by_place: dict[tuple[str, str], _Listed] = {}
    for row in _rows(path):
        words = row.filled("prompt")
        key = (row["id"] or words, row["level"])
        if key not in by_place:
            by_place[key] = _Listed(row, row["id"] or id_of(words))
        by_place[key].add(row)
    levels = in_order(listed.level for listed in by_place.values())
    return PromptSet(path.stem, levels, [listed.prompt() for listed in by_place.values()], protocol=CHECKLIST)


def unused_columns(path: Path) -> list[str]:
    """The columns of a list that are not used, in their order."""
    return [name for name in _columns(path) if name and name not in ("prompt", *COLUMNS)]


def _columns(path: Path) -> dict[str, int]:
    """The columns of all rows, each with the line of the first row that has it."""
    columns: dict[str, int] = {}
    for row in read_rows(path):
        for name in row.columns:
            columns.setdefault(name, row.line)
    return columns


def _refuse_misnamed(path: Path) -> None:
    """InputError for a column that clearly stands for one of ours, if ours is missing."""
    columns = _columns(path)
    for name, line in columns.items():
        plain = name.strip().casefold().replace(" ", "_").replace("-", "_")
        meant = _MEANT.get(plain)
        where = f"{path}, line {1 if path.suffix.lower() == '.csv' else line}"
        if meant and meant not in columns:
            scale = "; a scale is the answer type rating:LOW-HIGH, such as rating:1-5" if meant == "answer_type" else ""
            raise InputError(
                f"{where}: unknown column {name!r} (did you mean {meant!r}?){scale}; rename it, or leave it out"
            )


def id_of(words: str) -> str:
    """An id that depends only on the words of a prompt."""
    return "-".join(filter(None, (slug(words, 32), hashlib.blake2b(words.encode(), digest_size=4).hexdigest())))


def _rows(path: Path) -> Iterator[Row]:
    """The rows; InputError if an id or a level is not valid, or only some rows have one."""
    first: Row | None = None
    for row in read_table(path, ("prompt",), COLUMNS):
        first = first or row
        for column in ("id", "level"):
            if bool(row[column]) != bool(first[column]):
                raise InputError(f"{row.where}, column {column!r}: give every row its {column}, or none")
        if row["level"] and not row["id"]:
            raise InputError(
                f"{row.where}, column 'id': it is empty; prompts of the same id are one group at its levels"
            )
        for column in ("id", "level", "check"):
            if row[column] and not re.match(NAME, row[column]):
                raise InputError(
                    f"{row.where}, column {column!r}: {row[column]!r} must begin with a letter or digit and have only "
                    "letters, digits, '.', '_' and '-', 80 at most"
                )
        yield row


def _check(row: Row, id: str) -> Check:
    try:
        weight = float(row["weight"]) if row["weight"] else None
    except ValueError:
        raise InputError(f"{row.where}, column 'weight': {row['weight']!r} is no number") from None
    said: dict[str, Any] = {column: row[column] for column in _OF_CHECK if row[column]}
    if row["check"] and not re.fullmatch(r"q\d+", row["check"]):
        said.setdefault("criterion", row["check"])
    said["tags"] = tuple(tag.strip() for tag in row["tags"].split(";") if tag.strip())
    return check_of(
        WrittenCheck(id=row["check"] or id, text=row["question"], weight=weight, **said), CHECKLIST, row.where
    )
