"""The pixel reader as a judge. (That it shares no code with what it checks is a contract of lint-imports.)"""

from __future__ import annotations

import asyncio

import pytest

from counterbench.answers import ANSWER_TYPES, Unparsed, parse
from counterbench.drawing import png
from counterbench.drawing.picture import Picture
from counterbench.drawing.render import render
from counterbench.judges.base import Judge
from counterbench.judges.pixels import CannotRead, PixelReader
from counterbench.judges.pixels.cannot import What
from counterbench.runs.queries import Query
from counterbench.scene.scene import Scene, Shape

SCENE = Scene(elements=(Shape("r", "circle", "red", 120, 100, 40),))


def query(text: str, *pictures: Picture) -> Query:
    return Query(id="q", group="g", role="original", pictures=pictures, text=text, answer_type="colour")


def shown() -> Picture:
    return Picture(lambda: png.encode(render(SCENE)), "here")


def test_it_answers_in_order_and_never_raises() -> None:
    judge = PixelReader()
    assert isinstance(judge, Judge)
    damaged = Picture(lambda: b"not a picture", "broken.png")
    batch = [
        query("What color is the circle?", shown()),
        query("Would you call this art?", shown()),
        query("What color is the circle?"),
        query("What color is the circle?", shown(), shown()),
        query("What color is the circle?", damaged),
        query("How many shapes are visible? Answer with a number.", shown()),
    ]
    replies = asyncio.run(judge.answer(batch))
    asyncio.run(judge.close())
    assert replies[0].text == "red"
    assert replies[5].text == "1"
    for reply in (replies[1], replies[2], replies[3]):
        assert reply.text is not None
        assert reply.text.startswith("I cannot tell: ")
    assert replies[4].failure is not None
    assert "broken.png" in replies[4].failure.message


@pytest.mark.parametrize("what", ["words", "picture", "match"])
@pytest.mark.parametrize("kind", sorted({*ANSWER_TYPES} - {"description"}))  # it describes in what words it likes
def test_no_parser_finds_an_answer_in_a_refusal(what: What, kind: str) -> None:
    assert isinstance(parse(CannotRead("", what).plain, kind), Unparsed)
