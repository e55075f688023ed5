"""Where an export is written: whole where `export.json` is, and never over something else, here and on a store."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import fsspec
import msgspec
import pytest
from interop.exports.exported import PAIRS, files, source, write

from counterbench.errors import InputError
from counterbench.interop.exports import EXPORTS
from counterbench.interop.exports.target import EXPORT_FILE, PART_FILE, Export

FORMATS = sorted(EXPORTS)


@pytest.fixture
def store() -> Iterator[str]:
    yield "memory://bucket/pairs"
    memory = fsspec.filesystem("memory")
    memory.store.clear()
    memory.pseudo_dirs[:] = [""]


def stored() -> dict[str, bytes]:
    memory = fsspec.filesystem("memory")
    return {path.removeprefix("/bucket/pairs/"): memory.cat_file(path) for path in sorted(memory.find("/bucket"))}


@pytest.mark.parametrize("format", FORMATS)
def test_its_bytes_are_the_same_on_every_run_wherever_they_go(format: str, tmp_path: Path, store: str) -> None:
    write(format, tmp_path / "here")
    write(format, store)
    assert stored() == files(tmp_path / "here") != {}


def test_its_bytes_do_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    for workers in (1, 2):
        write("hf", tmp_path / str(workers), source(18), workers=workers)
    assert files(tmp_path / "1") == files(tmp_path / "2")


@pytest.mark.parametrize("format", FORMATS)
def test_it_names_every_file_with_its_digest(format: str, tmp_path: Path) -> None:
    write(format, tmp_path / "out")
    there = files(tmp_path / "out")
    said = msgspec.json.decode(there.pop(EXPORT_FILE), type=Export)
    assert {name: file.sha256 for name, file in said.files.items()} == {
        name: hashlib.sha256(data).hexdigest() for name, data in there.items()
    }
    assert {name: file.bytes for name, file in said.files.items()} == {name: len(data) for name, data in there.items()}
    assert (said.pairs, said.suite_digest) == (PAIRS, source().digest)


def test_the_same_again_changes_nothing(tmp_path: Path, store: str) -> None:
    for out in (str(tmp_path / "out"), store):
        first, again = write("webdataset", out), write("webdataset", out)
        assert first.fresh
        assert not again.fresh
        assert again.export == first.export


def test_files_that_are_gone_or_cut_are_not_taken_for_the_export(tmp_path: Path, store: str) -> None:
    memory = fsspec.filesystem("memory")
    for out in (str(tmp_path / "out"), store):
        write("webdataset", out)
    (tar,) = (tmp_path / "out").glob("*.tar")
    tar.write_bytes(tar.read_bytes()[:-512])
    memory.rm(f"/bucket/pairs/{tar.name}")
    for out in (str(tmp_path / "out"), store):
        with pytest.raises(InputError, match=rf"{tar.name} is not as it was written; choose another --out"):
            write("webdataset", out)


def test_what_lies_there_is_not_touched(tmp_path: Path, store: str) -> None:
    for out in (str(tmp_path / "out"), store):
        write("webdataset", out)
        before = files(tmp_path), stored()
        with pytest.raises(InputError, match=r"holds an export of 'smoke' \(webdataset\); choose another --out"):
            write("hf", out)
        with pytest.raises(InputError, match="holds an export"):
            write("webdataset", out, source(3))
        assert (files(tmp_path), stored()) == before


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").touch()
    with pytest.raises(InputError, match="is not empty and no export"):
        write("hf", tmp_path / "mine")
    with pytest.raises(InputError, match="is a file; --out takes a folder"):
        write("hf", tmp_path / "mine" / "letter.txt")
    assert [*files(tmp_path)] == ["mine/letter.txt"]


def test_an_empty_folder_becomes_the_export(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    write("hf", tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("format", FORMATS)
def test_what_fails_on_the_way_leaves_nothing(format: str, tmp_path: Path, store: str) -> None:
    def full(done: int, total: int) -> None:
        if done == PAIRS - 1:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    for out in (str(tmp_path / "out"), store):
        with pytest.raises(InputError, match=r"writing failed: .*No space left on device"):
            write(format, out, on_progress=full)
    assert [*tmp_path.iterdir()] == []
    assert stored() == {}


def test_what_a_killed_process_left_is_no_export_and_the_same_command_writes_it_anew(tmp_path: Path) -> None:
    write("webdataset", tmp_path / "out")
    whole = files(tmp_path / "out")
    left = json.loads(whole[EXPORT_FILE]) | {"files": {}}
    (tmp_path / "out" / EXPORT_FILE).unlink()
    (tmp_path / "out" / PART_FILE).write_bytes(msgspec.json.format(msgspec.json.encode(left), indent=2) + b"\n")
    with pytest.raises(InputError, match="is not empty and no export"):
        write("hf", tmp_path / "out")
    assert write("webdataset", tmp_path / "out").fresh
    assert files(tmp_path / "out") == whole


def test_a_file_address_is_a_folder(tmp_path: Path) -> None:
    write("webdataset", (tmp_path / "out").as_uri())
    assert EXPORT_FILE in files(tmp_path / "out")


def test_an_address_that_nobody_serves_is_refused() -> None:
    with pytest.raises(InputError, match="nosuch://bucket: cannot be written to: Protocol not known: nosuch"):
        write("hf", "nosuch://bucket")


@pytest.mark.parametrize(
    ("module", "needs"), [("fsspec.core", "out needs fsspec"), ("pyarrow", "Parquet needs pyarrow")]
)
def test_what_is_not_installed_is_named(
    module: str, needs: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(InputError, match=rf"{needs} .* this installs it: .* -m pip install"):
        write("hf", tmp_path / "out")
    assert [*tmp_path.iterdir()] == []
