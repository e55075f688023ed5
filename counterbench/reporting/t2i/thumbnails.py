"""The pictures of the gallery: small in one file, up to a size; beyond it small in a folder; or whole, in a folder."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

import msgspec
from PIL import Image

from counterbench.drawing import png
from counterbench.drawing.picture import Picture
from counterbench.drawing.render import render
from counterbench.errors import CounterbenchError, InputError
from counterbench.files.foreign import inside
from counterbench.reporting.frame import EMBEDDED
from counterbench.reporting.pictures import SIDE, small
from counterbench.reporting.place import OURS, remove_others
from counterbench.scene.scene import Scene
from counterbench.suites.workers import count, in_chunks
from counterbench.t2i.images.manifest import ImageRow

# Bytes of pictures, as they stand in the page: of more, none stand in it.
MOST = 20_000_000
_QUALITY = 80
_CHUNK = 16
_KINDS = {"png": "image/png", "jpg": "image/jpeg"}
Wanted = tuple[int, ImageRow] | Scene


class Made(msgspec.Struct, frozen=True):
    """An encoded picture and its kind ("png", "jpg"); or why there is none."""

    data: bytes = b""
    kind: str = "png"
    problem: str = ""


class _Make:
    """Reads, or draws, pictures; picklable, for other processes. `folders`: of each run, None where it is not there."""

    def __init__(self, folders: Sequence[Path | None], whole: bool) -> None:
        self.folders, self.whole = folders, whole

    def __call__(self, wanted: list[Wanted]) -> list[Made]:
        return [self._made(of) for of in wanted]

    def _made(self, of: Wanted) -> Made:
        if isinstance(of, Scene):
            image = render(of)
            return Made(png.encode(image)) if self.whole else thumbnail(image)
        number, row = of
        folder = self.folders[number]
        if folder is None:
            return Made(problem="not at hand")
        try:
            picture = Picture.from_file(inside(folder, row.path, f"{folder}, {row.id!r}"), row.picture_digest)
            return Made(picture.png) if self.whole else thumbnail(picture.image())
        except CounterbenchError as error:
            return Made(problem=str(error))


def thumbnail(image: Image.Image) -> Made:
    """A picture of `SIDE` pixels or less: as a drawing or as a photograph, whichever is smaller."""
    image.thumbnail((SIDE, SIDE), Image.Resampling.BOX)
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=_QUALITY)
    drawn, photographed = small(image), buffer.getvalue()
    return Made(drawn, "png") if len(drawn) <= len(photographed) else Made(photographed, "jpg")


class Placed(msgspec.Struct, frozen=True):
    """What the page has of the pictures: their sources, empty for those that are not there, after `base`.

    `beside`: the folder that they were written to, if any; `problems`: why some are not there.
    """

    sources: list[str]
    base: str
    beside: Path | None
    problems: list[str]


def place_pictures(
    wanted: Sequence[Wanted],
    folders: Sequence[Path | None],
    page: Path,
    whole: Path | None,
    on_progress: Callable[[int, int], None],
) -> Placed:
    """Make all pictures: whole ones in the folder `whole`, else small ones in the page or, of too many, beside it.

    InputError if the folder beside the page holds anything but a report's pictures.
    """
    folder, size = whole, 0
    sources: list[str] = []
    problems: list[str] = []
    held: list[Made] = []  # those that go into the page, unless they become too many
    for number, made in enumerate(_all(wanted, _Make(folders, whole is not None), on_progress)):
        if made.problem:
            problems.append(made.problem)
        if folder is not None:
            sources.append(_written(folder, number, made))
            continue
        held.append(made)
        size += -(-len(made.data) // 3) * 4  # as base64
        if size > MOST:
            folder = _beside(page)
            sources = [_written(folder, n, each) for n, each in enumerate(held)]
    if folder is None:
        return Placed(list(map(_embedded, held)), EMBEDDED, None, problems)
    remove_others(folder, set(sources))
    return Placed(sources, f"{quote(folder.name)}/", folder, problems)


def _all(wanted: Sequence[Wanted], make: _Make, on_progress: Callable[[int, int], None]) -> Iterator[Made]:
    total = len(wanted)
    for done, made in enumerate(in_chunks(make, wanted, workers=count(None), chunk=_CHUNK, total=total), 1):
        yield made
        on_progress(done, total)


def _beside(page: Path) -> Path:
    folder = page.with_name(f"{page.stem}-pictures")
    if folder.exists() and not (folder.is_dir() and all(OURS.fullmatch(path.name) for path in folder.iterdir())):
        raise InputError(f"{folder}: is there and is no folder of a report's pictures; choose another --out")
    return folder


def _embedded(made: Made) -> str:
    return f"{_KINDS[made.kind]};base64,{base64.b64encode(made.data).decode()}" if made.data else ""


def _written(folder: Path, number: int, made: Made) -> str:
    if not made.data:
        return ""
    folder.mkdir(exist_ok=True)
    name = f"{number:05d}.{made.kind}"
    (folder / name).write_bytes(made.data)
    return name
