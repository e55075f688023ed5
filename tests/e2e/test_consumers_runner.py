"""What the runner of `make test-consumers` calls passed, failed and not run."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from consumers import run

HOUR = 3600.0


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for consumers, whose environment is this one."""
    (tmp_path / "pytest.ini").write_text((run.HERE / "pytest.ini").read_text())
    (tmp_path / "some").mkdir()
    monkeypatch.setattr(run, "HERE", tmp_path)
    monkeypatch.setattr(run, "installed", lambda *_: Path(sys.executable))
    return tmp_path


@pytest.mark.parametrize(("left", "status"), [(HOUR, run.FAILED), (run.LIMIT / 2, run.NOT_RUN)])
def test_a_hang_is_a_failure_unless_the_time_of_all_was_up(
    left: float, status: str, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hangs(command: Any, *, timeout: float, **_: Any) -> None:
        assert timeout <= min(left, run.LIMIT)
        raise subprocess.TimeoutExpired(command, timeout)

    monkeypatch.setattr(subprocess, "run", hangs)
    assert run.run("some", time.monotonic() + left).status == status


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("def test_it(): pass", run.PASSED),
        ("def test_it(): assert False", run.FAILED),
        ("import pytest\ndef test_it(): pass\ndef test_more(): pytest.skip()", run.FAILED),
        ("import pytest\npytest.importorskip('no_such_module')\ndef test_it(): pass", run.FAILED),
        ("", run.FAILED),
    ],
)
def test_only_a_run_that_left_nothing_out_has_passed(body: str, status: str, here: Path) -> None:
    (here / "some" / "test_some.py").write_text(body)
    assert run.run("some", time.monotonic() + HOUR).status == status
