"""An output folder is claimed by one process, and what is in it stays as it is unless it is ours."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from counterbench.errors import BusyError, InputError
from counterbench.files.claim import claim


def claimed(out: Path, check: Callable[[], object] = lambda: None) -> None:
    """Claim a folder of things, and put one in."""
    with claim(out, "a folder of things", ("thing.json",), check):
        (out / "thing.json").write_text("{}")


def test_a_folder_is_made_and_locked_while_the_block_runs(tmp_path: Path) -> None:
    out = tmp_path / "a" / "b"
    for _ in range(2):
        with claim(out, "a folder of things", ("thing.json",), lambda: None):
            (out / "thing.json").write_text("{}")
            with pytest.raises(BusyError, match="b: another process is at work in this folder; wait for it or stop it"):
                claimed(out)
    assert sorted(path.name for path in out.iterdir()) == [".lock", "thing.json"]


def test_what_is_there_is_looked_into_before_and_under_the_lock(tmp_path: Path) -> None:
    seen = []

    def check() -> None:
        seen.append((tmp_path / "out").exists())

    claimed(tmp_path / "out", check)
    assert seen == [False, True]


@pytest.mark.parametrize("calls", [1, 2])
def test_another_thing_is_left_alone(tmp_path: Path, calls: int) -> None:
    """Also one that another process has begun between the two looks."""
    left = calls

    def check() -> None:
        nonlocal left
        left -= 1
        if not left:
            raise InputError("holds another thing")

    with pytest.raises(InputError, match="holds another thing"):
        claimed(tmp_path / "out", check)
    assert not (tmp_path / "out" / "thing.json").exists()
    claimed(tmp_path / "out")  # nothing of the lock is left


@pytest.mark.parametrize("names", [(".hidden",), (".lock", "thesis.doc"), ("thing.txt",)])
def test_a_foreign_folder_is_left_alone(tmp_path: Path, names: tuple[str, ...]) -> None:
    for name in names:
        (tmp_path / name).write_text("mine")
    with pytest.raises(InputError, match="is not empty and not a folder of things; choose another --out"):
        claimed(tmp_path)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == dict.fromkeys(names, "mine")


def test_what_a_killed_writer_leaves_behind_is_no_foreign_file(tmp_path: Path) -> None:
    for name in (".lock", ".thing.json.partial"):
        (tmp_path / name).write_text("torn")
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


def test_the_lock_goes_with_the_block_that_fails(tmp_path: Path) -> None:
    with pytest.raises(KeyError), claim(tmp_path, "a thing", (), lambda: None):
        raise KeyError
    with FileLock(tmp_path / ".lock", timeout=0):
        pass
