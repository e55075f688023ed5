"""What asking will take: from the figures so far, for servers of every kind, and no sooner than it can be said."""

import pytest

from counterbench.answers import PARSER_VERSION
from counterbench.answers.outcomes import Failed
from counterbench.asking.limits import ENOUGH, Outlook, forecast
from counterbench.runs.folder import Figures, Record


def record(seconds: float = 1.0, failed: bool = False, cost: float | None = 0.01) -> Record:
    return Record(
        id="q",
        identity="i",
        asked="a",
        reply=None if failed else "yes",
        failure=Failed("http-500") if failed else None,
        outcome="failed" if failed else "answer",
        parser=PARSER_VERSION,
        time="2026-01-01T00:00:00.000+00:00",
        seconds=seconds,
        tokens_in=100,
        tokens_out=2,
        cost=cost,
    )


def seen(replies: int, seconds: float = 1.0) -> Figures:
    found = Figures()
    for _ in range(replies):
        found.add(record(seconds))
    return found


def test_what_questions_take_is_what_those_before_took() -> None:
    expected = forecast(1000, seen(10), at_once=4)
    assert (expected.calls, expected.tokens_in, expected.tokens_out) == (1000, 100_000, 2000)
    assert expected.cost == pytest.approx(10)
    assert expected.seconds == pytest.approx(250)


def test_retries_are_counted_in() -> None:
    figures = seen(10)
    for _ in range(5):
        figures.add(record(failed=True))
    expected = forecast(100, figures)
    assert expected.seconds == pytest.approx(150)
    assert expected.cost == pytest.approx(1.5)


def test_a_forecast_comes_with_the_eighth_reply_or_at_once() -> None:
    fresh = Outlook(100, Figures(), 1)
    for i in range(ENOUGH - 1):
        fresh.saw(record(), float(i))
        assert fresh.forecast() is None
    fresh.saw(record(failed=True), 7.0)
    assert fresh.forecast() is None
    fresh.saw(record(), 8.0)
    assert fresh.forecast() is not None
    resumed = Outlook(100, seen(ENOUGH), 4).forecast()
    assert resumed is not None
    assert resumed.seconds == pytest.approx(25)
    assert Outlook(0, seen(99), 4).forecast() is None, "nothing is left to ask"


def seconds(outlook: Outlook) -> float:
    expected = outlook.forecast()
    assert expected is not None
    assert expected.seconds is not None
    return expected.seconds


@pytest.mark.parametrize("first_alone", [False, True])
def test_many_calls_at_once(first_alone: bool) -> None:
    """Thirty-two calls of a second each come back together, after one that was made alone if money is limited."""
    outlook = Outlook(320, Figures(), 32)
    for i in range(8):
        outlook.saw(record(1.0), 1.0 if i == 0 else 1.0 + first_alone + i / 1000)
    assert seconds(outlook) == pytest.approx(10, rel=0.05)


def test_calls_that_wait_for_each_other() -> None:
    """Thirty-two are under way, and the server works them off one by one, a second each."""
    outlook = Outlook(320, Figures(), 32)
    for i in range(8):
        outlook.saw(record(1.0 + i), 1.0 + i)
    assert seconds(outlook) == pytest.approx(320)


def test_rates_that_were_asked_for_are_kept() -> None:
    assert seconds(Outlook(100, seen(8), 32, rpm=60)) == pytest.approx(100)
