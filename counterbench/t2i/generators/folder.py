"""`folder:DIR`: pictures that were made elsewhere; the sample of each file by a mapping file, or by the file's path.

Nothing is guessed. A file whose path may name two prompts, or none, is reported as unused.

    path,prompt,sample
    monday/coin-1.png,falling.up.00/l1,0
    monday/coin-2.png,falling.up.00/l1,1

A mapping is CSV, or JSON Lines with the same names. `path` begins at the mapping's own folder, `prompt` is the id that
`t2i export-prompts` writes, and `sample` may be left out: a prompt's next number.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from counterbench.answers.outcomes import Failed
from counterbench.drawing.reading import MOST_BYTES
from counterbench.errors import InputError, unknown
from counterbench.files import foreign
from counterbench.files.tables import read_table
from counterbench.judges.options import read_options, split_spec
from counterbench.t2i.generators.base import Drawing, DrawingRequest
from counterbench.t2i.images.manifest import MOST_SAMPLES
from counterbench.t2i.prompts.prompt_set import PromptSet

_MAPPINGS = ("mapping.csv", "mapping.jsonl")
_COLUMNS = ("path", "prompt")
# Layouts by the path, and the form of a path without its suffix.
LAYOUTS = {"plain": "<id>, <id>-<k> or <id>/<k>", "corebench": "<task>/<ID>-<k>"}
_SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")
_SHOWN = 5


class FolderOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of a folder."""

    layout: str = "plain"  # one of `LAYOUTS`, for a folder without a mapping file


class FolderGenerator:
    """A generator that gives a folder's picture for each sample, and a failure if there is none or several.

    `notes` names the files that belong to no prompt, or to the same sample as another: none of them is used. `samples`
    is the largest number of samples that a prompt has there. InputError if the folder is not there, its mapping is
    wrong, or nothing in it belongs to the prompts.
    """

    max_batch = 1
    max_in_flight = 8
    by_id = True

    def __init__(self, spec: str, prompts: PromptSet) -> None:
        name, given = split_spec(spec)
        self._folder = Path(name).expanduser()
        self.name = where = f"folder:{spec}"
        layout = read_options(FolderOptions, given, where).layout
        if layout not in LAYOUTS:
            raise unknown("layout", layout, LAYOUTS, where)
        if not self._folder.is_dir():
            raise InputError(f"{where}: there is no such folder")
        self._places: dict[str, list[Place]] = {}
        stray: list[str] = []
        for place in places(self._folder, prompts, layout):
            if not place.prompt:
                stray.append(f"{self._shown(place)}: {place.why}")
            elif place.sample >= MOST_SAMPLES:  # a larger number is likely a date
                would = f"would be sample {place.sample} of {place.prompt}; samples are 0 to {MOST_SAMPLES - 1}"
                stray.append(f"{self._shown(place)}: {would}")
            else:
                self._places.setdefault(f"{place.prompt}/{place.sample}", []).append(place)
        if not self._places:
            rest = f" and {len(stray) - _SHOWN} more" if len(stray) > _SHOWN else ""
            files = f"{'; '.join(stray[:_SHOWN])}{rest}" if stray else "it has no PNG, JPEG or WebP files"
            raise InputError(
                f"{where}: nothing in it belongs to prompt set {prompts.name!r} in layout {layout!r} ({files}); "
                f"layouts are: {', '.join(LAYOUTS)}; name the folder of one model, or say in a {_MAPPINGS[0]} "
                "in it which picture is which (columns path, prompt and, if you like, sample)"
            )
        self.samples = 1 + max(int(id.rpartition("/")[2]) for id in self._places)
        self.notes = [f"not used: {line}" for line in stray]
        for id, several in self._places.items():
            if len(several) > 1:
                self.notes.append(f"ambiguous: {', '.join(map(self._shown, several))} are all {id}")

    def _shown(self, place: Place) -> str:
        return place.path.relative_to(self._folder).as_posix() if place.path is not None else place.why

    async def draw(self, batch: Sequence[DrawingRequest]) -> Sequence[Drawing]:
        """The pictures, read in threads."""
        return list(await asyncio.gather(*(asyncio.to_thread(self._read, request) for request in batch)))

    async def close(self) -> None:
        """Release nothing."""

    def _read(self, request: DrawingRequest) -> Drawing:
        places = self._places.get(request.id, [])
        if not places:
            return Drawing(failure=Failed("missing", f"{self._folder} has no picture of this sample"))
        if len(places) > 1:
            names = ", ".join(map(self._shown, places))
            return Drawing(failure=Failed("ambiguous", f"several files are this sample: {names}"))
        path = places[0].path
        if path is None:
            return Drawing(failure=Failed("missing", places[0].why))
        try:
            return Drawing(picture=foreign.read_bytes(path, MOST_BYTES), cost=0.0)
        except InputError as error:
            return Drawing(failure=Failed("unreadable", str(error)))


class Place(msgspec.Struct, frozen=True):
    """A file and its sample."""

    path: Path | None  # None: the file is not there
    prompt: str = ""  # its id; empty if the file belongs to no sample
    sample: int = 0
    why: str = ""  # the reason why it belongs to none, or is not there


def places(folder: Path, prompts: PromptSet, layout: str) -> Iterator[Place]:
    """The place of each picture file of a folder; a mapping file in it comes before any layout."""
    mappings = [folder / name for name in _MAPPINGS if (folder / name).is_file()]
    if len(mappings) > 1:
        raise InputError(f"{folder}: has {' and '.join(_MAPPINGS)}; keep the one that says which picture is which")
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
        if id not in prompts.by_id:
            yield Place(path, why=f"no prompt is called {id} ({row.where})")
        elif path.is_file():
            yield Place(path, id, number)
        else:
            yield Place(None, id, number, f"{row.where}: there is no file {name!r}")
    for path, _ in _pictures(folder):
        if path.relative_to(folder).as_posix() not in pictures:
            yield Place(path, why="no line of the mapping names it")


def _by_path(folder: Path, prompts: PromptSet, layout: str) -> Iterator[Place]:
    """The places by paths: a prompt's id, with any sign between its parts, and a number if it has several samples."""
    by_name: dict[str, set[str]] = {}
    for prompt in prompts.prompts:
        by_name.setdefault(_slug(prompt.id), set()).add(prompt.id)
        if len(prompts.groups[prompt.group]) == 1:  # it may be named by the group alone, too
            by_name.setdefault(_slug(prompt.group), set()).add(prompt.id)
    for path, name in _pictures(folder):
        if layout == "corebench":
            name = name.partition("/")[2] if name.count("/") == 1 else ""
        candidates = {(id, 0) for id in by_name.get(_slug(name), ())}
        if numbered := re.fullmatch(r"(.+)[-_/](\d+)", name, re.ASCII):
            candidates |= {(id, int(numbered[2])) for id in by_name.get(_slug(numbered[1]), ())}
        if len(candidates) == 1:
            yield Place(path, *candidates.pop())
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
