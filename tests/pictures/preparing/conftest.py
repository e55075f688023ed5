"""The file that an author's words come into."""

from pathlib import Path

import pytest


@pytest.fixture
def prompts_file(tmp_path: Path) -> Path:
    return tmp_path / "asked.jsonl"
