"""Reads prompts and pictures made elsewhere, and finds the prompt, model and sample number of each picture.

`read_material`, the main function, takes a table or folder and gives `Material`: prompts with their questions, the
pictures as `FoundPicture`s, and notes on what is not used. Prompt, model and sample are in a table's columns, or follow
from a file's path in a folder: "flux/red-cup-2.png" is sample 2 of the prompt "red-cup" by the model flux. A sample is
one of several pictures that a model drew of a prompt. `evaluate` and `t2i import` use it.
"""

import difflib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from counterbench.errors import InputError, errors_noted
from counterbench.files import foreign
from counterbench.files.addresses import address_of, shown
from counterbench.files.rows import Row, has_table
from counterbench.prompts.items import PromptItems, read_items
from counterbench.prompts.manifest import IMAGES_FILE, MAX_SAMPLES, read_manifest
from counterbench.prompts.prompt_set import Prompt, PromptSet
from counterbench.prompts.table import prompts_of
from counterbench.suites.stickers import with_room
from counterbench.text import counted, slug

SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")
_MAX_NEAREST = 3  # prompts that a message names for a name that matches none
_MIN_PREFIX = 20  # the fewest characters of a prompt's slug (its words in small letters, with "-") that may name a file
_USUAL_FOLDERS = ("samples", "images", "pictures")  # names of folders that say nothing of their pictures


class FoundPicture(NamedTuple):
    """A picture that was made elsewhere, with its model, its prompt and its number among the model's pictures of it."""

    model: str
    prompt: str  # its id
    sample: int
    source: Path | str | bytes  # its file, its address, or the content of its file
    where: str  # its place, for messages
    seed: int = 0


class Places(NamedTuple):
    """The pictures that belong to prompts, and a note for each of the others."""

    placed: list[FoundPicture]
    unused: list[str]


class Material(NamedTuple):
    """Prompts with their questions, the pictures of them, and notes on what is not used."""

    prompts: PromptSet
    placed: list[FoundPicture]
    notes: list[str]


def read_material(
    path: Path, prompts: PromptSet | None = None, columns: Mapping[str, str] = {}, allow_outside: bool = False
) -> Material:
    """The prompts and pictures of a table or folder; `prompts`: those of its pictures, by default the table's own.

    `columns`: the table's names of our columns. `allow_outside`: pictures may lie outside the table's folder, and at
    addresses of stores. A row at fault is left out, with a note. InputError for a folder of pictures without `prompts`,
    if a table has no column of pictures, and if no picture belongs to a prompt.
    """
    if not path.exists():
        raise InputError(f"{path}: there is no such table or folder")
    notes: list[str] = []
    if path.is_dir() and not has_table(path):
        if prompts is None:
            raise InputError(
                f"{path}: is a folder of pictures; name the file of their prompts, too (evaluate --questions, t2i "
                "import --for)"
            )
        places = places_in_folder(path, prompts, allow_outside)
    else:
        items = read_items(path, columns, {})
        if items.columns and "image" not in items.columns:
            raise InputError(
                f"{path}: has no column image, which names the pictures; its columns are "
                f"{', '.join([*items.columns, *items.unused])}; add it, rename one, or say --columns image=NAME"
            )
        if prompts is None:
            prompts, ids, _ = prompts_of(items)
            prompts_by_id = prompts.by_id

            def find(row: Row) -> Prompt | str:
                return prompts_by_id.get(ids.get(row.where, ""), "its prompt is empty")
        else:
            find = Finder(prompts).find
        default_model = path.stem if path.is_file() else path.resolve().name
        places = places_in_table(items, find, default_model, allow_outside)
        notes = [*(warning.line() for warning in items.not_used), *(items.faults or {}).values()]
        if items.faults and not places.placed:
            raise InputError(next(iter(items.faults.values())))
    notes += places.unused
    if not places.placed:
        why = f" ({places.unused[0]})" if places.unused else ": there is none (PNG, JPEG, WebP)"
        raise InputError(f"{path}: no picture belongs to a prompt of {prompts.name!r}{why}")
    pictured_ids = {picture.prompt for picture in places.placed}
    return Material(
        prompts.holding([prompt for prompt in prompts.prompts if prompt.id in pictured_ids]), places.placed, notes
    )


def pictures_of(path: Path) -> tuple[list[Path], int]:
    """The picture files that have room for stickers (drawn things on top), of a generator's or any folder, or a table.

    The second result is the number of pictures without room (see `with_room`). InputError if there is no picture, if
    one lies outside the folder, or if a table has pictures as addresses or within its file.
    """
    if (path / IMAGES_FILE).is_file():
        images = read_manifest(path)
        return with_room((images.file(row) for row in images.rows if row.status == "ok"), path)
    if path.is_dir() and not has_table(path):
        return with_room((_inside(path, file, False) for file in sorted(path.rglob("*")) if file.is_file()), path)
    sources = [_source(row, path) for row in read_items(path).rows if row.values.get("image")]
    files = [source for source in sources if isinstance(source, Path)]
    if len(files) < len(sources):
        raise InputError(
            f"{path}: {counted(len(sources) - len(files), 'picture')} of it are addresses or lie in the table itself; "
            "`counterbench t2i import` makes files of them"
        )
    return with_room(dict.fromkeys(files), path)


class Finder:
    """Finds a prompt of a set by its id, by its group if that has one level, or by its exact words."""

    def __init__(self, prompts: PromptSet) -> None:
        self.prompts = prompts
        self._by_text: dict[str, list[Prompt]] = {}
        for prompt in prompts.prompts:
            self._by_text.setdefault(prompt.text.strip(), []).append(prompt)

    def of_id(self, id: str) -> Prompt | None:
        """The prompt with this id, or the only prompt of the group with this id; None without one."""
        levels = self.prompts.groups.get(id, {})
        return self.prompts.by_id.get(id) or (next(iter(levels.values())) if len(levels) == 1 else None)

    def find(self, row: Row) -> Prompt | str:
        """The prompt of a row, or the reason why it has none."""
        id, words = (str(row.values.get(name) or "").strip() for name in ("id", "prompt"))
        level = str(row.values.get("level") or "").strip()
        if id and (prompt := self.of_id(f"{id}/{level}" if level else id)) is not None:
            if words and words != prompt.text.strip():
                return f"its id {id!r} is of another prompt: {prompt.text[:80]!r}"
            return prompt
        fits = self._by_text.get(words, []) if words else []
        if len(fits) == 1:
            return fits[0]
        if fits:
            return f"{len(fits)} prompts have its words ({', '.join(p.id for p in fits[:_MAX_NEAREST])}): give it an id"
        if not (id or words):
            return "it has neither a prompt nor an id"
        choices = list(self._by_text) if words else [*self.prompts.by_id]
        nearest = difflib.get_close_matches(words or id, choices, _MAX_NEAREST, 0)
        return f"no prompt is {words or id!r}; the nearest: {', '.join(repr(text[:80]) for text in nearest)}"


def places_in_table(
    items: PromptItems, find: Callable[[Row], Prompt | str], model: str = "", allow_outside: bool = False
) -> Places:
    """The pictures of a table's rows; rows about the same picture of a prompt, with a question each, are one sample.

    `find`: the prompt of a row, or the reason why it has none. `model`: of rows that name none.
    A sample without a number gets its prompt's next one. InputError, or a note in `items.faults`, with the line, for a
    cell that is not valid, and if two pictures are one sample.
    """
    places = Places([], [])
    numbers: dict[tuple[str, str, object], int] = {}  # by model, prompt id and picture: the number of its sample
    samples: dict[tuple[str, str, int], str] = {}  # by model, prompt id and sample: the place of its row
    next_numbers: dict[tuple[str, str], int] = {}  # by model and prompt id: the next number of a sample
    first_rows: dict[object, Row] = {}  # by picture and cells: the first row that has them
    has_models = any("model" in row.values for row in items.rows)
    for row in items.rows:
        if items.leaves_out(row):
            continue
        if not row.values.get("image"):
            places.unused.append(f"{row.where}: it names no picture")
            continue
        if isinstance(prompt := find(row), str):
            places.unused.append(f"{row.where}: {prompt}")
            continue
        with errors_noted(items.faults, row.where):
            if has_models and "model" not in row.values:
                raise InputError(f"{row.where}, column 'model': it is empty; give every row its model, or none")
            owner = str(row.values.get("model") or "").strip() or model
            source = _source(row, items.path, allow_outside)
            sample, seed = whole_in(row, "sample"), whole_in(row, "seed") or 0
            key = (owner, prompt.id, source)
            cells = repr({name: cell for name, cell in row.values.items() if name != "image"})
            if (first := first_rows.setdefault((key, cells), row)) is not row:
                places.unused.append(f"{row.where}: says the same as {first.place}")
            if key in numbers and sample in (None, numbers[key]):
                continue
            number = next_numbers.get(key[:2], 0) if sample is None else sample
            if number >= MAX_SAMPLES:
                raise InputError(f"{row.where}, column 'sample': {number}; samples are 0 to {MAX_SAMPLES - 1}")
            if other := samples.get((*key[:2], number)):
                raise InputError(
                    f"{row.where}: is sample {number} of {prompt.id!r} by {owner!r}, as {other} is; give each picture "
                    "of a prompt a sample of its own, or leave the column out"
                )
            numbers[key] = number
            samples[(*key[:2], number)] = row.where
            next_numbers[key[:2]] = max(next_numbers.get(key[:2], 0), number + 1)
            places.placed.append(FoundPicture(owner, prompt.id, number, source, row.where, seed))
    return places


_OUTSIDE_ADVICE = "--allow-outside (of evaluate and t2i import) takes pictures from there"


def _inside(folder: Path, file: Path, allow_outside: bool) -> Path:
    """The path of a file found in a folder; InputError if it is a link that leads out, unless that is allowed."""
    return foreign.inside(folder, file.relative_to(folder).as_posix(), str(folder), _OUTSIDE_ADVICE, allow_outside)


def _source(row: Row, table: Path, allow_outside: bool = False) -> Path | str | bytes:
    """The picture that a row names: its file, its address or its bytes; InputError if it may not be used."""
    image = row.values["image"]
    if isinstance(image, dict):  # as Hugging Face's Parquet files have pictures
        if isinstance(image.get("bytes"), bytes):
            return bytes(image["bytes"])
        image = image.get("path") or ""
    if not isinstance(image, str) or not image.strip():
        raise InputError(f"{row.where}, column 'image': is neither a path, an address nor the content of a picture")
    if address := address_of(image.strip()):
        if not allow_outside and not address.lower().startswith(("http://", "https://")):
            raise InputError(f"{row.where}, column 'image': {shown(address)} is no web address; {_OUTSIDE_ADVICE}")
        return image.strip()
    folder, name = table if table.is_dir() else table.parent, image.strip()
    if Path(name).is_relative_to(folder.absolute()):
        name = Path(name).relative_to(folder.absolute()).as_posix()
    return foreign.inside(folder, name, f"{row.where}, column 'image'", _OUTSIDE_ADVICE, allow_outside)


def whole_in(row: Row, column: str) -> int | None:
    """The whole number in a cell of a row; None if it is empty. InputError, with the line, for anything else."""
    value: Any = row.values.get(column)
    if value in (None, ""):
        return None
    text = str(value).strip().removesuffix(".0")
    if not re.fullmatch(r"\d{1,18}", text, re.ASCII):
        raise InputError(f"{row.where}, column {column!r}: {str(value)[:40]!r} is no whole number from 0 on")
    return int(text)


def places_in_folder(folder: Path, prompts: PromptSet, allow_outside: bool = False) -> Places:
    """The pictures in FOLDER/MODEL/…, at any depth; a path names its prompt by id, by words or by index from 0.

    A number after the name is the sample ("-2", "_2" or a file "2" in the prompt's folder). If a path can be read in
    several ways, the one that uses most of it counts. Pictures beside the folders of models are of a model with the
    folder's name. InputError if a link in the folder leads out of it.
    """
    prompt_names, places = _Names(prompts), Places([], [])
    used_files: dict[tuple[str, str, int], Path] = {}
    pictures = (path for path in sorted(folder.rglob("*")) if path.suffix.lower() in SUFFIXES and path.is_file())
    for path in pictures:
        parts = path.relative_to(folder).with_suffix("").parts
        model, names_in_path = (parts[0], parts[1:]) if len(parts) > 1 else (folder.resolve().name, parts)
        where = path.relative_to(folder).as_posix()
        found_or_reason = prompt_names.read([part for part in names_in_path if part.lower() not in _USUAL_FOLDERS])
        if isinstance(found_or_reason, str):
            places.unused.append(f"{where}: {found_or_reason}")
            continue
        id, sample = found_or_reason
        if (model, id, sample) in used_files:
            other = used_files[model, id, sample].relative_to(folder).as_posix()
            places.unused.append(f"{where}: is sample {sample} of {id}, as {other} is, which is used")
            continue
        used_files[model, id, sample] = path
        places.placed.append(FoundPicture(model, id, sample, _inside(folder, path, allow_outside), where))
    return places


class _Names:
    """Finds a prompt, and a sample's number, by the path of a file; `Finder` finds a prompt by a table's row."""

    def __init__(self, prompts: PromptSet) -> None:
        """Index the prompts by id, by words, and by group where that has one prompt."""
        self._by_name: dict[str, set[str]] = {}
        self._slugs: list[tuple[str, str]] = []
        self._ids = [prompt.id for prompt in prompts.prompts]
        for prompt in prompts.prompts:
            is_only_level = len(prompts.groups[prompt.group]) == 1  # it may be named by the group, too
            for name in (prompt.id, prompt.text, *([prompt.group] if is_only_level else [])):
                self._by_name.setdefault(slug(name, 10_000), set()).add(prompt.id)
            self._slugs.append((slug(prompt.text, 10_000), prompt.id))

    def read(self, parts: Sequence[str]) -> tuple[str, int] | str:
        """The prompt's id and the sample of a path, or the reason why it has none."""
        for start in range(len(parts)):  # the longest reading first
            candidates = set(self._candidates("/".join(parts[start:])))
            if len(candidates) == 1:
                id, sample = candidates.pop()
                if sample >= MAX_SAMPLES:  # a larger number is likely a date
                    return f"would be sample {sample} of {id}; samples are 0 to {MAX_SAMPLES - 1}"
                return id, sample
            if candidates:
                return f"it may be any of {', '.join(sorted({id for id, _ in candidates}))}"
        nearest = difflib.get_close_matches(slug(parts[-1], 200) if parts else "", self._by_name, _MAX_NEAREST, 0)
        return f"no prompt is called so; the nearest: {', '.join(nearest)}"

    def _candidates(self, name: str) -> Iterable[tuple[str, int]]:
        """The prompts' ids and samples that a name may mean: the whole name (sample 0), else without its number."""
        if ids := self._ids_of(name):
            return [(id, 0) for id in ids]
        numbered = re.fullmatch(r"(.+)[-_/ ](\d+)", name, re.ASCII)
        return [(id, int(numbered[2])) for id in self._ids_of(numbered[1])] if numbered else ()

    def _ids_of(self, name: str) -> set[str]:
        """The ids of the prompts that a name means: in full, by an index from 0, or by the beginning of its words."""
        slug_of_name = slug(name, 10_000)
        if slug_of_name in self._by_name:
            return self._by_name[slug_of_name]
        if re.fullmatch(r"\d{1,9}", slug_of_name, re.ASCII):
            return {self._ids[int(slug_of_name)]} if int(slug_of_name) < len(self._ids) else set()
        if len(slug_of_name) < _MIN_PREFIX:
            return set()
        return {id for words, id in self._slugs if words.startswith(slug_of_name)}
