"""Which model is better: tests, ranks and ties on cards of known rates; what would part a tie."""

from __future__ import annotations

import random
import re
from pathlib import Path

import msgspec
import numpy as np
import pytest
from t2i.carded import cards, checklist, judged, prompt
from t2i.judged import LEVELS
from t2i.judged import picture as picture_of

import counterbench
from counterbench.errors import InputError
from counterbench.stats.clusters import Series
from counterbench.t2i.comparing.document import Comparison
from counterbench.t2i.comparing.methods import methods
from counterbench.t2i.comparing.models import compare_models, p_values
from counterbench.t2i.comparing.needed import Needed, needed
from counterbench.t2i.judging.results import load_judged
from counterbench.t2i.prompts.prompt_set import Check, PromptSet
from counterbench.t2i.protocols.cf_eval import CFEval
from counterbench.t2i.protocols.checklist import Checklist
from counterbench.t2i.protocols.numbers import Countable, paired
from counterbench.t2i.run_scores import paired_runs, score_run
from counterbench.t2i.scores.results import CheckResult

RATES = {"good": 0.9, "like": 0.88, "bad": 0.2}


def prompts(name: str = "mine", word: str = "right") -> PromptSet:
    checks = tuple(Check(id=f"q{i}", text=f"Is part {i} {word}?", dimension="d") for i in range(6))
    return checklist([prompt(f"g{i:02}", *checks) for i in range(20)], name=name)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Three models on twenty prompts, twice each, and one of them by another judge."""
    folder = tmp_path_factory.mktemp("models")
    made = {}
    for name, rate in RATES.items():
        images = cards(prompts(), folder / name, f"card?rate={rate}&seed={list(RATES).index(name)}", samples=2)
        judged(images, folder / "runs" / name)
        made[name] = folder / "runs" / name
        if name == "good":
            judged(images, folder / "runs" / "other", "noisy?p=0.1")
            made["other"] = folder / "runs" / "other"
    return made


@pytest.fixture(scope="module")
def found(runs: dict[str, Path]) -> Comparison:
    (only,) = compare_models([runs[name] for name in RATES]).comparisons
    return only


def test_models_that_differ_are_parted_and_those_that_do_not_share_ranks(found: Comparison) -> None:
    by_model = {rank.model: (rank.rank, rank.rank_last) for rank in found.ranks["score"]}
    good, like, bad = (run.model for run in found.runs)
    assert by_model == {good: (1, 2), like: (1, 2), bad: (3, 3)}
    better = {(c.first, c.second): c.better for c in found.contrasts}
    assert better == {(good, like): None, (good, bad): good, (like, bad): like}
    assert found.tests == 3
    assert [c.p_holm for c in found.contrasts[1:]] == [pytest.approx(3e-4)] * 2


def test_the_difference_is_that_of_the_scores(found: Comparison, runs: dict[str, Path]) -> None:
    good, bad = (score_run(runs[name]).columns["score"] for name in ("good", "bad"))
    each = found.contrasts[1]
    assert each.difference.value == pytest.approx((good.value or 0) - (bad.value or 0))
    assert (each.units, each.left_out, each.units_needed, each.samples_needed) == (20, 0, None, None)
    assert [rank.value for rank in found.ranks["score"]][-1] == bad


def test_what_would_part_a_tie_is_named(found: Comparison) -> None:
    tie = found.contrasts[0]
    assert tie.units_needed is not None
    assert tie.units_needed > 20
    assert tie.verdict.startswith(
        f"cannot be told apart by score: about {tie.units_needed} prompts with as many samples"
    )


def test_the_paragraph_has_what_is_to_be_cited(found: Comparison, runs: dict[str, Path]) -> None:
    signed = score_run(runs["good"]).signature
    for told in (signed.prompts_digest, signed.wording_digest, "planted:oracle", "checklist (version 1)",
                 f"counterbench {counterbench.__version__}", "3 text-to-image models", "parser",
                 "without a certificate", "9,999 random sets", "3 tests", "UNCERTIFIED",
                 "2 pictures of each prompt", "planted:card?rate=0.2"):  # fmt: skip
        assert told in found.methods
    signature = msgspec.structs.replace(signed, certificate="c0ffee", policy="standard", threshold=0.5)
    run = msgspec.structs.replace(found.runs[0], signature=signature, certified=True)
    told = methods(msgspec.structs.replace(found, runs=[run, run], clusters="law", units="group"), 5, 10)
    for what in ("certificate c0ffee (standard)", "gate at S_L1 of 0.5", "every set of whole laws"):
        assert what in told
    assert "marked" not in told


def test_runs_by_another_judge_are_no_models_to_compare(runs: dict[str, Path]) -> None:
    found = compare_models([runs["good"], runs["bad"], runs["other"]])
    assert found.alone == [str(runs["other"])]
    assert [run.run for run in found.comparisons[0].runs] == [str(runs["good"]), str(runs["bad"])]
    told = r"of 2 runs no two can be compared: .* These differ in: judge \(planted:\S+ \| planted:\S+\)$"
    with pytest.raises(InputError, match=told):
        compare_models([runs["good"], runs["other"]])
    with pytest.raises(InputError, match="named twice"):
        compare_models([runs["good"], runs["good"]])


def test_models_without_a_group_in_common_are_not_compared(runs: dict[str, Path], tmp_path: Path) -> None:
    images = cards(prompts(word="well"), tmp_path / "images", "card?rate=0.5", samples=1)
    judged(images, tmp_path / "run")
    with pytest.raises(InputError, match="asked no prompt alike"):
        compare_models([runs["good"], tmp_path / "run"])


def test_the_columns_of_a_run_are_computed_once_and_what_is_done_is_told(
    runs: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    judged_runs = [load_judged(runs[name]) for name in RATES]
    calls, told = [], []
    score = Checklist.score
    monkeypatch.setattr(Checklist, "score", lambda *of, **more: calls.append(1) or score(*of, **more))
    assert len(paired_runs(judged_runs, list(RATES), "default", None)[0]) == 3
    assert len(calls) == 3
    compare_models([runs[name] for name in RATES], on_progress=lambda *of: told.append(of))
    assert told[0] == (0, 3, "reading runs")
    assert told[-1] == (3, 3, "testing pairs of models")


# ---- the test of each number


def model(right: float, seed: int, groups: int = 40) -> list[CheckResult]:
    """A model whose pictures at L3 are right with this probability, two of each prompt, of 20 laws."""
    source = random.Random(seed)
    rows = []
    for i in range(groups):
        for level in LEVELS:
            for sample in (0, 1):
                of = {"group": f"g{i:02}", "level": level, "sample": sample, "law": f"law {i % 20:02}"}
                point = float(level != "l3" or source.random() < right)
                rows += picture_of(1, point, point, **of)
    return rows


def test_rates_are_tested_like_means() -> None:
    same, other = (
        paired(*(Countable(CFEval(), rows, CFEval.scorings["default"], "") for rows in both), names=("a", "b"),
               levels=LEVELS)
        for both in ((model(0.5, 1), model(0.5, 2)), (model(0.9, 1), model(0.3, 2)))
    )  # fmt: skip
    assert {name: p <= 0.01 for name, p in p_values(other).items()} == {
        "s_l1": False, "s_l2": False, "s_l3": True, "prr": False, "rrr": True,
    }  # fmt: skip
    assert min(p_values(same).values()) > 0.05


# ---- what would part a tie


def contributed(groups: int, samples: int, apart: float, source: random.Random) -> tuple[Series, tuple[Series, Series]]:
    """Differences of prompts that scatter by 0.3, and their samples by 0.5; of all samples, and of two halves."""
    true = [source.gauss(apart, 0.3) for _ in range(groups)]
    drawn = np.array([[source.gauss(value, 0.5) for _ in range(samples)] for value in true])
    return drawn.mean(axis=1), (drawn[:, ::2].mean(axis=1), drawn[:, 1::2].mean(axis=1))


def test_so_many_prompts_or_samples_have_the_power() -> None:
    every, halves = contributed(4000, 4, 0.1, random.Random(1))
    # (1.96 + 0.84)² / 0.1² of the variance 0.3² + 0.5² / 4 are 120 prompts.
    times = needed(every, halves, 1, 4, 0.05).units
    assert (times, needed(every, halves, 4000, 4, 0.05)) == (2, (4001, 5))  # what there is parts them easily
    shifted = every - float(np.mean(every)) + 0.005
    assert needed(shifted, halves, 4000, 4, 0.05).units == pytest.approx(120 * 400, rel=0.1)
    source = random.Random(3)
    seen = [contributed(120, 4, 0.1, source)[0] for _ in range(300)]
    parted = [abs(np.mean(of)) / (np.std(of, ddof=1) / 120**0.5) > 1.96 for of in seen]
    assert np.mean(parted) == pytest.approx(0.8, abs=0.08)


def test_samples_help_only_as_far_as_they_scatter() -> None:
    source = random.Random(4)
    every, halves = contributed(2000, 2, 0.0, source)
    wanted = (0.3**2 + 0.5**2 / 8) / 2000  # what 8 samples would have
    shift = 2.8016 * wanted**0.5 - float(np.mean(every))  # so large a difference is then found with 80 % power
    found = needed(every + shift, (halves[0] + shift, halves[1] + shift), 2000, 2, 0.05)
    assert found.samples == pytest.approx(8, rel=0.35)
    small = needed(every - float(np.mean(every)) + 3e-3, halves, 2000, 2, 0.05)
    assert small.samples is None
    assert (small.units or 0) > 50_000


def test_few_clusters_cannot_be_parted_by_samples() -> None:
    source = random.Random(5)
    every, halves = contributed(4, 4, 5.0, source)
    assert needed(every, halves, 20, 4, 0.05) == (20 * 6 / 4, None)  # 2^-5 is the first power below 0.05
    assert needed(every, halves, 20, 4, 0.01) == (20 * 8 / 4, None)
    assert needed(every, halves, 20, 4, 0.125).samples == 5


def test_where_no_number_can_be_named() -> None:
    flat = np.full(5, 0.0)
    assert needed(flat, None, 5, 1, 0.05) == Needed(None, None)
    assert needed(np.array([0.5]), None, 1, 1, 0.05) == Needed(None, None)
    assert needed(np.array([1.0, -1.0, 1e-9]), None, 3, 4, 0.05) == Needed(None, None)  # more than anybody draws
    assert re.match(r"Needed\(units=\d+, samples=None\)", repr(needed(np.array([0.5, 0.2, -0.3]), None, 3, 4, 0.05)))
