"""The sample of each file of a folder: by a mapping file, or by the file's path.

Nothing is guessed. A file whose path may name two prompts, or none, is reported as unused.

    path,prompt,sample
    monday/coin-1.png,falling.up.00/l1,0
    monday/coin-2.png,falling.up.00/l1,1

A mapping is CSV, or JSON Lines with the same names. `path` begins at the mapping's own folder, `prompt` is the id that
`t2i export-prompts` writes, and `sample` may be left out: a prompt's next number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from counterbench.errors import InputError
from counterbench.files import foreign
from counterbench.files.tables import read_table
from counterbench.t2i.prompts.prompt_set import Prompt, PromptSet

MAPPING_FILES = ("mapping.csv", "mapping.jsonl")
_COLUMNS = ("path", "prompt")
# Layouts by the path, and the form of a path without its suffix.
LAYOUTS = {"plain": "<id>, <id>-<k> or <id>/<k>", "corebench": "<task>/<ID>-<k>"}
_SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")


class Place(msgspec.Struct, frozen=True):
    """A file and its sample."""

    path: Path | None  # None: the file is not there
    sample: tuple[str, str, int] | None = None  # group, level, number
    why: str = ""  # the reason why it belongs to no sample


def places(folder: Path, prompts: PromptSet, layout: str) -> Iterator[Place]:
    """The place of each picture file of a folder; a mapping file in it comes before any layout."""
    mappings = [folder / name for name in MAPPING_FILES if (folder / name).is_file()]
    if len(mappings) > 1:
        raise InputError(f"{folder}: has {' and '.join(MAPPING_FILES)}; keep the one that says which picture is which")
    return _mapped(mappings[0], prompts) if mappings else _by_path(folder, prompts, layout)


def _mapped(mapping: Path, prompts: PromptSet) -> Iterator[Place]:
    """The places that a mapping gives; InputError with the line if a sample or a picture is on two lines."""
    folder = mapping.parent
    samples: dict[tuple[str, int], str] = {}
    pictures: dict[str, str] = {}
    following: dict[str, int] = {}
    for row in read_table(mapping, _COLUMNS, ("sample",)):
        file, id = map(row.filled, _COLUMNS)
        given = row["sample"]
        if given and not re.fullmatch(r"\d{1,9}", given, re.ASCII):
            raise InputError(f"{row.where}, column 'sample': {given!r} is no sample's number, which begin at 0")
        number = int(given) if given else following.get(id, 0)
        following[id] = max(following.get(id, 0), number + 1)
        path = foreign.inside(folder, file, row.where)
        name = path.relative_to(folder).as_posix()
        if (id, number) in samples:
            first = samples[id, number]
            raise InputError(f"{row.where}: a second line of '{id}/{number}' (the first: {first}); each sample has one")
        if name in pictures:
            raise InputError(f"{row.where}: {name!r} is named already ({pictures[name]}); a picture is one sample's")
        samples[id, number] = pictures[name] = row.where
        prompt = prompts.by_id.get(id)
        if prompt is None:
            yield Place(path, why=f"no prompt is called {id} ({row.where})")
        elif path.is_file():
            yield Place(path, (prompt.group, prompt.level, number))
        else:
            yield Place(None, (prompt.group, prompt.level, number), f"{row.where}: there is no file {name!r}")
    for path, _ in _pictures(folder):
        if path.relative_to(folder).as_posix() not in pictures:
            yield Place(path, why="no line of the mapping names it")


def _by_path(folder: Path, prompts: PromptSet, layout: str) -> Iterator[Place]:
    """The places by paths: a prompt's id, with any sign between its parts, and a number if it has several samples."""
    by_name: dict[str, list[Prompt]] = {}
    for levels in prompts.groups.values():
        for prompt in levels.values():
            # A group at one level is named by the group alone, too.
            for name in {_slug(prompt.id), _slug(prompt.group)} if len(levels) == 1 else {_slug(prompt.id)}:
                by_name.setdefault(name, []).append(prompt)
    for path, name in _pictures(folder):
        if layout == "corebench":
            name = name.partition("/")[2] if name.count("/") == 1 else ""
        candidates = {(prompt.id, 0): prompt for prompt in by_name.get(_slug(name), [])}
        if numbered := re.fullmatch(r"(.+)[-_/](\d+)", name, re.ASCII):
            candidates |= {(of.id, int(numbered[2])): of for of in by_name.get(_slug(numbered[1]), [])}
        if len(candidates) == 1:
            (((_, number), prompt),) = candidates.items()
            yield Place(path, (prompt.group, prompt.level, number))
        else:
            names = ", ".join(sorted({id for id, _ in candidates}))
            yield Place(path, why=f"it may be any of {names}" if names else "no prompt is called so")


def _pictures(folder: Path) -> Iterator[tuple[Path, str]]:
    """The picture files of a folder, each with its path in it (no suffix, "/" between folders), in a fixed order."""
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in _SUFFIXES and path.is_file():
            yield path, path.relative_to(folder).with_suffix("").as_posix()


def _slug(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text.lower()).strip()
