"""How damage looks: what generated pictures show where something went wrong, drawn over a part of a picture.

Each kind but static and black takes what is there and spoils it; nothing of it is plain ink then, so that it can be
told from what was drawn.
"""

from __future__ import annotations

from collections.abc import Callable

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from counterbench.drawing.scale import Scale
from counterbench.scene.figures import Damage
from counterbench.scene.seeds import Stream

# Static is made of squares of so many pixels; a blackout is one step off black, which nothing else is drawn in.
_GRAIN = 4
BLACKOUT_RGB = (6, 6, 6)
# What is merged fades over twice so many pixels.
_SOFT = 7

Spoil = Callable[[Image.Image, Damage, Scale, Stream], Image.Image]


def draw_damage(image: Image.Image, damage: Damage, scale: Scale, ground: int) -> None:
    """Spoil a part of the picture, whose background is the grey `ground`."""
    left, top, right, bottom = scale.box(damage.box)
    if damage.kind in ("static", "black"):
        _cover(image, damage, scale)
        return
    part = image.crop((left, top, right + 1, bottom + 1))
    if damage.kind == "merged":
        across, down = scale.at(damage.from_x - damage.half_width), scale.at(damage.from_y - damage.half_height)
        other = image.crop((across, down, across + part.width, down + part.height))
        spoilt = Image.composite(other, part, _half_within(part.size, scale.length(_SOFT)))
    elif damage.kind == "cut":
        spoilt = _cut(part, damage, scale, Stream("damage", damage.seed), ground)
    else:
        spoilt = _SPOILS[damage.kind](part, damage, scale, Stream("damage", damage.seed))
    image.paste(spoilt, (left, top))


def _cover(image: Image.Image, damage: Damage, scale: Scale) -> None:
    draw, box, block = ImageDraw.Draw(image), damage.box, scale.box(damage.box)
    draw.rectangle(block, fill=BLACKOUT_RGB)
    if damage.kind == "black":
        return
    stream = Stream("static", damage.seed)
    for top in range(box.top, box.bottom + 1, _GRAIN):
        for left in range(box.left, box.right + 1, _GRAIN):
            # Each to the end of the block: those that are drawn next lie over it.
            start = (min(scale.at(left), block.right), min(scale.at(top), block.bottom))
            draw.rectangle((start, block[2:]), fill=tuple(stream.below(256) for _ in range(3)))


def _blurred(part: Image.Image, damage: Damage, scale: Scale, stream: Stream) -> Image.Image:
    return part.filter(ImageFilter.BoxBlur(scale.length(4 + 3 * damage.dose)))


def _cut(part: Image.Image, damage: Damage, scale: Scale, stream: Stream, ground: int) -> Image.Image:
    """About half, from a side where there is something, is gone, over a soft edge."""
    share, soft = 6 + damage.dose, scale.length(14)
    sides = stream.shuffled(("left", "right", "top", "bottom"))
    side = next((one for one in sides if part.crop(_strip(part, one, share)).getcolors(1) is None), sides[0])
    length = part.width if side in ("left", "right") else part.height
    gone, mask = length * share // 16, Image.new("L", part.size)
    for at in range(length):
        near = at if side in ("left", "top") else length - 1 - at
        strength = 255 if near < gone else max(0, 255 - 255 * (near - gone) // soft)
        line = (at, 0, at, part.height - 1) if side in ("left", "right") else (0, at, part.width - 1, at)
        ImageDraw.Draw(mask).line(line, fill=strength)
    return Image.composite(Image.new("RGB", part.size, (ground,) * 3), part, mask)


def _half_within(size: tuple[int, int], soft: int) -> Image.Image:
    """A mask that is half, and fades to nothing at the edges, that no box is seen around what it lets through."""
    mask = Image.new("L", size)
    ImageDraw.Draw(mask).rectangle((soft, soft, size[0] - 1 - soft, size[1] - 1 - soft), fill=128)
    return mask.filter(ImageFilter.BoxBlur(soft - 1))


def _strip(part: Image.Image, side: str, share: int) -> tuple[int, int, int, int]:
    """So many sixteenths of a picture along a side."""
    width, height = part.width * share // 16, part.height * share // 16
    return {
        "left": (0, 0, width, part.height),
        "right": (part.width - width, 0, part.width, part.height),
        "top": (0, 0, part.width, height),
        "bottom": (0, part.height - height, part.width, part.height),
    }[side]


def _doubled(part: Image.Image, damage: Damage, scale: Scale, stream: Stream) -> Image.Image:
    """Twice, half as strong each, a little apart."""
    by = scale.length(6 + 5 * damage.dose)
    dx, dy = stream.choice(((by, 0), (-by, 0), (by, by // 2), (-by, by // 2)))
    return Image.blend(part, _moved(part, dx, dy), 0.5)


def _melted(part: Image.Image, damage: Damage, scale: Scale, stream: Stream) -> Image.Image:
    """Runs down in drips of different lengths, and blurs."""
    found, width = part.copy(), max(1, scale.length(9))
    for left in range(0, part.width, width):
        drip = scale.length((3 + stream.below(6)) * (1 + damage.dose))
        strip = part.crop((left, 0, min(left + width, part.width), part.height))
        found.paste(strip.resize((strip.width, strip.height + drip), Image.Resampling.BILINEAR), (left, 0))
    return found.filter(ImageFilter.BoxBlur((scale.length(2), scale.length(5))))


def _seamed(part: Image.Image, damage: Damage, scale: Scale, stream: Stream) -> Image.Image:
    """A band across the middle has slipped sideways, and blurs into what is above and below it."""
    found, third = part.copy(), part.height // 3
    by = scale.length(6 + 6 * damage.dose) * stream.choice((-1, 1))
    found.paste(_moved(part, by, 0).crop((0, third, part.width, 2 * third)), (0, third))
    soft = scale.length(6)
    for edge in (third, 2 * third):
        box = (0, max(0, edge - soft), part.width, min(part.height, edge + soft))
        found.paste(found.filter(ImageFilter.BoxBlur((scale.length(5), soft))).crop(box), box[:2])
    return found


def _in_blocks(part: Image.Image, damage: Damage, scale: Scale, stream: Stream) -> Image.Image:
    """In squares of one colour each, the mean of what was there; they do not lie evenly about the middle of a thing."""
    grain = scale.length(6 + 3 * damage.dose)
    left, top = grain // 3, 2 * grain // 3
    wider = part.resize((part.width + left, part.height + top))
    wider.paste(part, (left, top))
    small = (max(1, wider.width // grain), max(1, wider.height // grain))
    blocks = wider.resize(small, Image.Resampling.BOX).resize(wider.size, Image.Resampling.NEAREST)
    return blocks.crop((left, top, *wider.size))


def _moved(part: Image.Image, dx: int, dy: int) -> Image.Image:
    """The part moved, what leaves it on one side coming in on the other."""
    return ImageChops.offset(part, dx, dy)


_SPOILS: dict[str, Spoil] = {
    "blur": _blurred,
    "doubled": _doubled,
    "melted": _melted,
    "seam": _seamed,
    "blocks": _in_blocks,
}
