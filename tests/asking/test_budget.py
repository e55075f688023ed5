"""Budgets: the limit on calls is exact, that on cost is crossed only by a call dearer than any before."""

import math

import pytest
from asking.fakes import FAILURE
from hypothesis import given, settings
from hypothesis import strategies as st

from counterbench.answers.outcomes import Failed
from counterbench.asking.asker import Limits
from counterbench.asking.limits import Budget
from counterbench.judges.base import Reply
from counterbench.suites.shards import Shard


def priced(cost: float | None) -> Reply:
    return Reply(text="yes", cost=cost)


def spend(budget: Budget, *costs: float | None) -> None:
    budget.begin(len(costs))
    budget.end(len(costs), [priced(cost) for cost in costs])


MONEY = st.one_of(st.sampled_from([0.0, 0.01, 0.1, 0.25]), st.floats(1e-9, 2))
STEP = st.tuples(st.sampled_from(["begin", "begin", "end", "cancel"]), st.integers(0, 40))


@given(
    max_calls=st.none() | st.integers(1, 30),
    max_cost=st.none() | st.floats(0.01, 5),
    steps=st.lists(STEP, max_size=60),
    data=st.data(),
)
@settings(max_examples=100)
def test_limits_hold_in_any_order_of_calls(
    max_calls: int | None, max_cost: float | None, steps: list[tuple[str, int]], data: st.DataObject
) -> None:
    budget = Budget(max_calls, max_cost)
    under_way: list[tuple[int, float]] = []  # so many calls, and the dearest that was known when they began
    dearest = spent = 0.0
    begun = 0
    surprised = False
    for kind, number in [*steps, *[("end", 0)] * 61]:
        if kind == "begin":
            room = budget.room(number)
            assert 0 <= room <= number
            if room:
                budget.begin(room)
                begun += room
                under_way.append((room, dearest))
        elif under_way:
            calls, known = under_way.pop(number % len(under_way))
            replies = []
            if kind == "end":
                for _ in range(calls):
                    failed = data.draw(st.integers(0, 4)) == 0
                    cost = None if failed else data.draw(MONEY)
                    replies.append(FAILURE if failed else priced(cost))
                    spent += cost or 0.0
                    surprised |= (cost or 0.0) > known
                    dearest = max(dearest, cost or 0.0)
            budget.end(calls, replies)
        assert budget.calls == begun
        assert max_calls is None or budget.calls <= max_calls
        assert budget.cost == pytest.approx(spent)
        if max_cost is not None and not surprised:
            assert budget.cost <= max_cost * (1 + 1e-6)
    if max_calls is not None:
        assert budget.room(1000) <= max_calls - begun


def test_a_failed_call_counts_its_cost() -> None:
    budget = Budget(max_cost=1.0)
    budget.begin(1)
    budget.end(1, [Reply(failure=Failed("malformed"), cost=0.4)])
    assert budget.cost == 0.4
    assert budget.room(8) == 1


def test_another_judges_first_call_is_made_alone() -> None:
    budget = Budget(max_calls=9, max_cost=1.0)
    spend(budget, 0.1)
    assert budget.room(50) == 8
    budget.forget_prices()
    assert budget.room(50) == 1
    spend(budget, 0.45)
    assert (budget.room(50), budget.cost) == (1, 0.55)


def test_a_free_judge_is_not_limited_until_a_call_costs() -> None:
    budget = Budget(max_cost=1.0)
    spend(budget, 0.0)
    assert budget.room(100) == 100
    spend(budget, 0.3)
    assert budget.room(100) == 2


def test_a_reply_without_a_price_ends_a_run_limited_by_cost() -> None:
    budget = Budget(max_cost=1.0)
    spend(budget, 0.1)
    spend(budget, None)
    assert budget.room(5) == 0
    assert budget.why() == ("the limit on money cannot be kept: no cost came with a reply, and no number of its tokens")
    assert budget.again == "run the same command again without --max-cost (--max-calls limits it too) to resume"


@given(calls=st.integers(1, 10**9), cost=st.floats(1e-6, 1e6), shards=st.integers(1, 99))
def test_the_parts_of_shards_sum_to_the_whole(calls: int, cost: float, shards: int) -> None:
    limits = Limits(max_calls=max(calls, shards), max_cost=cost)
    parts = [limits.budget(Shard(k, shards)) for k in range(shards)]
    assert sum(part.max_calls or 0 for part in parts) == limits.max_calls
    assert min(part.max_calls or 0 for part in parts) >= 1
    assert math.fsum(part.max_cost or 0 for part in parts) == pytest.approx(cost, rel=1e-15)


def test_a_full_budget_says_which_limit_is_reached() -> None:
    calls = Budget(max_calls=2)
    spend(calls, None, None)
    assert calls.why() == "the limit of 2 calls is reached"
    assert calls.again == "run the same command again: it resumes, with up to 2 more calls"
    money = Budget(max_calls=9, max_cost=0.5)
    spend(money, 0.2)
    spend(money, 0.2)
    assert money.room(1) == 0
    assert money.why() == "the limit of 0.5 USD is reached: 0.4 spent, the next call may cost 0.2"
    assert money.again == "run the same command again: it resumes, with up to 0.5 USD more"
