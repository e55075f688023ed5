"""Pictures of shapes that are not ours: drawn with Pillow alone in other styles, with questions and their answers.

A style is a palette, outlines, fonts, sizes and edges; `BENCHMARK` is how a released benchmark of this kind looks, and
`OURS` how our own pictures do, drawn by other code.
"""

import math
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from PIL import Image, ImageDraw, ImageFont

import counterbench.drawing
from counterbench.palette import ARROW_RGB, COLOUR_RGB, CONTAINER_RGB, LABEL_DARK_RGB, OUTLINE_RGB

RGB = tuple[int, int, int]

KINDS = ("circle", "square", "triangle", "diamond")
NAMES = tuple(COLOUR_RGB)
OUR_FONT = str(Path(counterbench.drawing.__file__).parent / "fonts" / "letters.ttf")
BLACK, WHITE = (0, 0, 0), (255, 255, 255)


def _palette(shown: str) -> dict[str, RGB]:
    colours = [tuple(bytes.fromhex(each)) for each in shown.split()]
    return dict(zip(NAMES, colours, strict=True))  # type: ignore[arg-type]


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


@dataclass
class Drawn:
    """A picture, and what may be asked of it with the one right answer to each."""

    image: Image.Image
    style: Style
    asked: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True)
class _Item:
    kind: str
    colour: str
    x: int
    y: int
    size: int

    @property
    def name(self) -> str:
        return f"{self.colour} {self.kind}"


def draw(style: Style, random: Random) -> Drawn:
    """A random picture in a style."""
    width, height = style.size
    page = Image.new("RGB", (width * style.fine, height * style.fine), style.background)
    pen = ImageDraw.Draw(page)
    side = min(width, height)
    frame: tuple[int, int, int, int] | None = None
    if random.random() < 0.3:
        frame = (side // 5, side // 5, side * 7 // 10, side * 7 // 10)
        left, top, right, bottom = (v * style.fine for v in (frame[0], frame[1], frame[2] + 1, frame[3] + 1))
        pen.rectangle((left, top, right - 1, bottom - 1), outline=style.frame, width=style.frame_width * style.fine)
    items = _place(style, random, frame)
    for item in items:
        _draw_item(pen, style, item)
    lettered = _letters(pen, style, random, items) if len(items) > 1 and random.random() < 0.5 else {}
    aimed = None if frame or lettered or not items else _arrow(pen, style, random, items)
    image = page.resize(style.size, Image.Resampling.BOX) if style.fine > 1 else page
    drawn = Drawn(image, style)
    drawn.asked = _questions(items, lettered, aimed, frame, side, random)
    return drawn


def _place(style: Style, random: Random, frame: tuple[int, int, int, int] | None) -> list[_Item]:
    """Shapes that keep well apart, in the picture and from the frame's walls."""
    width, height = style.size
    side = min(width, height)
    items: list[_Item] = []
    for _ in range(40):
        size = random.randint(side // 24, side // 10)
        x, y = random.randint(size + 8, width - size - 9), random.randint(size + 8, height - size - 9)
        margin = size + style.frame_width + 6
        apart = all(max(abs(x - i.x), abs(y - i.y)) > size + i.size + side // 9 for i in items)
        if frame:
            left, top, right, bottom = frame
            within = left + margin < x < right - margin and top + margin < y < bottom - margin
            beyond = x < left - margin or x > right + margin or y < top - margin or y > bottom + margin
            apart = apart and (within or beyond)
        if apart:
            items.append(_Item(random.choice(KINDS), random.choice(NAMES), x, y, size))
        if len(items) == random.randint(2, 7):
            break
    return items


def _draw_item(pen: ImageDraw.ImageDraw, style: Style, item: _Item) -> None:
    """A shape in its outline's colour, and on it one in its own whose edge is moved inwards."""
    left, top = (item.x - item.size) * style.fine, (item.y - item.size) * style.fine
    last = (2 * item.size + 1) * style.fine - 1
    middle = last / 2
    inset = style.outline_width * style.fine if style.outline else 0
    for fill, near in ((style.outline, 0), (PALETTES[style.palette][item.colour], inset)):
        far = last - near
        if fill is None:
            continue
        if item.kind == "circle":
            pen.ellipse((left + near, top + near, left + far, top + far), fill=fill)
            continue
        if item.kind == "square":
            corners = [(near, near), (far, near), (far, far), (near, far)]
        elif item.kind == "diamond":
            d = near * math.sqrt(2)
            corners = [(middle, d), (last - d, middle), (middle, last - d), (d, middle)]
        else:
            corner = near * (1 + math.sqrt(5)) / 2
            corners = [(middle, near * math.sqrt(5)), (last - corner, far), (corner, far)]
        pen.polygon([(left + x, top + y) for x, y in corners], fill=fill)


def _letters(pen: ImageDraw.ImageDraw, style: Style, random: Random, items: list[_Item]) -> dict[str, _Item]:
    """A letter on, or right above, two of the shapes; at times other letters than A and B."""
    others = "DEOPQRS" if style.font else "DEOPQRS48"  # the bundled font has capitals alone
    names = random.choice((("A", "B"), ("A", "B"), random.sample(others, 2), ("A", random.choice(others))))
    height = style.label * style.fine
    font = ImageFont.truetype(style.font, round(height / 0.729)) if style.font else ImageFont.load_default(height * 1.4)
    roomy = [item for item in items if item.y > item.size + 2 * style.label]
    if len(roomy) < 2:
        return {}
    chosen = dict(zip(names, random.sample(roomy, 2), strict=True))
    for name, item in chosen.items():
        inside = item.size > style.label
        x = item.x
        y = item.y + (item.size // 3 if item.kind == "triangle" else 0) if inside else item.y - item.size - style.label
        pen.text((x * style.fine, y * style.fine), name, fill=style.label_ink, font=font, anchor="mm")
    return chosen


def _arrow(pen: ImageDraw.ImageDraw, style: Style, random: Random, items: list[_Item]) -> _Item | None:
    """An arrow to a shape that its tip is clearly nearest to, over free ground; None if there is no room for one."""
    for item in random.sample(items, len(items)):
        for _ in range(20):
            angle = random.uniform(0, 2 * math.pi)
            dx, dy = math.cos(angle), math.sin(angle)
            gap, length = item.size * 1.45 + 10, random.randint(50, 110)
            tip = (item.x - dx * gap, item.y - dy * gap)
            tail = (tip[0] - dx * length, tip[1] - dy * length)
            clear = 2 * style.arrow_width * style.arrow_head
            places = [(tip[0] + (tail[0] - tip[0]) * k / 8, tip[1] + (tail[1] - tip[1]) * k / 8) for k in range(9)]
            width, height = style.size
            free = all(8 < x < width - 8 and 8 < y < height - 8 for x, y in places) and all(
                math.dist(p, (i.x, i.y)) > i.size * 1.45 + clear for p in places for i in items if i is not item
            )
            if free and all(math.dist(tip, (i.x, i.y)) > 2.5 * gap + i.size * 1.5 for i in items if i is not item):
                _draw_arrow(pen, style, tail, tip)
                return item
    return None


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


def _questions(
    items: list[_Item],
    lettered: dict[str, _Item],
    aimed: _Item | None,
    frame: tuple[int, int, int, int] | None,
    side: int,
    random: Random,
) -> list[tuple[str, str]]:
    yes = lambda value: "yes" if value else "no"  # noqa: E731
    kind, colour, some = random.choice(KINDS), random.choice(NAMES), random.randint(1, 5)
    asked = [
        ("How many shapes are visible?", str(len(items))),
        (f"How many {kind}s are there in the picture?", str(sum(i.kind == kind for i in items))),
        (f"How many {colour} shapes are visible?", str(sum(i.colour == colour for i in items))),
        (f"Are there exactly {some} shapes in the picture?", yes(len(items) == some)),
    ]
    only = [i for i in items if sum(j.name == i.name for j in items) == 1]
    clear = side // 10  # the smallest difference that is asked about
    for item in items:
        if sum(j.kind == item.kind for j in items) == 1:
            asked.append((f"What color is the {item.kind}?", item.colour))
            asked.append((f"Is the {item.kind} {colour}?", yes(item.colour == colour)))
    if len(only) > 1:
        a, b = random.sample(only, 2)
        if abs(a.x - b.x) > clear:
            asked.append((f"Is the {a.name} to the left of the {b.name}?", yes(a.x < b.x)))
        if abs(a.y - b.y) > clear:
            asked.append((f"Is the {a.name} above the {b.name}?", yes(a.y < b.y)))
    if lettered:  # where no shape has such a letter, nobody can say
        a, b = lettered.get("A"), lettered.get("B")
        if a is None or b is None or abs(a.x - b.x) > clear:
            asked.append(("Is shape A to the left of shape B?", yes(a.x < b.x) if a and b else ""))
    if len(items) > 1:
        first, second = sorted(items, key=lambda i: i.x)[:2]
        if second.x - first.x > clear:
            asked.append(("What color is the leftmost shape?", first.colour))
    if aimed in only:
        asked.append(("Which shape does the arrow point to?", aimed.name))
    if frame:
        held = [i for i in items if frame[0] < i.x < frame[2] and frame[1] < i.y < frame[3]]
        asked.append(("How many shapes are inside the container?", str(len(held))))
        asked += [(f"Is the {i.name} inside the container?", yes(i in held)) for i in only[:1]]
    return asked
