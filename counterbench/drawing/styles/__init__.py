"""Styles of drawing: they change pixels, never the answers about a scene.

sheet       a scene's flat picture, and the same on another ground; grain over a picture
textured, photograph, blurred, degraded     one style each
treatments  changes of a picture after it was drawn, for control pairs

A style is a function of a sheet and a stream, with a line in `STYLES`. docs/styles.md shows them all.
"""

from __future__ import annotations

from collections.abc import Callable

from PIL import Image

from counterbench.drawing.render import render
from counterbench.drawing.styles.blurred import blurred
from counterbench.drawing.styles.degraded import degraded
from counterbench.drawing.styles.photograph import photograph
from counterbench.drawing.styles.sheet import Sheet
from counterbench.drawing.styles.textured import textured
from counterbench.drawing.styles.treatments import treated
from counterbench.errors import unknown
from counterbench.scene.scene import Scene
from counterbench.scene.seeds import Stream

FLAT = "flat"  # the default style
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


def check_style(style: str) -> str:
    """The style's name; InputError if there is no such style."""
    if style not in NAMES:
        raise unknown("style", style, NAMES, "--style")
    return style


def draw(scene: Scene, side: int | None = None, style: str = FLAT, first: Scene | None = None) -> Image.Image:
    """The picture of a scene in a style, after the scene's treatment; `side` is that of `render`.

    `first`: the original scene of the pair. Ground and grain are drawn from its digest, so that both pictures of a pair
    have the same.
    """
    image = (
        render(scene, side)
        if style == FLAT
        else STYLES[style](Sheet(scene, side), Stream("style", style, (first or scene).digest))
    )
    if scene.treatment:
        return treated(image, scene.treatment, Stream("treatment", scene.digest))
    return image


Scene.draw = draw
