"""The pictures of a page: small, in the page itself or, where they are too many, in a folder beside it."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

import msgspec
from PIL import Image

from counterbench.errors import InputError
from counterbench.suites.workers import count, in_chunks

# A picture of a page: at most so many pixels a side and, if it is a drawing, so many colours.
SIDE, COLOURS = 256, 64
NO_PICTURES = "none"
# Before the source of a picture that is in the page itself.
EMBEDDED = "data:"
# Bytes of pictures, as they stand in the page: of more, none stand in it.
MOST = 20_000_000
_QUALITY = 80
_CHUNK = 20
_KINDS = {"png": "image/png", "jpg": "image/jpeg"}
_OURS = re.compile(r"\d{5,}(-\d)?\.(png|jpg)")

T = TypeVar("T")
OnProgress = Callable[[int, int], None]


class Encoded(msgspec.Struct, frozen=True):
    """An encoded picture and its kind ("png", "jpg"); or why there is none."""

    data: bytes = b""
    kind: str = "png"
    problem: str = ""


# Turns things into the pictures of each; picklable, for other processes.
Encode = Callable[[list[T]], list[list[Encoded]]]


def drawing(image: Image.Image) -> Encoded:
    """A drawing for a page: reduced by a whole number to `SIDE` or less, `COLOURS` colours, about 1 kB."""
    factor = -(-max(image.size) // SIDE)
    reduced = image.reduce(factor) if factor > 1 else image
    palette = reduced.quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    buffer = io.BytesIO()
    palette.save(buffer, "PNG", compress_level=9)
    return Encoded(buffer.getvalue())


def thumbnail(image: Image.Image) -> Encoded:
    """A picture of `SIDE` pixels or less: as a drawing or as a photograph, whichever is smaller."""
    image.thumbnail((SIDE, SIDE), Image.Resampling.BOX)
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=_QUALITY)
    drawn, photographed = drawing(image), buffer.getvalue()
    return drawn if len(drawn.data) <= len(photographed) else Encoded(photographed, "jpg")


class Placed(msgspec.Struct, frozen=True):
    """The pictures of a page: the sources of each thing's, empty for those that are not there, after `base`.

    `beside`: the folder that they were written to, if any; `problems`: why some are not there; `size`: of the first.
    """

    sources: list[tuple[str, ...]]
    base: str = EMBEDDED
    beside: Path | None = None
    problems: list[str] = []
    size: tuple[int, int] = (0, 0)

    @property
    def count(self) -> int:
        """How many pictures the page has."""
        return sum(bool(source) for sources in self.sources for source in sources)

    def note(self) -> str:
        """How the page has its pictures, in a sentence."""
        small = f"Pictures are reduced to {SIDE} pixels at most"
        if self.beside is None:
            return f"{small}, and embedded."
        return (
            f"{small}, and in the folder {self.beside.name} beside this page, which goes with it: they are more than "
            f"the {MOST / 1e6:.0f} MB that one file holds."
        )


def place_pictures(things: Sequence[T], encode: Encode[T], page: Path, on_progress: OnProgress) -> Placed:
    """Encode the pictures of all things, into the page or, of too many, into a folder beside it.

    InputError if that folder holds anything but a report's pictures.
    """
    held: list[list[Encoded]] = []  # those that go into the page, unless they become too many
    folder: Path | None = None
    bytes_, sources, problems = 0, [], []
    first = b""
    for number, pictures in enumerate(_all(things, encode, on_progress)):
        problems += [picture.problem for picture in pictures if picture.problem]
        first = first or next((picture.data for picture in pictures if picture.data), b"")
        bytes_ += sum(-(-len(picture.data) // 3) * 4 for picture in pictures)  # as base64
        if folder is not None:
            sources.append(_written(folder, number, pictures))
            continue
        held.append(pictures)
        if bytes_ > MOST:
            folder = _beside(page)
            sources = [_written(folder, n, each) for n, each in enumerate(held)]
    size = Image.open(io.BytesIO(first)).size if first else (0, 0)
    if folder is None:
        return Placed([tuple(map(_embedded, pictures)) for pictures in held], EMBEDDED, None, problems, size)
    ours = {source for of in sources for source in of}
    for path in folder.iterdir():  # of the report that lay there
        if path.name not in ours:
            path.unlink()
    return Placed(sources, f"{quote(folder.name)}/", folder, problems, size)


def _all(things: Sequence[T], encode: Encode[T], on_progress: OnProgress) -> Iterator[list[Encoded]]:
    total = len(things)
    for done, pictures in enumerate(in_chunks(encode, things, workers=count(None), chunk=_CHUNK, total=total), 1):
        yield pictures
        on_progress(done, total)


def _beside(page: Path) -> Path:
    folder = page.with_name(f"{page.stem}-pictures")
    if folder.exists() and not (folder.is_dir() and all(_OURS.fullmatch(path.name) for path in folder.iterdir())):
        raise InputError(f"{folder}: is there and is no folder of a report's pictures; choose another --out")
    folder.mkdir(exist_ok=True)
    return folder


def _embedded(picture: Encoded) -> str:
    return f"{_KINDS[picture.kind]};base64,{base64.b64encode(picture.data).decode()}" if picture.data else ""


def _written(folder: Path, number: int, pictures: Sequence[Encoded]) -> tuple[str, ...]:
    names = []
    for n, picture in enumerate(pictures):
        names.append(f"{number:05d}-{n}.{picture.kind}" if picture.data else "")
        if picture.data:
            (folder / names[-1]).write_bytes(picture.data)
    return tuple(names)
