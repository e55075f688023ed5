"""A table of prompts and questions as a prompt set: rows with the same prompt are one prompt with several checks."""

import hashlib
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from counterbench.errors import InputError
from counterbench.t2i.prompts.from_laws import ASSESSMENT, LEVELS
from counterbench.t2i.prompts.items import OF_PROMPT, Item, Items
from counterbench.t2i.prompts.prompt_set import NAME, Check, Prompt, PromptSet
from counterbench.t2i.prompts.questions import CF_EVAL, CHECKLIST, check_of, questions_of, refuse_unanswerable, text
from counterbench.text import slug

LEVEL = "image"  # the only level of a table that names none


class ReadPrompts(NamedTuple):
    """The prompt set of a table; `of_rows`: for each row the id of its prompt, "<group>/<level>"."""

    prompts: PromptSet
    of_rows: list[str]


def prompts_of(items: Items) -> ReadPrompts:
    """The set of a table's rows; InputError that names file, line and column.

    Rows with the same id (and level), or without ids the same words, are one prompt. A prompt without an id gets one
    from its words, so that it does not depend on other prompts; checks are q1 and so on, in the order of the rows. In
    rows of several pictures of a prompt the same question is one check.

    It is judged by CF-Eval if a check is of its assessment point, else as a checklist.
    """
    by_place: dict[tuple[str, str], list[Item]] = {}
    places = []
    for item in _valid(items):
        places.append((text(item, "id") or text(item, "prompt"), text(item, "level")))
        by_place.setdefault(places[-1], []).append(item)
    asked = {place: [each for item in rows for each in questions_of(item)] for place, rows in by_place.items()}
    assessed = any(text(each, "dimension") == ASSESSMENT for of in asked.values() for each in of)
    protocol = CF_EVAL if assessed else CHECKLIST
    prompts = {place: _prompt(rows, asked[place], protocol) for place, rows in by_place.items()}
    levels = in_order(prompt.level for prompt in prompts.values())
    name = items.path.name if items.path.is_dir() else items.path.stem
    try:
        read = PromptSet(name, levels, list(prompts.values()), protocol=protocol)
    except InputError as error:
        raise InputError(f"{items.path}: {error}") from None
    return ReadPrompts(read, [prompts[place].id for place in places])


def id_of(words: str) -> str:
    """An id that depends only on the words of a prompt."""
    return "-".join(filter(None, (slug(words, 32), hashlib.blake2b(words.encode(), digest_size=4).hexdigest())))


def in_order(levels: Iterable[str]) -> tuple[str, ...]:
    """Levels as they come, each once; L1 to L3 in their own order if there are no others."""
    once = tuple(dict.fromkeys(levels))
    return tuple(level for level in LEVELS if level in once) if {*once} <= {*LEVELS} else once


def _prompt(rows: Sequence[Item], asked: Sequence[Item], protocol: str) -> Prompt:
    """The prompt that rows are about; InputError if they contradict one another, or a check cannot be asked."""
    first = rows[0]
    said = {column: next(filter(None, (text(row, column) for row in rows)), "") for column in OF_PROMPT}
    for row in rows:
        for column, before in said.items():
            if text(row, column) not in ("", before):
                line = first.where.rpartition(", ")[2]
                raise InputError(
                    f"{row.where}, column {column!r}: {text(row, column)!r}, but {before!r} in {line}, of the same "
                    "prompt; another prompt needs another id"
                )
    pictures = sum("image" in row.cells for row in rows) > 1
    checks: dict[str, Check] = {}
    alike: dict[Check, None] = {}  # without the ids that they get here
    for each in asked:
        bare = check_of(each, "q", protocol)
        if pictures and bare in alike:
            continue
        alike[bare] = None
        check = check_of(each, f"q{len(checks) + 1}", protocol)
        if checks.setdefault(check.id, check) is not check:
            raise InputError(f"{each.where}, column 'check': its prompt has a check {check.id!r} already; rename one")
    refuse_unanswerable(checks.values(), first.where)
    group, level = text(first, "id") or id_of(said["prompt"]), text(first, "level") or LEVEL
    of = {column: said[column] for column in OF_PROMPT if column != "prompt"}
    return Prompt.at(group, level, said["prompt"], checks=tuple(checks.values()), **of)


def _valid(items: Items) -> list[Item]:
    """The rows; InputError if a prompt, an id or a level is missing or not valid."""
    if items.rows and not any("prompt" in item.cells for item in items.rows):
        has = [*dict.fromkeys(name for item in items.rows for name in item.cells), *items.unused]
        raise InputError(
            f"{items.path}: needs the column prompt; its columns are {', '.join(has)}; rename one, or import "
            "prompts with --columns prompt=NAME"
        )
    for item in items.rows:
        if not text(item, "prompt"):
            raise InputError(f"{item.where}, column 'prompt': it is empty")
        for column in ("id", "level"):
            if (column in item.cells) != (column in items.rows[0].cells):
                raise InputError(f"{item.where}, column {column!r}: give every row its {column}, or none")
        if "level" in item.cells and "id" not in item.cells:
            raise InputError(
                f"{item.where}, column 'id': it is empty; prompts of the same id are one group at its levels"
            )
        for of in (item, *questions_of(item)):
            for column in ("id", "level", "check"):
                if text(of, column) and not re.match(NAME, text(of, column)):
                    raise InputError(
                        f"{item.where}, column {column!r}: {text(of, column)!r} must begin with a letter or digit and "
                        "have only letters, digits, '.', '_' and '-', 80 at most"
                    )
    return items.rows
