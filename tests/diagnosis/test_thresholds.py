"""Judges that see less the harder a pair is: accused of nothing, with a description of what their errors follow."""

import csv
import functools
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import msgspec
import numpy as np
import pytest
from commands import document, done
from handmade import faults_named, pair
from PIL import Image
from rehearsal import Rehearsal
from sweeping import swept

from counterbench.diagnosis.faults import find_faults
from counterbench.diagnosis.mixture import fit
from counterbench.diagnosis.patterns import Patterns
from counterbench.diagnosis.residuals import find_residuals
from counterbench.results.results import PairResult
from counterbench.runs.folder import read_keys
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite

BENCHMARK = Path(__file__).resolve().parents[2] / "benchmarks" / "diagnosis.py"


@functools.cache
def load_benchmark() -> ModuleType:
    spec = importlib.util.spec_from_file_location("benchmark_of_diagnosis", BENCHMARK)
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@functools.cache
def circles() -> Rehearsal:
    return Rehearsal(load_benchmark().Circles())


def residual_words(pairs: list[PairResult]) -> list[str]:
    return [found.words for found in find_residuals(pairs, find_faults(pairs).unexplained)]


# ---- planted thresholds


def test_a_threshold_on_difficulty_is_described_and_not_named_a_fault() -> None:
    for seed in (1, 2):
        pairs = circles().results(f"threshold?dial=hardness&at=4&slope=0.9&answer=yes&seed={seed}")
        assert faults_named(pairs) == []
        (first, *_) = find_residuals(pairs, find_faults(pairs).unexplained)
        assert first.where["truth"] == "no"
        assert "hardness from" in first.where
        assert first.said["no"] == 0
        assert '; "yes" in ' in first.words
        assert first.words.endswith("wrong yes/no answers")


@pytest.mark.slow
@swept("spec", ["blind", "blind?p=0.5", "sticky", "yes-bias", "no-bias?p=0.3"])
def test_faults_that_follow_no_difficulty_are_named_despite_thresholds(spec: str) -> None:
    # On one question alone, of yes or no, whoever answers from the words says one thing: a bias.
    fault = spec.partition("?")[0]
    expected = [{"yes-bias"}, {"no-bias"}] if fault == "blind" else [{fault}]
    for seed in (1, 2):
        assert set(faults_named(circles().results(f"{spec}{'&' if '?' in spec else '?'}seed={seed}"))) in expected


@pytest.mark.slow
def test_a_threshold_judge_is_accused_in_at_most_1_of_100_runs() -> None:
    bench = load_benchmark()
    hardness = {"hardness": bench.dials_of(circles().keys)["hardness"]}
    accused = [seed for seed in range(100) if faults_named(circles().results(bench.threshold_spec(seed, hardness)))]
    assert len(accused) <= 1


@pytest.mark.slow
@pytest.mark.parametrize("suite", ["certify", "laws"])
def test_a_threshold_on_a_suites_dial_is_accused_in_at_most_1_of_60_runs(suite: str) -> None:
    bench, rehearsal = load_benchmark(), Rehearsal(SuiteSource(load_suite(suite)))
    dials = bench.dials_of(rehearsal.keys)
    accused = [seed for seed in range(60) if faults_named(rehearsal.results(bench.threshold_spec(seed, dials)))]
    assert len(accused) <= 1


# ---- two circles


@pytest.mark.slow
@pytest.mark.parametrize("judge", ["smooth", "sees far", "sees near", "sharp"])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_answers_that_follow_the_gap_of_two_circles_are_not_blind(judge: str, seed: int) -> None:
    bench = load_benchmark()
    pairs = bench.circle_results(bench.CIRCLES[judge], seed, bench.Circles())
    assert [pair.key.relevant for pair in pairs].count(True) == 288
    assert len(pairs) == 672
    assert faults_named(pairs) == []
    words = " ".join(residual_words(pairs))
    assert "gap from" in words or "gap to" in words
    bare = [without_dials(pair) for pair in pairs]
    assert not {"blind", "sticky"} & set(faults_named(bare)), "the controls alone contradict it"


def without_dials(pair: PairResult) -> PairResult:
    first, second = (msgspec.structs.replace(key, difficulty={}) for key in pair.keys)
    return PairResult((first, second), pair.original, pair.intervened, 0, 0)


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_imported_replies_are_diagnosed_by_their_pairs_columns() -> None:
    """As somebody has them: a row a pair with its columns, and the replies of a model."""
    bench = load_benchmark()
    pairs = list(bench.Circles())
    for n in range(len(bench.GAPS)):
        Image.new("RGB", (8, 8), (n, 0, 0)).save(f"{n}.png")
    rows = [["id", "original", "intervened", "question", "original_answer", "intervened_answer", "original_distance",
             "intervened_distance", "lines", "note"]]  # fmt: skip
    for n, item in enumerate(pairs):
        own = [item.difficulty[f"{role}_gap"] for role in ("original", "intervened")]
        pictures = [f"{bench.GAPS.index(gap)}.png" for gap in own]
        rows.append([item.id, *pictures, item.question, *item.answers, *own, "thin" if n % 3 else "thick", f"note {n}"])
    replies = [["id", "original_reply", "intervened_reply"]]
    for result in bench.circle_results(bench.CIRCLES["sharp"], 1, bench.Circles()):
        replies.append([result.key.group, *(reply.value for reply in result.replies if reply is not None)])
    for name, table in (("circles.csv", rows), ("replies.csv", replies)):
        with Path(name).open("w", newline="") as file:
            csv.writer(file).writerows(table)
    warnings = document("import", "pairs", "circles.csv", "--out", "circles")["warnings"]
    assert [warning["ids"] for warning in warnings if warning["what"].startswith("columns that are kept")] == [["note"]]
    done("import", "replies", "replies.csv", "--pairs", "circles", "--judge", "sharp", "--out", "sharp")
    (found,) = document("diagnose", "sharp")["runs"]
    assert found["faults"] == []
    assert "'distance " in str([[*residual["where"]] for residual in found["residuals"]])
    key = next(key for key in read_keys(Path("sharp")) if key.id == f"{pairs[0].id}/intervened")
    assert dict(key.difficulty) == {"distance": pairs[0].difficulty["intervened_gap"]}
    assert key.traits == {"lines": "thick"}


# ---- what speaks against a fault


def alike(share: Callable[[int], float], seed: int = 1, **fields: object) -> list[PairResult]:
    """400 pairs of two colours of ten difficulties, so many of each answered with one colour of the two or a third."""
    chance = np.random.default_rng(seed)
    found = []
    for i in range(400):
        value = str(chance.choice(["red", "blue", "green", "pink"]))
        replies = (value, value) if chance.random() < share(i % 10) else ("red", "blue")
        found.append(pair(("red", "blue"), replies, id=str(i), kind="colour", difficulty={"gap": i % 10}, **fields))
    return found


@pytest.mark.slow
def test_blindness_is_named_only_where_it_follows_no_difficulty() -> None:
    assert faults_named(alike(lambda gap: 0.5)) == ["blind"]
    harder = alike(lambda gap: gap / 10)
    assert faults_named(harder) == []
    (first, *_) = residual_words(harder)
    assert first.startswith("gap from ")
    assert faults_named([without_dials(pair) for pair in harder]) == ["blind"], "and nothing else tells it"


def test_controls_show_whether_answers_depend_on_the_picture() -> None:
    """Half of the relevant pairs get one answer: of who answers controls alike too the blind share is half."""
    mixed = [
        pair(truths, replies, id=f"{truths}{replies}{i}")
        for truths in (("yes", "no"), ("no", "yes"))
        for replies in (truths, ("yes", "yes"), ("no", "no"))
        for i in range(60 if replies == truths else 30)
    ]

    def controls(*replies: tuple[str, str]) -> list[PairResult]:
        return [pair((t, t), two, id=f"{t}{two}{i}") for t in ("yes", "no") for two in replies for i in range(60)]

    steady = controls(("yes", "yes"), ("no", "no"))
    changing = controls(("yes", "yes"), ("no", "no"), ("yes", "no"), ("no", "yes"))
    before, same, changes = (fit(Patterns(pairs)).doses.blind for pairs in (mixed, mixed + steady, mixed + changing))
    assert before > 0.4
    assert same > 0.4
    assert changes < 0.7 * before


def test_a_lean_in_one_skill_is_described_and_not_named_a_bias() -> None:
    def in_skill(skill: str, wrong: int) -> list[PairResult]:
        replies = [("no" if i < wrong else "yes", "no") for i in range(100)]
        return [pair(("yes", "no"), two, id=f"{skill}{i}", skill=skill) for i, two in enumerate(replies)]

    others = [result for n in range(4) for result in in_skill(f"s{n}", 0)]
    exception = pair(("yes", "no"), ("yes", "yes"), id="odd", skill="touching")
    leaning = [*in_skill("touching", 46), exception, *others]
    assert faults_named(leaning) == []
    (words,) = residual_words(leaning)
    assert words == (
        "skill touching, questions whose answer is yes: 46 of 101 pairs lost, elsewhere 1 of 501; "
        '"no" in 46 of 47 wrong yes/no answers'
    )
    everywhere = [*in_skill("touching", 46), *(result for n in range(4) for result in in_skill(f"s{n}", 46))]
    assert faults_named(everywhere) == ["no-bias"]
    few = [*in_skill("touching", 46), *in_skill("rare", 1)[:3]]
    assert faults_named(few) == ["no-bias"], "three pairs contradict nothing"


def test_a_text_column_is_tried_as_an_explanation_of_errors() -> None:
    pairs = alike(lambda gap: 0.0)
    wrong = pair(("red", "blue"), ("blue", "red"), kind="colour")
    found = []
    for i, result in enumerate(pairs):
        keys = tuple(msgspec.structs.replace(key, traits={"camera": "b" if i % 4 else "a"}) for key in result.keys)
        replies = (wrong if i % 4 == 0 and i % 3 else result).replies
        found.append(PairResult((keys[0], keys[1]), *replies, 0, 0))
    assert faults_named(found) == []
    assert residual_words(found) == ["camera a: 66 of 100 pairs lost, elsewhere 0 of 300"]
