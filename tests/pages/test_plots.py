"""The plot of a ranking as data, and the mistakes of a judge."""

from pathlib import Path

import pytest

from counterbench.pages.frame import dot_plot
from counterbench.pages.gather import gather
from counterbench.pages.page import mistakes
from counterbench.stats.intervals import Estimate


@pytest.mark.parametrize(("high", "end"), [(0.3, "1"), (0.9, "1"), (1.4, "2")])
def test_the_axis_holds_every_interval(high: float, end: str) -> None:
    numbers = [
        ("a", Estimate(high / 2, 0.0, high)),
        ("b", Estimate(0.2, None, None)),
        ("c", Estimate(None, None, None)),
    ]
    plot = dot_plot("t", numbers)
    assert plot.ticks[-1] == (100, end)
    assert [dot.name for dot in plot.dots] == ["a", "b"]  # an undefined number has no dot
    for dot in plot.dots:
        assert 0 <= dot.low <= dot.value <= dot.high <= 100
    assert plot.dots[0].high == pytest.approx(2 * plot.dots[0].value, abs=0.02)
    assert plot.dots[1].low == plot.dots[1].value == plot.dots[1].high


def test_mistakes_are_what_was_said_in_place_of_the_truth(runs: list[Path]) -> None:
    by_judge = {run.label: run for run in gather(runs).runs}
    assert mistakes(by_judge["planted:oracle"]) == []
    found = mistakes(by_judge["planted:off-by-one"])
    measured = by_judge["planted:off-by-one"].diagnosis.measures.counts
    assert sum(times for *_, times, _ in found) == sum(
        times for truth, said in measured.items() for answer, times in said.items() if answer != truth
    )
    assert all(measured[truth][answer] == times <= of for truth, answer, times, of in found)
    assert [times for *_, times, _ in found] == sorted((times for *_, times, _ in found), reverse=True)
