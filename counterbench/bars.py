"""The progress bar of long work, on a terminal or in a notebook."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from counterbench.text import visible

if TYPE_CHECKING:
    from rich.progress import Progress

OnProgress = Callable[[int, int], None]  # takes the number of things done, and of all
Report = Callable[..., None]  # takes these and, if there is one, a note on the present wait

# The bar that stands on the terminal now, if any: lines go above it.
standing: list[Progress] = []


def unseen(done: int, total: int) -> None:
    """Ignore the progress: a callback for calls that nobody watches."""


@contextlib.contextmanager
def bar(doing: str, transient: bool = True) -> Iterator[Report]:
    """A context with a bar on a terminal or in a notebook, nothing elsewhere; gives the callback that moves the bar.

    `doing`: the text beside it. A bar that is done stays only if it is not `transient`.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.table import Column

    console = Console(stderr=True)
    if not (console.is_terminal or console.is_jupyter):
        yield lambda done, total, note="": None
        return
    last = 0.0
    column = Column(ratio=1, no_wrap=True, overflow="ellipsis")  # the counts are shown beside any long text
    text = TextColumn("{task.description}", markup=False, table_column=column)
    columns = (text, BarColumn(20), MofNCompleteColumn(), TimeRemainingColumn(compact=True))
    # Refreshed by hand: a refreshing thread would keep workers from being forked.
    with Progress(*columns, console=console, auto_refresh=False, expand=True, transient=transient) as shown:
        task = shown.add_task(visible(doing), total=None)

        def report(done: int, total: int, note: str = "") -> None:
            """Update the bar, at most ten times a second."""
            nonlocal last
            now = time.monotonic()
            if now - last > 0.1 or done == total:
                last = now
                words = visible(f"{note} · {doing}" if note else doing)  # the note is shown even if the text is cut
                shown.update(task, completed=done, total=total, description=words, refresh=True)

        standing.append(shown)
        try:
            yield report
        except BaseException:
            shown.live.transient = True  # its work was not done
            raise
        finally:
            standing.remove(shown)
