"""Blurred: out of focus, by a radius that depends on the picture's size."""

from __future__ import annotations

from PIL import Image, ImageFilter

from counterbench.drawing.styles.sheet import Sheet
from counterbench.scene.seeds import Stream

# The radius (standard deviation) as a share of the picture's shorter side, in ten-thousandths: 2 to 3 pixels of 512.
_LEAST, _MOST = 40, 60


def blurred(sheet: Sheet, stream: Stream) -> Image.Image:
    """The flat picture, blurred."""
    flat = sheet.flat
    return flat.filter(ImageFilter.GaussianBlur(min(flat.size) * stream.integer(_LEAST, _MOST) / 10_000))
