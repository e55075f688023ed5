"""Which file of a folder is which sample of which prompt, by the layouts in which others keep their pictures.

A layout never guesses. A file is matched if what its path (and the folder's own notes) say names one prompt of the set
and no other; else it is named as unmatched, and two files that name the same sample as ambiguous.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.t2i.images.manifest import MANIFEST_FILE, folder_names, inside
from counterbench.t2i.prompts.prompt_set import Prompt, PromptSet

SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")
# Pictures too, but none that is read: they are named, so that nobody wonders where they went.
OTHER_SUFFIXES = (".gif", ".bmp", ".tif", ".tiff", ".avif", ".heic", ".heif", ".jxl", ".jp2", ".ppm", ".tga", ".svg")


class Place(msgspec.Struct, frozen=True):
    """A file that a layout places: the sample (group, level, number), or why it belongs to none.

    `status` and `message` are what a manifest says of a sample without a picture.
    """

    path: Path | None
    sample: tuple[str, str, int] | None = None
    why: str = ""
    status: str = ""
    message: str = ""


class Written(msgspec.Struct, frozen=True):
    """What is read of a line of a `manifest.jsonl` made elsewhere; other keys are left alone."""

    group: str
    level: str
    sample: int
    path: str = ""
    prompt_digest: str = ""
    status: str = ""
    message: str = ""


def ours(folder: Path, prompts: PromptSet, first: int) -> Iterator[Place]:
    """`manifest.jsonl`, or `<group>/<level>/<k>.png` as counterbench writes it."""
    if (folder / MANIFEST_FILE).is_file():
        yield from _manifest(folder, prompts)
        return
    groups = {name: text for text, name in folder_names(prompts.groups).items()}
    groups |= {group: group for group in prompts.groups}
    levels = {name: text for text, name in folder_names(prompts.levels).items()}
    for path, parts in _pictures(folder):
        group, level = groups.get("/".join(parts[:-2])), levels.get(parts[-2]) if len(parts) > 2 else None
        if group is None or level is None:
            yield Place(path, why="no prompt is called so")
        else:
            yield _numbered(path, path.stem, group, level, first)


def _manifest(folder: Path, prompts: PromptSet) -> Iterator[Place]:
    seen: set[tuple[str, str, int]] = set()
    known = {(prompt.group, prompt.level): prompt for prompt in prompts.prompts}
    for number, row in enumerate(formats.read_lines(folder / MANIFEST_FILE, Written), 1):
        where = f"{folder / MANIFEST_FILE}, line {number}"
        sample = (row.group, row.level, row.sample)
        if sample in seen:
            raise InputError(f"{where}: a second line of {'/'.join(map(str, sample))!r}; each sample has one")
        seen.add(sample)
        path = inside(folder, row.path, where) if row.path else None
        prompt = known.get((row.group, row.level))
        if prompt is None:
            yield Place(path, why=f"no prompt is called {row.group}/{row.level}")
        elif row.prompt_digest and row.prompt_digest != prompt.digest:
            yield Place(path, why=f"made from other words than {prompt.id} has now")
        else:
            yield Place(path, sample, status=row.status, message=row.message)


def cf_world(folder: Path, prompts: PromptSet, first: int) -> Iterator[Place]:
    """`<discipline>/<stem>/<source_id>_<level>.png`, one picture a prompt.

    The group is the one called "<discipline>/<stem>/<source_id>", "<stem>/<source_id>" or so, whatever the case and
    whatever stands between the parts.
    """
    find = _by_slug(prompts.prompts, lambda prompt: f"{prompt.group} {prompt.level}")
    for path, parts in _pictures(folder):
        named = re.fullmatch(r"(.+)_(\w+)", path.stem)
        if len(parts) != 3 or named is None:
            yield Place(path, why="not <discipline>/<stem>/<source_id>_<level>")
            continue
        discipline, stem = parts[:2]
        rest = f"{named[1]} {named[2]}"
        yield _placed(path, find, (f"{discipline} {stem} {rest}", f"{stem} {rest}"), first, first)


def geneval(folder: Path, prompts: PromptSet, first: int) -> Iterator[Place]:
    """`<index>/samples/<k>.png`, with the prompt's words in `<index>/metadata.jsonl`.

    The words decide; where two prompts share them, the one at that index (from 0) in the set, if it is one of them.
    """
    words: dict[str, list[Prompt]] = {}
    for prompt in prompts.prompts:
        words.setdefault(" ".join(prompt.text.split()), []).append(prompt)
    told: dict[Path, tuple[str, str]] = {}
    for path, parts in _pictures(folder):
        if len(parts) != 3 or parts[1] != "samples" or not parts[0].isdecimal():
            yield Place(path, why="not <index>/samples/<k>")
            continue
        home = path.parent.parent
        if home not in told:
            told[home] = _metadata_prompt(home)
        said, why = told[home]
        found = words.get(" ".join(said.split()), [])
        index = int(parts[0])
        if len(found) > 1 and index < len(prompts.prompts) and prompts.prompts[index] in found:
            found = [prompts.prompts[index]]
        if why:
            yield Place(path, why=why)
        elif len(found) != 1:
            yield Place(path, why="several prompts have its words" if found else "no prompt has its words")
        else:
            yield _numbered(path, path.stem, found[0].group, found[0].level, first)


def _metadata_prompt(home: Path) -> tuple[str, str]:
    """The prompt that a folder's metadata give, and, if they give none, why."""
    path = home / "metadata.jsonl"
    try:
        line = next(iter(formats.read_lines(path, dict[str, Any])), {}) if path.is_file() else {}
    except InputError as error:
        return "", f"its folder's metadata.jsonl cannot be read ({str(error).removeprefix(f'{path}, ')})"
    said = line.get("prompt")
    return (said, "") if isinstance(said, str) else ("", "its folder has no metadata.jsonl that gives the prompt")


def corebench(folder: Path, prompts: PromptSet, first: int) -> Iterator[Place]:
    """`<task>/<ID>-<k>.png`: the group is called ID, and has one level."""
    find = _by_slug(prompts.prompts, lambda prompt: prompt.group)
    for path, parts in _pictures(folder):
        named = re.fullmatch(r"(.+)-(\d+)", path.stem)
        if len(parts) != 2 or named is None:
            yield Place(path, why="not <task>/<ID>-<k>")
        else:
            yield _placed(path, find, (named[1], f"{parts[0]} {named[1]}"), int(named[2]), first)


LAYOUTS: dict[str, Callable[[Path, PromptSet, int], Iterator[Place]]] = {
    "counterbench": ours,
    "cf-world": cf_world,
    "geneval": geneval,
    "corebench": corebench,
}


def _pictures(folder: Path) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """The picture files of a folder with the parts of their paths within it, in a fixed order."""
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in SUFFIXES and path.is_file():
            yield path, path.relative_to(folder).parts


def other_pictures(folder: Path) -> Iterator[Path]:
    """The files of a folder that are pictures of a kind that is not read, in a fixed order."""
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in OTHER_SUFFIXES and path.is_file():
            yield path


def _numbered(path: Path, number: str, group: str, level: str, first: int) -> Place:
    """The sample that a file's number stands for; numbers begin at `first`."""
    if not (number.isascii() and number.isdecimal()) or int(number) < first:
        return Place(path, why=f"{number!r} is no sample's number, which begin at {first}")
    return Place(path, (group, level, int(number) - first))


def _slug(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text.lower()).strip()


def _by_slug(prompts: Iterable[Prompt], name: Callable[[Prompt], str]) -> dict[str, list[Prompt]]:
    found: dict[str, list[Prompt]] = {}
    for prompt in prompts:
        found.setdefault(_slug(name(prompt)), []).append(prompt)
    return found


def _placed(path: Path, find: dict[str, list[Prompt]], names: Iterable[str], number: int, first: int) -> Place:
    """The one prompt that one of the names names."""
    candidates = {prompt.id: prompt for name in names for prompt in find.get(_slug(name), [])}
    if len(candidates) != 1:
        why = f"it may be any of {', '.join(sorted(candidates))}" if candidates else "no prompt is called so"
        return Place(path, why=why)
    prompt = next(iter(candidates.values()))
    return _numbered(path, str(number), prompt.group, prompt.level, first)
