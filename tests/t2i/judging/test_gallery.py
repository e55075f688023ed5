"""Contact sheets of judged pictures, on the command line: each answer below its picture, with the mark it deserves."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from commands import call
from PIL import Image
from t2i.pw_worlds import PW, asked, facts

from counterbench.drawing import reading
from counterbench.t2i.images import gallery as t2i_gallery
from counterbench.t2i.images.gallery import _COLOURS, GAP, MARGIN, THUMB, Note
from counterbench.t2i.images.manifest import read_manifest
from counterbench.t2i.judging import gallery
from counterbench.t2i.judging.results import JudgedRun, load_judged
from counterbench.t2i.scores.document import Standing, stamp

SET = 'format = "counterbench.prompts/1"\nkind = "laws"\nname = "fall"\nseed = 7\nlaws = ["falling"]\n'
IMAGES, JUDGE = "images/planted-literal", "planted:noisy?p=0.4"


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two groups' pictures, and a run about them with right, wrong and unreadable answers."""
    folder = tmp_path_factory.mktemp("work")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        Path("fall.toml").write_text(SET)
        common = ("t2i", "generate", "./fall.toml", "--out", "images", "--samples", 1, "--limit", 2)
        assert call(*common, "--generator", "planted:literal").exit_code == 0
        for name, judge in (("run", JUDGE), ("unread", "planted:unparsed?p=0.5")):
            judged = ("t2i", "judge", IMAGES, "--judge", judge, "--prompts", "fall.toml", "--uncertified")
            assert call(*judged, "--out", name).exit_code == 0
    return folder


@pytest.fixture(autouse=True)
def here(template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(template, tmp_path / "work")
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "work"


def marks(sheet: np.ndarray, run: JudgedRun, number: int) -> list[str]:
    """The marks below the picture of the sheet's `number`-th sample, from above, in the order of its checks."""
    row = run.kept.samples[number]
    images = read_manifest(Path(IMAGES))
    thumb = reading.read(images.file(row))
    thumb.thumbnail((THUMB, THUMB), Image.Resampling.BOX)
    wanted = np.asarray(thumb)
    x = MARGIN + (number % 3) * (THUMB + GAP) + (number // 3) * (3 * (THUMB + GAP) + GAP)
    tops = [
        y for y in range(len(sheet) - THUMB) if (sheet[y, x : x + THUMB] == wanted[0]).all()
        and (sheet[y : y + THUMB, x : x + THUMB] == wanted).all()
    ]  # fmt: skip
    (top,) = tops
    checks = len([each for each in run.rows if each.sample_id == row.id])
    begins = top + THUMB + 4 + 22 + 4
    found = []
    for k in range(checks):
        box = sheet[begins + k * 26 : begins + k * 26 + 22, x : x + 16]
        found += [mark for mark, colour in _COLOURS.items() if (box == colour).all(axis=-1).any()]
    return found


@pytest.mark.parametrize("name", ["run", "unread"])
def test_every_answer_has_its_mark_below_its_picture(name: str) -> None:
    shown = call("gallery", name, "--out", "sheet.png")
    assert shown.exit_code == 0, shown.output
    assert shown.stdout == "sheet.png: 6 of 6 samples\n"
    sheet, run = np.asarray(reading.read(Path("sheet.png"))), load_judged(Path(name))
    seen: set[str] = set()
    for number, row in enumerate(run.kept.samples):
        credits = [each.credit for each in run.rows if each.sample_id == row.id]
        expected = ["lost" if credit is None else "right" if credit else "wrong" for credit in credits]
        assert marks(sheet, run, number) == expected, row.id
        seen |= set(expected)
    assert seen == ({"right", "wrong"} if name == "run" else {"right", "wrong", "lost"})


def test_what_the_sheet_says_of_its_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    said: dict[str, Any] = {}
    monkeypatch.setattr(gallery, "picture_sheet", lambda *_, **words: said.update(words))
    run = load_judged(Path("run"))
    for stands in (Standing(), Standing(admitted=True, left_out={"falling": "falling/contrast: fail"}), CERTIFIED):
        gallery.judged_sheet(run, Path("sheet.png"), stamp=stamp(stands), left_out=stands.left_out)
        judged = f"planted:literal: fall, judged by {JUDGE}"
        assert said["title"] == [judged, *filter(None, [stamp(stands)])]
        for lines in said["feet"].values():
            told = "Not scored: the judge is not admitted to falling (falling/contrast: fail)."
            assert (lines[0] == told) == bool(stands.left_out)
            assert any(line.startswith("assessment: ") for line in lines) or any("assessment (" in li for li in lines)


def test_what_another_answer_settles_was_not_asked() -> None:
    found = facts([False], [None], [(1, 0)])
    settled = [msgspec.structs.replace(row, answer=None) if row.dimension != "existence" else row for row in found]
    notes = [gallery._note(PW, row) for row in settled[:3]]
    assert [note.text for note in notes] == ["e1-existence: no", "e1-state-1: not asked", "e1-foundation: not asked"]
    assert [note.mark for note in notes] == ["wrong", "wrong", "noted"]


def test_an_award_is_neither_right_nor_wrong_and_a_met_state_is_right_however_sure() -> None:
    found = facts([True], [0.9], [(1, 0)], sums=(10, 9, 1))
    notes = [gallery._note(PW, row) for row in found]
    assert [(note.text, note.mark) for note in notes] == [
        ("e1-existence: yes", "right"), ("e1-state-1: yes (confidence 0.9)", "right"),
        ("e1-foundation: 1", "noted"), ("e1-excellence: 0", "noted"), ("inconsistencies: 0", "right"),
        ("adherence_score: 10", "noted"), ("realism_score: 9", "noted"), ("nuance_score: 1", "noted"),
    ]  # fmt: skip
    lines = gallery._checks(PW, {"image": asked(1).prompts[0]})
    assert [line for line in lines if " Right: " in line and "-" in line.partition(":")[0]] == [
        line for line in lines if "-existence: " in line or "-state-1: " in line
    ]


CERTIFIED = Standing(admitted=True, certified=True)


def test_a_folder_of_pictures_and_every_sample_by_name() -> None:
    shown = call("gallery", IMAGES, "--out", "sheet.png", "--each", 1, "-v")
    assert shown.exit_code == 0, shown.output
    assert shown.stdout.splitlines() == [
        "sheet.png: 6 of 6 samples",
        *(f"{row.id}: ok" for row in read_manifest(Path(IMAGES)).rows),
    ]
    with Image.open("sheet.png") as sheet:
        height = sheet.height
    assert call("gallery", "run", "--out", "sheet.png").exit_code == 0
    with Image.open("sheet.png") as sheet:
        assert sheet.height > height + 150  # answers and questions


def fails(*arguments: object) -> str:
    result = call("gallery", *arguments, "--out", "sheet.png")
    assert result.exit_code == 2, result.output
    assert not Path("sheet.png").exists()
    return result.stderr


def test_what_is_at_fault_is_one_message(here: Path) -> None:
    assert "name one that it holds: images/planted-literal" in fails("images")
    assert "there is no such folder" in fails("./nowhere")
    picture = next(Path(IMAGES).rglob("*.png"))
    picture.write_bytes(reading.encoded(Image.new("RGB", (512, 512), "red")))
    for source in (IMAGES, "run"):
        assert f"{picture}: is not the recorded picture, its pixels are others" in fails(source)
    Path("images").rename("elsewhere")
    assert f"run: its pictures are not in {IMAGES} (its t2i.json says so)" in fails("run")


def test_a_shipped_suites_bare_name_stays_the_suite(here: Path) -> None:
    Path(IMAGES).rename("smoke")
    assert "18 of 18 pairs" in call("gallery", "smoke", "--out", "a.png").stdout
    assert "6 of 6 samples" in call("gallery", "./smoke", "--out", "a.png").stdout


def test_a_run_that_is_named_marks_the_pictures_of_a_folder_wherever_it_lies(here: Path) -> None:
    assert call("gallery", "run", "--out", "run.png").exit_code == 0
    shutil.move(IMAGES, "elsewhere")
    result = call("gallery", "elsewhere", "--run", "run", "--out", "named.png")
    assert result.exit_code == 0, result.output
    assert Path("named.png").read_bytes() == Path("run.png").read_bytes()
    refused = call("gallery", "smoke", "--run", "run", "--out", "x.png")
    assert (refused.exit_code, "--run is for a generator's folder of pictures" in refused.stderr) == (2, True)
    told = f"run: is not about the pictures in elsewhere, but about those of planted:literal, which were in {IMAGES}"
    for picture in Path("elsewhere").rglob("*.png"):
        picture.write_bytes(reading.encoded(Image.new("RGB", (512, 512), "red")))  # another model's, of the same name
    other = call("gallery", "elsewhere", "--run", "run", "--out", "x.png")
    assert (other.exit_code, told in other.stderr) == (2, True)
    for of in Path("elsewhere").iterdir():
        shutil.rmtree(of) if of.is_dir() else None
    other = call("gallery", "elsewhere", "--run", "run", "--out", "x.png")
    assert (other.exit_code, told in other.stderr) == (2, True)


def test_what_has_no_room_is_counted_and_what_follows_was_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    run = load_judged(Path("run"))
    said: list[str] = []
    first = run.rows[0]
    follows = msgspec.structs.replace(first, answer=None, credit=0.0, check="follows")
    assert gallery._note(run.protocol, follows) == Note("follows: not asked", "wrong")
    many = msgspec.structs.replace(run, rows=(*run.rows, *[follows] * 9))
    written = t2i_gallery._text

    def text(words: str, *of: Any, **more: Any) -> Image.Image:
        said.append(words)
        return written(words, *of, **more)

    monkeypatch.setattr(t2i_gallery, "_text", text)
    gallery.judged_sheet(many, Path("x.png"), stamp="")
    checks = len([row for row in run.rows if row.sample_id == first.sample_id])
    assert [words for words in said if words.startswith("…")] == [f"… and {checks + 9 - 10} more"]
