"""Runs and a report that several tests look at."""

from __future__ import annotations

from pathlib import Path

import pytest
from planted_runs import write_run

from counterbench.report import write_report

SUITE, LIMIT = "counterbench-550", 96
JUDGES = ("oracle", "sticky", "off-by-one", "arrow-blind")


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("runs")
    return [write_run(folder / name, f"planted:{name}", SUITE, LIMIT) for name in JUDGES]


@pytest.fixture(scope="session")
def report(runs: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of four judges on 96 pairs, one file."""
    return Path(write_report(runs, tmp_path_factory.mktemp("report") / "report.html").page)
