"""Shards of pairs and of runs merge to what one machine makes; what does not belong is named; a merge is whole or not.

Shards of pictures, and of runs about them, are in `test_merge_t2i`.
"""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from asked import probe
from asking.fakes import FAILURE, YES, Paper, Scripted
from cluster.shards import Other, assert_refused, contents, edit_shard, merged, records
from commands import call, done

import counterbench as cb
from counterbench.asking.asker import Limits
from counterbench.errors import InputError
from counterbench.judges import open_judge
from counterbench.runs.folder import read_run_info
from counterbench.runs.pair_queries import keys
from counterbench.suites.shards import Shard
from counterbench.suites.sources import SuiteSource, open_source

PAIRS, LIMIT = 11, 9


def draw_shards(folder: Path, n: int) -> list[Path]:
    parts = [folder / f"part-{k}" for k in range(n)]
    for k, part in enumerate(parts):
        cb.generate("smoke", part, workers=1, limit=PAIRS, shard=f"{k}/{n}")
    return parts


def in_shards(folder: Path, n: int, source: Any, judge: str, **options: Any) -> list[Path]:
    parts = [folder / f"part-{k}" for k in range(n)]
    for k, part in enumerate(parts):
        cb.probe(source, judge, part, shard=f"{k}/{n}", **options)
    return parts


@pytest.fixture(scope="module")
def one_machine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder as one machine draws it."""
    out = tmp_path_factory.mktemp("one") / "pairs"
    cb.generate("smoke", out, workers=1, limit=PAIRS)
    return out


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return draw_shards(tmp_path_factory.mktemp("pairs"), 3)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return in_shards(tmp_path_factory.mktemp("runs"), 3, "smoke", "planted:noisy", limit=LIMIT)


@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 3, PAIRS + 4])
def test_merged_shards_are_what_one_machine_draws(n: int, one_machine: Path, tmp_path: Path) -> None:
    shards = draw_shards(tmp_path, n)
    made = merged(shards, tmp_path / "merged")
    assert merged(shards, tmp_path / "merged") == made, "the same again"
    assert contents(tmp_path / "merged") == contents(one_machine)
    assert (made.kind, made.shards, made.records) == ("pairs", n, PAIRS)


def scores_of(run: Path) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(cb.score(run))
    found["observed"] |= {"first": "", "last": "", "examples": {}}
    return found | {"run": ""}


# A judge with replies of every kind, one that fails on some, and one that is right; repeats; another limit.
ASKED: list[tuple[str, dict[str, Any], int]] = [
    ("planted:unparsed+off-by-one", {"limit": LIMIT}, 3),
    ("planted:failing", {"limit": LIMIT}, 20),
    ("planted:noisy", {"limit": LIMIT, "repeats": 2}, 3),
    ("planted:oracle", {}, 1),
]


@pytest.mark.parametrize(("judge", "options", "n"), ASKED, ids=[judge for judge, *_ in ASKED])
def test_merged_shards_are_what_one_machine_asks(judge: str, options: dict[str, Any], n: int, tmp_path: Path) -> None:
    alone, whole = tmp_path / "one", tmp_path / "merged"
    cb.probe("smoke", judge, alone, **options)
    shards = in_shards(tmp_path, n, "smoke", judge, **options)
    made = merged(shards, whole)
    assert (whole / "keys.jsonl").read_bytes() == (alone / "keys.jsonl").read_bytes()
    assert read_run_info(whole) == read_run_info(alone)
    assert records(whole) == records(alone)
    assert (made.kind, made.shards, made.records) == ("a run", n, len(records(alone)))
    assert scores_of(whole) == scores_of(alone)
    (whole / "report.html").write_text("mine")
    assert merged(shards, whole) == made, "the same again"
    again = cb.probe("smoke", judge, whole, **options).progress  # a merged run is a run like any other
    assert again.done + again.failed == again.total


def test_a_folder_is_asked_in_shards_too(one_machine: Path, tmp_path: Path) -> None:
    cb.probe(one_machine, "pixels", tmp_path / "one", limit=5)
    cb.merge(in_shards(tmp_path, 4, one_machine, "pixels", limit=5), tmp_path / "merged")
    assert records(tmp_path / "merged") == records(tmp_path / "one")
    assert read_run_info(tmp_path / "merged") == read_run_info(tmp_path / "one")


def test_further_templates_are_merged_too(tmp_path: Path) -> None:
    def ask(out: str, shard: str = "") -> Path:
        cb.probe("smoke", "planted:oracle", tmp_path / out, limit=4, template=["default", "strict"], shard=shard)
        return tmp_path / out

    alone, parts = ask("one"), [ask(str(k), f"{k}/2") for k in range(2)]
    cb.merge(parts, tmp_path / "merged")
    (under,) = [path.relative_to(alone) for path in (alone / "templates").iterdir()]
    assert records(tmp_path / "merged" / under) == records(alone / under)
    shutil.rmtree(parts[1] / under)
    with pytest.raises(InputError, match=r"1: shard 1/2 is not finished: templates/strict/run.json is not there"):
        cb.merge(parts, tmp_path / "again")


def test_failures_in_a_shard_are_merged_as_failed_and_asked_again(tmp_path: Path) -> None:
    class Sharded(Paper):
        def __init__(self, k: int) -> None:
            super().__init__(4)
            self.pairs, self.shard = list(Shard(k, 2).part_of(self.pairs)), Shard(k, 2)

    for k in range(2):
        bad = Scripted(lambda id, times: FAILURE if id == "p3/original" else YES)
        probe(Sharded(k), bad, tmp_path / str(k))  # type: ignore[arg-type]
    result = call("merge", tmp_path / "0", tmp_path / "1", "--out", tmp_path / "merged", "--json")
    assert json.loads(result.stdout) == {"merged": {"shards": 2, "records": 8}}
    good = Scripted()
    assert probe(Paper(4), good, tmp_path / "merged").complete  # type: ignore[arg-type]
    assert good.asked_ids == ["p3/original"]


def test_a_planted_fault_that_no_pair_of_a_shard_shows_is_accepted(tmp_path: Path) -> None:
    source = open_source("smoke", limit=LIMIT)
    assert isinstance(source, SuiteSource)
    for k in range(LIMIT):
        judge = open_judge("planted:arrow-blind", lambda: keys(source))
        assert probe(source.sharded(Shard(k, LIMIT)), judge, tmp_path / str(k)).complete


@pytest.mark.parametrize("command", [["verify"], ["probe", "--judge", "pixels"]])
def test_a_shard_is_refused_as_a_folder_of_pairs(command: list[str], drawn: list[Path]) -> None:
    result = call(command[0], drawn[0], *command[1:])
    assert result.exit_code == 2
    assert "is shard 0/3 of a folder of pairs; join all: counterbench merge" in result.stderr


@pytest.mark.parametrize("command", ["score", "diagnose", "certify", "report"])
def test_a_shard_of_a_run_is_not_scored(command: str, runs: list[Path], tmp_path: Path) -> None:
    more = {"certify": ["--out", tmp_path / "a.json"], "report": ["--out", tmp_path / "a.html"]}.get(command, [])
    result = call(command, runs[1], *more)
    assert result.exit_code == 2
    assert "part-1: is only shard 1/3 of a run on 'smoke': join all shards first" in result.stderr


@pytest.mark.parametrize("shard", ["", "0/3", "1/4"])
def test_a_run_cannot_change_its_shard(shard: str, runs: list[Path]) -> None:
    with pytest.raises(InputError, match=r"part-2: holds another run: .*its shard is '2/3', not .*choose another"):
        cb.probe("smoke", "planted:noisy", runs[2], limit=LIMIT, shard=shard)


def shard_of(shard: str, limit: int = PAIRS) -> Other:
    return lambda part, new: cb.generate("smoke", new, workers=1, limit=limit, shard=shard)


def probed(judge: str = "planted:noisy", limit: int = LIMIT, **options: Any) -> Other:
    return lambda part, new: cb.probe("smoke", judge, new, limit=limit, shard="1/3", **options)


WRONG: dict[str, tuple[str, Other, str]] = {
    "division": ("drawn", shard_of("1/4"), r"new: is shard 1/4, and .*part-0 is shard 0/3"),
    "suite": (
        "drawn",
        shard_of("1/3", PAIRS + 1),
        r"new: is not of the same work as .*part-0: its digest is .*; leave it out, or make that shard anew",
    ),
    "kind": ("drawn", probed(), r"new: holds a run, and .*part-0 pairs: merge shards of one kind"),
    "nothing": ("drawn", lambda part, new: None, r"new: holds no shard of anything"),
    "changed": ("drawn", edit_shard("pairs.jsonl", lambda b: b.replace(b"left", b"right")), "pairs.jsonl: was changed"),
    "questions": ("runs", probed(limit=5), r"new: is not of the same work as .*part-0: its suite digest is "),
    "judge": ("runs", probed("planted:noisy?p=0.4"), r"its judge is 'planted:noisy\?p=0.4', not 'planted:noisy'"),
    "name": ("runs", probed(name="ours"), r"new: is not of the same work as .*part-0: its name is 'ours', not ''"),
    "unfinished": (
        "runs",
        probed(limits=Limits(max_calls=6)),
        r"new: shard 1/3 is not finished: 4 questions of 6 not asked; run its command again to resume",
    ),
    "replies": (
        "runs",
        edit_shard("journal.jsonl", lambda b: b.replace(b'"asked":"', b'"asked":"0')),
        r"new.*: its reply to .* does not belong to",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_shard_that_does_not_belong_is_named(name: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    fixture, other, message = WRONG[name]
    assert_refused(request.getfixturevalue(fixture), other, message, tmp_path)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (lambda parts, whole, copy: [parts[0], parts[2]], r"1 shard is missing: 1/3; .*--shard 1/3"),
        (lambda parts, whole, copy: [*parts, copy], r"shard 1/3 is there twice: .*part-1 and .*new; leave one out"),
        (lambda parts, whole, copy: [parts[0], whole], r"pairs: is already complete, not a shard; leave it out"),
    ],
)
def test_missing_and_superfluous_shards_are_named(
    given: Callable[..., list[Path]], message: str, drawn: list[Path], one_machine: Path, tmp_path: Path
) -> None:
    copy = Path(shutil.copytree(drawn[1], tmp_path / "new"))
    with pytest.raises(InputError, match=message):
        cb.merge(given(drawn, one_machine, copy), tmp_path / "merged")
    assert not (tmp_path / "merged").exists()


def test_the_next_step_after_shards_is_to_merge_them_and_then_to_score(here: Path) -> None:
    """Of runs whose folder is not named, each shard has one of its own."""
    run = "runs/smoke--planted-oracle--limit-4"
    for k in range(2):
        drawn = done("generate", "smoke", "--limit", 4, "--shard", f"{k}/2", "--out", f"pairs-{k}")
        assert f"2 pairs of smoke, shard {k}/2" in drawn
        assert "next: after all 2 shards: counterbench merge DIR … --out DIR" in drawn
        result = call("probe", "smoke", "--judge", "planted:oracle", "--limit", 4, "--shard", f"{k}/2")
        assert f"next: after all 2 shards: counterbench merge {run}--shard-*-of-2 --out {run}" in result.stdout
        assert "questions to ask planted:oracle: 4, shard" in result.stderr
    merged = done("merge", "pairs-0", "pairs-1", "--out", "pairs")
    assert "4 pairs of 2 shards" in merged
    assert "next: counterbench verify ./pairs" in merged
    merged = done("merge", *sorted(here.glob(f"{run}--shard-*-of-2")), "--out", "merged")
    assert "merged: 8 records of 2 shards" in merged
    assert "next: counterbench score merged" in merged
    done("score", "merged")
