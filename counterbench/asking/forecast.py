"""What asking will take: calls, tokens, money and time, from the figures of what was asked so far. Pure functions."""

from __future__ import annotations

import msgspec

from counterbench.runs.figures import Figures
from counterbench.runs.journal import Record

# From so many replies on a forecast is worth its name.
ENOUGH = 8


class Forecast(msgspec.Struct, frozen=True, kw_only=True):
    """What `calls` questions are expected to take: tokens, US dollars, seconds; None where nothing is known of it."""

    calls: int
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: float | None = None
    seconds: float | None = None


def forecast(calls: int, seen: Figures, at_once: float = 1, spacing: float = 0.0) -> Forecast:
    """What `calls` questions will take if each takes what those that were `seen` did, retries included.

    `at_once`: how many are asked at the same time (Little's law: seconds for each = seconds of a call ÷ calls at
    once). `spacing`: at least so many seconds lie between two replies, however many are asked at once.
    """
    if not seen.replies:
        return Forecast(calls=calls)
    share = calls / seen.replies
    return Forecast(
        calls=calls,
        tokens_in=None if seen.tokens_in is None else round(seen.tokens_in * share),
        tokens_out=None if seen.tokens_out is None else round(seen.tokens_out * share),
        cost=None if seen.cost is None else seen.cost * calls / (seen.priced or seen.replies),
        seconds=calls * max(seen.seconds / seen.replies / at_once, spacing),
    )


class Outlook:
    """The forecast of what one command asks of one judge: there as soon as enough is known of earlier replies.

    `calls`: how many questions it will ask. `seen`: what the run took before. `at_once`: most questions under way.
    `rpm`, `tpm`: the most requests and tokens a minute that it may ask for.
    """

    def __init__(
        self, calls: int, seen: Figures, at_once: int, rpm: float | None = None, tpm: float | None = None
    ) -> None:
        self._calls, self._at_once, self._rpm, self._tpm = calls, at_once, rpm, tpm
        self._seen = msgspec.structs.replace(seen, outcomes=dict(seen.outcomes))
        self._replied: list[float] = []

    def saw(self, record: Record, at: float) -> None:
        """Count an attempt whose reply came `at` that second of a clock."""
        self._seen.add(record)
        if record.final:
            self._replied.append(at)

    def forecast(self) -> Forecast | None:
        """What all of the calls take; None while too little is known, and of a few."""
        if self._calls < ENOUGH or self._seen.replies < ENOUGH:
            return None
        return forecast(self._calls, self._seen, self._at_once, self._spacing())

    def _spacing(self) -> float:
        """Seconds between two replies at least.

        Before the first wave of calls is over, the calls of a server that works them off one by one look quick: what
        lies between their replies tells. The first reply is left out, since its call may have been made alone.
        """
        tokens = ((self._seen.tokens_in or 0) + (self._seen.tokens_out or 0)) / self._seen.replies
        came = self._replied[1:]
        between = (came[-1] - came[0]) / (len(came) - 1) if len(came) > 1 else 0.0
        return max(between, 60 / self._rpm if self._rpm else 0.0, 60 * tokens / self._tpm if self._tpm else 0.0)
