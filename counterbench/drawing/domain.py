"""What pictures were like that a judge was tested on, or is to judge: a certificate holds for pictures like them.

It lies in this room, below suites, runs and T2I, because all of those say it of their pictures.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from counterbench.drawing import reading
from counterbench.drawing.render import RENDERER_VERSION
from counterbench.drawing.styles import FLAT, NAMES

# Of pairs that others made.
IMPORTED = "imported"
# More sizes than these are not named one by one.
_FEW, _VARIOUS, _AND = 4, "various", ", "


class Domain(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a set of pictures is like.

    `renderer`: "counterbench/1" (ours, with its version), a generator's label, or "imported". `style`: of ours one of
    `styles.NAMES`; of a model's pictures what their prompts ask for; "" if nobody says. `size` in pixels, width first,
    "512x512", and `file_format`, "png", "jpeg" or "webp", of the files: several are joined by commas, many sizes are
    "various"; "" if there are no pictures. `detail`: what an API judge is asked for; "" if it was not told.
    """

    renderer: str
    style: str
    size: str
    file_format: str
    detail: str = ""

    @property
    def side(self) -> int | None:
        """The shorter side in pixels, where all pictures are of one size."""
        sides = self.size.split("x")
        return min(map(int, sides)) if len(sides) == 2 and all(side.isdigit() for side in sides) else None

    @property
    def our_style(self) -> str:
        """Its style, if that is one in which we draw; else flat."""
        return self.style if self.style in NAMES else FLAT

    @property
    def told(self) -> str:
        """It in words: "counterbench/1, flat, 512x512 pixels, png"."""
        parts = [self.renderer, self.style, self.size and f"{self.size} pixels", self.file_format]
        return _AND.join(filter(None, [*parts, self.detail and f"detail {self.detail}"]))


def our_renderer(version: str | int = RENDERER_VERSION) -> str:
    """The name of our own renderer, of a version."""
    return f"counterbench/{version}"


def of_files(renderer: str, style: str, files: Iterable[Path]) -> Domain:
    """The domain of stored pictures; sizes and formats are read from the heads of those files that can be read."""
    heads = {head for file in files if (head := reading.head(file)) is not None}
    sizes = sorted({(head.width, head.height) for head in heads})
    return Domain(
        renderer=renderer,
        style=style,
        size=_VARIOUS if len(sizes) > _FEW else _AND.join(size_of(*size) for size in sizes),
        file_format=_AND.join(sorted({head.file_format for head in heads})),
    )


def together(domains: Sequence[Domain]) -> Domain:
    """The domain of the pictures of all of these, which differ in nothing but sizes and file formats."""
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


def unlike(tested: Domain, met: Domain) -> list[str]:
    """What is different about the pictures that a judge met from those it was tested on, a line for each field.

    A style that nobody says, and sizes too many to name, are unlike whatever was tested.
    """
    found = []
    for field in met.__struct_fields__:
        shown, seen = getattr(tested, field), getattr(met, field)
        known = seen not in ("", _VARIOUS) or field == "detail"
        if not known or not set(seen.split(_AND)) <= set(shown.split(_AND)):
            name = field.replace("_", " ")
            found.append(f"{name}: tested on {_said(field, shown)}, these pictures are {_said(field, seen)}")
    return found


def _said(field: str, value: str) -> str:
    if value == _VARIOUS:
        return "of various sizes"
    return value or ("the judge's own" if field == "detail" else f"of no known {field.replace('_', ' ')}")
