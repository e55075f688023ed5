"""Limits of a run: how fast a judge is asked (`Pace`), what calls and money are left (`Budget`), and forecasts of both.

Every call to a judge passes a `Pace`, which limits the calls at once and the calls a minute. A server that is
overloaded is asked less at once, and more again as it recovers. Before a call, an `Asker` takes room in a `Budget`,
which counts calls and cost; so a run stops before a limit is passed, and not after. `forecast` tells the tokens, cost
and time of questions that are still to be asked, by the sums (`Figures`) over replies that are there.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Sequence
from typing import Any

import msgspec

from counterbench.answers.parsing import DECLINED, FILTERED
from counterbench.judges.base import Reply
from counterbench.runs.folder import Figures

# Added to the number of calls at once for each call that went well: sixteen calls take back four.
_RECOVERY = 0.25
# Reasons why the cost of a reply is not known.
UNPRICED = "no cost came with a reply, and no price is known"
UNCOUNTED = "no cost came with a reply, and no number of its tokens"


class Pace:
    """The barrier that every call to a judge passes. It starts with `max_at_once` calls at once.

    An overload (status 429, a timeout) halves the number of calls at once; several overloads of calls that were under
    way together count as one. Each call that goes well wins a part back. A pause that the server asks for holds for all
    calls. `limit`: the number of calls at once now; it may be a fraction, which is rounded down.
    """

    def __init__(self, max_at_once: int, per_minute: float | None = None) -> None:
        """Begin with `max_at_once` calls at once, 1 or more; `per_minute`: the most calls a minute, if limited."""
        self.max_at_once = max_at_once
        self.limit = float(max_at_once)
        self._places = asyncio.Semaphore(max_at_once)
        self._places_to_remove = 0  # after an overload: each of the next calls to get a place gives it up
        self._seconds_each = 60.0 / per_minute if per_minute else 0.0  # between the starts of two calls
        # Monotonic seconds: the next free turn, the end of the server's pause, the last overload that cut the limit.
        self._free_at = 0.0
        self._not_before = 0.0
        self._cut_at = 0.0
        self._hurried = asyncio.Event()  # set once nothing more will be asked

    @contextlib.asynccontextmanager
    async def call(self) -> AsyncIterator[float]:
        """Wait for a place and the rate limit, and hold the place for one call; gives its start (monotonic seconds)."""
        await self._places.acquire()
        while self._places_to_remove:  # this place is one of them
            self._places_to_remove -= 1
            await self._places.acquire()
        try:
            await self._wait_for_turn()
            yield time.monotonic()
        finally:
            self._places.release()

    async def _wait_for_turn(self) -> None:
        """Wait until no pause is left, and for the turn that the rate gives."""
        while True:
            while self.paused and not self.hurried:
                await self.sleep(self.paused)
            await self.sleep(self.reserve())
            if not self.paused or self.hurried:  # or the server has asked for a pause in the meantime
                return

    def reserve(self) -> float:
        """Take the next turn and return the seconds to wait for it; turns are spread evenly by the calls a minute."""
        now = time.monotonic()
        start = max(now, self._free_at)
        self._free_at = start + self._seconds_each
        return start - now

    def went_well(self) -> None:
        """Note that a call got its reply."""
        self._set_limit(min(float(self.max_at_once), self.limit + _RECOVERY))

    def overloaded(self, began: float) -> None:
        """Note that a call that began at `began` (monotonic seconds) came back with an overload.

        A call from before the last cut changes nothing: it was under way together with the one that led to the cut.
        """
        if began >= self._cut_at:
            self._set_limit(max(1.0, self.limit / 2))
            self._cut_at = time.monotonic()

    def _set_limit(self, limit: float) -> None:
        """Change the number of calls at once; a place that is in use is removed once its call is over."""
        self._places_to_remove += int(self.limit) - int(limit)
        self.limit = limit
        while self._places_to_remove < 0:
            self._places_to_remove += 1
            self._places.release()

    def pause(self, seconds: float) -> None:
        """Begin no call for so many seconds, as the server asks."""
        self._not_before = max(self._not_before, time.monotonic() + seconds)

    @property
    def paused(self) -> float:
        """Seconds for which no call may begin because the server asked for a pause."""
        return max(0.0, self._not_before - time.monotonic())

    async def sleep(self, seconds: float) -> None:
        """Sleep so many seconds, or until `hurry` ends all waits."""
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


class Budget:
    """The calls and the cost (US dollars) that one call of `probe` may spend, and has spent; None is no limit.

    For each call under way, the cost of the dearest call so far is set aside. So the limit is passed only if a call
    costs more than any before it; and the first call, whose cost nobody knows, is made alone.
    """

    def __init__(self, max_calls: int | None = None, max_cost: float | None = None) -> None:
        self.max_calls, self.max_cost = max_calls, max_cost
        self.calls = 0
        self.cost = 0.0
        self.under_way = 0
        self._dearest: float | None = None
        self._unpriced = ""  # the reason why the cost of a reply is not known

    def forget_prices(self) -> None:
        """Forget the cost of a call: another judge is asked next, and its first call is made alone again."""
        self._dearest = None

    def room(self, wanted: int) -> int:
        """The number of calls that may begin now, at most `wanted`.

        With a limit on money, only one call may be under way before any cost is known, and none may begin once a reply
        came without a cost.
        """
        if self.max_calls is not None:
            wanted = min(wanted, self.max_calls - self.calls)
        if self.max_cost is not None and wanted > 0:
            if self._unpriced:
                return 0
            if self._dearest is None:
                return 0 if self.under_way else 1
            if self._dearest > 0:
                free_cost = self.max_cost - self.cost - self.under_way * self._dearest
                wanted = int(min(wanted, free_cost / self._dearest + 1e-9))
        return max(0, wanted)

    def begin(self, calls: int) -> None:
        """Count `calls` as started and in flight."""
        self.calls += calls
        self.under_way += calls

    @property
    def _no_calls(self) -> bool:
        """True if the limit of calls is reached."""
        return self.max_calls is not None and self.calls >= self.max_calls

    @property
    def spent(self) -> bool:
        """True if no call or no money is left."""
        return self._no_calls or (self.max_cost is not None and self.cost >= self.max_cost)

    @property
    def may_grow(self) -> bool:
        """True if there may be room later: money that is set aside for calls under way may come back."""
        return self.under_way > 0 and not self._no_calls and not self._unpriced

    def end(self, calls: int, replies: Sequence[Reply], sent: bool = True) -> None:
        """Count `calls` as over and add up what `replies` cost; no replies if they were cancelled or not `sent`."""
        self.under_way -= calls
        if not sent:
            self.calls -= calls
        for reply in replies:
            if reply.cost is not None:
                self.cost += reply.cost
                if reply.cost or reply.finish not in (FILTERED, DECLINED):  # a declined question has no price
                    self._dearest = max(self._dearest or 0.0, reply.cost)
            elif reply.failure is None:
                has_tokens = reply.tokens_in is not None and reply.tokens_out is not None
                self._unpriced = UNPRICED if has_tokens else UNCOUNTED

    @property
    def again(self) -> str:
        """Advice to the user on how a command that was stopped by the budget goes on."""
        if self._no_calls:
            return f"run the same command again: it resumes, with up to {self.max_calls} more calls"
        if self._unpriced:
            option = "with --price" if self._unpriced == UNPRICED else "without --max-cost (--max-calls limits it too)"
            return f"run the same command again {option} to resume"
        return f"run the same command again: it resumes, with up to {round(self.max_cost or 0, 8)} USD more"

    def why(self) -> str:
        """The reason why there is no room for a call, in words."""
        if self._no_calls:
            return f"the limit of {self.max_calls} calls is reached"
        if self._unpriced:
            return f"the limit on money cannot be kept: {self._unpriced}"
        may_cost = "an unknown amount" if self._dearest is None else _decimal_text(self._dearest)
        spent = f"{_decimal_text(self.cost)} spent, the next call may cost {may_cost}"
        return f"the limit of {round(self.max_cost or 0, 8)} USD is reached: {spent}"


def _decimal_text(amount: float) -> str:
    """An amount in plain decimals, with at most 8 after the point."""
    return f"{amount:.8f}".rstrip("0").rstrip(".")


# The fewest replies on which callers let a forecast rest.
ENOUGH = 8


class Forecast(msgspec.Struct, frozen=True, kw_only=True):
    """The expected tokens, cost and time of some questions; None if unknown."""

    calls: int  # number of questions
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: float | None = None  # US dollars
    seconds: float | None = None

    def __add__(self, other: "Forecast") -> "Forecast":
        """The forecast of both together; a number that is unknown of one is unknown of both."""

        def sum_of(name: str) -> Any:
            """The sum of a field; None if one of the two does not know it."""
            own, others = getattr(self, name), getattr(other, name)
            return None if own is None or others is None else own + others

        return Forecast(**{name: sum_of(name) for name in self.__struct_fields__})


NOTHING = Forecast(calls=0, cost=0.0, seconds=0.0)


def forecast(calls: int, figures: Figures, at_once: float = 1, spacing: float = 0.0) -> Forecast:
    """Forecast `calls` questions, each like the average of those in `figures`, retries included.

    `at_once`: the number of questions under way at the same time; by Little's law a question then takes the seconds of
    a call ÷ `at_once`. `spacing`: the least seconds between two replies, for any number of questions at once.
    """
    if not figures.replies:
        return Forecast(calls=calls)
    share = calls / figures.replies
    return Forecast(
        calls=calls,
        tokens_in=None if figures.tokens_in is None else round(figures.tokens_in * share),
        tokens_out=None if figures.tokens_out is None else round(figures.tokens_out * share),
        cost=None if figures.cost is None else figures.cost * calls / (figures.priced or figures.replies),
        seconds=calls * max(figures.seconds / figures.replies / at_once, spacing),
    )
