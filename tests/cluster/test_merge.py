"""Shards of pairs merge to what one machine draws; a merge of any kind is whole or not there."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import call

import counterbench as cb
from counterbench.drawing import reading
from counterbench.errors import InputError
from counterbench.suites.generation import generate
from counterbench.suites.shards import Shard
from counterbench.suites.suite import load_suite

SUITE = load_suite("smoke")
PAIRS = 11


def contents(folder: Path) -> dict[str, bytes | None]:
    """Every file's bytes (a picture's pixels: how they are compressed is nobody's promise), and every folder."""
    return {str(path.relative_to(folder)): content(path) for path in folder.rglob("*")}


def content(path: Path) -> bytes | None:
    if path.suffix == ".png":
        return reading.read(path).tobytes()
    return path.read_bytes() if path.is_file() else None


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder as one machine draws it."""
    out = tmp_path_factory.mktemp("one") / "pairs"
    generate(SUITE, out, workers=1, limit=PAIRS)
    return out


def drawn(folder: Path, n: int, **options: Any) -> list[Path]:
    parts = [folder / f"part-{k}" for k in range(n)]
    for k, part in enumerate(parts):
        generate(SUITE, part, workers=1, shard=Shard(k, n), **({"limit": PAIRS} | options))
    return parts


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return drawn(tmp_path_factory.mktemp("shards"), 3)


@pytest.mark.parametrize("n", [1, 3, PAIRS + 4])
def test_merged_shards_are_what_one_machine_draws(n: int, one: Path, tmp_path: Path) -> None:
    shards = drawn(tmp_path, n)
    before = [contents(shard) for shard in shards]
    made = cb.merge(shards[::-1], tmp_path / "merged")
    assert contents(tmp_path / "merged") == contents(one)
    assert (made.kind, made.shards, made.records) == ("pairs", n, PAIRS)
    assert [contents(shard) for shard in shards] == before


def test_a_shard_is_no_folder_of_pairs(parts: list[Path]) -> None:
    for command in (["verify"], ["probe", "--judge", "pixels"]):
        result = call(command[0], parts[0], *command[1:])
        assert result.exit_code == 2
        assert "it is a shard of a folder of pairs: counterbench merge" in result.stderr


Wrong = Callable[[list[Path], Path, Path], list[Path]]
WRONG: dict[str, tuple[Wrong, str]] = {
    "missing": (lambda parts, one, new: [parts[0], parts[2]], r"1 shard is missing: 1/3; .*--shard 1/3"),
    "doubled": (
        lambda parts, one, new: [*parts, Path(shutil.copytree(parts[1], new))],
        r"shard 1/3 is there twice: .*part-1 and .*new; leave one out",
    ),
    "of another division": (
        lambda parts, one, new: [parts[0], shard_of(new, "1/4")],
        r"new: is shard 1/4, and .*part-0 is shard 0/3",
    ),
    "of another suite": (
        lambda parts, one, new: [parts[0], shard_of(new, "1/3", limit=PAIRS + 1), parts[2]],
        r"new: is not of the same work as .*part-0: its digest is .*; leave it out, or make that shard anew",
    ),
    "of another kind": (
        lambda parts, one, new: [parts[0], run_in(new)],
        r"new: holds a run, and .*part-0 pairs: merge shards of one kind",
    ),
    "whole": (lambda parts, one, new: [parts[0], one], r"pairs: is whole already, and no shard; leave it out"),
    "nothing": (lambda parts, one, new: [parts[0], new], r"new: holds no shard of anything"),
    "changed": (lambda parts, one, new: [parts[0], edited(parts[1], new), parts[2]], r"pairs.jsonl: was changed"),
    "without a picture": (
        lambda parts, one, new: [parts[0], bare(parts[1], new), parts[2]],
        r"new: has 7 pictures of 4 pairs; delete it, and draw it anew",
    ),
}


def shard_of(folder: Path, shard: str, limit: int = PAIRS) -> Path:
    cb.generate(SUITE, folder, workers=1, limit=limit, shard=shard)
    return folder


def run_in(folder: Path) -> Path:
    cb.probe("smoke", "planted:oracle", folder, limit=1, shard="0/2")
    return folder


def edited(part: Path, folder: Path) -> Path:
    shutil.copytree(part, folder)
    pairs = folder / "pairs.jsonl"
    pairs.write_bytes(pairs.read_bytes().replace(b"left", b"right"))
    return folder


def bare(part: Path, folder: Path) -> Path:
    shutil.copytree(part, folder)
    next(folder.rglob("*.png")).unlink()
    return folder


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_whole_set_is_named(name: str, parts: list[Path], one: Path, tmp_path: Path) -> None:
    make, said = WRONG[name]
    with pytest.raises(InputError, match=said):
        cb.merge(make(parts, one, tmp_path / "new"), tmp_path / "merged")
    assert not (tmp_path / "merged").exists()


def test_the_commands_say_what_to_do_next(tmp_path: Path) -> None:
    for k in range(2):
        result = call("generate", "smoke", "--limit", 4, "--shard", f"{k}/2", "--out", tmp_path / str(k))
        assert result.exit_code == 0
        assert f"2 pairs of smoke, shard {k}/2" in result.stdout
        assert "next: with all 2 shards: counterbench merge DIR … --out DIR" in result.stdout
    result = call("merge", tmp_path / "0", tmp_path / "1", "--out", tmp_path / "merged")
    assert "4 pairs of 2 shards" in result.stdout
    assert f"next: counterbench verify {tmp_path / 'merged'}" in result.stdout
    result = call("merge", tmp_path / "0", tmp_path / "1", "--out", tmp_path / "other", "--json")
    assert json.loads(result.stdout) == {"merged": {"shards": 2, "records": 4}}
