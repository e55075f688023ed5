"""What is named where an arrow points: the right shape, or the one that a known fault would name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbench.reporting.figures import INK, NEUTRAL, PAPER, SERIES, WRONG, Plot, legend_above, named_rows, panels
from counterbench.reporting.gather import JudgeRun, ReportData
from counterbench.reporting.labels import shortened
from counterbench.reporting.words import listed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS = {
    "right": "the shape pointed to",
    "nearest-tail": "nearest to the tail",
    "most-central": "most central",
    "largest": "largest",
    "other": "another",
}
# Fill and hatch of each kind: hatches differ, so that colour is not needed.
_FILLS = {
    "right": (NEUTRAL, ""),
    "nearest-tail": (WRONG, "////"),
    "most-central": (SERIES[0], "||||"),
    "largest": (SERIES[4], "xxxx"),
    "other": (PAPER, "\\\\"),
}


def arrows(data: ReportData) -> list[Plot]:
    """Stacked bars, one a judge; nothing for a suite without open arrow questions."""
    runs = [run for run in data.runs if sum(run.diagnosis.measures.arrows.values())]
    if not runs:
        return []
    rows = []
    for run in runs:
        found = run.diagnosis.measures.arrows
        rows.append((run.label, *(str(found.get(kind, 0)) for kind in KINDS)))
    blind = [run.label for run in runs if run.diagnosis.measures.arrows.get("nearest-tail", 0) > _wrong(run) / 2 > 0]
    told = f" Most mistakes of {listed(blind)} name the shape nearest to the arrow's tail." if blind else ""
    names = listed([run.label for run in runs])
    return [
        Plot(
            name="arrows",
            section="confusion",
            title="What is named where an arrow points",
            caption="Open arrow questions that got an answer, by the shape that was named.",
            alt=f"Shapes named in arrow questions, as stacked bars, for {names}.{told}",
            columns=("judge", *KINDS.values()),
            rows=rows,
            draw=lambda: _draw(runs),
        )
    ]


def _wrong(run: JudgeRun) -> int:
    return sum(count for kind, count in run.diagnosis.measures.arrows.items() if kind != "right")


def _draw(runs: list[JudgeRun]) -> Figure:
    figure, (axes,) = panels(1, 0.4 + 0.6 * len(runs))
    handles = []
    left = [0.0] * len(runs)
    for kind, (fill, hatch) in _FILLS.items():
        found = [run.diagnosis.measures.arrows for run in runs]
        shares = [counts.get(kind, 0) / sum(counts.values()) for counts in found]
        rows = [row + 0.17 for row in range(len(runs))]
        bars = axes.barh(rows, shares, left=left, height=0.5, color=fill, hatch=hatch, edgecolor=INK, linewidth=0.7)
        for row, (bar, counts) in enumerate(zip(bars, found, strict=True)):
            if shares[row] >= 0.06:
                middle = bar.get_x() + bar.get_width() / 2
                label = {"boxstyle": "round,pad=0.25", "facecolor": PAPER, "edgecolor": "none"}
                axes.text(middle, rows[row], str(counts[kind]), ha="center", va="center", fontsize=8.5, bbox=label)
        handles.append(bars)
        left = [sum(pair) for pair in zip(left, shares, strict=True)]
    named_rows(axes, [shortened(run.label) for run in runs], above=True, grid=False)
    legend_above(figure, handles, list(KINDS.values()))
    return figure
