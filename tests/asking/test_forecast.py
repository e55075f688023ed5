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


@pytest.mark.parametrize(
    ("failures", "options", "cost", "seconds"),
    [(0, {"at_once": 4}, 1, 25), (5, {}, 1.5, 150), (0, {"at_once": 32, "spacing": 1.0}, 1, 100)],
    ids=["many at once", "with retries", "at a requested rate"],
)
def test_a_forecast_extrapolates_from_the_calls_so_far(
    failures: int, options: dict[str, float], cost: float, seconds: float
) -> None:
    expected = forecast(100, figures_of(10, failures), **options)
    assert (expected.calls, expected.tokens_in) == (100, 1000 * (10 + failures))
    assert expected.tokens_out == 20 * (10 + failures)
    assert (expected.cost, expected.seconds) == (pytest.approx(cost), pytest.approx(seconds))


def test_a_run_is_forecast_once_eight_replies_are_known(out: Path) -> None:
    seen_at: list[tuple[int, Forecast | None]] = []
    questions = PairQuestions(SuiteSource(load_suite("smoke")))
    judge = open_judge("planted:oracle", questions.keys)
    Asking(questions, judge, out).run(lambda p: seen_at.append((p.done, p.expected)))
    assert [(done, expected) for done, expected in seen_at if (done >= ENOUGH) != (expected is not None)] == []
    assert {expected.calls for _, expected in seen_at if expected is not None} == {36}
