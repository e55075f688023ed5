"""A folder from elsewhere: pictures and truths that are not the recorded ones are found before the first question."""

import shutil
from pathlib import Path

import pytest
from asking.fakes import Scripted
from commands import call
from PIL import Image, ImageFilter
from refusals import refusal

import counterbench as cb
from counterbench.errors import InputError
from counterbench.suites.sources import open_source

PAIRS = 12


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("whole") / "pairs"
    cb.generate("smoke", out, workers=1, limit=PAIRS)
    return out


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    shutil.copytree(whole, tmp_path / "pairs")
    return tmp_path / "pairs"


def picture_files(folder: Path) -> list[Path]:
    return sorted(folder.glob("images/*/*.png"))


def probe_refusal(folder: Path, tmp_path: Path) -> str:
    """In which words probing is refused, before anything was asked."""
    judge = Scripted(max_batch=4)
    message = refusal(lambda: cb.probe(folder, judge, tmp_path / "run"), InputError)
    assert judge.asked_ids == []
    return message


def test_altered_and_missing_pictures_are_found_before_the_first_question(folder: Path, tmp_path: Path) -> None:
    blurred, gone = picture_files(folder)[0], picture_files(folder)[-1]
    with Image.open(blurred) as image:
        image.resize((64, 64)).filter(ImageFilter.BLUR).resize(image.size).save(blurred)
    gone.unlink()
    message = probe_refusal(folder, tmp_path)
    assert message.startswith(f"2 of {2 * PAIRS} pictures cannot be asked about: ")
    assert f"{blurred}: is not the recorded picture" in message
    assert f"{gone}: cannot be read (No such file or directory)" in message
    assert "the same `counterbench generate` draws it anew" in message


def test_questions_and_truths_that_were_edited_are_refused(folder: Path, tmp_path: Path) -> None:
    path = folder / "pairs.jsonl"
    path.write_text(path.read_text().replace("left", "right"))
    assert f"{path}: was changed since it was written" in probe_refusal(folder, tmp_path)
    with pytest.raises(InputError, match="was changed since it was written"):
        cb.generate("smoke", folder, workers=1, limit=PAIRS)


def test_altered_pictures_are_shown_nowhere(folder: Path, tmp_path: Path) -> None:
    cb.probe(folder, "pixels", tmp_path / "run")
    picture_files(folder)[0].write_bytes(picture_files(folder)[5].read_bytes())
    for show in (
        ("gallery", folder, "--out", tmp_path / "sheet.png"),
        ("report", tmp_path / "run", "--pictures", folder, "--out", tmp_path / "report.html"),
    ):
        result = call(*show)
        assert result.exit_code == 2, show
        assert "is not the recorded picture" in result.output, show


def test_a_picture_that_changes_after_it_was_looked_at_is_not_sent(folder: Path) -> None:
    source = open_source(str(folder))
    picture = source.pictures(next(iter(source)))[0]
    assert picture.damage == ""
    Path(picture.name).write_bytes(picture_files(folder)[0].read_bytes())
    with pytest.raises(InputError, match="is not the recorded picture"):
        assert picture.png
