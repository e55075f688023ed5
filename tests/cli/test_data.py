"""`list` and `import` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import call

from counterbench.cli.listing import LISTS


@pytest.mark.parametrize("what", LISTS)
def test_lists_as_json(what: str) -> None:
    found = json.loads(call("list", what, "--json").stdout)
    assert list(found) == [what]
    assert all(len(entry["summary"]) > 10 for entry in found[what])


def test_an_unknown_list_names_the_known_ones() -> None:
    result = call("list", "suits")
    assert result.exit_code == 2
    assert "unknown list 'suits' (did you mean 'suites'?); choose from:" in result.stderr
    assert all(what in result.stderr for what in LISTS)


def test_an_unknown_import_format_names_the_known_ones(tmp_path: Path) -> None:
    result = call("import", "counterbanch", str(tmp_path), "--out", str(tmp_path / "out"))
    assert result.exit_code == 2
    assert "unknown import format 'counterbanch' (did you mean 'counterbench'?)" in result.stderr
    assert not (tmp_path / "out").exists()


def test_importing_what_is_no_release_writes_nothing(tmp_path: Path) -> None:
    result = call("import", "counterbench", str(tmp_path), "--out", str(tmp_path / "out"))
    assert result.exit_code == 2
    assert "not a CounterBench release, it has no data/benchmark.json" in result.stderr
    assert list(tmp_path.iterdir()) == []
