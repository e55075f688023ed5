"""Pictures that are not ours: our scenes of shapes drawn with Pillow alone, in other styles.

A style is a palette, outlines, fonts, sizes and edges; `BENCHMARK` is how a released benchmark of this kind looks, and
`OURS` how our own pictures do, drawn by other code.
"""

import math
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from PIL import Image, ImageDraw, ImageFont

import counterbench.drawing
from counterbench.palette import ARROW_RGB, COLOUR_RGB, CONTAINER_RGB, LABEL_DARK_RGB, OUTLINE_RGB
from counterbench.scene.scene import Arrow, Container, Label, Scene, Shape

RGB = tuple[int, int, int]

OUR_FONT = str(Path(counterbench.drawing.__file__).parent / "fonts" / "letters.ttf")
BLACK, WHITE = (0, 0, 0), (255, 255, 255)


def _palette(shown: str) -> dict[str, RGB]:
    colours = [tuple(bytes.fromhex(digits)) for digits in shown.split()]
    return dict(zip(COLOUR_RGB, colours, strict=True))  # type: ignore[arg-type]


PALETTES: dict[str, dict[str, RGB]] = {
    "ours": dict(COLOUR_RGB),
    "web": _palette("ff0000 ffa500 ffff00 008000 00ffff 0000ff 800080 ffc0cb"),
    "soft": _palette("e45756 ff8c00 eeca3b 54a24b 72b7b2 4c78a8 b279a2 ff9da6"),
}


@dataclass(frozen=True)
class Style:
    """How a picture is drawn. `outline` None: none; `fine` 1: edges are not softened; lengths in pixels."""

    size: tuple[int, int] = (512, 512)
    background: RGB = (245, 245, 245)
    palette: str = "ours"
    outline: RGB | None = OUTLINE_RGB
    outline_width: int = 3
    fine: int = 4
    font: str = OUR_FONT
    label: int = 26
    label_ink: RGB = LABEL_DARK_RGB
    frame: RGB = CONTAINER_RGB
    frame_width: int = 6
    arrow: RGB = ARROW_RGB
    arrow_width: int = 6
    arrow_head: float = 4.0  # widths
    arrow_look: str = "plain"  # or "round" (a disc at the tail), "open" (barbs for a head)


OURS = Style()
BENCHMARK = Style(
    palette="web", outline=BLACK, outline_width=2, fine=1, label=8, label_ink=BLACK, frame=BLACK, arrow=BLACK, font=""
)


def any_style(random: Random) -> Style:
    """A style in which anything may be as ours is, or otherwise."""
    pick = random.choice
    return Style(
        size=pick(((512, 512), (512, 512), (256, 256), (400, 300), (800, 600), (1024, 1024))),
        background=pick(((245,) * 3, (245,) * 3, (255,) * 3, (230,) * 3, (250, 240, 220), (30, 30, 40), (200,) * 3)),
        palette=pick(("ours", "ours", *PALETTES)),
        outline=pick((OUTLINE_RGB, OUTLINE_RGB, BLACK, None, WHITE, (120, 120, 120), ARROW_RGB, (90, 20, 20))),
        outline_width=pick((1, 2, 3, 3, 5, 9)),
        fine=pick((1, 4)),
        font=pick((OUR_FONT, "")),
        label=pick((8, 12, 18, 26, 26, 34)),
        label_ink=pick((LABEL_DARK_RGB, LABEL_DARK_RGB, WHITE, OUTLINE_RGB, ARROW_RGB)),
        frame=pick((CONTAINER_RGB, CONTAINER_RGB, BLACK, OUTLINE_RGB, (0, 90, 230))),
        frame_width=pick((2, 6, 12)),
        arrow=pick((ARROW_RGB, ARROW_RGB, BLACK, OUTLINE_RGB, (214, 39, 40))),
        arrow_width=pick((2, 4, 6, 9)),
        arrow_head=pick((2.5, 4.0, 4.0, 6.0)),
        arrow_look=pick(("plain", "plain", "round", "open")),
    )


def nearly_ours(random: Random) -> Style:
    """Our style but for one thing, or none."""
    other = any_style(random)
    names = [name for name in Style.__dataclass_fields__ if getattr(other, name) != getattr(OURS, name)]
    name = random.choice(names)
    return replace(OURS, **{name: getattr(other, name)})


def draw_foreign(style: Style, scene: Scene) -> Image.Image:
    """The picture of a scene of shapes, letters, arrows and containers in a style."""
    width, height = style.size
    page = Image.new("RGB", (width * style.fine, height * style.fine), style.background)
    pen, scale = ImageDraw.Draw(page), min(style.size) / 512
    left, top = (width - 512 * scale) / 2, (height - 512 * scale) / 2

    def at(x: float, y: float) -> tuple[int, int]:
        return round(left + x * scale), round(top + y * scale)

    for element in scene.elements:
        match element:
            case Container():
                edges = (*at(element.box.left, element.box.top), *at(element.box.right + 1, element.box.bottom + 1))
                box = [edge * style.fine - (i > 1) for i, edge in enumerate(edges)]
                pen.rectangle(box, outline=style.frame, width=style.frame_width * style.fine)
            case Shape():
                _draw_shape(pen, style, element, at(*element.centre), round(element.size * scale))
            case Arrow():
                _draw_arrow(pen, style, at(*element.tail), at(*element.tip))
            case Label():
                shape = scene.shape(element.of)
                x, y = at(shape.x + element.dx, shape.y + element.dy)
                pen.text(
                    (x * style.fine, y * style.fine), element.text, fill=style.label_ink, font=_font(style), anchor="mm"
                )
    return page.resize(style.size, Image.Resampling.BOX) if style.fine > 1 else page


def _font(style: Style) -> Any:
    height = style.label * style.fine
    return ImageFont.truetype(style.font, round(height / 0.729)) if style.font else ImageFont.load_default(1.4 * height)


def _draw_shape(pen: ImageDraw.ImageDraw, style: Style, shape: Shape, at: tuple[int, int], size: int) -> None:
    """A shape in its outline's colour, and on it one in its own whose edge is moved inwards."""
    left, top = ((middle - size) * style.fine for middle in at)
    last = (2 * size + 1) * style.fine - 1
    middle = last / 2
    inset = style.outline_width * style.fine if style.outline else 0
    for fill, near in ((style.outline, 0), (PALETTES[style.palette][shape.colour], inset)):
        far = last - near
        if fill is None or far <= near:
            continue
        if shape.kind == "circle":
            pen.ellipse((left + near, top + near, left + far, top + far), fill=fill)
            continue
        if shape.kind == "square":
            corners = [(near, near), (far, near), (far, far), (near, far)]
        elif shape.kind == "diamond":
            d = near * math.sqrt(2)
            corners = [(middle, d), (last - d, middle), (middle, last - d), (d, middle)]
        else:
            corner = near * (1 + math.sqrt(5)) / 2
            corners = [(middle, near * math.sqrt(5)), (last - corner, far), (corner, far)]
        pen.polygon([(left + x, top + y) for x, y in corners], fill=fill)


def _draw_arrow(pen: ImageDraw.ImageDraw, style: Style, tail: tuple[float, float], tip: tuple[float, float]) -> None:
    scale, w = style.fine, style.arrow_width
    length = math.dist(tail, tip)
    dx, dy = (tip[0] - tail[0]) / length, (tip[1] - tail[1]) / length
    head = w * style.arrow_head
    neck = (tip[0] - dx * head, tip[1] - dy * head)

    def at(p: tuple[float, float], by: float = 0.0) -> tuple[float, float]:
        return ((p[0] - dy * by + 0.5) * scale, (p[1] + dx * by + 0.5) * scale)

    pen.polygon([at(tail, w / 2), at(tail, -w / 2), at(neck, -w / 2), at(neck, w / 2)], fill=style.arrow)
    if style.arrow_look == "open":
        pen.line([at(neck, head / 2), at(tip), at(neck, -head / 2)], fill=style.arrow, width=w * scale // 2 + 1)
        pen.line([at(neck), at(tip)], fill=style.arrow, width=w * scale // 2 + 1)
    else:
        pen.polygon([at(tip), at(neck, head / 2), at(neck, -head / 2)], fill=style.arrow)
    if style.arrow_look == "round":
        x, y = at(tail)
        r = w * scale * 1.2
        pen.ellipse((x - r, y - r, x + r, y + r), fill=style.arrow)
