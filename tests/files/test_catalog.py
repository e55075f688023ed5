"""Shipped files are found by bare name, anything with "/" or ".toml" is a path, and wrong names get a suggestion."""

from __future__ import annotations

from pathlib import Path

import pytest

from counterbench.errors import InputError
from counterbench.files import catalog


def test_the_shipped_suites_are_listed_in_order() -> None:
    names = catalog.names("scenes")
    assert names == sorted(names)
    assert {"smoke", "certify", "controls", "counterbench-550"} <= set(names)


def test_a_bare_name_is_a_shipped_file() -> None:
    path = catalog.find("scenes", "suite", "smoke")
    assert path.name == "smoke.toml"
    assert path.is_file()


def test_a_bare_name_is_shipped_even_where_a_file_or_folder_of_that_name_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "smoke").mkdir()
    (tmp_path / "certify").write_text("mine")
    for name in ("smoke", "certify"):
        assert catalog.find("scenes", "suite", name).parent == catalog.shipped("scenes")


@pytest.mark.parametrize("name", ["mine.toml", "folder/mine", "a\\b"])
def test_what_is_a_path(name: str) -> None:
    assert catalog.is_path(name)


@pytest.mark.parametrize("name", ["smoke", "", "toml", "mine.toml2"])
def test_what_is_a_name(name: str) -> None:
    assert not catalog.is_path(name)


def test_a_path_is_taken_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "smoke.toml"
    file.write_text("x = 1")
    assert catalog.find("scenes", "suite", str(file)) == file


@pytest.mark.parametrize("name", ["nowhere.toml", "no/where"])
def test_a_missing_path_is_named(name: str) -> None:
    with pytest.raises(InputError) as caught:
        catalog.find("scenes", "suite", name)
    assert str(Path(name)) in str(caught.value)
    assert "no such suite file" in str(caught.value)


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    (tmp_path / "dir.toml").mkdir()
    with pytest.raises(InputError, match="no such suite file"):
        catalog.find("scenes", "suite", str(tmp_path / "dir.toml"))


def test_an_unknown_name_gets_a_suggestion_and_the_choices() -> None:
    with pytest.raises(InputError) as caught:
        catalog.find("scenes", "suite", "smok")
    message = str(caught.value)
    assert "unknown suite 'smok'" in message
    assert "did you mean 'smoke'?" in message
    for name in catalog.names("scenes"):
        assert name in message


@pytest.mark.parametrize("name", ["", "..", "smoke "])
def test_odd_names_are_refused(name: str) -> None:
    with pytest.raises(InputError, match="unknown suite"):
        catalog.find("scenes", "suite", name)


def test_an_incomplete_installation_says_so() -> None:
    with pytest.raises(InputError, match=r"installation is incomplete.*'no-such-folder'"):
        catalog.shipped("no-such-folder")
