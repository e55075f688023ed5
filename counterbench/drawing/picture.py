"""A picture that may be asked about: drawn or read when it is first needed, dropped when it no longer is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PIL import Image

from counterbench.drawing import png


class Picture:
    """A picture that a query shows: made or read once, when first needed.

    Several queries may share one; what it holds is dropped by `forget`.
    """

    def __init__(self, source: Callable[[], bytes], name: str) -> None:
        self._source = source
        self.name = name
        self._png: bytes | None = None
        self._digest: str | None = None

    @classmethod
    def from_file(cls, path: Path) -> Picture:
        """The picture in a file; reading it later raises InputError if it is missing or damaged."""
        return cls(lambda: png.read_bytes(path), str(path))

    @property
    def png(self) -> bytes:
        """The encoded bytes, exactly as they are sent."""
        if self._png is None:
            self._png = self._source()
        return self._png

    def image(self) -> Image.Image:
        """The decoded picture, RGB."""
        return png.decode(self.png, self.name)

    @property
    def digest(self) -> str:
        """The digest of the decoded pixels."""
        if self._digest is None:
            self._digest = png.file_digest(self.png, self.name)
        return self._digest

    def forget(self) -> None:
        """Drop the bytes (they can be had again); the digest stays."""
        self._png = None
