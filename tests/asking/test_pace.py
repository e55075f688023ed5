"""The pace of calls: bounds that hold at every moment, backing off once and recovering, pauses and rates kept."""

import asyncio
import functools
import itertools
import math
import random
import time
from collections.abc import Callable, Coroutine
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbench.asking import limits
from counterbench.asking.limits import Pace


def in_time(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """A test that is a coroutine, run to its end; what hangs is a failure and not an endless test."""

    @functools.wraps(test)
    def run(*args: Any, **options: Any) -> None:
        asyncio.run(asyncio.wait_for(test(*args, **options), 20))

    return run


async def ticks(count: int) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def overload(pace: Pace) -> None:
    """One call that the server had too much to do for."""
    async with pace.call() as began:
        pace.overloaded(began)


async def succeed(pace: Pace, count: int = 1) -> None:
    for _ in range(count):
        async with pace.call():
            pace.went_well()


@given(seed=st.integers(0, 10**9), most=st.integers(1, 6), count=st.integers(1, 40), rate=st.sampled_from([None, 1e7]))
@in_time
async def test_cancelled_and_failed_calls_free_their_place_within_the_limit(
    seed: int, most: int, count: int, rate: float | None
) -> None:
    chance = random.Random(seed)
    pace = Pace(most, rate)
    inside = served = 0

    async def call(length: int) -> None:
        nonlocal inside, served
        async with pace.call() as began:
            inside += 1
            try:
                assert inside <= most
                assert 1 <= pace.limit <= most
                await ticks(length)
                served += 1
                match chance.randrange(4):
                    case 0:
                        raise RuntimeError
                    case 1:
                        pace.overloaded(began)
                    case _:
                        pace.went_well()
            finally:
                inside -= 1

    tasks = []
    for _ in range(count):
        tasks.append(asyncio.create_task(call(chance.randrange(4))))
        await ticks(chance.randrange(2))
        for task in chance.sample(tasks, min(len(tasks), chance.randrange(3))):
            task.cancel()
    kept = [task for task in tasks if not task.cancelling()]
    found = await asyncio.gather(*tasks, return_exceptions=True)
    assert [r for r in found if not (r is None or isinstance(r, asyncio.CancelledError | RuntimeError))] == []
    assert served >= len(kept), "one that nobody cancelled was not served"
    assert inside == 0
    await succeed(pace, 4 * most)  # until all places are back
    assert await at_once(pace) == most


async def at_once(pace: Pace, count: int = 20) -> int:
    """How many of `count` calls that stay run at the same time."""
    go, inside = asyncio.Event(), 0

    async def stay() -> None:
        nonlocal inside
        async with pace.call():
            inside += 1
            await go.wait()

    tasks = [asyncio.create_task(stay()) for _ in range(count)]
    await ticks(10)
    await asyncio.sleep(0.005)  # rates make calls wait too, if not for long
    found = inside
    go.set()
    await asyncio.gather(*tasks)
    return found


@in_time
async def test_a_wave_of_overloads_halves_the_limit_once_and_so_does_the_next() -> None:
    async def slow_overload(pace: Pace) -> None:
        async with pace.call() as began:
            await asyncio.sleep(0.001)
            for _ in range(3):  # of the replies of a batch
                pace.overloaded(began)

    pace = Pace(32)
    for limit in (16, 8):
        await asyncio.gather(*(slow_overload(pace) for _ in range(2 * limit)))
        assert pace.limit == limit
        assert await at_once(pace) == limit


@pytest.mark.parametrize("most", [1, 2, 7, 32])
@in_time
async def test_the_limit_stays_above_zero_and_recovers_with_good_calls(most: int) -> None:
    pace = Pace(most)
    for _ in range(10):
        await overload(pace)
    assert pace.limit == 1
    assert await at_once(pace) == 1
    await succeed(pace, 4)
    assert pace.limit == min(most, 2)
    await succeed(pace, 4 * most + 50)
    assert pace.limit == most
    assert await at_once(pace, 40) == most


@in_time
async def test_a_pause_holds_every_call_and_a_shorter_one_does_not_shorten_it() -> None:
    pace = Pace(4)
    pace.pause(0.1)
    start = time.monotonic()
    waiting = asyncio.gather(*(succeed(pace) for _ in range(8)))
    await asyncio.sleep(0.02)
    pace.pause(0.2)  # while they sleep already
    pace.pause(0.01)
    assert 0.1 < pace.paused <= 0.2
    await waiting
    assert time.monotonic() - start >= 0.2
    assert pace.paused == 0


@in_time
async def test_hurry_releases_calls_waiting_for_a_pause_a_rate_or_a_retry() -> None:
    pace = Pace(9, 0.001)
    waiting = [asyncio.create_task(succeed(pace)) for _ in range(5)]
    waiting.append(asyncio.create_task(pace.sleep(math.inf)))
    await asyncio.sleep(0.02)
    pace.pause(3600)
    assert sum(task.done() for task in waiting) <= 1
    assert not pace.hurried
    pace.hurry()
    await asyncio.gather(*waiting)
    await succeed(pace, 3)
    assert pace.hurried


def test_a_rate_spreads_calls_evenly_without_bursts(monkeypatch: pytest.MonkeyPatch) -> None:
    now, pace = 1000.0, Pace(1, 30)
    monkeypatch.setattr(limits, "time", SimpleNamespace(monotonic=lambda: now))
    assert [pace.reserve() for _ in range(4)] == [0, 2, 4, 6]
    now += 5
    assert pace.reserve() == 3
    now += 1000
    assert [pace.reserve() for _ in range(3)] == [0, 2, 4]


@in_time
async def test_requests_per_minute_spread_the_calls_after_a_pause_too() -> None:
    pace = Pace(32, per_minute=1200)
    pace.pause(0.2)
    starts: list[float] = []

    async def call() -> None:
        async with pace.call():
            starts.append(time.monotonic())

    await asyncio.gather(*(call() for _ in range(5)))
    assert min(b - a for a, b in itertools.pairwise(starts)) >= 0.05 * 0.7  # a clock may be late by some milliseconds
    assert starts[-1] - starts[0] < 1
