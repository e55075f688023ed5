"""Edits: ways to make the picture that an audit's further question is about, from one or two given pictures.

For example "mirrored" is the mirror image, and "left first" two pictures side by side. `EDITS` has all by name; a new
edit is a line of it. `edited` makes the picture. `edited_things` tells, for drawn pictures and tests, which things a
question about it is about. `own` is always the audited picture, or the things in it; `other` is another prompt's
picture, or the things in that.
"""

from collections.abc import Callable
from typing import NamedTuple

import msgspec
from PIL import Image, ImageEnhance, ImageOps

from counterbench.drawing.collage import beside
from counterbench.drawing.picture import Picture
from counterbench.drawing.styles.altered import jpeg
from counterbench.pictures.auditing.things import SPAN, AuditedThing

AuditedThings = tuple[AuditedThing, ...]

_GREY = (128, 128, 128)
_WHITE = (255, 255, 255)
# For the edits that change no truth: a JPEG's quality as Pillow counts; then, as shares of the picture's own, the sides
# of the smaller one, the border and the brightness.
_QUALITY, _SMALLER, _BORDER, _BRIGHTER = 60, 0.7, 0.06, 1.15
_TWO = "The image shows two pictures side by side. Answer about"


def _smaller(image: Image.Image) -> Image.Image:
    """The picture at a smaller size."""
    width, height = (max(1, round(side * _SMALLER)) for side in image.size)
    return image.resize((width, height), Image.Resampling.LANCZOS)


def _moved(things: AuditedThings, sign: int = 1, by: int = 0) -> AuditedThings:
    """The things after a picture is mirrored (`sign` −1) or set further to the right (`by`)."""
    return tuple(msgspec.structs.replace(thing, x=sign * thing.x + by) for thing in things)


class PictureEdit(NamedTuple):
    """A way to make a picture from the audited one, or from that and another prompt's; by default it is as it was.

    At most one of `from_own` and `from_both` is given.
    """

    from_own: Callable[[Image.Image], Image.Image] | None = None
    from_both: Callable[[Picture, Picture], Picture] | None = None
    # From the things in both pictures to those that a question is about.
    things: Callable[[AuditedThings, AuditedThings], AuditedThings] = lambda own, other: own
    opening: str = ""  # the words before a question, which say what is shown
    words: str = ""  # names the picture in a sentence; empty where it shows the same as before


EDITS = {
    "": PictureEdit(),
    "other": PictureEdit(
        from_both=lambda own, other: other, things=lambda own, other: other, words="of the other picture"
    ),
    "grey": PictureEdit(
        lambda image: Image.new("RGB", image.size, _GREY), things=lambda *_: (), words="of a plain grey picture"
    ),
    "mirrored": PictureEdit(ImageOps.mirror, things=lambda own, other: _moved(own, -1), words="of the mirror image"),
    "left first": PictureEdit(
        from_both=beside, opening=f"{_TWO} the left picture only: ", words="of the left picture of two, side by side"
    ),
    "right first": PictureEdit(
        from_both=lambda own, other: beside(other, own),
        things=lambda own, other: other,
        opening=f"{_TWO} the left picture only: ",
        words="of the left picture of two, side by side and exchanged",
    ),
    "together": PictureEdit(
        from_both=beside,
        things=lambda own, other: own + _moved(other, by=SPAN),
        opening=f"{_TWO} both of them together: ",
        words="of two pictures together",
    ),
    # Edits that change no true answer.
    "jpeg": PictureEdit(lambda image: jpeg(image, _QUALITY)),
    "smaller": PictureEdit(_smaller),
    "padded": PictureEdit(lambda image: ImageOps.expand(image, round(min(image.size) * _BORDER), _WHITE)),
    "brighter": PictureEdit(lambda image: ImageEnhance.Brightness(image).enhance(_BRIGHTER)),
}


def edited(edit: str, own: Picture, other: Picture | None = None) -> Picture:
    """The picture after the edit of this name (a key of `EDITS`). An edit of `own` alone is made when it is read.

    `other` is needed for edits that set it beside `own`, or show it instead.
    """
    from_own, from_both = EDITS[edit].from_own, EDITS[edit].from_both
    if from_both is not None:
        assert other is not None
        return from_both(own, other)
    return own if from_own is None else Picture(lambda: from_own(own.image()), f"{own.name} ({edit})")


def edited_things(edit: str, own: AuditedThings, other: AuditedThings = ()) -> AuditedThings:
    """The things that a question about an edited picture is about."""
    return EDITS[edit].things(own, other)
