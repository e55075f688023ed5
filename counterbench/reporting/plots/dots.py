"""Shares as dots with their intervals: a row a group, a dot a judge. What several plots are drawn with."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from counterbench.reporting.figures import MUTED, PAPER, colour, legend_above, marker, named_rows, panels
from counterbench.stats.intervals import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


_BESIDE = 20  # signs of a name that stands beside its row
_NAME = 0.18  # inches, of one that stands above it


class Series(msgspec.Struct, frozen=True, kw_only=True):
    """The dots of one judge, or model, whose `number` gives their colour and mark: for each row, None without one."""

    label: str
    number: int
    hollow: bool = False
    shares: Sequence[Estimate | None]


def draw_rows(
    names: Sequence[str], series: Sequence[Series], *, to_one: bool = True, rule_after: int = 0, percent: bool = True
) -> Figure:
    """A row for each name with the dots of all series beside each other.

    The axis ends at 1 or, unless `to_one`, at the quarter above every interval. `rule_after`: a line is drawn below so
    many rows. Without `percent` fractions stand at the axis, which goes beyond 1 where they do. Names that would leave
    the axis too little room stand above their dots.
    """
    count = len(series)
    above = max(map(len, names), default=0) > _BESIDE
    row = max(0.34, 0.105 * count + 0.12) + _NAME * above  # inches
    down = _NAME * above / row  # of a row: what its name takes
    figure, (axes,) = panels(1, 0.4 + row * len(names))
    handles = []
    for n, one in enumerate(series):
        offset = (n - (count - 1) / 2) * (1 - down) * 0.7 / count + down / 2
        places = [place + offset for place in range(len(names))]
        handles.append(draw_dots(axes, places, one.shares, one.number, upright=False, hollow=one.hollow))
    highest = max((s.high or s.value or 0 for one in series for s in one.shares if s is not None), default=1)
    quarter = math.ceil(4 * highest) / 4
    end = max(1.0, quarter) if not percent else 1 if to_one else max(0.25, min(1.0, quarter))
    named_rows(axes, names, end, above=above, percent=percent)
    if rule_after:
        axes.axhline(rule_after - 0.5, color=MUTED, linewidth=0.7)
    if count > 1:
        legend_above(figure, handles, [one.label for one in series])
    return figure


def draw_dots(
    axes: Axes,
    places: Sequence[float],
    shares: Sequence[Estimate | None],
    number: int,
    *,
    upright: bool,
    hollow: bool = False,
) -> Any:
    """One judge's dots at these places, with their intervals upright or lying; returned is what a legend shows."""
    known = [(place, s) for place, s in zip(places, shares, strict=True) if s is not None and s.value is not None]
    at, values = [place for place, _ in known], [s.value or 0 for _, s in known]
    below = [max(0, (s.value or 0) - (s.low if s.low is not None else s.value or 0)) for _, s in known]
    above = [max(0, (s.high if s.high is not None else s.value or 0) - (s.value or 0)) for _, s in known]
    x, y = (at, values) if upright else (values, at)
    options: dict[str, Any] = {
        "yerr" if upright else "xerr": [below, above],
        "fmt": marker(number),
        "color": colour(number),
        "markerfacecolor": PAPER if hollow else colour(number),
        "elinewidth": 1.1,
        "clip_on": False,
    }
    return axes.errorbar(x, y, **options)
