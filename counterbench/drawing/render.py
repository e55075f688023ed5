"""Scene to picture, whole: shapes here, the things of laws by `things`.

Geometry is integer; edges are antialiased by drawing masks four times as large and averaging. Same scene, same Pillow:
same pixels. Masks of shapes are cached by kind and size, since colours are pasted through them.
"""

from __future__ import annotations

import math
from functools import lru_cache
from importlib import resources

from PIL import Image, ImageDraw, ImageFont

from counterbench.drawing.things import draw_damage, draw_figure, draw_room
from counterbench.palette import (
    ARROW_RGB,
    COLOUR_RGB,
    CONTAINER_RGB,
    LABEL_DARK_RGB,
    LABEL_LIGHT_RGB,
    OUTLINE_RGB,
    Colour,
    ShapeKind,
)
from counterbench.scene.figures import Damage, Figure, Room, Writing
from counterbench.scene.geometry import Box, Point
from counterbench.scene.scene import Arrow, Container, Label, Scene, Shape

# Rises whenever the same scene would give other pixels; part of every suite's digest.
RENDERER_VERSION = 1

_SCALE = 4  # supersampling along each axis
_DARK_FILLS: frozenset[Colour] = frozenset({"red", "green", "blue", "purple"})
# Cap height of the bundled font, in thousandths of its size.
_CAP_HEIGHT = 729

# A picture's memory is given back and taken again a moment later, and the system clears every page of it anew: most of
# the time that drawing took. The C library of Linux holds on to twice the largest block that it has ever given back.
bytes(1 << 24)


def render(scene: Scene) -> Image.Image:
    """The picture of a scene, RGB, of the scene's size."""
    image = Image.new("RGB", (scene.width, scene.height), (scene.background,) * 3)
    for element in scene.elements:
        match element:
            case Shape():
                _draw_shape(image, element)
            case Container():
                ImageDraw.Draw(image).rectangle(element.box, outline=CONTAINER_RGB, width=element.wall)
            case Arrow():
                _draw_arrow(image, element)
            case Label():
                _draw_label(image, element, scene.shape(element.of))
            case Room():
                draw_room(image, element)
            case Figure():
                draw_figure(image, element)
            case Damage():
                draw_damage(image, element)
            case Writing():
                _paint(image, element.words, element.box.left + 2, element.box.top + 2, element.height)
    return image


def outline_width(size: int) -> int:
    """Width in pixels of the outline of a shape of `size`."""
    return max(2, size // 16)


def _draw_shape(image: Image.Image, shape: Shape) -> None:
    at = (shape.x - shape.size, shape.y - shape.size)
    outer, inner = _shape_masks(shape.kind, shape.size)
    image.paste(OUTLINE_RGB, at, outer)
    image.paste(COLOUR_RGB[shape.colour], at, inner)


@lru_cache(maxsize=1024)
def _shape_masks(kind: ShapeKind, size: int) -> tuple[Image.Image, Image.Image]:
    """Coverage of the whole shape and of its inside without the outline, on its bounding box."""
    return _shape_mask(kind, size, 0), _shape_mask(kind, size, outline_width(size))


def _shape_mask(kind: ShapeKind, size: int, inset: int) -> Image.Image:
    """Coverage of a shape whose edge is moved inwards by `inset` pixels, at right angles to it."""
    side = (2 * size + 1) * _SCALE
    mask = Image.new("L", (side, side))
    draw = ImageDraw.Draw(mask)
    t, last = inset * _SCALE, side - 1
    # The side is even: what stands in the middle is two fine pixels wide, so that shapes are symmetric.
    left, right = side // 2 - 1, side // 2
    match kind:
        case "circle":
            draw.ellipse((t, t, last - t, last - t), fill=255)
        case "square":
            draw.rectangle((t, t, last - t, last - t), fill=255)
        case "diamond":
            t = t * 1414 // 1000
            draw.polygon(
                (
                    *((left, t), (right, t), (last - t, left), (last - t, right)),
                    *((right, last - t), (left, last - t), (t, right), (t, left)),
                ),
                fill=255,
            )
        case "triangle":
            # The sides climb two for one: an inset t moves the apex by √5·t, and each base corner by (1 + √5)/2·t.
            apex, foot, corner = t * 2236 // 1000, last - t, t * 1618 // 1000
            draw.polygon(((left, apex), (right, apex), (last - corner, foot), (corner, foot)), fill=255)
    return mask.reduce(_SCALE)


def _draw_arrow(image: Image.Image, arrow: Arrow) -> None:
    box = arrow.box
    mask = Image.new("L", ((box.right - box.left + 1) * _SCALE, (box.bottom - box.top + 1) * _SCALE))
    draw = ImageDraw.Draw(mask)
    for corners in _arrow_polygons(arrow, box):
        draw.polygon(corners, fill=255)
    image.paste(ARROW_RGB, (box.left, box.top), mask.reduce(_SCALE))


def _arrow_polygons(arrow: Arrow, box: Box) -> tuple[tuple[Point, ...], ...]:
    """Shaft and head in supersampled pixels, relative to the box."""

    def fine(p: Point) -> Point:
        return (p[0] - box.left) * _SCALE + _SCALE // 2, (p[1] - box.top) * _SCALE + _SCALE // 2

    tail, tip = fine(arrow.tail), fine(arrow.tip)
    dx, dy = tip[0] - tail[0], tip[1] - tail[1]
    length = max(1, math.isqrt(dx * dx + dy * dy))

    def beside(p: Point, by: int) -> Point:
        return p[0] - dy * by // length, p[1] + dx * by // length

    head = min(arrow.head * _SCALE, length)
    neck = (tip[0] - dx * head // length, tip[1] - dy * head // length)
    half = arrow.width * _SCALE // 2
    shaft = (beside(tail, half), beside(tail, -half), beside(neck, -half), beside(neck, half))
    return shaft, (tip, beside(neck, head // 2), beside(neck, -head // 2))


def _draw_label(image: Image.Image, label: Label, shape: Shape) -> None:
    mask = _letter_mask(label.text, label.height)
    inside = abs(label.dx) < shape.size and abs(label.dy) < shape.size
    ink = LABEL_LIGHT_RGB if inside and shape.colour in _DARK_FILLS else LABEL_DARK_RGB
    x, y = shape.x + label.dx - mask.width // 2, shape.y + label.dy - mask.height // 2
    image.paste(ink, (x, y), mask)


@lru_cache(maxsize=256)
def _letter_mask(letter: str, height: int) -> Image.Image:
    """Coverage of a capital letter of `height` pixels, cropped to it."""
    size = height * 1000 // _CAP_HEIGHT
    mask = _glyph(letter, size)
    while mask.height > height + 2:  # J and Q reach below the line: smaller, they keep within their box
        size -= 1
        mask = _glyph(letter, size)
    return mask


def _glyph(letter: str, size: int) -> Image.Image:
    """Coverage of a letter of the bundled font at `size`, cropped to its ink."""
    with resources.as_file(resources.files("counterbench.drawing") / "fonts" / "letters.ttf") as path:
        font = ImageFont.truetype(str(path), size, layout_engine=ImageFont.Layout.BASIC)
    page = Image.new("L", (3 * size, 3 * size))
    ImageDraw.Draw(page).text((size, size // 2), letter, fill=255, font=font)
    return page.crop(page.getbbox())


def paint_words(image: Image.Image, words: str) -> None:
    """Paint capital letters across the top of a picture, in black: what a picture may say to a judge."""
    height = max(8, image.width // 18)
    _paint(image, words, height, height // 2, height)


def _paint(image: Image.Image, words: str, x: int, y: int, height: int) -> None:
    for letter in words:
        if letter != " ":
            mask = _letter_mask(letter, height)
            image.paste(LABEL_DARK_RGB, (x, y), mask)
            x += mask.width + height // 6
        else:
            x += height // 2
