"""Plots: each has words and a table beside it, and as SVG needs nothing from outside and no inline style."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from planted_runs import edit_info, write_run

from counterbench.reporting.figures import INK, MARKERS, SERIES, WIDTH, Plot, style
from counterbench.reporting.gather import ReportData, gather
from counterbench.reporting.matrices import matrices, without_errors
from counterbench.reporting.plots import all_plots
from counterbench.reporting.plots.dots import Series, draw_rows
from counterbench.reporting.svg import inline_svg
from counterbench.runs.names import MOST
from counterbench.stats.intervals import Estimate

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def data(runs: list[Path]) -> ReportData:
    return gather(runs)


@pytest.fixture(scope="module")
def plots(data: ReportData) -> dict[str, Plot]:
    return {plot.name: plot for plot in all_plots(data)}


def test_every_kind_of_plot_is_there(plots: dict[str, Plot]) -> None:
    assert {"ccs", "gap", "stability", "difficulty-counting"} <= set(plots)


def test_each_says_in_words_and_in_a_table_what_it_shows(plots: dict[str, Plot]) -> None:
    for plot in plots.values():
        assert plot.alt
        assert plot.caption
        assert plot.rows
        assert all(len(row) == len(plot.columns) for row in plot.rows)


def test_the_tables_hold_the_scores(data: ReportData, plots: dict[str, Plot]) -> None:
    sticky = data.runs[1].document
    row = next(row for row in plots["gap"].rows if row[:2] == ("overall", "planted:sticky"))
    gap = sticky.overall.gap
    assert gap.value is not None
    assert row[2] == f"{100 * gap.value:.1f}"
    assert row[4] == f"{gap.hits} of {gap.of}"
    assert f"{100 * gap.value:.1f} %, of planted:sticky" in plots["gap"].alt


def test_matrices_hold_what_was_said(data: ReportData) -> None:
    found = {matrix.title: matrix for matrix in matrices(data)}
    assert not any("planted:oracle" in title for title in found)  # it mistakes nothing
    counts = found["Counts said by planted:off-by-one"]
    assert {
        (truth, said): cell.count
        for truth, row in counts.rows.items()
        for said, cell in zip(counts.answers, row, strict=True)
        if cell
    } == {(truth, said): n for truth, row in data.runs[2].diagnosis.measures.counts.items() for said, n in row.items()}
    assert all(
        cell.right == (truth == said)
        for truth, row in counts.rows.items()
        for said, cell in zip(counts.answers, row, strict=True)
        if cell
    )
    arrows = found["What is named where an arrow points"]
    for run, row in zip(data.runs, arrows.rows.values(), strict=True):
        assert [cell.count if cell else 0 for cell in row] == list(run.diagnosis.measures.arrows.values())


def test_judges_without_a_mistake_are_named(data: ReportData) -> None:
    assert without_errors(data, "counts") == ["planted:oracle", "planted:arrow-blind"]


def test_inline_svg_needs_nothing_and_takes_the_pages_colours(plots: dict[str, Plot]) -> None:
    every: list[str] = []
    for name in ("ccs", "gap", "stability", "difficulty-counting"):  # one of each kind
        plot = plots[name]
        text = inline_svg(plot)
        root = ElementTree.fromstring(text)
        assert root.get("role") == "img"
        assert root.get("aria-label") == plot.alt
        assert "style=" not in text
        assert "<style" not in text
        assert not re.findall(r"(?:href|src)=\"(?!#)", text)
        assert INK not in text
        assert not any(colour in text for colour in SERIES)
        assert "var(--ink)" in text
        ids = [id for element in root.iter() if (id := element.get("id"))]
        used = set(re.findall(r"href=\"#([^\"]+)\"", text)) | set(re.findall(r"url\(#([^)]+)\)", text))
        assert used == set(ids) - {f"plot-{name}"}
        every += ids
    assert len(set(every)) == len(every)  # they are on one page


def test_the_same_input_gives_the_same_bytes(runs: list[Path], plots: dict[str, Plot]) -> None:
    again = {plot.name: plot for plot in all_plots(gather(runs))}
    assert inline_svg(again["ccs"]) == inline_svg(plots["ccs"])


def test_nothing_is_cut_and_no_mark_lies_on_what_stands_beside_its_axis(crowd: list[Path]) -> None:
    kinds = {plot.name.partition("-")[0]: plot for plot in reversed(all_plots(gather(crowd)))}
    assert set(kinds) == {"ccs", "gap", "stability", "difficulty"}
    alone = [plot for plot in all_plots(gather(crowd[:1])) if plot.name in ("ccs", "gap", "stability")]
    for plot in [*kinds.values(), *alone]:
        with style():
            figure = plot.draw()
            canvas = FigureCanvasAgg(figure)
            canvas.draw()
            drawn = figure.get_tightbbox(canvas.get_renderer())  # all that is drawn, legends and marks too; in inches
        width, height = figure.get_size_inches()
        assert width <= WIDTH + 0.2  # on a telephone letters are still 10 pixels high
        assert drawn.x0 >= 0, plot.name
        assert drawn.y0 >= 0, plot.name
        assert drawn.x1 <= width, plot.name
        assert drawn.y1 <= height, plot.name
        for axes in figure.axes:
            for line in (line for line in axes.lines if line.get_marker() in MARKERS):
                half = line.get_markersize() / 2 * figure.dpi / 72
                at = axes.transData.transform(line.get_xydata())[:, 0]
                assert min(at) - half >= axes.bbox.x0, plot.name
                assert max(at) + half <= axes.bbox.x1, plot.name


def test_a_name_of_as_many_signs_as_a_name_may_have_is_whole() -> None:
    names = ["commonsense reasoning, two steps"[:MOST], "b"]
    half = Estimate(0.5, 0.4, 0.6)
    with style():
        figure = draw_rows(names, [Series(label="one", number=0, shares=[half, half])])
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
    (axes,) = figure.axes
    assert [text.get_text() for text in axes.texts] == names
    assert axes.bbox.width > 0.8 * figure.bbox.width  # they take no room from the axis


def test_names_that_are_markup_or_mathematics_stay_text(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", "planted:sticky", "smoke")
    name = r"<script>alert(1)</script> $\frac{1 & 日本 "
    edit_info(run, judge=name)
    plots = {plot.name: plot for plot in all_plots(gather([run, write_run(tmp_path / "b", "planted:oracle", "smoke")]))}
    for kind in ("ccs", "stability"):
        text = inline_svg(plots[kind])
        ElementTree.fromstring(text)
        assert "<script" not in text


def test_one_judge_is_enough(tmp_path: Path) -> None:
    plots = {plot.name: plot for plot in all_plots(gather([write_run(tmp_path / "run", "planted:oracle", "smoke")]))}
    assert {"ccs", "gap", "stability"} <= set(plots)
    assert ElementTree.fromstring(inline_svg(plots["gap"])).get("role") == "img"
