"""A picture of a query: drawn or read when it is first needed, digested and packed once, and dropped afterwards."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

from PIL import Image

from counterbench.drawing import png, reading
from counterbench.errors import InputError

# Digests of pixels by the digest of their file: a run reads every picture before it begins, and again for its query.
_pixel_digests: dict[bytes, str] = {}
_MAX_KNOWN = 50_000


class Picture:
    """A picture that is drawn, or read, once, when first needed. Several queries may share one.

    `expected_digest`: that of its pixels, if it is known; other pixels raise InputError. `file_digest`: that of a file
    with these pixels; bytes with this digest need no decoding to be known as right.
    """

    def __init__(
        self, source: Callable[[], bytes | Image.Image], name: str, expected_digest: str = "", file_digest: str = ""
    ) -> None:
        """Keep the source; nothing is drawn or read yet.

        `source` gives the pixels, or the bytes of a file; `name` stands in messages. An empty digest is not known.
        """
        self._source = source
        self.name = name
        self._expected_digest, self._file_digest = expected_digest, file_digest
        self._png: bytes | None = None
        self._pixels: Image.Image | None = None  # kept until the bytes are asked for, which are smaller
        self._digest: str | None = None

    @classmethod
    def from_file(cls, path: Path, expected_digest: str = "", file_digest: str = "") -> Picture:
        """The picture in a file, as a PNG of its pixels.

        Reading it raises InputError if the file is missing or damaged, or has other pixels than expected.
        """
        return cls(lambda: reading.read_png(path), str(path), expected_digest, file_digest)

    @property
    def png(self) -> bytes:
        """The encoded bytes of the picture, exactly as a judge gets them."""
        self._make()
        if self._png is None:
            assert self._pixels is not None
            if self._digest is None:
                self._png, self._digest = png.encode_and_digest(self._pixels)
            else:
                self._png = png.encode(self._pixels)
        self._pixels = None
        return self._png

    def image(self) -> Image.Image:
        """The pixels, RGB: a copy, since several queries may share the picture."""
        self._make()
        if self._pixels is None:
            assert self._png is not None
            self._pixels = reading.decode(self._png, self.name)
        return self._pixels.copy()

    @property
    def bytes_held(self) -> int:
        """The bytes of memory that its pixels and its file take now."""
        pixels, file = self._pixels, self._png
        return (4 * pixels.width * pixels.height if pixels is not None else 0) + len(file or b"")

    @property
    def digest(self) -> str:
        """The digest of the pixels."""
        if self._digest is None:
            self._make()
            self._digest = self._digest or self._digest_of_pixels()
        return self._digest

    def unchecked(self) -> Picture:
        """The same picture without the check of its digest."""
        return Picture(self._source, self.name)

    @property
    def damage(self) -> str:
        """The reason why the picture cannot be read; empty if it can. Its pixels and bytes are not kept."""
        try:
            self.digest  # noqa: B018  (reading it may fail)
        except InputError as error:
            return str(error)
        finally:
            self.forget()
        return ""

    def forget(self) -> None:
        """Drop pixels and bytes, which can be made again; the digest stays."""
        self._png = self._pixels = None

    def _make(self) -> None:
        """Draw or read the picture, unless that was done. A file is checked each time: it may have changed."""
        if self._png is not None or self._pixels is not None:
            return
        source = self._source()
        if isinstance(source, Image.Image):
            self._pixels = source
            return
        self._png = source
        is_right = self._file_digest and png.file_digest(source) == self._file_digest
        if self._expected_digest and not is_right and self._digest_of_pixels() != self._expected_digest:
            self.forget()
            raise InputError(f"{self.name}: is not the recorded picture, its pixels are others")
        self._digest = self._expected_digest or self._digest

    def _digest_of_pixels(self) -> str:
        """The digest of the pixels, remembered by the digest of the file's bytes, since decoding takes long."""
        if self._png is None:
            assert self._pixels is not None
            return png.pixel_digest(self._pixels)
        key = hashlib.blake2b(self._png, digest_size=16).digest()
        if key not in _pixel_digests:
            if self._pixels is None:
                self._pixels = reading.decode(self._png, self.name)
            if len(_pixel_digests) >= _MAX_KNOWN:
                _pixel_digests.clear()
            _pixel_digests[key] = png.pixel_digest(self._pixels)
        return _pixel_digests[key]
