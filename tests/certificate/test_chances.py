"""Chances of passing: against enumeration and simulation of the same judge, and what must hold of any chance."""

from __future__ import annotations

import functools
import itertools
import math
import random

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from planted_runs import keys_of

from counterbench.certificate.chances import (
    TRUE_CCS,
    Composition,
    Pairs,
    chance,
    chances,
    composition,
    in_words,
    least_hits,
)
from counterbench.certificate.policies import (
    Conditions,
    ControlConditions,
    OutcomeLimits,
    Override,
    Policy,
    load_policy,
)
from counterbench.errors import InputError
from counterbench.stats.intervals import wilson


def asking(ccs: float, sens: float = 0.0, spec: float = 0.0, pairs: int = 1, control: float = 0.0) -> Policy:
    return Policy(
        format="counterbench.policy/1",
        name="test",
        default=Conditions(pairs=pairs, ccs=ccs, sensitivity=sens, specificity=spec),
        control=ControlConditions(pairs=1, stability=0, accuracy=control),
        outcomes=OutcomeLimits(unparsed=0, refused=0, failed=0),
    )


@functools.cache
def low_end(hits: int, of: int) -> float:
    interval = wilson(hits, of)
    assert interval is not None
    return interval[0]


def by_enumeration(policy: Policy, pairs: int, yes_no: int, q: float) -> float:
    """All ways in which the questions of one skill can be right or wrong."""
    total = 0.0
    for right in itertools.product([True, False], repeat=2 * pairs):
        both = sum(right[2 * i] and right[2 * i + 1] for i in range(pairs))
        yes = sum(right[2 * i] for i in range(yes_no))
        no = sum(right[2 * i + 1] for i in range(yes_no))
        bounds = [(both, pairs, policy.default.ccs)]
        if yes_no:
            bounds += [(yes, yes_no, policy.default.sensitivity), (no, yes_no, policy.default.specificity)]
        if all(low_end(hits, of) >= bound for hits, of, bound in bounds):
            total += math.prod(q if r else 1 - q for r in right)
    return total


@pytest.mark.parametrize("yes_no", [0, 1, 3, 4])
@pytest.mark.parametrize(("ccs", "sens", "spec"), [(0.1, 0.2, 0.05), (0.3, 0.0, 0.4), (0.05, 0.35, 0.35)])
def test_one_skill_is_exact(yes_no: int, ccs: float, sens: float, spec: float) -> None:
    policy = asking(ccs, sens, spec)
    asked = Composition({"s": Pairs(4, yes_no)}, control=3)
    for true in (0.4, 0.81, 0.95):
        expected = by_enumeration(policy, 4, yes_no, math.sqrt(true))
        assert chance(policy, asked, true) == pytest.approx(expected, abs=1e-10)


def test_a_whole_suite_against_simulation() -> None:
    """20,000 judges with independent errors on counterbench-550's composition, under bounds that some of them meet."""
    policy = asking(0.78, 0.88, 0.87, control=0.8)
    asked = composition(keys_of("counterbench-550"))
    draw = np.random.default_rng(5)
    n, q = 20_000, math.sqrt(0.95)
    passed = np.ones(n, dtype=bool)
    for pairs in asked.skills.values():
        first, second = (draw.random((n, pairs.pairs)) < q for _ in range(2))
        passed &= (first & second).sum(1) >= least_hits(pairs.pairs, 0.78)
        if pairs.yes_no:
            passed &= first[:, : pairs.yes_no].sum(1) >= least_hits(pairs.yes_no, 0.88)
            passed &= second[:, : pairs.yes_no].sum(1) >= least_hits(pairs.yes_no, 0.87)
    passed &= draw.binomial(asked.control, 0.95, n) >= least_hits(asked.control, 0.8)
    share = passed.mean()
    assert 0.02 < share < 0.98
    assert chance(policy, asked, 0.95) == pytest.approx(share, abs=4 * math.sqrt(share * (1 - share) / n))


@given(st.integers(1, 400), st.floats(0, 0.999))
def test_least_hits_are_the_least(of: int, bound: float) -> None:
    hits = least_hits(of, bound)
    for found, reaches in ((hits, True), (hits - 1, False)):
        if 0 <= found <= of:
            interval = wilson(found, of)
            assert interval is not None
            assert (interval[0] >= bound) is reaches


@settings(max_examples=30)
@given(st.integers(1, 60), st.integers(0, 60), st.integers(1, 60), st.floats(0.3, 1), st.floats(0.3, 1))
def test_better_judges_pass_more_often_and_higher_bounds_less(
    pairs: int, yes_no: int, control: int, one: float, other: float
) -> None:
    asked = Composition({"s": Pairs(pairs, min(yes_no, pairs))}, control)
    low, high = sorted((one, other))
    policy = load_policy("exploratory")
    policy = msgspec.structs.replace(policy, default=msgspec.structs.replace(policy.default, pairs=1))
    policy = msgspec.structs.replace(policy, control=msgspec.structs.replace(policy.control, pairs=1))
    harder = msgspec.structs.replace(policy, default=msgspec.structs.replace(policy.default, ccs=0.8, sensitivity=0.8))
    found = chance(policy, asked, low)
    assert -1e-9 <= found <= 1 + 1e-9
    assert found <= chance(policy, asked, high) + 1e-9
    assert chance(harder, asked, high) <= chance(policy, asked, high) + 1e-9


def test_a_perfect_judge_passes_where_the_pairs_suffice() -> None:
    paper = composition(keys_of("counterbench-550"))
    skills = {name: Pairs(240, 120) for name in paper.skills}
    certify = Composition(skills, 416)  # as the suite of that name, but for two skills that have more
    for name in ("exploratory", "standard", "strict"):
        assert chance(load_policy(name), certify, 1.0) == pytest.approx(1)
    assert chance(load_policy("standard"), paper, 1.0) == pytest.approx(1)
    assert chance(load_policy("strict"), paper, 1.0) == 0


def test_nothing_to_show_is_no_chance() -> None:
    policy = asking(0.5, pairs=4)
    for asked in (
        Composition({}, 50),  # no skill
        Composition({"s": Pairs(50, 0)}, 0),  # no controls
        Composition({"s": Pairs(3, 0)}, 50),  # too few pairs
    ):
        assert chance(policy, asked, 1.0) == 0


def test_the_composition_counts_pairs_once() -> None:
    known = list(keys_of("counterbench-550"))
    asked = composition(known)
    assert asked.control == 50
    assert asked.skills["left-right"] == Pairs(52, 52)
    assert asked.skills["visible-count"] == Pairs(33, 0)
    assert sum(pairs.pairs for pairs in asked.skills.values()) == 500
    random.Random(1).shuffle(known)
    assert composition(known) == asked
    assert composition(known[::2] + known) == asked


def test_chances_are_named_by_the_true_ccs_and_refuse_unknown_skills() -> None:
    asked = Composition({"s": Pairs(300, 0)}, 300)
    found = chances(asking(0.9, control=0.5), asked)
    assert list(found) == ["0.90", "0.95", "0.98"] == [f"{ccs:.2f}" for ccs in TRUE_CCS]
    assert found["0.90"] < found["0.95"] < found["0.98"]
    typo = msgspec.structs.replace(asking(0.9), skills={"t": Override(ccs=0.1)})
    with pytest.raises(InputError, match="unknown skill 't'"):
        chances(typo, asked)


def test_no_chance_is_called_certain_that_is_not() -> None:
    told = {
        0.0: "0 %",
        1e-9: "under 0.1 %",
        0.0508: "5.1 %",
        0.9988: "99.9 %",
        1 - 1e-12: "over 99.9 %",
        1.0: "100.0 %",
    }
    assert {chance: in_words(chance) for chance in told} == told
