"""lmms-eval runs the task that we export, and comes to the numbers of `probe` and `score` on the same server."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from consumers.counted import by_probe
from consumers.exported import exported
from consumers.served import run_page, serve_judge

import counterbench as cb

TASK = "counterbench_550"


@pytest.fixture(scope="module")
def task(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """100 pairs as a task."""
    out = tmp_path_factory.mktemp("lmms_eval") / "task"
    exported("lmms-eval", out)
    return out


def asked_by_lmms_eval(address: str, task: Path, home: Path) -> dict[str, Any]:
    """The task's numbers by the command of our docs."""
    home.mkdir()
    (home / "task").symlink_to(task)
    run_page("lmms-eval", address, home)
    (results,) = (home / "out").rglob("*_results.json")
    found = json.loads(results.read_text())["results"][TASK]
    return {name.partition(",")[0]: value for name, value in found.items()}


@pytest.mark.parametrize("fails", [0.0, 0.05])
def test_lmms_eval_and_probe_have_the_same_numbers(fails: float, task: Path, tmp_path: Path) -> None:
    with serve_judge(fails) as address:
        found = asked_by_lmms_eval(address, task, tmp_path / "theirs")
    with serve_judge(fails) as address:
        document = by_probe(address, tmp_path / "ours")
    ours = document.overall
    assert found["ccs"] == ours.ccs.value
    assert found["gap"] == ours.gap.value
    assert found["failed"] == ours.outcomes["failed"]
    assert (ours.outcomes["failed"] > 0) == (fails > 0)
    assert (ours.ccs.of < 100) == (fails > 0)
    # Theirs is of all questions replied to; ours of the pairs replied to twice.
    assert math.isclose(found["accuracy"], cb.frame(document.run)["right"].mean())
    # Only rows of accuracy have a score, of which they tell errors.
    assert found["accuracy_stderr_clustered"] > 0
    assert {found[f"{name}_stderr_clt"] for name in ("ccs", "gap", "failed")} == {"N/A"}
