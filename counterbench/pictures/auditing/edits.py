"""The pictures of further questions: edits of one picture, and two of them side by side."""

from PIL import Image, ImageEnhance, ImageOps

from counterbench.drawing.collage import beside
from counterbench.drawing.picture import Picture
from counterbench.drawing.styles.altered import jpeg
from counterbench.pictures.auditing.relations.base import PAIRED, Edit

_GREY = (128, 128, 128)
_WHITE = (255, 255, 255)
# Of the changes that change no truth: a JPEG's quality as Pillow counts, then shares.
_QUALITY, _SMALLER, _BORDER, _BRIGHTER = 60, 0.7, 0.06, 1.15


def edited(edit: Edit, own: Picture, other: Picture | None = None) -> Picture:
    """The picture of a question, made when it is needed; `other`: the partner of a picture of two."""
    if edit == "":
        return own
    if edit in PAIRED:
        assert other is not None
        if edit == "other":
            return other
        first, second = (other, own) if edit == "right first" else (own, other)
        return beside(first, second)
    return Picture(lambda: _changed(edit, own.image()), f"{own.name} ({edit})")


def _changed(edit: Edit, image: Image.Image) -> Image.Image:
    match edit:
        case "grey":
            return Image.new("RGB", image.size, _GREY)
        case "mirrored":
            return ImageOps.mirror(image)
        case "jpeg":
            return jpeg(image, _QUALITY)
        case "smaller":
            return image.resize((max(1, round(side * _SMALLER)) for side in image.size), Image.Resampling.LANCZOS)  # type: ignore[arg-type]
        case "padded":
            return ImageOps.expand(image, round(min(image.size) * _BORDER), _WHITE)
        case _:
            return ImageEnhance.Brightness(image).enhance(_BRIGHTER)
