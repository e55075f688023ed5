"""Verdicts on a swap: by rule, and how often they are right, in small simulations of 8 cells."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sweeping import swept

from counterbench.results.judge_changes import by_cell, compared
from counterbench.stats.differences import Differences

CELLS = [f"cell-{i}" for i in range(8)]


def verdict_of(old: float, new: dict[str, float], chance: random.Random, most: int) -> tuple[str, int]:
    """The verdict on two judges with independent noise, looked at every second round; and the pairs it took."""
    pairs: list[tuple[str, int]] = []
    while len(pairs) < most:
        for cell in CELLS * 2:
            pairs.append((cell, (chance.random() < new.get(cell, old)) - (chance.random() < old)))
        if (found := compared(by_cell(pairs), 0.05)).verdict != "undecided":
            return found.verdict, len(pairs)
    return "undecided", len(pairs)


@pytest.mark.slow
def test_the_same_judge_is_seldom_called_changed() -> None:
    chance = random.Random(33)
    found = [verdict_of(0.95, {}, chance, 900)[0] for _ in range(60)]
    assert found.count("changed") <= 5  # 3 at 5 %; the simulation in benchmarks/swap.py counts more
    assert found.count("equivalent") >= 40


@pytest.mark.slow
def test_a_change_of_ten_points_is_found_within_500_calls() -> None:
    chance = random.Random(33)
    found = [verdict_of(0.97, dict.fromkeys(CELLS, 0.87), chance, 256)[0] for _ in range(60)]
    assert found.count("changed") >= 50
    assert found.count("equivalent") == 0


def test_a_cell_that_changed_is_a_change_also_where_the_mean_is_within_delta() -> None:
    steady = dict.fromkeys(CELLS[1:], Differences(1, 1, 98))
    found = compared({"cell-0": Differences(0, 28, 72), **steady}, 0.05)
    assert abs(found.overall.difference.value or 1) < 0.05
    assert (found.verdict, found.cells["cell-0"].verdict) == ("changed", "changed")


@swept(
    ("counts", "verdict"),
    [
        (Differences(0, 0, 900), "equivalent"),
        (Differences(4, 4, 300), "within-10-points"),
        (Differences(0, 60, 240), "changed"),
        (Differences(60, 0, 240), "changed"),
        (Differences(1, 1, 20), "undecided"),
    ],
)
def test_a_cell_has_a_verdict_of_its_own(counts: Differences, verdict: str) -> None:
    others = dict.fromkeys(CELLS[1:], Differences(0, 0, 300))
    assert compared({"cell-0": counts, **others}, 0.05).cells["cell-0"].verdict == verdict


def test_a_swap_without_pairs_is_undecided() -> None:
    found = compared({}, 0.05)
    assert (found.verdict, found.overall.pairs, found.overall.difference.value, found.pairs_left) == (
        "undecided",
        0,
        None,
        None,
    )


@given(st.integers(0, 10), st.integers(0, 10), st.integers(20, 100))
def test_the_forecast_number_of_pairs_decides_a_swap(gained: int, lost: int, same: int) -> None:
    counts = Differences(gained, lost, same)
    found = compared({"one": counts}, 0.05)
    if found.verdict == "undecided" and found.pairs_left is not None:
        then = counts.times(1 + 1.03 * found.pairs_left / counts.pairs)
        assert compared({"one": then}, 0.05).verdict != "undecided"
