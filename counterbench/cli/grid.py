"""Tables for people, whose cells are literal: what others wrote is neither markup nor a control, and rows line up."""

from __future__ import annotations

import sys
from typing import Any

from rich import box
from rich import table as rich_table
from rich.console import Console, RenderableType
from rich.measure import Measurement
from rich.text import Text

from counterbench.text import visible

PADDING = (0, 1, 0, 0)  # narrow


Cell = Text


def cell(text: str, style: str = "") -> Cell:
    """A literal cell; a text that needs no style may stand for itself."""
    return Text(visible(text), style)


class Table(rich_table.Table):
    """A table in the one style of the command line; rich's, but for what it takes texts for."""

    def __init__(self, title: str, **options: Any) -> None:
        """Take a `title`, and options as rich's table does."""
        ours: dict[str, Any] = {"title_justify": "left", "box": box.SIMPLE_HEAD, "pad_edge": False, "padding": PADDING}
        super().__init__(title=cell(title, "table.title"), **(ours | options))

    def add_column(self, header: RenderableType = "", *more: Any, **options: Any) -> None:
        """Add a column under a literal header, with options as rich's table takes them."""
        super().add_column(_literal(header), *more, **options)

    def add_row(self, *cells: RenderableType | None, **options: Any) -> None:
        """Add a row of literal texts and of what `cell` made."""
        super().add_row(*map(_literal, cells), **options)


def _literal(content: Any) -> Any:
    return cell(content) if isinstance(content, str) else content


class _Console(Console):
    """A console that leaves a broken pipe to the caller (Rich would end the program as if a check had failed)."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def show(table: Table) -> None:
    """Print a table, never squeezed: where the terminal is narrower it wraps, and no figure or name is cut."""
    page = _Console(highlight=False)
    unlimited = page.options.update(width=1000, max_width=1000)
    needed = Measurement.get(page, unlimited, table).maximum
    page.width = max(page.width, needed) if sys.stdout.isatty() else needed
    page.print(table)
