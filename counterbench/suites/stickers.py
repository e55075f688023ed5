"""Pairs of stickers: drawn things on a user's own pictures, to test if a judge sees well on pictures of that kind.

A sticker is a drawn shape, frame or sign with a white edge; the picture below is the ground. Both pictures of a pair
have the same ground and other stickers. The right answers are computed from the stickers alone, as on a plain ground:
nothing is known of the ground. So questions say "sticker" ("red circle sticker"), and mean nothing in the ground.

`sticker_suite` makes a `StickerSuite` of a suite of plain pairs; its `sample` draws a pair until all stickers are
clearly seen on the ground (`seen_on`). `with_room` and `drawn_grounds` choose the grounds.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from PIL import Image

from counterbench.drawing import png, reading
from counterbench.drawing.styles import STICKER
from counterbench.drawing.styles.sticker import edge_of
from counterbench.errors import InputError, NoRoomError, unknown
from counterbench.palette import COLOUR_RGB, CONTAINER_RGB, SHAPES, SIGN_RGB
from counterbench.scene.figures import Sign
from counterbench.scene.pairs import Pair
from counterbench.scene.scene import MAX_SIDE, Container, Scene, Shape
from counterbench.scene.seeds import Stream
from counterbench.suites.families import FAMILIES, Canvas, sample
from counterbench.suites.families.control import BASES, ControlParams
from counterbench.suites.folder import GROUNDS
from counterbench.suites.suite import Part, Suite, hashed_seed

if TYPE_CHECKING:
    import numpy as np

STICKERS = "stickers"
# The cell (group of pairs that is decided by itself) that holds all pairs, unless each family has one of its own.
POOLED = f"{STICKERS}/all"
MIN_SIDE = 256  # pixels: smaller pictures have no room for stickers
# A sticker is clearly seen if the ground around it differs from its edge or its colour by so much (CIEDE2000) in at
# least that share of the pixels.
_MIN_DIFFERENCE, _MIN_SHARE = 20, 0.9
_REDRAWS = 100  # the number of times that a pair is drawn until its stickers are clearly seen
_NO_STICKERS = ("arrow", "occlusion")  # families of shapes that need more than stickers apart
CONTROLS = 6  # one pair in so many is a control, whose right answer stays the same
_NAMES = re.compile(rf"\b({'|'.join(SHAPES)}|shape)(s?)\b")


@dataclass(frozen=True, eq=False, repr=False)
class StickerSuite(Suite):
    """A suite whose pairs are stickers. Pair i is on the i-th of `grounds`, files of pictures that take turns.

    `by_family`: True if each family is a cell of its own. InputError for a ground that cannot be read.
    """

    grounds: tuple[Path, ...] = ()
    by_family: bool = False

    def sample(self, part: Part, index: int) -> Pair:
        """Item `index` of a family, drawn anew until each sticker is clearly seen; its seed depends on the ground."""
        path = self._path(part.family, index)
        ground = read_ground(path)
        digest = png.pixel_digest(ground)
        canvas = Canvas(*ground.size)
        for redraw in range(_REDRAWS):
            seed = hashed_seed(f"sticker {digest} {part.family} {index} {redraw}")
            try:
                pair = sample(FAMILIES[part.family], part.params, part.forms, canvas, seed, index, planned=self.seed)
            except NoRoomError as error:
                raise InputError(f"{path}: has no room for stickers: {error}") from None
            if all(seen_on(ground, scene) for scene in pair.scenes):
                cell = f"{STICKERS}/{part.family}" if self.by_family else POOLED
                return msgspec.structs.replace(pair, question=of_stickers(pair.question), ground=digest, cell=cell)
        raise InputError(f"{path}: stickers are not clearly seen on this picture; leave it out")

    def ground(self, pair: Pair) -> Image.Image:
        """The picture below a pair of stickers."""
        return read_ground(self._path(pair.family, pair.index))

    @property
    def definition(self) -> dict[str, Any]:
        """See `Suite`; with the digests of the grounds."""
        return super().definition | {GROUNDS: self._digests, "by_family": self.by_family}

    def keep_ground(self, pair: Pair, folder: Path) -> None:
        """See `Suite`: the user's own file, or what was made of it."""
        path, ground = self._path(pair.family, pair.index), self.ground(pair)
        head = reading.head(path)
        if head is not None and (head.width, head.height) == ground.size:
            shutil.copyfile(path, folder / f"{pair.ground}{path.suffix.lower()}")
        else:
            (folder / f"{pair.ground}.png").write_bytes(reading.encoded(ground))

    def _path(self, family: str, index: int) -> Path:
        """The file of the ground of item `index` of a family."""
        before = takewhile(lambda part: part.family != family, self.parts)
        return self.grounds[(sum(part.count for part in before) + index) % len(self.grounds)]

    @cached_property
    def _digests(self) -> list[str]:
        return [digest_of(path) for path in self.grounds]


def sticker_suite(
    suite: Suite, families: Sequence[str] = (), count: int | None = None, by_family: bool = False
) -> StickerSuite:
    """The suite of stickers of these families (default: all), still without grounds; one pair in six is a control.

    `count`: of all pairs or, with `by_family`, of each family; by default those of `suite`, or 60 of each family.
    InputError for families that stickers cannot show.
    """
    for part in suite.parts:
        bases = part.params.bases if isinstance(part.params, ControlParams) else (part.family,)
        if undrawn := [base for base in bases if base not in BASES or base in _NO_STICKERS]:
            raise InputError(
                f"stickers cannot show the family {undrawn[0]!r}, which the suite {suite.name!r} has; use the suite "
                f"{STICKERS!r}, or a suite of other families of shapes"
            )
    parts_by_name = {part.family: part for part in suite.parts}
    for name in families:
        if name not in parts_by_name:
            raise unknown("family", name, parts_by_name, f"suite {suite.name!r}")
    # Controls get their share of the total; the other families share the rest evenly, the first ones one pair more.
    chosen = [part for part in suite.parts if not families or part.family in families or part.family == "control"]
    total = count or len(suite)
    others = sum(part.family != "control" for part in chosen)
    controls = 0 if others == len(chosen) else max(1, total // CONTROLS) if others else total
    share, rest = divmod(total - controls, max(1, others))
    positions = iter(range(others))
    counts = [
        total if by_family else controls if part.family == "control" else share + (next(positions) < rest)
        for part in chosen
    ]
    parts = []
    for part, number in zip(chosen, counts, strict=True):
        if not number:  # fewer pairs than families
            continue
        params = part.params
        if isinstance(params, ControlParams) and families:
            params = msgspec.structs.replace(params, bases=tuple(b for b in params.bases if b in families))
        parts.append(msgspec.structs.replace(part, count=number, params=params))
    fields = {name: getattr(suite, name) for name in ("name", "seed", "canvas", "description")}
    return StickerSuite(**fields, parts=tuple(parts), style=STICKER, by_family=by_family)


def drawn_grounds(files: Sequence[Path], count: int, seed: int) -> list[Path]:
    """`count` of the files, drawn uniformly with replacement, so that a mean over them is one over all files."""
    stream = Stream("grounds", seed, len(files))
    return [files[stream.below(len(files))] for _ in range(count)]


def with_room(files: Iterable[Path], where: Path) -> tuple[list[Path], int]:
    """The files that are pictures (PNG, JPEG, WebP) with room for stickers, and the number of those without.

    InputError, at `where`, if none has room.
    """
    heads = {path: head for path in files if (head := reading.head(path)) is not None}
    large = [path for path, head in heads.items() if _shorter_side(head) >= MIN_SIDE]
    if not large:
        raise InputError(f"{where}: has no picture (PNG, JPEG, WebP) of {MIN_SIDE} pixels or more a side")
    return large, len(heads) - len(large)


def _shorter_side(head: reading.Head) -> int:
    """The shorter side of a picture as a ground, for which a picture with a very long side is made smaller."""
    shorter, longer = sorted((head.width, head.height))
    return shorter * MAX_SIDE // max(longer, MAX_SIDE)


@lru_cache(maxsize=8)
def read_ground(path: Path) -> Image.Image:
    """The picture in a file as a ground: RGB, made smaller if a side is longer than a scene can be."""
    try:
        image = reading.read(path)
    except InputError as error:
        raise InputError(f"{error}; leave it out") from None
    if max(image.size) > MAX_SIDE:
        image.thumbnail((MAX_SIDE, MAX_SIDE), Image.Resampling.LANCZOS)
    if min(image.size) < MIN_SIDE:
        raise InputError(f"{path}: {image.width}×{image.height} pixels, too small for stickers ({MIN_SIDE} are needed)")
    return image


@lru_cache(maxsize=4096)
def digest_of(path: Path) -> str:
    """The digest of the pixels of a ground."""
    return png.pixel_digest(read_ground(path))


def of_stickers(question: str) -> str:
    """A question about shapes or a sign as one about stickers."""
    framed = re.sub(r"\bsign\b", "text sticker", question.replace("container", "sticker frame"))
    return _NAMES.sub(lambda m: f"sticker{m[2]}" if m[1] == "shape" else f"{m[1]} sticker{m[2]}", framed)


def seen_on(ground: Image.Image, scene: Scene) -> bool:
    """True if each sticker stands out from the ground around it, by its white edge or by its own colour."""
    import numpy as np

    edge = edge_of(ground.size)
    return all(
        _stands_out(np.concatenate(list(_around(ground, element, edge))), element)
        for element in scene.elements
        if isinstance(element, Shape | Container | Sign)
    )


def _around(ground: Image.Image, element: Shape | Container | Sign, edge: int) -> Iterator[np.ndarray[Any, Any]]:
    """The pixels of the ground just outside a sticker's edge: an array for each side of the box around it.

    Each is (K, 3) with values 0 … 255: some pixels along the side, evenly spaced, fewer than 48.
    """
    import numpy as np

    box = element.box.grown(edge + 2)
    left, top = max(0, box.left), max(0, box.top)
    right, bottom = min(ground.width - 1, box.right), min(ground.height - 1, box.bottom)
    part = np.asarray(ground)[top : bottom + 1, left : right + 1]
    for side in (part[0], part[-1], part[:, 0], part[:, -1]):
        yield side[:: max(1, len(side) // 24)]


def _stands_out(around: np.ndarray[Any, Any], element: Shape | Container | Sign) -> bool:
    """True if a sticker's white edge or its own colour differs clearly from most pixels around it.

    `around` (N, 3): these pixels, 0 … 255. The difference is CIEDE2000, by which people see colours differ.
    """
    import numpy as np
    from skimage.color import deltaE_ciede2000, rgb2lab

    own = (
        SIGN_RGB[element.colour]
        if isinstance(element, Sign)
        else COLOUR_RGB[element.colour]
        if isinstance(element, Shape)
        else CONTAINER_RGB
    )
    below, edge, ink = (rgb2lab(np.asarray(rgb, float).reshape(-1, 3) / 255) for rgb in (around, (255, 255, 255), own))
    differences = np.maximum(deltaE_ciede2000(below, edge), deltaE_ciede2000(below, ink))
    return bool((differences >= _MIN_DIFFERENCE).mean() >= _MIN_SHARE)
