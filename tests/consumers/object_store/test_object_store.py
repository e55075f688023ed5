"""A real client of S3 against a local server: what is there is what a folder holds, whoever is killed on the way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import fsspec
import pytest
from consumers.served import MODEL, judge, run_page
from consumers.stored import brought, contents, object_store
from loopback import LoopbackServer, Say

import counterbench as cb
from counterbench.errors import InputError
from counterbench.interop.exports import Options, export
from counterbench.runs.journal import read_journal
from counterbench.runs.wordings import load_wording
from counterbench.suites.sources import open_source

SUITE, PAIRS, OUT = "counterbench-550", 30, "s3://bucket/deep/pairs"
FORMATS = ["hf", "croissant", "webdataset"]


def write(format: str, out: str) -> None:
    export(format, open_source(SUITE, limit=PAIRS), out, Options(load_wording(), 1))


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


# The command line, which sends every fifth of a second, and listens one second for who may still live.
COMMAND = """
import sys
from counterbench.files import copies, kept
kept.EVERY, kept._PART, copies.SILENT = 0.2, 1.0, 1.0
from counterbench.cli import main
main()
"""


def begun(machine: Path, *words: object) -> subprocess.Popen[bytes]:
    """A command on a machine that has nothing but what lies in that folder."""
    line = [sys.executable, "-c", COMMAND, *map(str, words)]
    return subprocess.Popen(
        line, env=os.environ | {"XDG_CACHE_HOME": str(machine)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def command(machine: Path, *words: object) -> None:
    process = begun(machine, *words)
    _, stderr = process.communicate(timeout=300)
    assert process.returncode == 0, stderr.decode()


def until(found: Callable[[], object]) -> None:
    end = time.monotonic() + 60
    while not found():
        assert time.monotonic() < end
        time.sleep(0.05)


def has(system: fsspec.AbstractFileSystem, name: str) -> bool:
    system.invalidate_cache()
    return bool(system.exists(f"bucket/{name}"))


def lines(system: fsspec.AbstractFileSystem, name: str) -> int:
    return int(system.cat_file(f"bucket/{name}").count(b"\n")) if has(system, name) else 0


def test_shards_drawn_on_machines_that_die_merge_to_what_one_draws(
    store: fsspec.AbstractFileSystem, tmp_path: Path
) -> None:
    """Nothing but the store is shared; a shard is killed while it draws, and finished by another machine."""
    line = ("generate", SUITE, "--limit", 300, "--workers", 1)
    cb.generate(SUITE, tmp_path / "one", limit=300)
    first = begun(tmp_path / "a", *line, "--shard", "0/2", "--out", "s3://bucket/deep/shard-0")
    until(lambda: has(store, "deep/shard-0/pairs.jsonl"))
    first.kill()
    first.communicate()
    assert first.returncode == -signal.SIGKILL
    assert not has(store, "deep/shard-0/shard.json")
    command(tmp_path / "b", *line, "--shard", "0/2", "--out", "s3://bucket/deep/shard-0")
    command(tmp_path / "c", *line, "--shard", "1/2", "--out", "s3://bucket/deep/shard-1")
    command(tmp_path / "d", "merge", "s3://bucket/deep/shard-*", "--out", "s3://bucket/deep/whole")
    assert contents(brought(store, "deep/whole", tmp_path)) == contents(tmp_path / "one")


@pytest.mark.parametrize("another", [False, True])
def test_a_killed_probe_loses_no_reply_that_was_sent(
    another: bool, store: fsspec.AbstractFileSystem, tmp_path: Path
) -> None:
    """On the same machine only the calls in flight are made again; on another those that had not been sent yet."""
    calls, out = 4, "s3://bucket/deep/run"
    with LoopbackServer(replace(Say("yes"), delay=0.4)) as server:
        line = ("probe", SUITE, "--limit", 60, "--judge", "openai:dots", "--base-url", server.url,
                "--concurrency", calls, "--out", out)  # fmt: skip
        process = begun(tmp_path / "a", *line)
        until(lambda: lines(store, "deep/run/journal.jsonl"))
        process.kill()
        process.communicate()
        sent, made = lines(store, "deep/run/journal.jsonl"), len(server.log)
        assert sent <= made < 120
        command(tmp_path / ("b" if another else "a"), *line)
        again = len(server.log) - 120
    records = Counter(record.id for record in read_journal(brought(store, "deep/run", tmp_path) / "journal.jsonl"))
    assert (len(records), set(records.values())) == (120, {1})
    assert 0 <= again <= (made - sent if another else calls)


def test_a_t2i_model_is_drawn_judged_and_scored_there(store: fsspec.AbstractFileSystem, tmp_path: Path) -> None:
    images, judged = "s3://bucket/deep/images", "s3://bucket/deep/judged"
    for k in range(2):
        command(tmp_path / f"draws-{k}", "t2i", "generate", "laws", "--generator", "planted:literal", "--limit", 2,
                "--samples", 1, "--shard", f"{k}/2", "--out", images)  # fmt: skip
    command(tmp_path / "m", "merge", f"{images}/planted-literal--shard-*", "--out", f"{images}/planted-literal")
    command(tmp_path / "j", "t2i", "judge", f"{images}/planted-literal", "--judge", "planted:oracle", "--uncertified",
            "--out", judged)  # fmt: skip
    command(tmp_path / "s", "t2i", "score", judged)


def test_the_page_runs_as_written(
    store: fsspec.AbstractFileSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "srun").write_text('#!/bin/sh\nexec "$@"\n')
    (tmp_path / "srun").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("BUCKET", "s3://bucket")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with judge() as address:
        run_page("many-machines.md", address, tmp_path)
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "another"))
        cb.probe("smoke", f"openai:{MODEL}?base_url={address}", tmp_path / "run")
    assert cb.score("s3://bucket/smoke").overall == cb.score(tmp_path / "run").overall
