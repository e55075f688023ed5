"""A crosswalk: the line through scores by two judges, and how often its band holds a further model."""

import random
from collections.abc import Sequence
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbench.stats.crosswalk import CrosswalkLine, fit_line

GROUPS = 60
Model = list[tuple[str, float, float]]


def a_model(ability: float, slips: tuple[float, float], chance: random.Random) -> Model:
    """Groups of three checks; each judge turns an answer with its chance."""
    rows = []
    for group in range(GROUPS):
        truth = [chance.random() < ability for _ in range(3)]
        old, new = (sum(answer != (chance.random() < slip) for answer in truth) / 3 for slip in slips)
        rows.append((f"g{group}", old, new))
    return rows


def mean_score(model: Model, side: int) -> float:
    return sum(row[side] for row in model) / len(model)


def a_line(
    chance: random.Random, slips: tuple[float, float] = (0, 0.1), abilities: Sequence[float] = (0.2, 0.5, 0.7, 0.9)
) -> CrosswalkLine:
    return fit_line([a_model(ability, slips, chance) for ability in abilities])


@given(st.integers(0, 2**32), st.floats(0, 1))
def test_a_score_lies_in_its_band_and_the_band_on_the_scale(seed: int, place: float) -> None:
    line = a_line(random.Random(seed))
    lowest, highest = line.old_range
    found = line.at(min(highest, lowest + place * (highest - lowest)))
    assert 0 <= found.low <= found.value <= found.high <= 1


def test_scores_outside_those_of_models_have_no_band() -> None:
    line = a_line(random.Random(2))
    assert [line.at(line.old_range[0] - 0.01), line.at(line.old_range[1] + 0.01)] == [None, None]
    assert line.at(line.old_range[0]) is not None


def test_judges_that_agree_have_a_narrow_band_around_the_same_score() -> None:
    found = a_line(random.Random(1), slips=(0, 0)).at(0.6)
    assert found.value == pytest.approx(0.6)
    assert 0 < found.high - found.low < 0.05


@pytest.mark.parametrize(("slips", "slope"), [((0.15, 0.15), 1.0), ((0.2, 0.05), 1.5), ((0.05, 0.2), 2 / 3)])
def test_noise_of_the_old_judge_does_not_flatten_the_line(slips: tuple[float, float], slope: float) -> None:
    chance = random.Random(46)
    lines = [a_line(chance, slips) for _ in range(40)]
    assert median(line.slope for line in lines) == pytest.approx(slope, abs=0.1)
    assert sum(line.slope_interval[0] <= slope <= line.slope_interval[1] for line in lines) >= 36


@pytest.mark.slow
@pytest.mark.parametrize("slips", [(0.2, 0.05), (0, 0.1), (0.15, 0.15)])
@pytest.mark.parametrize("abilities", [(0.2, 0.5, 0.7, 0.9), (0.45, 0.475, 0.5, 0.525, 0.55)])
def test_the_band_holds_a_further_models_score(slips: tuple[float, float], abilities: Sequence[float]) -> None:
    """Of any true score between those of the models, or beyond, where it may have none."""
    chance, held = random.Random(33), []
    for _ in range(200):
        further = a_model(chance.uniform(min(abilities) - 0.05, max(abilities) + 0.05), slips, chance)
        found = a_line(chance, slips, abilities).at(mean_score(further, 1))
        held += [found.low <= mean_score(further, 2) <= found.high] if found is not None else []
    assert len(held) > 80
    assert sum(held) / len(held) >= 0.93


def test_a_model_far_from_the_others_has_no_band() -> None:
    """Two judges right on .85, five models at .45 to .55 and a new one at .9: a line there covered 49 %."""
    chance = random.Random(9)
    for slips in ((0.15, 0.15), (0.2, 0.05)):
        line = a_line(chance, slips, (0.45, 0.475, 0.5, 0.525, 0.55))
        assert line.at(mean_score(a_model(0.9, slips, chance), 1)) is None


@pytest.mark.parametrize("models", [[], [[("g", 0.5, 0.5)] * 60] * 3, [[(f"g{i}", i % 2, 0.5) for i in range(40)]] * 2])
def test_a_line_needs_three_models_three_groups_and_different_scores(models: list[Model]) -> None:
    assert fit_line(models) is None
