"""The least number of wrong answers, against all repairs; and the bound over groups, in simulated audits."""

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from counterbench.pictures.auditing.bound import share_low
from counterbench.pictures.auditing.relations import AnswerClause, YesOrNo
from counterbench.pictures.auditing.repair import broken, least_wrong

NAMES = "abcde"
yes_or_no = st.sampled_from(["yes", "no"])
answers = st.dictionaries(st.sampled_from(NAMES), yes_or_no)
clauses = st.lists(st.dictionaries(st.sampled_from(NAMES), yes_or_no, min_size=1).map(lambda c: tuple(c.items())))


@given(replies=answers, clauses=clauses)
def test_the_minimum_repair_equals_that_by_brute_force(
    replies: dict[str, YesOrNo], clauses: list[AnswerClause]
) -> None:
    """Over all answers to all questions that have one; a combination with one that has none says nothing."""
    answered = [clause for clause in clauses if all(name in replies for name, _ in clause)]
    possible = [
        sum(replies[name] != now for name, now in zip(NAMES, turned, strict=True) if name in replies)
        for turned in product(("yes", "no"), repeat=len(NAMES))
        if not broken(dict(zip(NAMES, turned, strict=True)), answered)
    ]
    if possible:  # relations that the truth breaks are none
        assert least_wrong(replies, clauses) == min(possible)


def test_the_bound_is_at_most_the_true_share_in_nearly_all_small_audits() -> None:
    """Rare contradictions, groups of different sizes, and few groups."""
    source, missed = np.random.default_rng(5), 0
    for _ in range(400):
        size = source.integers(2, 10, 25)
        rate = 0.06 * 5.5 / (size.mean() * 3)  # three wrong answers at once
        wrong = np.where(source.random(25) < rate, np.minimum(3, size), 0)
        true = rate * np.minimum(3, size).sum() / size.sum()
        missed += share_low(wrong.tolist(), size.tolist(), 9) > true
    assert missed <= 30  # 5 % are 20


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(3, 9)), min_size=1, max_size=30))
def test_the_bound_is_below_the_observed_share_and_grows_with_doubled_groups(groups: list[tuple[int, int]]) -> None:
    wrong, size = map(list, zip(*groups, strict=True))
    once, twice = share_low(wrong, size, 9), share_low(wrong * 2, size * 2, 9)
    assert 0 <= once <= sum(wrong) / sum(size)
    assert twice >= once - 1e-9


def test_a_stricter_level_gives_a_lower_bound() -> None:
    assert share_low([1] * 30, [4] * 30, 9, 0.01) < share_low([1] * 30, [4] * 30, 9, 0.05) < 0.25
