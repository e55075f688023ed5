"""Imported prompts: the set with its warnings, checks joined to their prompts, and the writer of the set's file."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from counterbench.errors import InputError
from counterbench.files.data_warnings import DataWarning, Warnings
from counterbench.files.formats import clear_os_errors, in_lines, write_atomically
from counterbench.prompts.files import set_lines
from counterbench.prompts.items import read_items
from counterbench.prompts.known_tables import FORMATS
from counterbench.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.prompts.table import prompts_of
from counterbench.text import slug


@dataclass(frozen=True)
class ImportedPrompts:
    """A prompt set read from other people's files, with a description and its warnings."""

    prompts: PromptSet
    description: str
    warnings: list[DataWarning]
    recognised: str = ""  # the format of a table

    @property
    def checks(self) -> int:
        """The number of questions of all prompts."""
        return sum(len(prompt.checks) for prompt in self.prompts.prompts)

    @property
    def by_level(self) -> dict[str, int]:
        """The number of prompts with questions, by level."""
        counts = Counter(prompt.level for prompt in self.prompts.prompts if prompt.checks)
        return {level: counts[level] for level in self.prompts.levels}

    def file(self, out: Path) -> Path:
        """The path of the set's file in `out`."""
        return out / f"{self.prompts.name}.jsonl"

    def document(self, format: str, out: Path) -> dict[str, Any]:
        """The entry about this set in `import --json`; `format`: the name of the format that was read."""
        return {
            "format": format,
            **({"recognised": self.recognised} if self.recognised else {}),
            "file": str(self.file(out)),
            "name": self.prompts.name,
            "protocol": self.prompts.protocol,
            "prompts": len(self.prompts.prompts),
            "groups": len(self.prompts.groups),
            "checks": self.checks,
            "by_level": self.by_level,
            "warnings": {warning.what: warning.count for warning in self.warnings},
        }


def read_table_of_prompts(path: Path, columns: Mapping[str, str] = {}) -> list[ImportedPrompts]:
    """The set of any table of prompts and questions; InputError if it is damaged.

    Its warnings name all that is not used. `columns`: as of `read_items`.
    """
    items = read_items(path, columns)
    words = FORMATS[items.format].summary if items.format else f"prompts and questions of {path.name}"
    read = prompts_of(items)
    return [imported(read.prompts, words, read.warnings, items.format)]


def read_picworld(file: Path) -> list[ImportedPrompts]:
    """The prompts in PicWorld's format: a CSV or JSONL file with prompt, category and subcategory.

    PicWorld's authors published no prompts. The format has no questions about pictures: a language model writes them
    (`t2i prepare --protocol pw-agent`). InputError for a damaged file.
    """
    read = prompts_of(read_items(file))
    prompts = [
        msgspec.structs.replace(prompt, category=slug(prompt.category), discipline=slug(prompt.discipline))
        for prompt in read.prompts.prompts
    ]
    prompt_set = PromptSet("picworld", ("image",), prompts, protocol="pw-agent")
    return [imported(prompt_set, "prompts in PicWorld's format, without questions", read.warnings)]


def imported(
    prompts: PromptSet, description: str, warnings: Iterable[DataWarning], recognised: str = ""
) -> ImportedPrompts:
    """The set with its `warnings` from reading and those about the whole set; `recognised`: its table's format."""
    return ImportedPrompts(prompts, description, [*warnings, *_warnings_of_set(prompts)], recognised)


def _warnings_of_set(prompts: PromptSet) -> Iterator[DataWarning]:
    """Warnings about prompts: without questions, with spaces at an end, with the same words as another."""
    texts: set[str] = set()
    warnings = Warnings()
    has_checks = any(prompt.checks for prompt in prompts.prompts)  # if no prompt has checks, an author writes them
    for prompt in prompts.prompts:
        if has_checks and not prompt.checks:
            warnings.add("prompts without questions: drawn, and not judged", prompt.id)
        if prompt.text != prompt.text.strip():
            warnings.add("prompts with spaces at an end, kept", prompt.id)
        if prompt.text in texts:
            warnings.add("prompts in the same words as one before, kept", prompt.id)
        texts.add(prompt.text)
    return warnings.all()


class ImportedQuestion(NamedTuple):
    """A question of a release, as a check that is not yet joined to its prompt."""

    place: str  # file and line, for the report
    prompt: str  # the name that the question gives of its prompt
    check: Check


def with_checks(
    prompts: dict[str, Prompt],
    questions: Iterable[ImportedQuestion],
    warnings: Warnings,
    duplicate_warning: tuple[str, str],
    shared_id: str = "",
) -> list[Prompt]:
    """The prompts with `questions` as their checks, in this order.

    `prompts`: by the names that the questions give (`ImportedQuestion.prompt`). A check whose id its prompt has already
    gets a number, "integrity-2", and a warning. `duplicate_warning`: the two arguments of `Warnings.add` for it, in
    which {name}, {check} and {id} are filled in. `shared_id`: an id that several checks of a prompt have on purpose;
    all of these get numbers, "logic-1", and no warning. A prompt whose weights sum to 0 gets no checks, since nothing
    could be scored by them.
    """
    checks: dict[str, dict[str, Check]] = {name: {} for name in prompts}
    for place, name, check in questions:
        if name not in prompts:
            warnings.add("left out: questions without a prompt", f"{place}: {name}")
            continue
        by_id, id = checks[name], check.id
        if id in by_id or id == shared_id:
            id = next(other for n in count(1 if id == shared_id else 2) if (other := f"{check.id}-{n}") not in by_id)
            if check.id != shared_id:
                warnings.add(*(words.format(name=name, check=check, id=id) for words in duplicate_warning))
        by_id[id] = msgspec.structs.replace(check, id=id)
    for name, by_id in checks.items():
        if by_id and not any(check.weight for check in by_id.values()):
            warnings.add("questions whose weights sum to 0, left out", prompts[name].id)
            by_id.clear()
    return [msgspec.structs.replace(prompt, checks=tuple(checks[name].values())) for name, prompt in prompts.items()]


def write_imported(sets: Sequence[ImportedPrompts], out: Path) -> None:
    """Write each set as `<name>.jsonl` in `out`; InputError, with nothing written, if another file lies there.

    An edited set counts as another file.
    """
    files = {entry.file(out): in_lines(set_lines(entry.prompts, entry.description)) for entry in sets}
    with clear_os_errors(out, "writing"):
        for path, data in files.items():
            if path.exists() and not (path.is_file() and path.read_bytes() == data):
                raise InputError(
                    f"{path}: is there and is not what this import writes (was it edited since?); nothing was written: "
                    "move it away, or choose another --out"
                )
        out.mkdir(parents=True, exist_ok=True)
        for path, data in files.items():
            write_atomically(path, data)


def paper_counts(stated: int, things: str, found: int) -> list[DataWarning]:
    """A warning with the number of things in the files if the paper states another number; else no warning."""
    return [DataWarning(f"the paper counts {stated} {things}; {things} in the files", found)] if found != stated else []
