"""How many calls run at once and when the next may begin: backs off where a server is overloaded, and recovers."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import AsyncIterator

# What one call is taken to cost in tokens before any call has said: a question about one picture.
_FIRST_GUESS = 500.0
# What a call that went well adds to the number of calls at once: sixteen calls take back four.
_RECOVERY = 0.25
# The longest sleep, in seconds, without looking whether to go on.
_NAP = 0.5


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


class Pace:
    """The gate that every call to a judge passes. Starts with `most` calls at once.

    An overload (429, a timeout) halves the number of calls at once, once for all the calls that were under way
    together; each call that goes well wins a part back. A pause that the server asks for holds for all calls.
    """

    def __init__(self, most: int, per_minute: float | None = None, tokens_per_minute: float | None = None) -> None:
        self.most = most
        self.limit = float(most)
        self.running = 0
        self._requests = Rate(per_minute) if per_minute else None
        self._tokens = Rate(tokens_per_minute) if tokens_per_minute else None
        self._tokens_a_call = _FIRST_GUESS
        self._calls_told = 0
        self._not_before = 0.0
        self._cut_at = 0.0
        self._hurried = False
        self._queue: deque[asyncio.Future[None]] = deque()

    @contextlib.asynccontextmanager
    async def call(self) -> AsyncIterator[Call]:
        """Wait for a place and for the rate limits; hold the place for the length of one call."""
        await self._place()
        try:
            guess = await self._turn()
            call = Call(self, time.monotonic())
            try:
                yield call
            finally:
                if call.tokens is not None:
                    self._told_tokens(call.tokens, guess)
        finally:
            self.running -= 1
            self._fill()

    async def _turn(self) -> float:
        """Wait for pauses and rates; the number of tokens that was set aside."""
        while True:
            while self.paused and not self._hurried:
                await self.sleep(self.paused)
            wait = self._requests.reserve(1) if self._requests is not None else 0.0
            guess = self._tokens_a_call
            if self._tokens is not None:
                wait = max(wait, self._tokens.reserve(guess))
            await self.sleep(wait)
            if not self.paused or self._hurried:  # else the server asked for a pause in the meantime
                return guess

    @property
    def paused(self) -> float:
        """For how many seconds no call may begin because the server asked for it."""
        return max(0.0, self._not_before - time.monotonic())

    async def sleep(self, seconds: float) -> None:
        """Sleep, but not on once `hurry` was called."""
        end = time.monotonic() + seconds
        while not self._hurried and (left := end - time.monotonic()) > 0:
            await asyncio.sleep(min(left, _NAP))

    def hurry(self) -> None:
        """Nothing more will be asked: whoever waits here may go on and see for itself."""
        self._hurried = True

    async def _place(self) -> None:
        """Wait in the queue for a place; whoever leaves one hands it to the first in the queue."""
        if self.running < self._places and not self._queue:
            self.running += 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # the place was handed over already: hand it on
                self.running -= 1
                self._fill()
            raise

    @property
    def _places(self) -> int:
        return max(1, int(self.limit))

    def _fill(self) -> None:
        """Hand free places to those who wait, in order."""
        while self._queue and self.running < self._places:
            turn = self._queue.popleft()
            if not turn.done():
                turn.set_result(None)
                self.running += 1

    def _went_well(self) -> None:
        if self.limit < self.most:
            self.limit = min(float(self.most), self.limit + _RECOVERY)
            self._fill()

    def _overloaded(self, began: float) -> None:
        if began >= self._cut_at:
            self.limit = max(1.0, self.limit / 2)
            self._cut_at = time.monotonic()

    def _pause(self, seconds: float) -> None:
        self._not_before = max(self._not_before, time.monotonic() + seconds)

    def _told_tokens(self, tokens: int, guess: float) -> None:
        self._calls_told += 1
        self._tokens_a_call += (tokens - self._tokens_a_call) / self._calls_told
        if self._tokens is not None:
            self._tokens.correct(tokens - guess)


class Call:
    """One call under way, and what it learnt."""

    def __init__(self, pace: Pace, began: float) -> None:
        self._pace, self._began = pace, began
        self.tokens: int | None = None

    def went_well(self, tokens: int | None = None) -> None:
        """A reply came; it used so many tokens, if the judge knows."""
        self._pace._went_well()
        if tokens is not None:
            self.tokens = (self.tokens or 0) + tokens

    def overloaded(self) -> None:
        """The server has too much to do."""
        self._pace._overloaded(self._began)

    def pause(self, seconds: float) -> None:
        """The server wants to be left alone for so long."""
        self._pace._pause(seconds)
