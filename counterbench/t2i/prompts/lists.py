"""A plain list of prompts and questions, in CSV or JSON Lines, as a prompt set: a row for each question."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from counterbench.answers import Answer, answer_type, kind_of, name_of, parse, scale_of
from counterbench.errors import InputError
from counterbench.files.tables import Cells, read_rows, read_table
from counterbench.t2i.prompts.from_laws import LEVELS
from counterbench.t2i.prompts.prompt_set import NAME, Check, Prompt, PromptSet
from counterbench.t2i.prompts.rules import ASSESSMENT
from counterbench.text import slug

CF_EVAL, CHECKLIST = "cf-eval", "checklist"
CONTRAST = "contrast"  # a dimension of CF-Eval, like ASSESSMENT
_RIGHT = {"yes-no": "yes", "grade": "1", "score": "1"}
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


def read_list(path: Path) -> PromptSet:
    """The set of a list; InputError that names file, line and column.

    It is judged by CF-Eval if a check is of its assessment point, else as a checklist.
    Rows with the same id (and level), or without ids the same words, are one prompt. A prompt without an id gets one
    from its words, so that it does not depend on other prompts; checks are q1 and so on, in the order of the rows.
    """
    _refuse_misnamed(path)
    by_place: dict[tuple[str, str], list[Cells]] = {}
    for row in _rows(path):
        words = row.filled("prompt")
        by_place.setdefault((row["id"] or words, row["level"]), []).append(row)
    assessed = any(row["dimension"] == ASSESSMENT for rows in by_place.values() for row in rows)
    protocol = CF_EVAL if assessed else CHECKLIST
    prompts = [_prompt(rows, protocol) for rows in by_place.values()]
    return PromptSet(path.stem, in_order(prompt.level for prompt in prompts), prompts, protocol=protocol)


def _prompt(rows: Sequence[Cells], protocol: str) -> Prompt:
    """The prompt that rows are about; InputError if they contradict one another, or a check cannot be asked."""
    first = rows[0]
    said = {column: next(filter(None, (row[column] for row in rows)), "") for column in ("prompt", *_OF_PROMPT)}
    checks: dict[str, Check] = {}
    for row in rows:
        for column, before in said.items():
            if row[column] not in ("", before):
                line = first.where.rpartition(", ")[2]
                raise InputError(
                    f"{row.where}, column {column!r}: {row[column]!r}, but {before!r} in {line}, of the same prompt; "
                    "another prompt needs another id"
                )
        if row["question"]:
            check = _check(row, f"q{len(checks) + 1}", protocol)
            if checks.setdefault(check.id, check) is not check:
                raise InputError(
                    f"{row.where}, column 'check': its prompt has a check {check.id!r} already; rename one"
                )
    refuse_mixed_calls(checks.values(), first.where)
    group, level = first["id"] or id_of(first["prompt"]), first["level"] or LEVEL
    of = {column: said[column] for column in _OF_PROMPT}
    return Prompt.at(group, level, said["prompt"], checks=tuple(checks.values()), **of)


def unused_columns(path: Path) -> list[str]:
    """The columns of a list that are not used, in their order."""
    return [name for name in _columns(path) if name and name not in ("prompt", *COLUMNS)]


def _columns(path: Path) -> dict[str, int]:
    """The columns of all rows, each with the line of the first row that has it."""
    columns: dict[str, int] = {}
    for row in read_rows(path):
        for name in row.columns:
            columns.setdefault(name, row.line if path.suffix.lower() == ".jsonl" else 1)
    return columns


def _refuse_misnamed(path: Path) -> None:
    """InputError for a column that clearly stands for one of ours, if ours is missing."""
    columns = _columns(path)
    for name, line in columns.items():
        meant = _MEANT.get(name.strip().casefold().replace(" ", "_").replace("-", "_"))
        if meant and meant not in columns:
            scale = "; a scale is the answer type rating:LOW-HIGH, such as rating:1-5" if meant == "answer_type" else ""
            raise InputError(
                f"{path}, line {line}: unknown column {name!r} (did you mean {meant!r}?){scale}; rename it, or leave "
                "it out"
            )


def id_of(words: str) -> str:
    """An id that depends only on the words of a prompt."""
    return "-".join(filter(None, (slug(words, 32), hashlib.blake2b(words.encode(), digest_size=4).hexdigest())))


def _rows(path: Path) -> Iterator[Cells]:
    """The rows; InputError if an id or a level is not valid, or only some rows have one."""
    first: Cells | None = None
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


def _check(row: Cells, id: str, protocol: str) -> Check:
    """The check of a row; without an expected answer, the usual one is expected."""
    try:
        weight = float(row["weight"]) if row["weight"] else None
    except ValueError:
        raise InputError(f"{row.where}, column 'weight': {row['weight']!r} is no number") from None
    said: dict[str, Any] = {column: row[column] for column in _OF_CHECK if row[column]}
    if row["check"] and not re.fullmatch(r"q\d+", row["check"]):
        said.setdefault("criterion", row["check"])
    tags = tuple(tag.strip() for tag in row["tags"].split(";") if tag.strip())
    check = Check(**{"id": row["check"] or id, "text": row["question"], "tags": tags, "expected": ""} | said)
    try:
        answer_type(check.answer_type)
    except InputError as error:
        raise InputError(f"{row.where}: {error}") from None
    kind = kind_of(check.answer_type)
    if kind == "ratings":
        raise InputError(
            f"{row.where}: {check.answer_type} is how several checks with one 'call' are answered; give each of them "
            f"the answer type {check.answer_type.replace('ratings', 'rating')}"
        )
    contrast = protocol == CF_EVAL and check.dimension == CONTRAST
    unscored = contrast or kind == "description"
    if weight is None:  # a check without a weight has 1, and 0 if it is asked and not scored
        weight = float(not unscored)
    if not 0 <= weight < float("inf"):
        raise InputError(f"{row.where}: its weight must be 0 or more, not {weight}")
    if unscored and weight:
        why = "a contrast check asks for what the prior would draw" if contrast else "no description is right or wrong"
        raise InputError(f"{row.where}: {why}; its weight must be 0")
    usual = "no" if contrast and kind == "yes-no" and not check.expected else _expected(check, kind, row.where)
    return msgspec.structs.replace(check, weight=weight, expected=usual)


def in_order(levels: Iterable[str]) -> tuple[str, ...]:
    """Levels as they come, each once; L1 to L3 in their own order if there are no others."""
    once = tuple(dict.fromkeys(levels))
    return tuple(level for level in LEVELS if level in once) if {*once} <= {*LEVELS} else once


def refuse_mixed_calls(checks: Iterable[Check], place: str) -> None:
    """InputError if checks that are asked in one question cannot be answered by one reply."""
    calls: dict[str, Check] = {}
    names: dict[tuple[str, str], str] = {}
    for check in checks:
        if not check.call:
            continue
        alike = names.setdefault((check.call, name_of(check.id)), check.id)
        if alike != check.id:
            raise InputError(
                f"{place}, check {check.id!r}: the call {check.call!r} asks check {alike!r} too, and a reply could not "
                "tell the two names apart; they must differ in letters or digits"
            )
        if kind_of(check.answer_type) != "rating":
            raise InputError(
                f"{place}, check {check.id!r}: with a 'call' its answer type must be rating:LOW-HIGH, not "
                f"{check.answer_type}"
            )
        first = calls.setdefault(check.call, check)
        if (check.answer_type, check.after) != (first.answer_type, first.after):
            raise InputError(
                f"{place}, check {check.id!r}: the call {check.call!r} asks check {first.id!r} too, which has another "
                "'answer_type' or 'after'; they must be the same"
            )


def _expected(said: Check, kind: str, place: str) -> str:
    """The answer that gives full credit, in canonical form: for a rating an end of its scale, usually the higher."""
    if kind == "description":
        return ""
    ends = scale_of(said.answer_type) if kind == "rating" else None
    usual = ends[1] if ends else _RIGHT.get(kind, "")
    if not said.expected and usual:
        return usual
    outcome = parse(said.expected, said.answer_type)
    if not isinstance(outcome, Answer):
        raise InputError(f"{place}: 'expected' must be the answer that gives full credit, not {said.expected!r}")
    if ends and outcome.value not in ends:
        raise InputError(
            f"{place}: 'expected' must be the end of the scale that gives full credit, {' or '.join(ends)}, not "
            f"{said.expected!r}"
        )
    return outcome.value
