"""Ratings from comparisons: the worth of two answers, the pairs of models that are asked, ranks, what judges prefer."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbench.answers.choices import EQUAL, FIRST, SECOND
from counterbench.errors import InputError
from counterbench.pictures.scores.ratings import Match, Points, Ratings, matches, points, ratings
from counterbench.scene.seeds import Stream
from counterbench.stats.davidson import connected
from counterbench.suites.comparisons import SWAPPED

MODELS = ["a", "b", "c"]
SAMPLES = [(f"p{i}/l1/0", MODELS) for i in range(40)]


def test_the_answer_in_each_order_counts_half() -> None:
    assert points(FIRST, SECOND) == (1, 0, 0)
    assert points(SECOND, FIRST) == (0, 0, 1)
    assert points(EQUAL, EQUAL) == (0, 1, 0)
    assert points(FIRST, FIRST) == points(SECOND, SECOND) == (0.5, 0, 0.5)  # it hangs on the order
    assert points(FIRST, EQUAL) == (0.5, 0.5, 0)
    assert points(FIRST, None) is points(None, FIRST) is None


@given(st.sampled_from([FIRST, SECOND, EQUAL]), st.sampled_from([FIRST, SECOND, EQUAL]))
def test_points_add_up_to_1_and_swap_with_the_models(ahead: str, back: str) -> None:
    straight, turned = points(ahead, back), points(SWAPPED[ahead], SWAPPED[back])
    assert straight is not None
    assert turned is not None
    assert sum(straight) == 1
    assert straight == tuple(turned)[::-1]


def test_all_models_are_compared_on_each_sample_by_default() -> None:
    found = matches(MODELS, [("p/l1/0", ["c", "a", "b"]), ("q/l1/0", ["a", "b"])])
    assert found == [Match("p/l1/0", *two) for two in combinations(MODELS, 2)] + [Match("q/l1/0", "a", "b")]


@given(st.integers(3, 9), st.integers(1, 4))
def test_fewer_matches_stay_linked_and_balanced(count: int, most: int) -> None:
    models = [f"m{i}" for i in range(count)]
    found = matches(models, [(f"p{i}/l1/0", models) for i in range(40)], most)
    of_each = min(most, count * (count - 1) // 2)
    assert Counter(match.sample for match in found) == {f"p{i}/l1/0": of_each for i in range(40)}
    pairs, appearances = Counter((m.first, m.second) for m in found), Counter(name for m in found for name in m[1:])
    assert max(pairs.values()) - min(pairs[two] for two in combinations(models, 2)) <= 1
    assert max(appearances.values()) - min(appearances.values()) <= max(2, count // 2)
    links = np.zeros((count, count))
    for match in found:
        links[models.index(match.first), models.index(match.second)] = 1
    assert connected(links)


def test_models_without_a_linking_match_are_refused() -> None:
    with pytest.raises(InputError, match="2 comparisons do not link all 4 models: give more --matches"):
        matches(["a", "b", "c", "d"], [("p/l1/0", ["a", "b"]), ("q/l1/0", ["c", "d"])])
    with pytest.raises(InputError, match="do not link all 3 models"):
        matches(MODELS, SAMPLES[:1], most=1)


def model_ratings(better: Sequence[Sequence[float]], wobble: float = 0.0, first: float = 0.0) -> Ratings:
    """The ratings if model i is better than j with that chance, and says first whatever it sees with chance `first`."""
    outcomes: dict[Match, Points] = {}
    answers = []
    for match in matches(MODELS, SAMPLES):
        draw = Stream("rated", match.id)
        i, j = MODELS.index(match.first), MODELS.index(match.second)
        preferred = FIRST if draw.chance(better[i][j]) else SECOND
        both = [FIRST if draw.chance(first) else answer for answer in (preferred, SWAPPED[preferred])]
        answers.append((both[0], both[1]))
        found = points(*both)
        assert found is not None
        outcomes[match] = found
    return ratings(MODELS, outcomes, answers, 3)


def test_only_models_shown_to_differ_have_different_ranks() -> None:
    found = model_ratings([[0, 0.95, 0.95], [0, 0, 0.5], [0, 0.5, 0]])
    assert {model.model: model.rank for model in found.models} == {"a": 1, "b": 2, "c": 2}
    assert (found.models[0].low or 0) > (found.models[1].high or 0)
    assert (found.comparisons, found.prompts, found.unread, found.leans, found.lazy) == (120, 40, 3, "", False)
    assert found.same.hits == found.same.of == 120
    assert sum(model.won + model.tied + model.lost for model in found.models) == 2 * 120
    for model in found.models:
        assert model.low is not None
        assert model.high is not None
        assert model.low < model.rating < model.high


def test_a_position_bias_is_named_only_where_shown() -> None:
    even = [[0, 0.5, 0.5], [0, 0, 0.5], [0, 0, 0]]
    found = model_ratings(even, first=0.3)
    assert (found.leans, found.second_both) == ("first", 0)
    assert found.same.hits + found.first_both == 120
    assert model_ratings(even).leans == ""


def test_a_lazy_judge_is_named() -> None:
    ties = dict.fromkeys(matches(MODELS, SAMPLES), Points(0, 1, 0))
    found = ratings(MODELS, ties, [(EQUAL, EQUAL)] * len(ties), 0)
    assert found.lazy
    assert {model.rank for model in found.models} == {1}


def test_circular_preferences_are_named() -> None:
    found = model_ratings([[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    assert found.cycles == ["a > b > c > a"]
    assert {model.rank for model in found.models} == {1}
    assert model_ratings([[0, 1, 1], [0, 0, 1], [0, 0, 0]]).cycles == []


def test_ratings_without_an_outcome_are_refused() -> None:
    with pytest.raises(InputError, match="no comparison has both answers"):
        ratings(MODELS, {}, [], 5)


def won_by_a(prompts: int, *others: str) -> Ratings:
    """The ratings if the model a is better than each of the others in one comparison of each prompt."""
    outcomes = {Match(f"p{i}/l1/0", "a", other): Points(1, 0, 0) for i in range(prompts) for other in others}
    return ratings(MODELS[: 1 + len(others)], outcomes, [(FIRST, SECOND)] * len(outcomes), 0)


@pytest.mark.parametrize(("prompts", "ranks"), [(1, [1, 1]), (4, [1, 1]), (8, [1, 2])])
def test_few_prompts_of_one_outcome_do_not_show_that_models_differ(prompts: int, ranks: list[int]) -> None:
    found = won_by_a(prompts, "b").models  # one of two equal models wins all of four prompts in 1 of 8 cases
    assert [model.rank for model in found] == ranks
    assert [model.low is None for model in found] == [prompts == 1] * 2


def test_a_model_without_a_readable_answer_is_not_ranked_last() -> None:
    outcomes = {Match(f"p{i}/l1/0", "a", "b"): Points(1, 0, 0) for i in range(30)}
    found = {model.model: model for model in ratings(MODELS, outcomes, [(FIRST, SECOND)] * 30, 30).models}
    assert (found["a"].rank, found["b"].rank, found["c"].rank) == (1, 2, 1)
    assert (found["c"].high or 0) - (found["c"].low or 0) > 800


def test_prompts_of_the_same_words_are_rated_as_one_prompt() -> None:
    outcomes = {Match(f"p{k}/l1/0", "a", "b"): Points(1, 0, 0) for k in range(24)}
    answers = [(FIRST, SECOND)] * 24
    assert ratings(["a", "b"], outcomes, answers, 0).models[1].rank == 2
    found = ratings(["a", "b"], outcomes, answers, 0, {f"p{k}": "a red circle" for k in range(24)})
    assert (found.prompts, found.models[1].rank, found.models[0].low) == (1, 1, None)
