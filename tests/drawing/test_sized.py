"""Scenes drawn smaller or larger: the same picture, with edges as sharp as the size allows."""

import numpy as np
import pytest
from hypothesis import given, settings
from PIL import Image
from strategies import scenes

from counterbench.drawing import png
from counterbench.drawing.render import render
from counterbench.judges.pixels import CannotRead, read_answer
from counterbench.scene.scene import Scene, Shape
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite
from counterbench.verification.verify import verify

pytestmark = pytest.mark.slow

SUITES = ("smoke", "certify", "laws")


def array(image: Image.Image) -> np.ndarray:
    return np.asarray(image).astype(np.int16)


@settings(max_examples=25)
@given(scenes())
def test_a_scene_at_its_own_size_is_unchanged(scene: Scene) -> None:
    assert png.pixel_digest(render(scene, scene.side)) == png.pixel_digest(render(scene))


@pytest.mark.parametrize("name", SUITES)
@pytest.mark.parametrize(("side", "most"), [(256, 4.0), (700, 4.0), (1024, 1.0)])
def test_a_picture_shows_the_same_at_any_size(name: str, side: int, most: float) -> None:
    suite = load_suite(name)
    for position in suite.positions(12):
        scene = suite[position].scenes[0]
        own, sized = render(scene), render(scene, side)
        assert sized.size == (side, side)
        reach = min(side, 512) // 2
        small = [array(image.resize((reach, reach), Image.Resampling.BOX)) for image in (own, sized)]
        # But for edges, which lie a part of a pixel off, and are a small part of a picture.
        assert np.abs(small[0] - small[1]).mean() < most


def test_a_larger_picture_is_drawn_sharply_and_not_enlarged() -> None:
    scene = Scene(elements=(Shape("a", "circle", "red", 200, 260, 90),))
    drawn, enlarged = render(scene, 2048), render(scene).resize((2048, 2048), Image.Resampling.BICUBIC)
    blends = [len(image.getcolors(1 << 24)) for image in (drawn, enlarged)]
    inks = [sum(n for n, _ in sorted(image.getcolors(1 << 24))[-3:]) for image in (drawn, enlarged)]
    assert blends[0] < 40 < blends[1]  # of an edge of one pixel only
    assert inks[0] > inks[1]


@pytest.mark.parametrize("side", [768, 1024])
@pytest.mark.parametrize("name", SUITES)
def test_every_check_holds_at_other_sizes(name: str, side: int) -> None:
    report = verify(SuiteSource(load_suite(name, size=side), 16), workers=1)
    assert [problem for problem in report.problems if problem.check != "balance"] == []


@pytest.mark.parametrize("side", [768, 1536])
@pytest.mark.parametrize("name", SUITES)
def test_the_pixel_reader_answers_alike_at_all_sizes(name: str, side: int) -> None:
    """It may decline a few things of laws, whose lines are finer or coarser then; wrong it is never."""
    suite = load_suite(name)
    declined = questions = 0
    for position in suite.positions(100):
        pair = suite[position]
        if pair.category == "control":  # what was treated or painted on it need not read
            continue
        for scene, truth in zip(pair.scenes, pair.answers, strict=True):
            questions += 1
            try:
                assert read_answer(render(scene, side), pair.question) == truth, pair.id
            except CannotRead:
                declined += 1
    assert declined <= (0.03 * questions if name == "laws" else 0)
