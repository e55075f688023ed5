"""An output folder is made, and what is in it stays as it is unless it is ours."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from counterbench.errors import InputError
from counterbench.files.claim import claim


def claimed(out: Path, check: Callable[[], object] = lambda: None) -> None:
    """Claim a folder of things, and write one into it."""
    with claim(out, "a folder of things", ("thing.json",), check):
        (out / "thing.json").write_text("{}")


def test_a_folder_is_made_and_may_be_written_to_again(tmp_path: Path) -> None:
    for _ in range(2):
        claimed(tmp_path / "a" / "b")


def test_another_thing_is_left_alone(tmp_path: Path) -> None:
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


def test_what_a_killed_writer_leaves_behind_is_no_foreign_file(tmp_path: Path) -> None:
    (tmp_path / ".thing.json.partial").write_text("torn")
    claimed(tmp_path)


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match="file: is a file; --out takes a folder"):
        claimed(tmp_path / "file")
    with pytest.raises(InputError, match="file"):
        claimed(tmp_path / "file" / "below")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    with pytest.raises(InputError, match="link"):
        claimed(tmp_path / "link")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "link"]


def test_what_the_system_refuses_is_one_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, *args: Any, **options: Any) -> None:
        raise PermissionError(13, os.strerror(13), str(self))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(InputError, match="out: writing failed: Permission denied"):
        claimed(tmp_path / "out")
