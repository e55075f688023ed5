"""The README's three steps, by command line in processes of their own, far from the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYTHON = Path(sys.executable)
PROGRAM = f"{PYTHON.name} -m counterbench"  # as it was called


def counterbench(*args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "counterbench", *args],
        cwd=cwd,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "COLUMNS": "120",
            "PATH": f"{PYTHON.parent}{os.pathsep}{os.environ['PATH']}",
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done


@pytest.mark.slow
def test_generate_verify_probe_score(tmp_path: Path) -> None:
    generated = counterbench("generate", "smoke", "--out", "pairs", cwd=tmp_path)
    assert generated.stdout.splitlines()[-1] == f"next: {PROGRAM} verify ./pairs"
    verified = counterbench("verify", "./pairs", cwd=tmp_path)
    assert "18 pairs: every check holds" in verified.stdout
    assert verified.stdout.splitlines()[-1] == f"next: {PROGRAM} probe ./pairs --judge pixels"
    probed = counterbench("probe", "./pairs", "--judge", "pixels", cwd=tmp_path)
    assert probed.stdout.splitlines()[-1] == f"next: {PROGRAM} score runs/smoke--pixels"
    scored = counterbench("score", "runs/smoke--pixels", "--json", cwd=tmp_path)
    (doc,) = json.loads(scored.stdout)["runs"]
    assert scored.stderr == ""
    assert (doc["overall"]["ccs"]["value"], doc["overall"]["pairs"], doc["complete"]) == (1.0, 18, True)
    assert doc["signature"]["judge"] == "pixels"


@pytest.mark.slow
def test_the_checkout_has_a_script_of_its_own(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "cli.py"), "list", "suites"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert "smoke" in done.stdout
