"""Two pictures side by side on one sheet."""

from PIL import Image

from counterbench.drawing.picture import Picture

_DARK = (24, 24, 24)
_GAP = 0.05  # of the sheet's height, between its pictures


def beside(first: Picture, second: Picture) -> Picture:
    """The sheet of two pictures, the first on the left, made when it is needed."""
    return Picture(lambda: _beside(first.image(), second.image()), f"{first.name} | {second.name}")


def _beside(left: Image.Image, right: Image.Image) -> Image.Image:
    """The two pictures side by side, both as high as the higher one, with a dark gap between them."""
    high = max(left.height, right.height)
    left, right = (
        image.resize((max(1, round(image.width * high / image.height)), high), Image.Resampling.LANCZOS)
        for image in (left, right)
    )
    gap = max(1, round(high * _GAP))
    joint = Image.new("RGB", (left.width + gap + right.width, high), _DARK)
    joint.paste(left, (0, 0))
    joint.paste(right, (left.width + gap, 0))
    return joint
