"""Where a report's pictures come from, and how they get into it: small in a single file, as drawn in a folder."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator

import msgspec
from PIL import Image

from counterbench.certificate.truth import drawn_again
from counterbench.drawing.styles import draw as draw_scene
from counterbench.errors import InputError
from counterbench.runs.folder import RunInfo
from counterbench.runs.queries import Key
from counterbench.scene.pairs import Pair
from counterbench.suites.sources import FolderSource, Source, SuiteSource, open_source
from counterbench.suites.workers import count, in_chunks

# A picture within a single file: at most so many pixels a side, and so many colours.
SIDE, COLOURS = 256, 64
NO_PICTURES = "none"
_CHUNK = 20


class Found(msgspec.Struct, frozen=True):
    """The pairs that a run was asked, with their pictures; without a source, `note` says why."""

    source: Source | None
    note: str = ""


class Shown(msgspec.Struct, frozen=True):
    """A pair and the PNGs of its original and intervened picture; none for an imported pair without pictures."""

    pair: Pair
    pictures: tuple[bytes, ...]


def find_source(info: RunInfo, keys: Iterable[Key], asked: str | None) -> Found:
    """The source of a run with these keys: `asked` (SUITE|DIR), or the shipped suite that the run names.

    "none" asks for no pictures. InputError if `asked` holds other pairs than the run was asked.
    """
    if asked == NO_PICTURES:
        return Found(None, "This report was asked for without pictures, and so without the words of the questions.")
    shipped = drawn_again(info, keys) if asked in (None, info.suite) else None
    if shipped is not None:
        return Found(shipped)
    if asked is not None:
        for source in _selections(asked, info):
            if source.digest == info.suite_digest:
                return Found(source)
        raise InputError(
            f"--pictures {asked}: does not hold the pairs of suite {info.suite!r} with digest {info.suite_digest}; "
            f"give the suite or folder that was probed, or --pictures {NO_PICTURES}"
        )
    return Found(
        None,
        f"Pictures and the words of questions are missing: suite {info.suite} (digest {info.suite_digest}) is not one "
        "that this version ships. Name the suite file or folder that was probed with --pictures.",
    )


def _selections(asked: str, info: RunInfo) -> Iterator[Source]:
    """What SUITE|DIR can mean: all of it, and as many pairs as were asked; a suite as the run says it was drawn."""
    pairs = info.queries // (2 * info.votes)
    whole = open_source(asked)
    yield whole
    if isinstance(whole, FolderSource) and pairs:
        yield FolderSource(whole.folder, pairs)
    elif isinstance(whole, SuiteSource) and info.seed is not None and pairs:
        suite = whole.suite.reseeded(info.seed).sized(info.side).styled(info.style)
        yield SuiteSource(suite)
        yield SuiteSource(suite, pairs)


def small(image: Image.Image) -> bytes:
    """A picture for a single file: reduced by a whole number to `SIDE` or less, `COLOURS` colours, about 1 kB."""
    factor = -(-max(image.size) // SIDE)
    reduced = image.reduce(factor) if factor > 1 else image
    palette = reduced.quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    buffer = io.BytesIO()
    palette.save(buffer, "PNG", compress_level=9)
    return buffer.getvalue()


class _Draw:
    """Draws (or reads) the pictures of pairs; picklable, for other processes."""

    def __init__(self, source: Source, whole: bool) -> None:
        self.source, self.whole = source, whole

    def __call__(self, pairs: list[Pair]) -> list[Shown]:
        return [Shown(pair, self._pictures(pair)) for pair in pairs]

    def _pictures(self, pair: Pair) -> tuple[bytes, ...]:
        if not self.whole and isinstance(self.source, SuiteSource):
            scenes = pair.scenes  # not encoded in between: half the time
            return tuple(small(draw_scene(scene, style=self.source.style, first=scenes[0])) for scene in scenes)
        pictures = self.source.pictures(pair)
        return tuple(picture.png if self.whole else small(picture.image()) for picture in pictures)


def draw(source: Source, whole: bool, on_progress: Callable[[int, int], None]) -> Iterator[Shown]:
    """Every pair of a source with its pictures, in order: `whole` as a judge is sent them, else small."""
    total = len(source)
    drawn = in_chunks(_Draw(source, whole), source, workers=count(None), chunk=_CHUNK, total=total)
    for done, shown in enumerate(drawn, 1):
        yield shown
        on_progress(done, total)
