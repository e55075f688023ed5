"""Stickers on the command line: `generate --onto`, `validate --for stickers --onto`."""

import csv
import re
import shutil
from pathlib import Path

import pytest
from commands import document, done, fails
from PIL import Image
from skimage import data


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pictures")
    for number in range(12):
        picture = Image.fromarray(data.coffee()).crop((20 * number, 10, 20 * number + 300, 310))
        picture.save(folder / f"{number}.png")
    return folder


@pytest.mark.slow
def test_generate_draws_a_valid_folder_of_sticker_pairs(pictures: Path, tmp_path: Path) -> None:
    for number in (12, 3):  # also fewer pairs than families
        out = tmp_path / f"stickers-{number}"
        assert f"{number} pairs of stickers" in done(
            "generate", "stickers", "--onto", pictures, "--limit", number, "--out", out
        )
        assert "every check holds" in done("verify", out)
    table, elsewhere = pictures.parent / "table.csv", tmp_path / "table.csv"
    with table.open("w", newline="") as file:
        csv.writer(file).writerows([("image", "prompt"), *((f"{n.resolve()}", "a cup") for n in pictures.iterdir())])
    more = ("--limit", 4, "--out", tmp_path / "more")
    of_table = document("generate", "stickers", "--onto", table, *more)
    elsewhere.write_bytes(table.read_bytes())
    assert "leads outside" in fails("generate", "stickers", "--onto", elsewhere, *more)
    assert of_table["pairs"] == 4
    assert of_table["definition"]["style"] == "sticker"


@pytest.mark.slow
def test_a_judge_is_tested_on_stickers(pictures: Path, tmp_path: Path) -> None:
    options = ("--for", "stickers", "--onto", pictures, "--out", tmp_path / "run")
    planned = document("validate", "pixels", *options, "--plan")
    assert (planned["pairs"], planned["pictures"], planned["no_room"]) == (60, 12, 0)
    assert planned["calls"] == 12 + 120
    assert not (tmp_path / "run").exists()
    output = done("validate", "pixels", *options)
    assert "asks: 12 pictures as they are, then 60 pairs of stickers on them" in output
    assert "passes: it sees stickers on these pictures" in output
    assert re.search(r"not counted: .*jpeg", output)  # which it does not read
    assert "pictures without stickers: 67 drawn, 12 different" in output
    again = document("validate", "pixels", *options)
    assert (again["verdict"], again["left_out"]) == ("pass", 0)


@pytest.mark.slow
def test_a_failed_judge_exits_with_1_and_a_stopped_test_with_3(pictures: Path, tmp_path: Path) -> None:
    options = ("--for", "stickers", "--onto", pictures, "--out")
    failed = done("validate", "planted:style-blind?p=1", *options, tmp_path / "blind", code=1)
    assert "shown to be no more than 85 %" in failed
    undecided = done("validate", "planted:left-blind?p=1", *options, tmp_path / "left", code=1)
    next_one = f"validate 'planted:left-blind?p=1' --for stickers --onto {pictures} --by-family"
    assert undecided.splitlines()[-1] == f"next: counterbench {next_one}"
    done("validate", "pixels", *options, tmp_path / "few", "--max-calls", 20, code=3)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("generate stickers", "stickers need pictures to lie on"),
        ("generate laws --onto {}", "cannot show the family 'laws'"),
        ("generate stickers --onto {} --size 300", "with --onto, your pictures set both"),
        ("generate stickers --onto {}/nowhere", "nowhere"),
        ("validate pixels --for certify --onto {}", "--for stickers --onto"),
        ("validate pixels --for stickers", "--for stickers needs pictures of your own"),
    ],
)
def test_impossible_sticker_options_are_refused(command: str, message: str, pictures: Path, tmp_path: Path) -> None:
    assert message in fails(*command.format(pictures).split(), "--out", tmp_path / "out")


def test_pictures_without_room_are_counted_and_broken_ones_named(pictures: Path, tmp_path: Path) -> None:
    own = Path(shutil.copytree(pictures, tmp_path / "own"))
    Image.new("RGB", (100, 300)).save(own / "small.png")
    planned = done("validate", "pixels", "--for", "stickers", "--onto", own, "--plan")
    assert f"stickers on 12 pictures of {own}; left out, with a side below 256 pixels: 1" in planned
    for file in pictures.iterdir():
        (own / file.name).write_bytes(file.read_bytes()[:2000])
    refused = fails("generate", "stickers", "--onto", own, "--out", tmp_path / "out")
    assert re.search(r"own/\d+\.png: not a readable picture .*; leave it out$", refused)
