"""A judge that ignores the pictures, or the things asked about, does no better than chance; see docs/findings.md."""

import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARK = Path(__file__).resolve().parents[2] / "benchmarks" / "blindness.py"


@pytest.mark.slow
@pytest.mark.parametrize("suite", ["certify", "laws", "certify=words", "pairwise", "whole-prompts"])
def test_no_classifier_answers_without_the_picture(suite: str) -> None:
    """Of comparisons, two pictures in two styles each, there is time for fewer."""
    pytest.importorskip("sklearn")
    items, points = ("300", "8") if suite == "pairwise" else ("1200", "4")
    command = [sys.executable, str(BENCHMARK), suite, "--items", items, "--points", points]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("\n") > 8
