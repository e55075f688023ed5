"""Contact sheets: a column for each family, the original over the intervened picture; a row for each law; text."""

import json
from pathlib import Path

import pytest
from commands import call
from PIL import Image
from sweeping import swept

from counterbench.drawing import png, reading
from counterbench.drawing.render import render
from counterbench.errors import InputError
from counterbench.laws import all_laws, law
from counterbench.suites import sheets
from counterbench.suites.folder import Folder, picture_name
from counterbench.suites.generation import generate
from counterbench.suites.sheets import GAP, HEAD, MARGIN, THUMB, law_sheet, pair_sheet
from counterbench.suites.sources import FolderSource, SuiteSource
from counterbench.suites.suite import load_suite


def thumbnail(image: Image.Image) -> Image.Image:
    image.thumbnail((THUMB, THUMB), Image.Resampling.BOX)
    return image


def test_each_family_has_a_column_with_original_over_intervened(tmp_path: Path) -> None:
    suite = load_suite("smoke")
    assert pair_sheet(SuiteSource(suite), tmp_path / "a" / "sheet.PNG") == len(suite)
    sheet = reading.read(tmp_path / "a" / "sheet.PNG")
    assert [p.name for p in (tmp_path / "a").iterdir()] == ["sheet.PNG"]
    assert sheet.width == 2 * MARGIN + 9 * (THUMB + 2 * GAP)
    for column, pair in enumerate(list(suite)[::2]):
        x = MARGIN + column * (THUMB + 2 * GAP) + GAP
        for k, scene in enumerate(pair.scenes):
            y = MARGIN + HEAD + k * (THUMB + GAP)
            shown = sheet.crop((x, y, x + THUMB, y + THUMB))
            expected = thumbnail(render(scene))
            inside = (2, 2, THUMB - 2, THUMB - 2)  # the frame lies over the edge
            assert shown.crop(inside).tobytes() == expected.crop(inside).tobytes(), (pair.id, k)


def test_each_law_has_a_row_of_its_start_and_outcomes(tmp_path: Path) -> None:
    sizes = []
    for count in (1, 2):
        assert law_sheet(tmp_path / "laws.png", [law("falling"), law("wind")][:count]) == count
        sizes.append(reading.read(tmp_path / "laws.png").size)
    assert sizes[0][0] == sizes[1][0] > 6 * THUMB
    assert sizes[1][1] - sizes[0][1] > THUMB


@pytest.mark.slow
def test_a_suite_of_laws_is_shown_by_law(tmp_path: Path) -> None:
    for words, shown in ((("--law", "falling"), "1 law"), ((), f"{len(all_laws())} laws")):
        result = call("gallery", "laws", *words, "--out", tmp_path / "x.png")
        assert (result.exit_code, result.stdout) == (0, f"{tmp_path / 'x.png'}: {shown}\n")
    result = call("gallery", "laws", "--law", "faling", "--out", tmp_path / "x.png")
    assert result.exit_code == 2
    assert "--law: unknown law 'faling' (did you mean 'falling'?); choose from: breeze, " in result.stderr


def test_a_folder_gives_the_same_sheet(tmp_path: Path) -> None:
    suite = load_suite("smoke")
    generate(suite, tmp_path / "out", workers=1)
    pair_sheet(FolderSource(Folder(tmp_path / "out")), tmp_path / "one.png")
    pair_sheet(SuiteSource(suite), tmp_path / "two.png")
    assert (tmp_path / "one.png").read_bytes() == (tmp_path / "two.png").read_bytes()


def test_a_missing_picture_is_named_and_no_sheet_is_written(tmp_path: Path) -> None:
    generate(load_suite("smoke"), tmp_path / "out", workers=1, limit=2)
    folder = Folder(tmp_path / "out")
    lost = tmp_path / "out" / picture_name(next(iter(folder)), "intervened")
    lost.unlink()
    with pytest.raises(InputError, match="cannot be read") as caught:
        pair_sheet(FolderSource(folder), tmp_path / "sheet.png")
    assert str(lost) in str(caught.value)
    assert not (tmp_path / "sheet.png").exists()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("sheet.jpg", r"--out must end in \.png"),
        ("png", r"--out must end in \.png"),
        ("file/sheet.png", "writing failed"),
        ("folder.png", "folder.png"),
    ],
)
def test_an_impossible_output_path_is_refused_and_nothing_is_written(name: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(InputError, match=message):
        pair_sheet(SuiteSource(load_suite("smoke"), 1), tmp_path / name)
    assert {path.name for path in tmp_path.iterdir()} == {"file", "folder.png"}
    assert (tmp_path / "file").read_text() == "mine"


def test_only_a_contact_sheet_is_overwritten(tmp_path: Path) -> None:
    source, sheet, photo = SuiteSource(load_suite("smoke"), 1), tmp_path / "sheet.png", tmp_path / "photo.png"
    pair_sheet(source, sheet)
    before = sheet.read_bytes()
    law_sheet(sheet, [law("falling")])
    pair_sheet(source, sheet)
    assert sheet.read_bytes() == before
    photo.write_bytes(png.encode(Image.new("RGB", (8, 8))))  # also a picture of our own is no sheet
    before = photo.read_bytes()
    for write in (lambda: pair_sheet(source, photo), lambda: law_sheet(photo, [law("falling")])):
        with pytest.raises(InputError, match=r"photo\.png: is there and is no contact sheet; choose another --out"):
            write()
    assert photo.read_bytes() == before


def test_a_folder_without_pairs_is_an_input_error(tmp_path: Path) -> None:
    out = tmp_path / "out"
    generate(load_suite("smoke"), out, workers=1, limit=1)
    info = json.loads((out / "suite.json").read_text()) | {"pairs": 0, "counts": {}}
    (out / "suite.json").write_text(json.dumps(info))
    for name in ("pairs.jsonl", "metadata.jsonl"):
        (out / name).write_text("")
    with pytest.raises(InputError):
        pair_sheet(FolderSource(Folder(out)), tmp_path / "sheet.png")


@swept("width", [60, 240, 1000])
@swept("text", ["Draw a red coin and a green parcel. " * 9, "gravity.up.00/level-" * 200, "W" * 5000, "a b"])
def test_wrapped_lines_keep_to_the_width_and_the_number_of_lines(text: str, width: int) -> None:
    lines = sheets.wrapped(text, 16, width, 5)
    assert 1 <= len(lines) <= 5
    assert [line for line in lines if sheets.font(16).getlength(line) > width * 1.1] == []
    whole = "".join(sheets.wrapped(text, 16, width, 10_000)).replace(" ", "")
    assert whole == text.replace(" ", "")
    assert lines[-1].endswith("…") == ("".join(lines).replace(" ", "") != whole)


def test_characters_missing_in_the_font_are_replaced() -> None:
    assert sheets.wrapped("café – 3 × 4\n\x1b[2J", 16, 500, 2) == ["cafe - 3 x 4 \\x1b[2J"]
