"""An inspect log where inspect is not installed; what is read of logs is tested with inspect, in tests/consumers."""

import sys
from pathlib import Path

import pytest
from commands import call

from counterbench.interop.inspect.log import Selection
from counterbench.suites.sources import SuiteSource, attempt_of, open_source


def test_an_import_without_inspect_names_the_install_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "inspect_ai", None)
    monkeypatch.setitem(sys.modules, "inspect_ai.log", None)
    (tmp_path / "log.eval").write_bytes(b"")
    result = call("import", "inspect-log", tmp_path / "log.eval", "--out", tmp_path / "run")
    assert result.exit_code == 2
    assert "reading an inspect log needs inspect_ai" in result.stderr
    assert any(name in result.stderr for name in ("inspect-ai>=", "inspect_ai>=", "[inspect]")), result.stderr
    assert not (tmp_path / "run").exists()


def test_a_selection_holds_the_pairs_that_probe_would_ask() -> None:
    assert Selection("smoke", limit=5).open().digest == open_source("smoke", limit=5).digest
    assert Selection("smoke", seed=3, size=256).open().digest == open_source("smoke", seed=3, size=256).digest
    second = Selection("smoke", attempt=2, limit=4).open()
    assert isinstance(second, SuiteSource)
    assert (attempt_of(second.suite), len(second)) == (2, 4)
