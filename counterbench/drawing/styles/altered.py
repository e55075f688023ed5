"""Styles that alter the flat picture (grain, blur, low contrast), and treatments that alter a drawn picture so.

textured    as if printed on paper or cloth, whose grain lies over the ground and the things alike
blurred     out of focus, by a radius that depends on the picture's size
degraded    low contrast, noise and the traces of a JPEG of low quality, as of a picture that was sent on often

A treatment is a change that may happen to a picture on its way to a judge, such as JPEG; a scene names it.
"""

import io
from collections.abc import Callable

from PIL import Image, ImageChops, ImageFilter

from counterbench.drawing.styles.sheet import Sheet, lay_over, noise
from counterbench.scene.scene import TreatmentName
from counterbench.scene.seeds import Stream

# By how many levels of 255 the grain makes a pixel lighter or darker at the most.
_MAX_GRAIN = 26
# A fleck of paper and a thread of cloth, as shares of the picture's shorter side, in thousandths.
_FLECK, _THREAD = 4, 9
# Of a blur, the radius (standard deviation) as a share of the picture's shorter side, in ten-thousandths: 2 to 3 pixels
# of 512.
_BLUR = (40, 60)
# Of what is degraded: per cent of the distance of each level to a middle grey that is left, noise in levels of 255, and
# the quality of the JPEG, as Pillow counts; colours keep their resolution.
_FAINT = (55, 70)
_NOISE, _QUALITY = 40, 40
# Of treatments, the same; they are milder than styles, since control pairs change the treatment alone.
_TREATED_CONTRAST, _TREATED_QUALITY = 60, 50


def textured(sheet: Sheet, stream: Stream) -> Image.Image:
    """The flat picture under the grain of paper, or of cloth."""
    return under_grain(sheet.flat, stream)


def under_grain(image: Image.Image, stream: Stream) -> Image.Image:
    """The picture under the grain of paper, or of cloth."""
    return lay_over(image, stream.choice((_paper, _cloth))(stream, image.size), _MAX_GRAIN)


def _paper(stream: Stream, size: tuple[int, int]) -> Image.Image:
    """Flecks of two sizes: noise, and as much coarse noise that is spread over more pixels."""
    fleck = max(2, min(size) * _FLECK // 1000)
    coarse = noise(stream, (-(-size[0] // fleck), -(-size[1] // fleck)))
    spread = coarse.resize((coarse.width * fleck, coarse.height * fleck), Image.Resampling.BILINEAR).crop((0, 0, *size))
    return ImageChops.add(spread, noise(stream, size), 1, -128).filter(ImageFilter.BoxBlur(0.5))


def _cloth(stream: Stream, size: tuple[int, int]) -> Image.Image:
    """Threads that cross, each lighter in its middle, some lighter than others; every other crossing lies in front."""
    thread = max(3, min(size) * _THREAD // 1000)
    down = Image.frombytes("L", (size[0], 1), _threads(stream, size[0], thread)).resize(size)
    across = Image.frombytes("L", (1, size[1]), _threads(stream, size[1], thread)).resize(size)
    columns, rows = (length // thread + 1 for length in size)
    checks = bytes(255 * ((x + y) % 2) for y in range(rows) for x in range(columns))
    crossings = Image.frombytes("L", (columns, rows), checks)
    in_front = crossings.resize((columns * thread, rows * thread), Image.Resampling.NEAREST).crop((0, 0, *size))
    return Image.composite(down, across, in_front)


def _threads(stream: Stream, length: int, thread: int) -> bytes:
    """Levels across parallel threads: each has a level of its own and falls off towards its edges."""
    greys = stream.noise(length // thread + 1)
    edges = (min(at % thread, thread - 1 - at % thread) for at in range(length))
    return bytes(min(255, 40 + greys[at // thread] * 90 // 255 + edge * 250 // thread) for at, edge in enumerate(edges))


def blurred(sheet: Sheet, stream: Stream) -> Image.Image:
    """The flat picture, blurred."""
    flat = sheet.flat
    return flat.filter(ImageFilter.GaussianBlur(min(flat.size) * stream.integer(*_BLUR) / 10_000))


def degraded(sheet: Sheet, stream: Stream) -> Image.Image:
    """The flat picture with less contrast, noise over it, saved as JPEG and read again."""
    faint = contrast(sheet.flat, stream.integer(*_FAINT))
    return jpeg(lay_over(faint, noise(stream, faint.size), _NOISE), _QUALITY)


def contrast(image: Image.Image, percent: int) -> Image.Image:
    """The picture with so many per cent of its contrast, about a middle grey."""
    return image.point([128 + (v - 128) * percent // 100 for v in range(256)] * 3)


def jpeg(image: Image.Image, quality: int) -> Image.Image:
    """The picture as it comes back from a JPEG file."""
    file = io.BytesIO()
    image.save(file, "JPEG", quality=quality, subsampling=0)
    return Image.open(file).convert("RGB")


def _resized(image: Image.Image, stream: Stream) -> Image.Image:
    """The picture made half as large and then as large as before."""
    half = image.resize((image.width // 2, image.height // 2), Image.Resampling.BILINEAR)
    return half.resize(image.size, Image.Resampling.BILINEAR)


# The treatments of a drawn picture.
TREATMENTS: dict[TreatmentName, Callable[[Image.Image, Stream], Image.Image]] = {
    "jpeg": lambda image, stream: jpeg(image, _TREATED_QUALITY),
    "resized": _resized,
    "contrast": lambda image, stream: contrast(image, _TREATED_CONTRAST),
    "texture": under_grain,
}
