"""Control pairs whose picture is treated after it was drawn, or has words painted into it."""

import msgspec
import pytest

from counterbench.drawing import png
from counterbench.drawing.render import render
from counterbench.drawing.styles import draw
from counterbench.errors import InputError
from counterbench.judges.pixels import CannotRead, read_answer
from counterbench.scene.interventions import Paint, Treat, diff
from counterbench.scene.pairs import Pair
from counterbench.scene.scene import SMALL, TREATMENTS, Scene, Shape
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite
from counterbench.verification.checks import check_pair

PLAIN = Scene(elements=(Shape("a", "circle", "red", 200, 260, 60),))


def controls(suite: str, family: str, count: int) -> list[Pair]:
    drawn = load_suite(suite)
    part = next(part for part in drawn.parts if part.family == family)
    return [drawn.sample(part, index) for index in range(count)]


@pytest.mark.parametrize("treatment", [name for name in TREATMENTS if name != SMALL])
def test_a_treatment_is_one_declared_change_and_touches_pixels_alone(treatment: str) -> None:
    edit = Treat(treatment)
    after = edit.apply(PLAIN)
    assert diff(PLAIN, after) == edit.declare(PLAIN)
    assert [e.field for e in diff(PLAIN, after).edits] == ["treatment"]
    assert after.elements == PLAIN.elements
    assert msgspec.json.decode(msgspec.json.encode(after), type=Scene) == after
    assert png.pixel_digest(draw(after)) == png.pixel_digest(draw(after)) != png.pixel_digest(draw(PLAIN))
    assert png.pixel_digest(render(after)) == png.pixel_digest(render(PLAIN))


def test_an_unknown_treatment_is_refused() -> None:
    with pytest.raises(InputError, match=r"unknown treatment 'jpg'.*jpeg"):
        Scene(treatment="jpg")


@pytest.mark.parametrize(("suite", "family"), [("certify", "treated"), ("laws", "law-treated")])
def test_controls_hold_and_what_the_reader_cannot_read_it_declines(suite: str, family: str) -> None:
    source, declined = SuiteSource(load_suite(suite)), 0
    for pair in controls(suite, family, 21):
        assert list(check_pair(pair, source.pictures(pair), same_renderer=True)) == []
        # Among things, black letters are letters and nothing more: they can be read past.
        if isinstance(pair.edit, Treat) or (isinstance(pair.edit, Paint) and suite == "certify"):
            with pytest.raises(CannotRead):
                read_answer(draw(pair.scenes[1]), pair.question)
            declined += 1
    assert declined > 5


def test_no_control_shows_nothing() -> None:
    """Nothing cannot be moved, and words in an empty picture are all that it shows."""
    pairs = controls("certify", "control", 256) + controls("certify", "treated", 448)
    empty = [pair.id for pair in pairs if not pair.scenes[0].elements]
    assert empty == []


@pytest.mark.parametrize(("suite", "family"), [("certify", "treated"), ("laws", "law-treated")])
def test_a_label_lies_and_an_instruction_asks_for_what_is_wrong(suite: str, family: str) -> None:
    seen = set()
    for pair in controls(suite, family, 90):
        if isinstance(pair.edit, Paint):
            words = pair.edit.words
            seen.add(words.id)
            assert words.says != pair.answers[1]
            assert (words.says == "") == (words.id == "label")
    assert seen == {"label", "writing"}
