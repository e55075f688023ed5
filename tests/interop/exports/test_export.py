"""Where an export is written: whole where `export.json` is, and never over something else, here and on a store."""

import errno
import hashlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import fsspec
import msgspec
import pytest
from interop.exports.exported import PAIRS, files_in, source, write_export

from counterbench.errors import InputError
from counterbench.interop.exports import EXPORT_FILE, EXPORTS, Export

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
def test_an_export_has_the_same_bytes_anywhere_and_lists_every_file(format: str, tmp_path: Path, store: str) -> None:
    write_export(format, tmp_path / "here")
    write_export(format, store)
    written = files_in(tmp_path / "here")
    assert stored() == written
    description = msgspec.json.decode(written.pop(EXPORT_FILE), type=Export)
    found = {name: (len(data), hashlib.sha256(data).hexdigest()) for name, data in written.items()}
    assert {name: (file.bytes, file.sha256) for name, file in description.files.items()} == found
    assert (description.pairs, description.suite_digest) == (PAIRS, source().digest)


def test_an_exports_bytes_do_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    for workers in (1, 2):
        write_export("hf", tmp_path / str(workers), source(18), workers=workers)
    assert files_in(tmp_path / "1") == files_in(tmp_path / "2")


def test_other_contents_of_a_target_are_not_touched(tmp_path: Path, store: str) -> None:
    (tmp_path / "out").mkdir()
    for out in (str(tmp_path / "out"), store):  # an empty folder becomes the export
        write_export("webdataset", out)
    before = files_in(tmp_path), stored()
    for out in (str(tmp_path / "out"), store):
        with pytest.raises(InputError, match="is not empty; choose another --out"):
            write_export("hf", out)
    with pytest.raises(InputError, match="is a file; --out takes a folder"):
        write_export("hf", tmp_path / "out" / EXPORT_FILE)
    assert (files_in(tmp_path), stored()) == before


@pytest.mark.slow
@pytest.mark.parametrize("format", FORMATS)
def test_repeating_an_export_changes_nothing(format: str, tmp_path: Path, store: str) -> None:
    for out in (str(tmp_path / "out"), store):
        first = write_export(format, out)
        before = files_in(tmp_path), stored()
        assert write_export(format, out) == first
        assert (files_in(tmp_path), stored()) == before
    (tmp_path / "out" / next(iter(first.files))).write_bytes(b"edited")
    with pytest.raises(InputError, match="is not empty; choose another --out"):
        write_export(format, tmp_path / "out")


def test_a_failed_export_leaves_nothing(tmp_path: Path, store: str) -> None:
    def full(done: int, total: int) -> None:
        if done == PAIRS - 1:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    for out in (str(tmp_path / "out"), store):
        with pytest.raises(InputError, match=r"writing failed: .*No space left on device"):
            write_export("hf", out, on_progress=full)
    assert [*tmp_path.iterdir()] == []
    assert stored() == {}


def test_the_description_is_the_last_file_to_arrive(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = type(fsspec.filesystem("memory"))
    put, arrived = memory.put_file, []

    def put_file(self: object, local: str, remote: str) -> None:
        arrived.append(Path(remote).name)
        put(self, local, remote)

    monkeypatch.setattr(memory, "put_file", put_file)
    write_export("hf", store)
    assert (len(arrived), arrived[-1]) == (4, EXPORT_FILE)


def test_a_file_address_is_a_folder_and_one_that_nobody_serves_is_refused(tmp_path: Path) -> None:
    write_export("webdataset", (tmp_path / "out").as_uri())
    assert EXPORT_FILE in files_in(tmp_path / "out")
    with pytest.raises(InputError, match="nosuch://bucket: reading failed: Protocol not known: nosuch"):
        write_export("hf", "nosuch://bucket")


def test_a_missing_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match=r"Parquet needs pyarrow .* this installs it: .* -m pip install"):
        write_export("hf", tmp_path / "out")
    assert [*tmp_path.iterdir()] == []
