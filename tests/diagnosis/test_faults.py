"""Faults: each planted one is named on the shipped suite and no other; judges without one are not accused."""

from __future__ import annotations

import functools
from itertools import combinations

import numpy as np
import pytest
from handmade import DECLINES, FAILS, MISSING, RAMBLES, pair

from counterbench.diagnosis.faults import FAULTS, INDISTINCT, LEAST_DOSE, LOST, find_faults
from counterbench.judges.planted import PLANTED
from counterbench.sources import SuiteSource
from counterbench.suite import load_suite
from counterbench.testing import Rehearsal

PAIRS = [pair for pair in combinations(FAULTS, 2) if frozenset(pair) not in INDISTINCT]


@functools.cache
def certify() -> Rehearsal:
    return Rehearsal(SuiteSource(load_suite("certify")))


def named(spec: str) -> set[str]:
    return {found.name for found in find_faults(certify().results(spec)).named}


def test_every_fault_has_a_planted_judge() -> None:
    assert set(FAULTS) <= set(PLANTED)
    assert set(LOST) < set(FAULTS)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_named_and_no_other(fault: str) -> None:
    for seed in (1, 2, 3):
        assert named(f"{fault}?seed={seed}") == {fault}


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_two_planted_faults_are_both_named(one: str, other: str) -> None:
    assert named(f"{one}+{other}?seed=5") == {one, other}


def test_what_cannot_be_told_apart_is_really_listed() -> None:
    for hidden in INDISTINCT:
        assert named(f"{'+'.join(sorted(hidden))}?seed=1") != set(hidden)


@pytest.mark.parametrize("spec", ["oracle", *(f"noisy?p={p}&seed={s}" for p in (0.02, 0.05, 0.2) for s in (1, 2, 3))])
def test_a_judge_without_a_fault_is_not_accused(spec: str) -> None:
    assert named(spec) == set()


def test_a_random_judge_has_errors_without_a_pattern() -> None:
    found = find_faults(certify().results("random"))
    assert found.named == []
    assert found.unexplained.sum() > 1500


def test_a_constant_judge_is_blind() -> None:
    assert named("constant") == {"blind"}


@pytest.mark.parametrize("spec", ["sticky", "off-by-one", "unparsed", "arrow-blind+refusing", "noisy?p=0.1"])
def test_blame_adds_up_to_the_ccs_lost(spec: str) -> None:
    results = certify().results(spec)
    found = find_faults(results)
    blame = sum((fault.blame for fault in found.named), found.unexplained.copy())
    lost = np.array([pair.consistent is False for pair in results], dtype=float)
    assert blame == pytest.approx(lost, abs=1e-6)


def test_a_planted_dose_is_estimated() -> None:
    for fault in ("sticky", "yes-bias", "off-by-one", "colour-confusion", "arrow-blind"):
        (found,) = find_faults(certify().results(f"{fault}?p=0.3")).named
        assert found.dose == pytest.approx(0.3, abs=0.07)
        assert found.p is not None
        assert found.p < 1e-4


def test_a_trace_of_a_fault_is_not_named() -> None:
    assert named(f"sticky?p={LEAST_DOSE / 4}") == set()


def test_no_replies_no_faults_but_failing() -> None:
    failed = [pair(("yes", "no"), (FAILS, FAILS), id=str(i)) for i in range(50)]
    assert [fault.name for fault in find_faults(failed).named] == ["failing"]
    missing = [pair(("yes", "no"), (MISSING, MISSING), id=str(i)) for i in range(50)]
    assert find_faults(missing).named == []
    assert find_faults([]).named == []


def test_lost_replies_are_shares_of_the_questions_asked() -> None:
    pairs = [pair(("yes", "no"), ("yes", DECLINES), id=str(i)) for i in range(40)]
    pairs += [pair(("yes", "no"), (RAMBLES, "no"), id=f"r{i}") for i in range(10)]
    pairs += [pair(("yes", "no"), ("yes", "no"), id=f"o{i}") for i in range(50)]
    pairs += [pair(("yes", "no"), (MISSING, MISSING), id=f"m{i}") for i in range(100)]
    found = {fault.name: fault for fault in find_faults(pairs).named}
    assert found["refusing"].dose == pytest.approx(40 / 200)
    assert found["unparsed"].dose == pytest.approx(10 / 200)
    assert found["refusing"].blame.sum() == 40


def test_one_family_that_is_refused_is_enough() -> None:
    pairs = [pair(("yes", "no"), ("yes", "no"), id=str(i)) for i in range(2000)]
    pairs += [pair(("yes", "no"), (DECLINES, "no"), id=f"r{i}", family="arrow") for i in range(12)]
    assert [fault.name for fault in find_faults(pairs).named] == ["refusing"]
