"""The pictures of a page: small, in the page itself or, where they are too many, in a folder beside it."""

import base64
import io
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

import msgspec
from PIL import Image

from counterbench.bars import OnProgress
from counterbench.errors import InputError
from counterbench.suites.workers import in_chunks, worker_count

# The most pixels of a side of a picture on a page, and the most colours of a drawing.
SIDE, COLOURS = 384, 64
NO_PICTURES = "none"  # of --pictures: a page without pictures
# The beginning of a source whose picture is in the page itself.
EMBEDDED = "data:"
# The most bytes of pictures in a page, as base64; with more, all pictures go into a folder.
MAX_BYTES = 20_000_000
_QUALITY = 80  # of JPEG, as Pillow counts
_CHUNK = 20  # entries that one process encodes at a time
_KINDS = {"png": "image/png", "jpg": "image/jpeg"}
# Names of files that a report wrote into its folder of pictures.
_OURS = re.compile(r"\d{5,}(-\d)?\.(png|jpg)")

T = TypeVar("T")


class Encoded(msgspec.Struct, frozen=True):
    """An encoded picture, or the reason why there is none."""

    data: bytes = b""
    kind: str = "png"  # or "jpg"
    problem: str = ""  # the reason

    @property
    def source(self) -> str:
        """The picture as a data URI without its beginning, `EMBEDDED`; empty if there is none."""
        return f"{_KINDS[self.kind]};base64,{base64.b64encode(self.data).decode()}" if self.data else ""


# A function that encodes a chunk of entries (pairs, or single pictures): for each entry, the list of its pictures. It
# must be picklable, as other processes call it.
Encode = Callable[[list[T]], list[list[Encoded]]]


def drawing(image: Image.Image) -> Encoded:
    """A drawing encoded for a page, as PNG of about 1 kB.

    Its sides are divided by a whole number, so that none is above `SIDE` pixels; it has at most `COLOURS` colours.
    """
    factor = -(-max(image.size) // SIDE)
    reduced = image.reduce(factor) if factor > 1 else image
    palette = reduced.quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    buffer = io.BytesIO()
    palette.save(buffer, "PNG", compress_level=9)
    return Encoded(buffer.getvalue())


def thumbnail(image: Image.Image) -> Encoded:
    """A picture encoded for a page, with no side above `SIDE` pixels: as PNG or as JPEG, whichever has fewer bytes.

    `image` itself is made smaller.
    """
    image.thumbnail((SIDE, SIDE), Image.Resampling.BOX)
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=_QUALITY)
    drawn, photographed = drawing(image), buffer.getvalue()
    return drawn if len(drawn.data) <= len(photographed) else Encoded(photographed, "jpg")


class PlacedPictures(msgspec.Struct, frozen=True):
    """The pictures of a page."""

    sources: list[tuple[str, ...]]  # by entry, of each of its pictures, without `base`; "" for one that is not there
    base: str = EMBEDDED  # comes before every source
    folder_written: Path | None = None  # the folder that they were written to, if any
    problems: list[str] = []  # the reasons why some are not there
    size: tuple[int, int] = (0, 0)  # width and height of the first picture, in pixels

    @property
    def count(self) -> int:
        """The number of pictures on the page."""
        return sum(bool(source) for sources in self.sources for source in sources)

    def note(self) -> str:
        """A sentence about the size and the place of the page's pictures."""
        small = f"Pictures are reduced to {SIDE} pixels at most"
        if self.folder_written is None:
            return f"{small}, and embedded."
        return (
            f"{small}, and in the folder {self.folder_written.name} beside this page, as they exceed "
            f"{MAX_BYTES / 1e6:.0f} MB: keep both together."
        )


class PageDraft(msgspec.Struct, frozen=True, kw_only=True):
    """A report before its pictures are made."""

    to_encode: Sequence[Any]  # the entries that the page shows: pairs, or single pictures
    encode: Encode[Any]  # makes the pictures of each of `to_encode`
    fill: Callable[[PlacedPictures], str]  # makes the page with the pictures
    counts: dict[str, int]  # values for fields of `Written`
    notes: Callable[[PlacedPictures], list[str]]  # makes the notes of `Written`


def place_pictures(to_encode: Sequence[T], encode: Encode[T], page: Path, on_progress: OnProgress) -> PlacedPictures:
    """Encode all pictures of `to_encode`, for the page itself or, if they exceed `MAX_BYTES`, into a folder beside it.

    `page`: the file of the page, which need not be there yet. InputError if that folder holds anything but a
    report's pictures.
    """
    encoded: list[list[Encoded]] = []  # those that go into the page, unless they become too many
    folder: Path | None = None
    bytes_, sources, problems = 0, [], []
    first = b""
    total = len(to_encode)
    chunks = in_chunks(encode, to_encode, workers=worker_count(None), chunk=_CHUNK, total=total)
    for number, pictures in enumerate(chunks):
        problems += [picture.problem for picture in pictures if picture.problem]
        first = first or next((picture.data for picture in pictures if picture.data), b"")
        bytes_ += sum(-(-len(picture.data) // 3) * 4 for picture in pictures)  # as base64
        if folder is not None:
            sources.append(_write_pictures(folder, number, pictures))
        else:
            encoded.append(pictures)
            if bytes_ > MAX_BYTES:
                folder = _folder_of(page)
                sources = [_write_pictures(folder, n, earlier) for n, earlier in enumerate(encoded)]
        on_progress(number + 1, total)
    size = Image.open(io.BytesIO(first)).size if first else (0, 0)
    if folder is None:
        sources = [tuple(picture.source for picture in pictures) for pictures in encoded]
        return PlacedPictures(sources, EMBEDDED, None, problems, size)
    ours = {name for names in sources for name in names}
    for path in folder.iterdir():  # pictures of the report that lay there before
        if path.name not in ours:
            path.unlink()
    return PlacedPictures(sources, f"{quote(folder.name)}/", folder, problems, size)


def _folder_of(page: Path) -> Path:
    """The folder beside a page for its pictures, made if needed; InputError if it holds anything else."""
    folder = page.with_name(f"{page.stem}-pictures")
    if folder.exists() and not (folder.is_dir() and all(_OURS.fullmatch(path.name) for path in folder.iterdir())):
        raise InputError(f"{folder}: is there and is no folder of a report's pictures; choose another --out")
    folder.mkdir(exist_ok=True)
    return folder


def _write_pictures(folder: Path, number: int, pictures: Sequence[Encoded]) -> tuple[str, ...]:
    """Write the pictures of entry `number` of a page into a folder; return their names, "" for a missing one."""
    names = []
    for n, picture in enumerate(pictures):
        names.append(f"{number:05d}-{n}.{picture.kind}" if picture.data else "")
        if picture.data:
            (folder / names[-1]).write_bytes(picture.data)
    return tuple(names)
