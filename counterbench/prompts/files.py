"""Prompt sets from files of three kinds, and prompts written as a table.

`load_prompts` is the main function: the name or path of a set goes in, a `PromptSet` (prompts with the checks of their
pictures) comes out. A TOML file names laws, or rules (laws about abstract symbols), from which the prompts are made. A
table has prompts and questions that people wrote. A whole set is in JSON Lines: a first line about the set (`SetLine`),
then a line for each prompt with its checks. Importers write this form; folders of pictures and runs keep their prompts
in it (`write_prompt_set`, `read_prompt_set`). `export_prompts` writes the words alone, for people.
"""

import csv
import io
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from counterbench.errors import InputError, errors_at, unknown
from counterbench.files import catalog, formats
from counterbench.files.foreign import read_bytes
from counterbench.files.rows import read_rows
from counterbench.laws import STANDARD, SYMBOLS_SUFFIX
from counterbench.laws import law as law_named
from counterbench.prompts.from_laws import (
    FACTUAL,
    LEVELS,
    Length,
    PromptStyle,
    genuine,
    law_prompts,
    legend,
    rule_checks,
)
from counterbench.prompts.items import SUFFIXES, read_items
from counterbench.prompts.prompt_set import NAME, Prompt, PromptSet
from counterbench.prompts.table import prompts_of, refuse_unanswerable
from counterbench.scene.seeds import Seed
from counterbench.text import literal

FOLDER = "probes/t2i"
READ = (*SUFFIXES, ".toml")  # endings of files that are read
PROMPTS_FORMAT: Literal["counterbench.prompts/1"] = "counterbench.prompts/1"
SET_FORMAT: Literal["counterbench.prompt-set/1"] = "counterbench.prompt-set/1"

PromptSetName = Annotated[str, msgspec.Meta(pattern=NAME)]
Text = Annotated[str, msgspec.Meta(min_length=1)]


class _Base(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind"):
    """Fields of every prompt file."""

    format: Literal["counterbench.prompts/1"]
    name: PromptSetName
    description: str = ""


class LawsFile(_Base, frozen=True, tag="laws"):
    """A TOML file of the kind "laws": prompts of every altered variant of the laws in some settings."""

    seed: Seed = 0
    settings: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 1
    laws: tuple[str, ...] = ()  # empty: the standard ones
    style: PromptStyle = "flat"
    described: bool = False  # L2 tells its outcome without the things' names (CF-World, section 5.3)
    length: Length = "long"  # "short": for text encoders that cut long prompts
    variant_of: str = ""  # the name of the shipped set whose items this one has in other words


class RuleVariant(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rule of one variant of a law, in words about symbols."""

    name: PromptSetName  # of the law's variant
    rule: Text


class Rule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A law in words about abstract symbols, with its variants (CF-World, section 5.1).

    Its words may name a thing by its role in the law: "{subject}".
    """

    name: PromptSetName  # of a standard law
    discipline: Text
    start: Text
    finish: Text
    variant: Annotated[tuple[RuleVariant, ...], msgspec.Meta(min_length=1)]


class RulesFile(_Base, frozen=True, tag="rules"):
    """A TOML file of the kind "rules", about abstract symbols: one prompt for each variant, no levels, no gate."""

    rule: Annotated[tuple[Rule, ...], msgspec.Meta(min_length=1)]
    seed: Seed = 0  # of the laws' settings


PromptFile = LawsFile | RulesFile
KINDS: dict[str, type[PromptFile]] = {"laws": LawsFile, "rules": RulesFile}

# The first bytes of the tables that `export_prompts` writes; a file that begins otherwise is not overwritten.
_BEGINNINGS = {".csv": b"id,text\n", ".jsonl": b'{"id":"'}


def names() -> list[str]:
    """The bare names of the shipped prompt sets."""
    return sorted([*catalog.names(FOLDER), *(path.stem for path in catalog.shipped(FOLDER).glob("*.jsonl"))])


def load_prompts(name: str | Path) -> PromptSet:
    """The prompt set in a file or a folder with a table (see `read_items`), or the shipped one of that name.

    Raises InputError that names the file, the place and the valid choices.
    """
    path = name if isinstance(name, Path) else _path_of_set(name)
    if not path.is_dir() and path.suffix.lower() not in READ:
        raise InputError(f"{path}: prompts are read from {', '.join(READ)}; write them as one of these")
    try:
        if path.is_dir() or path.suffix.lower() in SUFFIXES:
            return prompts_of(read_items(path)).prompts if _is_table(path) else read_prompt_set(path)
        file = _read_toml(path)
        match file:
            case LawsFile():
                laws = tuple(law_named(name, f"{path}, laws") for name in file.laws or STANDARD)
                arguments = (file.seed, file.settings, file.style, file.described, file.length)
                prompts = list(_cached_law_prompts(laws, *arguments))
                original = load_prompts(file.variant_of).digest if file.variant_of else ""
                return PromptSet(file.name, LEVELS, prompts, file.seed, variant_of=original)
            case RulesFile():
                return PromptSet(file.name, ("rule",), list(_rule_prompts(file)), file.seed)
    except InputError as error:
        raise error if str(error).startswith(str(path)) else InputError(f"{path}: {error}") from None


@lru_cache(maxsize=8)  # the prompts of 70 laws take a second to make
def _cached_law_prompts(*arguments: Any) -> tuple[Prompt, ...]:
    """The prompts of `law_prompts` with these arguments, kept for the next call."""
    return tuple(law_prompts(*arguments))


def not_used(name: str) -> list[str]:
    """A line for each warning about a prompt table: columns and values in it that `load_prompts` does not use."""
    path = _path_of_set(name)
    if path.suffix.lower() == ".toml" or not _is_table(path):
        return []
    return [f"{path}: {warning.line()}" for warning in read_items(path).not_used]


def _path_of_set(name: str) -> Path:
    """The path of a prompt file, or of the shipped set of that name; InputError if there is neither."""
    path = Path(name)
    if catalog.is_path(name) or name.lower().endswith(SUFFIXES) or (path.suffix and path.is_file()):
        if not path.exists():
            raise InputError(f"{path}: there is no such prompt file")
        return path
    for suffix in ("toml", "jsonl"):
        path = catalog.shipped(FOLDER) / f"{name}.{suffix}"
        if path.is_file():
            return path
    raise unknown("prompt set", name, names())


def _read_toml(path: Path) -> PromptFile:
    """The content of a TOML file of prompts, by the kind that it names; InputError if it is not valid."""
    data = formats.read_toml(path)
    formats.refuse_other_format(data, PROMPTS_FORMAT, str(path))
    kind = data.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise unknown("kind of prompts", str(kind), KINDS, str(path))
    return formats.convert(data, KINDS[kind], str(path))


def _is_table(path: Path) -> bool:
    """True for a table that people write; False for a set in JSON Lines, whose first line names its format."""
    if path.suffix.lower() != ".jsonl":
        return True
    first = next(read_rows(path), None)
    return first is None or "format" not in first.columns


class SetLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line of a set's file; the fields are those of `PromptSet`."""

    format: Literal["counterbench.prompt-set/1"] = SET_FORMAT
    name: str
    levels: tuple[str, ...]
    seed: int | None = None
    protocol: str = "cf-eval"
    description: str = ""
    variant_of: str | msgspec.UnsetType = msgspec.UNSET  # absent from the files of sets that are no variant


def set_lines(prompts: PromptSet, description: str = "") -> list[SetLine | Prompt]:
    """The lines of a set's file: the line that describes the set, then a line for each prompt."""
    set_fields = {name: getattr(prompts, name) for name in ("name", "levels", "seed", "protocol")}
    variant_of = prompts.variant_of or msgspec.UNSET
    return [SetLine(description=description, variant_of=variant_of, **set_fields), *prompts.prompts]


def write_prompt_set(path: Path, prompts: PromptSet) -> None:
    """Write the set whole or not at all; `read_prompt_set` gives it back."""
    formats.write_lines(path, set_lines(prompts))


def read_prompt_set(path: Path) -> PromptSet:
    """The set in a file of lines; InputError that names file and line if anything in it is not valid.

    A check keeps its program only if its law asks this very question (see `from_laws.genuine`).
    """
    lines = formats.numbered_lines(path, msgspec.Raw)
    first = next(lines, None)
    if first is None:
        raise InputError(f"{path}: is empty; its first line says what the set is ({SET_FORMAT})")
    header = formats.decode(bytes(first[1]), SetLine, f"{path}, line {first[0]}")
    prompts = []
    for number, line in lines:
        prompts.append(prompt := formats.decode(bytes(line), Prompt, f"{path}, line {number}"))
        refuse_unanswerable(prompt.checks, f"{path}, line {number}")
    with errors_at(path):
        variant_of = header.variant_of or ""
        return genuine(PromptSet(header.name, header.levels, prompts, header.seed, header.protocol, variant_of))


def _rule_prompts(file: RulesFile) -> Iterator[Prompt]:
    """One prompt for each variant of each rule, with the checks of its law."""
    for rule in file.rule:
        law = law_named(rule.name + SYMBOLS_SUFFIX, f"rule {rule.name!r}")
        setting = law.setting(file.seed, 0)
        for variant in rule.variant:
            group, is_real = f"{rule.name}.{variant.name}", law.variant(variant.name).real
            beginning = " ".join(part for part in (setting.fill(rule.start), legend(setting)) if part)
            yield Prompt.at(
                group,
                "rule",
                f"{beginning} {setting.fill(f'The rule is: {variant.rule}. {rule.finish}')}",
                checks=tuple(rule_checks(law, setting, variant.name)),
                discipline=rule.discipline,
                law=law.name,
                variant=FACTUAL if is_real else variant.name,
            )


def export_prompts(prompts: PromptSet, out: Path, limit: int | None = None) -> list[Prompt]:
    """Write `id` and `text` of the first `limit` groups (None: all), at all their levels; returns the written prompts.

    For people who make their pictures elsewhere; as CSV or JSON Lines. In CSV a text that a spreadsheet would take for
    a formula has a ' before it.

    InputError if `out` does not end in .csv or .jsonl, or something else lies there.
    """
    kind = out.suffix.lower()
    if kind not in _BEGINNINGS:
        raise InputError(f"{out}: --out must end in {' or '.join(_BEGINNINGS)}")
    if limit is not None and limit < 1:
        raise InputError(f"--limit must be at least 1, not {limit}")
    if out.exists() and not (out.is_file() and read_bytes(out).startswith(_BEGINNINGS[kind])):
        raise InputError(f"{out}: is there and is no list of prompts; choose another --out")
    written = prompts.first(limit)
    rows = [{"id": prompt.id, "text": prompt.text} for prompt in written]
    with formats.clear_os_errors(out, "writing"):
        out.parent.mkdir(parents=True, exist_ok=True)
        if kind == ".jsonl":
            formats.write_lines(out, rows)
        else:
            file = io.StringIO(newline="")
            writer = csv.DictWriter(file, ("id", "text"), lineterminator="\n")
            writer.writeheader()
            writer.writerows({name: literal(cell) for name, cell in row.items()} for row in rows)
            formats.write_atomically(out, file.getvalue().encode())
    return written
