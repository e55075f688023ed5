"""Shapes counted in flat pictures that the tests draw themselves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from counterbench.errors import InputError
from counterbench.interop.release_pictures import shapes_of_kind

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


def test_an_unreadable_picture_is_named(tmp_path: Path) -> None:
    (tmp_path / "p.png").write_bytes(b"not a picture")
    with pytest.raises(InputError, match=r"p\.png: not a readable picture"):
        shapes_of_kind(tmp_path / "p.png", "circle")
