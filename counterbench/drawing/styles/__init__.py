"""Styles of drawing: they change pixels, never the answers about a scene.

sheet       a scene's flat picture, and the same on another ground; grain over a picture
altered     styles that change that picture, and treatments of a drawn picture for control pairs
photograph  the style with things on a photograph
sticker     things as stickers on a picture that is given

A style is a function of a sheet and a stream, with a line in `STYLES`. docs/styles.md shows them all.
"""

import base64
import html
from collections.abc import Callable

from PIL import Image

from counterbench.drawing import png
from counterbench.drawing.render import render
from counterbench.drawing.styles.altered import TREATMENTS, blurred, degraded, textured
from counterbench.drawing.styles.photograph import photograph
from counterbench.drawing.styles.sheet import Sheet
from counterbench.drawing.styles.sticker import stuck
from counterbench.errors import unknown
from counterbench.scene.pairs import ROLES, Pair
from counterbench.scene.scene import Scene
from counterbench.scene.seeds import Stream
from counterbench.text import visible

FLAT = "flat"  # the default style
STICKER = "sticker"  # the style of scenes on a given picture
STYLES: dict[str, Callable[[Sheet, Stream], Image.Image]] = {
    "textured": textured,
    "photograph": photograph,
    "blurred": blurred,
    "degraded": degraded,
}
SUMMARIES = {
    FLAT: "plain colours on a plain light ground: the default",
    "textured": "the flat picture under the grain of paper, or of cloth",
    "photograph": "the things on a photograph of brick, grass, gravel or wood",
    "blurred": "the flat picture out of focus",
    "degraded": "little contrast, noise and a strong JPEG",
}
NAMES: tuple[str, ...] = (FLAT, *STYLES)
_SHOWN = 256  # pixels of the pictures in a notebook


def check_style(style: str) -> str:
    """The style's name; InputError if there is no such style."""
    if style not in NAMES:
        raise unknown("style", style, NAMES, "--style")
    return style


def draw(
    scene: Scene,
    side: int | None = None,
    style: str = FLAT,
    first: Scene | None = None,
    ground: Image.Image | None = None,
) -> Image.Image:
    """The picture of a scene in a style, to which the scene's treatment, if it has one, is applied at the end.

    `side`: the shorter side of the picture in pixels; None for the scene's own size.
    `first`: the original scene of the pair. Ground and grain are drawn from its digest, so that both pictures of a pair
    have the same. `ground`: the picture on which its things are stickers, whatever the style.
    """
    if ground is not None:
        image = stuck(Sheet(scene, side), ground)
    elif style == FLAT:
        image = render(scene, side)
    else:
        image = STYLES[style](Sheet(scene, side), Stream("style", style, (first or scene).digest))
    if scene.treatment in TREATMENTS:
        return TREATMENTS[scene.treatment](image, Stream("treatment", scene.digest))
    return image


def pair_html(pair: Pair) -> str | None:
    """A pair in a notebook, its pictures over the question; None of an imported pair, whose scenes are not known."""
    if pair.original is None or pair.intervened is None:
        return None
    before, after = (
        f'<td><img alt="{role}" width="{_SHOWN}" src="data:image/png;base64,'
        f'{base64.b64encode(png.encode(render(scene))).decode()}"><br>{html.escape(visible(answer))}</td>'
        for role, scene, answer in zip(ROLES, pair.scenes, pair.answers, strict=True)
    )
    return f"<table><caption>{html.escape(visible(pair.words))}</caption><tr>{before}{after}</tr></table>"


Scene.draw, Pair.to_html = draw, pair_html  # set here, since the package `scene` may not import the drawing code
