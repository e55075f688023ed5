"""An output folder is made, and what is in it stays as it is unless it is ours."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from counterbench.errors import InputError
from counterbench.files.formats import claim, refuse_taken, whole_folder


def claimed(out: Path, check: Callable[[], object] = lambda: None) -> None:
    """Claim a folder of things, and write one into it."""
    with claim(out, "a folder of things", ("thing.json",), check):
        (out / "thing.json").write_text("{}")


def test_a_folder_is_made_and_may_be_written_to_again(tmp_path: Path) -> None:
    for _ in range(2):
        claimed(tmp_path / "a" / "b")


def test_a_folder_that_fails_its_check_is_not_created(tmp_path: Path) -> None:
    def check() -> None:
        raise InputError("holds another thing")

    with pytest.raises(InputError, match="holds another thing"):
        claimed(tmp_path / "out", check)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("names", [(".hidden",), ("thing.txt", "thesis.doc")])
def test_a_foreign_folder_is_left_alone(tmp_path: Path, names: tuple[str, ...]) -> None:
    for name in names:
        (tmp_path / name).write_text("mine")
    with pytest.raises(InputError, match="is not empty and not a folder of things; choose another --out"):
        claimed(tmp_path)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == dict.fromkeys(names, "mine")


def test_a_file_is_refused_as_output_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match="file: is a file; --out takes a folder"):
        claimed(tmp_path / "file")
    with pytest.raises(InputError, match="file"):
        claimed(tmp_path / "file" / "below")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_an_error_of_the_system_is_one_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, *args: Any, **options: Any) -> None:
        raise PermissionError(13, os.strerror(13), str(self))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(InputError, match="out: writing failed: Permission denied"):
        claimed(tmp_path / "out")


def test_a_folder_is_created_whole_or_not_at_all(tmp_path: Path) -> None:
    out = tmp_path / "out"
    (tmp_path / ".out.partial").mkdir()
    (tmp_path / ".out.partial" / "half").write_text("of a killed process")

    def stop(folder: Path) -> None:
        (folder / "a").write_text("1")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), whole_folder(out) as folder:
        stop(folder)
    assert [*tmp_path.iterdir()] == []
    out.mkdir()
    with whole_folder(out) as folder:
        (folder / "a").write_text("1")
        assert [*out.iterdir()] == []
    assert [path.name for path in tmp_path.rglob("*")] == ["out", "a"]
    for place, message in ((out, "out: is not empty"), (out / "a", "a: is a file")):
        with pytest.raises(InputError, match=message), whole_folder(place):
            raise AssertionError("begun")


def test_a_file_is_replaced_only_if_it_is_ours(tmp_path: Path) -> None:
    (tmp_path / "mine").write_bytes(b"x" * 5000 + b"mark")
    (tmp_path / "ours").write_bytes(b"begin mark")
    for name in ("ours", "none"):
        refuse_taken(tmp_path / name, "report", b"mark")
    for name in ("mine", "."):
        with pytest.raises(InputError, match=r"is there and is no report; choose another --out"):
            refuse_taken(tmp_path / name, "report", b"mark")
