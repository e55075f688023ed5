"""The pace of calls: bounds that hold at every moment, backing off once and recovering, pauses and rates kept."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
import time
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterbench.asking import pace as pace_module
from counterbench.asking.pace import Pace, Rate


def run(work: Coroutine[Any, Any, Any], seconds: float = 20.0) -> None:
    """To its end; what hangs is a failure and not an endless test."""
    asyncio.run(asyncio.wait_for(work, seconds))


async def ticks(count: int) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def overload(pace: Pace) -> None:
    """One call that the server had too much to do for."""
    async with pace.call() as call:
        call.overloaded()


async def succeed(pace: Pace, count: int = 1, tokens: int | None = None) -> None:
    for _ in range(count):
        async with pace.call() as call:
            call.went_well(tokens)


# ---- how many calls run at once


@given(
    most=st.integers(1, 8),
    calls=st.lists(st.tuples(st.integers(0, 4), st.sampled_from(["well", "overloaded", "raises"])), max_size=40),
)
def test_never_more_calls_than_the_limit_begin_and_all_end(most: int, calls: list[tuple[int, str]]) -> None:
    pace = Pace(most)
    ended = []

    async def one(length: int, end: str) -> None:
        with contextlib.suppress(RuntimeError):
            async with pace.call() as call:
                # A place that was handed over before the limit was cut is still a place.
                assert pace.running <= most, "a call began where there was no place"
                assert 1 <= pace.limit <= most
                await ticks(length)
                if end == "raises":
                    raise RuntimeError
                (call.went_well if end == "well" else call.overloaded)()
        ended.append(end)

    async def all_of_them() -> None:
        await asyncio.gather(*(one(*call) for call in calls))

    run(all_of_them())
    assert len(ended) == len(calls)
    assert pace.running == 0
    assert 1 <= pace.limit <= most


@given(
    seed=st.integers(0, 10**9),
    most=st.integers(1, 5),
    count=st.integers(1, 40),
    rates=st.sampled_from([(None, None), (1e7, None), (None, 1e9), (1e7, 1e9)]),
)
@settings(max_examples=150)
def test_waiters_that_are_cancelled_at_any_moment_take_no_place_with_them(
    seed: int, most: int, count: int, rates: tuple[float | None, float | None]
) -> None:
    chance = random.Random(seed)
    pace = Pace(most, *rates)
    served = 0

    async def one(length: int) -> None:
        nonlocal served
        async with pace.call() as call:
            assert pace.running <= most
            await ticks(length)
            chance.choice([call.went_well, call.overloaded, lambda: None])()
            served += 1

    async def storm() -> None:
        tasks = []
        for _ in range(count):
            tasks.append(asyncio.create_task(one(chance.randrange(4))))
            await ticks(chance.randrange(2))
            for task in chance.sample(tasks, min(len(tasks), chance.randrange(3))):
                task.cancel()
        kept = [task for task in tasks if not task.cancelling()]
        found = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(r is None or isinstance(r, asyncio.CancelledError) for r in found)
        assert served >= len(kept), "one that nobody cancelled was not served"
        assert pace.running == 0
        await asyncio.wait_for(succeed(pace, most), 5)

    run(storm())


def test_a_turn_given_to_a_call_that_is_cancelled_in_the_same_moment_is_passed_on() -> None:
    async def work() -> None:
        pace = Pace(1)
        go = asyncio.Event()

        async def hold() -> None:
            async with pace.call():
                await go.wait()

        async def wait() -> str:
            async with pace.call():
                return "served"

        holder = asyncio.create_task(hold())
        await ticks(2)
        first, second = asyncio.create_task(wait()), asyncio.create_task(wait())
        await ticks(2)
        go.set()
        while not holder.done():
            await ticks(1)  # the turn is now on its way to the first
        first.cancel()
        assert await asyncio.wait_for(second, 5) == "served"
        assert pace.running == 0

    run(work())


def test_who_waits_is_served_in_order() -> None:
    async def work() -> None:
        pace = Pace(1)
        served: list[int] = []

        async def one(i: int) -> None:
            async with pace.call():
                await ticks(3)
                served.append(i)

        await asyncio.gather(*(one(i) for i in range(12)))
        assert served == list(range(12))

    run(work())


def test_who_comes_later_does_not_overtake_who_waits() -> None:
    async def work() -> None:
        pace = Pace(1)
        served = False

        async def patient() -> None:
            nonlocal served
            async with pace.call():
                served = True

        async def greedy() -> None:
            for _ in range(20):
                async with pace.call():
                    await ticks(3)

        first = asyncio.create_task(greedy())
        await ticks(1)
        waiter = asyncio.create_task(patient())
        while not first.done() and not served:
            await ticks(1)
        assert served
        assert not first.done(), "the waiter was served only when nobody else wanted the place"
        await asyncio.gather(first, waiter)

    run(work())


def test_the_order_is_kept_where_several_places_become_free_together() -> None:
    async def work() -> None:
        pace = Pace(4)
        served: list[int] = []

        async def one(i: int) -> None:
            async with pace.call():
                served.append(i)
                await ticks(5)

        await asyncio.gather(*(one(i) for i in range(24)))
        assert served == sorted(served)

    run(work())


# ---- overloads


def test_a_wave_of_overloads_halves_the_limit_once() -> None:
    async def work() -> None:
        pace = Pace(32)
        await asyncio.gather(*(slow_overload(pace) for _ in range(32)))
        assert pace.limit == 16
        await asyncio.gather(*(slow_overload(pace) for _ in range(16)))
        assert pace.limit == 8

    async def slow_overload(pace: Pace) -> None:
        async with pace.call() as call:
            await asyncio.sleep(0.001)
            call.overloaded()

    run(work())


def test_a_late_overload_of_the_same_wave_does_not_count_again() -> None:
    async def work() -> None:
        pace = Pace(8)
        go = asyncio.Event()

        async def late() -> None:
            async with pace.call() as call:
                await go.wait()
                call.overloaded()

        slow = asyncio.create_task(late())
        await ticks(2)
        await overload(pace)
        assert pace.limit == 4
        await succeed(pace, 4)
        go.set()
        await slow
        assert pace.limit == 5

    run(work())


def test_every_reply_of_a_batch_that_was_overloaded_counts_once() -> None:
    async def work() -> None:
        pace = Pace(16)
        async with pace.call() as call:
            await asyncio.sleep(0.001)
            for _ in range(10):
                call.overloaded()
        assert pace.limit == 8

    run(work())


def test_the_limit_never_falls_below_one_and_calls_go_on() -> None:
    async def work() -> None:
        pace = Pace(4)
        for _ in range(20):
            await overload(pace)
        assert pace.limit == 1
        await asyncio.wait_for(asyncio.gather(*(succeed(pace) for _ in range(9))), 5)

    run(work())


@pytest.mark.parametrize("most", [1, 2, 7, 32])
def test_calls_that_go_well_win_the_limit_back_and_no_more(most: int) -> None:
    async def work() -> None:
        pace = Pace(most)
        for _ in range(10):
            await overload(pace)
        await succeed(pace, 4)
        assert pace.limit == min(most, 2)
        await succeed(pace, 4 * most)
        assert pace.limit == most
        await succeed(pace, 50)
        assert pace.limit == most

    run(work())


def test_recovery_lets_in_those_who_wait_without_anyone_leaving() -> None:
    async def work() -> None:
        pace = Pace(4)
        for _ in range(3):
            await overload(pace)
        go = asyncio.Event()
        inside = 0

        async def stay() -> None:
            nonlocal inside
            async with pace.call() as call:
                inside += 1
                for _ in range(4):
                    call.went_well()
                await go.wait()

        tasks = [asyncio.create_task(stay()) for _ in range(6)]
        await ticks(30)
        assert inside == 4
        go.set()
        await asyncio.gather(*tasks)
        assert pace.running == 0

    run(work())


# ---- pauses


def test_a_pause_holds_every_call_and_then_lets_them_go() -> None:
    async def work() -> None:
        pace = Pace(4)
        began: list[float] = []
        async with pace.call() as call:
            call.pause(0.3)
            start = time.monotonic()
        assert 0.2 < pace.paused <= 0.3

        async def one() -> None:
            async with pace.call():
                began.append(time.monotonic() - start)

        await asyncio.gather(*(one() for _ in range(8)))
        assert min(began) >= 0.29
        assert pace.paused == 0

    run(work())


def test_a_longer_pause_counts_and_a_shorter_one_does_not_shorten_it() -> None:
    async def work() -> None:
        pace = Pace(4)
        async with pace.call() as call:
            call.pause(0.3)
            call.pause(0.01)
        start = time.monotonic()
        waiter = asyncio.create_task(succeed(pace))
        await asyncio.sleep(0.05)
        pace._pause(0.5)  # while one sleeps already
        await waiter
        assert time.monotonic() - start >= 0.5

    run(work())


def test_hurry_releases_who_waits_for_a_pause_a_rate_or_a_retry() -> None:
    async def work() -> None:
        pace = Pace(9, 0.001, 0.001)
        waiting = [asyncio.create_task(succeed(pace)) for _ in range(5)]
        waiting.append(asyncio.create_task(pace.sleep(3600)))
        await asyncio.sleep(0.02)
        pace._pause(3600)
        assert sum(task.done() for task in waiting) <= 1
        start = time.monotonic()
        pace.hurry()
        await asyncio.wait_for(asyncio.gather(*waiting), 10)
        assert time.monotonic() - start < 5
        assert pace.running == 0
        await asyncio.wait_for(succeed(pace, 3), 5)

    run(work())


def test_who_is_cancelled_in_a_pause_leaves_its_place() -> None:
    async def work() -> None:
        pace = Pace(1)
        pace._pause(3600)
        task = asyncio.create_task(succeed(pace))
        await asyncio.sleep(0.02)
        assert pace.running == 1
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        assert pace.running == 0

    run(work())


# ---- rates


class Clock:
    """A clock that is set by hand, in place of `time`."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(pace_module, "time", found)
    return found


def test_a_rate_spreads_evenly_and_saves_nothing_up(clock: Clock) -> None:
    rate = Rate(60)
    assert [rate.reserve(1) for _ in range(4)] == [0, 1, 2, 3]
    clock.now += 1000
    assert [rate.reserve(1) for _ in range(3)] == [0, 1, 2]
    rate.correct(-2)
    assert rate.reserve(1) == 1
    rate.correct(5)
    assert rate.reserve(1) == 7


@given(
    per_minute=st.floats(1, 1e5),
    steps=st.lists(st.tuples(st.floats(0, 30), st.integers(1, 50)), min_size=1, max_size=60),
)
def test_no_minute_has_more_than_the_rate_and_what_one_takes(per_minute: float, steps: list[tuple[float, int]]) -> None:
    clock, rate = Clock(), Rate(per_minute)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pace_module, "time", clock)
        used: list[tuple[float, int]] = []
        for passed, amount in steps:
            clock.now += passed
            used.append((clock.now + rate.reserve(amount), amount))
    assert [at for at, _ in used] == sorted(at for at, _ in used)
    for begin, _ in used:
        within = [amount for at, amount in used if begin <= at < begin + 60]
        assert sum(within[:-1]) <= per_minute * (1 + 1e-6) + 1e-6


def starts_of(pace: Pace, count: int, tokens: int | None = None) -> list[float]:
    starts: list[float] = []

    async def one() -> None:
        async with pace.call() as call:
            starts.append(time.monotonic())
            call.went_well(tokens)

    async def work() -> None:
        await asyncio.gather(*(one() for _ in range(count)))

    run(work())
    return [start - starts[0] for start in starts]


def test_requests_per_minute_spread_the_calls() -> None:
    starts = starts_of(Pace(32, per_minute=1200), 7)
    assert starts[-1] >= 6 * 0.05 * 0.95
    assert starts[-1] < 6 * 0.05 * 3 + 1
    assert all(start >= i * 0.05 * 0.95 for i, start in enumerate(starts))


def test_requests_per_minute_spread_the_calls_after_a_pause_too() -> None:
    pace = Pace(32, per_minute=600)
    pace._pause(0.45)
    starts = starts_of(pace, 5)
    assert min(b - a for a, b in itertools.pairwise(starts)) >= 0.05


def test_tokens_per_minute_are_guessed_first_and_then_known() -> None:
    async def gap(told: int | None) -> float:
        pace = Pace(4, tokens_per_minute=120_000)  # 500 tokens are a quarter of a second
        await succeed(pace, tokens=told)
        start = time.monotonic()
        await succeed(pace)
        return time.monotonic() - start

    assert 0.25 * 0.9 <= asyncio.run(gap(None)) < 0.75 + 0.5  # nothing was told: the guess stands
    assert asyncio.run(gap(10)) < 0.2
    assert asyncio.run(gap(1500)) >= 0.75 * 0.9


def test_the_next_calls_are_taken_to_cost_what_the_calls_so_far_did() -> None:
    async def work() -> None:
        pace = Pace(4, tokens_per_minute=60_000)  # a thousand a second
        await succeed(pace, 5, tokens=20)
        start = time.monotonic()
        await asyncio.gather(*(succeed(pace) for _ in range(5)))  # 20 each and not 500
        assert time.monotonic() - start < 0.6

    run(work())


@pytest.mark.parametrize(
    "tokens",
    [
        pytest.param(
            1000,
        ),
        pytest.param(
            100,
        ),
    ],
)
def test_the_tokens_of_a_batch_are_the_sum_of_its_replies(tokens: int) -> None:
    async def work() -> None:
        rate = 6_000_000 * tokens / 1000  # four replies take 0.04 s
        pace = Pace(4, tokens_per_minute=rate)
        async with pace.call() as call:
            for _ in range(4):
                call.went_well(tokens)
        start = time.monotonic()
        await succeed(pace)
        assert time.monotonic() - start >= 0.04 * 0.9

    run(work())


STEPS: list[Callable[[Pace], None]] = [
    lambda pace: pace._pause(0.001),
    lambda pace: pace._went_well(),
    lambda pace: pace._overloaded(time.monotonic()),
]


@given(st.lists(st.sampled_from(range(len(STEPS))), max_size=30), st.integers(1, 6))
@settings(max_examples=20)
def test_whatever_happens_meanwhile_nobody_waits_for_ever(steps: list[int], most: int) -> None:
    async def work() -> None:
        pace = Pace(most)
        tasks = [asyncio.create_task(succeed(pace)) for _ in range(10)]
        for step in steps:
            STEPS[step](pace)
            await ticks(1)
        await asyncio.wait_for(asyncio.gather(*tasks), 10)
        assert pace.running == 0

    run(work())
