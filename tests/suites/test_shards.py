"""Shards of a folder: for any N what they merge to is what one machine draws; what does not belong is named."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import call
from hypothesis import given
from hypothesis import strategies as st

import counterbench as cb
from counterbench.drawing import reading
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.suites.folder import Folder
from counterbench.suites.generation import generate
from counterbench.suites.merging import merge_folders
from counterbench.suites.shards import Shard, in_turn, lines_of, read_shard
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


@given(st.lists(st.integers()), st.integers(1, 40))
def test_shards_part_the_whole_and_join_to_it(whole: list[int], n: int) -> None:
    shares = [Shard(k, n).of(whole) for k in range(n)]
    assert max(map(len, shares)) - min(map(len, shares)) <= 1
    assert list(in_turn(shares)) == whole


@given(st.lists(st.binary().map(lambda line: line.replace(b"\n", b""))), st.binary(), st.integers(1, 9))
def test_lines_are_read_block_by_block(tmp_path_factory: Any, lines: list[bytes], torn: bytes, block: int) -> None:
    file = tmp_path_factory.getbasetemp() / "lines"
    whole = [line + b"\n" for line in lines]
    file.write_bytes(b"".join(whole) + torn.replace(b"\n", b""))
    assert list(lines_of(file, block)) == whole


@pytest.mark.parametrize("n", [1, 2, 3, 8, PAIRS + 4])
def test_merged_shards_are_what_one_machine_draws(n: int, one: Path, tmp_path: Path) -> None:
    shards = drawn(tmp_path, n)
    before = [contents(shard) for shard in shards]
    made = cb.merge(shards[::-1], tmp_path / "merged")
    assert contents(tmp_path / "merged") == contents(one)
    assert (made.kind, made.shards, made.records) == ("pairs", n, PAIRS)
    assert [contents(shard) for shard in shards] == before


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("4/4", "shards count from 0, so of 4 the last is 3/4"),
        ("7/4", "the last is 3/4"),
        ("1/0", "must be K/N"),
        ("-1/4", "must be K/N"),
        ("1", "must be K/N"),
        ("1/2/3", "must be K/N"),
        ("١/٤", "must be K/N"),
    ],
)
def test_what_is_no_shard_is_refused(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_shard(text)
    assert read_shard("") is None
    assert str(read_shard("0/4")) == "0/4"


def test_a_shard_is_no_folder_of_pairs(parts: list[Path]) -> None:
    for command in (["verify"], ["probe", "--judge", "pixels"]):
        result = call(command[0], parts[0], *command[1:])
        assert result.exit_code == 2
        assert "it is a shard of a folder of pairs: counterbench merge" in result.stderr


def test_a_shard_is_gone_on_with_and_mended(parts: list[Path], tmp_path: Path) -> None:
    part = tmp_path / "part-1"
    shutil.copytree(parts[1], part)
    whole = contents(part)
    next(part.rglob("*.png")).unlink()
    generate(SUITE, part, workers=1, limit=PAIRS, shard=Shard(1, 3))
    assert contents(part) == whole
    (part / "shard.json").rename(part / "gone")  # as a kill before the end leaves it
    begun = {"format": "counterbench.generation/1", "shard": "1/3", "name": SUITE.name}
    info = json.loads((part / "gone").read_bytes())["whole"]
    (part / ".generating.json").write_text(json.dumps(begun | {k: info[k] for k in ("digest", "versions")}))
    (part / "gone").unlink()
    with pytest.raises(InputError, match=r"part-1: this shard is not finished: the same `generate --shard` again"):
        cb.merge([parts[0], part, parts[2]], tmp_path / "merged")
    with pytest.raises(InputError, match=r"part-1: holds shard 1/3 of 'smoke', and this is shard 2/3"):
        generate(SUITE, part, workers=1, limit=PAIRS, shard=Shard(2, 3))
    generate(SUITE, part, workers=1, limit=PAIRS, shard=Shard(1, 3))
    assert contents(part) == whole


@pytest.mark.parametrize("shard", [None, Shard(0, 3), Shard(1, 2)])
def test_a_folder_keeps_to_its_shard(shard: Shard | None, parts: list[Path]) -> None:
    with pytest.raises(InputError, match=r"part-2: holds shard 2/3 of 'smoke', and this is .*choose another --out"):
        generate(SUITE, parts[2], workers=1, limit=PAIRS, shard=shard)


Wrong = Callable[[list[Path], Path, Path], list[Path]]
WRONG: dict[str, tuple[Wrong, str]] = {
    "missing": (lambda parts, one, new: [parts[0], parts[2]], r"1 shard is missing: 1/3; .*--shard 1/3"),
    "doubled": (
        lambda parts, one, new: [*parts, Path(shutil.copytree(parts[1], new))],
        r"shard 1/3 is there twice: .*part-1 and .*new; leave one out",
    ),
    "named twice": (lambda parts, one, new: [*parts, parts[0]], r"part-0: was named twice"),
    "of another division": (
        lambda parts, one, new: [parts[0], shard_of(new, "1/4")],
        r"new: is shard 1/4, and .*part-0 is shard 0/3",
    ),
    "of another suite": (
        lambda parts, one, new: [parts[0], shard_of(new, "1/3", limit=PAIRS + 1), parts[2]],
        r"new: is not of the same work as .*part-0: its digest is .*; leave it out, or make that shard anew",
    ),
    "whole": (lambda parts, one, new: [parts[0], one], r"pairs: is whole already, and no shard; leave it out"),
    "nothing": (lambda parts, one, new: [parts[0], new], r"new: holds no shard of anything"),
    "changed": (lambda parts, one, new: [parts[0], edited(parts[1], new), parts[2]], r"pairs.jsonl: was changed"),
    "without a picture": (
        lambda parts, one, new: [parts[0], bare(parts[1], new), parts[2]],
        r"png: is not there; the same `generate --shard 1/3` again draws it anew",
    ),
}


def shard_of(folder: Path, shard: str, limit: int = PAIRS) -> Path:
    cb.generate(SUITE, folder, workers=1, limit=limit, shard=shard)
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
    assert not (tmp_path / "merged" / "suite.json").exists()


def test_a_merged_folder_is_not_written_over(parts: list[Path], one: Path) -> None:
    with pytest.raises(InputError, match="is complete already; choose another --out"):
        cb.merge(parts, one)
    with pytest.raises(InputError, match=r"part-0: holds shard 0/3 of 'smoke', and this is the whole"):
        cb.merge(parts, parts[0])


@pytest.mark.slow
def test_a_merge_killed_at_any_step_can_be_made_again(
    parts: list[Path], one: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = [contents(part) for part in parts]
    steps = 0
    for step in range(1, 60):
        out = tmp_path / str(step)
        if ended(lambda out=out: merge_folders(parts, out), step):  # type: ignore[misc]
            break
        steps += 1
        if (out / "suite.json").exists():  # killed when all was done
            assert Folder(out).info == Folder(one).info
            continue
        with pytest.raises(InputError):
            Folder(out)
        merge_folders(parts, out)
        assert contents(out) == contents(one)
    assert steps > 20
    assert [contents(part) for part in parts] == before


def ended(work: Callable[[], object], step: int) -> bool:
    """Do `work` in a process that is killed at its so many-th file; whether it came to its end before."""
    child = os.fork()
    if not child:
        left = step
        copy, replace = shutil.copyfile, Path.replace

        def count() -> bool:
            nonlocal left
            left -= 1
            return left <= 0

        def torn(source: Path, target: Path) -> None:
            if count():
                target.write_bytes(source.read_bytes()[:100])
                os._exit(9)
            copy(source, target)

        def renamed(path: Path, target: Path) -> Path:
            if count():
                os._exit(9)
            return replace(path, target)

        shutil.copyfile = torn  # type: ignore[assignment]
        Path.replace = renamed  # type: ignore[method-assign,assignment]
        try:
            work()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


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
    assert json.loads(result.stdout)["merged"] == {"shards": 2, "records": 4, "failed": 0}
    assert formats.read_json(tmp_path / "merged" / "suite.json", dict) == formats.read_json(
        tmp_path / "other" / "suite.json", dict
    )
