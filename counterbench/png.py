"""Pictures to PNG bytes and back, fast, and the digest of a picture's pixels.

The bytes of a PNG depend on the compressor; the digest does not: it is over the decoded RGB pixels.
"""

from __future__ import annotations

import hashlib
import io
import struct
import zlib
from pathlib import Path

from PIL import Image

from counterbench.errors import InputError

try:  # ten times faster at the same size; absent on a few platforms, and then the pixels are the same
    from isal.isal_zlib import compress as _compress
except ImportError:
    from zlib import compress as _compress

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
# A scene has at most 2048 × 2048 pixels. Larger files are refused before they are decoded.
_MOST_PIXELS = 4096 * 4096


def encode(image: Image.Image) -> bytes:
    """An RGB picture as PNG: eight bits a channel, every line unfiltered, which suits flat colours."""
    return _encoded(image.size, _lines(image))


def encode_and_digest(image: Image.Image) -> tuple[bytes, str]:
    """The PNG and the pixel digest of an RGB picture, at the cost of reading its pixels once."""
    lines = _lines(image)
    return _encoded(image.size, lines), _digest(image.size, lines)


def pixel_digest(image: Image.Image) -> str:
    """A hex digest of an RGB picture: its size and every pixel, whatever file it came from."""
    return _digest(image.size, _lines(image))


def _lines(image: Image.Image) -> bytes:
    """The pixels line by line, each line after a zero byte, as a PNG holds them before compression."""
    # The raw encoder pads each line to the stride with one zero at its end; moved by one byte, those are the filters.
    return b"\0" + image.tobytes("raw", "RGB", 3 * image.width + 1)[:-1]


def _encoded(size: tuple[int, int], lines: bytes) -> bytes:
    header = struct.pack(">IIBBBBB", *size, 8, 2, 0, 0, 0)
    return _SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", _compress(lines, 1)) + _chunk(b"IEND", b"")


def _digest(size: tuple[int, int], lines: bytes) -> str:
    digest = hashlib.sha256(f"RGB {size[0]} {size[1]}\n".encode())
    digest.update(lines)
    return digest.hexdigest()[:32]


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def decode(data: bytes, name: str = "picture") -> Image.Image:
    """PNG (or JPEG, WebP, …) bytes as an RGB picture; InputError, naming `name`, if they are damaged or enormous."""
    try:
        image: Image.Image = Image.open(io.BytesIO(data))
        if image.size[0] * image.size[1] > _MOST_PIXELS:
            raise InputError(f"{name}: {image.size[0]}×{image.size[1]} pixels is more than counterbench reads")
        return image.convert("RGB")
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise InputError(f"{name}: not a readable picture ({error})") from None


def read_bytes(path: Path) -> bytes:
    """The bytes of a file; InputError if it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None


def read(path: Path) -> Image.Image:
    """The picture in a file as RGB; InputError if it is missing or damaged."""
    return decode(read_bytes(path), str(path))
