"""How each noun is drawn. `RECIPES` is the whole list; a test holds it equal to `nouns.NOUNS`."""

from __future__ import annotations

from functools import lru_cache

import msgspec
from PIL import Image, ImageDraw

from counterbench.drawing import bodies, devices, formed, liquids, nature, pointers, symbols
from counterbench.drawing.pen import Pen
from counterbench.drawing.scale import Scale
from counterbench.palette import RGB
from counterbench.scene.figures import Figure
from counterbench.scene.geometry import Box

# Rises whenever a noun is drawn otherwise; part of the digest of every suite that draws nouns.
GLYPHS_VERSION = 3

RECIPES = {
    **bodies.RECIPES,
    **nature.RECIPES,
    **formed.RECIPES,
    **liquids.RECIPES,
    **devices.RECIPES,
    **pointers.RECIPES,
    **symbols.RECIPES,
}
TURNED = nature.TURNED | pointers.TURNED | symbols.TURNED


def draw_figure(image: Image.Image, figure: Figure, scale: Scale) -> None:
    """Draw a figure into its box."""
    tile = _tile(msgspec.structs.replace(figure, id="", x=0, y=0), scale)
    image.paste(tile, scale.box(figure.box)[:2], tile)


@lru_cache(maxsize=64)
def _tile(figure: Figure, scale: Scale) -> Image.Image:
    pen = Pen(figure, scale, turned=figure.noun in TURNED)
    RECIPES[figure.noun](pen)
    return pen.tile()


def draw_frame(image: Image.Image, box: Box, wall: int, ink: RGB, scale: Scale) -> None:
    """Draw the walls of a container or a room, which lie inside its box."""
    ImageDraw.Draw(image).rectangle(scale.box(box), outline=ink, width=scale.length(wall))
