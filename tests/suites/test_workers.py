"""Work is spread in order and within bounded memory, errors come through, and no worker outlives the main process."""

import os
import signal
import threading
import time
from collections.abc import Iterator

import pytest
from sweeping import swept

from counterbench.errors import CounterbenchError, InputError
from counterbench.suites import workers
from counterbench.suites.workers import in_chunks, worker_count


def double(batch: list[int]) -> list[int]:
    return [2 * n for n in batch]


def slowly(batch: list[int]) -> list[int]:
    time.sleep(0.02 * (batch[0] % 3))  # later chunks are often ready first
    return [2 * n for n in batch]


def fail_at_37(batch: list[int]) -> list[int]:
    if 37 in batch:
        raise InputError("item 37 is bad")
    return batch


def dying(batch: list[int]) -> list[int]:
    if 37 in batch:
        os.kill(os.getpid(), signal.SIGKILL)
    return batch


def process(batch: list[int]) -> list[int]:
    return [os.getpid()] * len(batch)


@swept(("processes", "total", "chunk"), [(1, 23, 5), (2, 0, 5), (2, 5, 5), (8, 6, 5), (3, 60, 7)])
def test_results_are_in_order_whatever_the_workers(processes: int, total: int, chunk: int) -> None:
    results = in_chunks(slowly, range(total), workers=processes, chunk=chunk, total=total)
    assert list(results) == [2 * n for n in range(total)]


def test_work_runs_in_other_processes_up_to_the_given_number() -> None:
    pids = set(in_chunks(process, range(100), workers=2, chunk=5, total=100))
    assert os.getpid() not in pids
    assert 1 <= len(pids) <= 2
    assert set(in_chunks(process, range(20), workers=1, chunk=5, total=20)) == {os.getpid()}
    assert worker_count(3) == 3
    assert worker_count(None) >= 1
    with pytest.raises(InputError, match="--workers must be at least 1, not 0"):
        worker_count(0)


@pytest.mark.parametrize("processes", [1, 2])
def test_the_source_is_never_read_far_ahead(processes: int) -> None:
    read = 0

    def source() -> Iterator[int]:
        nonlocal read
        for n in range(400):
            read += 1
            yield n

    chunk = 5
    most = chunk * (processes * workers._AHEAD + 2) if processes > 1 else chunk
    for done, _ in enumerate(in_chunks(double, source(), workers=processes, chunk=chunk, total=400)):
        assert read - done <= most
    assert read == 400


@pytest.mark.parametrize("processes", [1, 2])
def test_an_error_comes_through_after_the_results_before_it(processes: int) -> None:
    results = in_chunks(fail_at_37, range(100), workers=processes, chunk=10, total=100)
    assert [next(results) for _ in range(30)] == list(range(30))
    with pytest.raises(InputError, match="item 37 is bad"):
        next(results)


def test_a_killed_worker_is_a_clear_error() -> None:
    with pytest.raises(CounterbenchError):
        list(in_chunks(dying, range(100), workers=2, chunk=10, total=100))


def test_workers_are_spawned_if_other_threads_run() -> None:
    release = threading.Event()
    thread = threading.Thread(target=release.wait)
    thread.start()
    try:
        assert list(in_chunks(double, range(20), workers=2, chunk=5, total=20)) == [2 * n for n in range(20)]
    finally:
        release.set()
        thread.join()
