"""`folder:DIR`: pictures that were made elsewhere, read by a mapping file or by their paths."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import msgspec

from counterbench.answers.outcomes import Failed
from counterbench.drawing.reading import MOST_BYTES
from counterbench.errors import InputError, unknown
from counterbench.files import foreign
from counterbench.judges.options import read_options, split_spec
from counterbench.t2i.generators.base import Drawing, DrawingRequest
from counterbench.t2i.generators.layouts import LAYOUTS, MAPPING_FILES, Place, places
from counterbench.t2i.images.manifest import MOST_SAMPLES, sample_id
from counterbench.t2i.prompts.prompt_set import PromptSet

_SHOWN = 5


class FolderOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of a folder."""

    layout: str = "plain"  # one of `layouts.LAYOUTS`, for a folder without a mapping file


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
            if place.sample is None:
                stray.append(f"{self._shown(place)}: {place.why}")
            elif place.sample[2] >= MOST_SAMPLES:  # a larger number is likely a date
                stray.append(
                    f"{self._shown(place)}: would be sample {place.sample[2]} of {'/'.join(place.sample[:2])}; "
                    f"samples are 0 to {MOST_SAMPLES - 1}"
                )
            else:
                self._places.setdefault(sample_id(*place.sample), []).append(place)
        if not self._places:
            more = f" and {len(stray) - _SHOWN} more" if len(stray) > _SHOWN else ""
            files = f"{'; '.join(stray[:_SHOWN])}{more}" if stray else "it has no PNG, JPEG or WebP files"
            raise InputError(
                f"{where}: nothing in it belongs to prompt set {prompts.name!r} in layout {layout!r} ({files}); "
                f"layouts are: {', '.join(LAYOUTS)}; name the folder of one model, or say in a {MAPPING_FILES[0]} "
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
