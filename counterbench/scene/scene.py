"""Scenes: data that say what a picture shows and where, with exact integer positions, to and from JSON.

A `Scene` has a canvas and elements in drawing order: shapes, a container (a frame for shapes), an arrow, labels
(letters on shapes), and things of other modules. It is frozen (never changed: edits make a new one) and has no pixels;
the package `drawing` draws it. Questions compute their answers from it.

Units are pixels; the origin is the top left corner and y grows downwards. `size` of a shape is half the height of its
bounding box, which is as wide as high unless the shape is a slim diamond.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, get_args

import msgspec

from counterbench.errors import InputError, unknown
from counterbench.palette import BACKGROUND, COLOUR_RGB, COLOURS, RGB, SHAPES, Colour, ShapeKind
from counterbench.scene.familiar_things import Familiar
from counterbench.scene.figures import Damage, Figure, Room, Sign, Writing
from counterbench.scene.geometry import (
    BaseElement,
    BaseFrame,
    Box,
    Point,
    polygon_contains,
    segment_squared,
    segments_near,
    squared,
)

if TYPE_CHECKING:
    from PIL import Image

MIN_SIDE, MAX_SIDE = 64, 2048
MIN_SHAPE_SIZE = 6
MIN_LABEL_HEIGHT = 22

# By kind, the thousandths of a pixel by which an outline of one pixel makes the inside's `size` smaller.
_INSETS: dict[ShapeKind, int] = {"circle": 1000, "square": 1000, "triangle": 1618, "diamond": 1414}

# Treatments of a picture after it was drawn.
TreatmentName = Literal["jpeg", "resized", "contrast", "texture", "small"]
TREATMENTS: tuple[TreatmentName, ...] = get_args(TreatmentName)
SMALL: TreatmentName = "small"  # the treatment of drawing with fewer pixels: a suite's `smallest` says how many

SideLength = Annotated[int, msgspec.Meta(ge=MIN_SIDE, le=MAX_SIDE)]
Grey = Annotated[int, msgspec.Meta(ge=0, le=255)]
Shade = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{6})?$")]


class Shape(BaseElement, frozen=True, tag="shape", omit_defaults=True):
    """A filled circle, square, triangle (apex up) or diamond with a thin dark outline inside its bounding box.

    A `slim` diamond is two thirds as wide as high; one that is not is a square turned by 45 degrees. `shade`: its fill,
    "rrggbb", where that is none of the palette's; `colour` is then the one that it departs from.
    """

    kind: ShapeKind
    colour: Colour
    x: int
    y: int
    size: Annotated[int, msgspec.Meta(ge=MIN_SHAPE_SIZE)]
    slim: bool = False
    shade: Shade = ""

    @property
    def half_width(self) -> int:
        """Half the width of the bounding box."""
        return self.size * 2 // 3 if self.slim else self.size

    @property
    def centre(self) -> Point:
        """The middle of the bounding box."""
        return (self.x, self.y)

    @property
    def box(self) -> Box:
        """The bounding box, outline included."""
        half_width = self.half_width
        return Box(self.x - half_width, self.y - self.size, self.x + half_width, self.y + self.size)

    @property
    def fill(self) -> RGB:
        """The red, green and blue of its inside."""
        return rgb_of(self.shade) if self.shade else COLOUR_RGB[self.colour]

    @property
    def inside(self) -> Shape:
        """The coloured part within the outline, as a shape; exact to a pixel.

        An outline of `width` pixels makes the size smaller by `inset`, which is `width` times √2 for a square diamond,
        √(1 + 1.5²) for a slim one, (1 + √5) / 2 for a triangle, and 1 for others. The inside of a triangle also lies
        lower, by `width` × (√5 − 1) / 2.
        """
        width = max(2, self.size // 16)
        inset = width * (1803 if self.slim else _INSETS[self.kind]) // 1000
        lower = width * 618 // 1000 if self.kind == "triangle" else 0
        return msgspec.structs.replace(self, size=self.size - inset, y=self.y + lower)

    def row(self, y: int) -> tuple[int, int]:
        """The x of the first and the last pixel of this shape in row `y` of the picture; (0, -1) where it has none."""
        down = y - self.y
        if abs(down) > self.size:
            return 0, -1
        match self.kind:
            case "circle":
                half_row = math.isqrt(self.size**2 - down**2)
            case "square":
                half_row = self.size
            case "triangle":
                half_row = (self.size + down) // 2
            case "diamond":
                half_row = (self.size - abs(down)) * self.half_width // self.size
        return self.x - half_row, self.x + half_row

    @property
    def name(self) -> str:
        """Colour and kind, as a canonical answer: "red circle"."""
        return f"{self.colour} {self.kind}"

    @property
    def corners(self) -> tuple[Point, ...]:
        """The corners of a square, triangle or diamond; empty for a circle."""
        x, y, size = self.x, self.y, self.size
        match self.kind:
            case "square":
                return ((x - size, y - size), (x + size, y - size), (x + size, y + size), (x - size, y + size))
            case "triangle":
                return ((x, y - size), (x + size, y + size), (x - size, y + size))
            case "diamond":
                return ((x, y - size), (x + self.half_width, y), (x, y + size), (x - self.half_width, y))
            case _:
                return ()

    def contained(self, points: Iterable[Point]) -> list[Point]:
        """The points of `points` that lie on this shape, its edge included."""
        if self.kind == "circle":
            centre, squared_radius = self.centre, self.size**2
            return [p for p in points if squared(centre, p) <= squared_radius]
        corners = self.corners
        return [p for p in points if polygon_contains(corners, p)]

    def contains(self, p: Point) -> bool:
        """True if the point `p` lies on this shape, its edge included."""
        return bool(self.contained((p,)))

    def meets(self, a: Point, b: Point, reach: int = 0) -> bool:
        """True if the segment a–b comes within `reach` pixels of this shape."""
        if self.kind == "circle":
            return segment_squared(self.centre, a, b) <= (self.size + reach) ** 2
        corners = self.corners
        edges = zip(corners, corners[1:] + corners[:1], strict=True)
        return self.contains(a) or self.contains(b) or any(segments_near(a, b, c, d, reach) for c, d in edges)

    def check(self) -> None:
        """InputError unless kind, colour, shade and size are valid."""
        if self.kind not in SHAPES:
            raise unknown("shape kind", self.kind, SHAPES, self.id)
        if self.colour not in COLOURS:
            raise unknown("colour", self.colour, COLOURS, self.id)
        if self.slim and self.kind != "diamond":
            raise InputError(f"element {self.id!r}: only a diamond can be slim, not a {self.kind}")
        if self.shade and not re.fullmatch("[0-9a-f]{6}", self.shade):
            raise InputError(f"element {self.id!r}: a shade is six hexadecimal digits, not {self.shade!r}")
        self.check_least(MIN_SHAPE_SIZE, "size")


def rgb_of(shade: str) -> RGB:
    """The red, green and blue, 0 … 255, of a shade "rrggbb"."""
    red, green, blue = bytes.fromhex(shade)
    return red, green, blue


class Container(BaseFrame, frozen=True, tag="container"):
    """A rectangular frame for shapes."""


class Arrow(BaseElement, frozen=True, tag="arrow"):
    """A straight arrow from its tail (x, y) to its tip, with a filled head that ends exactly at the tip."""

    across = ("x", "tip_x")
    down = ("y", "tip_y")
    x: int
    y: int
    tip_x: int
    tip_y: int
    width: Annotated[int, msgspec.Meta(ge=2)] = 5

    @property
    def tail(self) -> Point:
        """The start of the arrow."""
        return (self.x, self.y)

    @property
    def tip(self) -> Point:
        """The end of the arrow."""
        return (self.tip_x, self.tip_y)

    @property
    def head(self) -> int:
        """Length of the head, and its width, in pixels."""
        return 4 * self.width

    @property
    def box(self) -> Box:
        """A box around shaft and head, large enough for any direction of the arrow."""
        return Box(
            min(self.x, self.tip_x), min(self.y, self.tip_y), max(self.x, self.tip_x), max(self.y, self.tip_y)
        ).grown(self.head // 2 + 1)

    def check(self) -> None:
        """InputError unless the arrow is wide enough."""
        self.check_least(2, "width")


class Label(BaseElement, frozen=True, tag="label"):
    """A letter that belongs to the shape `of` and moves with it; its middle is (dx, dy) from that shape's centre."""

    across = ()
    down = ()
    text: Annotated[str, msgspec.Meta(pattern="^[A-Z]$")]
    of: str
    dx: int = 0
    dy: int = 0
    height: Annotated[int, msgspec.Meta(ge=MIN_LABEL_HEIGHT)] = MIN_LABEL_HEIGHT

    def check(self) -> None:
        """InputError unless the label is one capital letter of sufficient height."""
        self.check_least(MIN_LABEL_HEIGHT, "height")
        if len(self.text) != 1 or not "A" <= self.text <= "Z":
            raise InputError(f"label {self.id!r} must be one letter from A to Z, not {self.text!r}")


Element = Shape | Container | Arrow | Label | Room | Figure | Damage | Writing | Sign | Familiar


class Scene(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A picture's content: canvas, background grey and elements in drawing order (later ones lie in front)."""

    width: SideLength = 512
    height: SideLength = 512
    background: Grey = BACKGROUND
    elements: tuple[Element, ...] = ()
    # The treatment of the picture after it was drawn, which changes no answer; not in the digest if unset.
    treatment: TreatmentName | msgspec.UnsetType = msgspec.UNSET

    # The function that draws the picture. This package may not import `drawing`, so that package sets it here.
    draw: ClassVar[Callable[..., Any]]

    def __post_init__(self) -> None:
        check_scene(self)

    def image(self, size: int | None = None, style: str = "flat") -> Image.Image:
        """The picture, RGB; `size`: pixels of its shorter side, if not the scene's own."""
        picture: Image.Image = type(self).draw(self, size, style)
        return picture

    @property
    def box(self) -> Box:
        """The box of the whole canvas."""
        return Box(0, 0, self.width - 1, self.height - 1)

    @property
    def side(self) -> int:
        """The shorter side, the unit of sizes and margins given in per cent."""
        return min(self.width, self.height)

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """The shapes in drawing order."""
        return tuple(e for e in self.elements if isinstance(e, Shape))

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The figures in drawing order."""
        return tuple([e for e in self.elements if isinstance(e, Figure)])

    def element(self, id: str) -> Element:
        """The element called `id`; InputError if there is none."""
        for element in self.elements:
            if element.id == id:
                return element
        raise InputError(f"the scene has no element {id!r}; it has: {', '.join(e.id for e in self.elements)}")

    def shape(self, id: str) -> Shape:
        """The shape called `id`; InputError if there is none."""
        element = self.element(id)
        if not isinstance(element, Shape):
            raise InputError(f"element {id!r} is a {type(element).__name__.lower()}, not a shape")
        return element

    def label_box(self, label: Label) -> Box:
        """The box in which a label's letter is drawn, wide enough for a W."""
        x, y = self.shape(label.of).centre
        x, y = x + label.dx, y + label.dy
        half_width, half_height = label.height * 4 // 5 + 2, label.height // 2 + 2
        return Box.around(x, y, half_width, half_height)

    def box_of(self, element: Element) -> Box:
        """The box outside of which an element changes no pixel."""
        return self.label_box(element) if isinstance(element, Label) else element.box

    def with_elements(self, *elements: Element) -> Scene:
        """This scene with other elements."""
        return Scene(self.width, self.height, self.background, elements, self.treatment)

    def replaced(self, *changed: Element) -> Scene:
        """This scene with each element of `changed` in the place of its element of the same id."""
        by_id = {e.id: e for e in changed}
        return self.with_elements(*(by_id.get(e.id, e) for e in self.elements))

    @property
    def digest(self) -> str:
        """A hex digest of the content, independent of pixels and Pillow."""
        return hashlib.blake2b(msgspec.json.encode(self), digest_size=16).hexdigest()


def check_scene(scene: Scene) -> None:
    """Raise InputError unless every value is in range, ids are unique and every element lies on the canvas."""
    if not (MIN_SIDE <= scene.width <= MAX_SIDE and MIN_SIDE <= scene.height <= MAX_SIDE):
        raise InputError(f"a scene is {MIN_SIDE} to {MAX_SIDE} pixels wide and high, not {scene.width}×{scene.height}")
    if not 0 <= scene.background <= 255:
        raise InputError(f"a background is a grey from 0 to 255, not {scene.background}")
    if scene.treatment and scene.treatment not in TREATMENTS:
        raise unknown("treatment", scene.treatment, TREATMENTS)
    ids = [e.id for e in scene.elements]
    if len(set(ids)) != len(ids) or "" in ids:
        raise InputError(f"element ids must be unique and not empty: {', '.join(ids)}")
    canvas = scene.box
    for element in scene.elements:
        element.check()
        if isinstance(element, Label) and element.of not in {e.id for e in scene.shapes}:
            raise InputError(f"label {element.id!r} belongs to {element.of!r}, which is not a shape of the scene")
        box = scene.box_of(element)
        if not box.within(canvas):
            raise InputError(
                f"element {element.id!r} at {tuple(box)} lies outside the canvas of {scene.width}×{scene.height}"
            )
