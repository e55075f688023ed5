"""Control pairs, whose truth stays: is the answer the same, and is it right? A constant judge is perfectly stable."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbench.reporting.figures import INK, MUTED, PAPER, Plot, legend_above, named_rows, panels
from counterbench.reporting.gather import JudgeRun, ReportData
from counterbench.reporting.labels import shortened
from counterbench.reporting.plots.dots import draw_dots
from counterbench.reporting.words import interval, listed, percent
from counterbench.scoring.scores import Share

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CONTROL = "control"


def stability(data: ReportData) -> list[Plot]:
    """Stability and accuracy on the control pairs, a row a judge; nothing for a suite without them."""
    runs = [run for run in data.runs if run.document.overall.stability.of]
    if not runs:
        return []
    rows = []
    for run in runs:
        stable, right = run.document.overall.stability, _accuracy(run)
        rows.append((run.label, percent(stable.value), interval(stable), percent(right.value), interval(right)))
    names = listed([run.label for run in runs])
    least = min(runs, key=lambda run: run.document.overall.stability.value or 0)
    return [
        Plot(
            name="stability",
            section="scores",
            title="Control stability",
            caption="Pairs whose change must not matter. Filled: the same answer to both pictures. Hollow: right on "
            "both. With 95 % Wilson intervals; a judge that is stable and not right repeats a mistake.",
            alt=f"Stability and accuracy on control pairs for {names}. The lowest stability is "
            f"{percent(least.document.overall.stability.value)} %, of {least.label}.",
            columns=("judge", "stability in %", "95 % interval", "right on both in %", "95 % interval"),
            rows=rows,
            draw=lambda: _draw(runs, [data.runs.index(run) for run in runs]),
        )
    ]


def _accuracy(run: JudgeRun) -> Share:
    found = run.document.categories.get(CONTROL)
    return found.ccs if found is not None else Share(None, None, None, 0, 0)


def _draw(runs: list[JudgeRun], numbers: list[int]) -> Figure:
    figure, (axes,) = panels(1, 0.4 + 0.6 * len(runs))
    for row, (run, n) in enumerate(zip(runs, numbers, strict=True)):
        draw_dots(axes, [row], [run.document.overall.stability], n, upright=False)
        draw_dots(axes, [row + 0.27], [_accuracy(run)], n, upright=False, hollow=True)
    named_rows(axes, [shortened(run.label) for run in runs], above=True)
    legend_above(figure, _legend(), ["same answer twice", "right on both"])
    return figure


def _legend() -> list[object]:
    from matplotlib.lines import Line2D

    return [
        Line2D([], [], color=MUTED, marker="o", markerfacecolor=fill, markeredgecolor=INK, linestyle="none")
        for fill in (INK, PAPER)
    ]
