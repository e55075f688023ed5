"""`probe` and `score` on the command line: exit codes, choices, JSON as promised, and nothing lost after Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from commands import call

import counterbench as cb
from counterbench.answers.outcomes import OUTCOME_NAMES
from counterbench.runs.journal import read_journal

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def fails(*args: str, code: int = 2) -> str:
    result = call(*args)
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.stderr
    return result.stderr


def journal(run: str) -> list[Any]:
    return list(read_journal(Path(run) / "journal.jsonl"))


# ---- probe


def test_probe_json_is_one_document_and_nothing_else() -> None:
    result = call("probe", "smoke", "--judge", "planted:oracle", "--json")
    found = json.loads(result.stdout)
    observed = found.pop("observed")
    assert (observed["attempts"], observed["models"], observed["cost"]) == (36, {"planted:oracle": 36}, 0.0)
    assert found == {
        "run": "runs/smoke--planted-oracle",
        "complete": True,
        "progress": {
            "total": 36,
            "done": 36,
            "failed": 0,
            "calls": 36,
            "cost": 0.0,
            "stopped": "",
            "retried": 0,
            "paused": 0.0,
            "again": "the same command again resumes",
            "ahead": 0,
            "told": "",
            "expected": found["progress"]["expected"],
            "lasting": {},
            "figures": found["progress"]["figures"],
        },
    }
    assert result.stderr == ""


def test_options_reach_the_run() -> None:
    args = ["--limit", "4", "--votes", "2", "--wording", "bare", "--seed", "9", "--concurrency", "2", "--max-cost", "1"]
    assert call("probe", "smoke", "--judge", "planted:random", "--out", "run", *args).exit_code == 0
    info = json.loads(Path("run/run.json").read_text())
    assert (info["queries"], info["votes"], info["wording"], info["seed"]) == (16, 2, "bare", 9)


def test_a_seed_for_a_folder_is_refused() -> None:
    cb.generate("smoke", "pairs", workers=1, limit=2)
    assert "a folder's items are drawn already" in fails("probe", "./pairs", "--judge", "pixels", "--seed", "4")


def test_a_missing_picture_is_a_clear_error_before_anything_is_asked() -> None:
    cb.generate("smoke", "pairs", workers=1)
    picture = Path("pairs/images/arrow/000001-original.png")
    data = picture.read_bytes()
    picture.unlink()
    error = fails("probe", "./pairs", "--judge", "pixels")
    said = "error: 1 of 36 pictures cannot be asked about: "
    assert error.splitlines()[-1].startswith(f"{said}{picture}: cannot be read (No such file or directory); delete")
    assert not Path("runs").exists()
    picture.write_bytes(data)
    assert call("probe", "./pairs", "--judge", "pixels").exit_code == 0
    assert call("score", "runs/smoke--pixels").exit_code == 0


@pytest.mark.parametrize("args", [("--judge", "planted:blind"), ("--votes", "3")])
def test_another_run_in_the_same_folder_is_refused(args: tuple[str, ...]) -> None:
    base = ("probe", "smoke", "--judge", "planted:oracle", "--out", "run")
    assert call(*base).exit_code == 0
    before = {p.name: p.read_bytes() for p in Path("run").iterdir()}
    assert "holds another run" in fails(*base, *args)
    assert {p.name: p.read_bytes() for p in Path("run").iterdir()} == before


def test_a_full_disk_is_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    import errno

    from counterbench.runs.journal import Journal

    def full(self: Journal, records: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "run/journal.jsonl")

    monkeypatch.setattr(Journal, "append", full)
    error = fails("probe", "smoke", "--judge", "pixels", "--out", "run")
    assert error.splitlines()[-1] == "error: run/journal.jsonl: writing failed: No space left on device"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT is POSIX")
def test_ctrl_c_exits_with_130_and_a_hint_and_the_same_command_resumes(here: Path) -> None:
    command = [sys.executable, "-m", "counterbench", "probe", "counterbench-550", "--judge", "pixels", "--out", "run"]
    options = {"cwd": here, "env": {**os.environ, "PYTHONPATH": str(ROOT)}, "text": True}
    process = subprocess.Popen(
        [*command, "--limit", "160"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        **options,  # type: ignore[call-overload]
    )
    file, end = here / "run" / "journal.jsonl", time.monotonic() + 30
    while not (file.exists() and file.stat().st_size):
        assert process.poll() is None
        assert time.monotonic() < end
        time.sleep(0.002)
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=30)
    assert process.returncode == 130, (out, error)
    assert error.splitlines()[-1] == "stopped; nothing is lost: the same command again goes on from here"
    assert "Traceback" not in error
    kept = journal("run")
    assert 0 < len(kept) < 320
    again = subprocess.run([*command, "--limit", "160"], capture_output=True, timeout=60, check=True, **options)  # type: ignore[call-overload]
    assert f"320 of 320 questions answered (complete), {320 - len(kept)} asked now" in again.stdout
    assert journal("run")[: len(kept)] == kept
    assert Counter(r.id for r in journal("run")).most_common(1)[0][1] == 1


# ---- score

SHARE = {"value", "low", "high", "hits", "of"}
MEASURES = {"acc_original", "acc_intervened", "ccs", "ccs_answered", "gap", "stability"}
SIGNATURE = {
    "suite", "suite_digest", "seed", "judge", "name", "wording", "wording_digest", "votes", "parser", "scoring",
    "version", "truth", "style",
}  # fmt: skip
DOCUMENT = {
    "run", "signature", "complete", "by_cells", "missing", "overall", "categories", "families", "families_of",
    "suspect", "observed", "soft", "reread",
}  # fmt: skip


def scored(*args: str) -> list[dict[str, Any]]:
    result = call("score", *args, "--json")
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    found = json.loads(result.stdout)
    assert set(found) == {"runs"}
    return found["runs"]  # type: ignore[no-any-return]


def test_score_json_has_the_fields_of_the_contract() -> None:
    call("probe", "smoke", "--judge", "planted:noisy?p=0.5", "--out", "run")
    (doc,) = scored("run")
    assert set(doc) == DOCUMENT
    assert set(doc["signature"]) == SIGNATURE
    assert doc["signature"]["suite_digest"] == cb.load_suite("smoke").digest
    assert doc["signature"]["version"] == cb.__version__
    assert {key.family for key in cb.load_suite("smoke")} == set(doc["families"])
    for group in (doc["overall"], *doc["categories"].values(), *doc["families"].values()):
        assert set(group) == MEASURES | {"pairs", "answered", "outcomes"}
        assert set(group["outcomes"]) == set(OUTCOME_NAMES)
        assert sum(group["outcomes"].values()) == 2 * group["pairs"]
        for measure in MEASURES:
            share = group[measure]
            assert set(share) == SHARE
            if share["of"] == 0:
                assert share["value"] is share["low"] is share["high"] is None
            else:
                assert 0 <= share["low"] <= share["value"] <= share["high"] <= 1
    assert doc["families"]["spatial"]["stability"]["value"] is None
    assert doc["families"]["control"]["stability"]["of"] == 2


def test_an_incomplete_run_says_so_in_text_and_json() -> None:
    call("probe", "smoke", "--judge", "planted:oracle", "--out", "run", "--max-calls", "10")
    (doc,) = scored("run")
    assert (doc["complete"], doc["missing"], doc["overall"]["pairs"]) == (False, 26, 18)
    assert doc["overall"]["ccs"]["of"] == 5
    assert "planted:oracle: INCOMPLETE, 26 questions not asked, 0 failed" in call("score", "run").stdout


def cut(run: str, pairs: int) -> None:
    """Keep the first pairs of its keys, and what the journal says of them."""
    keys = Path(run, "keys.jsonl").read_text().splitlines(keepends=True)[: 2 * pairs]
    kept = {json.loads(key)["id"] for key in keys}
    records = Path(run, "journal.jsonl").read_text().splitlines(keepends=True)
    Path(run, "keys.jsonl").write_text("".join(keys))
    Path(run, "journal.jsonl").write_text("".join(line for line in records if json.loads(line)["id"] in kept))


CUT = "16 questions not asked, 0 failed"
WHY = f"{CUT}; of 16 there is no key, or run.json does not count it: the run was cut"


def test_a_run_that_was_cut_is_incomplete_wherever_its_numbers_are_printed() -> None:
    for judge in ("oracle", "blind"):
        call("probe", "smoke", "--judge", f"planted:{judge}", "--out", judge)
    cut("oracle", 10)
    (doc,) = scored("oracle")
    assert (doc["complete"], doc["missing"], doc["overall"]["pairs"]) == (False, 16, 10)
    assert f"planted:oracle: INCOMPLETE, {WHY}" in call("score", "oracle").stdout
    assert "planted:oracle (incomplete)" in call("score", "oracle", "blind").stdout
    assert (cb.score("oracle").complete, cb.score("oracle").missing) == (False, 16)
    assert f"planted:oracle: INCOMPLETE, {CUT}" in call("compare", "oracle", "blind").stdout
    compared = {run.judge: (run.complete, run.missing) for run in cb.compare("oracle", "blind").runs}
    assert compared == {"planted:oracle": (False, 16), "planted:blind": (True, 0)}
    (diagnosis,) = cb.diagnose("oracle").runs
    assert (diagnosis.complete, diagnosis.notes[0]) == (False, f"the run is incomplete: {WHY}")
    assert "20 keys at 1 votes, but run.json says 36 questions" in fails("certify", "oracle")


def test_failures_are_shown_and_are_no_score() -> None:
    call("probe", "smoke", "--judge", "planted:failing?p=1", "--out", "run")
    (doc,) = scored("run")
    assert doc["overall"]["ccs"] == {"value": None, "low": None, "high": None, "hits": 0, "of": 0}
    assert doc["overall"]["outcomes"] == {"answer": 0, "unparsed": 0, "refused": 0, "failed": 36}
    text = call("score", "run").stdout
    assert "planted:failing?p=1: INCOMPLETE, 0 questions not asked, 36 failed" in text
    assert "nan" not in text.lower()


def test_a_subtask_on_which_every_judge_scores_0_is_pointed_out() -> None:
    args = ("probe", "counterbench-550", "--limit", "40")
    for seed in "01":
        call(*args, "--judge", f"planted:arrow-blind?p=1&seed={seed}", "--out", f"run{seed}")
    assert scored("run0")[0]["suspect"] == []
    assert [doc["suspect"] for doc in scored("run0", "run1")] == [["arrow"], ["arrow"]]
    assert "arrow: every judge scores 0 here: truth or scoring is suspect" in call("score", "run0", "run1").stdout


def test_scorings_are_named_and_unknown_ones_refused() -> None:
    call("probe", "smoke", "--judge", "planted:oracle", "--out", "run")
    assert scored("run", "--scoring", "strict")[0]["signature"]["scoring"] == "strict"
    released = scored("run", "--scoring", "as-released")[0]
    assert released["families"]["arrow"]["ccs"]["value"] == 0.0
    assert "choose from: as-released, default, strict" in fails("score", "run", "--scoring", "lenient")


def test_what_is_no_run_is_refused() -> None:
    assert "nowhere: there is no such run folder" in fails("score", "nowhere")
    Path("empty").mkdir()
    assert "not a run, it has no run.json" in fails("score", "empty")
    call("probe", "smoke", "--judge", "planted:oracle", "--out", "run")
    assert "nowhere" in fails("score", "run", "nowhere", "--json")
    assert "it is a file of a run about pairs: name the folder run" in fails("score", "run/run.json")
    assert "it is a run about pairs: counterbench score run" in fails("verify", "./run")
