"""Spreads chunks of work over processes: results in order, bounded memory, no orphans after a kill."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Any, TypeVar

from counterbench.errors import CounterbenchError, InputError

T = TypeVar("T")
R = TypeVar("R")

_AHEAD = 3  # chunks handed out for each worker beyond the one it works on

_task: Callable[[list[Any]], list[Any]] | None = None


def count(workers: int | None) -> int:
    """How many processes to use: as asked, or one a core."""
    if workers is not None and workers < 1:
        raise InputError(f"--workers must be at least 1, not {workers}")
    return workers or os.cpu_count() or 1


def in_chunks(
    task: Callable[[list[T]], list[R]], items: Iterable[T], *, workers: int, chunk: int, total: int
) -> Iterator[R]:
    """`task` applied to `items` in chunks, its results one by one and in order.

    `task` must be picklable where processes are spawned: a function, or a frozen object with `__call__`.
    """
    source = iter(items)
    if workers == 1 or total <= chunk:
        while batch := list(islice(source, chunk)):
            yield from task(batch)
        return
    pool = ProcessPoolExecutor(min(workers, -(-total // chunk)), _context(), _start, (task,))
    try:
        waiting: deque[Future[list[R]]] = deque()
        while batch := list(islice(source, chunk)):
            waiting.append(pool.submit(_run, batch))
            if len(waiting) > workers * (1 + _AHEAD):
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    except BrokenProcessPool:
        raise CounterbenchError(
            "a worker process was killed, perhaps for want of memory; nothing is lost: run the same command again, "
            "with fewer --workers if it happens again"
        ) from None
    finally:
        with _one_interrupt_is_enough():
            pool.shutdown(wait=True, cancel_futures=True)


@contextlib.contextmanager
def _one_interrupt_is_enough() -> Iterator[None]:
    """Ignore Ctrl-C for the moment that the workers take to end: a second one would leave them, and us, waiting."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _context() -> multiprocessing.context.BaseContext:
    """Forking starts a worker in milliseconds where it is sound; elsewhere a worker is a new interpreter."""
    alone = threading.active_count() == 1
    return multiprocessing.get_context("fork" if sys.platform == "linux" and alone else "spawn")


def _start(task: Callable[[list[Any]], list[Any]]) -> None:
    global _task
    _task = task
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to every process; the main one alone decides
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    """End this worker when the main process is gone, however it went (kill -9 leaves no word)."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _run(batch: list[Any]) -> list[Any]:
    assert _task is not None
    return _task(batch)
