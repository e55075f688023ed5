"""Forecasts of calls, time and cost from the replies so far, for servers of every kind, once there are enough."""

from pathlib import Path

import pytest
from asking.fakes import record

from counterbench.asking.asking import Asking
from counterbench.asking.limits import ENOUGH, Forecast, forecast
from counterbench.judges import open_judge
from counterbench.runs.folder import Figures
from counterbench.runs.pair_queries import PairQuestions
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite


def figures_of(replies: int, failures: int = 0) -> Figures:
    """Of calls that took a second each."""
    found = Figures()
    for failure in [""] * replies + ["http-500"] * failures:
        found.add(record(failure=failure, seconds=1.0, tokens_in=100, tokens_out=2, cost=0.01))
    return found


def test_a_forecast_extrapolates_from_the_questions_so_far() -> None:
    expected = forecast(1000, figures_of(10), at_once=4)
    assert (expected.calls, expected.tokens_in, expected.tokens_out) == (1000, 100_000, 2000)
    assert expected.cost == pytest.approx(10)
    assert expected.seconds == pytest.approx(250)


def test_a_forecast_includes_retries() -> None:
    expected = forecast(100, figures_of(10, failures=5))
    assert expected.seconds == pytest.approx(150)
    assert expected.cost == pytest.approx(1.5)


def test_a_forecast_keeps_to_requested_rates() -> None:
    assert forecast(100, figures_of(8), 32, spacing=1.0).seconds == pytest.approx(100)


def test_a_run_is_forecast_once_eight_replies_are_known(out: Path) -> None:
    seen_at: list[tuple[int, Forecast | None]] = []
    questions = PairQuestions(SuiteSource(load_suite("smoke")))
    judge = open_judge("planted:oracle", questions.keys)
    Asking(questions, judge, out).run(lambda p: seen_at.append((p.done, p.expected)))
    assert [(done, expected) for done, expected in seen_at if (done >= ENOUGH) != (expected is not None)] == []
    assert {expected.calls for _, expected in seen_at if expected is not None} == {36}
