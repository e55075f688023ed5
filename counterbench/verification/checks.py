"""Checks of one pair: finds what is wrong with its answers, its scenes, its words and its pictures.

A pair is two pictures, an original and an intervened (edited) one, and a question with the right answer about each.
`check_pair` gets a pair and its pictures, and yields a `Problem` for each fault; `counterbench verify` prints them. The
checks are: answers are what the program computes (truth), the edit is as recorded (change), shapes keep apart (layout),
pictures show their scenes (picture) and differ only where they should (mask), and a reader of pixels, which sees only
picture and words, gives the recorded answers (reader). Helpers yield (check, message); they stand in this order.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec
from PIL import Image, ImageChops, ImageDraw

from counterbench.answers import canonical
from counterbench.drawing import png
from counterbench.drawing.picture import Picture
from counterbench.drawing.render import render, scale_to
from counterbench.drawing.styles import FLAT, draw
from counterbench.drawing.styles.sticker import edge_of
from counterbench.errors import CounterbenchError, InputError
from counterbench.judges.pixels import CannotRead, PixelReading, read_statement
from counterbench.judges.pixels.stickers import lifted, without_stickers
from counterbench.laws.base import overlaps
from counterbench.scene.figures import Damage, Writing
from counterbench.scene.interventions import changed_ids, diff, kind_of
from counterbench.scene.pairs import ROLES, Pair
from counterbench.scene.scene import Label, Scene
from counterbench.suites.comparisons import compared, is_comparison, pair_of_comparison, style_of
from counterbench.suites.stickers import of_stickers

# The names of all checks, in the order of the table that `verify` prints; the last four are made in `verify`.
CHECKS = ("truth", "change", "layout", "picture", "mask", "reader", "record", "unique", "balance", "law")
# The least gap between two shapes in pixels; other gaps by skill, for questions about overlap (None: any) and touch.
_GAP = 1
_GAP_BY_SKILL = {"visible-count": None, "visible-part": None, "touching-count": 0}
# The least distance in pixels of a letter from every shape but its own.
_LETTER_ROOM = 4


class Problem(msgspec.Struct, frozen=True):
    """A problem of one pair: the check, and its finding."""

    pair: str
    family: str
    check: str
    message: str


class Redrawing(NamedTuple):
    """The way in which a pair's pictures are drawn."""

    side: int | None = None  # pixels of the shorter side; None: as many as the scene's
    style: str = FLAT
    ground: Image.Image | None = None  # the picture below stickers (drawn things on somebody's picture); None without

    def picture_of(self, scene: Scene, pair: Pair) -> Image.Image:
        """The picture of one scene of a pair."""
        return draw(scene, self.side, self.style, pair.scenes[0], self.ground)


FLATLY = Redrawing()  # the flat style, in the scene's own size


def check_pair(
    pair: Pair, pictures: Sequence[Picture], same_renderer: bool, drawing: Redrawing = FLATLY
) -> Iterator[Problem]:
    """Every problem of one pair.

    `same_renderer`: True if its pictures must equal those that this version draws. A comparison ("which picture has
    more …?") is made of an ordinary pair, and is checked as that pair.

    The checks mask and reader need flat pictures. If the style is another, if a picture was treated (saved as JPEG, …),
    or if words were painted among shapes, they check pictures drawn anew; of stickers, they check the stickers alone.
    """
    drawings = [drawing._replace(style=style_of(pair, role, drawing.style)) for role in ROLES]
    checked = pair
    if is_comparison(pair.answer_type):
        try:
            checked = pair_of_comparison(pair)
            wrong = "" if compared(checked) == pair else "it is not the comparison that its pair's answers make"
        except CounterbenchError as error:
            wrong = str(error)
        if wrong:
            yield Problem(pair.id, pair.family, "truth", wrong)
            return
    for check, message in _problems(checked, pictures, same_renderer, drawings):
        yield Problem(pair.id, pair.family, check, message)


def _problems(
    pair: Pair, pictures: Sequence[Picture], same_renderer: bool, drawings: Sequence[Redrawing]
) -> Iterator[tuple[str, str]]:
    """The problems of a pair, each as the name of the check and a message."""
    for answer in pair.answers:
        try:
            canonical(answer, pair.answer_type)
        except CounterbenchError as error:
            yield "truth", str(error)
    if pair.relevant != (pair.original_answer != pair.intervened_answer):
        yield "truth", f"relevant is {pair.relevant}, but the answers are {' and '.join(pair.answers)}"
    if pair.truth == "computed" and (pair.original is None or pair.intervened is None):
        yield "truth", "it has no scenes"
        return
    if pair.truth == "computed":
        yield from (*_truth_problems(pair), *_change_problems(pair), *_layout_problems(pair))
    images: list[Image.Image] = []
    digests = pair.digests
    recorded = ("", "") if digests is None else (digests.original_pixels, digests.intervened_pixels)
    for role, picture, digest in zip(ROLES, pictures, recorded, strict=False):
        try:
            images.append(picture.image())
        except InputError as error:
            yield "picture", str(error)
            continue
        if digest and png.pixel_digest(images[-1]) != digest:
            yield "picture", f"the {role} picture's pixels are not the recorded ones"
    if len(images) == 2 and pair.truth == "computed":
        side, ground = drawings[0].side, drawings[0].ground
        yield from _picture_problems(pair, images, same_renderer, drawings)
        flat = [_without_style(pair, *parts) for parts in zip(pair.scenes, images, drawings, strict=True)]
        readable = [
            image if readable_scene == scene else render(readable_scene, side)
            for scene, readable_scene, image in zip(pair.scenes, map(_readable, pair.scenes), flat, strict=True)
        ]
        yield from (*_mask_problems(pair, images, flat, side), *_reader_problems(pair, readable))
        if ground is not None:
            yield from _ground_problems(pair, images, ground)


def _without_style(pair: Pair, scene: Scene, image: Image.Image, drawing: Redrawing) -> Image.Image:
    """The picture without its style: itself if it is flat, else drawn anew; of stickers, the stickers alone."""
    if drawing.ground is None:
        return image if drawing.style == FLAT else render(scene, drawing.side)
    untreated = msgspec.structs.replace(scene, treatment=msgspec.UNSET)
    return lifted(image if untreated == scene else drawing.picture_of(untreated, pair))


def _truth_problems(pair: Pair) -> Iterator[tuple[str, str]]:
    """Problems if the program does not give the recorded answers, or does not have the pair's words."""
    if pair.program is None:
        yield "truth", "it has no program"
        return
    phrasings = pair.program.phrasings()
    if pair.question not in (map(of_stickers, phrasings) if pair.ground else phrasings):
        yield "truth", f"the words {pair.question!r} are not a phrasing of its program"
    if pair.answer_type != pair.program.answer_type:
        yield "truth", f"answer type {pair.answer_type!r} is not the program's, {pair.program.answer_type!r}"
    for role, scene, recorded in zip(ROLES, pair.scenes, pair.answers, strict=True):
        try:
            computed = pair.program.answer(scene)
        except CounterbenchError as error:
            yield "truth", f"the {role} picture is ambiguous: {error}"
            continue
        if computed != recorded:
            yield "truth", f"the {role} answer is recorded as {recorded!r}, the program says {computed!r}"


def _change_problems(pair: Pair) -> Iterator[tuple[str, str]]:
    """Problems unless the scenes' difference, the declared and the recorded change are the same."""
    original, intervened = pair.scenes
    change = diff(original, intervened)
    if change != pair.change:
        yield "change", "the difference of the scenes is not the recorded change"
    if pair.edit is None:
        yield "change", "it has no intervention"
        return
    try:
        if pair.edit.declare(original) != change:
            yield "change", f"the difference of the scenes is not what {kind_of(pair.edit)!r} declares"
        if pair.edit.apply(original) != intervened:
            yield "change", f"{kind_of(pair.edit)!r} does not give the intervened scene"
    except CounterbenchError as error:
        yield "change", str(error)
    if kind_of(pair.edit) != pair.intervention:
        yield "change", f"recorded as {pair.intervention!r}, the intervention is {kind_of(pair.edit)!r}"


def _layout_problems(pair: Pair) -> Iterator[tuple[str, str]]:
    """Problems of shapes that touch (allowed if the question is about that) and of letters over other shapes."""
    for role, scene in zip(ROLES, pair.scenes, strict=True):
        for message in (*_crowding_problems(scene, _GAP_BY_SKILL.get(pair.skill, _GAP)), *overlaps(scene)):
            yield "layout", f"{role}: {message}"


def _crowding_problems(scene: Scene, gap: int | None) -> Iterator[str]:
    """Problems of shapes nearer than `gap` pixels (None: not checked), and of letters over other shapes."""
    shapes = scene.shapes
    for i, shape in enumerate(shapes):
        for other in shapes[i + 1 :]:
            if gap is not None and shape.box.grown(gap).touches(other.box):
                yield f"{shape.id} and {other.id} touch"
    for label in scene.elements:
        if isinstance(label, Label):
            for shape in shapes:
                if shape.id != label.of and scene.label_box(label).grown(_LETTER_ROOM).touches(shape.box):
                    yield f"label {label.id} lies over {shape.id} or close to it"


def _picture_problems(
    pair: Pair, images: Sequence[Image.Image], same_renderer: bool, drawings: Sequence[Redrawing]
) -> Iterator[tuple[str, str]]:
    """Problems if the scenes' digests are not the recorded ones, or the pictures do not show the scenes."""
    digests = pair.digests
    if digests is None:
        yield "picture", "it has no digests"
        return
    recorded = (digests.original_scene, digests.intervened_scene)
    for role, scene, image, digest, drawing in zip(ROLES, pair.scenes, images, recorded, drawings, strict=True):
        if digest != scene.digest:
            yield "picture", f"the {role} scene is not the one its digest names"
        if same_renderer:
            drawn = drawing.picture_of(scene, pair)
            if image.size != drawn.size or ImageChops.difference(image, drawn).getbbox():
                yield "picture", f"the {role} picture does not show its scene"


def _mask_problems(
    pair: Pair, images: Sequence[Image.Image], flat: Sequence[Image.Image], side: int | None
) -> Iterator[tuple[str, str]]:
    """Problems if the two pictures are the same or, after a local edit, differ outside the changed elements.

    A local edit changes some elements only. For it, the pictures are compared without their style (`flat`).
    """
    if pair.edit is None or pair.change is None:
        return
    if images[0].size != images[1].size:
        yield "mask", "the two pictures differ in size"
        return
    difference = ImageChops.difference(*images)
    if difference.getbbox() is None:
        yield "mask", "the two pictures are the same"
    if not pair.edit.is_local:
        return
    if any(drawn is not image for drawn, image in zip(flat, images, strict=True)):
        difference = ImageChops.difference(*flat)
    touched = changed_ids(pair.change)
    canvas = ImageDraw.Draw(difference)
    for scene in pair.scenes:
        for element in scene.elements:
            is_edited = element.id in touched or (isinstance(element, Label) and element.of in touched)
            if is_edited or isinstance(element, Damage):  # a damaged part shows the colours around it
                canvas.rectangle(scale_to(scene, side).box(scene.box_of(element)), fill=(0, 0, 0))
    outside = difference.getbbox()
    if outside is not None:
        yield "mask", f"pixels outside the edit differ, within {outside}"


def _ground_problems(pair: Pair, images: Sequence[Image.Image], ground: Image.Image) -> Iterator[tuple[str, str]]:
    """Problems if a picture with stickers differs from its ground elsewhere than at stickers and their shadows."""
    reach = 4 * edge_of(ground.size)
    for role, scene, image in zip(ROLES, pair.scenes, images, strict=True):
        if scene.treatment or image.size != ground.size:
            continue
        difference = ImageChops.difference(image, ground)
        for element in scene.elements:
            ImageDraw.Draw(difference).rectangle(scene.box_of(element).grown(reach), fill=(0, 0, 0))
        if (outside := difference.getbbox()) is not None:
            yield "mask", f"the {role} picture differs from its ground beside the stickers, within {outside}"


def _readable(scene: Scene) -> Scene:
    """The scene as the pixel reader can read it: without its treatment and, among shapes, without painted words.

    No program uses either of them. Another check draws the whole scene again and compares it with the picture.
    """
    elements = tuple(e for e in scene.elements if not (scene.shapes and isinstance(e, Writing)))
    return Scene(scene.width, scene.height, scene.background, elements)


def _reader_problems(pair: Pair, images: Sequence[Image.Image]) -> Iterator[tuple[str, str]]:
    """Problems if the pixel reader, given picture and words only, contradicts the recorded answers or a statement.

    Of each picture its own statement is true, and that of the other one only if both are the same.
    """
    statements = _statements(pair)
    for i, (role, image, recorded) in enumerate(zip(ROLES, images, pair.answers, strict=True)):
        reading = PixelReading(image)
        try:
            answer = reading.answer(without_stickers(pair.question))
            truths = {statement: read_statement(reading, statement) for statement in statements}
        except CannotRead as error:
            yield "reader", f"the {role} picture cannot be read: {error}"
            continue
        if answer != recorded:
            yield "reader", f"the {role} answer is recorded as {recorded!r}, the pixels say {answer!r}"
        for statement, is_true in truths.items():
            if is_true != (statement == statements[i]):
                yield "reader", f"of the {role} picture, {statement!r} is {str(is_true).lower()} by the pixels"


def _statements(pair: Pair) -> list[str]:
    """The statement that is true of each of the two pictures; empty where the truth itself is in doubt."""
    if pair.program is None:
        return []
    try:
        return [pair.program.true_clause(scene).statement for scene in pair.scenes]
    except CounterbenchError:
        return []
