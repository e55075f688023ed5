"""The gap: how often a judge is right on the original and wrong on the intervened picture."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from counterbench.reporting.figures import INK, Plot, colour, legend_above, named_rows, panels
from counterbench.reporting.gather import JudgeRun, ReportData
from counterbench.reporting.labels import shortened
from counterbench.reporting.words import interval, listed, percent, visible
from counterbench.scoring.scores import Share

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_OVERALL = "overall"


def gap(data: ReportData) -> list[Plot]:
    """Bars for every judge: overall and by category."""
    groups = [_OVERALL, *data.categories]
    rows = []
    for group in groups:
        for run in data.runs:
            found = _gap(run, group)
            if found is not None and found.of:
                rows.append((group, run.label, percent(found.value), interval(found), f"{found.hits} of {found.of}"))
    if not rows:
        return []
    names = listed([run.label for run in data.runs])
    worst = max(data.runs, key=lambda run: run.document.overall.gap.value or 0)
    return [
        Plot(
            name="gap",
            section="scores",
            title="Gap",
            caption="Pairs right on the original and wrong on the intervened picture, with 95 % Wilson intervals. "
            "Shorter is better; a long bar is a judge that answers from habit and misses the change.",
            alt=f"Bars of the gap, overall and by category, for {names}. The largest "
            f"overall gap is {percent(worst.document.overall.gap.value)} %, of {worst.label}.",
            columns=("pairs", "judge", "gap in %", "95 % interval", "count"),
            rows=rows,
            draw=lambda: _draw(data, groups),
        )
    ]


def _gap(run: JudgeRun, group: str) -> Share | None:
    if group == _OVERALL:
        return run.document.overall.gap
    return run.document.categories[group].gap if group in run.document.categories else None


def _end(data: ReportData, groups: list[str]) -> float:
    """Where the axis ends: the quarter above every interval."""
    highs = [share.high or 0 for run in data.runs for group in groups if (share := _gap(run, group)) is not None]
    return max(0.25, min(1.0, math.ceil(4 * max(highs)) / 4))


def _draw(data: ReportData, groups: list[str]) -> Figure:
    count = len(data.runs)
    bar = min(0.8 / count, 0.34)
    inches = max(0.34, 0.105 * count + 0.12)
    figure, (axes,) = panels(1, 5.6, 1.1 + inches * len(groups) + 0.2 * -(-count // 3))
    handles = []
    for n, run in enumerate(data.runs):
        found = [(i, share) for i, group in enumerate(groups) if (share := _gap(run, group)) is not None and share.of]
        places = [i + (n - (count - 1) / 2) * bar for i, _ in found]
        values = [share.value or 0 for _, share in found]
        errors = [
            [max(0, value - (share.low or 0)) for value, (_, share) in zip(values, found, strict=True)],
            [max(0, (share.high or 0) - value) for value, (_, share) in zip(values, found, strict=True)],
        ]
        style: dict[str, Any] = {
            "color": colour(n),
            "height": bar * 0.82,
            "ecolor": INK,
            "error_kw": {"elinewidth": 0.8},
        }
        handles.append(axes.barh(places, values, xerr=errors, **style))
    named_rows(axes, [visible(group) for group in groups], _end(data, groups))
    if count > 1:
        legend_above(figure, handles, [shortened(run.label) for run in data.runs])
    return figure
