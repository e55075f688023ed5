"""`diagnose` on the command line: faults in words, JSON as promised, items, and clear errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from commands import call
from planted_runs import read_journal, rewrite, write_run

import counterbench as cb


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Runs of planted judges on the paper's composition."""
    folder = tmp_path_factory.mktemp("runs")
    made = {}
    for name in ("oracle", "sticky", "off-by-one", "failing"):
        made[name] = write_run(folder / name, f"planted:{name}", "counterbench-550")
    return made


def document(*args: object) -> Any:
    result = call("diagnose", *args, "--json")
    assert result.exit_code == 0
    return json.loads(result.stdout)


@pytest.mark.parametrize("name", ["sticky", "failing"])
def test_json_names_the_fault_with_its_effect(runs: dict[str, Path], name: str) -> None:
    (run,) = document(runs[name])["runs"]
    (fault,) = run["faults"]
    assert fault["name"] == name
    assert fault["evidence"]
    assert len(fault["pairs"]) == 5
    scores = cb.score(runs[name]).overall.ccs
    assert scores.value is not None
    if name == "failing":  # left out of CCS, which it does not lower
        assert fault["effect"] == 0
    else:
        assert fault["effect"] + run["unexplained"] == pytest.approx(1 - scores.value, abs=1e-6)
    assert run["measures"]["flips"]["of"] <= 500


def test_where_the_errors_lie_that_no_fault_explains(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", "planted:oracle", "counterbench-550")
    others = {"yes": "no", "no": "yes"}
    spoilt = [
        msgspec.structs.replace(r, reply=others[r.reply or ""]) if "spatial" in r.id else r for r in read_journal(run)
    ]
    rewrite(run, spoilt)
    lines = call("diagnose", run).stdout.splitlines()
    at = lines.index("  18.2 points of CCS are lost to errors that no fault explains")
    assert lines[at + 1].startswith(
        "    18.2 of them in family spatial: 100 of 100 pairs lost, elsewhere 0 of 450; see spatial-"
    )
    (residual,) = document(run)["runs"][0]["residuals"]
    assert residual["where"] == {"family": "spatial"}
    assert (residual["lost"]["hits"], residual["elsewhere"]["of"], len(residual["pairs"])) == (100, 450, 5)
    assert residual["effect"] == pytest.approx(100 / 550)


def test_several_runs_show_the_items_as_well(runs: dict[str, Path]) -> None:
    found = document(runs["oracle"], runs["sticky"], runs["off-by-one"])
    assert [run["judge"] for run in found["runs"]] == ["planted:oracle", "planted:sticky", "planted:off-by-one"]
    assert {item["kind"] for item in found["items"]} <= {"all-right"}  # no subtask is broken, the oracle sees to it
    assert document(runs["oracle"])["items"] == []


def test_what_a_run_cannot_tell_is_said(runs: dict[str, Path]) -> None:
    (run,) = document(runs["failing"])["runs"]
    assert any("the run is incomplete: 0 questions not asked" in note for note in run["notes"])
    assert document(runs["oracle"])["runs"][0]["notes"] == [
        "no question that was answered can show: bag-of-words, agreeable"
    ]
