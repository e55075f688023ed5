"""What a notebook shows of what the functions of `cb` return: one short line each, and nothing else of it changes."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import msgspec
import pytest
from planted_runs import write_run

import counterbench as cb
from counterbench.asking.runner import Progress
from counterbench.scene.pairs import Pair

SUITE = cb.load_suite("smoke")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("runs")
    return (
        write_run(folder / "oracle", "planted:oracle", "smoke"),
        write_run(folder / "sticky", "planted:sticky?p=1", "smoke"),
    )


def test_suites_and_pairs() -> None:
    assert repr(SUITE) == "<Suite smoke: 18 pairs of 9 families, seed 1>"
    assert repr(SUITE[2]) == "<Pair attribute-000000: 'What color is the circle?' pink → cyan, recolour>"
    assert max(len(repr(pair)) for pair in SUITE) < 170


def test_runs(runs: tuple[Path, Path]) -> None:
    oracle, sticky = runs
    assert repr(cb.score(sticky)) == (
        "<Document planted:sticky?p=1 on smoke: CCS 11.1 % of 18 pairs, gap 88.9 %, default scoring>"
    )
    found = cb.diagnose(oracle, sticky)
    assert repr(found) == "<DiagnosisDocument of 2 runs: 1 with faults, 0 items in doubt>"
    assert repr(found.runs[0]) == "<Diagnosis planted:oracle on smoke: no fault found>"
    assert repr(found.runs[1]) == "<Diagnosis planted:sticky?p=1 on smoke: sticky (costs 88.9 points)>"
    assert repr(cb.compare(oracle, sticky)) == (
        "<Comparison of CCS on 18 common pairs: 1. planted:oracle 100.0 %; 2. planted:sticky?p=1 11.1 %>"
    )
    assert repr(cb.certify(oracle)) == (
        "<Certificate not-enough-evidence: planted:oracle on smoke, policy standard, 0 of 8 laws admitted>"
    )


def test_folders_and_progress(tmp_path: Path) -> None:
    info = cb.generate("smoke", tmp_path / "pairs", limit=3, workers=1)
    assert repr(info) == "<FolderInfo smoke: 3 pairs of 3 families, truth computed>"
    assert repr(cb.verify(tmp_path / "pairs", workers=1)) == "<VerifyReport smoke: 3 pairs, every check holds>"
    asked = cb.probe(SUITE, "planted:oracle", tmp_path / "run", limit=2)
    assert repr(asked) == "<Progress 4 of 4 questions with a reply, 0 failed; 4 calls>"
    stopped = Progress(total=1, failed=1, calls=1, cost=0.5, stopped="the key\x1b[2J is wrong")
    assert repr(stopped) == (
        r"<Progress 0 of 1 question with a reply, 1 failed; 1 call, 0.5000 USD; stopped: the key\x1b[2J is wrong>"
    )


def test_nothing_but_the_repr_is_other_than_before(runs: tuple[Path, Path]) -> None:
    pair, scores = SUITE[0], cb.score(runs[0])
    assert pair == SUITE[0] != SUITE[1]
    assert msgspec.json.decode(msgspec.json.encode(pair), type=Pair) == pair
    for thing in (pair, scores, cb.certify(runs[0])):
        assert pickle.loads(pickle.dumps(thing)) == copy.deepcopy(thing) == thing


@pytest.mark.parametrize("source", ["suite", "name", "folder"])
def test_probe_takes_a_limit(source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    cb.generate("smoke", "pairs", limit=4, workers=1)
    asked = cb.probe({"suite": SUITE, "name": "smoke", "folder": Path("pairs")}[source], "planted:oracle", limit=2)
    assert asked.total == 4
    scores = cb.score("runs/smoke--planted-oracle--limit-2")
    assert (scores.overall.pairs, list(scores.families)) == (2, ["spatial", "attribute"])
