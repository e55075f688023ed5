"""Folders of pictures that stay in their places: read once, digested, and refused by name once they change."""

import shutil
from pathlib import Path

import msgspec
import pytest
from asked import judge_pictures
from pictures.own_pictures import Eyes, draw_ball, table

from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.pictures.importing.pictures import import_pictures
from counterbench.pictures.importing.places import FoundPicture, Material, pictures_of, read_material
from counterbench.pictures.judging.picture_queries import PictureQuestions
from counterbench.prompts.manifest import MANIFEST_FILE, Images, read_manifest
from counterbench.prompts.prompt_set import Prompt
from counterbench.prompts.skills import whole_prompt
from counterbench.runs.queries import load_template


@pytest.fixture
def material(tmp_path: Path) -> Material:
    return read_material(table(tmp_path, 4))


def import_own(material: Material, out: Path) -> list[Images]:
    return import_pictures(material.placed, material.prompts, out)


def test_imported_pictures_stay_in_place_and_are_read_back(material: Material, tmp_path: Path) -> None:
    good, poor = import_own(material, tmp_path / "images")
    assert [images.path.name for images in (good, poor)] == ["good", "poor"]
    assert good == read_manifest(good.path)
    assert {good.file(row) for row in good.rows} == {(tmp_path / "pictures" / f"good-{n}.png") for n in range(4)}
    assert not list((tmp_path / "images").rglob("*.png"))
    assert good.info.generator == "imported:good"


def test_a_repeated_import_reads_no_picture_again(
    material: Material, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = import_own(material, tmp_path / "images")
    monkeypatch.setattr("counterbench.pictures.importing.pictures._row", None)
    assert import_own(material, tmp_path / "images") == before


def test_missing_and_unreadable_pictures_are_counted_by_model(material: Material, tmp_path: Path) -> None:
    (tmp_path / "pictures" / "poor-1.png").write_bytes(b"no picture")
    (tmp_path / "pictures" / "poor-2.png").unlink()
    placed = [found for found in material.placed if not (found.model == "good" and found.where.endswith("line 2"))]
    counts = {made.path.name: made.counts for made in import_pictures(placed, material.prompts, tmp_path / "images")}
    assert counts == {"good": {"ok": 3, "missing": 1}, "poor": {"ok": 2, "unreadable": 1, "missing": 1}}
    (row,) = (row for row in read_manifest(tmp_path / "images" / "poor").rows if row.status == "unreadable")
    assert row.message.startswith(f"{tmp_path / 'table.csv'}, line 5: not a readable picture")


@pytest.mark.parametrize("first", [0, 1])
def test_samples_may_be_numbered_from_any_number(first: int, material: Material, tmp_path: Path) -> None:
    # As in the shared case one-based.csv: "3 pictures, 1 missing" of two.
    prompt, pictures = material.prompts.prompts[0].id, tmp_path / "pictures"
    placed = [FoundPicture("a", prompt, first + n, pictures / f"good-{n}.png", f"row {n}") for n in (0, 1)]
    placed += [FoundPicture("b", prompt, first + 1, pictures / "poor-1.png", "row 3")]
    complete, incomplete = import_pictures(placed, material.prompts, tmp_path / "images")
    assert complete.counts == {"ok": 2}
    assert incomplete.counts == {"ok": 1, "missing": 1}
    assert [row.sample for row in complete.rows] == [first, first + 1]
    assert complete.info.samples == 2


def test_pictures_that_come_as_bytes_are_written(material: Material, tmp_path: Path) -> None:
    data = (tmp_path / "pictures" / "good-0.png").read_bytes()
    (images,) = import_pictures(
        [FoundPicture("m", material.prompts.prompts[0].id, 0, data, "row 1")], material.prompts, tmp_path / "images"
    )
    assert images.file(images.rows[0]).is_relative_to(tmp_path / "images")
    assert images.file(images.rows[0]).is_file()


def test_a_picture_that_changed_since_is_refused_by_name(material: Material, tmp_path: Path) -> None:
    import_own(material, tmp_path / "images")
    prompts = material.prompts.holding([_ask_whole_prompt(prompt) for prompt in material.prompts.prompts])
    draw_ball(tmp_path / "pictures" / "poor-3.png", "black", 0)
    with pytest.raises(InputError, match=r"1 of 8 pictures .*poor-3\.png: is not the recorded picture.*another --out"):
        judge_pictures(
            PictureQuestions(import_own(material, tmp_path / "images"), prompts),
            Eyes(),
            tmp_path / "run",
            template=load_template("structured"),
            certificate=None,
            uncertified=True,
        )


def _ask_whole_prompt(prompt: Prompt) -> Prompt:
    return msgspec.structs.replace(prompt, checks=(whole_prompt(prompt),))


def test_a_folder_with_other_pictures_is_refused_and_left_alone(material: Material, tmp_path: Path) -> None:
    (tmp_path / "images" / "good").mkdir(parents=True)
    (tmp_path / "images" / "good" / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match="is not empty and not a folder of generated pictures"):
        import_own(material, tmp_path / "images")
    assert (tmp_path / "images" / "good" / "mine.txt").read_text() == "mine"


def test_a_foreign_or_edited_manifest_reads_no_picture_of_this_machine(material: Material, tmp_path: Path) -> None:
    good, _ = import_own(material, tmp_path / "images")
    theirs = Path(shutil.copytree(good.path, tmp_path / "theirs" / "good"))
    with pytest.raises(InputError, match=r"leads outside .*the same `t2i import` again"):
        read_manifest(theirs)
    draw_ball(tmp_path / "secret.png", "black", 0)
    secret = str(tmp_path / "secret.png")
    rows = [msgspec.structs.replace(row, path=secret) for row in good.rows[:1]] + list(good.rows[1:])
    formats.write_lines(good.path / MANIFEST_FILE, rows)
    with pytest.raises(InputError, match="leads outside"):
        read_manifest(good.path)
    assert import_own(material, tmp_path / "images")[0] == good


@pytest.mark.parametrize("name", ["../secret.png", "{}/secret.png", "link.png", "file://{}/secret.png"])
def test_pictures_outside_a_tables_folder_need_allow_outside(tmp_path: Path, name: str) -> None:
    name, file = name.format(tmp_path), tmp_path / "theirs" / "t.csv"
    draw_ball(tmp_path / "secret.png", "black", 0)
    file.parent.mkdir()
    (file.parent / "link.png").symlink_to(tmp_path / "secret.png")
    file.write_text(f"image,prompt\n{name},a cup\n")
    with pytest.raises(InputError, match=r"line 2, column 'image': .*--allow-outside"):
        read_material(file)
    taken = read_material(file, allow_outside=True)
    if "://" not in name:
        (images,) = import_pictures(taken.placed, taken.prompts, tmp_path / "images")
        assert images.counts == {"ok": 1}


def test_a_link_out_of_a_folder_of_pictures_is_refused(material: Material, tmp_path: Path) -> None:
    draw_ball(tmp_path / "secret.png", "black", 0)
    folder = tmp_path / "theirs" / "m"
    folder.mkdir(parents=True)
    (folder / "0.png").symlink_to(tmp_path / "secret.png")
    with pytest.raises(InputError, match=r"the path 'm/0.png' leads outside .*--allow-outside"):
        read_material(folder.parent, material.prompts)
    with pytest.raises(InputError, match="leads outside"):
        pictures_of(folder)
    assert len(read_material(folder.parent, material.prompts, allow_outside=True).placed) == 1


def test_a_picture_in_its_tables_folder_may_have_an_absolute_path(tmp_path: Path) -> None:
    draw_ball(tmp_path / "cup.png", "black", 0)
    (tmp_path / "t.csv").write_text(f"image,prompt\n{tmp_path / 'cup.png'},a cup\n")
    assert [found.source for found in read_material(tmp_path / "t.csv").placed] == [tmp_path / "cup.png"]
