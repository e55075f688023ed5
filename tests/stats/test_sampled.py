"""Sums from a weighted sample without replacement: the chances, exactly; limits; and betting's own values."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from counterbench.stats import betting
from counterbench.stats.sampled import SeenTerms, Terms, estimate, log_evidence, p_value

PART = st.floats(0, 1)
Known = tuple[Terms, list[float]]  # and the true terms


@st.composite
def populations(draw: st.DrawFn, most: int = 4) -> Known:
    """A few things with ranges of their own, a judge's values and weights; and the true terms."""
    count = draw(st.integers(2, most))
    lows = [draw(st.floats(-1, 1)) for _ in range(count)]
    highs = [low + draw(st.floats(0.1, 2)) for low in lows]
    within = [[low + draw(PART) * (high - low) for low, high in zip(lows, highs, strict=True)] for _ in range(2)]
    weights = [draw(st.floats(0.2, 5)) for _ in range(count)]
    return Terms(*(np.array(column) for column in (lows, highs, within[0], weights))), within[1]


def orders(weights: list[float], count: int) -> list[tuple[tuple[int, ...], float]]:
    """Every order of the first `count` draws, with its chance."""
    every = []
    for order in itertools.permutations(range(len(weights)), count):
        chance, left = 1.0, sum(weights)
        for thing in order:
            chance, left = chance * weights[thing] / left, left - weights[thing]
        every.append((order, chance))
    return every


def sample(order: tuple[int, ...] | list[int], true: list[float]) -> SeenTerms:
    terms = np.array([true[thing] for thing in order])
    return SeenTerms(order, terms, terms)


@given(populations(), st.integers(1, 3))
def test_the_expected_evidence_against_the_true_sum_is_one(population: Known, count: int) -> None:
    terms, true = population
    drawn = orders(terms.weight.tolist(), min(count, len(true) - 1))
    mean = sum(chance * math.exp(log_evidence(terms, sample(order, true), sum(true) + 1e-9)) for order, chance in drawn)
    assert mean <= 1 + 1e-6
    assert [order for order, _ in drawn if p_value(terms, sample(order, true), sum(true)) > 1] == []


@given(populations(), st.floats(0.01, 0.5))
def test_the_true_sum_is_rejected_no_more_often_than_the_level(population: Known, level: float) -> None:
    terms, true = population
    drawn = orders(terms.weight.tolist(), len(true))
    wrong = sum(chance for order, chance in drawn if p_value(terms, sample(order, true), sum(true)) <= level)
    assert wrong <= level + 1e-9


@given(populations(8))
def test_a_fully_seen_sample_gives_the_exact_sum(population: Known) -> None:
    terms, true = population
    found = estimate(terms, sample(list(range(len(true))), true))
    assert found.value == pytest.approx(sum(true))
    reach = float((terms.high - terms.low).sum()) / 100
    assert sum(true) - reach <= found.low <= found.value <= found.high <= sum(true) + reach


@given(populations(8), st.integers(0, 7))
def test_negated_terms_give_the_negated_interval(population: Known, count: int) -> None:
    terms, true = population
    known = sample(list(range(min(count, len(true)))), true)
    plain, turned = estimate(terms, known), estimate(terms.turned, known.turned)
    assert (plain.low, plain.high, plain.value) == pytest.approx((-turned.high, -turned.low, -turned.value), abs=1e-6)


@given(populations(8), st.integers(1, 7))
def test_an_unknown_term_widens_the_interval(population: Known, count: int) -> None:
    terms, true = population
    order = list(range(min(count, len(true))))
    known = sample(order, true)
    last = order[-1]
    open_ = SeenTerms(order, np.append(known.low[:-1], terms.low[last]), np.append(known.high[:-1], terms.high[last]))
    wide, narrow = estimate(terms, open_), estimate(terms, known)
    # It is a point where all is known, or where bets on an unlikely order refuted every sum that is left.
    assume(narrow.low < narrow.high)
    step = float((terms.high - terms.low).sum()) / 200**2  # of the sums that are tried for an end
    assert wide.low <= narrow.low + step
    assert narrow.high <= wide.high + step


@pytest.mark.slow
@pytest.mark.parametrize(("hits", "misses"), [(26, 0), (45, 1), (20, 5)])
def test_evidence_on_very_many_terms_equals_betting_on_a_share(hits: int, misses: int) -> None:
    many, bound = 1_000_000, 0.85
    terms = Terms(*(np.full(many, value) for value in (-bound, 1 - bound, 0.0, 1.0)))
    gains = np.array([1 - bound] * hits + [-bound] * misses)
    found = log_evidence(terms, SeenTerms(range(len(gains)), gains, gains), bets=np.array(betting.BETS))
    assert found == pytest.approx(betting.log_evidence(hits, misses, bound), rel=1e-3)


def test_a_right_judge_narrows_the_interval_and_a_wrong_one_keeps_it_valid() -> None:
    chance, widths = np.random.default_rng(0), {}
    truth = (chance.random(400) < 0.4).astype(float)
    for name, judge in (("right", truth), ("none", np.full(400, 0.5)), ("opposite", 1 - truth)):
        terms = Terms(np.zeros(400), np.full(400, 1 / 400), judge / 400, np.ones(400))
        found = estimate(terms, SeenTerms(range(100), truth[:100] / 400, truth[:100] / 400))
        assert found.low <= truth.mean() <= found.high
        widths[name] = found.high - found.low
    assert widths["right"] < widths["none"] / 2
    assert widths["opposite"] < widths["none"] * 1.3


def test_an_unseen_sample_gives_the_judges_sum_and_every_possible_sum() -> None:
    terms = Terms(np.zeros(4), np.ones(4), np.array([1.0, 1, 0, 0]), np.ones(4))
    assert estimate(terms, SeenTerms([], np.array([]), np.array([])))[:3] == (2, 0, 4)
    assert p_value(terms, SeenTerms([], np.array([]), np.array([]))) == 1
