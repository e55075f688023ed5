"""Somebody's own pictures as they are kept, and what is odd in them, alone and in a pair."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageChops

from counterbench.drawing import png, reading
from counterbench.files import foreign

# A pixel differs if a channel does by more than JPEG's noise; pictures that differ in so large a share differ in more
# than one thing.
_NOISE, _MOST = 32, 0.5
_SUFFIXES = {".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".heic", ".avif"}


class Looked(NamedTuple):
    """A picture: its pixels, the PNG that it is kept as, the digest of its pixels, and what is odd in it."""

    image: Image.Image
    png: bytes
    digest: str
    odd: tuple[str, ...]


def look(path: Path) -> Looked:
    """The picture in a file; InputError says what is wrong with one that cannot be read."""
    data = foreign.read_bytes(path, reading.MOST_BYTES)
    image = reading.decode(data)
    kept = data if png.is_plain(data) else reading.encoded(image)
    odd = [f"pictures that were converted: {change}" for change in reading.changes(data)]
    if image.getcolors(1) is not None:
        odd.append("blank pictures, all of one colour")
    return Looked(image, kept, png.pixel_digest(image), tuple(odd))


def odd_together(original: Looked, intervened: Looked, relevant: bool) -> Iterator[str]:
    """What is odd in two pictures as a pair whose answers differ (`relevant`), or do not."""
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
    """The pictures beside those that are named, in the same folders, which no row names."""
    for folder in sorted(folders):
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            if path.suffix.lower() in _SUFFIXES and str(path) not in named:
                yield str(path)
