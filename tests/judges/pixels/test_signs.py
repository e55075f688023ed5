"""Signs by their pixels: every capital at every size, what is refused, and hundreds of pairs, plain and as stickers."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw
from skimage import data

from counterbench.drawing.render import render
from counterbench.judges.pixels import CannotRead, read_answer, signs
from counterbench.palette import SIGN_COLOURS
from counterbench.scene.figures import Sign, sign_half_width
from counterbench.scene.scene import Element, Scene, Shape
from counterbench.suites.families import Canvas
from counterbench.suites.sources import SuiteSource
from counterbench.suites.stickers import sticker_suite
from counterbench.suites.suite import load_suite, suite_of_families
from counterbench.verification.checks import Redrawing, check_pair

ASKED = "What does the sign read?"


def sign(word: str, height: int = 20, x: int = 256, y: int = 100, colour: str = "white", round: bool = False) -> Sign:
    return Sign(word, word, colour, x, y, sign_half_width(height, word), height, round)  # type: ignore[arg-type]


def picture(*elements: Element) -> Image.Image:
    return render(Scene(elements=elements))


@pytest.mark.slow
@pytest.mark.parametrize("height", [10, 11, 14, 20, 33, 48])
def test_every_capital_is_read(height: int) -> None:
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    for i, word in enumerate(alphabet[at : at + 4] for at in range(0, 23, 2)):
        shown = picture(sign(word, height, colour=SIGN_COLOURS[i % 5], round=bool(i % 2)))
        assert read_answer(shown, ASKED) == word.lower()


def test_the_sign_asked_about_is_read_and_a_quoted_word_is_no_shape() -> None:
    shown = picture(sign("BOX"), sign("FARM", y=300, colour="pink"), Shape("a", "square", "pink", 60, 400, 30))
    for question, answer in (
        ("What does the white sign read?", "box"),
        ("Which word is on the bottommost sign?", "farm"),
        ('Does the topmost sign read "BOX"?', "yes"),
        ('Is "BLOCK" written on the white sign? Answer yes or no.', "no"),
        ("Is the word on the pink sign “FORM”?", "no"),
    ):
        assert read_answer(shown, question) == answer
    for question in (ASKED, "What does the yellow sign read?", "What does the leftmost sign read?"):
        with pytest.raises(CannotRead):
            read_answer(shown, question)


def test_a_letter_is_kept_without_the_page_that_it_was_drawn_on() -> None:
    assert signs._letter_shape("A", 40).base is None


def test_signs_without_a_whole_word_are_refused() -> None:
    struck = ((200, 99, 320, 101), (0, 0, 0))
    bitten = ((240, 92, 250, 99), (252, 252, 250))  # a part of a letter is missing
    dotted = ((226, 84, 226, 84), (255, 0, 0))
    beside = ((380, 300, 400, 320), (1, 2, 3))  # nothing that is known
    for box, rgb in (struck, bitten, dotted, beside):
        shown = picture(sign("BOLT"))
        ImageDraw.Draw(shown).rectangle(box, rgb)
        with pytest.raises(CannotRead):
            read_answer(shown, ASKED)
    with pytest.raises(CannotRead):
        read_answer(picture(Shape("a", "square", "yellow", 200, 200, 40)), ASKED)


@pytest.mark.slow
@pytest.mark.parametrize("side", [256, 512, 900])
def test_reader_and_program_agree_on_words(side: int) -> None:
    suite = replace(suite_of_families(["words"], 100, seed=side), canvas=Canvas(side, side))
    source = SuiteSource(suite)
    for pair in source:
        assert list(check_pair(pair, source.pictures(pair), True)) == [], pair.id


@pytest.mark.slow
def test_text_stickers_are_read_on_any_ground(tmp_path: Path) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (300, 400, 3), dtype=np.uint8)
    grounds = {name: Image.fromarray(getattr(data, name)()) for name in ("astronaut", "coffee", "chelsea", "rocket")}
    grounds["small"] = grounds["astronaut"].resize((256, 256))
    grounds["noise"] = Image.fromarray(noise)
    grounds |= {n: Image.new("RGB", (300, 280), n) for n in ("black", "white")}
    for name, ground in grounds.items():
        ground.save(tmp_path / f"{name}.png")
    files = sorted(tmp_path.iterdir())
    suite = sticker_suite(load_suite("stickers"), ["words"], 120)
    suite = replace(suite, grounds=tuple(files[i % len(files)] for i in range(120)))
    source = SuiteSource(suite)
    for pair in source:
        assert "sticker" in pair.question
        drawn = source.pictures(pair)
        assert list(check_pair(pair, drawn, True, Redrawing(None, "flat", source.ground(pair)))) == [], pair.id
