"""Shares as dots with their intervals: a row for each group, a dot for each judge. Several plots use it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from counterbench.reporting.figures import MUTED, PAPER, colour, legend_above, marker, named_rows, panel
from counterbench.stats.intervals import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


_BESIDE = 20  # the most signs of a name beside its row; a longer name stands above the row
_NAME = 0.18  # inches: the height of a name above its row


class Series(msgspec.Struct, frozen=True, kw_only=True):
    """The dots of one judge, or model."""

    label: str
    number: int  # decides their colour and mark
    hollow: bool = False
    shares: Sequence[Estimate | None]  # one for each row, None without a dot


def draw_rows(
    names: Sequence[str], series: Sequence[Series], *, to_one: bool = True, rule_after: int = 0, percent: bool = True
) -> Figure:
    """A row for each name with the dots of all series beside each other.

    The axis ends at 1 or, unless `to_one`, at the quarter above every interval. `rule_after`: a line is drawn below so
    many rows. Without `percent` the axis shows fractions, and goes beyond 1 if they do. Long names stand above their
    dots, to leave room for the axis.
    """
    count = len(series)
    above = max(map(len, names), default=0) > _BESIDE
    row = max(0.34, 0.105 * count + 0.12) + _NAME * above  # inches
    down = _NAME * above / row  # the share of a row's height that its name takes
    figure, axes = panel(0.4 + row * len(names))
    handles = []
    for n, one in enumerate(series):
        offset = (n - (count - 1) / 2) * (1 - down) * 0.7 / count + down / 2
        places = [place + offset for place in range(len(names))]
        handles.append(_draw_dots(axes, places, one))
    highest = max((s.high or s.value or 0 for one in series for s in one.shares if s is not None), default=1)
    quarter = math.ceil(4 * highest) / 4
    end = max(1.0, quarter) if not percent else 1 if to_one else max(0.25, min(1.0, quarter))
    named_rows(axes, names, end, above=above, percent=percent)
    if rule_after:
        axes.axhline(rule_after - 0.5, color=MUTED, linewidth=0.7)
    if count > 1:
        legend_above(figure, handles, [one.label for one in series])
    return figure


def _draw_dots(axes: Axes, places: Sequence[float], one: Series) -> Any:
    """Draw the dots of one judge at these places, with their intervals; returns the mark for a legend."""
    known = [(place, s, s.value) for place, s in zip(places, one.shares, strict=True) if s and s.value is not None]
    ends = [(value if s.low is None else s.low, value if s.high is None else s.high) for _, s, value in known]
    errors = [
        [max(0, value - low) for (_, _, value), (low, _) in zip(known, ends, strict=True)],
        [max(0, high - value) for (_, _, value), (_, high) in zip(known, ends, strict=True)],
    ]
    return axes.errorbar(
        [value for _, _, value in known],
        [place for place, _, _ in known],
        xerr=errors,
        fmt=marker(one.number),
        color=colour(one.number),
        markerfacecolor=PAPER if one.hollow else colour(one.number),
        elinewidth=1.1,
        clip_on=False,
    )
