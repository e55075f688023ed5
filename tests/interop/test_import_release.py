"""The original release, in miniature: imported whole, checked folder and runs, and refused with a place if wrong."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw
from typer.testing import CliRunner, Result

import counterbench as cb
from counterbench.cli import app
from counterbench.errors import InputError
from counterbench.interop import importer
from counterbench.interop.imported import Imported
from counterbench.interop.oddities import Oddity
from counterbench.runs.folder import read_keys, read_run_info
from counterbench.runs.journal import last_records, read_journal
from counterbench.scoring.scores import score_runs
from counterbench.suites.folder import Folder

import_release = importer("counterbench")


def call(*args: object) -> Result:
    result = CliRunner().invoke(app, [str(arg) for arg in args])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def oddities(found: Imported) -> dict[str, Oddity]:
    return {odd.what: odd for odd in found.oddities}


def snapshot(folder: Path) -> dict[str, tuple[bytes, int]]:
    files = (p for p in sorted(folder.rglob("*")) if p.is_file() and p.name != ".lock")
    return {str(p.relative_to(folder)): (p.read_bytes(), p.stat().st_mtime_ns) for p in files}


# ---- what an import gives


def test_the_folder(release: Any, out: Path) -> None:
    found = import_release(release.path, out)
    folder = Folder(out)
    assert folder.info == found.info
    info = found.info
    assert (info.name, info.truth, info.seed, info.pairs) == ("counterbench-released", "published", None, 25)
    assert info.source == "CounterBench 1.0"
    assert info.counts == {
        "spatial": 10, "attribute": 3, "counting": 2, "containment": 2, "arrow": 2, "occlusion": 2, "composition": 2,
        "control": 2,
    }  # fmt: skip
    pairs = {pair.id: pair for pair in folder}
    assert list(pairs) == [one["id"] for one in release.items]
    for one in release.items:
        pair = pairs[one["id"]]
        assert (pair.question, *pair.answers) == (one["question"], one["original_answer"], one["intervened_answer"])
        assert (pair.relevant, pair.truth) == (one["should_flip"], "published")
        assert pair.original is pair.program is pair.change is None
    assert {pair.family: (pair.category, pair.skill, pair.answer_type) for pair in folder} == {
        "spatial": ("spatial", "left-right", "yes-no"),
        "attribute": ("attribute", "colour", "colour"),
        "counting": ("counting", "count", "integer"),
        "containment": ("containment", "inside", "yes-no"),
        "arrow": ("causal", "arrow-target", "colour-shape"),
        "occlusion": ("causal", "visible-count", "integer"),
        "composition": ("causal", "above-below", "yes-no"),
        "control": ("control", "colour", "colour"),
    }
    assert pairs["spatial_002"].skill == pairs["spatial_003"].skill == "above-below"
    assert pairs["counting_001"].difficulty == {"original_count": 3}


def test_the_runs(release: Any, out: Path) -> None:
    found = import_release(release.path, out)
    assert [run.name for run in found.runs] == ["alpha", "beta"]  # the analysis is no model
    assert sorted(p.name for p in (out / "runs").iterdir()) == ["alpha", "beta"]
    info = read_run_info(out / "runs" / "alpha")
    assert (info.judge, info.wording, info.votes, info.queries) == ("published:org/alpha-1", "bare", 1, 50)
    assert (info.suite, info.suite_digest, info.source) == (found.info.name, found.info.digest, "CounterBench 1.0")
    records = list(read_journal(out / "runs" / "alpha" / "journal.jsonl"))
    assert {r.id: r.reply for r in records}["causal_arrow_000/original"] == "Red Circle."
    assert len({r.identity for r in records}) == len(records) == 50
    keys = {key.id: key for key in read_keys(out / "runs" / "alpha")}
    assert keys["counting_000/intervened"].expected == "3"
    assert {key.truth for key in keys.values()} == {"published"}


def test_a_failed_call_is_failed_and_its_other_half_is_kept(release: Any, out: Path) -> None:
    import_release(release.path, out)
    records = {r.id: r for r in last_records(out / "runs" / "beta" / "journal.jsonl").values()}
    failed = records["spatial_003/intervened"]
    assert failed.failure is not None
    assert (failed.failure.kind, failed.failure.message, failed.reply) == ("published-error", "ERROR: retries", None)
    assert records["spatial_003/original"].reply == "Yes."
    assert sum(r.failure is not None for r in records.values()) == 1


def test_scores_of_the_runs_are_joined_by_id(release: Any, out: Path) -> None:
    found = import_release(release.path, out)  # alpha's rows are in the opposite order of the items
    alpha, beta = score_runs(found.runs)
    assert (alpha.overall.ccs.hits, alpha.overall.ccs.of, alpha.complete) == (25, 25, True)
    assert (beta.overall.ccs.hits, beta.overall.ccs.of, beta.complete) == (2, 24, False)
    assert beta.overall.acc_original.value == 1.0
    assert beta.families["control"].ccs.value == 1.0
    assert alpha.signature.truth == "published"
    released = score_runs(found.runs, "as-released")
    assert all(doc.families["arrow"].ccs.hits == 0 for doc in released)


def test_without_pictures_questions_and_replies_are_imported_all_the_same(bare_release: Any, out: Path) -> None:
    found = import_release(bare_release.path, out)
    assert score_runs(found.runs)[0].overall.ccs.value == 1.0
    assert not (out / "images").exists()
    odd = oddities(found)
    missing = odd["pairs without their pictures (questions and replies are imported all the same)"]
    assert (missing.count, len(missing.ids)) == (25, 25)
    assert odd["attribute items not checked for ambiguity: their pictures are not there"].count == 3


# ---- what is odd about it


def test_oddities(release: Any, out: Path) -> None:
    found = import_release(release.path, out)
    assert found.oddities == [
        Oddity("attribute items in which more than one shape is of the kind asked about", 1, ("attribute_002",)),
        Oddity("spatial: answers go yes → no in 10 of 10 pairs", 10),
        Oddity("beta: pairs with a failed call", 1, ("spatial_003",)),
    ]
    written = json.loads((out / "oddities.json").read_text())
    assert written["format"] == "counterbench.oddities/1"
    assert [odd["what"] for odd in written["oddities"]] == [odd.what for odd in found.oddities]


def test_more_oddities(release: Any, out: Path) -> None:
    (release.path / "data" / "images" / "counting_000_int.png").unlink()
    data = release.read("data/benchmark.json")
    data["items"][-1]["should_flip"] = True
    data["total_pairs"] = 99
    release.write("data/benchmark.json", data)
    replies = release.read("results/alpha_results.json")
    del replies["results"][0]  # negctrl_001
    replies["results"][0]["original_answer_gt"] = "red"  # negctrl_000
    release.write("results/alpha_results.json", replies)
    odd = oddities(import_release(release.path, out))
    assert odd["should_flip does not match the answers"].ids == ("negctrl_001",)
    assert odd["alpha: pairs without a reply"].ids == ("negctrl_001",)
    assert odd["alpha: rows whose question or truth is not the benchmark's"].ids == ("negctrl_000",)
    assert odd["pairs without their pictures (questions and replies are imported all the same)"].ids == (
        "counting_000",
    )
    assert any("the file says" in what for what in odd)
    assert not (out / "images" / "counting" / "counting_000-original.png").exists()
    alpha = cb.score(out / "runs" / "alpha")
    assert (alpha.missing, alpha.complete) == (2, False)


def test_crossing_arrows_and_small_labels_are_reported_or_said_to_be_unchecked(release: Any, out: Path) -> None:
    images = release.path / "data" / "images"
    for name, colour, place in (("causal_arrow_001_int.png", (60, 60, 60), (140, 180, 240, 180)),
                                ("spatial_004_orig.png", (40, 40, 40), (30, 20, 30, 25))):  # fmt: skip
        with Image.open(images / name) as image:
            ImageDraw.Draw(image).line(place, colour, 3)
            image.save(images / name)
    odd = oddities(import_release(release.path, out))
    assert odd["arrow items with an arrow that crosses a shape which it does not point to"].ids == ("causal_arrow_001",)
    assert odd["spatial items with labels less than 10 pixels high"].ids == ("spatial_004",)
    assert not any("not checked" in what for what in odd)
    shutil.rmtree(images)
    bare = oddities(import_release(release.path, out.with_name("bare")))
    counts = {what.partition(":")[0]: found.count for what, found in bare.items() if "not checked" in what}
    assert counts == {
        "attribute items not checked for ambiguity": 3,
        "arrow items not checked for crossed shapes": 2,
        "spatial items not checked for the size of labels": 10,
    }


NAMED = os.environ.get("COUNTERBENCH_UPSTREAM")
UPSTREAM = Path(NAMED or Path(__file__).parents[3] / "shared" / "upstream") / "CounterBench"
IN_PIXELS = {
    "attribute items in which more than one shape is of the kind asked about": 32,
    "arrow items with an arrow that crosses a shape which it does not point to": 13,
    "spatial items with labels less than 10 pixels high": 100,
}


@pytest.mark.skipif(
    not NAMED and not (UPSTREAM / "data" / "benchmark.json").is_file(),
    reason=f"THE RELEASE'S ODDITIES ARE NOT COUNTED: no CounterBench release in {UPSTREAM}; name its parent folder in "
    "COUNTERBENCH_UPSTREAM",
)
def test_the_oddities_of_the_release_are_those_of_the_docs(out: Path) -> None:
    found = {what: odd.count for what, odd in oddities(import_release(UPSTREAM, out)).items()}
    drawn = (UPSTREAM / "data" / "images" / "causal_arrow_000_orig.png").is_file()
    unchecked = {
        "attribute items not checked for ambiguity: their pictures are not there": 100,
        "arrow items not checked for crossed shapes: their pictures are not there": 34,
        "spatial items not checked for the size of labels: their pictures are not there": 100,
        "pairs without their pictures (questions and replies are imported all the same)": 550,
    }
    assert found == (IN_PIXELS if drawn else unchecked) | {
        "spatial: answers go yes → no in 100 of 100 pairs": 100,
        "containment: answers go no → yes in 64 of 100 pairs": 64,
        "occlusion: answers go 2 → 1 in 33 of 33 pairs": 33,
        "composition: answers go yes → no in 33 of 33 pairs": 33,
        "qwen_vl: pairs with a failed call": 5,
    }


def test_oddities_on_the_command_line(release: Any, out: Path) -> None:
    result = call("import", "counterbench", release.path, "--out", out, "-v")
    assert result.exit_code == 0
    assert f"{out}: 25 pairs of CounterBench 1.0, truth as published, 2 runs" in result.stdout
    assert "odd: spatial: answers go yes → no in 10 of 10 pairs (10)" in result.stdout
    assert "(1): attribute_002" in result.stdout
    assert result.stdout.splitlines()[-1].startswith("next: counterbench score ")
    again = call("import", "counterbench", release.path, "--out", out, "--json")
    document = json.loads(again.stdout)
    assert set(document) == {"out", "info", "runs", "oddities"}
    assert [Path(run).name for run in document["runs"]] == ["alpha", "beta"]
    assert [odd["count"] for odd in document["oddities"]] == [1, 10, 1]


# ---- the same import again, and what may be in the way


def test_the_same_import_again_changes_nothing(release: Any, out: Path) -> None:
    first = import_release(release.path, out)
    before = snapshot(out)
    second = import_release(release.path, out)
    assert snapshot(out) == before
    assert (second.info, second.runs, second.oddities) == (first.info, first.runs, first.oddities)


def test_an_unfinished_import_is_finished(release: Any, out: Path, tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    import_release(release.path, whole)
    import_release(release.path, out)
    digest = json.loads((out / "suite.json").read_text())["digest"]
    for name in ("suite.json", "oddities.json", "runs/beta/run.json", "runs/beta/journal.jsonl"):
        (out / name).unlink()
    (out / ".generating.json").write_text(json.dumps({"digest": digest, "format": "counterbench.import/1"}))
    import_release(release.path, out)
    assert {n: b for n, (b, _) in snapshot(out).items()} == {n: b for n, (b, _) in snapshot(whole).items()}


@pytest.mark.parametrize("change", ["reply", "item", "picture"])
def test_another_release_may_not_be_imported_over_it(release: Any, out: Path, change: str) -> None:
    import_release(release.path, out)
    before = snapshot(out)
    if change == "reply":
        data = release.read("results/alpha_results.json")
        data["results"][0]["orig_response"] = "Blue."
        release.write("results/alpha_results.json", data)
    elif change == "item":
        data = release.read("data/benchmark.json")
        data["version"] = "1.1"
        release.write("data/benchmark.json", data)
    else:
        file = release.path / "data" / "images" / "counting_000_int.png"
        file.write_bytes((release.path / "data" / "images" / "attribute_002_orig.png").read_bytes())
    with pytest.raises(InputError, match=r"holds 'counterbench-released' with digest .*choose another --out"):
        import_release(release.path, out)
    assert snapshot(out) == before


def test_what_is_no_part_of_this_import_is_left_alone(release: Any, out: Path) -> None:
    out.mkdir()
    (out / "thesis.doc").write_text("mine")
    before = snapshot(out)
    with pytest.raises(InputError, match="is not empty and not an import of this release"):
        import_release(release.path, out)
    assert snapshot(out) == before
    (out / ".generating.json").write_text('{"digest": "other", "format": "counterbench.import/1"}')
    with pytest.raises(InputError, match="an unfinished import of something else is there; choose another --out"):
        import_release(release.path, out)


# ---- a release with something wrong in it


Damage = Callable[[Any], None]


def edit(name: str, change: Callable[[Any], None]) -> Damage:
    def damage(release: Any) -> None:
        data = release.read(name)
        change(data)
        release.write(name, data)

    return damage


BENCHMARK, ALPHA = "data/benchmark.json", "results/alpha_results.json"
WRONG: dict[str, tuple[Damage, list[str]]] = {
    "no benchmark": (
        lambda release: (release.path / BENCHMARK).unlink(),
        ["not a CounterBench release, it has no data/benchmark.json"],
    ),
    "a key is missing": (
        edit(BENCHMARK, lambda data: data["items"][4].pop("question")),
        ["benchmark.json", "missing required field `question`", "items[4]"],
    ),
    "a key too many": (
        edit(BENCHMARK, lambda data: data["items"][7].update(hint="left")),
        ["benchmark.json, items 'spatial_007': unknown key 'hint'; choose from: category, details, id"],
    ),
    "an unknown category": (
        edit(BENCHMARK, lambda data: data["items"][3].update(category="spacial")),
        ["items[3] (spatial_003)", "unknown category 'spacial'", "choose from: spatial, attribute", "causal/arrow"],
    ),
    "an id that is there twice": (
        edit(BENCHMARK, lambda data: data["items"][5].update(id="spatial_000")),
        ["items[5] (spatial_000)", "the id is used twice"],
    ),
    "an answer that is none": (
        edit(BENCHMARK, lambda data: data["items"][10].update(original_answer="reddish")),
        ["items[10] (attribute_000)", "reddish", "red"],
    ),
    "broken JSON": (
        lambda release: release.write(BENCHMARK, '{"name": "CounterBench", "items": ['),
        ["benchmark.json", "truncated"],
    ),
    "a reply to an unknown item": (
        edit(ALPHA, lambda data: data["results"][6].update(id="spatial_999")),
        ["alpha_results.json", "'spatial_999' is of no pair in benchmark.json"],
    ),
    "two replies to an item": (
        edit(ALPHA, lambda data: data["results"].append(data["results"][0])),
        ["alpha_results.json", "'negctrl_001' is there twice"],
    ),
    "a model's name that is a path": (
        edit(ALPHA, lambda data: data.update(model="../../escaped")),
        ["alpha_results.json: model '../../escaped' must be letters"],
    ),
    "a picture's name that is a path": (
        edit(BENCHMARK, lambda data: data["items"][0].update(original_image="../escaped.png")),
        ["picture '../escaped.png' must be letters"],
    ),
    "two files of one model": (
        edit(ALPHA, lambda data: data.update(model="beta")),
        ["another results file is of model 'beta' already"],
    ),
    "a damaged picture": (
        lambda release: (release.path / "data/images/attribute_001_orig.png").write_bytes(b"\x89PNG"),
        ["attribute_001_orig.png", "not a readable picture"],
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_named_with_its_place_and_nothing_is_written(release: Any, out: Path, what: str) -> None:
    damage, messages = WRONG[what]
    damage(release)
    with pytest.raises(InputError) as caught:
        import_release(release.path, out)
    for message in [str(release.path), *messages]:
        assert message in str(caught.value)
    assert not out.exists()


# ---- working with what was imported


@pytest.mark.parametrize("pictures", [True, False])
def test_replay_works_on_an_imported_run_with_the_bare_wording(
    request: pytest.FixtureRequest, out: Path, tmp_path: Path, pictures: bool
) -> None:
    release = request.getfixturevalue("release" if pictures else "bare_release")
    import_release(release.path, out)
    judge = f"replay:{out / 'runs' / 'beta'}"
    result = call("probe", out, "--judge", judge, "--wording", "bare", "--out", tmp_path / "again", "--json")
    assert result.exit_code == 3  # the failed call fails again
    progress = json.loads(result.stdout)["progress"]
    assert (progress["done"], progress["failed"]) == (49, 1)
    again, published = cb.score(tmp_path / "again"), cb.score(out / "runs" / "beta")
    assert again.overall == published.overall
    assert again.families == published.families
    other = call("probe", out, "--judge", judge, "--out", tmp_path / "default", "--json")
    assert json.loads(other.stdout)["progress"]["done"] == 0


def test_verify_says_what_it_cannot_check(release: Any, out: Path) -> None:
    import_release(release.path, out)
    document = json.loads(call("verify", out, "--json", "--workers", "1").stdout)
    (note,) = document["notes"]
    assert note.startswith("truth is published, scenes are unknown; not checked: ")
    assert all(check in note for check in ("truth", "change", "layout", "mask", "reader"))
    assert {p["check"] for p in document["problems"]} == {"balance"}
    assert "spatial" in {p["family"] for p in document["problems"]}
    result = call("verify", out, "--workers", "1")
    assert result.exit_code == 1
    assert f"note: {note}" in result.stdout
