"""Shapes counted in flat pictures that the tests draw themselves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from counterbench.errors import InputError
from counterbench.interop.release_pictures import crosses_another, label_height, shapes_of_kind

KINDS = ["circle", "square", "triangle", "diamond"]
PLACES = [(100, 100), (400, 100), (100, 400), (400, 400), (256, 256)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [16, 60])
@pytest.mark.parametrize("count", [0, 3])
def test_kinds_are_told_apart_at_every_size(
    tmp_path: Path, draw: Callable[..., None], kind: str, size: int, count: int
) -> None:
    shapes = [(kind, "red", PLACES[i]) for i in range(count)]
    others = [other for other in KINDS if other != kind]
    shapes += [(other, "blue", place) for other, place in zip(others, PLACES[count:], strict=False)]
    draw(tmp_path / "p.png", shapes, size)
    assert shapes_of_kind(tmp_path / "p.png", kind) == count


def test_grey_lines_boxes_and_letters_are_no_shapes(tmp_path: Path, draw: Callable[..., None]) -> None:
    draw(tmp_path / "p.png", [("circle", "red", (100, 100))])
    with Image.open(tmp_path / "p.png") as image:
        pen = ImageDraw.Draw(image)
        pen.rectangle((200, 200, 400, 400), outline=(80, 80, 80), width=4)
        pen.line((10, 500, 300, 450), fill=(0, 0, 0), width=5)
        pen.text((95, 95), "A", fill=(0, 0, 0))
        image.save(tmp_path / "p.png")
    counts = {kind: shapes_of_kind(tmp_path / "p.png", kind) for kind in KINDS}
    assert counts == {"circle": 1, "square": 0, "triangle": 0, "diamond": 0}


def test_two_colours_side_by_side_are_two_shapes(tmp_path: Path) -> None:
    image = Image.new("RGB", (200, 100), (245, 245, 245))
    ImageDraw.Draw(image).rectangle((20, 20, 69, 69), (220, 40, 40))
    ImageDraw.Draw(image).rectangle((70, 20, 119, 69), (40, 60, 220))
    image.save(tmp_path / "p.png")
    assert shapes_of_kind(tmp_path / "p.png", "square") == 2


def pointing(path: Path, tip: tuple[int, int]) -> Path:
    """A red circle on the left, a blue square on the right and an arrow from between and below them."""
    image = Image.new("RGB", (512, 512), (245, 245, 245))
    pen = ImageDraw.Draw(image)
    pen.ellipse((70, 170, 130, 230), (220, 50, 50), (30, 30, 30), 2)
    pen.rectangle((330, 270, 390, 330), (50, 80, 220), (30, 30, 30), 2)
    pen.line([(256, 452), tip], (60, 60, 60), 3)
    image.save(path)
    return path


@pytest.mark.parametrize(
    ("tip", "target", "crosses"),
    [
        ((100, 235), "red", False),  # ends before its target
        ((100, 200), "red", False),  # in its target
        ((100, 200), "blue", True),
        ((400, 230), "red", True),  # through the square
        ((360, 335), "blue", False),
        ((329, 200), "red", False),  # past its corner
    ],
)
def test_an_arrow_over_a_shape_that_it_does_not_point_to(
    tmp_path: Path, tip: tuple[int, int], target: str, crosses: bool
) -> None:
    assert crosses_another(pointing(tmp_path / "p.png", tip), target) == crosses


@pytest.mark.parametrize("size", [8, 14, 30])
def test_letters_are_measured_and_shapes_are_none(tmp_path: Path, draw: Callable[..., None], size: int) -> None:
    path = tmp_path / "p.png"
    draw(path, [("circle", "red", (100, 100)), ("square", "blue", (300, 300))])
    assert label_height(path) == 0
    with Image.open(path) as image:
        font = ImageFont.load_default(size)
        ImageDraw.Draw(image).text((90, 20), "A", fill=(40, 40, 40), font=font)
        image.save(path)
    _, top, _, bottom = font.getbbox("A")
    assert label_height(path) == pytest.approx(bottom - top, abs=1)


def test_an_unreadable_picture_is_named(tmp_path: Path) -> None:
    (tmp_path / "p.png").write_bytes(b"not a picture")
    with pytest.raises(InputError, match=r"p\.png: not a readable picture"):
        shapes_of_kind(tmp_path / "p.png", "circle")
