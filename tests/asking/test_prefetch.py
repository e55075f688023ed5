"""Work ahead in a thread: in order, errors in place, not far ahead, soon over, and never in the event loop's way."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterbench.asking.prefetch import ahead


def threads() -> set[threading.Thread]:
    return {t for t in threading.enumerate() if t.name.startswith("ahead")}


def gone(before: set[threading.Thread]) -> bool:
    """Whether the threads begun since then end soon."""
    end = time.monotonic() + 10
    while threads() - before and time.monotonic() < end:
        time.sleep(0.005)
    return not threads() - before


@given(count=st.integers(0, 120), fails=st.booleans(), pauses=st.sets(st.integers(0, 120), max_size=8))
@settings(max_examples=40)
def test_items_come_in_order_and_an_error_in_its_place(count: int, fails: bool, pauses: set[int]) -> None:
    def items() -> Iterator[int]:
        yield from range(count)
        if fails:
            raise LookupError("here")

    got: list[int] = []

    async def work() -> None:
        async with ahead(items()) as found:
            async for item in found:
                got.append(item)
                if item in pauses:
                    await asyncio.sleep(0.001)

    if fails:
        with pytest.raises(LookupError, match="here"):
            asyncio.run(work())
    else:
        asyncio.run(work())
    assert got == list(range(count))


def test_an_iterator_of_nothing() -> None:
    async def work() -> list[Any]:
        async with ahead(iter(())) as found:
            return [item async for item in found]

    before = threads()
    assert asyncio.run(work()) == []
    assert gone(before)


def test_it_is_not_far_ahead_of_its_use() -> None:
    taken = 0

    def items() -> Iterator[int]:
        nonlocal taken
        while True:
            taken += 1
            yield taken

    async def work() -> int:
        furthest = 0
        async with ahead(items()) as found:
            async for item in found:
                await asyncio.sleep(0.002)  # time enough to run off
                furthest = max(furthest, taken - item)
                if item == 150:
                    return furthest
        return 0

    furthest = asyncio.run(work())
    assert 1 <= furthest <= 33


def test_the_first_item_is_there_before_a_second_is_made() -> None:
    second = threading.Event()

    def items() -> Iterator[int]:
        yield 1
        second.wait(10)
        yield 2

    async def work() -> None:
        async with ahead(items()) as found:
            stream = aiter(found)
            assert await asyncio.wait_for(anext(stream), 5) == 1
            second.set()
            assert await anext(stream) == 2

    asyncio.run(work())


def test_an_iterator_that_blocks_does_not_block_the_loop() -> None:
    def items() -> Iterator[int]:
        for i in range(3):
            time.sleep(0.2)
            yield i

    async def work() -> tuple[int, float]:
        beats, longest, last = 0, 0.0, time.monotonic()
        over = asyncio.Event()

        async def use() -> None:
            async with ahead(items()) as found:
                assert [item async for item in found] == [0, 1, 2]
            over.set()

        task = asyncio.create_task(use())
        while not over.is_set():
            await asyncio.sleep(0.005)
            now = time.monotonic()
            beats, longest, last = beats + 1, max(longest, now - last), now
        await task
        return beats, longest

    beats, longest = asyncio.run(work())
    assert beats > 20
    assert longest < 0.19


@pytest.mark.parametrize("how", ["break", "raise", "cancel", "at once"])
def test_leaving_early_ends_the_thread_after_the_item_that_it_is_at(how: str) -> None:
    before = threads()
    made = 0

    def items() -> Iterator[int]:
        nonlocal made
        while True:
            time.sleep(0.01)
            made += 1
            yield made

    async def work() -> int:
        async with ahead(items()) as found:
            if how == "at once":
                return made
            async for item in found:
                if item == 3 and how != "cancel":
                    if how == "raise":
                        raise KeyError("left")
                    break
        return made

    async def cancelled() -> None:
        task = asyncio.create_task(work())
        await asyncio.sleep(0.08)
        task.cancel()
        await task

    if how == "raise":
        with pytest.raises(KeyError, match="left"):
            asyncio.run(work())
    elif how == "cancel":
        with pytest.raises(asyncio.CancelledError):
            asyncio.run(cancelled())
    else:
        asyncio.run(work())
    left = made
    assert gone(before)
    assert made <= left + 2


def test_leaving_does_not_wait_for_the_item_under_way() -> None:
    before = threads()
    go = threading.Event()

    def items() -> Iterator[int]:
        yield 1
        go.wait(10)
        yield 2

    async def work() -> float:
        async with ahead(items()) as found:
            async for _ in found:
                break
            start = time.monotonic()
        return time.monotonic() - start

    try:
        assert asyncio.run(work()) < 3
    finally:
        go.set()
    assert gone(before)


def test_an_item_that_comes_after_the_loop_is_closed_is_no_error(caplog: pytest.LogCaptureFixture) -> None:
    before = threads()

    def items() -> Iterator[int]:
        yield 1
        time.sleep(0.2)
        yield 2

    async def work() -> None:
        async with ahead(items()) as found:
            async for _ in found:
                break

    with caplog.at_level(logging.DEBUG):
        asyncio.run(work())
        assert gone(before)
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


def test_an_error_that_nobody_waits_for_any_more_is_no_matter(caplog: pytest.LogCaptureFixture) -> None:
    before = threads()

    def items() -> Iterator[int]:
        yield 1
        time.sleep(0.05)
        raise OSError("the picture is gone")

    async def work() -> None:
        async with ahead(items()) as found:
            async for _ in found:
                break
            await asyncio.sleep(0.2)

    asyncio.run(work())
    assert gone(before)
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


def test_two_iterators_at_once_do_not_disturb_each_other() -> None:
    async def all_of(start: int) -> list[int]:
        async with ahead(iter(range(start, start + 200))) as found:
            return [item async for item in found]

    async def work() -> list[list[int]]:
        return await asyncio.gather(*(all_of(start) for start in (0, 1000, 2000)))

    assert asyncio.run(work()) == [list(range(start, start + 200)) for start in (0, 1000, 2000)]
