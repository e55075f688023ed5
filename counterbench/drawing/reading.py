"""The one reader of pictures: PNG, JPEG or WebP by content, of limited size, to RGB and to a PNG of the pixels."""

import io
import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from PIL import ExifTags, Image, ImageOps, UnidentifiedImageError

from counterbench.drawing import png
from counterbench.errors import InputError, errors_at
from counterbench.files import foreign

# Pillow reads many other formats, some of which start other programs.
_FORMATS = ("PNG", "JPEG", "WEBP")
# Other formats of pictures, by the beginning of their files.
_OTHERS = [
    (name, re.compile(start, re.DOTALL))
    for name, start in (
        ("a GIF", rb"GIF8[79]a"),
        ("a TIFF", rb"II\*\0|MM\0\*"),
        ("a BMP", rb"BM.{8}"),
        ("an AVIF", rb".{4}ftypavi[fs]"),
        ("a HEIC", rb".{4}ftyp(heic|heix|mif1)"),
    )
]
MAX_BYTES = 64 * 2**20
# Grey of sixteen bits a pixel, as different versions of Pillow call it.
_DEEP = ("I", "I;16", "I;16B", "I;16L", "I;16N")
_ADDRESS = re.compile(r"<[^<>]* at 0x[0-9a-fA-F]+>")
_COMPRESSION = 3  # level: half the time of the usual 6, for a twentieth more bytes


class PlainPicture(NamedTuple):
    """An RGB PNG of a picture's pixels and nothing else, with what it shows."""

    png: bytes
    digest: str  # of its pixels (`png.pixel_digest`)
    width: int
    height: int
    blank: bool  # all of one colour


class Head(NamedTuple):
    """Format and size of a picture, from the head of its file."""

    file_format: str  # "png", "jpeg" or "webp", by content
    width: int
    height: int


def head(path: Path) -> Head | None:
    """Format and size of the picture in a file, without decoding it; None if it cannot be read."""
    try:
        with path.open("rb") as file:
            start = file.read(24)
        if start.startswith(png.SIGNATURE):
            return Head("png", *struct.unpack(">II", start[16:]))
        with Image.open(path, formats=_FORMATS) as image:
            return Head(str(image.format).lower(), *image.size)
    except Exception:  # of many kinds: decoding the file tells the reason
        return None


def decode(data: bytes, name: str = "picture") -> Image.Image:
    """A PNG, JPEG or WebP file as an RGB picture, see `normalised`; InputError with `name` and the reason."""
    with errors_at(name):
        return _decoded(data)[0]


def read(path: Path) -> Image.Image:
    """The picture in a file; InputError as `decode` raises it, and if there is no such file."""
    return decode(foreign.read_bytes(path, MAX_BYTES), str(path))


def read_png(path: Path) -> bytes:
    """The picture in a file as a PNG of its pixels alone, or the file itself if it is one. InputError as of `read`."""
    data = foreign.read_bytes(path, MAX_BYTES)
    if png.has_only_pixels(data):
        return data
    with errors_at(path):
        return normalised(data).png


def normalised(data: bytes) -> PlainPicture:
    """A PNG, JPEG or WebP file as an RGB PNG; InputError with the reason if it cannot be read.

    Transparent parts become white; of sixteen bits the upper eight are kept; the picture is turned as its EXIF says.
    Text, profiles and all other data are left out: a file could tell a judge the prompt.
    """
    image, plain = _decoded(data)
    blank = image.getcolors(1) is not None
    return PlainPicture(_pixels_only(data) if plain else encoded(image), png.pixel_digest(image), *image.size, blank)


def changes(data: bytes) -> Iterator[str]:
    """The changes that `decode` makes to a picture that it can read, in words."""
    image = Image.open(io.BytesIO(data), formats=_FORMATS)
    if image.format == "WEBP":
        yield "WebP"
    if getattr(image, "n_frames", 1) > 1:
        yield "several frames, of which the first is taken"
    if _turned(image) is not image:
        yield "turned by their EXIF"
    if image.mode == "CMYK":
        yield "CMYK"
    if image.mode in _DEEP or (data.startswith(png.SIGNATURE) and data[24] == 16):
        yield "16 bits a channel, of which the upper 8 are taken"
    if image.has_transparency_data and image.convert("RGBA").getchannel("A").getextrema() != (255, 255):
        yield "transparent, on white now"


def encoded(image: Image.Image) -> bytes:
    """The PNG of an RGB picture of any kind."""
    file = io.BytesIO()
    image.save(file, "PNG", compress_level=_COMPRESSION)
    return file.getvalue()


def _decoded(data: bytes) -> tuple[Image.Image, bool]:
    """The picture as RGB, and True if the file is already an RGB PNG with the same pixels."""
    if len(data) > MAX_BYTES:
        raise InputError(f"{len(data)} bytes is more than counterbench reads of a picture ({MAX_BYTES})")
    if data.startswith(png.SIGNATURE) and len(data) >= 24:  # before Pillow warns of a size in its own words
        _check_size(*struct.unpack(">II", data[16:24]))
    try:
        image: Image.Image = Image.open(io.BytesIO(data), formats=_FORMATS)
        _check_size(*image.size)
        image.load()
        plain = image.format == "PNG" and image.mode == "RGB" and not image.has_transparency_data
        turned = _turned(image)
        return _as_rgb(turned), plain and turned is image
    except InputError:
        raise
    except Exception as error:  # of many kinds: the file is damaged, or is no picture
        raise InputError(f"not a readable picture (PNG, JPEG, WebP): {_reason_unreadable(data, error)}"[:300]) from None


def _reason_unreadable(data: bytes, error: Exception) -> str:
    """The reason why a file cannot be read, in words that are the same in every run."""
    if not data:
        return "it is empty"
    if kind := next((name for name, start in _OTHERS if start.match(data)), ""):
        return f"it is {kind}; save it as PNG"
    if isinstance(error, UnidentifiedImageError):  # its words are about the object that was read
        return "it is none of them, or damaged where it begins"
    return f"{type(error).__name__}: {_ADDRESS.sub('the file', str(error))}"


def _turned(image: Image.Image) -> Image.Image:
    """The picture turned as its EXIF data says; unchanged if they say nothing or cannot be read."""
    try:
        turn = image.getexif().get(ExifTags.Base.Orientation, 1)
        return ImageOps.exif_transpose(image) if turn in range(2, 9) else image
    except Exception:  # of many kinds, for damaged EXIF data: the pixels are good without it
        return image


def _as_rgb(image: Image.Image) -> Image.Image:
    """The picture in RGB with 8 bits a channel, on white where it is transparent; InputError for floating point."""
    if image.mode in _DEEP:
        image = _to_8_bits(image)
    elif image.mode == "F":
        raise InputError("its pixels are floating-point numbers without a range; save it with 8 bits a channel")
    if image.has_transparency_data:
        above = image.convert("RGBA")
        image = Image.new("RGB", above.size, "white")
        image.paste(above, mask=above.getchannel("A"))
    return image if image.mode == "RGB" else image.convert("RGB")


def _to_8_bits(image: Image.Image) -> Image.Image:
    """A grey picture of 16 bits with the upper 8 of them, as Pillow reads coloured ones; with its transparency."""
    import numpy as np

    deep = np.asarray(image).astype(np.int64)
    if deep.min() < 0 or deep.max() > 0xFFFF:
        raise InputError("its pixels have more than 16 bits a channel; save it with 8")
    grey = Image.fromarray((deep >> 8).astype(np.uint8))
    clear = image.info.get("transparency")
    if not isinstance(clear, int):
        return grey
    grey.putalpha(Image.fromarray(np.where(deep == clear, 0, 255).astype(np.uint8)))
    return grey


def _check_size(width: int, height: int) -> None:
    """InputError if a picture has more pixels than we read."""
    if width * height > png.MAX_PIXELS:
        raise InputError(f"{width}×{height} pixels is more than counterbench reads ({png.MAX_PIXELS})")


def _pixels_only(data: bytes) -> bytes:
    """A PNG without its ancillary chunks, those whose names begin in lower case (PNG specification, 5.4)."""
    kept, at = png.SIGNATURE, len(png.SIGNATURE)
    while at + 12 <= len(data):
        end = at + 12 + int.from_bytes(data[at : at + 4], "big")
        kept += data[at:end] if data[at + 4 : at + 5].isupper() else b""
        at = end
    return kept
