"""Damage as in bad generated pictures, drawn over a part of a picture.

All kinds but static and black spoil the pixels that are there. None of these is plain ink afterwards, so damage differs
from drawn things.
"""

from collections.abc import Callable

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from counterbench.drawing.scale import Scale
from counterbench.scene.figures import Damage
from counterbench.scene.seeds import Stream

# Pixels of a square of static. The colour of a blackout is one step off black: nothing else is drawn in it.
_GRAIN = 4
BLACKOUT_RGB = (6, 6, 6)
# Half the pixels over which a merged part fades.
_SOFT = 7

Spoil = Callable[[Image.Image, Damage, Scale, Stream], Image.Image]  # from the part, and seeded draws, the spoilt part


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
        spoilt = Image.composite(other, part, _soft_half_mask(part.size, scale.length(_SOFT)))
    elif damage.kind == "cut":
        spoilt = _cut(part, damage, scale, Stream("damage", damage.seed), ground)
    else:
        spoilt = _SPOILS[damage.kind](part, damage, scale, Stream("damage", damage.seed))
    image.paste(spoilt, (left, top))


def _cover(image: Image.Image, damage: Damage, scale: Scale) -> None:
    """Draw a black block, or one of coloured static, over the damage's box, in place."""
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
    """The part after a blur that is wider for a stronger dose."""
    return part.filter(ImageFilter.BoxBlur(scale.length(4 + 3 * damage.dose)))


def _cut(part: Image.Image, damage: Damage, scale: Scale, stream: Stream, ground: int) -> Image.Image:
    """The part without about half of it: cut from a side where something is, with a soft edge."""
    share, soft = 6 + damage.dose, scale.length(14)
    sides = stream.shuffled(("left", "right", "top", "bottom"))
    side = next((edge for edge in sides if part.crop(_strip(part, edge, share)).getcolors(1) is None), sides[0])
    length = part.width if side in ("left", "right") else part.height
    cut, mask = length * share // 16, Image.new("L", part.size)
    for at in range(length):
        near = at if side in ("left", "top") else length - 1 - at
        strength = 255 if near < cut else max(0, 255 - 255 * (near - cut) // soft)
        line = (at, 0, at, part.height - 1) if side in ("left", "right") else (0, at, part.width - 1, at)
        ImageDraw.Draw(mask).line(line, fill=strength)
    return Image.composite(Image.new("RGB", part.size, (ground,) * 3), part, mask)


def _soft_half_mask(size: tuple[int, int], soft: int) -> Image.Image:
    """A mask of half strength that fades at the edges, so that no box shows around the part."""
    mask = Image.new("L", size)
    ImageDraw.Draw(mask).rectangle((soft, soft, size[0] - 1 - soft, size[1] - 1 - soft), fill=128)
    return mask.filter(ImageFilter.BoxBlur(soft - 1))


def _strip(part: Image.Image, side: str, share: int) -> tuple[int, int, int, int]:
    """The box along a side of a picture, so many sixteenths of it wide."""
    width, height = part.width * share // 16, part.height * share // 16
    return {
        "left": (0, 0, width, part.height),
        "right": (part.width - width, 0, part.width, part.height),
        "top": (0, 0, part.width, height),
        "bottom": (0, part.height - height, part.width, part.height),
    }[side]


def _doubled(part: Image.Image, damage: Damage, scale: Scale, stream: Stream) -> Image.Image:
    """The part and a copy of it that is moved by a few pixels, each at half strength."""
    by = scale.length(6 + 5 * damage.dose)
    dx, dy = stream.choice(((by, 0), (-by, 0), (by, by // 2), (-by, by // 2)))
    return Image.blend(part, ImageChops.offset(part, dx, dy), 0.5)


def _melted(part: Image.Image, damage: Damage, scale: Scale, stream: Stream) -> Image.Image:
    """The part run down in drips of different lengths, and blurred."""
    melted, width = part.copy(), max(1, scale.length(9))
    for left in range(0, part.width, width):
        drip = scale.length((3 + stream.below(6)) * (1 + damage.dose))
        strip = part.crop((left, 0, min(left + width, part.width), part.height))
        melted.paste(strip.resize((strip.width, strip.height + drip), Image.Resampling.BILINEAR), (left, 0))
    return melted.filter(ImageFilter.BoxBlur((scale.length(2), scale.length(5))))


def _seamed(part: Image.Image, damage: Damage, scale: Scale, stream: Stream) -> Image.Image:
    """The part with a band across its middle moved sideways, blurred at its edges."""
    seamed, third = part.copy(), part.height // 3
    by = scale.length(6 + 6 * damage.dose) * stream.choice((-1, 1))
    seamed.paste(ImageChops.offset(part, by, 0).crop((0, third, part.width, 2 * third)), (0, third))
    soft = scale.length(6)
    for edge in (third, 2 * third):
        box = (0, max(0, edge - soft), part.width, min(part.height, edge + soft))
        seamed.paste(seamed.filter(ImageFilter.BoxBlur((scale.length(5), soft))).crop(box), box[:2])
    return seamed


def _in_blocks(part: Image.Image, damage: Damage, scale: Scale, stream: Stream) -> Image.Image:
    """The part in squares of its mean colours; the squares do not lie evenly about the middle of a thing."""
    grain = scale.length(6 + 3 * damage.dose)
    left, top = grain // 3, 2 * grain // 3
    wider = part.resize((part.width + left, part.height + top))
    wider.paste(part, (left, top))
    small = (max(1, wider.width // grain), max(1, wider.height // grain))
    blocks = wider.resize(small, Image.Resampling.BOX).resize(wider.size, Image.Resampling.NEAREST)
    return blocks.crop((left, top, *wider.size))


_SPOILS: dict[str, Spoil] = {
    "blur": _blurred,
    "doubled": _doubled,
    "melted": _melted,
    "seam": _seamed,
    "blocks": _in_blocks,
}
