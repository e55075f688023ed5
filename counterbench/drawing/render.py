"""Draws scenes: turns a scene, the data that say what a picture shows, into the picture itself.

`render` is the main function. It draws one element after the other: shapes, arrows, letters and signs here, things of
laws by `things`, familiar things by `familiar`, damage by `damage`. Geometry is exact, in whole or rational numbers.
Edges are smooth: each is drawn on a mask `FINE` times as large (in fine pixels), which is averaged down; the colour is
then pasted through the mask. So masks of shapes are cached by kind and size, whatever their colours.

The same scene, size and version of Pillow give the same pixels.
"""

import math
from functools import cache, lru_cache
from importlib import resources

from PIL import Image, ImageDraw, ImageFont

from counterbench.drawing.damage import draw_damage
from counterbench.drawing.familiar import draw_familiar
from counterbench.drawing.scale import FINE, HALF, Scale, scale_of
from counterbench.drawing.things import draw_figure
from counterbench.palette import (
    ARROW_RGB,
    CONTAINER_RGB,
    LABEL_DARK_RGB,
    LABEL_LIGHT_RGB,
    OUTLINE_RGB,
    RGB,
    ROOM_RGB,
    SIGN_RGB,
    Colour,
    ShapeKind,
)
from counterbench.scene.familiar_things import Familiar
from counterbench.scene.figures import Damage, Figure, Room, Sign, Writing
from counterbench.scene.geometry import Point
from counterbench.scene.scene import Arrow, Container, Label, Scene, Shape

# Rises whenever the same scene would give other pixels; part of every suite's digest.
RENDERER_VERSION = 1

# On these colours letters are light.
_DARK_FILLS: frozenset[Colour] = frozenset({"red", "green", "blue", "purple"})
# The height of the bundled font's capitals, in thousandths of the font's size.
_CAP_HEIGHT = 729


@cache
def _keep_memory() -> None:
    """Make the C library of Linux keep the memory of pictures for the next ones; drawing takes half the time then.

    It keeps twice the largest block that was ever freed. Else the system would clear the pages for each picture.
    """
    bytes(1 << 24)


def render(scene: Scene, side: int | None = None) -> Image.Image:
    """The picture of a scene, RGB, of the scene's size, or with `side` pixels along its shorter side.

    At another size the same is drawn with larger or smaller masks, lines and letters: no picture is resampled.
    """
    _keep_memory()
    scale = scale_to(scene, side)
    image = Image.new("RGB", (scale.length(scene.width), scale.length(scene.height)), (scene.background,) * 3)
    for element in scene.elements:
        match element:
            case Shape():
                _draw_shape(image, element, scale)
            case Container() | Room():
                ink, width = ROOM_RGB if isinstance(element, Room) else CONTAINER_RGB, scale.length(element.wall)
                ImageDraw.Draw(image).rectangle(scale.box(element.box), outline=ink, width=width)
            case Arrow():
                _draw_arrow(image, element, scale)
            case Label():
                _draw_label(image, element, scene.shape(element.of), scale)
            case Figure():
                draw_figure(image, element, scale)
            case Damage():
                draw_damage(image, element, scale, scene.background)
            case Writing():
                left, top = scale.at(element.box.left + 2), scale.at(element.box.top + 2)
                _paint(image, element.words, left, top, scale.length(element.height))
            case Sign():
                _draw_sign(image, element, scale)
            case Familiar():
                draw_familiar(image, element, scale)
    return image


def scale_to(scene: Scene, side: int | None) -> Scale:
    """The scale that gives a scene's picture `side` pixels along its shorter side; None: as many as the scene has."""
    return Scale() if side is None else scale_of(side, scene.side)


def _draw_shape(image: Image.Image, shape: Shape, scale: Scale) -> None:
    """Draw a shape with its outline."""
    at = (scale.at(shape.box.left), scale.at(shape.box.top))
    outer, inner = _shape_masks(shape.kind, shape.size, shape.half_width, scale)
    image.paste(_one_colour(OUTLINE_RGB, outer.size), at, outer)
    image.paste(_one_colour(shape.fill, inner.size), at, inner)


@lru_cache(maxsize=256)
def _one_colour(rgb: RGB, size: tuple[int, int]) -> Image.Image:
    """A picture of one colour, which Pillow pastes through a mask in half the time of the colour itself."""
    return Image.new("RGB", size, rgb)


@lru_cache(maxsize=1024)
def _shape_masks(kind: ShapeKind, size: int, half_width: int, scale: Scale) -> tuple[Image.Image, Image.Image]:
    """Two masks of the shape's box: of the whole shape, and of its inside without the outline.

    `size`: half the height, in pixels of the scene; a diamond whose `half_width` is less is slim.
    """
    side, outline = scale.length(2 * size + 1) * FINE, scale.length(max(2, size // 16)) * FINE
    if half_width < size:
        width = scale.length(2 * half_width + 1) * FINE
        return _slim_diamond_mask(width, side, 0), _slim_diamond_mask(width, side, outline)
    return _shape_mask(kind, side, 0), _shape_mask(kind, side, outline)


def _slim_diamond_mask(width: int, height: int, inset: int) -> Image.Image:
    """The mask of a diamond that is narrower than high; its edge is moved inwards by `inset`, as in `_shape_mask`."""
    mask = Image.new("L", (width, height))
    slant = math.isqrt(width * width + height * height)  # the corners move by inset · slant ÷ the other side
    across, down = inset * slant // height, inset * slant // width
    (left, right), (upper, lower) = ((side // 2 - 1, side // 2) for side in (width, height))
    corners = (
        *((left, down), (right, down), (width - 1 - across, upper), (width - 1 - across, lower)),
        *((right, height - 1 - down), (left, height - 1 - down), (across, lower), (across, upper)),
    )
    ImageDraw.Draw(mask).polygon(corners, fill=255)
    return mask.reduce(FINE)


def _shape_mask(kind: ShapeKind, side: int, inset: int) -> Image.Image:
    """The mask of a shape whose edge is moved inwards, at right angles to it, by `inset`; both in fine pixels.

    A mask is 0 outside, 255 inside, and between these at the edge.
    """
    mask = Image.new("L", (side, side))
    draw = ImageDraw.Draw(mask)
    last = side - 1
    # The side is even: a middle is two fine pixels wide, so that shapes are symmetric.
    left, right = side // 2 - 1, side // 2
    match kind:
        case "circle":
            draw.ellipse((inset, inset, last - inset, last - inset), fill=255)
        case "square":
            draw.rectangle((inset, inset, last - inset, last - inset), fill=255)
        case "diamond":
            corner = inset * 1414 // 1000  # √2 times the inset
            draw.polygon(
                (
                    *((left, corner), (right, corner), (last - corner, left), (last - corner, right)),
                    *((right, last - corner), (left, last - corner), (corner, right), (corner, left)),
                ),
                fill=255,
            )
        case "triangle":
            # The sides climb two for one: the apex moves by √5 times the inset, each base corner by (1 + √5)/2 times.
            apex, foot, corner = inset * 2236 // 1000, last - inset, inset * 1618 // 1000
            draw.polygon(((left, apex), (right, apex), (last - corner, foot), (corner, foot)), fill=255)
    return mask.reduce(FINE)


def _draw_arrow(image: Image.Image, arrow: Arrow, scale: Scale) -> None:
    """Draw an arrow's shaft and head on one mask, in fine pixels relative to the arrow's box."""

    def fine(p: Point) -> Point:
        """The place in fine pixels, relative to the arrow's box."""
        return scale.fine(p[0] - arrow.box.left + HALF), scale.fine(p[1] - arrow.box.top + HALF)

    tail, tip = fine(arrow.tail), fine(arrow.tip)
    dx, dy = tip[0] - tail[0], tip[1] - tail[1]
    length = max(1, math.isqrt(dx * dx + dy * dy))

    def moved_aside(p: Point, distance: int) -> Point:
        """The place moved at right angles to the arrow by `distance` fine pixels."""
        return p[0] - dy * distance // length, p[1] + dx * distance // length

    head = min(scale.fine(arrow.head), length)
    neck = (tip[0] - dx * head // length, tip[1] - dy * head // length)
    half = scale.fine(arrow.width) // 2
    shaft = [moved_aside(p, aside) for p, aside in ((tail, half), (tail, -half), (neck, -half), (neck, half))]
    box = scale.box(arrow.box)
    mask = Image.new("L", ((box.right - box.left + 1) * FINE, (box.bottom - box.top + 1) * FINE))
    draw = ImageDraw.Draw(mask)
    draw.polygon(shaft, fill=255)
    draw.polygon((tip, moved_aside(neck, head // 2), moved_aside(neck, -head // 2)), fill=255)
    image.paste(ARROW_RGB, (box.left, box.top), mask.reduce(FINE))


def _draw_label(image: Image.Image, label: Label, shape: Shape, scale: Scale) -> None:
    """Draw a label's letter, light or dark, so that it shows on its shape or on the background."""
    mask = _letter_mask(label.text, scale.length(label.height))
    inside = abs(label.dx) < shape.size and abs(label.dy) < shape.size
    ink = LABEL_LIGHT_RGB if inside and shape.colour in _DARK_FILLS else LABEL_DARK_RGB
    x, y = scale.at(shape.x + label.dx + HALF), scale.at(shape.y + label.dy + HALF)
    image.paste(ink, (x - mask.width // 2, y - mask.height // 2), mask)


def _draw_sign(image: Image.Image, sign: Sign, scale: Scale) -> None:
    """Draw a sign's plate and its word."""
    box, height = scale.box(sign.box), scale.length(sign.height)
    size = (box.right - box.left + 1, box.bottom - box.top + 1)
    edge = min(max(2, height // 8), (min(size) - 1) // 2)  # none if the picture is made very small
    for inset, rgb in ((0, OUTLINE_RGB), (edge, SIGN_RGB[sign.colour])):
        mask = Image.new("L", (size[0] * FINE, size[1] * FINE))
        corners = (inset * FINE, inset * FINE, (size[0] - inset) * FINE - 1, (size[1] - inset) * FINE - 1)
        radius = (max(0, height // 2 - inset) if sign.round else 0) * FINE
        ImageDraw.Draw(mask).rounded_rectangle(corners, radius, fill=255)
        image.paste(rgb, (box.left, box.top), mask.reduce(FINE))
    masks = [_letter_mask(letter, height) for letter in sign.word]
    width = sum(mask.width for mask in masks) + height // 6 * (len(masks) - 1)
    _paint(image, sign.word, box.left + (size[0] - width) // 2, box.top + (size[1] - height) // 2, height)


@lru_cache(maxsize=256)
def _letter_mask(letter: str, height: int) -> Image.Image:
    """The mask of a capital letter of `height` pixels, cropped to it."""
    size = height * 1000 // _CAP_HEIGHT
    mask = _glyph(letter, size)
    while mask.height > height + 2:  # J and Q reach below the line: smaller, they keep within their box
        size -= 1
        mask = _glyph(letter, size)
    return mask


def _glyph(letter: str, size: int) -> Image.Image:
    """The mask of a letter of the bundled font at `size`, cropped to its ink."""
    with resources.as_file(resources.files("counterbench.drawing") / "fonts" / "letters.ttf") as path:
        font = ImageFont.truetype(str(path), size, layout_engine=ImageFont.Layout.BASIC)
    page = Image.new("L", (3 * size, 3 * size))
    ImageDraw.Draw(page).text((size, size // 2), letter, fill=255, font=font)
    return page.crop(page.getbbox())


def paint_words(image: Image.Image, words: str) -> None:
    """Paint capital letters across the top of a picture, in black, for judges that obey words."""
    height = max(8, image.width // 18)
    _paint(image, words, height, height // 2, height)


def _paint(image: Image.Image, words: str, x: int, y: int, height: int) -> None:
    """Write words in capitals `height` pixels high, from (x, y), the upper left corner."""
    for letter in words:
        if letter != " ":
            mask = _letter_mask(letter, height)
            image.paste(LABEL_DARK_RGB, (x, y), mask)
            x += mask.width + height // 6
        else:
            x += height // 2
