"""Photograph: the things of a scene on a photograph of brick, grass, gravel or wood.

The photographs are those of `skimage.data` that every scikit-image brings with it and that show a surface, nothing that
a question could name: a cup, a cat or a face in the background would be one thing more in the picture.

brick       CC0 1.0, from CC0Textures (Bricks25)
grass       CC0 1.0, by linolafett (DeviantArt, "Grass 01")
gravel      CC0 1.0, from CC0Textures (Gravel04)
coffee      CC0 1.0, by Rachel Michetti: of it the wooden table alone, beside the cup
"""

from bisect import bisect
from functools import lru_cache
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path

from PIL import Image

from counterbench.drawing.styles.sheet import Sheet
from counterbench.scene.seeds import Stream

# By file: the part that shows nothing but the surface (left, top, right, bottom), and the least side of a crop of it.
PHOTOGRAPHS: dict[str, tuple[tuple[int, int, int, int], int]] = {
    "brick": ((0, 0, 512, 512), 256),
    "grass": ((0, 0, 512, 512), 256),
    "gravel": ((0, 0, 512, 512), 256),
    "coffee": ((490, 130, 600, 400), 100),
}
# Levels that a photograph is lightened to, so that every colour and every grey of things stays clear of it.
_DARKEST, _LIGHTEST = 188, 252


def photograph(sheet: Sheet, stream: Stream) -> Image.Image:
    """The scene's things on a crop of a photograph, mirrored or turned."""
    name = stream.choice(tuple(PHOTOGRAPHS))
    whole, least = _surface(name), PHOTOGRAPHS[name][1]
    side = stream.integer(least, min(whole.size))
    left, top = stream.below(whole.width - side + 1), stream.below(whole.height - side + 1)
    crop = whole.crop((left, top, left + side, top + side))
    turned = stream.choice((None, *Image.Transpose))
    if turned is not None:
        crop = crop.transpose(turned)
    most = max(sheet.size)
    return sheet.on(crop.resize((most, most), Image.Resampling.BILINEAR).crop((0, 0, *sheet.size)))


@lru_cache(maxsize=len(PHOTOGRAPHS))
def _surface(name: str) -> Image.Image:
    """The part of a photograph that shows its surface, lightened, with most of its levels spread evenly."""
    where = find_spec("skimage")
    assert where is not None
    assert where.origin is not None
    with Image.open(Path(where.origin).parent / "data" / f"{name}.png") as file:
        part = file.convert("RGB").crop(PHOTOGRAPHS[name][0])
    greys = part.histogram()  # of red, then of green, then of blue
    counts = [sum(greys[v::256]) for v in range(256)]
    whole, so_far = sum(counts), list(accumulate(counts))
    dark, light = (bisect(so_far, whole * percent // 100) for percent in (2, 98))
    spread = [
        _DARKEST + (min(max(v, dark), light) - dark) * (_LIGHTEST - _DARKEST) // (light - dark) for v in range(256)
    ]
    return part.point(spread * 3)
