"""A progress bar for long calls from Python."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def bar(doing: str) -> Iterator[Callable[[int, int], None]]:
    """Take the number of things done, and of all: a bar on a terminal or in a notebook, nothing elsewhere."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if not (console.is_terminal or console.is_jupyter):
        yield lambda done, total: None
        return
    columns = TextColumn("{task.description}", markup=False), BarColumn(20), MofNCompleteColumn(), TimeRemainingColumn()
    # Refreshed by hand: a refreshing thread would keep workers from being forked.
    with Progress(*columns, console=console, auto_refresh=False, transient=True) as shown:
        task = shown.add_task(doing, total=None)
        yield lambda done, total: shown.update(task, completed=done, total=total, refresh=True)
