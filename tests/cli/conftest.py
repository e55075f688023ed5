"""Every test of a command works in a folder of its own, and without anybody's key."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def alone(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
