"""Verifying: sound suites and folders hold; of damaged ones exactly the damaged pairs are named."""

import json
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from scenery import edit_json, suite_of

from counterbench.drawing import png, reading
from counterbench.drawing.render import render
from counterbench.errors import FormatError, InputError
from counterbench.files import formats
from counterbench.judges.pixels import PixelReading
from counterbench.scene.programs.clauses import Clause
from counterbench.scene.programs.shapes import IsInside
from counterbench.scene.scene import Scene
from counterbench.suites.folder import Folder
from counterbench.suites.generation import generate
from counterbench.suites.sources import FolderSource, SuiteSource
from counterbench.suites.suite import Suite, load_suite
from counterbench.verification.checks import CHECKS
from counterbench.verification.verify import VerifyReport, _balance_problems, verify

NAMES = ("spatial", "attribute", "counting", "containment", "arrow", "occlusion", "composition", "control")
IDS = tuple(f"{name}-{index:06d}" for name in NAMES for index in range(2))
SIDE = 240

_READ: dict[tuple[Any, ...], str] = {}


@pytest.fixture(autouse=True)
def read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading is most of the work, and most pictures of a damaged folder are whole: what was read is remembered."""

    class Remembered(PixelReading):
        def answer(self, question: str) -> str:
            shown = (question, self._image.mode, self._image.size, self._image.tobytes())
            if shown not in _READ:
                _READ[shown] = super().answer(question)
            return _READ[shown]

    monkeypatch.setattr("counterbench.verification.checks.PixelReading", Remembered)


@pytest.mark.parametrize(("name", "limit"), [("smoke", None), ("controls", 24), ("certify", 7)])
def test_sound_suites_and_their_folders_verify(name: str, limit: int | None, tmp_path: Path) -> None:
    suite = load_suite(name)
    drawn = verify(SuiteSource(suite, limit), workers=1)
    generate(suite, tmp_path / "out", workers=1, limit=limit)
    read = verify(FolderSource(Folder(tmp_path / "out")), workers=1)
    for report in (drawn, read):
        assert (report.problems, report.notes, report.holds) == ([], [], True)
        assert sum(report.pairs.values()) == (limit or 18)
        assert report.source == name
        assert [found for found in report.table().values() if set(found.values()) != {0}] == []
    assert drawn.digest == read.digest
    assert drawn.pairs == read.pairs


def test_progress_and_workers_give_the_same_report(suite: Suite) -> None:
    steps: list[tuple[int, int]] = []
    source = SuiteSource(suite)
    reports = [verify(source, workers=n, on_progress=lambda done, total: steps.append((done, total))) for n in (1, 2)]
    assert reports[0] == reports[1]
    assert steps == [(n, 16) for n in range(1, 17)] * 2


@pytest.fixture(scope="module")
def suite() -> Suite:
    families = [{"name": name, "count": 2} for name in NAMES]
    families[0]["forms"] = families[3]["forms"] = ["yes-no"]
    return suite_of(*families, name="few", width=SIDE, height=SIDE, seed=6)


@pytest.fixture(scope="module")
def whole(suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("verify") / "few"
    generate(suite, out, workers=1)
    return out


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "few"))


def lines_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "pairs.jsonl").read_text().splitlines()]


def put_lines(folder: Path, lines: list[dict[str, Any]]) -> None:
    (folder / "pairs.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


def record_digest(folder: Path) -> None:
    """Record the digest of the lines as they are now."""
    digest = formats.file_digest(folder / "pairs.jsonl")
    edit_json(folder / "suite.json", lambda info: info.update(pairs_digest=digest))


def picture_of(folder: Path, id: str, role: str = "original") -> Path:
    family, index = id.split("-")
    return folder / "images" / family / f"{index}-{role}.png"


def examined(folder: Path) -> dict[str, set[str]]:
    """By pair the checks that found something."""
    report = verify(FolderSource(Folder(folder)), workers=1)
    assert report.holds == (not report.problems)
    found: dict[str, set[str]] = {}
    for problem in report.problems:
        assert problem.check in CHECKS
        assert problem.message
        found.setdefault(problem.pair, set()).add(problem.check)
    return found


def nudge(folder: Path, id: str, role: str) -> None:
    """Change one pixel of a shape by one level, within what the pair's edit touches."""
    pair = next(p for p in Folder(folder) if p.id == id)
    original, intervened = (render(scene) for scene in pair.scenes)
    shape = next(s for s in pair.original.shapes if any(e.element == s.id for e in pair.change.edits))
    at, path = shape.centre, picture_of(folder, id, role)
    image = reading.read(path)
    assert image.tobytes() == (original if role == "original" else intervened).tobytes()
    red, green, blue = image.getpixel(at)
    image.putpixel(at, (red, green, blue - 1 if blue else 1))
    path.write_bytes(png.encode(image))


@pytest.mark.parametrize(
    "data",
    [None, lambda d: d[: len(d) // 2], lambda d: b"", lambda d: d[:60] + bytes([d[60] ^ 255]) + d[61:]],
    ids=["missing", "half", "empty", "a-byte"],
)
def test_a_damaged_picture_is_named(folder: Path, data: Callable[[bytes], bytes] | None) -> None:
    path = picture_of(folder, "counting-000000", "intervened")
    if data is None:
        path.unlink()
    else:
        path.write_bytes(data(path.read_bytes()))
    assert examined(folder) == {"counting-000000": {"picture"}}


def test_equal_pixels_in_another_file_are_no_problem(folder: Path) -> None:
    """A digest is over decoded pixels: a picture saved again by another program is the same picture."""
    for path in folder.rglob("*.png"):
        with Image.open(path) as image:
            again = image.convert("RGBA") if "original" in path.name else image.copy()
        again.save(path, format="PNG", optimize=False)
    assert examined(folder) == {}


@pytest.mark.parametrize(("name", "role"), [("spatial", "original"), ("attribute", "intervened")])
def test_one_wrong_pixel_inside_the_mask_is_found(folder: Path, name: str, role: str) -> None:
    nudge(folder, f"{name}-000000", role)
    found = examined(folder)
    assert set(found) == {f"{name}-000000"}
    assert "picture" in found[f"{name}-000000"]
    assert "mask" not in found[f"{name}-000000"]


@pytest.mark.parametrize(
    ("id", "change", "checks"),
    [
        ("counting-000000", lambda line: line.update(original_answer="many"), {"truth", "reader"}),
        ("counting-000000", lambda line: line.update(original=None), {"truth"}),
        ("occlusion-000000", lambda line: line["original"]["elements"][0].update(x=99), {"change", "picture"}),
    ],
    ids=["answer", "no scene", "scene"],
)
def test_an_edited_line_is_seen(id: str, change: Callable[[Any], None], checks: set[str], folder: Path) -> None:
    """Also where the digest of the lines is of it."""
    lines = lines_of(folder)
    change(lines[IDS.index(id)])
    put_lines(folder, lines)
    record_digest(folder)
    found = examined(folder)
    found.pop("(all)", None)  # an edited answer may unbalance its family too
    assert set(found) == {id}
    assert checks <= found[id]


@pytest.mark.parametrize("change", [lambda x: x[1:], lambda x: [x[1], x[0], *x[2:]], lambda x: [*x, x[3]]])
def test_dropped_repeated_and_reordered_lines_are_found(folder: Path, change: Callable[[Any], Any]) -> None:
    put_lines(folder, change(lines_of(folder)))
    found = examined(folder)
    assert "record" in found.pop("(all)")
    assert [checks for checks in found.values() if "unique" not in checks] == []


def test_an_unreadable_line_is_named(folder: Path) -> None:
    lines = (folder / "pairs.jsonl").read_text().splitlines()
    text = "\n".join([*lines[:3], '{"format": "counterbench.pair/1", "id"', *lines[4:], ""])
    (folder / "pairs.jsonl").write_text(text)
    with pytest.raises(FormatError, match=r"pairs\.jsonl, line 4: "):
        examined(folder)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.clear(), "families"),
        (lambda d: d.update(seed="x"), "seed"),
        (lambda d: d["families"][0].update(name="spatail"), "did you mean 'spatial'"),
        (lambda d: d["families"][0]["params"].update(colours=3), "unknown parameter 'colours'"),
    ],
)
def test_a_damaged_definition_is_one_message(folder: Path, change: Callable[[Any], None], message: str) -> None:
    edit_json(folder / "suite.json", lambda info: change(info["definition"]))
    with pytest.raises(InputError, match=message) as caught:
        examined(folder)
    assert str(caught.value).startswith(str(folder / "suite.json"))


def test_checks_of_computed_truth_are_skipped_for_published_truth(folder: Path) -> None:
    edit_json(folder / "suite.json", lambda info: info.update(truth="published"))
    report = verify(FolderSource(Folder(folder)), workers=1)
    assert {"truth", "change", "layout", "mask", "reader"} == report.unchecked


def keep(folder: Path, wanted: Callable[[dict[str, Any]], bool]) -> None:
    """A folder with some of its pairs only, everything else about it in agreement."""
    lines = [line for line in lines_of(folder) if wanted(line)]
    put_lines(folder, lines)
    counts = dict(Counter(line["family"] for line in lines))
    edit_json(folder / "suite.json", lambda info: info.update(pairs=len(lines), counts=counts))
    record_digest(folder)


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    families = [{"name": "spatial", "count": 12, "forms": ["yes-no"]}, {"name": "counting", "count": 10}]
    out = tmp_path_factory.mktemp("verify") / "many"
    generate(suite_of(*families, name="many", width=320, height=320), out, workers=1)
    return out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wanted", "family"),
    [
        (lambda line: line["original_answer"] != "no", "spatial"),
        (lambda line: line["family"] != "spatial" or line["original_answer"] == "yes" or line["index"] < 6, "spatial"),
        (lambda line: line["family"] != "counting" or line["original_answer"] in "23", "counting"),
    ],
)
def test_an_unbalanced_subset_is_named(many: Path, tmp_path: Path, wanted: Callable[[Any], bool], family: str) -> None:
    folder = Path(shutil.copytree(many, tmp_path / "many"))
    keep(folder, wanted)
    problems = verify(FolderSource(Folder(folder)), workers=1).problems
    unbalanced = [p for p in problems if p.check == "balance"]
    assert {(p.pair, p.family) for p in unbalanced} == {("(all)", family)}
    assert [p for p in unbalanced if "not within one" not in p.message] == []


@pytest.mark.slow
def test_many_pairs_damaged_are_all_named_whatever_the_workers(many: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(many, tmp_path / "many"))
    for index in (0, 5, 11):
        picture_of(folder, f"spatial-{index:06d}").unlink()
    reports: list[VerifyReport] = [verify(FolderSource(Folder(folder)), workers=n) for n in (1, 2)]
    assert reports[0] == reports[1]
    assert [p.pair for p in reports[0].problems] == ["spatial-000000", "spatial-000005", "spatial-000011"]
    assert reports[0].table()["spatial"]["picture"] == 3
    assert reports[0].table()["counting"]["picture"] == 0
    limited = verify(FolderSource(Folder(folder), limit=4), workers=1)  # two of each family
    assert [p.pair for p in limited.problems] == ["spatial-000000"]


def test_another_pillow_version_is_noted_and_digests_still_hold(folder: Path) -> None:
    edit_json(folder / "suite.json", lambda info: info["versions"].update(pillow="11.0.0"))
    report = verify(FolderSource(Folder(folder)), workers=1)
    assert report.holds
    assert "Pillow 11.0.0" in "\n".join(report.notes)
    nudge(folder, "spatial-000000", "original")
    assert {p.check for p in verify(FolderSource(Folder(folder)), workers=1).problems} == {"picture", "reader"}


def test_yes_and_no_are_balanced_over_all_strata_of_a_family() -> None:
    strata = {("f", "left"): Counter(yes=1), ("f", "above"): Counter(yes=1)}  # each within one
    (found,) = _balance_problems(strata, {("f", ""): Counter(yes=2)}, None)
    assert (found.pair, found.check, found.message) == ("(all)", "balance", "2 items go from yes, 0 from no")
    assert list(_balance_problems(strata, {("f", ""): Counter(yes=1)}, None)) == []


def test_a_program_that_states_the_opposite_is_found_by_the_pixels(monkeypatch: pytest.MonkeyPatch) -> None:
    def opposite(program: IsInside, scene: Scene) -> Clause:
        return program.clause("no" if program.answer(scene) == "yes" else "yes")

    monkeypatch.setattr(IsInside, "true_clause", opposite)
    report = verify(SuiteSource(load_suite("counterbench-550"), 11), workers=1)
    assert {(problem.family, problem.check) for problem in report.problems} == {("containment", "reader")}
    assert "is false by the pixels" in report.problems[0].message
