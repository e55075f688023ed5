"""What asking will take: from the figures so far, for servers of every kind, and no sooner than it can be said."""

from pathlib import Path

import pytest

from counterbench.answers import PARSER_VERSION
from counterbench.answers.outcomes import Failed
from counterbench.asking.asking import Asking
from counterbench.asking.limits import ENOUGH, Forecast, forecast
from counterbench.judges import open_judge
from counterbench.runs.folder import Figures, Record
from counterbench.runs.pair_queries import PairQuestions
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite


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


def test_rates_that_were_asked_for_are_kept() -> None:
    assert forecast(100, seen(8), 32, spacing=1.0).seconds == pytest.approx(100)


def test_a_run_is_forecast_once_eight_replies_are_known(out: Path) -> None:
    seen_at: list[tuple[int, Forecast | None]] = []
    questions = PairQuestions(SuiteSource(load_suite("smoke")))
    judge = open_judge("planted:oracle", questions.keys)
    Asking(questions, judge, out).run(lambda p: seen_at.append((p.done, p.expected)))
    assert all((done >= ENOUGH) == (expected is not None) for done, expected in seen_at)
    assert {expected.calls for _, expected in seen_at if expected is not None} == {36}
