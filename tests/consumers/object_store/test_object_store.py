"""A real client of S3 against a local server: what is there is what a folder holds, whoever is killed on the way."""

import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import fsspec
import pytest
from consumers.stored import brought, object_store
from loopback import LoopbackServer, Say

import counterbench as cb
from counterbench.errors import InputError
from counterbench.interop.exports import Options, export
from counterbench.runs.folder import read_journal
from counterbench.runs.queries import load_template
from counterbench.suites.sources import open_source

SUITE, PAIRS, OUT = "counterbench-550", 30, "s3://bucket/deep/pairs"
FORMATS = ["hf", "croissant", "webdataset"]


def write(format: str, out: str) -> None:
    export(format, open_source(SUITE, limit=PAIRS), out, Options(load_template(), 1))


@pytest.fixture
def store() -> Iterator[fsspec.AbstractFileSystem]:
    with object_store() as system:
        yield system


def stored(system: fsspec.AbstractFileSystem) -> dict[str, bytes]:
    system.invalidate_cache()
    return {path.removeprefix("bucket/deep/pairs/"): system.cat_file(path) for path in system.find("bucket")}


@pytest.mark.parametrize("format", FORMATS)
def test_what_is_stored_has_the_bytes_of_a_folder(
    format: str, store: fsspec.AbstractFileSystem, tmp_path: Path
) -> None:
    write(format, OUT)
    write(format, str(tmp_path / "out"))
    paths = (path for path in (tmp_path / "out").rglob("*") if path.is_file())
    assert stored(store) == {str(path.relative_to(tmp_path / "out")): path.read_bytes() for path in paths}
    with pytest.raises(InputError, match="is not empty"):
        write(FORMATS[FORMATS.index(format) - 1], OUT)


def test_a_bucket_that_is_not_there_is_named_and_not_made(store: fsspec.AbstractFileSystem) -> None:
    with pytest.raises(InputError, match=r"s3://nobucket/pairs: reading failed: .*bucket does not exist"):
        write("webdataset", "s3://nobucket/pairs")
    assert not store.exists("nobucket")


# The command line, which uploads every fifth of a second.
COMMAND = """
from counterbench.files import addresses
addresses.EVERY = 0.2
from counterbench.cli import main
main()
"""


def begun(*words: object) -> subprocess.Popen[bytes]:
    line = [sys.executable, "-c", COMMAND, *map(str, words)]
    return subprocess.Popen(line, env=os.environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def lines(system: fsspec.AbstractFileSystem, name: str) -> int:
    system.invalidate_cache()
    return int(system.cat_file(f"bucket/{name}").count(b"\n")) if system.exists(f"bucket/{name}") else 0


def test_another_machine_goes_on_with_a_killed_probe(store: fsspec.AbstractFileSystem, tmp_path: Path) -> None:
    """No reply is asked for again that was uploaded before; the run there is then whole."""
    run = "s3://bucket/deep/run"
    with LoopbackServer(replace(Say("yes"), delay=0.4)) as server:
        line = ("probe", SUITE, "--limit", 60, "--judge", "openai:dots", "--base-url", server.url, "--concurrency", 4,
                "--upload", run)  # fmt: skip
        process, end = begun(*line, "--out", tmp_path / "one"), time.monotonic() + 60
        while not lines(store, "deep/run/journal.jsonl"):
            assert time.monotonic() < end
            time.sleep(0.05)
        process.kill()
        process.communicate()
        uploaded, made = lines(store, "deep/run/journal.jsonl"), len(server.log)
        process = begun(*line, "--resume-from", run, "--out", tmp_path / "another")
        _, stderr = process.communicate(timeout=300)
        assert process.returncode == 0, stderr.decode()
        again = len(server.log) - 120
    records = Counter(record.id for record in read_journal(brought(store, "deep/run", tmp_path) / "journal.jsonl"))
    assert (len(records), set(records.values())) == (120, {1})
    assert 0 <= again <= made - uploaded
    assert cb.score(run).overall == cb.score(tmp_path / "another").overall
