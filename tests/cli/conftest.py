"""Every test of a command works in a folder of its own, and without anybody's key."""

from pathlib import Path

import pytest


@pytest.fixture
def in_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of the module's runs, in which its tests work."""
    monkeypatch.chdir(folder)


@pytest.fixture(autouse=True)
def alone(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
