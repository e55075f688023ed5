"""Parts that show and nearly like colours: the difference of colours by another tool, and what is too close to call."""

from random import Random

import numpy as np
import pytest
from skimage.color import deltaE_ciede2000, rgb2lab
from sweeping import swept

from counterbench.drawing.render import render
from counterbench.errors import AmbiguousError, InputError
from counterbench.judges.pixels import CannotRead, read_answer
from counterbench.scene.programs.fine import Alike, Shows
from counterbench.scene.scene import Scene, Shape
from counterbench.scene.shades import difference
from counterbench.scene.visibility import shown_part


def test_the_difference_is_ciede2000() -> None:
    r = Random(7)
    for _ in range(2000):
        colour = tuple(r.randrange(256) for _ in range(3))
        near = tuple(min(255, max(0, value + r.randint(-9, 9))) for value in colour)
        other = r.choice((near, tuple(r.randrange(256) for _ in range(3))))
        lab = rgb2lab(np.array([[colour, other]]) / 255)
        # Its white and its matrix are rounded otherwise.
        assert difference(colour, other) == pytest.approx(float(deltaE_ciede2000(lab[0, 0], lab[0, 1])), abs=0.02)
        assert difference(colour, other) == difference(other, colour)
    assert difference((9, 9, 9), (9, 9, 9)) == 0


def covered(by: int) -> Scene:
    """A red circle of which a blue one, so many pixels further right, covers a part."""
    return Scene(elements=(Shape("a", "circle", "red", 200, 200, 80), Shape("b", "circle", "blue", 200 + by, 200, 80)))


@swept(("by", "answer"), [(0, "no"), (4, "?"), (10, "yes"), (60, "yes"), (161, "yes")])
def test_a_part_shows_pixels_or_is_wholly_covered(by: int, answer: str) -> None:
    scene, program = covered(by), Shows("red")
    if answer == "?":
        with pytest.raises(AmbiguousError, match=r"only \d+ pixels, [\d.]+ %, of the red circle 'a' show"):
            program.answer(scene)
        return
    assert program.answer(scene) == answer
    assert {read_answer(render(scene), words) for words in program.phrasings()} == {answer}
    assert Shows("orange").answer(scene) == "no"
    assert "an orange shape" in Shows("orange").phrasings()[0]


def test_the_part_that_shows_is_counted_pixel_by_pixel() -> None:
    back = Shape("a", "square", "red", 99, 99, 32)
    covers = (
        Shape("b", "square", "blue", 120, 99, 32),
        Shape("c", "diamond", "blue", 90, 80, 20),
        Shape("d", "circle", "blue", 80, 110, 9),
        Shape("e", "triangle", "blue", 85, 125, 7),
    )
    inside = back.inside
    free = [
        (x, y)
        for x in range(inside.box.left, inside.box.right + 1)
        for y in range(inside.box.top, inside.box.bottom + 1)
        if not any(cover.contains((x, y)) for cover in covers)
    ]
    assert shown_part(back, covers)[1] == len(free)


def two(shade: str, kind: str = "square") -> Scene:
    return Scene(
        elements=(
            Shape("a", "square", "red", 100, 100, 40),
            Shape("b", kind, "red", 300, 200, 40, shade=shade),
            Shape("c", "circle", "red", 400, 400, 40),
        )
    )


@pytest.mark.parametrize(("shade", "same"), [("", "yes"), ("d62728", "yes"), ("c02728", "no"), ("0000ff", "no")])
def test_colours_are_the_same_or_differ(shade: str, same: str) -> None:
    other = {"yes": "no", "no": "yes"}[same]
    for program, answer in ((Alike("square"), same), (Alike("square", differ=True), other)):
        assert program.answer(two(shade)) == answer
        assert {read_answer(render(two(shade)), words) for words in program.phrasings()} == {answer}


def test_colours_too_close_and_other_numbers_of_things_are_ambiguous() -> None:
    for scene in (two("d72728"), two("", "circle")):
        with pytest.raises(AmbiguousError):
            Alike("square").answer(scene)
    with pytest.raises(CannotRead):
        read_answer(render(two("", "circle")), "Are the two squares of exactly the same color?")
    with pytest.raises(InputError, match="six hexadecimal digits, not 'red'"):
        two("red")
