"""An import's pictures: within the release, recorded, and held against that before anybody is asked about them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import counterbench as cb
from counterbench.errors import InputError
from counterbench.interop import importer


def refused(folder: Path, tmp_path: Path) -> str:
    with pytest.raises(InputError) as error:
        cb.probe(folder, "pixels", tmp_path / "run")
    assert not (tmp_path / "run").exists()
    return str(error.value)


def pictures(folder: Path) -> list[Path]:
    return sorted(folder.glob("images/*/*.png"))


@pytest.fixture
def imported(release: Any, tmp_path: Path) -> Path:
    importer("counterbench")(release.path, tmp_path / "imported")
    return tmp_path / "imported"


def test_an_imported_picture_that_is_missing_or_altered_is_found(imported: Path, tmp_path: Path) -> None:
    one, two, *_ = pictures(imported)
    one.unlink()
    with Image.open(two) as image:
        image.putpixel((0, 0), (1, 2, 3))
        image.save(two)
    said = refused(imported, tmp_path)
    assert said.startswith("2 of 50 pictures cannot be asked about")
    assert "import it again, with its pictures" in said
    report = cb.verify(imported, workers=1)
    assert [problem.check for problem in report.problems if problem.check != "balance"] == ["picture", "picture"]


def test_a_judge_that_looks_is_not_asked_about_pairs_that_came_without_pictures(
    bare_release: Any, tmp_path: Path
) -> None:
    importer("counterbench")(bare_release.path, tmp_path / "imported")
    assert refused(tmp_path / "imported", tmp_path).startswith("50 of 50 pictures cannot be asked about")
    assert cb.probe(tmp_path / "imported", "planted:oracle", tmp_path / "planted").complete


def test_a_release_whose_pictures_are_links_to_elsewhere_is_not_imported(release: Any, tmp_path: Path) -> None:
    picture = sorted((release.path / "data" / "images").glob("*.png"))[0]
    picture.rename(tmp_path / "secret.png")
    picture.symlink_to(tmp_path / "secret.png")
    with pytest.raises(InputError, match="leads outside"):
        importer("counterbench")(release.path, tmp_path / "imported")
    assert not (tmp_path / "imported").exists()
