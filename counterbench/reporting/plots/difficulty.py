"""CCS against each difficulty parameter, in bins with intervals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from counterbench.diagnosis.document import Difficulty
from counterbench.reporting.figures import Plot, legend_above, panels, percent_axis
from counterbench.reporting.gather import ReportData
from counterbench.reporting.labels import shortened
from counterbench.reporting.plots.dots import draw_dots
from counterbench.reporting.words import interval, listed, percent

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
        caption="CCS of relevant pairs in bins of each parameter, with 95 % Wilson intervals.",
        alt=f"CCS of the family {family} against {listed(list(found))}. The numbers are in the table below it.",
        columns=("parameter", "judge", "from", "to", "CCS in %", "95 % interval", "count"),
        rows=list(_rows(found)),
        draw=lambda: _draw(found),
    )


def _rows(found: dict[str, list[Series]]) -> Iterator[tuple[str, ...]]:
    for parameter, series in found.items():
        for _, label, difficulty in series:
            for bin in difficulty.bins:
                count = f"{bin.ccs.hits} of {bin.ccs.of}"
                yield (parameter, label, str(bin.low), str(bin.high), percent(bin.ccs.value), interval(bin.ccs), count)


def _draw(found: dict[str, list[Series]]) -> Figure:
    judges = sorted({(n, label) for series in found.values() for n, label, _ in series})
    figure, cells = panels(len(found), 2.3 * len(found))
    handles: dict[int, object] = {}
    for axes, (parameter, series) in zip(cells, found.items(), strict=True):
        handles |= _panel(axes, parameter, series)
    legend_above(figure, [handles[n] for n, _ in judges], [shortened(label) for _, label in judges])
    return figure


def _panel(axes: Axes, parameter: str, series: list[Series]) -> dict[int, object]:
    """The dots of each judge at the middle of each bin; what a legend shows of them, by judge."""
    low = min(d.bins[0].low for _, _, d in series)
    high = max(d.bins[-1].high for _, _, d in series)
    step = 0.016 * (high - low)  # judges stand beside each other, not on top, and before the next bin's
    for _, _, difficulty in series:
        centres = [(bin.low + bin.high) / 2 for bin in difficulty.bins]
        step = min([step, *(0.85 * (after - before) / len(series) for before, after in pairwise(centres))])
    handles = {}
    for place, (n, _, difficulty) in enumerate(series):
        middles = [(bin.low + bin.high) / 2 + (place - (len(series) - 1) / 2) * step for bin in difficulty.bins]
        handles[n] = draw_dots(axes, middles, [bin.ccs for bin in difficulty.bins], n, upright=True)
    axes.set_xlabel(UNITS.get(parameter) or shortened(parameter))
    axes.set_ylabel("CCS")
    axes.set_ylim(-0.03, 1.03)
    percent_axis(axes.yaxis)
    axes.grid(axis="y")
    axes.locator_params(axis="x", integer=True, nbins=5)
    return handles
