"""Which model is better: tests, ranks and ties on cards of known rates; what would part a tie."""

import random
from pathlib import Path

import pytest
from pictures.carded import cards, checklist, judged, prompt
from pictures.judged import LEVELS, difference, picture_rows
from sweeping import swept

import counterbench as cb
from counterbench.errors import InputError
from counterbench.pictures.comparing import models
from counterbench.pictures.comparing.contrasts import units_needed
from counterbench.pictures.comparing.models import ModelComparison, compare_models, paired_runs
from counterbench.pictures.judging.judged_run import load_judged
from counterbench.pictures.protocols.checklist import Checklist
from counterbench.pictures.scores.results import CheckResult
from counterbench.prompts.prompt_set import Check
from counterbench.stats.clusters import Inference

RATES = {"good": 0.9, "like": 0.88, "bad": 0.2}


CHECKS = tuple(Check(id=f"q{i}", text=f"Is part {i} right?", dimension="d") for i in range(6))
PROMPTS = checklist([prompt(f"g{i:02}", *CHECKS) for i in range(20)])


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Three models on twenty prompts, twice each, and one of them by another judge."""
    folder = tmp_path_factory.mktemp("models")
    made = {}
    for name, rate in RATES.items():
        images = cards(PROMPTS, folder / name, f"card?rate={rate}&seed={list(RATES).index(name)}", samples=2)
        judged(images, folder / "runs" / name)
        made[name] = folder / "runs" / name
        if name == "good":
            judged(images, folder / "runs" / "other", "noisy?p=0.1")
            made["other"] = folder / "runs" / "other"
    images = cards(PROMPTS, folder / "lone", "card?rate=0.5", samples=1)
    judged(images, folder / "runs" / "lone", "yes-bias?p=1")
    made["lone"] = folder / "runs" / "lone"
    return made


@pytest.fixture(scope="module")
def comparison(runs: dict[str, Path]) -> ModelComparison:
    """The three models compared, as if the judge were shown to see what it is asked."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(models, "NOT_SUPPORTED", "")
        (only,) = compare_models([runs[name] for name in RATES]).comparisons
    return only


@pytest.mark.slow
def test_an_unsupported_judge_finds_no_model_better(runs: dict[str, Path]) -> None:
    (only,) = compare_models([runs[name] for name in RATES]).comparisons
    assert [(run.verdict, run.because) for run in only.runs] == [("not supported", "there is no certificate")] * 3
    assert {(rank.rank, rank.rank_last) for rank in only.ranks["score"]} == {(1, 3)}
    assert {contrast.better for contrast in only.contrasts} == {None}


@pytest.mark.slow
def test_different_models_are_ranked_and_alike_ones_share_ranks(comparison: ModelComparison) -> None:
    by_model = {rank.model: (rank.rank, rank.rank_last) for rank in comparison.ranks["score"]}
    good, like, bad = (run.model for run in comparison.runs)
    assert by_model == {good: (1, 2), like: (1, 2), bad: (3, 3)}
    better = {(c.first, c.second): c.better for c in comparison.contrasts}
    assert better == {(good, like): None, (good, bad): good, (like, bad): like}
    assert comparison.tests == 3
    for contrast in comparison.contrasts:
        low, high = contrast.difference.low or 0, contrast.difference.high or 0
        assert (contrast.p is not None and contrast.p <= 0.05) == (not low <= 0 <= high)


def test_the_reported_difference_equals_that_of_the_scores(comparison: ModelComparison, runs: dict[str, Path]) -> None:
    good, bad = (cb.t2i_score(runs[name]).columns["score"] for name in ("good", "bad"))
    contrast = comparison.contrasts[1]
    assert contrast.difference.value == pytest.approx((good.value or 0) - (bad.value or 0))
    assert (contrast.units, contrast.left_out, contrast.units_needed) == (20, 0, None)
    assert [rank.value for rank in comparison.ranks["score"]][-1] == bad


def test_a_tie_states_the_prompts_needed_to_break_it(comparison: ModelComparison) -> None:
    tie = comparison.contrasts[0]
    assert tie.units_needed is not None
    assert tie.units_needed > 20


def test_runs_by_another_judge_are_not_compared_as_models(runs: dict[str, Path]) -> None:
    found = compare_models([runs["good"], runs["bad"], runs["other"]])
    assert [run.run for run in found.comparisons[0].runs] == [str(runs["good"]), str(runs["bad"])]
    assert (len(found.comparisons), len(found.agreement), found.alone) == (1, 1, [])
    other = compare_models([runs["good"], runs["like"], runs["bad"], runs["lone"]])
    assert other.alone == [str(runs["lone"])]
    message = r"of 2 runs no two can be compared: .* These differ in: judge \(planted:\S+ \| planted:\S+\)$"
    with pytest.raises(InputError, match=message):
        compare_models([runs["bad"], runs["other"]])
    with pytest.raises(InputError, match="named twice"):
        compare_models([runs["good"], runs["good"]])


def test_the_columns_of_a_run_are_computed_once(runs: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    judged_runs = [load_judged(runs[name]) for name in RATES]
    calls: list[int] = []
    score = Checklist.score
    monkeypatch.setattr(Checklist, "score", lambda *args, **more: calls.append(1) or score(*args, **more))
    assert len(paired_runs(judged_runs, list(RATES), "default", None)[0]) == 3
    assert len(calls) == 3


# ---- the test of each number


def model_rows(right: float, seed: int, groups: int = 40) -> list[CheckResult]:
    """A model whose pictures at L3 are right with this probability, two of each prompt, of 20 laws."""
    source = random.Random(seed)
    rows = []
    for i in range(groups):
        for level in LEVELS:
            for sample in (0, 1):
                fields = {"group": f"g{i:02}", "level": level, "sample": sample, "law": f"law {i % 20:02}"}
                point = float(level != "l3" or source.random() < right)
                rows += picture_rows(1, point, point, **fields)
    return rows


def test_rates_are_tested_like_means() -> None:
    same = difference(model_rows(0.5, 1), model_rows(0.5, 2))
    other = difference(model_rows(0.9, 1), model_rows(0.3, 2))
    assert {name: (compared.p() or 0) <= 0.01 for name, compared in other.differences.items()} == {
        "s_l1": False, "s_l2": False, "s_l3": True, "prr": False, "rrr": True,
    }  # fmt: skip
    assert min(compared.p() or 0 for compared in same.differences.values()) > 0.05


def test_few_clusters_give_no_verdict_with_a_note(tmp_path: Path) -> None:
    few = checklist([prompt(f"g{i}", Check(id="q", text="Is it right?", dimension="d")) for i in range(5)])
    for name, rate in (("all", 1), ("none", 0)):
        judged(cards(few, tmp_path / name, f"card?rate={rate}"), tmp_path / "runs" / name)
    (found,) = compare_models([tmp_path / "runs" / "all", tmp_path / "runs" / "none"]).comparisons
    (contrast,) = found.contrasts
    assert (contrast.difference.value, contrast.difference.low) == (1, None)
    assert (contrast.p, contrast.p_holm, contrast.better) == (None, None, None)
    assert (found.tests, found.fewest) == (0, 5)
    assert contrast.units_needed == 12
    assert found.few == "only 5 prompts: too few for intervals and p of differences, which need 12 or more"


# ---- what would part a tie


def differences(prompts: int, apart: float, error: float) -> Inference:
    return Inference(apart, prompts, down=(apart, error), up=(apart, error))


@swept(
    ("units", "observed", "needed"),
    [
        (4000, differences(4000, 0.1, 0.4 / 4000**0.5), 4001),  # these part them easily
        # (1.96 + 0.84)² / 0.005² of the variance 0.4² are 50,240 prompts.
        (4000, differences(4000, 0.005, 0.4 / 4000**0.5), pytest.approx(50_240, rel=0.001)),
        (20, differences(4, 5.0, 0.1), 20 * 12 / 4),  # the test's minimum
        (5, differences(5, 0.0, 0.1), None),
        (1, differences(1, 0.5, 0.1), None),
        (30, differences(30, 1e-9, 1.0), None),  # more than anybody draws
    ],
)
def test_the_prompts_needed_have_the_stated_power(units: int, observed: Inference, needed: float | None) -> None:
    assert units_needed(observed, units, 0.05) == needed
