"""A real client of S3 against a local server: the same bytes as in a folder; whoever is killed leaves nothing there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import fsspec
import pytest
from moto.server import ThreadedMotoServer

from counterbench.errors import InputError
from counterbench.interop.exports import Options, export
from counterbench.runs.wordings import load_wording
from counterbench.suites.sources import open_source

SUITE, PAIRS, OUT = "counterbench-550", 30, "s3://bucket/deep/pairs"
FORMATS = ["hf", "croissant", "webdataset"]


def write(format: str, out: str) -> None:
    export(format, open_source(SUITE, limit=PAIRS), out, Options(load_wording(), 1))


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[fsspec.AbstractFileSystem]:
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    for name, value in {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
    }.items():
        monkeypatch.setenv(name, value)
    urllib.request.urlopen(urllib.request.Request(f"http://{host}:{port}/moto-api/reset", method="POST")).close()
    system = fsspec.filesystem("s3", skip_instance_cache=True)
    system.mkdir("bucket")
    try:
        yield system
    finally:
        server.stop()
        fsspec.filesystem("s3").clear_instance_cache()


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
    with pytest.raises(InputError, match="holds an export of 'counterbench-550'"):
        write(FORMATS[FORMATS.index(format) - 1], OUT)


def test_a_bucket_that_is_not_there_is_named_and_not_made(store: fsspec.AbstractFileSystem) -> None:
    with pytest.raises(InputError, match=r"s3://nobucket/pairs: writing failed: .*bucket does not exist"):
        write("webdataset", "s3://nobucket/pairs")
    assert not store.exists("nobucket")


KILLED = """
import os, signal, sys
from counterbench.interop.exports import Options, export
from counterbench.runs.wordings import load_wording
from counterbench.suites.sources import open_source

def kill(done, total):
    if done == int(sys.argv[1]):
        os.kill(os.getpid(), signal.SIGKILL)

export("hf", open_source("counterbench-550", limit=30), "s3://bucket/deep/pairs", Options(load_wording(), 1), kill)
"""


@pytest.mark.parametrize("at", [1, 15, 30])
def test_kill_9_leaves_nothing_there_and_the_same_again_is_whole(at: int, store: fsspec.AbstractFileSystem) -> None:
    killed = subprocess.run([sys.executable, "-c", KILLED, str(at)], env=os.environ, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert stored(store) == {}
    write("hf", OUT)
    assert "export.json" in stored(store)
