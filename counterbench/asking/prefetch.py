"""Work done ahead of its use in a thread, so that an event loop never waits for pictures to be drawn or read."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")

# How many items one trip to the thread brings: few at first, so that the first is there soon.
_LARGEST = 16


@contextlib.asynccontextmanager
async def ahead(items: Iterator[T]) -> AsyncIterator[AsyncIterator[T]]:
    """The items of an iterator, in order, fetched in a thread at most about 32 ahead of their use.

    What the iterator raises is raised where the item would have come. On leaving, the thread stops after the item that
    it is at.
    """
    left = threading.Event()
    thread = ThreadPoolExecutor(1, thread_name_prefix="ahead")

    def fetch(most: int) -> tuple[list[T], BaseException | None, bool]:
        got: list[T] = []
        try:
            while len(got) < most and not left.is_set():
                got.append(next(items))
        except StopIteration:
            return got, None, True
        except Exception as error:
            return got, error, True
        return got, None, False

    async def fetched() -> AsyncGenerator[T, None]:
        loop = asyncio.get_running_loop()
        size = 1
        coming = loop.run_in_executor(thread, fetch, size)
        while True:
            got, error, ended = await coming
            if not ended:
                size = min(_LARGEST, size * 2)
                coming = loop.run_in_executor(thread, fetch, size)
            for item in got:
                yield item
            if error is not None:
                raise error
            if ended:
                return

    stream = fetched()
    try:
        yield stream
    finally:
        left.set()
        await stream.aclose()
        thread.shutdown(wait=False, cancel_futures=True)
