"""A picture of a query: drawn or read when it is first needed, and dropped afterwards."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PIL import Image

from counterbench.drawing import png, reading
from counterbench.errors import InputError


class Picture:
    """A picture that is made or read once, when first needed. Several queries may share one.

    `recorded`: the digest that its pixels should have, if that is known.
    """

    def __init__(self, source: Callable[[], bytes | Image.Image], name: str, recorded: str = "") -> None:
        self._source = source
        self.name = name
        self.recorded = recorded
        self._png: bytes | None = None
        self._digest: str | None = None

    @classmethod
    def from_file(cls, path: Path, recorded: str = "") -> Picture:
        """The picture in a file, as a PNG of its pixels.

        Reading it raises InputError if the file is missing or damaged, or has another digest than `recorded`.
        """
        return cls(lambda: reading.read_png(path), str(path), recorded)

    @property
    def png(self) -> bytes:
        """The encoded bytes, exactly as they are sent."""
        if self._png is None:
            source = self._source()
            if isinstance(source, bytes):
                data = source
            else:
                data, self._digest = png.encode_and_digest(source)
            # Checked at each reading: the file may have changed.
            if self.recorded and reading.file_digest(data, self.name) != self.recorded:
                raise InputError(f"{self.name}: is not the recorded picture, its pixels are others")
            self._png = data
        return self._png

    def image(self) -> Image.Image:
        """The decoded picture, RGB."""
        return reading.decode(self.png, self.name)

    @property
    def digest(self) -> str:
        """The digest of the decoded pixels."""
        if self._digest is None:
            data = self.png
            self._digest = self._digest or self.recorded or reading.file_digest(data, self.name)
        return self._digest

    def as_it_is(self) -> Picture:
        """The same picture without the check of its digest."""
        return Picture(self._source, self.name)

    @property
    def damage(self) -> str:
        """The reason why it cannot be read; empty if it can. Its bytes are not kept."""
        try:
            self.digest  # noqa: B018  (reading it may fail)
        except InputError as error:
            return str(error)
        finally:
            self.forget()
        return ""

    def forget(self) -> None:
        """Drop the bytes, which can be made again; the digest stays."""
        self._png = None
