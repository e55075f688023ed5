"""Which file of a folder is which sample of which prompt, by the layouts in which others keep their pictures.

A layout never guesses. A file is matched if what its path (and the folder's own notes) say names one prompt of the set
and no other; else it is named as unmatched, and two files that name the same sample as ambiguous.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from counterbench.errors import InputError
from counterbench.files import foreign, formats
from counterbench.t2i.images.manifest import MANIFEST_FILE, folder_names
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


class Template(msgspec.Struct, frozen=True):
    """A layout that a path tells by itself: <…> stands for what differs, <k> for the number of the sample.

    Where a path has no <k>, there is one picture a prompt. `names` are what it may call its prompt, `prompt` is what a
    prompt is called; they are compared whatever the case, and whatever stands between their parts.
    """

    path: str
    names: tuple[str, ...]
    prompt: str

    def places(self, folder: Path, prompts: PromptSet, first: int) -> Iterator[Place]:
        """The place of each picture file in a folder; samples are numbered from `first` on."""
        called: dict[str, list[Prompt]] = {}
        for prompt in prompts.prompts:
            called.setdefault(_slug(self.prompt.format(group=prompt.group, level=prompt.level)), []).append(prompt)
        pattern = re.escape(self.path).replace("<k>", r"(?P<k>\d+)")
        pattern = re.sub(r"(?<!P)<(\w+)>", r"(?P<\1>[^/]+)", pattern)
        for path, name in _pictures(folder):
            told = re.fullmatch(pattern, name, re.ASCII)
            if told is None:
                yield Place(path, why=f"not {self.path}")
                continue
            parts = told.groupdict()
            found = {prompt.id: prompt for way in self.names for prompt in called.get(_slug(way.format(**parts)), [])}
            if len(found) == 1:
                (prompt,) = found.values()
                yield _numbered(path, parts.get("k", str(first)), prompt, first)
            else:
                why = f"it may be any of {', '.join(sorted(found))}" if found else "no prompt is called so"
                yield Place(path, why=why)


def ours(folder: Path, prompts: PromptSet, first: int) -> Iterator[Place]:
    """`manifest.jsonl`, or <group>/<level>/<k> as counterbench writes it."""
    if (folder / MANIFEST_FILE).is_file():
        yield from _manifest(folder, prompts)
        return
    groups, levels = folder_names(prompts.groups), folder_names(prompts.levels)
    homes = {f"{name}/{levels[p.level]}": p for p in prompts.prompts for name in (p.group, groups[p.group])}
    for path, name in _pictures(folder):
        home, _, number = name.rpartition("/")
        if home in homes:
            yield _numbered(path, number, homes[home], first)
        else:
            yield Place(path, why="no prompt is called so")


def _manifest(folder: Path, prompts: PromptSet) -> Iterator[Place]:
    seen: set[tuple[str, str, int]] = set()
    known = {(prompt.group, prompt.level): prompt for prompt in prompts.prompts}
    for number, row in enumerate(formats.read_lines(folder / MANIFEST_FILE, Written), 1):
        where = f"{folder / MANIFEST_FILE}, line {number}"
        sample = (row.group, row.level, row.sample)
        if sample in seen:
            raise InputError(f"{where}: a second line of {'/'.join(map(str, sample))!r}; each sample has one")
        seen.add(sample)
        path = foreign.inside(folder, row.path, where) if row.path else None
        prompt = known.get((row.group, row.level))
        if prompt is None:
            yield Place(path, why=f"no prompt is called {row.group}/{row.level}")
        elif row.prompt_digest and row.prompt_digest != prompt.digest:
            yield Place(path, why=f"made from other words than {prompt.id} has now")
        else:
            yield Place(path, sample, status=row.status, message=row.message)


def geneval(folder: Path, prompts: PromptSet, first: int) -> Iterator[Place]:
    """<index>/samples/<k>, with the prompt's words in <index>/metadata.jsonl.

    The words decide; where two prompts share them, the one at that index (from 0) in the set, if it is one of them.
    """
    words: dict[str, list[Prompt]] = {}
    for prompt in prompts.prompts:
        words.setdefault(" ".join(prompt.text.split()), []).append(prompt)
    told: dict[str, tuple[str, str]] = {}
    for path, name in _pictures(folder):
        parts = re.fullmatch(r"(\d+)/samples/([^/]+)", name, re.ASCII)
        if parts is None:
            yield Place(path, why="not <index>/samples/<k>")
            continue
        if parts[1] not in told:
            told[parts[1]] = _metadata_prompt(folder / parts[1])
        said, why = told[parts[1]]
        found = words.get(" ".join(said.split()), [])
        at_index = prompts.prompts[int(parts[1]) :][:1]
        if len(found) > 1 and at_index and at_index[0] in found:
            found = [at_index[0]]
        if why:
            yield Place(path, why=why)
        elif len(found) != 1:
            yield Place(path, why="several prompts have its words" if found else "no prompt has its words")
        else:
            yield _numbered(path, parts[2], found[0], first)


def _metadata_prompt(home: Path) -> tuple[str, str]:
    """The prompt that a folder's metadata give, and, if they give none, why."""
    path = home / "metadata.jsonl"
    try:
        line = next(iter(formats.read_lines(path, dict[str, Any])), {}) if path.is_file() else {}
    except InputError as error:
        return "", f"its folder's metadata.jsonl cannot be read ({str(error).removeprefix(f'{path}, ')})"
    said = line.get("prompt")
    return (said, "") if isinstance(said, str) else ("", "its folder has no metadata.jsonl that gives the prompt")


LAYOUTS: dict[str, Callable[[Path, PromptSet, int], Iterator[Place]]] = {
    "counterbench": ours,
    "cf-world": Template(
        "<discipline>/<stem>/<source_id>_<level>",
        ("{discipline} {stem} {source_id} {level}", "{stem} {source_id} {level}"),
        "{group} {level}",
    ).places,
    "geneval": geneval,
    "corebench": Template("<task>/<ID>-<k>", ("{ID}", "{task} {ID}"), "{group}").places,
}


def _pictures(folder: Path) -> Iterator[tuple[Path, str]]:
    """The picture files of a folder, each with its path in it (no suffix, "/" between folders), in a fixed order.

    InputError if one is a link that leads out of it.
    """
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in SUFFIXES and path.is_file():
            name = path.relative_to(folder)
            yield foreign.inside(folder, name.as_posix(), str(folder)), name.with_suffix("").as_posix()


def other_pictures(folder: Path) -> Iterator[Path]:
    """The files of a folder that are pictures of a kind that is not read, in a fixed order."""
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in OTHER_SUFFIXES and path.is_file():
            yield path


def _numbered(path: Path, number: str, prompt: Prompt, first: int) -> Place:
    """The sample of a prompt that a file's number stands for; numbers begin at `first`."""
    if not (number.isascii() and number.isdecimal()) or int(number) < first:
        return Place(path, why=f"{number!r} is no sample's number, which begin at {first}")
    return Place(path, (prompt.group, prompt.level, int(number) - first))


def _slug(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text.lower()).strip()
