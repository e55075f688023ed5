"""Somebody's own pictures as they are kept, and the oddities in them, alone and in a pair."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageChops

from counterbench.drawing import png, reading
from counterbench.files import foreign

# A pixel differs if one of its channels differs by more than JPEG's noise. Pictures that differ in a larger share of
# their pixels differ in more than one thing.
_NOISE, _MOST = 32, 0.5
_SUFFIXES = {".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".heic", ".avif"}


class Looked(NamedTuple):
    """A picture that was read."""

    image: Image.Image
    png: bytes  # the file that it is kept as
    digest: str  # of its pixels
    odd: tuple[str, ...]  # its oddities, in words


def look(path: Path) -> Looked:
    """The picture in a file; InputError with the reason if it cannot be read."""
    data = foreign.read_bytes(path, reading.MOST_BYTES)
    image = reading.decode(data)
    kept = data if png.is_plain(data) else reading.encoded(image)
    odd = [f"pictures that were converted: {change}" for change in reading.changes(data)]
    if image.getcolors(1) is not None:
        odd.append("blank pictures, all of one colour")
    return Looked(image, kept, png.pixel_digest(image), tuple(odd))


def odd_together(original: Looked, intervened: Looked, relevant: bool) -> Iterator[str]:
    """The oddities of two pictures as a pair whose answers differ (`relevant`), or do not."""
    if original.digest == intervened.digest:
        yield "identical pictures, yet two answers" if relevant else "identical pictures: nothing was changed"
    elif original.image.size != intervened.image.size:
        yield "two pictures of different sizes"
    elif _share(original.image, intervened.image) > _MOST:
        yield "pictures that differ in more than half of their pixels: in one thing alone?"


def _share(one: Image.Image, other: Image.Image) -> float:
    red, green, blue = ImageChops.difference(one, other).split()
    counts = ImageChops.lighter(ImageChops.lighter(red, green), blue).histogram()
    return sum(counts[_NOISE:]) / (one.width * one.height)


def unnamed(folders: Iterable[Path], named: set[str]) -> Iterator[str]:
    """The pictures in these folders that no row names."""
    for folder in sorted(folders):
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            if path.suffix.lower() in _SUFFIXES and str(path) not in named:
                yield str(path)
