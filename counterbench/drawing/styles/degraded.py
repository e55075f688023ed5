"""Degraded: low contrast, noise and the traces of a JPEG of low quality, as of a picture that was sent on often."""

from __future__ import annotations

import io

from PIL import Image

from counterbench.drawing.styles.sheet import Sheet, lay_over, noise
from counterbench.scene.seeds import Stream

# Per cent of the distance of each level to a middle grey that is left.
_CONTRAST = (55, 70)
_NOISE = 40  # levels of 255, at the most
QUALITY = 40  # of the JPEG, as Pillow counts; colours keep their resolution


def degraded(sheet: Sheet, stream: Stream) -> Image.Image:
    """The flat picture with less contrast, noise over it, saved as JPEG and read again."""
    faint = contrast(sheet.flat, stream.integer(*_CONTRAST))
    return jpeg(lay_over(faint, noise(stream, faint.size), _NOISE), QUALITY)


def contrast(image: Image.Image, percent: int) -> Image.Image:
    """The picture with so many per cent of its contrast, about a middle grey."""
    return image.point([128 + (v - 128) * percent // 100 for v in range(256)] * 3)


def jpeg(image: Image.Image, quality: int) -> Image.Image:
    """The picture as it comes back from a JPEG file."""
    file = io.BytesIO()
    image.save(file, "JPEG", quality=quality, subsampling=0)
    return Image.open(file).convert("RGB")
