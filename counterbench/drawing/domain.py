"""Domain of pictures: renderer, style, size, format. A certificate holds for pictures of the tested domain.

It is in this package, below suites, runs and T2I, because all of them need it.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from counterbench.drawing import reading
from counterbench.drawing.render import RENDERER_VERSION
from counterbench.drawing.styles import FLAT, NAMES

IMPORTED = "imported"  # the renderer of imported pairs
# More sizes than `_FEW` are not named one by one.
_FEW, _VARIOUS, _AND = 4, "various", ", "


class Domain(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The properties of a set of pictures. An empty value is unknown; several values are joined by commas."""

    renderer: str  # "counterbench/1" (ours, with its version), a generator's label, or "imported"
    style: str  # of our pictures one of `styles.NAMES`; of a model's pictures the style that their prompts ask for
    size: str  # in pixels, width first: "512x512"; "various" of many sizes
    file_format: str  # "png", "jpeg" or "webp"

    @property
    def sides(self) -> list[int]:
        """The shorter side in pixels of each size, the smallest first; empty where these are unknown or various."""
        sizes = [size.split("x") for size in self.size.split(_AND)]
        return sorted(min(map(int, sides)) for sides in sizes if all(map(str.isdigit, sides)))

    @property
    def side(self) -> int | None:
        """The shorter side in pixels, where all pictures are of one size."""
        return self.sides[0] if len(self.sides) == 1 else None

    @property
    def our_style(self) -> str:
        """The style of the pictures if it is one in which we draw; else flat."""
        return self.style if self.style in NAMES else FLAT

    @property
    def text(self) -> str:
        """The domain in words: "counterbench/1, flat, 512x512 pixels, png"."""
        parts = [self.renderer, self.style, self.size and f"{self.size} pixels", self.file_format]
        return _AND.join(filter(None, parts))


def our_renderer(version: str | int = RENDERER_VERSION) -> str:
    """The name of a version of our own renderer."""
    return f"counterbench/{version}"


def of_files(renderer: str, style: str, files: Iterable[Path]) -> Domain:
    """The domain of stored pictures; sizes and formats come from the files that can be read."""
    heads = {head for file in files if (head := reading.head(file)) is not None}
    sizes = sorted({(head.width, head.height) for head in heads})
    return Domain(
        renderer=renderer,
        style=style,
        size=sizes_of(sizes),
        file_format=_AND.join(sorted({head.file_format for head in heads})),
    )


def together(domains: Sequence[Domain]) -> Domain:
    """One domain for domains that differ in sizes and file formats alone."""
    sizes = {size for domain in domains for size in domain.size.split(_AND) if size}
    various = _VARIOUS in sizes or len(sizes) > _FEW
    formats = {form for domain in domains for form in domain.file_format.split(_AND) if form}
    return msgspec.structs.replace(
        domains[0],
        size=_VARIOUS if various else _AND.join(sorted(sizes, key=lambda size: [*map(int, size.split("x"))])),
        file_format=_AND.join(sorted(formats)),
    )


def size_of(width: int, height: int) -> str:
    """A size in pixels as a domain names it: "512x512"."""
    return f"{width}x{height}"


def sizes_of(sizes: Sequence[tuple[int, int]]) -> str:
    """Several sizes as a domain names them: "256x256, 512x512"; "various" if they are many."""
    return _VARIOUS if len(sizes) > _FEW else _AND.join(size_of(*size) for size in sizes)


def unlike(tested: Domain, met: Domain) -> list[str]:
    """The differences of the pictures that a judge met from those it was tested on, a line for each field.

    An unknown style and various sizes always differ.
    """
    lines = []
    for field in met.__struct_fields__:
        before, now = getattr(tested, field), getattr(met, field)
        if now in ("", _VARIOUS) or not set(now.split(_AND)) <= set(before.split(_AND)):
            name = field.replace("_", " ")
            lines.append(f"{name}: tested on {_in_words(field, before)}, these pictures are {_in_words(field, now)}")
    return lines


def _in_words(field: str, value: str) -> str:
    """The value of a field in words, also if it is unknown or various."""
    if value == _VARIOUS:
        return "of various sizes"
    return value or f"of no known {field.replace('_', ' ')}"
