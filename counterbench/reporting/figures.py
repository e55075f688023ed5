"""Matplotlib figures in one style, drawn without pyplot and so without global state.

On the page every colour becomes a CSS variable, so that a plot is legible in light and dark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

F = TypeVar("F")

INK, MUTED, GRID, PAPER = "#1b2530", "#586472", "#d8dde2", "#fdfdfb"
# Dark enough on white and, as CSS variables, light enough on black; marks and lines differ as well.
SERIES = ("#0b62a8", "#b4470c", "#0b7a5c", "#87368f", "#7d6200", "#b02a63", "#2a7587", "#454f5b")
MARKERS: Any = ("o", "s", "^", "D", "v", "P", "X", "*")
# Inches: a telephone shows this width in full, with letters of 9.5 points 10 pixels high.
WIDTH = 4.6
# Room beyond 0 and 100 %, as a share of the axis: half a mark, so that no mark covers the text beside the axis.
_MARGIN = 0.02
# The names of a figure's colours in the page's style sheet.
VARIABLES: dict[str, str] = {
    INK: "--ink",
    MUTED: "--muted",
    GRID: "--grid",
    PAPER: "--paper",
    **{colour: f"--series-{n}" for n, colour in enumerate(SERIES, 1)},
}

_STYLE: Any = {
    "font.family": "DejaVu Sans",  # comes with matplotlib: the same everywhere
    "font.size": 9.5,
    "text.color": INK,
    "text.parse_math": False,  # a judge's name may contain dollar signs
    "axes.edgecolor": MUTED,
    "axes.facecolor": "none",
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.8,
    "axes.unicode_minus": True,
    "grid.color": GRID,
    "grid.linewidth": 0.7,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "figure.facecolor": "none",
    "savefig.facecolor": "none",
    "legend.frameon": False,
    "legend.borderpad": 0.2,
    "legend.fontsize": 9,
    "legend.labelcolor": INK,
    "lines.linewidth": 1.6,
    "lines.markersize": 5,
    "errorbar.capsize": 2,
    "svg.hashsalt": "counterbench",  # the same ids, so the same bytes, every time
    "svg.image_inline": True,
}


class Plot(msgspec.Struct, frozen=True, kw_only=True):
    """One plot: its picture, and the same in words and numbers for readers who do not see it."""

    name: str  # its id
    section: str
    title: str
    caption: str  # says how to read it
    alt: str  # says what it shows
    columns: tuple[str, ...]  # of the table of its data
    rows: Sequence[tuple[str, ...]]
    draw: Callable[[], Figure]  # makes the figure, within `style()`


@contextmanager
def style() -> Iterator[None]:
    """The report's style, while figures are made and saved."""
    import warnings

    import matplotlib

    with matplotlib.rc_context(_STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*[Gg]lyph.*")  # a name in a script that the font lacks
        yield


def panel(height: float) -> tuple[Figure, Axes]:
    """A figure of this height, in inches, with its axes."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    return figure, figure.subplots()


def colour(n: int) -> str:
    """The colour of the n-th judge, from 0."""
    return SERIES[n % len(SERIES)]


def marker(n: int) -> Any:
    """The mark of the n-th judge."""
    return MARKERS[n % len(MARKERS)]


def legend_above(figure: Figure, handles: Any, labels: list[str]) -> None:
    """One legend for the whole figure, above it, in as many columns as fit; the figure grows by it."""
    for columns in range(min(len(labels), 3), 0, -1):
        legend = figure.legend(
            handles, labels, loc="outside upper left", ncols=columns, handlelength=1.6, columnspacing=1.6
        )
        room = legend.get_window_extent()
        if columns == 1 or room.width <= 0.97 * figure.bbox.width:
            break
        legend.remove()
    width, height = figure.get_size_inches()
    figure.set_size_inches(width, height + room.height / figure.dpi)


def named_rows(axes: Axes, names: Sequence[str], end: float = 1, *, above: bool = False, percent: bool = True) -> None:
    """Rows with a name each, the first on top, over an axis of fractions from 0 to `end`, in per cent or not.

    A name stands beside its row or, with `above`, at the top of it, since names of judges are long.
    """
    axes.set_yticks([] if above else range(len(names)), [] if above else list(names))
    for row, name in enumerate(names if above else ()):
        axes.text(0, row - 0.45, name, va="top", ha="left")
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlim(-_MARGIN * end, (1 + _MARGIN) * end)
    if percent:
        _percent_axis(axes.xaxis)
    axes.grid(axis="x")
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)


def _percent_axis(axis: Any) -> None:
    """An axis of fractions labelled 0 … 100 %."""
    from matplotlib.ticker import FixedLocator, PercentFormatter

    axis.set_major_locator(FixedLocator((0, 0.25, 0.5, 0.75, 1)))
    axis.set_major_formatter(PercentFormatter(xmax=1, decimals=0))
