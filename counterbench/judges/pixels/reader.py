"""The judge `pixels`: answers a question about a picture by reading the pixels of that picture; it uses no model.

`read_answer` takes an image and a question in English, and gives the answer as a text ("yes", "4", "red circle").
`words` says what the question asks; other modules of this package find the shapes, letters, signs and things. Answers
about shapes are worked out here, in `_ShapePicture`; those about things in `things`.

Nothing is guessed: CannotRead is raised for an unknown word, a close call, and a picture in which any drawn pixel
belongs to nothing that was recognised. So a picture that is not ours is refused: it may use our inks (the exact colours
of our pictures) for other things, such as black outlines that look like letters.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TypeVar, assert_never

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from counterbench.answers.outcomes import Failed
from counterbench.errors import InputError
from counterbench.judges.base import Reply
from counterbench.judges.pixels.familiar import parts_question, read_parts
from counterbench.judges.pixels.ink import CONTAINER, FIRST_COLOUR, LAST_COLOUR, CannotRead, Ink, Rect, read_ink, yes_no
from counterbench.judges.pixels.marks import Letter, Pointer, letter_boxes, read_arrow, read_frame, read_letters
from counterbench.judges.pixels.regions import Region, read_regions
from counterbench.judges.pixels.shades import read_fills
from counterbench.judges.pixels.signs import ReadSign, read_signs
from counterbench.judges.pixels.statements import prompt_in, shows_prompt
from counterbench.judges.pixels.stickers import asks_for_any, asks_of_stickers, lifted, without_stickers
from counterbench.judges.pixels.things.thing_reader import read_things, view_of
from counterbench.judges.pixels.things.view import View
from counterbench.judges.pixels.words import (
    AskAlike,
    AskArrow,
    AskColour,
    AskCount,
    AskFurther,
    AskInside,
    AskPart,
    AskSide,
    AskThere,
    AskWord,
    Direction,
    Extreme,
    Phrase,
    ShapeQuestion,
    read_claim,
    read_words,
)
from counterbench.palette import ARROW_RGB, COLOUR_RGB, OUTLINE_RGB, RGB
from counterbench.runs.queries import Query

T = TypeVar("T")

# The smallest differences that are clear: of centres, as a share of the picture's shorter side; of sizes, as a ratio.
_CLEAR_SHARE, _CLEAR_RATIO = 0.03, 1.12
_MIN_LEAD = 0.75  # pixels between the middles of two shapes of one kind and size; with fewer they are level
# The target of an arrow must be this many times nearer to its tip than any other shape.
_NEARER = 1.5
# A blend of two inks lies on the straight line between them; by rounding, each channel may be so far off it.
_ROUNDING = 2.0
# The beginning of a question that denies another one.
_DENIES = "is the following false: "
# Blends with the ground reach so many pixels beyond an ink.
_BLENDS = 2


class PixelReader:
    """The pixel reader as a judge: needs no model, no network and no key, and says so when it cannot tell."""

    name = "pixels"
    max_batch = 16
    max_in_flight = 1

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        """One reply for each query: the plain answer, or "I cannot tell: …"; a damaged picture is a failure."""
        return [_reply(query) for query in batch]

    async def close(self) -> None:
        """Nothing to release."""


def _reply(query: Query) -> Reply:
    """The reply to a query: its answer, or a text that says that the picture cannot be read and names no answer."""
    try:
        if len(query.pictures) != 1:
            raise CannotRead(f"the question comes with {len(query.pictures)} pictures, not one")
        answer = read_answer(query.pictures[0].image(), query.text)
    except CannotRead as error:
        answer = error.plain
    except InputError as error:
        return Reply(failure=Failed("picture", str(error)), model=PixelReader.name, cost=0.0)
    return Reply(text=query.phrased(answer), model=PixelReader.name, cost=0.0)


def read_answer(image: Image.Image, question: str) -> str:
    """The answer to a question about a picture of things or of shapes, in canonical form ("yes", "4", "red circle").

    `question` may be followed by instructions. Nothing is guessed: unknown words, marks that belong to nothing known
    and close calls are refused by CannotRead. A yes/no question about a thing that is not there has the answer no.
    Questions about stickers are answered from the stickers alone. "Is the following false: …" turns the answer round.
    """
    if asks_of_stickers(question):
        image = lifted(image)
        has_stickers = image.getextrema() != ((255, 255),) * 3
        if asks_for_any(question):
            return yes_no(has_stickers)
        if not has_stickers:
            raise CannotRead("no sticker can be made out")
        question = without_stickers(question)
    return PixelReading(image).answer(question)


class PixelReading:
    """One picture, and what was read in it so far, for several questions about it; none of these is about stickers.

    A picture may be read in three ways, each when a question needs it: as one of things (`_view`), of shapes
    (`_shape_picture`), or of shapes and signs (`_signs`).
    """

    def __init__(self, image: Image.Image) -> None:
        self._image = image

    def answer(self, question: str) -> str:
        """The answer to a question, as `read_answer` gives it. Each kind of question is tried in turn."""
        if question.lower().startswith(_DENIES):
            opposite = {"yes": "no", "no": "yes"}.get(self.answer(question[len(_DENIES) :]))
            if opposite is None:
                raise CannotRead("what is denied is no yes/no question", "words")
            return opposite
        if prompt := prompt_in(question):
            return yes_no(shows_prompt(self, prompt))
        if parts := parts_question(question):
            return read_parts(self._image, parts)
        try:
            claim = read_claim(question)
        except CannotRead:  # the question is not about things
            ask = read_words(question)
            if isinstance(ask, AskAlike):
                return _answer_alike(ask, self._image)
            if isinstance(ask, AskWord):
                signs, shape_picture = self._signs
                return shape_picture.word(ask, signs)
            return self._shape_picture.answer(ask)
        return read_things(self._view, claim)

    @cached_property
    def _view(self) -> View:
        """The picture as one of things."""
        return view_of(self._image)

    @cached_property
    def _shape_picture(self) -> "_ShapePicture":
        """The picture as one of shapes."""
        return _ShapePicture(read_ink(self._image))

    @cached_property
    def _signs(self) -> "tuple[list[ReadSign], _ShapePicture]":
        """The picture's signs, and the picture of shapes without them."""
        signs, rest = read_signs(self._image)
        return signs, _ShapePicture(read_ink(rest))


def _answer_alike(ask: AskAlike, image: Image.Image) -> str:
    """ "yes" or "no" to the question about the colours of two shapes of a kind; CannotRead unless there are two."""
    fills = [rgb for kind, rgb in read_fills(image) if kind == ask.things.kind]
    if len(fills) != 2 or ask.things.colour is not None:
        raise CannotRead(f"{len(fills)} shapes fit {ask.things}, not two", "match")
    return yes_no((fills[0] == fills[1]) != ask.differ)


class _ShapePicture:
    """A picture of shapes after reading: `regions` are its shapes, `letters` those on them (by place in `regions`).

    `frame` is the container, `arrow` the arrow; None if there is none. CannotRead if a pixel belongs to none of these.
    """

    def __init__(self, ink: Ink) -> None:
        self.ink = ink
        boxes = letter_boxes(ink)
        self.regions = read_regions(ink)
        self.letters = read_letters(ink, boxes, self.regions)
        self.frame, self.arrow = read_frame(ink), read_arrow(ink, boxes)
        _refuse_unexplained(ink, self.regions, self.letters.values(), self.arrow)

    def word(self, ask: AskWord, signs: list[ReadSign]) -> str:
        """The word on the sign that is asked about; with `ask.value`, "yes" if it is that word, else "no"."""
        fitting = [sign for sign in signs if ask.colour in (None, sign.colour)]
        if ask.place and len(fitting) > 1:
            place = ask.place
            fitting.sort(key=lambda sign: _distance_key(sign, place))
            if _distance_key(fitting[1], place) - _distance_key(fitting[0], place) >= _CLEAR_SHARE * self.ink.side:
                fitting = fitting[:1]
        if len(fitting) != 1:
            raise CannotRead(f"{len(fitting)} signs may be the one that is asked about", "match")
        return fitting[0].word if ask.value is None else yes_no(fitting[0].word == ask.value)

    def answer(self, ask: ShapeQuestion) -> str:
        """The answer to a question; "no" to a yes/no question about a shape that is not there."""
        match ask:
            case AskThere(thing, none):
                return yes_no(self.lacks(thing) == none)
            case AskPart(thing):
                return yes_no(any(r.colour == thing.colour for r in self.regions))
            case AskSide(noun, _, peer) | AskFurther(noun, _, peer, Phrase()) if self.lacks(noun) or self.lacks(peer):
                return "no"
            case AskInside(target) | AskColour(target, str()) if self.lacks(target):
                return "no"
            case AskColour(target, value):
                colour = self.find(target).colour
                return colour if value is None else yes_no(colour == value)
            case AskSide(first, side, second):
                return yes_no(self.beyond(self.find(first), side, self.find(second)))
            case AskFurther(first, side, second, value):
                a, b = self.find(first), self.find(second)
                return self.named(a if self.beyond(a, side, b) else b, value)
            case AskCount(things, inside, number):
                count = sum(not inside or self.inside(region) for region in self.matching(things))
                return str(count) if number is None else yes_no(count == number)
            case AskInside(target):
                return yes_no(self.inside(self.find(target)))
            case AskArrow(value):
                return self.named(self.pointed_at(), value)
        assert_never(ask)

    def matching(self, noun: Phrase) -> list[Region]:
        """The shapes with a noun's colour, kind and letter; CannotRead if too little of one shows to tell."""
        if noun.place is not None:
            raise CannotRead(f"{noun}: one shape cannot be counted", "words")
        fitting = []
        for i, region in enumerate(self.regions):
            letter = self.letters.get(i)
            if noun.colour in (None, region.colour) and noun.letter in (None, letter and letter.text):
                if noun.kind is not None and region.kind is None:
                    raise CannotRead(f"the kind of a {region.colour} shape does not show")
                if noun.kind in (None, region.kind):
                    fitting.append(region)
        return fitting

    def lacks(self, noun: Phrase) -> bool:
        """True if no visible shape has a noun's colour, kind and letter; its place ("leftmost") does not count."""
        return not self.matching(_without_place(noun))

    def find(self, noun: Phrase) -> Region:
        """The one shape that a noun means."""
        fitting = self.matching(_without_place(noun))
        if noun.place is not None and len(fitting) > 1:
            return self.extreme(fitting, noun.place)
        if len(fitting) != 1:
            raise CannotRead(f"{len(fitting)} shapes fit {str(noun)!r}, not one", "match")
        return fitting[0]

    def extreme(self, regions: list[Region], place: Extreme) -> Region:
        """The outermost, largest or smallest of several shapes; CannotRead unless one is so by a clear margin."""
        sort_key: Callable[[Region], float]
        if place in ("large", "small"):
            sort_key = lambda r: math.log(r.size) * (-1 if place == "large" else 1)  # noqa: E731
            margin = math.log(_CLEAR_RATIO)
        else:
            sort_key = lambda r: _distance_key(r, place)  # noqa: E731
            margin = _CLEAR_SHARE * self.ink.side
        first, second = sorted(regions, key=sort_key)[:2]
        if sort_key(second) - sort_key(first) < margin:
            raise CannotRead(f"two shapes are nearly equal: none is clearly the one meant by {place!r}", "match")
        return first

    def beyond(self, a: Region, side: Direction, b: Region) -> bool:
        """True if `a` lies further to that side than `b`, by their middles."""
        lead = _distance_key(b, side) - _distance_key(a, side)
        alike = a.kind == b.kind and a.exact and b.exact and abs(a.size - b.size) <= 1
        if a is b or abs(lead) < (_MIN_LEAD if alike else _CLEAR_SHARE * self.ink.side):
            raise CannotRead("the two shapes are level", "match")
        return lead > 0

    def inside(self, region: Region) -> bool:
        """True if a shape is within the container's walls; CannotRead if it is on a wall."""
        frame = _require(self.frame, "container")
        if frame.inner.holds(region.box):
            return True
        if frame.outer.gap(region.box) < 1:
            raise CannotRead(f"a {region.colour} shape is neither inside the container nor outside", "match")
        return False

    def pointed_at(self) -> Region:
        """The shape that the arrow would hit if it were longer; it must also be by far the nearest to the tip."""
        arrow = _require(self.arrow, "arrow")
        (x, y), (dx, dy) = arrow.tip, arrow.direction
        distances = np.arange(0.0, sum(self.ink.size))  # from the tip, in pixels
        xs, ys = (x + dx * distances).round().astype(int), (y + dy * distances).round().astype(int)
        width, height = self.ink.size
        in_picture = (xs >= 0) & (xs < width) & (ys >= 0) & (ys < height)
        kinds = self.ink.kinds[ys[in_picture], xs[in_picture]]
        hits = np.flatnonzero((kinds >= FIRST_COLOUR) & (kinds <= LAST_COLOUR))
        if not len(hits):
            raise CannotRead("the arrow points past every shape", "match")
        hx, hy = int(xs[in_picture][hits[0]]), int(ys[in_picture][hits[0]])
        aimed = [r for r in self.regions if r.fill.holds(Rect(hx, hy, hx, hy))]
        gaps = [(r.distance(x, y, x, y), i) for i, r in enumerate(self.regions)]
        nearest = sorted(gaps)[:2]
        if aimed != [self.regions[nearest[0][1]]] or (len(nearest) > 1 and nearest[1][0] < _NEARER * nearest[0][0]):
            raise CannotRead("the arrow's tip is about as near to another shape as to the one ahead", "match")
        return aimed[0]

    def named(self, region: Region, value: Phrase | None) -> str:
        """A shape's colour and kind as an answer; with `value`, "yes" if `value` describes the shape, else "no"."""
        if region.kind is None:
            raise CannotRead(f"the kind of the {region.colour} shape does not show")
        if sum((r.colour, r.kind) == (region.colour, region.kind) for r in self.regions) > 1:
            raise CannotRead(f"more than one shape is a {region.colour} {region.kind}", "match")
        if value is None:
            return f"{region.colour} {region.kind}"
        if value.place is not None or value.letter is not None:
            return yes_no(self.find(value) is region)
        return yes_no(value.colour in (None, region.colour) and value.kind in (None, region.kind))


def _require(part: T | None, name: str) -> T:
    """The part that was read; CannotRead if it is None, so that the picture has no such part."""
    if part is None:
        raise CannotRead(f"the picture shows no {name}", "match")
    return part


def _distance_key(region: Region | ReadSign, side: Direction | Extreme) -> float:
    """A sort key: lower, the further a shape's or a sign's middle lies to that side."""
    x, y = region.box.middle
    return {"left": x, "right": -x, "up": y, "down": -y}[side]


def _without_place(noun: Phrase) -> Phrase:
    """The same noun phrase without its place ("leftmost")."""
    return Phrase(None, noun.colour, noun.kind, noun.letter)


def _refuse_unexplained(ink: Ink, regions: list[Region], letters: Iterable[Letter], arrow: Pointer | None) -> None:
    """CannotRead if a drawn pixel belongs to none of these.

    Fills belong to regions, and the container's ink to its frame: else reading these would have failed. The other
    pixels must be outlines, letters, the arrow, or blends of one of these with the ground under it.
    """
    drawn = _Unexplained(ink)
    background = (ink.background,) * 3
    for region in regions:
        neighbours = [other for other in regions if other is not region and region.meets(other, ink.drawn)]
        if not region.exact and not neighbours:
            raise CannotRead(f"the {region.colour} patch is of no known kind, and nothing covers it")
        # If one shape covers another, an outline lies on a fill, or is visible although its own fill is covered.
        around = drawn.around(region, region.outline + max((other.outline for other in neighbours), default=0))
        drawn.explain(around, OUTLINE_RGB, background, *{COLOUR_RGB[r.colour] for r in (region, *neighbours)})
    for letter in letters:
        drawn.explain(drawn.within(letter.box.spread(_BLENDS)), letter.ink, letter.ground)
    if arrow is not None:
        near = drawn.within(arrow.box)
        drawn.explain(
            near[arrow.mask[drawn.ys[near] - arrow.box.top, drawn.xs[near] - arrow.box.left]], ARROW_RGB, background
        )
    if count := int(drawn.open.sum()):
        raise CannotRead(f"{count} pixels belong to no shape, letter, container or arrow")


class _Unexplained:
    """The drawn pixels of a picture, but for fills and the container; `explain` marks those that are accounted for.

    `ys`, `xs` (N,): the rows and columns of these pixels, row by row. `open` (N,): True if one is not explained yet.
    """

    def __init__(self, ink: Ink) -> None:
        places = np.flatnonzero(ink.drawn & ~ink.fills & (ink.kinds != CONTAINER))
        self.ys, self.xs = np.divmod(places, ink.size[0])
        self._rgb = ink.rgb[self.ys, self.xs].astype(np.float32)
        self.open = np.ones(len(self.ys), np.bool_)

    def within(self, box: Rect) -> NDArray[np.intp]:
        """The indices (K,) into `ys` and `xs` of the unexplained pixels in a box."""
        start, stop = np.searchsorted(self.ys, (box.top, box.bottom + 1))
        xs = self.xs[start:stop]
        places: NDArray[np.intp] = np.flatnonzero(self.open[start:stop] & (xs >= box.left) & (xs <= box.right)) + start
        return places

    def around(self, region: Region, reach: int) -> NDArray[np.intp]:
        """The indices (K,) of the unexplained pixels beside a region's fill, no further away than `reach`."""
        near = self.within(region.fill.spread(reach))
        return near[region.surrounds(self.xs[near], self.ys[near], reach)]

    def explain(self, indices: NDArray[np.intp], ink: RGB, *grounds: RGB) -> None:
        """Mark the pixels at `indices` (K,) as explained that are the ink, or a blend of it with one of the grounds."""
        difference = self._rgb[indices] - np.array(ink, np.float32)
        for ground in grounds:
            step = np.array(ground, np.float32) - np.array(ink, np.float32)
            share = np.minimum(np.maximum(difference @ step / (step @ step), 0), 1)
            red, green, blue = (np.abs(difference - share[:, None] * step) <= _ROUNDING).T
            self.open[indices[red & green & blue]] = False
