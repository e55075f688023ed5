"""Grain over a whole picture that makes pixels lighter or darker; 128 leaves a pixel as it is."""

from __future__ import annotations

from PIL import Image, ImageChops

from counterbench.scene.seeds import Stream

_EVEN = 128


def noise(stream: Stream, size: tuple[int, int]) -> Image.Image:
    """A grey of its own for each pixel, 0 to 255, those near the middle more often."""
    width, height = size
    one, other = (Image.frombytes("L", size, stream.noise(width * height)) for _ in range(2))
    return ImageChops.add(one, other, 2)


def lay_over(image: Image.Image, grain: Image.Image, most: int) -> Image.Image:
    """The picture with grain over it, which makes a pixel lighter or darker by `most` levels at the most."""
    levels = grain.point([_EVEN + (2 * (v - _EVEN) * most + _EVEN) // 256 for v in range(256)])
    return ImageChops.add(image, Image.merge("RGB", (levels,) * 3), 1, -_EVEN)
