"""A crosswalk: the line through scores by two judges, and how often its band holds a further model."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbench.stats.crosswalk import Line, fitted

GROUPS = 60
Model = list[tuple[str, float, float]]


def a_model(ability: float, slip: float, chance: random.Random) -> Model:
    """Groups of three checks; the old judge is right, the new one turns an answer with the chance `slip`."""
    rows = []
    for group in range(GROUPS):
        truth = [chance.random() < ability for _ in range(3)]
        said = [each != (chance.random() < slip) for each in truth]
        rows.append((f"g{group}", sum(truth) / 3, sum(said) / 3))
    return rows


def mean(model: Model, side: int) -> float:
    return sum(row[side] for row in model) / len(model)


def a_line(chance: random.Random, slip: float = 0.1, models: int = 4) -> Line:
    line = fitted([a_model(ability, slip, chance) for ability in (0.2, 0.5, 0.7, 0.9, 0.4)[:models]])
    assert line is not None
    return line


@given(st.integers(0, 2**32))
def test_a_score_lies_in_its_band_and_the_band_on_the_scale(seed: int) -> None:
    line = a_line(random.Random(seed))
    for score in (0.0, 0.3, 1.0):
        found = line.at(score)
        assert found.value is not None
        assert found.low is not None
        assert found.high is not None
        assert 0 <= found.low <= found.value <= found.high <= 1


def test_judges_that_agree_have_a_narrow_band_around_the_same_score() -> None:
    found = a_line(random.Random(1), slip=0).at(0.6)
    assert found.value == pytest.approx(0.6)
    assert 0 < (found.high or 0) - (found.low or 0) < 0.05


def test_the_band_holds_a_further_model() -> None:
    """A judge that turns 10 % of the answers; models whose true score is anywhere."""
    chance, held, runs = random.Random(33), 0, 200
    for _ in range(runs):
        further = a_model(chance.random(), 0.1, chance)
        found = a_line(chance).at(mean(further, 1))
        held += (found.low or 0) <= mean(further, 2) <= (found.high or 0)
    assert held / runs >= 0.93


@pytest.mark.parametrize("models", [[], [[("g", 0.5, 0.5)] * 60] * 3, [[(f"g{i}", i % 2, 0.5) for i in range(40)]] * 2])
def test_no_line_without_three_models_groups_and_scores_that_differ(models: list[Model]) -> None:
    assert fitted(models) is None
