"""Shards of a run: for any N what they merge to is what one machine asks; what does not belong is named."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from asked import probe
from asking.fakes import FAILURE, YES, Paper, Scripted
from commands import call

import counterbench as cb
from counterbench.asking.asker import Limits
from counterbench.errors import InputError
from counterbench.judges import open_judge
from counterbench.runs.folder import read_run_info
from counterbench.runs.journal import Record, read_journal
from counterbench.runs.pair_queries import keys
from counterbench.suites.shards import Shard
from counterbench.suites.sources import SuiteSource, open_source

LIMIT = 9
TOOK = {"time": "", "seconds": None}


def asked(run: Path) -> list[Record]:
    """The records of a run, without when they came and in no order of their own."""
    records = (msgspec.structs.replace(record, **TOOK) for record in read_journal(run / "journal.jsonl"))
    return sorted(records, key=lambda record: (record.id, record.vote))


def scores(run: Path) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(cb.score(run))
    found["observed"] |= {"first": "", "last": "", "examples": {}}
    return found


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def in_shards(folder: Path, n: int, source: Any, judge: str, **options: Any) -> list[Path]:
    parts = [folder / f"part-{k}" for k in range(n)]
    for k, part in enumerate(parts):
        cb.probe(source, judge, part, shard=f"{k}/{n}", **options)
    return parts


# A judge with replies of every kind, one that fails on some, and one that is right; votes; another limit.
ASKED: list[tuple[str, dict[str, Any], int]] = [
    ("planted:unparsed+off-by-one", {"limit": LIMIT}, 3),
    ("planted:failing", {"limit": LIMIT}, 20),
    ("planted:noisy", {"limit": LIMIT, "votes": 2}, 3),
    ("planted:oracle", {}, 1),
]


@pytest.mark.parametrize(("judge", "options", "n"), ASKED, ids=[judge for judge, *_ in ASKED])
def test_merged_shards_are_what_one_machine_asks(judge: str, options: dict[str, Any], n: int, tmp_path: Path) -> None:
    one, merged = tmp_path / "one", tmp_path / "merged"
    cb.probe("smoke", judge, one, **options)
    parts = in_shards(tmp_path, n, "smoke", judge, **options)
    before = [contents(part) for part in parts]
    made = cb.merge(parts[::-1], merged)
    assert [contents(part) for part in parts] == before
    assert (merged / "keys.jsonl").read_bytes() == (one / "keys.jsonl").read_bytes()
    assert read_run_info(merged) == read_run_info(one)
    assert asked(merged) == asked(one)
    assert (made.kind, made.shards, made.records) == ("a run", n, len(asked(one)))
    assert scores(merged) | {"run": ""} == scores(one) | {"run": ""}
    again = cb.probe("smoke", judge, merged, **options).progress  # a merged run is a run like any other
    assert again.done + again.failed == again.total


def test_a_folder_is_asked_in_shards_too(tmp_path: Path) -> None:
    limit = 5
    cb.generate("smoke", tmp_path / "pairs", workers=1, limit=LIMIT)
    cb.probe(tmp_path / "pairs", "pixels", tmp_path / "one", limit=limit)
    cb.merge(in_shards(tmp_path, 4, tmp_path / "pairs", "pixels", limit=limit), tmp_path / "merged")
    assert asked(tmp_path / "merged") == asked(tmp_path / "one")
    assert read_run_info(tmp_path / "merged") == read_run_info(tmp_path / "one")


def test_shards_have_folders_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for k in range(2):
        result = call("probe", "smoke", "--judge", "planted:oracle", "--limit", 4, "--shard", f"{k}/2")
        merge = "merge runs/smoke--planted-oracle--limit-4--shard-*-of-2 --out runs/smoke--planted-oracle--limit-4"
        assert f"next: with all 2 shards: counterbench {merge}" in result.stdout
        assert "4 questions to ask planted:oracle, shard" in result.stderr
    runs = [f"runs/smoke--planted-oracle--limit-4--shard-{k}-of-2" for k in range(2)]
    assert sorted(map(str, Path("runs").iterdir())) == [str(Path(run)) for run in runs]
    result = call("merge", *runs, "--out", "runs/merged")
    assert "runs/merged: 8 records of 2 shards" in result.stdout
    assert "next: counterbench score runs/merged" in result.stdout
    assert call("score", "runs/merged").exit_code == 0


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return in_shards(tmp_path_factory.mktemp("shards"), 3, "smoke", "planted:noisy", limit=LIMIT)


@pytest.mark.parametrize("command", ["score", "diagnose", "certify", "report"])
def test_the_numbers_of_a_shard_are_no_runs(command: str, parts: list[Path], tmp_path: Path) -> None:
    more = {"certify": ["--out", tmp_path / "a.json"], "report": ["--out", tmp_path / "a.html"]}.get(command, [])
    result = call(command, parts[1], *more)
    assert result.exit_code == 2
    assert "part-1: is shard 1/3 of a run on 'smoke', whose numbers are of all shards" in result.stderr


@pytest.mark.parametrize("shard", ["", "0/3", "1/4"])
def test_a_run_keeps_to_its_shard(shard: str, parts: list[Path]) -> None:
    with pytest.raises(InputError, match=r"part-2: holds another run: .*its shard is '2/3', not .*choose another"):
        cb.probe("smoke", "planted:noisy", parts[2], limit=LIMIT, shard=shard)


def stopped(folder: Path) -> Path:
    cb.probe("smoke", "planted:noisy", folder, limit=LIMIT, shard="1/3", limits=Limits(max_calls=2))
    return folder


def probed(folder: Path, shard: str, judge: str = "planted:noisy", limit: int = LIMIT, **options: Any) -> Path:
    cb.probe("smoke", judge, folder, limit=limit, shard=shard, **options)
    return folder


def changed(part: Path, folder: Path) -> Path:
    shutil.copytree(part, folder)
    journal = folder / "journal.jsonl"
    journal.write_bytes(journal.read_bytes().replace(b'"asked":"', b'"asked":"0'))
    return folder


Wrong = Callable[[list[Path], Path], list[Path]]
WRONG: dict[str, tuple[Wrong, str]] = {
    "of another suite": (
        lambda parts, new: [parts[0], probed(new, "1/3", limit=5), parts[2]],
        r"new: is not of the same work as .*part-0: its suite digest is ",
    ),
    "of another judge": (
        lambda parts, new: [parts[0], probed(new, "1/3", "planted:noisy?p=0.4"), parts[2]],
        r"its judge is 'planted:noisy\?p=0.4', not 'planted:noisy'",
    ),
    "of another template": (
        lambda parts, new: [parts[0], probed(new, "1/3", template="strict"), parts[2]],
        r"its template digest is ",
    ),
    "of other votes": (lambda parts, new: [parts[0], probed(new, "1/3", votes=3), parts[2]], r"its votes is 3, not 1"),
    "unfinished": (
        lambda parts, new: [parts[0], stopped(new), parts[2]],
        r"new: shard 1/3 is not finished: 4 questions of 6 not asked; the same command again goes on with it",
    ),
    "changed": (lambda parts, new: [parts[0], changed(parts[1], new), parts[2]], r"new.*: its reply to .* is not to"),
    "otherwise named": (
        lambda parts, new: [parts[0], probed(new, "1/3", name="ours"), parts[2]],
        r"new: is not of the same work as .*part-0: its name is 'ours', not ''",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_whole_set_is_named(name: str, parts: list[Path], tmp_path: Path) -> None:
    make, said = WRONG[name]
    with pytest.raises(InputError, match=said):
        cb.merge(make(parts, tmp_path / "new"), tmp_path / "merged")
    assert not (tmp_path / "merged" / "run.json").exists()


def test_what_failed_in_a_shard_is_merged_as_failed_and_asked_again(tmp_path: Path) -> None:
    class Sharded(Paper):
        def __init__(self, k: int) -> None:
            super().__init__(4)
            self.pairs, self.shard = list(Shard(k, 2).of(self.pairs)), Shard(k, 2)

    for k in range(2):
        bad = Scripted(lambda id, times: FAILURE if id == "p3/original" else YES)
        probe(Sharded(k), bad, tmp_path / str(k))  # type: ignore[arg-type]
    result = call("merge", tmp_path / "0", tmp_path / "1", "--out", tmp_path / "merged", "--json")
    assert json.loads(result.stdout) == {"merged": {"shards": 2, "records": 8}}
    good = Scripted()
    assert probe(Paper(4), good, tmp_path / "merged").complete  # type: ignore[arg-type]
    assert good.asked == ["p3/original"]


def test_a_planted_judge_may_have_nothing_to_show_in_a_shard(tmp_path: Path) -> None:
    source = open_source("smoke", limit=LIMIT)
    assert isinstance(source, SuiteSource)
    for k in range(LIMIT):
        judge = open_judge("planted:arrow-blind", lambda: keys(source))
        assert probe(source.sharded(Shard(k, LIMIT)), judge, tmp_path / str(k)).complete


def test_further_templates_are_merged_too(tmp_path: Path) -> None:
    def ask(out: str, *more: object) -> Path:
        line = ("probe", "smoke", "--limit", 4, "--judge", "planted:oracle", "--template", "default,strict")
        assert call(*line, "--out", tmp_path / out, *more).exit_code == 0
        return tmp_path / out

    one, parts = ask("one"), [ask(str(k), "--shard", f"{k}/2") for k in range(2)]
    cb.merge(parts, tmp_path / "merged")
    (under,) = [path.relative_to(one) for path in (one / "templates").iterdir()]
    assert asked(tmp_path / "merged" / under) == asked(one / under)
    shutil.rmtree(parts[1] / under)
    with pytest.raises(InputError, match=r"1: shard 1/2 is not finished: templates/strict/run.json is not there"):
        cb.merge(parts, tmp_path / "again")
