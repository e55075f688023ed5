"""The original release, in miniature: imported whole, checked folder and runs, and refused with a place if wrong."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import call, done
from PIL import Image
from published import RELEASE, needing

import counterbench as cb
from counterbench.errors import InputError
from counterbench.files.data_warnings import DataWarning
from counterbench.interop.counterbench_release import import_release
from counterbench.interop.imported import Imported
from counterbench.results.scores import score_runs
from counterbench.runs.folder import last_records, read_journal, read_keys, read_run_info
from counterbench.suites.folder import Folder


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def warnings(found: Imported) -> dict[str, DataWarning]:
    return {warning.what: warning for warning in found.warnings}


# ---- what an import gives


def test_the_release_is_imported_as_a_folder_of_published_pairs(release: Any, out: Path) -> None:
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
    assert list(pairs) == [item["id"] for item in release.items]
    for item in release.items:
        pair = pairs[item["id"]]
        assert (pair.question, *pair.answers) == (item["question"], item["original_answer"], item["intervened_answer"])
        assert (pair.relevant, pair.truth) == (item["should_flip"], "published")
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


def test_the_releases_replies_are_imported_as_runs(release: Any, out: Path) -> None:
    found = import_release(release.path, out)
    assert [run.name for run in found.runs] == ["alpha", "beta"]  # the analysis is no model
    assert sorted(p.name for p in (out / "runs").iterdir()) == ["alpha", "beta"]
    info = read_run_info(out / "runs" / "alpha")
    assert (info.judge, info.template, info.repeats, info.queries) == ("published:org/alpha-1", "bare", 1, 50)
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
    assert alpha.provenance.truth == "published"
    released = score_runs(found.runs, "as-released")
    assert [doc for doc in released if doc.families["arrow"].ccs.hits != 0] == []


# ---- what is odd about it


def test_each_oddity_of_a_release_is_a_warning(release: Any, out: Path) -> None:
    (release.path / "data" / "images" / "counting_000_int.png").unlink()
    data = release.read("data/benchmark.json")
    data["items"][-1]["should_flip"] = True
    release.write("data/benchmark.json", data)
    replies = release.read("results/alpha_results.json")
    del replies["results"][0]  # negctrl_001
    replies["results"][0]["original_answer_gt"] = "red"  # negctrl_000
    release.write("results/alpha_results.json", replies)
    assert import_release(release.path, out).warnings == [
        DataWarning("should_flip does not match the answers", 1, ("negctrl_001",)),
        DataWarning("spatial: answers go yes → no in 10 of 10 pairs", 10),
        DataWarning(
            "pairs without their pictures (questions and replies are imported all the same)", 1, ("counting_000",)
        ),
        DataWarning("alpha: pairs without a reply", 1, ("negctrl_001",)),
        DataWarning("alpha: rows whose question or truth is not the benchmark's", 1, ("negctrl_000",)),
        DataWarning("beta: pairs with a failed call", 1, ("spatial_003",)),
    ]
    assert not (out / "images" / "counting" / "counting_000-original.png").exists()
    alpha = cb.score(out / "runs" / "alpha")
    assert (alpha.missing, alpha.complete) == (2, False)


@pytest.mark.slow
@needing("THE RELEASE'S WARNINGS ARE NOT COUNTED", "CounterBench/data")
def test_the_warnings_of_the_release_are_those_of_the_docs(out: Path) -> None:
    found = {what: warning.count for what, warning in warnings(import_release(RELEASE, out)).items()}
    found.pop("pairs without their pictures (questions and replies are imported all the same)", None)
    assert found == {
        "spatial: answers go yes → no in 100 of 100 pairs": 100,
        "containment: answers go no → yes in 64 of 100 pairs": 64,
        "occlusion: answers go 2 → 1 in 33 of 33 pairs": 33,
        "composition: answers go yes → no in 33 of 33 pairs": 33,
        "qwen_vl: pairs with a failed call": 5,
    }


def test_the_import_command_prints_what_was_imported(release: Any, out: Path) -> None:
    result = call("import", "counterbench", release.path, "--out", out)
    assert f"{out}: 25 pairs of CounterBench 1.0, truth as published, 2 runs" in result.stdout
    assert "warning: beta: pairs with a failed call (1): spatial_003" in result.stdout
    assert result.stdout.splitlines()[-1].startswith("next: counterbench score ")
    document = json.loads(call("import", "counterbench", release.path, "--out", out.with_name("b"), "--json").stdout)
    assert set(document) == {"out", "info", "runs", "warnings"}
    assert [Path(run).name for run in document["runs"]] == ["alpha", "beta"]
    assert [warning["count"] for warning in document["warnings"]] == [10, 1]


def test_a_folder_that_is_not_empty_is_left_alone(release: Any, out: Path) -> None:
    out.mkdir()
    (out / "thesis.doc").write_text("mine")
    with pytest.raises(InputError, match="out: is not empty; choose another --out"):
        import_release(release.path, out)
    assert [path.read_text() for path in out.iterdir()] == ["mine"]


# ---- a release with something wrong in it


BENCHMARK, ALPHA = "data/benchmark.json", "results/alpha_results.json"


def file_edit(name: str, change: Callable[[Any], object]) -> Callable[[Any], None]:
    """What damages a release: a change of one of its files."""

    def damage(release: Any) -> None:
        data = release.read(name)
        change(data)
        release.write(name, data)

    return damage


def edit_item(number: int, **fields: str) -> Callable[[Any], None]:
    return file_edit(BENCHMARK, lambda data: data["items"][number].update(fields))


WRONG: dict[str, tuple[Callable[[Any], object], list[str]]] = {
    "no benchmark": (
        lambda release: (release.path / BENCHMARK).unlink(),
        ["not a CounterBench release, it has no data/benchmark.json"],
    ),
    "a key is missing": (
        file_edit(BENCHMARK, lambda data: data["items"][4].pop("question")),
        ["benchmark.json", "missing required field `question`", "items[4]"],
    ),
    "an unknown category": (
        edit_item(3, category="spacial"),
        ["items[3] (spatial_003)", "unknown category 'spacial'", "choose from: spatial, attribute", "causal/arrow"],
    ),
    "an id that is there twice": (edit_item(5, id="spatial_000"), ["items[5] (spatial_000)", "the id is used twice"]),
    "an answer that is none": (
        edit_item(10, original_answer="reddish"), ["items[10] (attribute_000)", "reddish", "red"]
    ),
    "broken JSON": (
        lambda release: release.write(BENCHMARK, '{"name": "CounterBench", "items": ['), ["benchmark.json", "truncated"]
    ),
    "a reply to an unknown item": (
        file_edit(ALPHA, lambda data: data["results"][6].update(id="spatial_999")),
        ["alpha_results.json", "'spatial_999' is of no pair in benchmark.json"],
    ),
    "two replies to an item": (
        file_edit(ALPHA, lambda data: data["results"].append(data["results"][0])),
        ["alpha_results.json", "'negctrl_001' is there twice"],
    ),
    "a model's name that is a path": (
        file_edit(ALPHA, lambda data: data.update(model="../../escaped")),
        ["alpha_results.json: model '../../escaped' must be letters"],
    ),
    "two files of one model": (
        file_edit(ALPHA, lambda data: data.update(model="beta")), ["another results file is of model 'beta' already"]
    ),
    "a picture's name that is a path": (
        edit_item(0, original_image="../../../escaped.png"), ["spatial_000: the path", "escaped.png' leads outside"]
    ),
    "a damaged picture": (
        lambda release: (release.path / "data/images/attribute_001_orig.png").write_bytes(b"\x89PNG"),
        ["attribute_001_orig.png", "not a readable picture"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_a_fault_of_the_release_is_named_with_its_place_and_nothing_written(release: Any, out: Path, what: str) -> None:
    damage, messages = WRONG[what]
    damage(release)
    with pytest.raises(InputError) as caught:
        import_release(release.path, out)
    for message in [str(release.path), *messages]:
        assert message in str(caught.value)
    assert not out.exists()


# ---- working with what was imported


def test_replay_works_on_an_imported_run_with_the_bare_template(bare_release: Any, out: Path, tmp_path: Path) -> None:
    import_release(bare_release.path, out)
    judge = f"replay:{out / 'runs' / 'beta'}"
    result = done("probe", out, "--judge", judge, "--template", "bare", "--out", tmp_path / "again", "--json", code=3)
    progress = json.loads(result)["progress"]
    assert (progress["done"], progress["failed"]) == (49, 1)
    again, published = cb.score(tmp_path / "again"), cb.score(out / "runs" / "beta")
    assert again.overall == published.overall
    assert again.families == published.families
    other = call("probe", out, "--judge", judge, "--out", tmp_path / "default", "--json")
    assert json.loads(other.stdout)["progress"]["done"] == 0


@pytest.mark.slow
def test_verify_says_what_it_cannot_check(release: Any, out: Path) -> None:
    import_release(release.path, out)
    document = json.loads(call("verify", out, "--json").stdout)
    (note,) = document["notes"]
    assert note.startswith("truth is published, scenes are unknown; not checked: ")
    assert [check for check in ("truth", "change", "layout", "mask", "reader") if check not in note] == []
    assert {p["check"] for p in document["problems"]} == {"balance"}
    assert "spatial" in {p["family"] for p in document["problems"]}
    result = done("verify", out, code=1)
    assert f"note: {note}" in result


def probe_refusal(folder: Path, tmp_path: Path) -> str:
    with pytest.raises(InputError) as error:
        cb.probe(folder, "pixels", tmp_path / "run")
    assert not (tmp_path / "run").exists()
    return str(error.value)


# ---- its pictures: recorded, and held against that before anybody is asked about them


def test_an_imported_picture_that_is_missing_or_altered_is_found(release: Any, out: Path, tmp_path: Path) -> None:
    import_release(release.path, out)
    first, second, *_ = sorted(out.glob("images/*/*.png"))
    first.unlink()
    with Image.open(second) as image:
        image.putpixel((0, 0), (1, 2, 3))
        image.save(second)
    message = probe_refusal(out, tmp_path)
    assert message.startswith("2 of 50 pictures cannot be asked about")
    assert "import it again, with its pictures" in message
    report = cb.verify(out, workers=1)
    assert [problem.check for problem in report.problems if problem.check != "balance"] == ["picture", "picture"]


def test_only_a_judge_that_uses_no_picture_is_asked_without_them(bare_release: Any, out: Path, tmp_path: Path) -> None:
    import_release(bare_release.path, out)
    assert probe_refusal(out, tmp_path).startswith("50 of 50 pictures cannot be asked about")
    assert cb.probe(out, "planted:oracle", tmp_path / "planted").complete
