"""Textured: as if printed on paper or cloth, whose grain lies over the ground and the things alike."""

from __future__ import annotations

from PIL import Image, ImageChops, ImageFilter

from counterbench.drawing.styles.sheet import Sheet, lay_over, noise
from counterbench.scene.seeds import Stream

# By how many levels of 255 the grain makes a pixel lighter or darker at the most.
_MOST = 26
# A fleck of paper and a thread of cloth, as shares of the picture's shorter side, in thousandths.
_FLECK, _THREAD = 4, 9


def textured(sheet: Sheet, stream: Stream) -> Image.Image:
    """The flat picture under the grain of paper, or of cloth."""
    return under_grain(sheet.flat, stream)


def under_grain(image: Image.Image, stream: Stream) -> Image.Image:
    """Any picture under such a grain."""
    return lay_over(image, stream.choice((_paper, _cloth))(stream, image.size), _MOST)


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
    own = stream.noise(length // thread + 1)
    edges = (min(at % thread, thread - 1 - at % thread) for at in range(length))
    return bytes(min(255, 40 + own[at // thread] * 90 // 255 + edge * 250 // thread) for at, edge in enumerate(edges))
