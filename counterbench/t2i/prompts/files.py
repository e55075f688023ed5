"""Prompt sets from files: laws, rules or groups in TOML; lists, pairs of concepts or whole sets in rows."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from counterbench.errors import InputError, unknown
from counterbench.files import catalog, formats
from counterbench.files.rows import read_rows
from counterbench.files.tables import SUFFIXES
from counterbench.laws import STANDARD, SUFFIX, law
from counterbench.laws.outcomes import law_cell
from counterbench.t2i.prompts.from_laws import LEVELS, checks, law_prompts
from counterbench.t2i.prompts.kinds import (
    KINDS,
    PROMPTS_FORMAT,
    GroupsFile,
    LawsFile,
    Name,
    PromptFile,
    RulesFile,
    Text,
)
from counterbench.t2i.prompts.lines import is_prompt_set, read_prompt_set
from counterbench.t2i.prompts.lists import read_list, unused_columns
from counterbench.t2i.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.t2i.prompts.rules import ASSESSMENT, rule_checks
from counterbench.t2i.prompts.written import group_set, rule_set

FOLDER = "probes/t2i"
READ = (*SUFFIXES, ".toml")


class ConceptPair(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of a JSON Lines prompt file: two concepts that are rarely, or commonly, seen together."""

    format: Literal["counterbench.concepts/1"] = "counterbench.concepts/1"
    id: Name
    level: Literal["common", "rare"]
    prompt: Text
    question: Text
    denied: Text | None = None  # a question to which no is right, such as one about the other prompt of the pair
    skill: str = "concepts"


def names() -> list[str]:
    """The bare names of the shipped prompt sets."""
    return sorted([*catalog.names(FOLDER), *(path.stem for path in catalog.shipped(FOLDER).glob("*.jsonl"))])


def load_prompts(name: str | Path) -> PromptSet:
    """The prompt set in a file, or the shipped one of that name.

    Raises InputError that names the file, the place and the valid choices.
    """
    path = name if isinstance(name, Path) else _find(name)
    if path.suffix.lower() not in READ:
        raise InputError(f"{path}: prompts are read from {', '.join(READ)}; write them as one of these")
    try:
        if path.suffix.lower() in SUFFIXES:
            return _lines(path)
        file = _read(path)
        match file:
            case LawsFile():
                chosen = tuple(law(name, f"{path}, laws") for name in file.laws or STANDARD)
                how = (file.seed, file.settings, file.style, file.described, file.length)
                return PromptSet(file.name, LEVELS, list(law_prompts(chosen, *how)), file.seed)
            case RulesFile():
                return rule_set(file)
            case GroupsFile():
                return group_set(file, str(path))
    except InputError as error:
        raise error if str(error).startswith(str(path)) else InputError(f"{path}: {error}") from None


def not_used(name: str) -> list[str]:
    """A line that names the columns of a list that `load_prompts` does not use; no line if there are none."""
    path = _find(name)
    unused = unused_columns(path) if path.suffix.lower() in SUFFIXES and _is_list(path) else []
    return [f"columns of {path} not used: {', '.join(unused)}"] if unused else []


def law_cells(name: str) -> dict[str, list[str]]:
    """The cells that a shipped prompt set's checks need, by law; none if its checks cannot be drawn.

    It writes no prompt, so it is quick: every setting of a law needs the same cells.
    """
    path = _find(name)
    file = None if path.suffix in SUFFIXES else _read(path)
    cells = {}
    match file:
        case LawsFile():
            asking, laws = checks, [law(name) for name in file.laws or STANDARD]
        case RulesFile():
            asking, laws = rule_checks, [law(rule.name + SUFFIX) for rule in file.rule if not rule.variant[0].question]
        case _:
            return {}
    for one in laws:
        setting = one.setting(file.seed, 0)
        ids = {c.id for variant in (one.real, *one.altered) for c in asking(one, setting, variant.name)}
        cells[one.name] = sorted({law_cell(one.name, id) for id in ids})
    return cells


def _find(name: str) -> Path:
    path = Path(name)
    if catalog.is_path(name) or name.lower().endswith(SUFFIXES) or (path.suffix and path.is_file()):
        if not path.is_file():
            raise InputError(f"{path}: there is no such prompt file")
        return path
    for suffix in ("toml", "jsonl"):
        path = catalog.shipped(FOLDER) / f"{name}.{suffix}"
        if path.is_file():
            return path
    raise unknown("prompt set", name, names())


def _read(path: Path) -> PromptFile:
    data = formats.read_toml(path)
    formats.refuse_other_format(data, PROMPTS_FORMAT, str(path))
    kind = data.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise unknown("kind of prompts", str(kind), KINDS, str(path))
    return formats.convert(data, KINDS[kind], str(path))


def _lines(path: Path) -> PromptSet:
    """The set in a file of rows: a list, unless the rows name a format of ours."""
    if _is_list(path):
        return read_list(path)
    return read_prompt_set(path) if is_prompt_set(path) else _concepts(path)


def _is_list(path: Path) -> bool:
    first = next(read_rows(path), None)
    return first is None or "format" not in first.columns


def _concepts(path: Path) -> PromptSet:
    prompts: list[Prompt] = []
    for pair in formats.read_lines(path, ConceptPair):
        asked = Check(id="assessment", dimension=ASSESSMENT, text=pair.question, weight=1, skill=pair.skill)
        parts: tuple[Check, ...] = (asked,)
        if pair.denied:  # parts of one point: a judge that always says yes never gets it
            asked = msgspec.structs.replace(asked, weight=0.5, point=ASSESSMENT)
            denied = msgspec.structs.replace(asked, id="assessment-not", text=pair.denied, expected="no")
            parts = (asked, denied)
        prompts.append(
            Prompt(
                id=f"{pair.id}/{pair.level}",
                group=pair.id,
                level=pair.level,
                text=pair.prompt,
                checks=parts,
                law=pair.id,
            )
        )
    return PromptSet(path.stem, ("common", "rare"), prompts)
