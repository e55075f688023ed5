"""CCS against each difficulty parameter: bins with intervals, the fitted curve, and where it crosses 90 % and 50 %."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from counterbench.diagnosis.document import Bin, Curve, Difficulty
from counterbench.reporting.figures import MUTED, Plot, colour, legend_above, line, marker, panels, percent_axis
from counterbench.reporting.gather import ReportData
from counterbench.reporting.labels import shortened
from counterbench.reporting.words import interval, listed, percent, visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Series = tuple[int, str, Difficulty]  # the judge's number and label, and what was found

# A family whose name can be that of a file and an id; one that an import brought may have any other.
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
# What the parameters are; others are shown by their names.
UNITS = {"offset": "offset (px)", "size": "size of shapes (px)", "covered": "covered (%)"}


def difficulties(data: ReportData) -> list[Plot]:
    """One plot a family, a panel for each parameter that varies in it."""
    families: dict[str, dict[str, list[Series]]] = {}
    for n, run in enumerate(data.runs):
        for found in run.diagnosis.measures.difficulty:
            if len(found.bins) > 1:
                panel = families.setdefault(found.family, {}).setdefault(found.parameter, [])
                panel.append((n, run.label, found))
    return [_plot(n, family, panels) for n, (family, panels) in enumerate(families.items(), 1)]


def _plot(n: int, family: str, found: dict[str, list[Series]]) -> Plot:
    return Plot(
        name=f"difficulty-{family if _PLAIN.fullmatch(family) else n}",
        section="difficulty",
        title=f"Difficulty: {family}",
        caption="CCS of relevant pairs in bins of each parameter, with 95 % Wilson intervals; the line is a fitted "
        "logistic curve, where at least 100 pairs carry it.",
        alt=f"CCS of the family {family} against {listed(list(found))}. {' '.join(_crossings(found))}".strip(),
        columns=(
            "parameter",
            "judge",
            "from",
            "to",
            "CCS in %",
            "95 % interval",
            "count",
            "crosses 90 %",
            "crosses 50 %",
        ),
        rows=list(_rows(found)),
        draw=lambda: _draw(found),
    )


def _rows(found: dict[str, list[Series]]) -> Iterator[tuple[str, ...]]:
    for parameter, series in found.items():
        for _, label, difficulty in series:
            curve = difficulty.curve
            crossings = ("no curve", "no curve") if curve is None else (_value(curve.p90), _value(curve.p50))
            for n, bin in enumerate(difficulty.bins):
                count = f"{bin.ccs.hits} of {bin.ccs.of}"
                ends = (str(bin.low), str(bin.high), percent(bin.ccs.value), interval(bin.ccs), count)
                yield (parameter, label, *ends, *(crossings if n == 0 else ("", "")))


def _value(crossing: float | None) -> str:
    return "nowhere here" if crossing is None else f"{crossing:.1f}"


def _crossings(found: dict[str, list[Series]]) -> Iterator[str]:
    """Where curves cross 90 % and 50 %, in words."""
    for parameter, series in found.items():
        for _, label, difficulty in series:
            if difficulty.curve is not None:
                for share, value in (("90 %", difficulty.curve.p90), ("50 %", difficulty.curve.p50)):
                    if value is not None:
                        yield f"{label} crosses {share} at {parameter} {value:.1f}."


def _draw(found: dict[str, list[Series]]) -> Figure:
    judges = sorted({(n, label) for series in found.values() for n, label, _ in series})
    columns = min(len(found), 3)
    rows = -(-len(found) // columns)
    height = 2.35 * rows + 0.35 + 0.22 * -(-len(judges) // 3)
    figure, cells = panels(len(found), max(2.9 * columns, 4.2), height, columns, sharey=True)
    for axes, (parameter, series) in zip(cells, found.items(), strict=True):
        _panel(axes, parameter, series)
    for axes in cells[::columns]:
        axes.set_ylabel("CCS")
    handles = _handles([n for n, _ in judges])
    legend_above(figure, handles, [shortened(label) for _, label in judges])
    return figure


def _panel(axes: Axes, parameter: str, series: list[Series]) -> None:
    low = min(d.bins[0].low for _, _, d in series)
    high = max(d.bins[-1].high for _, _, d in series)
    step = 0.012 * (high - low)  # judges stand beside each other, not on top
    for place, (n, _, difficulty) in enumerate(series):
        bins = [bin for bin in difficulty.bins if bin.ccs.of]
        at = [(bin.low + bin.high) / 2 + (place - (len(series) - 1) / 2) * step for bin in bins]
        values = [bin.ccs.value or 0 for bin in bins]
        axes.errorbar(
            at, values, yerr=_errors(bins, values), fmt=marker(n), color=colour(n), elinewidth=0.9, markersize=4.2
        )
        if difficulty.curve is not None:
            _curve(axes, difficulty.curve, low, high, n)
    axes.set_xlabel(UNITS.get(parameter, visible(parameter)))
    axes.set_ylim(-0.03, 1.03)
    percent_axis(axes.yaxis)
    axes.grid(axis="y")
    for share in (0.9, 0.5):
        axes.axhline(share, color=MUTED, linewidth=0.7, linestyle=(0, (1, 3)))
    axes.locator_params(axis="x", integer=True, nbins=5)


def _errors(bins: list[Bin], values: list[float]) -> list[list[float]]:
    return [
        [max(0, value - (bin.ccs.low or 0)) for bin, value in zip(bins, values, strict=True)],
        [max(0, (bin.ccs.high or 0) - value) for bin, value in zip(bins, values, strict=True)],
    ]


def _curve(axes: Axes, curve: Curve, low: int, high: int, n: int) -> None:
    points = [low + (high - low) * i / 60 for i in range(61)]
    fitted = [_logistic(curve.intercept + curve.slope * x) for x in points]
    axes.plot(points, fitted, color=colour(n), linestyle=line(n), linewidth=1.3)
    for share, crossing in ((0.9, curve.p90), (0.5, curve.p50)):
        if crossing is not None:
            axes.plot([crossing, crossing], [0, share], color=colour(n), linewidth=0.8, linestyle=(0, (1, 2)))
            axes.annotate(f"{crossing:.0f}", (crossing, 0), (2, 2), textcoords="offset points", fontsize=8, color=MUTED)


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0


def _handles(numbers: list[int]) -> list[object]:
    from matplotlib.lines import Line2D

    return [Line2D([], [], color=colour(n), linestyle=line(n), marker=marker(n), markersize=4.2) for n in numbers]
