"""A sheet of laws: one or all of a suite's, a row each."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import call
from PIL import Image

from counterbench.laws import law
from counterbench.suites.law_gallery import law_sheet


def test_each_law_has_a_row_of_its_start_and_outcomes(tmp_path: Path) -> None:
    sizes = []
    for count in (1, 2):
        assert law_sheet(tmp_path / "laws.png", [law("falling"), law("wind")][:count]) == count
        sizes.append(Image.open(tmp_path / "laws.png").size)
    assert sizes[0][0] == sizes[1][0] > 7 * 224
    assert sizes[1][1] - sizes[0][1] > 224


def test_one_law_is_drawn(tmp_path: Path) -> None:
    result = call("gallery", "laws", "--law", "falling", "--out", tmp_path / "x.png")
    assert (result.exit_code, result.stdout) == (0, f"{tmp_path / 'x.png'}: 1 law\n")
    assert (tmp_path / "x.png").is_file()


@pytest.mark.parametrize(
    ("source", "name", "said"),
    [
        ("laws", "faling", "--law: unknown law 'faling' (did you mean 'falling'?); choose from: breeze, "),
        ("smoke", "falling", "smoke: --by-law and --law are for a suite of laws, such as laws"),
    ],
)
def test_a_law_or_suite_that_there_is_not(source: str, name: str, said: str, tmp_path: Path) -> None:
    result = call("gallery", source, "--law", name, "--out", tmp_path / "x.png")
    assert result.exit_code == 2
    assert said in result.stderr
