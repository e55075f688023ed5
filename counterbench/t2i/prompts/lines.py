"""A prompt set as lines: a first line about the set, then a line for each prompt with its checks.

Importers write this form; folders of pictures and runs keep their prompts in it.
"""

from pathlib import Path
from typing import Literal

import msgspec

from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.t2i.prompts.from_laws import genuine
from counterbench.t2i.prompts.prompt_set import Prompt, PromptSet
from counterbench.t2i.prompts.questions import refuse_unanswerable

SET_FORMAT: Literal["counterbench.prompt-set/1"] = "counterbench.prompt-set/1"


class SetLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line; the fields are those of `PromptSet`."""

    format: Literal["counterbench.prompt-set/1"] = SET_FORMAT
    name: str
    levels: tuple[str, ...]
    seed: int | None = None
    protocol: str = "cf-eval"
    description: str = ""


def set_lines(prompts: PromptSet, description: str = "") -> list[SetLine | Prompt]:
    """The lines of a set's file."""
    first = SetLine(
        name=prompts.name,
        levels=prompts.levels,
        seed=prompts.seed,
        protocol=prompts.protocol,
        description=description,
    )
    return [first, *prompts.prompts]


def write_prompt_set(path: Path, prompts: PromptSet, description: str = "") -> None:
    """Write the set whole or not at all; `read_prompt_set` gives it back."""
    formats.write_lines(path, set_lines(prompts, description))


def read_prompt_set(path: Path) -> PromptSet:
    """The set in a file of lines; InputError that names file and line if anything in it is not valid.

    A program of a check counts only if its law asks this very question (see `from_laws.genuine`).
    """
    lines = formats.numbered_lines(path, msgspec.Raw)
    first = next(lines, None)
    if first is None:
        raise InputError(f"{path}: is empty; its first line says what the set is ({SET_FORMAT})")
    of = formats.decode(bytes(first[1]), SetLine, f"{path}, line {first[0]}")
    prompts = []
    for number, line in lines:
        prompts.append(prompt := formats.decode(bytes(line), Prompt, f"{path}, line {number}"))
        refuse_unanswerable(prompt.checks, f"{path}, line {number}")
    try:
        return genuine(PromptSet(of.name, of.levels, prompts, of.seed, of.protocol))
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
