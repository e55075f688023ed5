"""The cheap parts of `freeze.py`; the others take minutes and are run by hand: `python tests/golden/freeze.py`."""

import json
from pathlib import Path

import pytest
from golden.freeze import FROZEN, PARTS, differences


@pytest.mark.parametrize("part", ["digests", "replies"])
def test_nothing_frozen_has_changed(part: str, tmp_path: Path) -> None:
    frozen = json.loads(FROZEN.read_text(encoding="utf-8"))
    assert differences(frozen[part], PARTS[part](tmp_path), part) == []
