"""Controls the number of calls at once and the start of the next: backs off if a server is overloaded, recovers."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator

# Tokens of one call, assumed until a reply gives them: a question about one picture.
_FIRST_GUESS = 500.0
# Added to the number of calls at once for each call that went well: sixteen calls take back four.
_RECOVERY = 0.25


class Rate:
    """At most `per_minute` of something, evenly spread rather than in bursts."""

    def __init__(self, per_minute: float) -> None:
        self.seconds_each = 60.0 / per_minute
        self._free_at = 0.0

    def reserve(self, amount: float) -> float:
        """Take `amount` and say how many seconds to wait before using it."""
        now = time.monotonic()
        start = max(now, self._free_at)
        self._free_at = start + amount * self.seconds_each
        return start - now

    def correct(self, amount: float) -> None:
        """Add to (or give back) what was reserved, once the true amount is known."""
        self._free_at += amount * self.seconds_each


class Call:
    """One call under way: its start, and the number of its tokens if its replies give it."""

    def __init__(self) -> None:
        self.began = time.monotonic()
        self.tokens: int | None = None


class Pace:
    """The barrier that every call to a judge passes. Starts with `most` calls at once.

    An overload (429, a timeout) halves the number of calls at once, once for all the calls that were under way
    together; each call that goes well wins a part back. A pause that the server asks for holds for all calls.
    """

    def __init__(self, most: int, per_minute: float | None = None, tokens_per_minute: float | None = None) -> None:
        self.most = most
        self.limit = float(most)
        self._places = asyncio.Semaphore(most)
        self._cut = 0  # places that an overload took away and that are still in use, or free
        self._requests = Rate(per_minute) if per_minute else None
        self._tokens = Rate(tokens_per_minute) if tokens_per_minute else None
        self._tokens_a_call = _FIRST_GUESS
        self._calls_told = 0
        self._not_before = 0.0
        self._cut_at = 0.0
        self._hurried = asyncio.Event()

    @contextlib.asynccontextmanager
    async def call(self) -> AsyncIterator[Call]:
        """Wait for a place and for the rate limits; hold the place for the length of one call."""
        await self._places.acquire()
        while self._cut:  # this place was taken away
            self._cut -= 1
            await self._places.acquire()
        try:
            guess = await self._turn()
            call = Call()
            try:
                yield call
            finally:
                if call.tokens is not None:
                    self._told_tokens(call.tokens, guess)
        finally:
            self._places.release()

    async def _turn(self) -> float:
        """Wait for pauses and rates; the number of tokens that was set aside."""
        while True:
            while self.paused and not self.hurried:
                await self.sleep(self.paused)
            wait = self._requests.reserve(1) if self._requests is not None else 0.0
            guess = self._tokens_a_call
            if self._tokens is not None:
                wait = max(wait, self._tokens.reserve(guess))
            await self.sleep(wait)
            if not self.paused or self.hurried:  # or the server has asked for a pause in the meantime
                return guess

    def went_well(self) -> None:
        """Note that a call got its reply."""
        self._limit_to(min(float(self.most), self.limit + _RECOVERY))

    def overloaded(self, call: Call) -> None:
        """Note that a call came back with an overload."""
        if call.began >= self._cut_at:
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

    def _told_tokens(self, tokens: int, guess: float) -> None:
        self._calls_told += 1
        self._tokens_a_call += (tokens - self._tokens_a_call) / self._calls_told
        if self._tokens is not None:
            self._tokens.correct(tokens - guess)
