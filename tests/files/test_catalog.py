"""Shipped files are found by bare name, anything with "/" or ".toml" is a path, and wrong names get a suggestion."""

from pathlib import Path

import pytest

from counterbench.errors import InputError
from counterbench.files import catalog


def test_a_bare_name_is_a_shipped_file_even_beside_one_of_that_name(here: Path) -> None:
    (here / "smoke").mkdir()
    (here / "certify").write_text("mine")
    for name in ("smoke", "certify"):
        assert catalog.find("scenes", "suite", name).parent == catalog.shipped("scenes")


def test_a_path_is_taken_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "smoke.toml"
    file.write_text("x = 1")
    assert catalog.find("scenes", "suite", str(file)) == file


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nowhere.toml", r"nowhere\.toml: there is no such suite file"),
        ("{}/dir.toml", r"dir\.toml: there is no such suite file"),
        ("smok", r"unknown suite 'smok' \(did you mean 'smoke'\?\); choose from: certify, controls, counterbench-550"),
        ("..", "unknown suite"),
    ],
)
def test_a_missing_file_is_named_with_suggestions(name: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "dir.toml").mkdir()
    with pytest.raises(InputError, match=message):
        catalog.find("scenes", "suite", name.format(tmp_path))


def test_an_incomplete_installation_says_so() -> None:
    with pytest.raises(InputError, match=r"installation is incomplete.*'no-such-folder'"):
        catalog.shipped("no-such-folder")
