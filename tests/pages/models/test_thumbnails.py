"""The gallery's pictures: in the page up to a size, beyond it in a folder beside it."""

import base64
from functools import partial
from pathlib import Path

import pytest
from pictures.lawful import draw, of_laws
from PIL import Image

from counterbench.drawing import reading
from counterbench.errors import InputError
from counterbench.pages import pictures
from counterbench.pages.models.models import encoded
from counterbench.pages.pictures import PlacedPictures, place_pictures, thumbnail
from counterbench.prompts.manifest import Images


@pytest.fixture(scope="module")
def images(tmp_path_factory: pytest.TempPathFactory) -> Images:
    return draw(of_laws(), "literal", tmp_path_factory.mktemp("images"), limit=2)


def place(images: Images, page: Path, folder: Path | None = None) -> PlacedPictures:
    wanted = [(0, row) for row in images.rows]
    return place_pictures(wanted, partial(encoded, [folder or images.path]), page, lambda done, total: None)


def test_few_pictures_are_embedded_in_the_page(images: Images, tmp_path: Path) -> None:
    found = place(images, tmp_path / "r.html")
    assert (found.base, found.folder_written, found.problems) == ("data:", None, [])
    for (source,) in found.sources:
        kind, _, data = source.partition(";base64,")
        assert kind == "image/png"
        assert max(reading.decode(base64.b64decode(data), "").size) == 384
    assert list(tmp_path.iterdir()) == []


def test_many_pictures_lie_beside_the_page_and_old_ones_are_removed(
    images: Images, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = [source for (source,) in place(images, tmp_path / "r.html").sources]
    monkeypatch.setattr(pictures, "MAX_BYTES", sum(map(len, inside[:3])))
    (tmp_path / "r #1-pictures").mkdir()
    (tmp_path / "r #1-pictures" / "00099.jpg").write_bytes(b"of before")
    found = place(images, tmp_path / "r #1.html")
    assert found.folder_written == tmp_path / "r #1-pictures"
    assert found.base == "r%20%231-pictures/"
    names = [name for (name,) in found.sources]
    assert sorted(path.name for path in found.folder_written.iterdir()) == names
    assert [base64.b64encode((found.folder_written / name).read_bytes()).decode() for name in names] == [
        source.partition(",")[2] for source in inside
    ]


def test_a_folder_of_something_else_is_not_written_into(
    images: Images, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "MAX_BYTES", 1)
    (tmp_path / "r-pictures").mkdir()
    (tmp_path / "r-pictures" / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match="no folder of a report's pictures"):
        place(images, tmp_path / "r.html")
    assert [path.name for path in (tmp_path / "r-pictures").iterdir()] == ["mine.txt"]


def test_a_missing_or_changed_picture_is_left_out_with_a_note(images: Images, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    found = place(images, tmp_path / "r.html", folder=tmp_path / "other")
    assert found.sources == [("",)] * len(images.rows)
    assert images.rows[0].path in found.problems[0]


def test_a_photograph_is_kept_as_jpeg() -> None:
    light = Image.radial_gradient("L").resize((900, 600))
    dark = light.point(lambda value: 255 - value)
    made = thumbnail(Image.merge("RGB", (light, dark, light.rotate(90))))
    assert made.kind == "jpg"
    assert reading.decode(made.data, "x").size == (384, 256)
