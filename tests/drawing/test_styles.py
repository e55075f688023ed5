"""Styles touch pixels only, and what is asked about stays visible in all of them."""

import contextlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageChops
from skimage.color import deltaE_ciede2000, rgb2lab
from sweeping import swept

from counterbench.drawing import png
from counterbench.drawing.render import render, scale_to
from counterbench.drawing.styles import FLAT, STYLES, draw
from counterbench.drawing.styles.photograph import PHOTOGRAPHS
from counterbench.drawing.styles.sheet import Sheet
from counterbench.judges.pixels import CannotRead, read_answer
from counterbench.palette import COLOUR_RGB
from counterbench.scene.scene import Scene
from counterbench.suites.suite import Suite, load_suite

# Of every shape and figure, in every style: how far its mean colour is from the ground around it (CIEDE2000), and the
# share of its own pixels that are farther from it than what one just sees apart.
MIN_CONTRAST = 14
MIN_SHARE_VISIBLE, SEEN_APART = 0.9, 6


def some_scenes(suite: Suite, count: int) -> list[Scene]:
    return [suite[i * len(suite) // count].scenes[i % 2] for i in range(count)]


def visibility(scene: Scene, style: str, side: int | None) -> list[tuple[float, float, str]]:
    """Of each thing its contrast, the share of it that is seen, and its name."""
    flat, styled = np.asarray(render(scene, side)), np.asarray(draw(scene, side, style))
    found = []
    for thing in (*scene.shapes, *scene.figures):
        box = scale_to(scene, side).box(thing.box)
        near = np.s_[max(0, box.top - 9) : box.bottom + 10, max(0, box.left - 9) : box.right + 10]
        own, ground = ((flat[near] == ink).all(axis=2) for ink in (COLOUR_RGB[thing.colour], scene.background))
        if own.sum() < 4 or not ground.any():
            continue
        lab = rgb2lab(styled[near])
        around = lab[ground].mean(axis=0)
        apart = deltaE_ciede2000(lab[own], np.broadcast_to(around, (own.sum(), 3)))
        contrast = deltaE_ciede2000(lab[own].mean(axis=0)[None], around[None])
        found.append((float(contrast[0]), float((apart > SEEN_APART).mean()), thing.id))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("suite", ["certify", "laws"])
@pytest.mark.parametrize(("seed", "side"), [(777, 128), *((seed, None) for seed in (777, *range(8)))])
def test_things_asked_about_stay_visible_in_every_style(suite: str, style: str, seed: int, side: int | None) -> None:
    things = [thing for scene in some_scenes(load_suite(suite, seed), 8) for thing in visibility(scene, style, side)]
    assert len(things) > 20
    assert min(contrast for contrast, _, _ in things) >= MIN_CONTRAST
    assert min(share for _, share, _ in things) >= MIN_SHARE_VISIBLE


def test_the_flat_style_changes_no_pixel_or_definition() -> None:
    suite = load_suite("laws")
    assert suite.styled(FLAT).definition == suite.definition
    assert "style" not in suite.definition
    scene = suite[3].scenes[0]
    assert png.pixel_digest(draw(scene)) == png.pixel_digest(render(scene))


@pytest.mark.parametrize("style", STYLES)
def test_a_style_changes_pixels_and_nothing_else(style: str) -> None:
    flat, styled = load_suite("certify"), load_suite("certify", style=style)
    assert styled[:40:8] == flat[:40:8]  # ids, scenes, questions, answers
    assert styled.digest != flat.digest
    scene = flat[0].scenes[0]
    first, again = draw(scene, None, style), draw(scene, None, style)
    assert png.pixel_digest(first) == png.pixel_digest(again) != png.pixel_digest(render(scene))
    assert first.size == render(scene).size
    assert draw(scene, 100, style).size == (100, 100)


@pytest.mark.parametrize("style", ["textured", "photograph"])
def test_both_pictures_of_a_pair_have_the_same_ground(style: str) -> None:
    pair = load_suite("counterbench-550")[120]
    flat = [render(scene) for scene in pair.scenes]
    styled = [draw(scene, None, style, pair.scenes[0]) for scene in pair.scenes]
    changed, styled_change = (np.asarray(ImageChops.difference(*images)).any(axis=2) for images in (flat, styled))
    assert changed.any()
    assert not (styled_change & ~changed).any()


@pytest.mark.parametrize("suite", ["certify", "laws"])
def test_a_sheet_on_its_own_background_equals_the_flat_picture(suite: str) -> None:
    for scene in some_scenes(load_suite(suite), 8):
        sheet = Sheet(scene)
        on_its_own = sheet.on(Image.new("RGB", sheet.size, (scene.background,) * 3))
        assert np.abs(np.asarray(on_its_own).astype(int) - np.asarray(sheet.flat)).max() <= 2


def test_every_photograph_of_scikit_image_is_used() -> None:
    import skimage

    data = Path(skimage.__file__).parent / "data"
    assert [name for name in PHOTOGRAPHS if not (data / f"{name}.png").is_file()] == []


@pytest.mark.slow
@swept("style", STYLES)
@swept("suite", ["certify", "laws"])
def test_the_pixel_reader_is_right_about_a_style_or_declines(suite: str, style: str) -> None:
    drawn = load_suite(suite, 11)
    for position in range(0, len(drawn), len(drawn) // 6):
        pair = drawn[position]
        for scene, answer in zip(pair.scenes, pair.answers, strict=True):
            with contextlib.suppress(CannotRead):
                assert read_answer(draw(scene, None, style, pair.scenes[0]), pair.question) == answer
