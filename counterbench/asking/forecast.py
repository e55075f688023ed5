"""Forecasts of a run's calls, tokens, money and time, from its figures so far. Pure functions."""

import msgspec

from counterbench.runs.journal import Figures, Record

# Fewest replies from which a forecast is made.
ENOUGH = 8


class Forecast(msgspec.Struct, frozen=True, kw_only=True):
    """The expected tokens, cost and time of some questions; None if unknown."""

    calls: int  # number of questions
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: float | None = None  # US dollars
    seconds: float | None = None


def forecast(calls: int, seen: Figures, at_once: float = 1, spacing: float = 0.0) -> Forecast:
    """Forecast `calls` questions, each like the average of those in `seen`, retries included.

    `at_once`: number of questions under way at the same time (Little's law: seconds for each = seconds of a call ÷
    calls at once). `spacing`: least seconds between two replies, for any number of questions at once.
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
    """The forecast for one command and one judge, available once enough replies are known.

    `calls`: number of questions in the command. `seen`: sums of the run before. `at_once`: most questions under way.
    `rpm`: most requests a minute.
    """

    def __init__(self, calls: int, seen: Figures, at_once: int, rpm: float | None = None) -> None:
        self._calls, self._at_once, self._rpm = calls, at_once, rpm
        self._seen = msgspec.structs.replace(seen, outcomes=dict(seen.outcomes))
        self._replied: list[float] = []

    def saw(self, record: Record, at: float) -> None:
        """Count an attempt whose reply came `at` that second of a clock."""
        self._seen.add(record)
        if record.final:
            self._replied.append(at)

    def forecast(self) -> Forecast | None:
        """Forecast all of the calls; None while too few replies are known, or if the calls are few."""
        if self._calls < ENOUGH or self._seen.replies < ENOUGH:
            return None
        return forecast(self._calls, self._seen, self._at_once, self._spacing())

    def _spacing(self) -> float:
        """Seconds between two replies at least."""
        # A server that works calls off one by one looks quick until the first wave of calls is over; the time between
        # two replies shows it. The first reply is left out, since its call may have been made alone.
        came = self._replied[1:]
        between = (came[-1] - came[0]) / (len(came) - 1) if len(came) > 1 else 0.0
        return max(between, 60 / self._rpm if self._rpm else 0.0)
