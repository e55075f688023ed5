"""CCS by category: a spoke a category, a line a judge."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from counterbench.reporting.figures import GRID, MUTED, Plot, colour, line, marker
from counterbench.reporting.gather import ReportData
from counterbench.reporting.labels import shortened
from counterbench.reporting.words import interval, listed, percent, plural, visible

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def radar(data: ReportData) -> list[Plot]:
    """The radar, if there are three categories or more: with fewer it has no shape."""
    names = data.categories
    if len(names) < 3:
        return []
    rows = []
    for run in data.runs:
        shares = [run.document.categories[name].ccs if name in run.document.categories else None for name in names]
        cells = (f"{percent(s.value)} ({interval(s)})" if s is not None and s.of else "–" for s in shares)
        rows.append((run.label, *cells))
    return [
        Plot(
            name="radar",
            section="scores",
            title="CCS by category",
            caption="Further out is better: the rim is 100 %, the centre 0 %.",
            alt=f"Radar of CCS over {plural(len(names), 'category').replace('categorys', 'categories')} "
            f"({listed(names)}) for {listed([run.label for run in data.runs])}. The numbers are in the table below it.",
            columns=("judge", *(f"{name}: CCS in % (95 % interval)" for name in names)),
            rows=rows,
            draw=lambda: _draw(data, names),
        )
    ]


def _draw(data: ReportData, names: list[str]) -> Figure:
    from matplotlib.figure import Figure

    # A legend of many judges needs room of its own; the wheel keeps its size.
    figure = Figure(figsize=(5.6, 4.6 + 0.22 * max(0, (len(data.runs) + 1) // 2 - 1)), layout="constrained")
    axes: Any = figure.add_subplot(projection="polar")  # polar axes have methods of their own
    angles = [2 * math.pi * i / len(names) for i in range(len(names))]
    axes.set_theta_offset(math.pi / 2)
    axes.set_theta_direction(-1)
    axes.set_ylim(0, 1.0)
    axes.set_yticks([0.25, 0.5, 0.75, 1.0], ["25", "50", "75", "100 %"])
    axes.set_rlabel_position(180 / len(names))
    axes.tick_params(axis="y", labelsize=8, labelcolor=MUTED)
    axes.set_xticks(angles, [visible(name) for name in names])
    axes.tick_params(axis="x", pad=12)
    axes.spines["polar"].set_color(GRID)
    for n, run in enumerate(data.runs):
        found = [run.document.categories[name].ccs.value if name in run.document.categories else None for name in names]
        values = [math.nan if value is None else value for value in found]
        axes.plot(
            [*angles, angles[0]],
            [*values, values[0]],
            color=colour(n),
            linestyle=line(n),
            marker=marker(n),
            label=shortened(run.label),
            clip_on=False,
        )
    figure.legend(loc="outside lower center", ncols=2, handlelength=3)
    return figure
