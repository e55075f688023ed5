"""The prior strength: the share of altered things about which a judge answers what is usual."""

import json
from pathlib import Path

import pytest
from commands import call
from planted_runs import results, write_run
from scipy import stats
from sweeping import swept

from counterbench.diagnosis.faults import find_faults
from counterbench.diagnosis.measures import prior_strength
from counterbench.scene.programs.familiar import NAMINGS

ALTERED = 576  # pictures, one of each pair


@pytest.mark.slow
@pytest.mark.parametrize("dose", [0.1, 0.3, 0.8])
def test_nearly_all_intervals_hold_a_planted_judges_strength(dose: float) -> None:
    within, of_namings = 0, 0
    for seed in range(20):
        strength = prior_strength(results(f"planted:prior-bound?p={dose}&seed={seed}", "priors"))
        whole, by_naming = strength.overall, strength.by_naming
        assert tuple(by_naming) == NAMINGS
        assert whole.of == sum(share.of for share in by_naming.values()) == ALTERED
        within += whole.low <= dose <= whole.high
        of_namings += sum((share.low or 0) <= dose <= (share.high or 1) for share in by_naming.values())
    assert within >= 17
    assert of_namings >= 52


def test_a_seeing_judge_has_strength_0_and_a_bound_one_1() -> None:
    for judge, share in (("planted:oracle", 0), ("planted:prior-bound?p=1", 1)):
        strength = prior_strength(results(judge, "priors"))
        assert strength.overall.value == share == strength.by_naming["lied to"].value


@pytest.mark.slow
@swept("judge", ["noisy?p=0.3", "blind?p=1", "random", "off-by-one?p=0.5", "constant"])
def test_a_judge_without_a_prior_has_no_strength(judge: str) -> None:
    """It takes altered things for usual ones as often as the reverse: 16 % (noisy) and 19 % (blind) without that."""
    seeds = ("&seed={}" if "?" in judge else "?seed={}").format
    found = [prior_strength(results(f"planted:{judge}{seeds(seed)}", "priors")) for seed in range(6)]
    values = [strength.overall.value or 0.0 for strength in found if strength is not None]
    assert abs(sum(values) / len(values)) < 0.06
    overall = [strength.overall for strength in found if strength is not None]
    assert sum((share.low or 0) <= 0 <= (share.high or 0) for share in overall) >= 5


def test_the_interval_treats_each_thing_as_one_unit() -> None:
    """A judge that is bound about two of six things alone: another six may be all bound, or none."""
    pairs = results("planted:prior-bound?p=1", "priors")
    right = {pair.key.group: pair for pair in results("planted:oracle", "priors")}
    some = [pair if pair.key.family in ("prior-dog", "prior-hand") else right[pair.key.group] for pair in pairs]
    strength = prior_strength(some)
    values = [share.value or 0.0 for share in strength.by_thing.values()]
    interval = stats.t.interval(0.95, 5, sum(values) / 6, stats.sem(values))
    assert (strength.overall.low, strength.overall.high) == pytest.approx(interval)
    assert {name for name, share in strength.by_thing.items() if share.value == 1} == {"dog", "hand"}


def test_an_unanswered_picture_is_not_counted() -> None:
    strength = prior_strength(results("planted:unparsed?p=1", "priors"))
    assert (strength.overall.of, strength.overall.value, strength.by_naming) == (0, None, {})


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (2, 3))])
def test_a_prior_bound_judge_is_named_and_a_miscounting_one_is_not_taken_for_it(seed: int) -> None:
    for fault in ("prior-bound", "off-by-one"):
        found = find_faults(results(f"planted:{fault}?p=0.5&seed={seed}", "priors")).named
        assert [fault_found.name for fault_found in found] == [fault]


def test_diagnose_prints_the_prior_strength_only_for_altered_things(tmp_path: Path) -> None:
    bound = write_run(tmp_path / "priors", "planted:prior-bound?p=0.3", "priors")
    printed = call("diagnose", bound).output
    assert "prior strength, of these 6 things: " in printed
    assert "of 576 altered pictures answered as usual (named" in printed
    document = json.loads(call("diagnose", bound, "--json").output)["runs"][0]["prior_strength"]
    assert document["overall"]["of"] == ALTERED
    assert {*document["by_naming"]} == {*NAMINGS}
    other = write_run(tmp_path / "smoke", "planted:prior-bound", "smoke")
    assert "prior strength" not in call("diagnose", other).output
    assert json.loads(call("diagnose", other, "--json").output)["runs"][0]["prior_strength"] is None
