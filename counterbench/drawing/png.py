"""Pictures to PNG bytes, fast, and the digest of a picture's pixels.

The bytes of a PNG depend on the compressor; the digest does not: it is over the decoded RGB pixels.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Callable
from typing import Any

from PIL import Image

try:  # ten times faster at the same size; absent on a few platforms, and then the pixels are the same
    from isal.isal_zlib import compress as _compress
    from isal.isal_zlib import decompressobj as _isal_decompressor

    _decompressor: Callable[[], Any] = _isal_decompressor
except ImportError:
    from zlib import compress as _compress

    _decompressor = zlib.decompressobj

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_STEP = 1 << 15  # bytes by which pictures are compared
# Larger than any photograph of a telephone. Larger files are refused before they are decoded.
MOST_PIXELS = 50_000_000


def encode(image: Image.Image, title: str = "") -> bytes:
    """An RGB picture as PNG: eight bits a channel, no line filtered, which suits flat colours; `title` in ASCII."""
    return _encoded(image.size, _lines(image), title_chunk(title) if title else b"")


def title_chunk(title: str) -> bytes:
    """The part of a PNG that holds its title, in ASCII."""
    return _chunk(b"tEXt", b"Title\0" + title.encode("ascii"))


def encode_and_digest(*images: Image.Image) -> list[tuple[bytes, str]]:
    """The PNG and the pixel digest of each of some RGB pictures of one size; their common beginning is hashed once."""
    (size,) = {image.size for image in images}
    first, *others = [_lines(image) for image in images]
    alike = 0
    while alike < len(first) and all(lines.startswith(first[alike : alike + _STEP], alike) for lines in others):
        alike += _STEP
    hashed = _hash(size, first[:alike])
    return [(_encoded(size, lines), _hex(hashed.copy(), memoryview(lines)[alike:])) for lines in (first, *others)]


def pixel_digest(image: Image.Image) -> str:
    """A hex digest of an RGB picture: of its size and every pixel, independent of its file."""
    return _hex(_hash(image.size), _lines(image))


def is_plain(data: bytes) -> bool:
    """True if a file has the parts of one that `encode` wrote, pixels and no other data; they may be damaged."""
    return _packed(data) is not None


def plain_digest(data: bytes) -> str | None:
    """The `pixel_digest` of a file that `encode` wrote, without decoding its lines; None of any other file."""
    parts = _packed(data)
    if parts is None:
        return None
    (width, height), packed = parts
    length = height * (3 * width + 1)
    inflater = _decompressor()
    try:
        lines = inflater.decompress(packed, length + 1)
    except Exception:  # zlib's error or isal's: decoding the file tells the reason
        return None
    if len(lines) != length or not inflater.eof or inflater.unused_data:
        return None
    return _hex(_hash((width, height)), lines) if lines[:: 3 * width + 1].count(0) == height else None


def _packed(data: bytes) -> tuple[tuple[int, int], bytes] | None:
    """Size and compressed lines of a file as `_encoded` makes it; None of any other."""
    header, end = len(_SIGNATURE) + 25, _chunk(b"IEND", b"")
    if not data.startswith(_SIGNATURE) or not data.endswith(end) or len(data) < header + 12 + len(end):
        return None
    width, height, *rest = struct.unpack(">IIBBBBB", data[len(_SIGNATURE) + 8 : header - 4])
    packed = data[header + 8 : -len(end) - 4]
    whole = data[len(_SIGNATURE) : header] + data[header : -len(end)]
    if rest != [8, 2, 0, 0, 0] or not 0 < width * height <= MOST_PIXELS:
        return None
    if whole != _chunk(b"IHDR", data[len(_SIGNATURE) + 8 : header - 4]) + _chunk(b"IDAT", packed):
        return None
    return (width, height), packed


def _lines(image: Image.Image) -> bytes:
    """The pixels line by line, each line after a zero byte, as a PNG holds them before compression."""
    # The raw encoder pads each line to the stride with one zero at its end; moved by one byte, those are the filters.
    return b"\0" + image.tobytes("raw", "RGB", 3 * image.width + 1)[:-1]


def _encoded(size: tuple[int, int], lines: bytes, extra: bytes = b"") -> bytes:
    header = struct.pack(">IIBBBBB", *size, 8, 2, 0, 0, 0)
    return _SIGNATURE + _chunk(b"IHDR", header) + extra + _chunk(b"IDAT", _compress(lines, 1)) + _chunk(b"IEND", b"")


def _hash(size: tuple[int, int], lines: bytes = b"") -> hashlib._Hash:
    digest = hashlib.sha256(f"RGB {size[0]} {size[1]}\n".encode())
    digest.update(lines)
    return digest


def _hex(hashed: hashlib._Hash, lines: bytes | memoryview) -> str:
    hashed.update(lines)
    return hashed.hexdigest()[:32]


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
