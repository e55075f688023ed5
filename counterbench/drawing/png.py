"""Pictures to PNG bytes, fast, and the digest of a picture's pixels.

The bytes of a PNG depend on the compressor; the digest does not: it is over the decoded RGB pixels.
"""

import struct
import zlib

from blake3 import blake3
from PIL import Image, ImageFile

try:  # ten times faster at the same size; absent on a few platforms, and then the pixels are the same
    from isal.isal_zlib import compress as _compress
except ImportError:
    from zlib import compress as _compress

SIGNATURE = b"\x89PNG\r\n\x1a\n"
ImageFile.MAXBLOCK = 1 << 20  # bytes that Pillow packs at once: a picture, usually, and then it need not be joined
# Larger than any photograph of a telephone. Larger files are refused before they are decoded.
MAX_PIXELS = 50_000_000


def encode(image: Image.Image, title: str = "") -> bytes:
    """An RGB picture as PNG: eight bits a channel, no line filtered, which suits flat colours; `title` in ASCII."""
    return _png_of_lines(image.size, _filtered_lines(image), title_chunk(title) if title else b"")


def title_chunk(title: str) -> bytes:
    """The part of a PNG that holds its title, in ASCII."""
    return _chunk(b"tEXt", b"Title\0" + title.encode("ascii"))


def encode_and_digest(image: Image.Image) -> tuple[bytes, str]:
    """The PNG and the pixel digest of an RGB picture."""
    lines = _filtered_lines(image)
    return _png_of_lines(image.size, lines), _digest_of_lines(image.size, lines)


def pixel_digest(image: Image.Image) -> str:
    """A hex digest of an RGB picture: of its size and every pixel, independent of its file."""
    return _digest_of_lines(image.size, _filtered_lines(image))


def file_digest(data: bytes) -> str:
    """A hex digest of the bytes of a file."""
    return blake3(data).hexdigest()[:32]


def has_only_pixels(data: bytes) -> bool:
    """True if a file has the very chunks that `encode` writes: a header for RGB of 8 bits, pixels, and an end.

    Nothing is decoded, so the pixels may still be damaged.
    """
    header, end = len(SIGNATURE) + 25, _chunk(b"IEND", b"")
    if not data.startswith(SIGNATURE) or not data.endswith(end) or len(data) < header + 12 + len(end):
        return False
    fields = data[len(SIGNATURE) + 8 : header - 4]
    width, height, *rest = struct.unpack(">IIBBBBB", fields)
    if rest != [8, 2, 0, 0, 0] or not 0 < width * height <= MAX_PIXELS:
        return False
    compressed = data[header + 8 : -len(end) - 4]
    return data == SIGNATURE + _chunk(b"IHDR", fields) + _chunk(b"IDAT", compressed) + end


def _filtered_lines(image: Image.Image) -> bytes:
    """The pixels line by line, each line after a zero byte, as a PNG holds them before compression."""
    # The raw encoder pads each line to the stride with one zero at its end; moved by one byte, those are the filters.
    return b"".join((b"\0", memoryview(image.tobytes("raw", "RGB", 3 * image.width + 1))[:-1]))


def _png_of_lines(size: tuple[int, int], lines: bytes, extra: bytes = b"") -> bytes:
    """The PNG of a picture's lines, with `extra` chunks before the pixels."""
    header = struct.pack(">IIBBBBB", *size, 8, 2, 0, 0, 0)
    return SIGNATURE + _chunk(b"IHDR", header) + extra + _chunk(b"IDAT", _compress(lines, 1)) + _chunk(b"IEND", b"")


def _digest_of_lines(size: tuple[int, int], lines: bytes) -> str:
    """A hex digest of a picture's size and lines."""
    digest = blake3(f"RGB {size[0]} {size[1]}\n".encode())  # five times as fast as SHA-256
    digest.update(lines)
    return digest.hexdigest()[:32]


def _chunk(kind: bytes, data: bytes) -> bytes:
    """A chunk of a PNG: its length, kind, data and checksum."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
