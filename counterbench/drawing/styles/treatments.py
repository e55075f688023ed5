"""Treatments of a picture after it was drawn, as on its way to a judge. A scene names the treatment of its picture.

Control pairs change the treatment alone, so treatments are milder than styles.
"""

from __future__ import annotations

from collections.abc import Callable

from PIL import Image

from counterbench.drawing.styles.degraded import contrast, jpeg
from counterbench.drawing.styles.textured import under_grain
from counterbench.scene.scene import Treatment
from counterbench.scene.seeds import Stream

QUALITY = 50  # of the JPEG, as Pillow counts
_CONTRAST = 60  # per cent that is left


def treated(image: Image.Image, treatment: Treatment, stream: Stream) -> Image.Image:
    """A drawn picture after its treatment."""
    return _TREATMENTS[treatment](image, stream)


def _resized(image: Image.Image, stream: Stream) -> Image.Image:
    """The picture made half as large and then as large as before."""
    half = image.resize((image.width // 2, image.height // 2), Image.Resampling.BILINEAR)
    return half.resize(image.size, Image.Resampling.BILINEAR)


_TREATMENTS: dict[Treatment, Callable[[Image.Image, Stream], Image.Image]] = {
    "jpeg": lambda image, stream: jpeg(image, QUALITY),
    "resized": _resized,
    "contrast": lambda image, stream: contrast(image, _CONTRAST),
    "texture": under_grain,
}
