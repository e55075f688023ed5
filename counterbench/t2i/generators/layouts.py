"""Which file of a folder is which sample of which prompt, by the layouts in which others keep their pictures.

A layout never guesses. A file is matched if what its path (and the folder's own notes) say names one prompt of the set
and no other; else it is named as unmatched, and two files that name the same sample as ambiguous.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from counterbench.errors import InputError
from counterbench.files import foreign, formats
from counterbench.t2i.generators.mapping import MAPPING_FILES, Listed, read_mapping
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
    """A layout that a path tells by itself: <…> stands for what differs, <k> for the number of the sample, […] for what
    may be left out.

    Where a path has no <k>, there is one picture a prompt. `names` are what it may call its prompt (see `_by_name`).
    """

    path: str
    names: tuple[str, ...]

    def places(self, folder: Path, prompts: PromptSet, first: int) -> Iterator[Place]:
        """The place of each picture file in a folder; samples are numbered from `first` on."""
        called = _by_name(prompts)
        pattern = re.escape(self.path).replace(r"\[", "(?:").replace(r"\]", ")?").replace("<k>", r"(?P<k>\d+)")
        pattern = re.sub(r"(?<!P)<(\w+)>", r"(?P<\1>[^/]+)", pattern)
        for path, name in _pictures(folder):
            told = re.fullmatch(pattern, name, re.ASCII)
            if told is None:
                yield Place(path, why=f"not {self.path}")
                continue
            parts = told.groupdict("")
            number = parts.get("k", str(first))
            found = [(prompt, number) for way in self.names for prompt in called.get(_slug(way.format(**parts)), [])]
            yield _only(path, found, first)


def plain(folder: Path, prompts: PromptSet, first: int) -> Iterator[Place]:
    """A prompt's id, whatever joins its parts, and for several samples their numbers: <id>, <id>-<k> or <id>/<k>."""
    called = _by_name(prompts)
    for path, name in _pictures(folder):
        found = [(prompt, str(first)) for prompt in called.get(_slug(name), [])]
        if numbered := re.fullmatch(r"(.+)[-_/](\d+)", name, re.ASCII):
            found += [(prompt, numbered[2]) for prompt in called.get(_slug(numbered[1]), [])]
        yield _only(path, found, first)


def _by_name(prompts: PromptSet) -> dict[str, list[Prompt]]:
    """The prompts by what a path may call them: group and level, or of a group at one level the group alone.

    Names are compared whatever the case, and whatever stands between their parts.
    """
    called: dict[str, list[Prompt]] = {}
    for levels in prompts.groups.values():
        for prompt in levels.values():
            for name in {_slug(prompt.id), _slug(prompt.group)} if len(levels) == 1 else {_slug(prompt.id)}:
                called.setdefault(name, []).append(prompt)
    return called


def _only(path: Path, found: Sequence[tuple[Prompt, str]], first: int) -> Place:
    """The place of a file, if all that its name may stand for is one sample; each is a prompt and a number."""
    samples = {(prompt.id, number): prompt for prompt, number in found}
    if len(samples) == 1:
        (((_, number), prompt),) = samples.items()
        return _numbered(path, number, prompt, first)
    names = sorted({id for id, _ in samples})
    return Place(path, why=f"it may be any of {', '.join(names)}" if names else "no prompt is called so")


def ours(folder: Path, prompts: PromptSet, first: int) -> Iterator[Place]:
    """A mapping file, or `manifest.jsonl`, or <group>/<level>/<k> as counterbench writes it."""
    lists = [name for name in (*MAPPING_FILES, MANIFEST_FILE) if (folder / name).is_file()]
    if len(lists) > 1:
        raise InputError(f"{folder}: has {' and '.join(lists)}; keep the one that says which picture is which")
    if lists:
        listed = _manifest(folder) if lists == [MANIFEST_FILE] else read_mapping(folder / lists[0], first)
        yield from _listed(folder, prompts, listed, strict=lists != [MANIFEST_FILE])
        return
    groups, levels = folder_names(prompts.groups), folder_names(prompts.levels)
    homes = {f"{name}/{levels[p.level]}": p for p in prompts.prompts for name in (p.group, groups[p.group])}
    for path, name in _pictures(folder):
        home, _, number = name.rpartition("/")
        if home in homes:
            yield _numbered(path, number, homes[home], first)
        else:
            yield Place(path, why="no prompt is called so")


def _manifest(folder: Path) -> Iterator[Listed]:
    for number, row in formats.numbered_lines(folder / MANIFEST_FILE, Written):
        listed = {name: getattr(row, name) for name in ("path", "sample", "prompt_digest", "status", "message")}
        yield Listed(where=f"{folder / MANIFEST_FILE}, line {number}", prompt=f"{row.group}/{row.level}", **listed)


def _listed(folder: Path, prompts: PromptSet, lines: Iterable[Listed], strict: bool) -> Iterator[Place]:
    """The places that lines give. `strict`: a picture stands on one line, and what stands on none is said."""
    samples: dict[tuple[str, int], str] = {}
    pictures: dict[str, str] = {}
    for line in lines:
        id = (line.prompt, line.sample)
        if id in samples:
            raise InputError(
                f"{line.where}: a second line of '{line.prompt}/{line.sample}' (the first: {samples[id]}); each sample "
                "has one"
            )
        samples[id] = line.where
        path = foreign.inside(folder, line.path, line.where) if line.path else None
        name = path.relative_to(folder).as_posix() if path is not None else ""
        if strict and name in pictures:
            raise InputError(f"{line.where}: {name!r} is named already ({pictures[name]}); a picture is one sample's")
        pictures[name] = line.where
        prompt = prompts.by_id.get(line.prompt)
        if prompt is None:
            yield Place(path, why=f"no prompt is called {line.prompt} ({line.where})")
        elif line.prompt_digest and line.prompt_digest != prompt.digest:
            yield Place(path, why=f"made from other words than {prompt.id} has now")
        else:
            there = path is None or path.is_file()
            message = line.message if there else f"{line.where}: there is no file {name!r}"
            sample = (prompt.group, prompt.level, line.sample)
            yield Place(path if there else None, sample, status=line.status, message=message)
    if strict:
        for path, _ in _pictures(folder):
            if path.relative_to(folder).as_posix() not in pictures:
                yield Place(path, why="no line of the mapping names it")


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
    "plain": plain,
    "cf-world": Template(
        "[<discipline>/]<stem>/<source_id>[_<level>]",
        ("{discipline} {stem} {source_id} {level}", "{stem} {source_id} {level}"),
    ).places,
    "geneval": geneval,
    "corebench": Template("<task>/<ID>-<k>", ("{ID}", "{task} {ID}")).places,
    "r2i-bench": Template("<category>/<subcategory>/<name>", ("{name}",)).places,
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
