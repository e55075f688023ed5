"""Work of a model on this machine: in a thread that can be stopped, in micro-batches that fit its memory.

Micro-batches shrink when the memory runs out, and grow again. A bad item in one does not fail its neighbours.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TypeVar

from counterbench.answers.outcomes import Failed
from counterbench.errors import CounterbenchError
from counterbench.judges.base import raised

T = TypeVar("T")
R = TypeVar("R")

OUT_OF_MEMORY = "out-of-memory"
# torch raises its own class on a GPU, and a plain RuntimeError on the CPU and elsewhere.
_MEMORY_WORDS = ("out of memory", "can't allocate memory", "not enough memory")
_PATIENCE = 4  # batches that must fit before their size grows, at first


class Stopped(Exception):
    """The work was called off; its results so far are dropped."""


class MicroBatches:
    """Runs work on at most `size` items at a time. `free` gives memory back after an item or a batch did not fit.

    If a batch does not fit, `size` is halved. It doubles again, up to what it was, after a number of batches that fit;
    that number doubles each time a batch does not.
    """

    def __init__(self, size: int, free: Callable[[], None]) -> None:
        self.size = self._max_size = size
        self._free = free
        self._fitted, self._patience = 0, _PATIENCE  # batches of this size that fit, and how many make it grow

    def run(self, items: Sequence[T], work: Callable[[Sequence[T]], Sequence[R]], stop: Event) -> list[R | Failed]:
        """The results of `work` for each item, in order; `Failed` for an item that fails even alone.

        Raises Stopped once `stop` is set; errors for the user (CounterbenchError) are passed on.
        """
        done: list[R | Failed] = []
        alone_until = 0  # a batch that failed for another reason is asked one by one, up to here
        while len(done) < len(items):
            if stop.is_set():
                raise Stopped
            start = len(done)
            part = items[start : start + (1 if start < alone_until else self.size)]
            try:
                done += work(part)
                self._fitted += len(part) == self.size
                if self._fitted >= self._patience:
                    self.size, self._fitted = min(self._max_size, 2 * self.size), 0
                continue
            except (CounterbenchError, Stopped):
                raise
            except Exception as error:  # an error of the model concerns these items only; the rest go on
                failure = as_failure(error)
            # Outside the handler, so that the traceback no longer holds the batch's tensors.
            if failure.kind == OUT_OF_MEMORY:
                self._free()
                if len(part) > 1:
                    self.size, self._fitted, self._patience = len(part) // 2, 0, 2 * self._patience
                    continue
            elif len(part) > 1:
                alone_until = start + len(part)
                continue
            done.append(failure)
        if stop.is_set():
            raise Stopped  # the text being written at the stop is incomplete
        return done


class LocalModel:
    """A judge or a generator on this machine, whose model works in a thread of its own.

    `size`: the most items at a time. `free` gives memory back. A subclass lets its model go in `drop`.
    """

    max_in_flight = 1

    def __init__(self, size: int, free: Callable[[], None]) -> None:
        self._free, self._batches = free, MicroBatches(size, free)
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="counterbench-local")

    async def work(self, task: Callable[[Sequence[T], Event], list[R]], batch: Sequence[T]) -> list[R]:
        """The results of `task`, which gets the batch and an event and runs in the worker thread.

        When this coroutine is cancelled, the event is set, and the task must stop.
        """
        stop = Event()
        try:
            return await asyncio.get_running_loop().run_in_executor(self._worker, task, list(batch), stop)
        except asyncio.CancelledError:
            stop.set()
            raise

    async def close(self) -> None:
        """Wait for the worker to stop, drop the model and give its memory back."""
        await asyncio.to_thread(self._worker.shutdown)
        self.drop()
        self._free()

    def drop(self) -> None:
        """Let the model go."""
        raise NotImplementedError


def as_failure(error: Exception) -> Failed:
    """An exception as a failed outcome; all errors for lack of memory are of one kind."""
    failure = raised(error)
    says_so = isinstance(error, RuntimeError) and any(words in failure.message.lower() for words in _MEMORY_WORDS)
    if says_so or failure.kind == "OutOfMemoryError" or isinstance(error, MemoryError):
        return Failed(OUT_OF_MEMORY, f"one question alone does not fit into memory: {failure.message}")
    return failure
