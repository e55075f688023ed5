"""Verifying: sound suites and folders hold; of damaged ones exactly the damaged pairs are named."""

from __future__ import annotations

import copy
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from counterbench.cli import app
from counterbench.drawing import png
from counterbench.drawing.picture import Picture
from counterbench.drawing.render import render
from counterbench.errors import InputError
from counterbench.judges.pixels import read_answer
from counterbench.palette import COLOUR_RGB
from counterbench.scene.geometry import Box
from counterbench.scene.interventions import Change, Edit, Move, Recolour, Remove, diff
from counterbench.scene.pairs import ROLES, Digests, Pair, build
from counterbench.scene.programs.descriptions import Description
from counterbench.scene.programs.shapes import ColourOf, Count, Equals, IsInside, Relates
from counterbench.scene.questions import Question
from counterbench.scene.scene import Container, Label, Scene, Shape
from counterbench.suites.folder import Folder, metadata, picture_name
from counterbench.suites.generation import draw_pair, generate
from counterbench.suites.sources import FolderSource, SuiteSource, open_source
from counterbench.suites.suite import Suite, load_suite, parse_suite
from counterbench.verification.checks import CHECKS, check_pair
from counterbench.verification.verify import VerifyReport, verify

NAMES = ("spatial", "attribute", "counting", "containment", "arrow", "occlusion", "composition", "control")
IDS = tuple(f"{name}-{index:06d}" for name in NAMES for index in range(2))
SIDE = 240

_READ: dict[tuple[Any, ...], str] = {}


@pytest.fixture(autouse=True)
def read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading is most of the work, and most pictures of a damaged folder are whole: what was read is remembered."""

    def read(image: Image.Image, question: str) -> str:
        shown = (question, image.mode, image.size, image.tobytes())
        if shown not in _READ:
            _READ[shown] = read_answer(image, question)
        return _READ[shown]

    monkeypatch.setattr("counterbench.verification.checks.read_answer", read)


# what is sound


@pytest.mark.parametrize(
    ("name", "limit"), [("smoke", None), ("certify", 24), ("controls", 24), ("counterbench-550", 24)]
)
def test_sound_suites_and_their_folders_hold(name: str, limit: int | None, tmp_path: Path) -> None:
    suite = load_suite(name)
    drawn = verify(SuiteSource(suite, limit), workers=1)
    generate(suite, tmp_path / "out", workers=1, limit=limit)
    read = verify(FolderSource(Folder(tmp_path / "out")), workers=1)
    for report in (drawn, read):
        assert report.problems == []
        assert report.notes == []
        assert report.holds
        assert sum(report.pairs.values()) == limit or 16
        assert report.source == name
        assert all(set(found.values()) == {0} for found in report.table().values())
    assert drawn.digest == read.digest
    assert drawn.pairs == read.pairs


class Unseen(SuiteSource):
    """A suite whose pictures are not drawn: all that is checked but pixels."""

    def pictures(self, pair: Pair) -> tuple[Picture, ...]:
        return ()


@pytest.mark.slow
@pytest.mark.parametrize("limit", [1, 7, 8, 30, 53])
@pytest.mark.parametrize("name", ["certify", "controls"])
def test_every_limit_is_balanced(name: str, limit: int) -> None:
    assert verify(Unseen(load_suite(name), limit), workers=1).problems == []


def test_other_seeds_hold() -> None:
    for seed in (2, 2**63 - 1):
        assert verify(open_source("smoke", seed=seed), workers=1).holds


def test_progress_and_workers_give_the_same_report() -> None:
    seen: list[tuple[int, int]] = []
    source = SuiteSource(load_suite("counterbench-550"), 40)
    reports = [verify(source, workers=n, on_progress=lambda done, total: seen.append((done, total))) for n in (1, 3)]
    assert reports[0] == reports[1]
    assert seen == [(n, 40) for n in range(1, 41)] * 2
    with pytest.raises(InputError, match="--workers"):
        verify(source, workers=0)


# damage to a folder


@pytest.fixture(scope="module")
def suite() -> Suite:
    families = [{"name": name, "count": 2} for name in NAMES]
    families[0]["forms"] = families[3]["forms"] = ["yes-no"]
    size = {"width": SIDE, "height": SIDE, "seed": 6}
    return parse_suite({"format": "counterbench.suite/1", "name": "few", "family": families, **size}, "few.toml")


@pytest.fixture(scope="module")
def whole(suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("verify") / "few"
    generate(suite, out, workers=1)
    return out


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    shutil.copytree(whole, tmp_path / "few")
    return tmp_path / "few"


def lines_of(folder: Path, name: str = "pairs.jsonl") -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / name).read_text().splitlines()]


def put_lines(folder: Path, lines: list[dict[str, Any]], name: str = "pairs.jsonl") -> None:
    (folder / name).write_text("".join(json.dumps(line) + "\n" for line in lines))


def edit_line(folder: Path, at: int, changes: dict[str, Any] | Callable[[dict[str, Any]], None]) -> None:
    """Change a pair's line, and its line of metadata.jsonl so that the two files agree."""
    lines, others = lines_of(folder), lines_of(folder, "metadata.jsonl")
    if callable(changes):
        changes(lines[at])
    else:
        lines[at].update(changes)
    others[at].update({key: lines[at][key] for key in others[at] if key in lines[at]})
    put_lines(folder, lines)
    put_lines(folder, others, "metadata.jsonl")


def edit_suite(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    info = json.loads((folder / "suite.json").read_text())
    change(info)
    (folder / "suite.json").write_text(json.dumps(info))


def picture_of(folder: Path, id: str, role: str = "original") -> Path:
    family, index = id.split("-")
    return folder / "images" / family / f"{index}-{role}.png"


def examined(folder: Path, *more: str) -> tuple[int, dict[str, set[str]]]:
    """The exit code of `verify --json`, and by pair the checks that found something."""
    result = CliRunner().invoke(app, ["verify", str(folder), "--workers", "1", "--json", *more])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code in (0, 1), result.stderr
    document = json.loads(result.stdout)
    assert document["holds"] == (result.exit_code == 0) == (not document["problems"])
    found: dict[str, set[str]] = {}
    for problem in document["problems"]:
        assert problem["check"] in CHECKS
        assert problem["message"]
        found.setdefault(problem["pair"], set()).add(problem["check"])
    return result.exit_code, found


def recolour_picture(path: Path, swap: dict[tuple[int, ...], tuple[int, ...]]) -> None:
    pixels = np.array(png.read(path))
    for before, after in swap.items():
        pixels[(pixels == before).all(axis=2)] = after
    path.write_bytes(png.encode(Image.fromarray(pixels)))


def nudge(folder: Path, id: str, role: str, inside: bool) -> None:
    """Change one pixel by one level, inside or outside of all that the pair's edit touches."""
    pair = next(p for p in Folder(folder) if p.id == id)
    original, intervened = (render(scene) for scene in pair.scenes)
    assert pair.original is not None
    if inside:
        shape = next(s for s in pair.original.shapes if any(e.element == s.id for e in pair.change.edits))  # type: ignore[union-attr]
        at = shape.centre
    else:
        boxes = [scene.box_of(e).grown(2) for scene in pair.scenes for e in scene.elements]
        at = next(
            (x, y) for x in range(SIDE) for y in range(SIDE) if not any(Box(x, y, x, y).touches(box) for box in boxes)
        )
    path = picture_of(folder, id, role)
    image = png.read(path)
    assert image.tobytes() == (original if role == "original" else intervened).tobytes()
    red, green, blue = image.getpixel(at)  # type: ignore[misc]
    image.putpixel(at, (red, green, blue - 1 if blue else 1))
    path.write_bytes(png.encode(image))


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("name", NAMES)
def test_a_missing_picture(folder: Path, name: str, role: str) -> None:
    picture_of(folder, f"{name}-000001", role).unlink()
    assert examined(folder) == (1, {f"{name}-000001": {"picture"}})


@pytest.mark.parametrize(
    "data",
    [
        lambda d: d[: len(d) // 2],
        lambda d: d[:20],
        lambda d: b"",
        lambda d: b"GIF89a nonsense",
        lambda d: b"\xff" * 4000,
        lambda d: d[:60] + bytes([d[60] ^ 255]) + d[61:],
    ],
    ids=["half", "header", "empty", "not-a-picture", "noise", "a-byte"],
)
def test_a_damaged_picture(folder: Path, data: Callable[[bytes], bytes]) -> None:
    path = picture_of(folder, "counting-000000", "intervened")
    path.write_bytes(data(path.read_bytes()))
    assert examined(folder) == (1, {"counting-000000": {"picture"}})


def test_a_folder_in_place_of_a_picture(folder: Path) -> None:
    path = picture_of(folder, "arrow-000000")
    path.unlink()
    path.mkdir()
    assert examined(folder) == (1, {"arrow-000000": {"picture"}})


def test_an_enormous_picture(folder: Path) -> None:
    Image.new("1", (5000, 5000)).save(picture_of(folder, "arrow-000000"))
    assert examined(folder) == (1, {"arrow-000000": {"picture"}})


def test_a_picture_of_another_size(folder: Path) -> None:
    path = picture_of(folder, "arrow-000000")
    path.write_bytes(png.encode(png.read(path).crop((0, 0, SIDE - 1, SIDE))))
    code, found = examined(folder)
    assert code == 1
    assert set(found) == {"arrow-000000"}
    assert {"picture", "mask"} <= found["arrow-000000"]


def test_the_same_pixels_in_another_file_are_fine(folder: Path) -> None:
    """A digest is over decoded pixels: a picture saved again by another program is the same picture."""
    for path in folder.rglob("*.png"):
        with Image.open(path) as image:
            again = image.convert("RGBA") if "original" in path.name else image.copy()
        again.save(path, format="PNG", optimize=False)
    assert examined(folder) == (0, {})


@pytest.mark.parametrize("name", [n for n in NAMES if n != "control"])
def test_two_pictures_swapped_within_a_pair(folder: Path, name: str) -> None:
    id = f"{name}-000000"
    first, second = (picture_of(folder, id, role) for role in ROLES)
    one, other = first.read_bytes(), second.read_bytes()
    first.write_bytes(other)
    second.write_bytes(one)
    assert examined(folder) == (1, {id: {"picture", "reader"}})


def test_two_pictures_swapped_between_pairs(folder: Path) -> None:
    ids = ("attribute-000000", "counting-000001")
    first, second = (picture_of(folder, id) for id in ids)
    one, other = first.read_bytes(), second.read_bytes()
    first.write_bytes(other)
    second.write_bytes(one)
    code, found = examined(folder)
    assert code == 1
    assert set(found) == set(ids)
    assert all({"picture", "mask"} <= checks for checks in found.values())


@pytest.mark.parametrize("name", ["attribute", "arrow"])
def test_a_recoloured_shape(folder: Path, name: str) -> None:
    id = f"{name}-000000"
    pair = next(p for p in Folder(folder) if p.id == id)
    colour = pair.original_answer.split()[0]
    other = next(c for c in COLOUR_RGB if c not in pair.original_answer and c not in pair.intervened_answer)
    recolour_picture(picture_of(folder, id), {tuple(COLOUR_RGB[colour]): tuple(COLOUR_RGB[other])})  # type: ignore[index]
    code, found = examined(folder)
    assert (code, set(found)) == (1, {id})
    assert {"picture", "reader"} <= found[id]


def test_a_recoloured_shape_whose_digest_is_recorded(folder: Path) -> None:
    """Both digests and both files agree: what the scene looks like, and the reader, still tell."""
    id, at = "attribute-000000", 2
    pair = next(p for p in Folder(folder) if p.id == id)
    other = next(c for c in COLOUR_RGB if c not in pair.answers)
    colour = pair.original_answer
    path = picture_of(folder, id)
    recolour_picture(path, {tuple(COLOUR_RGB[colour]): tuple(COLOUR_RGB[other])})  # type: ignore[index]
    edit_line(folder, at, lambda line: line["digests"].update(original_pixels=png.pixel_digest(png.read(path))))
    code, found = examined(folder)
    assert (code, set(found)) == (1, {id})
    assert {"picture", "reader"} <= found[id]


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("name", ["spatial", "attribute", "containment"])
def test_one_pixel_inside_the_mask(folder: Path, name: str, role: str) -> None:
    nudge(folder, f"{name}-000000", role, inside=True)
    code, found = examined(folder)
    assert (code, set(found)) == (1, {f"{name}-000000"})
    assert "picture" in found[f"{name}-000000"]
    assert "mask" not in found[f"{name}-000000"]


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("name", [n for n in NAMES if n != "control"])
def test_one_pixel_outside_the_mask(folder: Path, name: str, role: str) -> None:
    nudge(folder, f"{name}-000001", role, inside=False)
    code, found = examined(folder)
    assert (code, set(found)) == (1, {f"{name}-000001"})
    assert {"picture", "mask"} <= found[f"{name}-000001"]


def test_one_pixel_of_both_pictures(folder: Path) -> None:
    """The two pictures agree outside of the edit, but they no longer show their scenes."""
    for role in ROLES:
        nudge(folder, "arrow-000000", role, inside=False)
    code, found = examined(folder)
    assert (code, set(found)) == (1, {"arrow-000000"})
    assert "picture" in found["arrow-000000"]
    assert "mask" not in found["arrow-000000"]


def at_of(id: str) -> int:
    name, index = id.split("-")
    return 2 * NAMES.index(name) + int(index)


def flipped(line: dict[str, Any], *keys: str) -> None:
    for key in keys:
        line[key] = {"yes": "no", "no": "yes"}[line[key]]


def turned(words: str) -> str:
    for one, other in (("left", "right"), ("above", "below")):
        if one in words:
            return words.replace(one, other)
        if other in words:
            return words.replace(other, one)
    raise AssertionError(words)


def move_first(line: dict[str, Any]) -> None:
    element = line["original"]["elements"][0]
    element["x"] += 1


EDITS: dict[str, tuple[str, Any, set[str]]] = {
    "original answer": ("spatial-000000", lambda line: flipped(line, "original_answer"), {"truth", "reader", "record"}),
    "intervened answer": (
        "containment-000001", lambda line: flipped(line, "intervened_answer"), {"truth", "reader", "record"},
    ),
    "both answers": (
        "spatial-000001",
        lambda line: flipped(line, "original_answer", "intervened_answer"),
        {"truth", "reader", "record"},
    ),
    "answers and relevant, consistently": (
        "spatial-000001",
        lambda line: line.update(intervened_answer=line["original_answer"], relevant=False),
        {"truth", "reader", "record"},
    ),
    "answer that is none": ("counting-000000", {"original_answer": "many"}, {"truth", "reader", "record"}),
    "count by one": (
        "counting-000000",
        lambda line: line.update(original_answer=str(int(line["original_answer"]) + 1)),
        {"truth", "reader", "record"},
    ),
    "relevant": ("attribute-000000", {"relevant": False}, {"truth", "record"}),
    "relevant of a control": ("control-000000", {"relevant": True}, {"truth", "record"}),
    "left for right": (
        "spatial-000000", lambda line: line.update(question=turned(line["question"])), {"truth", "reader", "record"},
    ),
    "other words": ("counting-000001", {"question": "How many?"}, {"truth", "reader", "record"}),
    "another wording": (
        "attribute-000000",
        lambda line: line.update(question=line["question"].replace("color", "colour")),
        {"truth", "record"},
    ),
    "answer type": ("counting-000000", {"answer_type": "colour"}, {"truth", "record"}),
    "answer type unknown": ("counting-000000", {"answer_type": "free"}, {"truth", "record"}),
    "difficulty": ("arrow-000000", {"difficulty": {"shapes": 99}}, {"record"}),
    "skill": ("arrow-000001", {"skill": "colour"}, {"record"}),
    "category": ("arrow-000001", {"category": "spatial"}, {"record"}),
    "form": ("arrow-000001", {"form": "yes-no"}, {"record"}),
    "intervention": ("arrow-000001", {"intervention": "swap"}, {"change", "record"}),
    "no change": ("arrow-000000", {"change": None}, {"change", "record"}),
    "another change": (
        "attribute-000000",
        lambda line: line["change"]["edits"][0].update(after=line["change"]["edits"][0]["before"]),
        {"change", "record"},
    ),
    "an edit too many": (
        "attribute-000001",
        lambda line: line["change"]["edits"].append({"element": "s0", "field": "x", "before": 1, "after": 2}),
        {"change", "record"},
    ),
    "no edit": ("arrow-000000", {"edit": None}, {"change", "record"}),
    "another edit": (
        "attribute-000000", lambda line: line["edit"].update(target="nowhere"), {"change", "record"},
    ),
    "no program": ("arrow-000000", {"program": None}, {"truth", "record"}),
    "another program": (
        "counting-000000", {"program": {"op": "arrow-target"}}, {"truth", "record"},
    ),
    "scene": ("occlusion-000000", move_first, {"change", "picture", "record"}),
    "scene's background": (
        "occlusion-000000",
        lambda line: line["original"].update(background=line["original"]["background"] - 1),
        {"change", "picture", "record"},
    ),
    "scene's size": (
        "occlusion-000000", lambda line: line["intervened"].update(width=400), {"change", "picture", "record"},
    ),
    "scenes exchanged": (
        "spatial-000000",
        lambda line: line.update(original=line["intervened"], intervened=line["original"]),
        {"truth", "change", "picture", "record"},
    ),
    "digest of a scene": (
        "containment-000000", lambda line: line["digests"].update(original_scene="0" * 32), {"picture"},
    ),
    "digest of pixels": (
        "containment-000000", lambda line: line["digests"].update(intervened_pixels="0" * 32), {"picture"},
    ),
    "no digest of pixels": (
        "containment-000000", lambda line: line["digests"].update(intervened_pixels=""), {"record"},
    ),
    "no digests": ("containment-000000", {"digests": None}, {"picture", "record"}),
    "published": ("containment-000000", {"truth": "published"}, {"record"}),
    "stratum": ("spatial-000000", {"stratum": "open"}, {"record"}),
}  # fmt: skip


@pytest.mark.parametrize("what", EDITS)
def test_an_edited_line(folder: Path, what: str) -> None:
    id, change, checks = EDITS[what]
    edit_line(folder, at_of(id), change)
    code, found = examined(folder)
    found.pop("(all)", None)  # an edited answer may unbalance its family too
    assert (code, set(found)) == (1, {id})
    assert checks <= found[id]
    if what in ("digest of a scene", "digest of pixels", "no digest of pixels", "difficulty", "skill", "form"):
        assert found[id] == checks


@pytest.mark.parametrize("key", ["index", "family", "id"])
def test_an_edited_name(folder: Path, key: str) -> None:
    value = {"index": 7, "family": "arrow", "id": "spatial-000007"}[key]
    edit_line(folder, 0, {key: value})
    code, found = examined(folder)
    named = value if key == "id" else "spatial-000000"
    found.pop("(all)", None)
    assert (code, set(found)) == (1, {named, "spatial-000000"})  # an item called otherwise is missing itself
    assert "record" in found[str(named)]


@pytest.mark.parametrize(
    ("id", "change"),
    [
        ("control-000000", {"stratum": "x"}),
        ("control-000000", {"stratum": "open/no/no"}),
        ("counting-000000", {"edit": {"kind": "remove", "target": "no"}}),
        ("attribute-000000", {"edit": {"kind": "redirect", "target": "s0", "tip_x": 1, "tip_y": 1}}),
        (
            "counting-000000",
            {"program": {"op": "equals", "program": {"op": "count", "kind": None, "colour": "red"}, "value": "²"}},
        ),
        ("counting-000000", {"original": None}),
    ],
)
def test_no_edited_line_breaks_verify(folder: Path, id: str, change: dict[str, Any]) -> None:
    edit_line(folder, at_of(id), change)
    code, found = examined(folder)
    assert code == 1
    assert id in found


def test_a_whole_other_item_is_not_the_suites(folder: Path, suite: Suite) -> None:
    """Scene, question, answers, digests, pictures and metadata all agree, but no suite draws this item here."""
    pair, *pictures = draw_pair(suite.reseeded(7)[0])
    lines, others = lines_of(folder), lines_of(folder, "metadata.jsonl")
    lines[0], others[0] = msgspec.to_builtins(pair), metadata(pair)
    put_lines(folder, lines)
    put_lines(folder, others, "metadata.jsonl")
    for role, data in zip(ROLES, pictures, strict=True):
        (folder / picture_name(pair, role)).write_bytes(data)
    code, found = examined(folder)
    found.pop("(all)", None)
    assert (code, found) == (1, {"spatial-000000": {"record"}})


# lines


def both(folder: Path, change: Callable[[list[dict[str, Any]]], list[dict[str, Any]]]) -> None:
    for name in ("pairs.jsonl", "metadata.jsonl"):
        put_lines(folder, change(lines_of(folder, name)), name)


@pytest.mark.parametrize(
    "change", [lambda x: x[1:], lambda x: x[:-1], lambda x: x + x[:1], lambda x: x[:1] + x, lambda x: []]
)
@pytest.mark.parametrize("metadata_too", [False, True])
def test_lines_deleted_or_duplicated(folder: Path, change: Callable[[Any], Any], metadata_too: bool) -> None:
    """verify names what is missing or there twice; who only reads is told that the folder is not whole."""
    if metadata_too:
        both(folder, change)
    else:
        put_lines(folder, change(lines_of(folder)))
    there = [line["id"] for line in lines_of(folder)]
    code, found = examined(folder)
    assert code == 1
    gone = {id for id in IDS if id not in there}
    twice = {id for id in there if there.count(id) > 1}
    assert gone | twice <= set(found)
    result = CliRunner().invoke(app, ["gallery", str(folder), "--out", str(folder.parent / "x.png")])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "pairs.jsonl" in result.stderr
    assert "suite.json says 16" in result.stderr
    assert not (folder.parent / "x.png").exists()


def test_a_line_in_place_of_another(folder: Path) -> None:
    both(folder, lambda lines: lines[:-1] + lines[:1])
    code, found = examined(folder)
    assert code == 1
    assert "unique" in found["spatial-000000"]
    assert set(found) <= {"spatial-000000", "control-000001", "(all)"}


def test_lines_reordered(folder: Path) -> None:
    lines = lines_of(folder)
    put_lines(folder, [lines[1], lines[0], *lines[2:]])
    assert examined(folder) == (1, {"spatial-000001": {"record"}})


def test_lines_reordered_in_both_files(folder: Path) -> None:
    both(folder, lambda lines: [lines[1], lines[0], *lines[2:]])
    assert examined(folder)[0] == 1


@pytest.mark.parametrize("torn", ['{"format": "counterbench.pair/1", "id"', "nonsense", "[]", '"x"', "\x00"])
@pytest.mark.parametrize("name", ["pairs.jsonl", "metadata.jsonl"])
def test_a_line_that_is_none_is_named(folder: Path, name: str, torn: str) -> None:
    lines = (folder / name).read_text().splitlines()
    (folder / name).write_text("\n".join([*lines[:3], torn, *lines[4:], ""]))
    result = CliRunner().invoke(app, ["verify", str(folder), "--workers", "1"])
    assert result.exit_code == 2
    errors = [line for line in result.stderr.splitlines() if not line.startswith("verifying: ")]
    assert len(errors) == 1
    assert f"{folder / name}, line 4: " in errors[0]


def test_a_line_of_a_newer_format_says_so(folder: Path) -> None:
    edit_line(folder, 3, {"format": "counterbench.pair/2"})
    result = CliRunner().invoke(app, ["verify", str(folder), "--workers", "1"])
    assert result.exit_code == 2
    assert "line 4" in result.stderr
    assert "newer format" in result.stderr


def test_missing_metadata_is_a_problem_of_the_folder(folder: Path) -> None:
    (folder / "metadata.jsonl").unlink()
    assert examined(folder) == (1, {"(all)": {"record"}})


@pytest.mark.parametrize("name", ["pairs.jsonl", "suite.json"])
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    result = CliRunner().invoke(app, ["verify", str(folder), "--workers", "1"])
    assert result.exit_code == 2
    assert name in result.stderr.splitlines()[-1]


# metadata.jsonl


@pytest.mark.parametrize("key", ["question", "original_answer", "original_file_name", "id", "relevant"])
def test_an_edited_line_of_metadata(folder: Path, key: str) -> None:
    lines = lines_of(folder, "metadata.jsonl")
    lines[5][key] = "other"
    put_lines(folder, lines, "metadata.jsonl")
    code, found = examined(folder)
    found.pop("(all)", None)  # under another id the line is of no pair
    assert (code, found) == (1, {"counting-000001": {"record"}})


def test_a_key_too_many_or_missing_in_metadata(folder: Path) -> None:
    lines = lines_of(folder, "metadata.jsonl")
    lines[5]["file_name"] = "x"
    del lines[6]["question"]
    put_lines(folder, lines, "metadata.jsonl")
    assert examined(folder) == (1, {"counting-000001": {"record"}, "containment-000000": {"record"}})


def test_lines_of_metadata_missing_or_too_many(folder: Path) -> None:
    lines = lines_of(folder, "metadata.jsonl")
    put_lines(folder, lines[:-1], "metadata.jsonl")
    assert examined(folder) == (1, {"control-000001": {"record"}})
    put_lines(folder, [*lines, lines[0]], "metadata.jsonl")
    assert examined(folder) == (1, {"(all)": {"record"}})


# suite.json


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda d: d.update(seed=9), None),
        (lambda d: d["canvas"].update(width=400), None),
        (lambda d: d["canvas"].update(background=230), None),
        (lambda d: d["families"][0].update(count=1), {"spatial-000001"}),
        (lambda d: d["families"].pop(3), {"containment-000000", "containment-000001"}),
        (lambda d: d["families"][2]["params"].update(gap=9), {"counting-000000", "counting-000001"}),
        (lambda d: d["families"][2].update(forms=["yes-no"]), {"counting-000000", "counting-000001"}),
    ],
)
def test_an_edited_definition(folder: Path, change: Callable[[Any], None], named: set[str] | None) -> None:
    edit_suite(folder, lambda info: change(info["definition"]))
    code, found = examined(folder)
    found.pop("(all)", None)
    assert code == 1
    assert found
    assert all("record" in checks for checks in found.values())
    if named is not None:
        assert set(found) <= named
    else:
        assert len(found) >= 14  # an item may be the same by chance


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.clear(),
        lambda d: d.update(families=3),
        lambda d: d.update(seed="x"),
        lambda d: d["families"][0].update(name="spatail"),
        lambda d: d["families"][0]["params"].update(colours=3),
        lambda d: d["families"][0]["params"].update(gap="x"),
        lambda d: d["families"][0].pop("forms"),
        lambda d: d["canvas"].update(width=3),
        lambda d: d["families"][0].update(count="2"),
        lambda d: d["families"][0].update(forms=[]),
        lambda d: d["families"][0].update(forms=["x"]),
    ],
)
def test_a_damaged_definition_is_one_message(folder: Path, change: Callable[[Any], None]) -> None:
    edit_suite(folder, lambda info: change(info["definition"]))
    result = CliRunner().invoke(app, ["verify", str(folder), "--workers", "1", "--json"])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("pairs", [15, 17, 0, -1])
def test_an_edited_number_of_pairs(folder: Path, pairs: int) -> None:
    edit_suite(folder, lambda info: info.update(pairs=pairs))
    result = CliRunner().invoke(app, ["verify", str(folder), "--workers", "1", "--json"])
    assert result.exit_code == 2
    assert result.stderr.startswith(f"error: {folder / 'suite.json'}: ")
    assert str(pairs) in result.stderr


@pytest.mark.parametrize(
    "change",
    [
        lambda i: i.update(digest="0" * 32),
        lambda i: i.update(seed=9),
        lambda i: i.update(name="other"),
        lambda i: i.update(limit=3),
        lambda i: i["counts"].update(spatial=5),
        lambda i: i["definition"].update(name="x"),
        lambda i: i["definition"].update(renderer=9),
        lambda i: i["definition"]["families"][0].update(count=3),
    ],
)
def test_suite_json_must_agree_with_itself_and_the_pairs(folder: Path, change: Callable[[Any], None]) -> None:
    edit_suite(folder, change)
    result = CliRunner().invoke(app, ["verify", str(folder), "--workers", "1", "--json"])
    assert result.exit_code in (1, 2)


def test_edited_counts_and_a_limit_end(folder: Path) -> None:
    edit_suite(folder, lambda info: info.update(counts={"spatial": 1}))
    command = [sys.executable, "-m", "counterbench", "verify", str(folder), "--workers", "1", "--limit", "5"]
    assert subprocess.run(command, capture_output=True, timeout=20).returncode in (1, 2)


def keep(folder: Path, wanted: Callable[[dict[str, Any]], bool]) -> None:
    """A folder with some of its pairs only, everything else about it in agreement."""
    kept = [wanted(line) for line in lines_of(folder)]
    both(folder, lambda lines: [line for line, keep in zip(lines, kept, strict=True) if keep])
    lines = lines_of(folder)
    counts: dict[str, int] = {}
    for line in lines:
        counts[line["family"]] = counts.get(line["family"], 0) + 1
    edit_suite(folder, lambda info: info.update(pairs=len(lines), counts=counts))


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    families = [{"name": "spatial", "count": 12, "forms": ["yes-no"]}, {"name": "counting", "count": 10}]
    data = {"format": "counterbench.suite/1", "name": "many", "family": families, "width": 320, "height": 320}
    out = tmp_path_factory.mktemp("verify") / "many"
    generate(parse_suite(data, "many.toml"), out, workers=1)
    return out


@pytest.mark.parametrize(
    ("wanted", "family"),
    [
        (lambda line: line["original_answer"] != "no", "spatial"),
        (lambda line: line["family"] != "spatial" or line["original_answer"] == "yes" or line["index"] < 6, "spatial"),
        (lambda line: line["family"] != "counting" or line["original_answer"] in "23", "counting"),
    ],
)
def test_an_unbalanced_subset(many: Path, tmp_path: Path, wanted: Callable[[Any], bool], family: str) -> None:
    folder = tmp_path / "many"
    shutil.copytree(many, folder)
    keep(folder, wanted)
    result = CliRunner().invoke(app, ["verify", str(folder), "--workers", "1", "--json"])
    assert result.exit_code == 1
    problems = json.loads(result.stdout)["problems"]
    unbalanced = [p for p in problems if p["check"] == "balance"]
    assert {(p["pair"], p["family"]) for p in unbalanced} == {("(all)", family)}
    assert all("not within one" in p["message"] for p in unbalanced)
    assert {p["check"] for p in problems} == {"balance", "record", "picture"}  # and the pairs left out are missed


@pytest.mark.parametrize("wanted", [lambda line: line["family"] != "spatial", lambda line: False])
def test_a_balanced_subset_is_not_the_suite(folder: Path, wanted: Callable[[Any], bool]) -> None:
    keep(folder, wanted)
    result = CliRunner().invoke(app, ["verify", str(folder), "--workers", "1"])
    assert result.exit_code in (1, 2)


def test_many_pairs_damaged_are_all_named_whatever_the_workers(many: Path, tmp_path: Path) -> None:
    folder = tmp_path / "many"
    shutil.copytree(many, folder)
    for index in (0, 5, 11):
        picture_of(folder, f"spatial-{index:06d}").unlink()
    reports: list[VerifyReport] = [verify(FolderSource(Folder(folder)), workers=n) for n in (1, 2)]
    assert reports[0] == reports[1]
    assert [p.pair for p in reports[0].problems] == ["spatial-000000", "spatial-000005", "spatial-000011"]
    assert reports[0].table()["spatial"]["picture"] == 3
    assert reports[0].table()["counting"]["picture"] == 0
    limited = verify(FolderSource(Folder(folder), limit=4), workers=1)  # two of each family
    assert [p.pair for p in limited.problems] == ["spatial-000000"]


def test_another_pillow_is_noted_and_digests_still_hold(folder: Path) -> None:
    edit_suite(folder, lambda info: info["versions"].update(pillow="11.0.0"))
    report = verify(FolderSource(Folder(folder)), workers=1)
    assert report.holds
    assert any("Pillow 11.0.0" in note for note in report.notes)
    nudge(folder, "spatial-000000", "original", inside=True)
    assert {p.check for p in verify(FolderSource(Folder(folder)), workers=1).problems} == {"picture"}


def test_another_version_of_a_family_is_noted(folder: Path) -> None:
    edit_suite(folder, lambda info: info["definition"]["families"][0].update(version=2))
    report = verify(FolderSource(Folder(folder)), workers=1)
    assert report.holds
    assert any("another version" in note for note in report.notes)


# pairs that no suite can produce

CIRCLE = Shape("a", "circle", "red", 80, 80, 30)
SQUARE = Shape("b", "square", "blue", 240, 80, 30)
OTHER = Shape("c", "diamond", "green", 160, 240, 30)
SCENE = Scene(320, 320, 245, (CIRCLE, SQUARE, OTHER))
ASK_CIRCLE = ColourOf(Description(kind="circle"))


def made(scene: Scene, edit: Any, program: Any, **more: Any) -> Pair:
    """A pair that `build` accepts, with digests of its pictures."""
    pair = build(
        id="x-0", index=0, family="attribute", category="attribute", skill="colour", stratum="open", scene=scene,
        intervention=edit, question=Question(program.wordings()[0], program), difficulty={},
    )  # fmt: skip
    return redrawn(msgspec.structs.replace(pair, **more))


def redrawn(pair: Pair) -> Pair:
    scenes = pair.scenes
    return msgspec.structs.replace(
        pair, digests=Digests(*(s.digest for s in scenes), *(png.pixel_digest(render(s)) for s in scenes))
    )


def checked(pair: Pair, *images: Image.Image) -> dict[str, list[str]]:
    """What is found, by check."""
    shown = images or tuple(render(scene) for scene in pair.scenes)
    pictures = [Picture(lambda image=image: png.encode(image), "picture") for image in shown]  # type: ignore[misc]
    found: dict[str, list[str]] = {}
    for problem in check_pair(pair, pictures, same_renderer=True):
        assert (problem.pair, problem.family) == ("x-0", pair.family)
        found.setdefault(problem.check, []).append(problem.message)
    return found


RECOLOURED = Recolour("a", "yellow")


def test_a_sound_pair_has_no_problem() -> None:
    assert checked(made(SCENE, RECOLOURED, ASK_CIRCLE)) == {}
    assert (
        checked(made(SCENE, Move("a", 250, 240), Relates(Description("circle"), "left", Description("diamond")))) == {}
    )
    assert checked(made(SCENE, Remove("b"), Count("square"))) == {}
    lettered = SCENE.with_elements(*SCENE.elements, Label("l", "A", "a"))
    assert checked(made(lettered, Move("a", 160, 160), ColourOf(Description(letter="A")))) == {}  # its letter moves too


def test_an_ambiguous_scene() -> None:
    pair = made(SCENE, RECOLOURED, ASK_CIRCLE)
    twin = Shape("d", "circle", "pink", 60, 240, 30)
    scenes = [scene.with_elements(*scene.elements, twin) for scene in pair.scenes]
    found = checked(redrawn(msgspec.structs.replace(pair, original=scenes[0], intervened=scenes[1])))
    assert len(found["truth"]) == 2
    assert all("ambiguous" in message for message in found["truth"])
    assert len(found["reader"]) == 2  # the reader sees two circles too
    assert set(found) == {"truth", "reader"}


def test_an_ambiguous_intervened_scene() -> None:
    inside = Scene(320, 320, 245, (Container("box", 160, 160, 90, 90, 4), Shape("a", "circle", "red", 160, 160, 20)))
    program = IsInside(Description("circle", "red"))
    pair = made(inside, Move("a", 40, 40), program)
    edge = Move("a", 70, 160)
    moved = inside.replaced(msgspec.structs.replace(inside.shape("a"), x=70))
    wrong = msgspec.structs.replace(pair, edit=edge, change=diff(inside, moved), intervened=moved)
    found = checked(redrawn(wrong))
    assert [m.split(" picture")[0] for m in found["truth"]] == ["the intervened"]


@pytest.mark.parametrize(("x", "wrong"), [(139, True), (140, True), (141, True), (142, False), (143, False)], ids=str)
def test_shapes_that_touch(x: int, wrong: bool) -> None:
    """A pixel lies between two boxes: 80 + 30 = 110 is the circle's last column, x - 30 the square's first."""
    scene = SCENE.replaced(msgspec.structs.replace(SQUARE, x=x))
    found = checked(made(scene, RECOLOURED, ASK_CIRCLE))
    assert ("layout" in found) == wrong, found
    if wrong:
        assert found["layout"] == ["original: a and b touch", "intervened: a and b touch"]


def test_overlapping_shapes_only_where_covering_is_the_point() -> None:
    scene = SCENE.replaced(msgspec.structs.replace(SQUARE, x=115))
    assert "a and b touch" in checked(made(scene, RECOLOURED, ASK_CIRCLE))["layout"][0]
    occluded = made(scene, RECOLOURED, ASK_CIRCLE, skill="visible-count")
    assert "layout" not in checked(occluded)


def test_a_change_that_was_not_declared() -> None:
    pair = made(SCENE, RECOLOURED, ASK_CIRCLE)
    assert pair.intervened is not None
    sneaked = pair.intervened.replaced(msgspec.structs.replace(OTHER, x=165))
    found = checked(redrawn(msgspec.structs.replace(pair, intervened=sneaked)))
    assert len(found["change"]) == 3  # not the recorded one, not the declared one, not what the edit gives
    assert any("outside the edit" in message for message in found["mask"])
    assert set(found) == {"change", "mask"}
    recorded = msgspec.structs.replace(pair, intervened=sneaked, change=diff(SCENE, sneaked))
    assert set(checked(redrawn(recorded))) == {"change"}  # the record fits; the declaration does not


def test_a_change_that_was_declared_and_not_made() -> None:
    pair = made(SCENE, RECOLOURED, ASK_CIRCLE)
    found = checked(redrawn(msgspec.structs.replace(pair, intervened=SCENE)))
    assert {"truth", "change", "mask", "reader"} == set(found)
    assert found["mask"] == ["the two pictures are the same"]


def test_a_record_that_says_something_else() -> None:
    pair = made(SCENE, RECOLOURED, ASK_CIRCLE)
    for change in (Change(), Change((Edit("a", "colour", "red", "green"),)), Change((Edit("b", "x", 1, 2),))):
        assert "change" in checked(msgspec.structs.replace(pair, change=change))
    assert list(checked(msgspec.structs.replace(pair, intervention="swap"))) == ["change"]
    assert "change" in checked(msgspec.structs.replace(pair, edit=Recolour("a", "green")))
    assert "change" in checked(msgspec.structs.replace(pair, edit=Recolour("nowhere", "green")))


@pytest.mark.parametrize("dx", [160, 120])
def test_a_letter_over_another_shape(dx: int) -> None:
    scene = SCENE.with_elements(*SCENE.elements, Label("l", "A", "a", dx, 0))
    found = checked(made(scene, RECOLOURED, ASK_CIRCLE))
    assert all("label l lies over b" in message for message in found["layout"])
    assert len(found["layout"]) == 2


def test_a_letter_clear_of_other_shapes() -> None:
    scene = SCENE.with_elements(*SCENE.elements, Label("l", "A", "a", 0, 60))
    assert "layout" not in checked(made(scene, RECOLOURED, ASK_CIRCLE))


@pytest.mark.parametrize(
    ("change", "checks"),
    [
        ({"original_answer": "green"}, {"truth", "reader"}),
        ({"intervened_answer": "red", "relevant": False}, {"truth", "reader"}),
        ({"original_answer": "Red"}, {"truth", "reader"}),
        ({"original_answer": "yellow", "intervened_answer": "red"}, {"truth", "reader"}),
        ({"relevant": False}, {"truth"}),
        ({"answer_type": "integer"}, {"truth"}),
        ({"question": "What color is the square?"}, {"truth", "reader"}),
        ({"question": ""}, {"truth", "reader"}),
        ({"program": ColourOf(Description(kind="square"))}, {"truth"}),
        ({"program": Equals(ASK_CIRCLE, "red")}, {"truth"}),
        ({"program": None}, {"truth"}),
        ({"edit": None}, {"change"}),
        ({"change": None}, {"change"}),
        ({"digests": None}, {"picture"}),
    ],
    ids=lambda value: "+".join(sorted(value)),
)
def test_each_field_is_held_against_the_scene(change: dict[str, Any], checks: set[str]) -> None:
    pair = msgspec.structs.replace(made(SCENE, RECOLOURED, ASK_CIRCLE), **change)
    assert set(checked(pair)) == checks


def test_pictures_are_held_against_scene_digest_and_each_other() -> None:
    pair = made(SCENE, RECOLOURED, ASK_CIRCLE)
    original, intervened = (render(scene) for scene in pair.scenes)
    assert set(checked(pair, intervened, original)) == {"picture", "reader"}
    assert set(checked(pair, original, original)) == {"picture", "mask", "reader"}
    for at in ((0, 0), (319, 319), (160, 160)):
        spotted = original.copy()
        spotted.putpixel(at, (245, 245, 244))
        found = checked(pair, spotted, intervened)
        assert {"picture", "mask"} <= set(found)
        assert f"within ({at[0]}, {at[1]}, {at[0] + 1}, {at[1] + 1})" in found["mask"][0]
    assert "differ in size" in checked(pair, original, intervened.resize((300, 320)))["mask"][0]
    other = redrawn(
        msgspec.structs.replace(pair, original=SCENE.replaced(msgspec.structs.replace(SQUARE, colour="red")))
    )
    assert pair.digests is not None
    assert other.digests is not None
    assert pair.digests.original_scene != other.digests.original_scene
    assert "picture" in checked(msgspec.structs.replace(pair, digests=other.digests))


def test_a_picture_that_cannot_be_read_is_a_problem_and_no_end() -> None:
    pair = made(SCENE, RECOLOURED, ASK_CIRCLE)
    good = Picture(lambda: png.encode(render(SCENE)), "good")
    bad = Picture(lambda: b"\x89PNG\r\n\x1a\n nonsense", "bad")
    found = list(check_pair(pair, [good, bad], same_renderer=True))
    assert [(p.check, "bad: not a readable picture" in p.message) for p in found] == [("picture", True)]


def test_a_problem_knows_its_check() -> None:
    assert len(set(CHECKS)) == len(CHECKS)
    report = VerifyReport("x", "0")
    assert report.holds
    assert report.table() == {}
    assert copy.deepcopy(report) == report
