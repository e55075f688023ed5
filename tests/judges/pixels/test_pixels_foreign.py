"""The pixel reader on pictures that are not ours, or not any more: it may decline, but is never wrong.

Pictures in other styles are drawn in `foreign.py`, what happens to our own in `altered.py`.
"""

from collections.abc import Callable
from functools import cache
from random import Random

import numpy as np
import pytest
from judges.pixels.altered import FOREIGN, KEEPING, Alteration, cropped, sticker, watermark
from judges.pixels.foreign import BENCHMARK, OURS, Style, any_style, draw_foreign, nearly_ours
from PIL import Image, ImageDraw
from sweeping import swept

from counterbench.drawing.render import render
from counterbench.judges.pixels import CannotRead, read_answer
from counterbench.palette import COLOUR_RGB, COLOURS, OUTLINE_RGB
from counterbench.scene.pairs import Pair
from counterbench.scene.programs.facts import Whole
from counterbench.scene.scene import Arrow, Container, Label, Scene, Shape
from counterbench.suites.suite import load_suite

Styles = Callable[[Random], Style]
# Styles, and the shares of questions that may be declined: measured over 600 questions each: 0.92, 0.23, 0, 1.
STYLES: tuple[tuple[str, Styles, float, float], ...] = (
    ("any", any_style, 0.8, 1),
    ("nearly ours", nearly_ours, 0.1, 0.5),
    ("ours by other code", lambda random: OURS, 0, 0),
    ("a released benchmark's", lambda random: BENCHMARK, 1, 1),
)
COUNT = "How many shapes are visible?"


def answer_or_none(image: Image.Image, question: str) -> str | None:
    """The reader's answer, None if it declines."""
    try:
        return read_answer(image, question)
    except CannotRead:
        return None


@cache
def our_pairs(suite: str) -> list[Pair]:
    pairs = load_suite(suite)
    return [pairs[i] for i in range(0, len(pairs), len(pairs) // 40)]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "styles", "least", "most"), STYLES, ids=[name for name, *_ in STYLES])
def test_the_reader_is_never_wrong_about_pictures_in_other_styles(
    name: str, styles: Styles, least: float, most: float
) -> None:
    """The share of questions that are declined is in bounds too."""
    suite, replies = load_suite("counterbench-550"), []
    for index in (*range(32), *range(1000, 1400)):
        random = Random(f"{name}/{index}")
        style, pair = styles(random), suite[random.randrange(len(suite))]
        scene, truth = random.choice(list(zip(pair.scenes, pair.answers, strict=True)))
        reply = answer_or_none(draw_foreign(style, scene), pair.question)
        assert reply in (None, truth), (name, index, pair.question, style)
        replies.append(reply)
    assert least <= replies.count(None) / len(replies) <= most


def ask_altered(suite: str, alter: Alteration, rounds: range) -> tuple[int, int]:
    """Ask about altered pictures of a suite; fails at a wrong answer. How many were declined, and how many asked."""
    declined = total = 0
    for index in rounds:
        random = Random(f"{alter.__name__}/{index}")
        pair = random.choice(our_pairs(suite))
        image = render(pair.scenes[0])
        altered = alter(image, random)
        if altered is image:
            continue
        reply = answer_or_none(altered, pair.question)
        assert reply in (None, pair.answers[0]), (suite, alter.__name__, index)
        declined, total = declined + (reply is None), total + 1
    return declined, total


@pytest.mark.slow
@pytest.mark.parametrize("alter", KEEPING, ids=lambda alter: alter.__name__)
@pytest.mark.parametrize("suite", ["counterbench-550", "laws"])
def test_the_reader_is_never_wrong_about_our_pictures_after_editing(suite: str, alter: Alteration) -> None:
    declined, total = ask_altered(suite, alter, range(4))
    assert alter is not cropped or declined < total  # what is only cut out can still be read


@pytest.mark.parametrize("alter", FOREIGN, ids=lambda alter: alter.__name__)
def test_a_picture_with_something_unknown_is_declined(alter: Alteration) -> None:
    declined, total = ask_altered("counterbench-550", alter, range(8))
    assert 0 < total == declined


@pytest.mark.slow
@pytest.mark.parametrize("alter", [sticker, watermark], ids=lambda alter: alter.__name__)
def test_something_stuck_on_a_picture_of_things_is_noticed(alter: Alteration) -> None:
    replies = []
    for pair in our_pairs("laws")[:20]:
        altered = alter(render(pair.scenes[0]), Random(f"{alter.__name__}/{pair.id}"))
        replies.append(answer_or_none(altered, Whole().phrasings()[0]))
    assert replies.count("yes") <= 0.15 * len(replies)  # black letters may be words of ours


RED = Shape("r", "circle", "red", 120, 100, 40)
BLUE = Shape("b", "square", "blue", 380, 300, 36)


def with_pen(paint: Callable[[ImageDraw.ImageDraw], None]) -> Image.Image:
    image = render(Scene(elements=(RED, BLUE)))
    paint(ImageDraw.Draw(image))
    return image


@swept("letter", "CDEOPQRSVX")
def test_letters_other_than_a_and_b_are_not_read_as_labels(letter: str) -> None:
    image = render(Scene(elements=(RED, BLUE, Label("l", letter, "r", 0, 0, 30))))
    with pytest.raises(CannotRead, match="neither A nor B"):
        read_answer(image, COUNT)


@swept(
    "paint",
    [
        lambda pen: pen.rectangle((300, 60, 420, 180), outline=OUTLINE_RGB, width=3),  # a hollow shape
        lambda pen: pen.rectangle((60, 30, 200, 190), outline=COLOUR_RGB["blue"], width=6),  # a coloured container
        lambda pen: pen.regular_polygon((380, 100, 36), 8, fill=COLOUR_RGB["red"], outline=OUTLINE_RGB),
        lambda pen: pen.regular_polygon((380, 100, 36), 4, 20, COLOUR_RGB["red"], OUTLINE_RGB),
        lambda pen: pen.ellipse((100, 80, 140, 120), outline=OUTLINE_RGB, width=3),  # a ring on a shape
        lambda pen: pen.ellipse((300, 60, 420, 180), outline=(16, 16, 16), width=6),  # a ring in the arrow's ink
        lambda pen: pen.line((200, 300, 300, 400), fill=(16, 16, 16), width=8),  # a line without a head
        lambda pen: pen.rounded_rectangle((60, 240, 180, 420), 20, outline=(92, 72, 52), width=6),
        lambda pen: pen.point((300, 80), (244, 245, 245)),  # one pixel, one step off the background
        lambda pen: pen.point((120, 100), (215, 39, 40)),  # one pixel, one step off the fill
        lambda pen: pen.polygon(((60, 145), (180, 145), (120, 250)), COLOUR_RGB["blue"], OUTLINE_RGB),  # near
        lambda pen: pen.text((300, 60), "THREE", fill=COLOUR_RGB["red"], font_size=40),
    ],
)
def test_unexplained_pixels_make_a_picture_unreadable(paint: Callable[[ImageDraw.ImageDraw], None]) -> None:
    assert read_answer(with_pen(lambda pen: None), COUNT) == "2"
    with pytest.raises(CannotRead):
        read_answer(with_pen(paint), COUNT)


def test_every_part_of_a_picture_is_read_for_any_question() -> None:
    two = (Arrow("a", 250, 250, 176, 151), Arrow("c", 250, 270, 330, 290))
    crossed = (Container("c", 160, 120, 60, 60), Shape("s", "circle", "green", 220, 120, 24))
    for elements in ((RED, BLUE, *two), (BLUE, *crossed)):
        with pytest.raises(CannotRead):
            read_answer(render(Scene(elements=elements)), COUNT)


def test_a_picture_of_countless_specks_is_refused_at_once() -> None:
    pixels = np.full((512, 512, 3), 245, np.uint8)
    pixels[2:-2:2, 2:-2:2] = COLOUR_RGB["red"]
    with pytest.raises(CannotRead, match="too many"):
        read_answer(Image.fromarray(pixels), COUNT)


@swept("colour", COLOURS)
def test_things_in_other_colours_and_foreign_damage_are_refused(colour: str) -> None:
    """A picture without our inks has nothing in any of them: that is no "no"."""
    image = Image.new("RGB", (512, 512), (245, 245, 245))
    ImageDraw.Draw(image).ellipse((200, 200, 300, 300), fill=tuple(255 - v for v in COLOUR_RGB[colour]))
    for question in (
        f"Is the leaf {colour}?",
        "Is the picture free of flaws, such as broken, smeared, doubled or garbled parts?",
    ):
        with pytest.raises(CannotRead, match="no known ink"):
            read_answer(image, question)


def test_shrunk_pictures_of_things_are_declined() -> None:
    """What parts things, and what outlines them, is then thinner than a pixel."""
    suite = load_suite("laws")
    for index in range(0, len(suite), len(suite) // 6):
        pair = suite[index]
        for way in (Image.Resampling.NEAREST, Image.Resampling.BOX):
            for side in (102, 204, 384):
                assert answer_or_none(render(pair.scenes[0]).resize((side, side), way), pair.question) is None
