"""Matplotlib figures in one style, drawn without pyplot and so without anything global.

Every colour is one of `INKS` or `SERIES`. On the page each becomes a CSS variable, so that a plot is legible in light
and dark; in files for papers they stay as they are.
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

INK, MUTED, GRID, PAPER, WRONG, NEUTRAL = "#1b2530", "#586472", "#d8dde2", "#fdfdfb", "#b3261f", "#8b95a0"
# Dark enough on white and, as CSS variables, light enough on black; told apart by marks and lines as well.
SERIES = ("#0b62a8", "#b4470c", "#0b7a5c", "#87368f", "#7d6200", "#b02a63", "#2a7587", "#454f5b")
MARKERS: Any = ("o", "s", "^", "D", "v", "P", "X", "*")
# How a colour of a figure is named in the page's style sheet.
VARIABLES: dict[str, str] = {
    INK: "--ink",
    MUTED: "--muted",
    GRID: "--grid",
    PAPER: "--paper",
    WRONG: "--wrong",
    NEUTRAL: "--neutral",
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
    "legend.fontsize": 9,
    "legend.labelcolor": INK,
    "lines.linewidth": 1.6,
    "lines.markersize": 5,
    "errorbar.capsize": 2,
    "svg.hashsalt": "counterbench",  # the same ids, so the same bytes, every time
    "svg.image_inline": True,
}


class Plot(msgspec.Struct, frozen=True, kw_only=True):
    """One plot: its picture, and the same in words and numbers for those who do not see it.

    `name` is its id and its file's name. `alt` says what it shows; `caption` how it is read; `columns` and `rows` are
    the table of its data. `draw` makes the figure, within `style()`.
    """

    name: str
    section: str
    title: str
    caption: str
    alt: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    draw: Callable[[], Figure]


@contextmanager
def style() -> Iterator[None]:
    """The report's style, while figures are made and saved."""
    import warnings

    import matplotlib

    with matplotlib.rc_context(_STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*[Gg]lyph.*")  # a name in a script that the font lacks
        yield


def panels(count: int, width: float, height: float, columns: int = 1, **options: Any) -> tuple[Figure, list[Axes]]:
    """A figure with `count` axes in a grid; width and height are of the whole, in inches."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    rows = -(-count // columns)
    axes = figure.subplots(rows, columns, squeeze=False, **options)
    cells = [cell for row in axes for cell in row]
    for unused in cells[count:]:
        unused.set_axis_off()
    return figure, cells[:count]


def colour(n: int) -> str:
    """The colour of the n-th judge, from 0."""
    return SERIES[n % len(SERIES)]


def marker(n: int) -> Any:
    """The mark of the n-th judge."""
    return MARKERS[n % len(MARKERS)]


def legend_above(figure: Figure, handles: Any, labels: list[str]) -> None:
    """One legend for the whole figure, above it."""
    columns = max(1, min(len(labels), 3))
    figure.legend(handles, labels, loc="outside upper left", ncols=columns, handlelength=2.2, columnspacing=1.6)


def named_rows(axes: Axes, names: Sequence[str], end: float, grid: bool = True) -> None:
    """Rows with a name each, the first on top, over an axis of fractions from 0 to `end`."""
    axes.set_yticks(range(len(names)), list(names))
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlim(0, end)
    percent_axis(axes.xaxis)
    if grid:
        axes.grid(axis="x")
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)


def percent_axis(axis: Any) -> None:
    """An axis of fractions labelled 0 … 100 %."""
    axis.set_major_locator(_locator((0, 0.25, 0.5, 0.75, 1)))
    axis.set_major_formatter(_formatter())


def _locator(ticks: tuple[float, ...]) -> Any:
    from matplotlib.ticker import FixedLocator

    return FixedLocator(ticks)


def _formatter() -> Any:
    from matplotlib.ticker import PercentFormatter

    return PercentFormatter(xmax=1, decimals=0)
