"""A scene's picture as the input of styles: flat, or on a ground other than its grey."""

from __future__ import annotations

import msgspec
from PIL import Image, ImageChops

from counterbench.drawing.render import render, scale_to
from counterbench.scene.scene import Scene


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

    def on(self, ground: Image.Image) -> Image.Image:
        """The picture with `ground`, RGB and of its size, where the scene has its grey.

        It compares the pictures on black and on white: the ground shows where they differ, also at antialiased edges.
        """
        black, white = (render(msgspec.structs.replace(self._scene, background=grey), self._side) for grey in (0, 255))
        return ImageChops.add(black, ImageChops.multiply(ImageChops.subtract(white, black), ground))
