"""Plots of shares as data for the page: a row for each group, with a dot and its interval for each judge or model."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from counterbench.reporting.words import interval, percent
from counterbench.scoring.scores import Share
from counterbench.text import listed

MARKS = 8  # marks and colours in the style sheet and the frame
_STEP, _EDGE = 11, 10  # pixels between the dots of a row, and from its edge to the first


class Series(NamedTuple):
    """The dots of one judge, or model; its place among the series decides their colour and mark."""

    label: str
    shares: Sequence[Any]  # an `Estimate` or a `Share` for each row, None without a dot
    hollow: bool = False


class Dot(NamedTuple):
    """A value with its interval, in per cent of the axis, in the row of its group."""

    mark: str  # the name of its mark and colour
    hollow: bool
    y: int
    value: float
    low: float
    high: float


class Plot(msgspec.Struct, frozen=True, kw_only=True):
    """One plot, and the same in words and numbers for readers who do not see it."""

    name: str  # its id
    section: str
    title: str
    caption: str  # says how to read it
    alt: str  # says what it shows
    columns: tuple[str, ...]  # of the table of its data
    rows: Sequence[tuple[str, ...]]
    legend: list[tuple[str, bool, str]]  # mark, hollow, label
    lines: list[tuple[str, list[Dot]]]  # names of groups
    height: int  # of a line, in pixels
    ticks: list[tuple[float, str]]  # places in per cent of the axis, and their labels
    rule_after: int  # a line is drawn below so many rows


def share_columns(measure: str) -> tuple[str, ...]:
    """The headings over `share_cells`."""
    return f"{measure} in %", "95 % interval", "count"


def share_cells(share: Share) -> tuple[str, ...]:
    """The cells of a share in the table of a plot's data."""
    return percent(share.value), interval(share), f"{share.hits} of {share.of}"


def dot_plot(
    name: str,
    section: str,
    title: str,
    caption: str,
    rows: Mapping[str, tuple[str, ...]],
    series: Sequence[Series],
    columns: tuple[str, ...],
    cells: Callable[[Any], tuple[str, ...]] = share_cells,
    *,
    to_one: bool = True,
    rule_after: int = 0,
    in_percent: bool = True,
) -> list[Plot]:
    """The plot, and its data in a table; none without any dot.

    `rows` have the names beside the dots, and the cells of that table, which `columns` head with the judge's name and
    its numbers. The axis ends at 1 or, unless `to_one`, at the
    quarter above every interval; without `in_percent` it shows fractions, and goes beyond 1 if they do.
    """
    known = [
        (line, number, one, share)
        for line in range(len(rows))
        for number, one in enumerate(series)
        if (share := one.shares[line]) is not None
    ]
    if not known:
        return []
    named = list(rows.values())
    highest = max(share.high or share.value or 0 for *_, share in known)
    quarter = max(0.25, math.ceil(4 * highest) / 4)
    end = max(1, quarter) if not in_percent else 1 if to_one else min(1, quarter)
    lines: list[tuple[str, list[Dot]]] = [(row, []) for row in rows]
    for line, number, one, share in known:
        if share.value is not None:
            low, high = (share.value if edge is None else edge for edge in (share.low, share.high))
            at = [round(100 * value / end, 2) for value in (share.value, low, high)]
            lines[line][1].append(Dot(_mark(number), one.hollow, _EDGE + _STEP * number, *at))
    return [
        Plot(
            name=name,
            section=section,
            title=title,
            caption=caption,
            alt=f"Dots for {listed([one.label for one in series])}: {title}. The numbers are in the table below.",
            columns=columns,
            rows=[(*named[line], one.label, *cells(share)) for line, _, one, share in known],
            legend=[(_mark(number), one.hollow, one.label) for number, one in enumerate(series)],
            lines=lines,
            height=2 * _EDGE + _STEP * (len(series) - 1),
            ticks=[(25 * n, f"{25 * n * end:g}%" if in_percent else f"{n * end / 4:g}") for n in range(5)],
            rule_after=rule_after,
        )
    ]


def _mark(number: int) -> str:
    return f"series-{number % MARKS + 1}"
