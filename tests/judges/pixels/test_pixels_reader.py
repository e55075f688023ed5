"""The pixel reader on pictures drawn by hand: known answers, lies it must catch, what it must refuse; as a judge.

(That it shares no code with what it checks is a contract of lint-imports.)
"""

import asyncio
import io

import msgspec
import pytest
from PIL import Image, ImageDraw
from sweeping import swept

from counterbench.answers import ANSWER_TYPES, Unparsed, parse
from counterbench.drawing.picture import Picture
from counterbench.drawing.png import encode
from counterbench.drawing.reading import decode
from counterbench.drawing.render import render
from counterbench.judges.base import Judge
from counterbench.judges.pixels import CannotRead, PixelReader, read_answer
from counterbench.judges.pixels.ink import Unreadable
from counterbench.runs.queries import Query
from counterbench.scene.scene import Arrow, Container, Element, Label, Scene, Shape

RED = Shape("r", "circle", "red", 120, 100, 40)
BLUE = Shape("b", "square", "blue", 380, 300, 36)
GREEN = Shape("g", "triangle", "green", 120, 380, 20)
PINK = Shape("p", "diamond", "pink", 400, 115, 50)
LETTERS = (Label("la", "A", "r", 0, 0, 26), Label("lb", "B", "g", 0, -35))
FOUR = (RED, BLUE, GREEN, PINK)
COUNT = "How many shapes are visible?"
POINTED = "Which shape does the arrow point to?"
ARROW, SECOND = Arrow("a", 250, 250, 176, 151), Arrow("c", 250, 270, 330, 290)


def moved(shape: Shape, x: int, y: int) -> Shape:
    """Another of its kind, elsewhere."""
    return msgspec.structs.replace(shape, id="x", x=x, y=y)


def picture(*elements: Element, width: int = 512, height: int = 512, background: int = 245) -> Image.Image:
    return render(Scene(width, height, background, elements))


BOX = Container("c", 256, 256, 100, 90)
IN = Shape("i", "circle", "cyan", 230, 240, 30)
# What may be asked of each picture. Without an answer: it is nearly level along the asked axis.
ASKED: dict[tuple[Element, ...], tuple[tuple[str, str | None], ...]] = {
    (*FOUR, *LETTERS): (
        ("What color is the circle?", "red"),
        ("What colour is the leftmost square?", "blue"),
        ("What is the color of the smallest shape?", "green"),
        ("Which color does the leftmost diamond have?", "pink"),
        ("What color is the topmost shape?", None),
        ("What color is the largest shape?", "pink"),
        ("Is the diamond pink?", "yes"),
        ("Is the color of the diamond red?", "no"),
        ("Does the bottommost shape have the color green?", "yes"),
        ("Is the circle brown?", "no"),
        ("Is the red circle to the left of the blue square?", "yes"),
        ("Is the red circle to the right of the blue square?", "no"),
        ("Does the pink diamond lie above the blue square?", "yes"),
        ("Looking at the picture, is the pink diamond below the blue square?", "no"),
        ("Is shape A above shape B?", "yes"),
        ("Is A below B?", "no"),
        ("Is the red circle (labeled A) to the right of shape B?", None),
        ("Is the red circle (labelled A) above the pink diamond?", None),
        ("Which shape is further to the left, shape A or the blue square?", "red circle"),
        ("Which shape is lower down, the pink diamond or the blue square?", "blue square"),
        ("Of shape B and the blue square, which shape is further to the right?", "blue square"),
        ("Between the pink diamond and shape B, is it the pink diamond that is higher up?", "yes"),
        ("Of the pink diamond and shape B, is the green triangle the one that is higher up?", "no"),
        ("How many shapes are visible?", "4"),
        ("Count the shapes that are visible. How many are there?", "4"),
        ("How many red circles are there in the picture?", "1"),
        ("How many red squares are there?", "0"),
        ("Are there exactly 4 shapes in the picture?", "yes"),
        ("Is there exactly one red circle?", "yes"),
        ("Are exactly five shapes visible?", "no"),
        ("Is the red circle above the blue square? Answer with one word: yes or no.", "yes"),
        ("Is the red circle above the blue square?\nIf you are unsure, what then? Say no.", "yes"),
        ("Count the shapes. Answer with digits only.", "4"),
    ),
    (BOX, IN, Shape("r", "circle", "red", 80, 80, 30)): (
        ("Is the cyan circle inside the container?", "yes"),
        ("Does the red circle lie inside the rectangular container?", "no"),
        ("How many shapes are inside the container?", "1"),
        ("How many shapes does the container hold?", "1"),
        ("Is exactly one shape inside the container?", "yes"),
        ("Does the container hold exactly two shapes?", "no"),
        ("How many cyan circles are inside the container?", "1"),
        ("Count the shapes inside the rectangular container. How many are there?", "1"),
        ("How many shapes are visible?", "2"),
    ),
    (RED, BLUE): (
        ("Is there a pink circle?", "no"),
        ("Is there a red circle in the picture?", "yes"),
        ("Does the picture show an orange square?", "no"),
        ("Is it true that there is no red square in the picture?", "yes"),
        ("Is it true that the picture shows no red circle?", "no"),
        ("Is the picture without a blue circle?", "yes"),
        ("How many blue circles are there?", "0"),
        ("Is there exactly one blue circle?", "no"),
        ("Is the pink circle above the blue square?", "no"),
        ("Is the red circle below the blue circle?", "no"),
        ("Is the pink circle inside the container?", "no"),
        ("Is the diamond red?", "no"),
        ("Of the pink circle and the blue square, is the pink circle the one that is higher up?", "no"),
    ),
    (): (("How many shapes are visible?", "0"), ("Is there a red circle?", "no")),
}


@pytest.mark.slow
@swept(("elements", "question", "answer"), [(shown, *case) for shown, known in ASKED.items() for case in known])
def test_the_reader_gives_known_answers(elements: tuple[Element, ...], question: str, answer: str | None) -> None:
    image = picture(*elements)
    if answer is None:  # a close call is refused
        with pytest.raises(CannotRead, match=r"level|nearly equal"):
            read_answer(image, question)
    else:
        assert read_answer(image, question) == answer


@pytest.mark.parametrize("width", [2, 5, 10])
def test_arrow_points_to_what_its_head_is_near(width: int) -> None:
    forwards = picture(*FOUR, Arrow("a", 250, 250, 176, 151, width))
    back = picture(*FOUR, Arrow("a", 176, 151, 330, 275, width))
    for image, name in ((forwards, "red circle"), (back, "blue square")):
        assert read_answer(image, POINTED) == name
        assert read_answer(image, f"Is the {name} the shape that the arrow points to?") == "yes"
        assert read_answer(image, "Is the arrow pointing at the green triangle?") == "no"


def test_shapes_behind_another_are_counted_right() -> None:
    back = Shape("back", "square", "yellow", 256, 256, 60)
    for front in (
        Shape("front", "diamond", "blue", 256, 256, 75),  # four corners look out
        Shape("front", "square", "blue", 256, 256, 30),  # a hole in the middle
        Shape("front", "circle", "blue", 256, 270, 66),
    ):
        assert read_answer(picture(back, front), COUNT) == "2"
    triangle, over = Shape("back", "triangle", "yellow", 256, 256, 80), Shape("front", "square", "blue", 256, 275, 44)
    assert read_answer(picture(triangle, over), COUNT) == "2"
    for y in range(270, 300, 3):  # a tip that only its outline splits with
        tip = Shape("front", "triangle", "blue", 256, y, 100)
        assert read_answer(picture(Shape("back", "square", "yellow", 256, 200, 40), tip), COUNT) == "2"
    left, right = (Shape(f"s{x}", "circle", "red", x, 256, 40) for x in (180, 332))
    assert read_answer(picture(left, right, Shape("front", "square", "blue", 256, 256, 70)), COUNT) == "3"


def test_a_shape_on_another_of_its_colour_is_refused() -> None:
    both = Shape("a", "square", "red", 256, 256, 90), Shape("b", "circle", "red", 256, 256, 40)
    for unclear in (picture(*both), picture(*both, Shape("c", "circle", "blue", 340, 340, 30))):
        with pytest.raises(CannotRead, match="one shape or two"):
            read_answer(unclear, COUNT)


@swept("kind", ["circle", "square", "triangle", "diamond"])
@swept("size", [8, 9, 10, 13, 16, 17, 33, 70, 90])
def test_kinds_of_shapes_are_recognised_at_every_size(kind: str, size: int) -> None:
    shape = msgspec.structs.replace(RED, kind=kind, size=size, x=101, y=97)
    assert read_answer(picture(shape, width=200, height=200), f"How many red {kind}s are there?") == "1"


@swept("colour", ["red", "orange", "yellow", "green", "cyan", "blue", "purple", "pink"])
@swept(("kind", "dy", "height"), [("square", 0, 22), ("triangle", 11, 22), ("circle", -47, 30)])
def test_letters_are_read_on_every_colour(colour: str, kind: str, dy: int, height: int) -> None:
    a = Shape("a", kind, colour, 100, 120, 32)  # type: ignore[arg-type]
    b = msgspec.structs.replace(a, id="b", x=400)
    image = picture(a, b, Label("la", "A", "b", 0, dy, height), Label("lb", "B", "a", 0, dy, height))
    assert read_answer(image, "Is shape A to the right of shape B?") == "yes"
    assert read_answer(image, "How many shapes are there?") == "2"


def test_changed_pictures_get_another_answer() -> None:
    recoloured = msgspec.structs.replace(RED, colour="purple")
    assert read_answer(picture(recoloured, BLUE), "What color is the circle?") == "purple"
    assert read_answer(picture(moved(RED, 470, 100), BLUE), "Is the red circle to the left of the blue square?") == "no"
    assert read_answer(picture(RED, BLUE).rotate(180), "Is the circle above the square?") == "no"
    assert read_answer(picture(RED), COUNT) == "1"
    assert read_answer(Image.new("L", (64, 64), 255), COUNT) == "0"


def test_other_encodings_of_the_same_pixels_read_the_same() -> None:
    image = picture(*FOUR, *LETTERS)
    question = "Which shape is further to the left, shape A or the blue square?"
    slow = io.BytesIO()
    image.save(slow, "PNG", optimize=True)
    webp = io.BytesIO()
    image.save(webp, "WEBP", lossless=True)
    for same in (decode(encode(image)), decode(slow.getvalue()), decode(webp.getvalue()), image.convert("RGBA")):
        assert read_answer(same, question) == "red circle"
    few = picture(RED, BLUE).quantize(256)
    assert few.mode == "P"
    assert read_answer(few, "Is the red circle above the blue square?") == "yes"


@swept(
    "question",
    [
        "",
        "Why?",
        "Is the red circle happy?",
        "Is the red circle not above the blue square?",
        "Is the red circle almost above the blue square?",
        "Assume that left means right. Is the red circle to the left of the blue square?",
        "How many red stars are there?",
        "How many leftmost circles are there?",
        "Are there two red circles?",
        "Which circle is lower down, the red circle or the blue square?",
    ],
)
def test_unknown_words_are_declined(question: str) -> None:
    with pytest.raises(CannotRead) as caught:
        read_answer(picture(*FOUR), question)
    assert caught.value.kind == "words"


@swept(
    ("elements", "question", "reason"),
    [
        ((), "What color is the circle?", "0 shapes"),
        ((RED,), "What color is the square?", "0 shapes"),
        ((RED, moved(RED, 120, 400)), "Is the circle red?", "2 shapes"),
        ((RED, BLUE), "Is the red circle inside the container?", "no container"),
        ((RED, BLUE), POINTED, "no arrow"),
        ((RED, BLUE, ARROW, SECOND), POINTED, "one arrow"),
        ((RED, BLUE, Arrow("a", 250, 250, 250, 400)), POINTED, "past every shape"),
        ((BOX, msgspec.structs.replace(IN, x=160)), "How many shapes are inside the container?", "whole frame"),
        ((BOX, Container("d", 400, 60, 40, 40), IN), "How many shapes are inside the container?", "whole frame"),
        ((RED, moved(RED, 125, 400)), "What color is the leftmost circle?", "nearly equal"),
        ((RED, BLUE, Label("l", "C", "r", 0, 0, 26)), "Is shape A above the blue square?", "neither A nor B"),
        ((RED, BLUE), "Of shape A and the blue square, which shape is higher up?", "0 shapes"),
        (
            (RED, BLUE, moved(RED, 330, 120)),
            "Which shape is lower down, the leftmost circle or the rightmost circle?",
            "level|more than one",
        ),
    ],
)
def test_undecided_questions_are_declined(elements: tuple[Element, ...], question: str, reason: str) -> None:
    with pytest.raises(CannotRead, match=reason):
        read_answer(picture(*elements), question)


def test_unreadable_pictures_are_declined() -> None:
    stroke = picture(RED)
    ImageDraw.Draw(stroke).line((300, 300, 400, 420), fill=(200, 60, 120), width=3)
    oblong = picture(RED)
    ImageDraw.Draw(oblong).rectangle((300, 300, 440, 340), fill=(214, 39, 40))
    to_the_edge = picture(RED)
    ImageDraw.Draw(to_the_edge).rectangle((0, 300, 90, 400), fill=(0, 90, 230))
    for image in (stroke, to_the_edge, Image.new("RGB", (1, 1))):
        with pytest.raises(CannotRead) as caught:
            read_answer(image, COUNT)
        assert caught.value.kind == "picture"
    with pytest.raises(CannotRead, match="kind"):
        read_answer(oblong, "How many red squares are there?")


# ---- as a judge


def query(text: str, *pictures: Picture) -> Query:
    return Query(id="q", group="g", role="original", pictures=pictures, text=text, answer_type="colour")


def test_the_pixel_judge_answers_in_order_and_never_raises() -> None:
    judge, shown = PixelReader(), Picture(lambda: encode(picture(RED)), "here")
    assert isinstance(judge, Judge)
    damaged = Picture(lambda: b"not a picture", "broken.png")
    batch = [
        query("What color is the circle?", shown),
        query("Would you call this art?", shown),
        query("What color is the circle?"),
        query("What color is the circle?", shown, shown),
        query("What color is the circle?", damaged),
        query("How many shapes are visible? Answer with a number.", shown),
    ]
    replies = asyncio.run(judge.answer(batch))
    asyncio.run(judge.close())
    assert (replies[0].text, replies[5].text) == ("red", "1")
    assert [reply for reply in replies[1:4] if not reply.text.startswith("I cannot tell: ")] == []
    assert "broken.png" in replies[4].failure.message


@swept("what", ["words", "picture", "match"])
@swept("kind", sorted({*ANSWER_TYPES} - {"description"}))  # it describes in what words it likes
def test_no_parser_finds_an_answer_in_a_refusal(what: Unreadable, kind: str) -> None:
    assert isinstance(parse(CannotRead("", what).plain, kind), Unparsed)
