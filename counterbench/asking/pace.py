"""Controls the number of calls at once and the start of the next: backs off if a server is overloaded, recovers."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator

# Added to the number of calls at once for each call that went well: sixteen calls take back four.
_RECOVERY = 0.25


class Pace:
    """The barrier that every call to a judge passes. Starts with `most` calls at once.

    An overload (429, a timeout) halves the number of calls at once, once for all the calls that were under way
    together; each call that goes well wins a part back. A pause that the server asks for holds for all calls.
    """

    def __init__(self, most: int, per_minute: float | None = None) -> None:
        self.most = most
        self.limit = float(most)
        self._places = asyncio.Semaphore(most)
        self._cut = 0  # places that an overload took away and that are still in use, or free
        self._seconds_each = 60.0 / per_minute if per_minute else 0.0
        self._free_at = 0.0
        self._not_before = 0.0
        self._cut_at = 0.0
        self._hurried = asyncio.Event()

    @contextlib.asynccontextmanager
    async def call(self) -> AsyncIterator[float]:
        """Wait for a place and for the rate limit; hold the place for one call, whose begin (monotonic) is given."""
        await self._places.acquire()
        while self._cut:  # this place was taken away
            self._cut -= 1
            await self._places.acquire()
        try:
            await self._turn()
            yield time.monotonic()
        finally:
            self._places.release()

    async def _turn(self) -> None:
        """Wait for pauses and for the rate."""
        while True:
            while self.paused and not self.hurried:
                await self.sleep(self.paused)
            await self.sleep(self.reserve())
            if not self.paused or self.hurried:  # or the server has asked for a pause in the meantime
                return

    def reserve(self) -> float:
        """Take the next turn of the rate, evenly spread rather than in bursts; the seconds to wait for it."""
        now = time.monotonic()
        start = max(now, self._free_at)
        self._free_at = start + self._seconds_each
        return start - now

    def went_well(self) -> None:
        """Note that a call got its reply."""
        self._limit_to(min(float(self.most), self.limit + _RECOVERY))

    def overloaded(self, began: float) -> None:
        """Note that a call that began then came back with an overload."""
        if began >= self._cut_at:
            self._limit_to(max(1.0, self.limit / 2))
            self._cut_at = time.monotonic()

    def _limit_to(self, limit: float) -> None:
        self._cut += int(self.limit) - int(limit)
        self.limit = limit
        while self._cut < 0:
            self._cut += 1
            self._places.release()

    def pause(self, seconds: float) -> None:
        """Begin no call for so many seconds, as the server asks."""
        self._not_before = max(self._not_before, time.monotonic() + seconds)

    @property
    def paused(self) -> float:
        """Seconds for which no call may begin because the server asked for a pause."""
        return max(0.0, self._not_before - time.monotonic())

    async def sleep(self, seconds: float) -> None:
        """Sleep; `hurry` ends it."""
        if seconds > 0:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._hurried.wait()

    def hurry(self) -> None:
        """End all waits: nothing more will be asked."""
        self._hurried.set()

    @property
    def hurried(self) -> bool:
        """True if nothing more will be asked."""
        return self._hurried.is_set()
