"""A real client of S3 against a local server: what is there is what a folder holds, whoever is killed on the way."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import fsspec
import pytest
from consumers.counted import SUITE
from consumers.exported import exported
from consumers.stored import brought, object_store
from loopback import LoopbackServer, Say
from processes import python, started, until

import counterbench as cb
from counterbench.errors import InputError
from counterbench.runs.folder import read_journal

OUT = "s3://bucket/deep/pairs"
FORMATS = ["hf", "croissant", "webdataset"]


@pytest.fixture
def store() -> Iterator[fsspec.AbstractFileSystem]:
    with object_store() as system:
        yield system


def stored(system: fsspec.AbstractFileSystem) -> dict[str, bytes]:
    system.invalidate_cache()
    return {path.removeprefix("bucket/deep/pairs/"): system.cat_file(path) for path in system.find("bucket")}


@pytest.mark.parametrize("format", FORMATS)
def test_a_stored_export_has_the_bytes_of_a_local_folder(
    format: str, store: fsspec.AbstractFileSystem, tmp_path: Path
) -> None:
    exported(format, OUT)
    exported(format, tmp_path / "out")
    paths = (path for path in (tmp_path / "out").rglob("*") if path.is_file())
    assert stored(store) == {str(path.relative_to(tmp_path / "out")): path.read_bytes() for path in paths}
    with pytest.raises(InputError, match="is not empty"):
        exported(FORMATS[FORMATS.index(format) - 1], OUT)


def test_a_missing_bucket_is_named_and_not_created(store: fsspec.AbstractFileSystem) -> None:
    with pytest.raises(InputError, match=r"s3://nobucket/pairs: reading failed: .*bucket does not exist"):
        exported("webdataset", "s3://nobucket/pairs")
    assert not store.exists("nobucket")


# The command line, which uploads every fifth of a second.
COMMAND = """
from counterbench.files import addresses
addresses.UPLOAD_PERIOD = 0.2
from counterbench.cli import main
main()
"""


def line_count(system: fsspec.AbstractFileSystem, name: str) -> int:
    system.invalidate_cache()
    return int(system.cat_file(f"bucket/{name}").count(b"\n")) if system.exists(f"bucket/{name}") else 0


def test_another_machine_resumes_a_killed_probe(store: fsspec.AbstractFileSystem, tmp_path: Path) -> None:
    """No reply is asked for again that was uploaded before; the run there is then whole."""
    run = "s3://bucket/deep/run"
    with LoopbackServer(replace(Say("yes"), delay=0.4)) as server:
        line = ("probe", SUITE, "--limit", 60, "--judge", "openai:dots", "--base-url", server.url, "--concurrency", 4,
                "--upload", run)  # fmt: skip
        with started("-c", COMMAND, *line, "--out", tmp_path / "one"):
            until(lambda: line_count(store, "deep/run/journal.jsonl"))
        uploaded, made = line_count(store, "deep/run/journal.jsonl"), len(server.log)
        python("-c", COMMAND, *line, "--resume-from", run, "--out", tmp_path / "another")
        again = len(server.log) - 120
    records = Counter(record.id for record in read_journal(brought(store, "deep/run", tmp_path) / "journal.jsonl"))
    assert (len(records), set(records.values())) == (120, {1})
    assert 0 <= again <= made - uploaded
    assert cb.score(run).overall == cb.score(tmp_path / "another").overall
