"""`folder:DIR`: pictures that were made elsewhere, taken in under the layout in which they lie."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec

from counterbench.answers.outcomes import Failed
from counterbench.drawing.reading import MOST_BYTES
from counterbench.errors import InputError, unknown
from counterbench.files import foreign
from counterbench.judges.options import read_options, split_spec
from counterbench.t2i.generators.base import Drawing, DrawingRequest
from counterbench.t2i.generators.layouts import LAYOUTS, Place, other_pictures
from counterbench.t2i.generators.mapping import MAPPING_FILES
from counterbench.t2i.images.manifest import MOST_SAMPLES, sample_id
from counterbench.t2i.prompts.prompt_set import PromptSet

_SHOWN = 5


class FolderOptions(msgspec.Struct, frozen=True, kw_only=True):
    """`layout`: how the pictures lie (`layouts.LAYOUTS`). `first`: the number of a prompt's first sample, 0 or 1."""

    layout: str = "counterbench"
    first: Annotated[int, msgspec.Meta(ge=0, le=1)] = 0


class FolderGenerator:
    """Gives the picture that a folder has for each sample, and a failure where it has none or several.

    `notes` says which files belong to no prompt, or to the same sample as another: they are not used, and none is
    chosen among them. `samples` is how many samples of a prompt the folder has at most. InputError if the folder is
    not there, its mapping or manifest is at fault, or nothing in it belongs to the prompts.
    """

    max_batch = 1
    max_in_flight = 8
    by_id = True

    def __init__(self, spec: str, prompts: PromptSet) -> None:
        name, given = split_spec(spec)
        self._folder = Path(name).expanduser()
        where = f"folder:{name}"
        options = read_options(FolderOptions, given, where)
        if options.layout not in LAYOUTS:
            raise unknown("layout", options.layout, LAYOUTS, where)
        if not self._folder.is_dir():
            raise InputError(f"{where}: there is no such folder")
        self.name = f"folder:{spec}"
        self._places: dict[str, list[Place]] = {}
        stray: list[str] = []
        for place in LAYOUTS[options.layout](self._folder, prompts, options.first):
            if place.sample is None:
                stray.append(f"{self._shown(place.path)}: {place.why}")
            elif not 0 <= place.sample[2] < MOST_SAMPLES:  # a larger number is a date
                stray.append(
                    f"{self._shown(place.path)}: would be sample {place.sample[2]} of {'/'.join(place.sample[:2])}; "
                    f"samples are 0 to {MOST_SAMPLES - 1}"
                )
            else:
                self._places.setdefault(sample_id(*place.sample), []).append(place)
        taken = {place.path for places in self._places.values() for place in places}
        stray += [
            f"{self._shown(path)}: no PNG, JPEG or WebP file; save it as one"
            for path in other_pictures(self._folder)
            if path not in taken
        ]
        if not self._places:
            raise InputError(
                f"{where}: nothing in it belongs to prompt set {prompts.name!r} in layout {options.layout!r}"
                f"{self._why(stray)}; layouts are: {', '.join(LAYOUTS)}; name the folder of one model, or say in a "
                f"{MAPPING_FILES[0]} in it which picture is which (columns path, prompt and, if you like, sample)"
            )
        self.samples = 1 + max(int(id.rpartition("/")[2]) for id in self._places)
        self.notes = [f"not used: {line}" for line in stray]
        for id, places in self._places.items():
            if len(places) > 1:
                self.notes.append(f"ambiguous: {', '.join(self._shown(p.path) for p in places)} are all {id}")

    def _shown(self, path: Path | None) -> str:
        return path.relative_to(self._folder).as_posix() if path is not None else "a line without a path"

    @staticmethod
    def _why(stray: Sequence[str]) -> str:
        if not stray:
            return " (it has no PNG, JPEG or WebP files)"
        more = f" and {len(stray) - _SHOWN} more" if len(stray) > _SHOWN else ""
        return f" ({'; '.join(stray[:_SHOWN])}{more})"

    async def draw(self, batch: Sequence[DrawingRequest]) -> Sequence[Drawing]:
        """The pictures, read in threads."""
        return list(await asyncio.gather(*(asyncio.to_thread(self._read, request) for request in batch)))

    async def close(self) -> None:
        """Nothing is held."""

    def _read(self, request: DrawingRequest) -> Drawing:
        places = self._places.get(request.id, [])
        if not places:
            return Drawing(failure=Failed("missing", f"{self._folder} has no picture of this sample"))
        if len(places) > 1:
            names = ", ".join(self._shown(place.path) for place in places)
            return Drawing(failure=Failed("ambiguous", f"several files are this sample: {names}"))
        place = places[0]
        if place.status == "refused":
            return Drawing(refusal=place.message or "its manifest says so", cost=0.0)
        if place.path is None:
            return Drawing(failure=Failed("missing", place.message or "its manifest gives no path"))
        try:
            return Drawing(picture=foreign.read_bytes(place.path, MOST_BYTES), cost=0.0)
        except InputError as error:
            return Drawing(failure=Failed("unreadable", str(error)))
