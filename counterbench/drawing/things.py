"""Drawings of nouns: each is drawn by the function of its name in one of `_MODULES`."""

from collections.abc import Callable
from functools import lru_cache

import msgspec
from PIL import Image

from counterbench.drawing import bodies, devices, formed, liquids, nature, pointers, symbols
from counterbench.drawing.pen import Pen
from counterbench.drawing.scale import Scale
from counterbench.scene.figures import Figure
from counterbench.scene.nouns import NOUNS

# Rises whenever the drawing of a noun changes; part of the digest of every suite that draws nouns.
NOUN_DRAWINGS_VERSION = 4

_MODULES = (bodies, nature, formed, liquids, devices, pointers, symbols)
DRAW_BY_NOUN: dict[str, Callable[[Pen], None]] = {
    noun: getattr(module, noun) for module in _MODULES for noun in NOUNS if hasattr(module, noun)
}
# The nouns that are drawn to the right and turned as they face.
TURNED = nature.TURNED | pointers.TURNED | symbols.TURNED


def draw_figure(image: Image.Image, figure: Figure, scale: Scale) -> None:
    """Draw a figure into its box."""
    tile = _tile(msgspec.structs.replace(figure, id="", x=0, y=0), scale)
    image.paste(tile, scale.box(figure.box)[:2], tile)


@lru_cache(maxsize=64)
def _tile(figure: Figure, scale: Scale) -> Image.Image:
    """The drawing of a figure, wherever it stands, with a transparent background."""
    pen = Pen(figure, scale, turned=figure.noun in TURNED)
    DRAW_BY_NOUN[figure.noun](pen)
    return pen.tile()
