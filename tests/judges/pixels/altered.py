"""What happens to pictures: recompressed, blurred, resized, recoloured, cropped, painted over; each by chance."""

import io
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from counterbench.palette import COLOUR_RGB, OUTLINE_RGB

Alteration = Callable[[Image.Image, Random], Image.Image]


def jpeg(image: Image.Image, random: Random) -> Image.Image:
    data = io.BytesIO()
    image.save(data, "JPEG", quality=random.randint(30, 100), subsampling=random.choice((0, 2)))
    return Image.open(data).convert("RGB")


def blur(image: Image.Image, random: Random) -> Image.Image:
    return image.filter(ImageFilter.GaussianBlur(random.uniform(0.3, 4)))


def sharpen(image: Image.Image, random: Random) -> Image.Image:
    return image.filter(ImageFilter.UnsharpMask(random.uniform(0.5, 3), random.randint(40, 200), 0))


def resized(image: Image.Image, random: Random) -> Image.Image:
    scale = random.choice((0.3, 0.5, 0.75, 0.9, 1.1, 1.5, 2.0, 3.0))
    how = random.choice(list(Image.Resampling))
    return image.resize((round(image.width * scale), round(image.height * scale)), how)


def and_back(image: Image.Image, random: Random) -> Image.Image:
    return resized(image, random).resize(image.size, random.choice(list(Image.Resampling)))


def turned(image: Image.Image, random: Random) -> Image.Image:
    how = random.choice((Image.Resampling.NEAREST, Image.Resampling.BICUBIC))
    return image.rotate(random.uniform(0.2, 3), how, fillcolor=image.getpixel((0, 0)))


def shifted(image: Image.Image, random: Random) -> Image.Image:
    by = [random.randint(-6, 6) for _ in range(3)]
    return Image.fromarray(np.clip(np.asarray(image, np.int16) + by, 0, 255).astype(np.uint8))


def fewer_colours(image: Image.Image, random: Random) -> Image.Image:
    return image.quantize(random.choice((4, 8, 16, 64)), dither=random.choice(list(Image.Dither))).convert("RGB")


def noise(image: Image.Image, random: Random) -> Image.Image:
    drawn = np.random.default_rng(random.getrandbits(32)).normal(
        0, random.choice((0.4, 1, 5, 20)), (*image.size[::-1], 3)
    )
    return Image.fromarray(np.clip(np.asarray(image) + drawn.round(), 0, 255).astype(np.uint8))


def specks(image: Image.Image, random: Random) -> Image.Image:
    image = image.copy()
    for _ in range(random.choice((1, 5, 200))):
        at = (random.randrange(2, image.width - 2), random.randrange(2, image.height - 2))
        image.putpixel(at, tuple(random.randrange(256) for _ in range(3)))
    return image


def cropped(image: Image.Image, random: Random) -> Image.Image:
    """The picture without a part of the rim around everything that is drawn."""
    drawn = np.asarray(image) != np.asarray(image)[0, 0]
    if not drawn.any():
        return image
    ys, xs, _ = np.nonzero(drawn)
    left, top = random.randint(0, xs.min()), random.randint(0, ys.min())
    right, bottom = random.randint(xs.max(), image.width - 1), random.randint(ys.max(), image.height - 1)
    return image.crop((left, top, right + 1, bottom + 1))


def _beside(image: Image.Image, random: Random, most: int) -> tuple[int, int]:
    return random.randint(3, image.width - most - 3), random.randint(3, image.height - most - 3)


def sticker(image: Image.Image, random: Random) -> Image.Image:
    """A round badge in a colour of its own, anywhere."""
    image, most = image.copy(), image.width // 6
    x, y = _beside(image, random, most)
    fill = tuple(random.randrange(256) for _ in range(3))
    ImageDraw.Draw(image).ellipse((x, y, x + most, y + most), fill=fill, outline=(250, 250, 250), width=3)
    return image


def watermark(image: Image.Image, random: Random) -> Image.Image:
    page = Image.new("RGBA", image.size)
    x, y = _beside(image, random, image.width // 3)
    font = ImageFont.load_default(random.choice((10, 16, 40)))
    shade = random.choice(((128, 128, 128), (0, 0, 0), (255, 0, 0)))
    ImageDraw.Draw(page).text((x, y), "sample.org", fill=(*shade, random.choice((40, 120, 220))), font=font)
    return Image.alpha_composite(image.convert("RGBA"), page).convert("RGB")


def scribble(image: Image.Image, random: Random) -> Image.Image:
    """A line in one of our own inks."""
    image = image.copy()
    ends = [_beside(image, random, 2) for _ in range(3)]
    ink = random.choice((*COLOUR_RGB.values(), OUTLINE_RGB))
    ImageDraw.Draw(image).line(ends, fill=ink, width=random.choice((1, 2, 5)))
    return image


def unknown_shape(image: Image.Image, random: Random) -> Image.Image:
    """A polygon or ring of no kind that the reader knows, in our inks, where there is room; unaltered without."""
    side = image.width // 8
    background = image.getpixel((0, 0))
    for _ in range(40):
        x, y = _beside(image, random, side)
        if image.crop((x - 3, y - 3, x + side + 4, y + side + 4)).getcolors(1) == [((side + 7) ** 2, background)]:
            break
    else:
        return image
    tile = Image.new("RGB", (4 * side, 4 * side), background)
    pen, colour = ImageDraw.Draw(tile), random.choice(list(COLOUR_RGB.values()))
    look = random.choice((5, 6, 8, "ring", "oval", "bar", "upside", "rounded"))
    whole = (0, 0, 4 * side - 1, 4 * side - 1)
    flat = (0, side, 4 * side - 1, 3 * side)
    line: dict[str, Any] = {"fill": colour, "outline": OUTLINE_RGB, "width": 12}
    if look == "ring":
        pen.ellipse(whole, **line)
        pen.ellipse((side, side, 3 * side, 3 * side), fill=background, outline=OUTLINE_RGB, width=12)
    elif look == "oval":
        pen.ellipse(flat, **line)
    elif look == "bar":
        pen.rectangle(flat, **line)
    elif look == "upside":
        pen.polygon(((0, 0), (4 * side - 1, 0), (2 * side, 4 * side - 1)), **line)
    elif look == "rounded":
        pen.rounded_rectangle(whole, side, **line)
    else:
        pen.regular_polygon((2 * side, 2 * side, 2 * side - 1), look, 20, colour, OUTLINE_RGB)
    image = image.copy()
    image.paste(tile.resize((side, side), Image.Resampling.BOX), (x, y))
    return image


# What must leave the truth as it is: a reader that answers must answer as before.
KEEPING: tuple[Alteration, ...] = (
    *(jpeg, blur, sharpen, resized, and_back, turned, shifted, fewer_colours, noise, specks, cropped),
)
# What brings something into the picture that is not accounted for: nothing may be answered.
FOREIGN: tuple[Alteration, ...] = (sticker, watermark, scribble, unknown_shape)
