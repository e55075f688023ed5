"""Runs to label, made once; each test has a copy without labels."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pages.labelling.served import cards_run, fresh, laws_run

Shared = Callable[[str, Callable[[Path], object]], Path]


@pytest.fixture
def card_run(shared: Shared, tmp_path: Path) -> Path:
    return fresh(shared("label-cards", cards_run), tmp_path / "run")


@pytest.fixture
def law_run(shared: Shared, tmp_path: Path) -> Path:
    return fresh(shared("label-laws", laws_run), tmp_path / "laws")
