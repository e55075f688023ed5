"""The input of styles: a scene's picture, flat or with another ground in place of its grey. Also grain on a picture."""

import msgspec
from PIL import Image, ImageChops

from counterbench.drawing.render import render, scale_to
from counterbench.scene.scene import Scene
from counterbench.scene.seeds import Stream

_EVEN = 128  # the level of grain that leaves a pixel as it is


class Sheet:
    """The input of a style: a scene's flat picture, at a size."""

    def __init__(self, scene: Scene, side: int | None = None) -> None:
        self._scene, self._side = scene, side

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        scale = scale_to(self._scene, self._side)
        return scale.length(self._scene.width), scale.length(self._scene.height)

    @property
    def flat(self) -> Image.Image:
        """The picture without a style."""
        return render(self._scene, self._side)

    def shown_on(self, grey: int) -> Image.Image:
        """The picture with another grey, 0 … 255, in place of the scene's background."""
        return render(msgspec.structs.replace(self._scene, background=grey), self._side)

    def on(self, ground: Image.Image) -> Image.Image:
        """The picture with `ground` (RGB, of the same size) in place of the scene's grey background.

        It compares the pictures on black and on white: the ground shows where they differ, also at antialiased edges.
        """
        black, white = self.shown_on(0), self.shown_on(255)
        return ImageChops.add(black, ImageChops.multiply(ImageChops.subtract(white, black), ground))


def noise(stream: Stream, size: tuple[int, int]) -> Image.Image:
    """A grey picture with random levels, 0 to 255, of which those near the middle are more frequent."""
    width, height = size
    first, second = (Image.frombytes("L", size, stream.noise(width * height)) for _ in range(2))
    return ImageChops.add(first, second, 2)


def lay_over(image: Image.Image, grain: Image.Image, most: int) -> Image.Image:
    """The picture with grain over it, which makes a pixel lighter or darker by `most` levels at the most."""
    greys = grain.point([_EVEN + (2 * (v - _EVEN) * most + _EVEN) // 256 for v in range(256)])
    return ImageChops.add(image, Image.merge("RGB", (greys,) * 3), 1, -_EVEN)
