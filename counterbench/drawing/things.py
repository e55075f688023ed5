"""How each noun is drawn. `RECIPES` is the whole list; a test holds it equal to `nouns.NOUNS`."""

from __future__ import annotations

from functools import lru_cache

import msgspec
from PIL import Image, ImageDraw

from counterbench.drawing import bodies, devices, nature, pointers
from counterbench.drawing.pen import Pen
from counterbench.palette import ROOM_RGB
from counterbench.scene.figures import Damage, Figure, Room
from counterbench.scene.seeds import Stream

RECIPES = {**bodies.RECIPES, **nature.RECIPES, **devices.RECIPES, **pointers.RECIPES}
TURNED = nature.TURNED | pointers.TURNED

# Static is made of squares of so many pixels; a blackout is one step off black, which nothing else is drawn in.
_GRAIN = 4
BLACKOUT_RGB = (6, 6, 6)


def draw_figure(image: Image.Image, figure: Figure) -> None:
    """Draw a figure into its box."""
    tile = _tile(msgspec.structs.replace(figure, id="", x=0, y=0))
    image.paste(tile, (figure.box.left, figure.box.top), tile)


@lru_cache(maxsize=512)
def _tile(figure: Figure) -> Image.Image:
    pen = Pen(figure, turned=figure.noun in TURNED)
    RECIPES[figure.noun](pen)
    return pen.tile()


def draw_room(image: Image.Image, room: Room) -> None:
    """Draw floor, ceiling and walls."""
    ImageDraw.Draw(image).rectangle(room.box, outline=ROOM_RGB, width=room.wall)


def draw_damage(image: Image.Image, damage: Damage) -> None:
    """Draw over a part of the picture what should not be there."""
    draw, box = ImageDraw.Draw(image), damage.box
    if damage.kind == "black":
        draw.rectangle(box, fill=BLACKOUT_RGB)
        return
    stream = Stream("static", damage.seed)
    for top in range(box.top, box.bottom + 1, _GRAIN):
        for left in range(box.left, box.right + 1, _GRAIN):
            grain = (left, top, min(left + _GRAIN - 1, box.right), min(top + _GRAIN - 1, box.bottom))
            draw.rectangle(grain, fill=tuple(stream.below(256) for _ in range(3)))
