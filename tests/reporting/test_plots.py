"""Plots and matrices as data: the scores themselves, places within their axis, and what was said."""

from pathlib import Path

import pytest

from counterbench.reporting.frame import Plot, Series, dot_plot
from counterbench.reporting.gather import ReportData, gather
from counterbench.reporting.plots import all_plots, matrices, without_errors
from counterbench.scoring.scores import share
from counterbench.stats.intervals import Estimate


@pytest.fixture(scope="module")
def data(runs: list[Path]) -> ReportData:
    return gather(runs)


@pytest.fixture(scope="module")
def plots(data: ReportData) -> dict[str, Plot]:
    return {plot.name: plot for plot in all_plots(data)}


def test_each_has_words_and_a_table_with_the_scores(data: ReportData, plots: dict[str, Plot]) -> None:
    assert {"ccs", "gap", "stability", "difficulty-counting"} <= set(plots)
    for plot in plots.values():
        assert plot.alt
        assert plot.caption
        assert plot.rows
        assert all(len(row) == len(plot.columns) for row in plot.rows)
        assert sum(len(dots) for _, dots in plot.lines) == len(plot.rows)
    row = next(row for row in plots["gap"].rows if row[:2] == ("overall", "planted:sticky"))
    gap = data.runs[1].document.overall.gap
    assert gap.value is not None
    assert (row[2], row[4]) == (f"{100 * gap.value:.1f}", f"{gap.hits} of {gap.of}")


@pytest.mark.parametrize(
    ("high", "how", "end"),
    [
        (0.3, {}, "100%"),
        (0.3, {"to_one": False}, "50%"),
        (0.0, {"to_one": False}, "25%"),
        (0.9, {"to_one": False}, "100%"),
        (0.9, {"in_percent": False}, "1"),
        (1.4, {"in_percent": False}, "1.5"),
    ],
)
def test_the_axis_holds_every_interval(high: float, how: dict[str, bool], end: str) -> None:
    shares = [Estimate(high / 2, 0.0, high), None, Estimate(None, None, None)]
    rows = {name: (name,) for name in "abc"}
    (plot,) = dot_plot("p", "s", "t", "c", rows, [Series("x", shares)], ("of",), lambda n: (), **how)
    assert plot.ticks[-1] == (100, end)
    ((dot,), *others) = [dots for _, dots in plot.lines]
    assert others == [[], []]  # neither a missing nor an undefined number has a dot
    assert 0 <= dot.low <= dot.value <= dot.high <= 100
    assert dot.high == pytest.approx(2 * dot.value, abs=0.02)
    assert dot_plot("p", "s", "t", "c", rows, [Series("x", [None] * 3)], ("of",)) == []


def test_marks_repeat_after_the_last_and_dots_of_a_row_stand_apart() -> None:
    many = [Series(str(n), [share(n, 10)]) for n in range(10)]
    (plot,) = dot_plot("p", "s", "t", "c", {"a": ("a",)}, many, ("of",))
    ((_, dots),) = plot.lines
    assert [mark for mark, _, _ in plot.legend] == [dot.mark for dot in dots]
    assert (dots[0].mark, dots[7].mark, dots[8].mark) == ("series-1", "series-8", "series-1")
    assert len({dot.y for dot in dots}) == 10
    assert max(dot.y for dot in dots) < plot.height


def test_matrices_hold_what_was_said(data: ReportData) -> None:
    found = {matrix.title: matrix for matrix in matrices(data)}
    assert not any("planted:oracle" in title for title in found)  # it mistakes nothing
    assert without_errors(data, "counts") == ["planted:oracle", "planted:arrow-blind"]
    counts = found["Counts said by planted:off-by-one"]
    cells = {
        (truth, said): cell
        for truth, row in counts.rows.items()
        for said, cell in zip(counts.answers, row, strict=True)
        if cell[0]
    }
    measured = data.runs[2].diagnosis.measures.counts
    assert {of: n for of, (n, _) in cells.items()} == {
        (truth, said): n for truth, row in measured.items() for said, n in row.items()
    }
    assert all(name.startswith("hit" if truth == said else "miss") for (truth, said), (_, name) in cells.items())
    for run, row in zip(data.runs, found["Shapes named for arrows"].rows.values(), strict=True):
        assert [count for count, _ in row] == list(run.diagnosis.measures.arrows.values())
