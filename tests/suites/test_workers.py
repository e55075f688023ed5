"""Work is spread in order and within bounded memory, errors come through, and no worker outlives the main process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbench.errors import CounterbenchError, InputError
from counterbench.suites import workers
from counterbench.suites.workers import count, in_chunks


def double(batch: list[int]) -> list[int]:
    return [2 * n for n in batch]


def slowly(batch: list[int]) -> list[int]:
    time.sleep(0.02 * (batch[0] % 3))  # later chunks are often ready first
    return [2 * n for n in batch]


def failing(batch: list[int]) -> list[int]:
    if 37 in batch:
        raise InputError("item 37 is bad")
    return batch


def dying(batch: list[int]) -> list[int]:
    if 37 in batch:
        os.kill(os.getpid(), signal.SIGKILL)
    return batch


def process(batch: list[int]) -> list[int]:
    return [os.getpid()] * len(batch)


@given(total=st.integers(0, 60), chunk=st.integers(1, 25))
def test_one_worker_gives_every_result_in_order(total: int, chunk: int) -> None:
    results = in_chunks(double, range(total), workers=1, chunk=chunk, total=total)
    assert list(results) == [2 * n for n in range(total)]


@pytest.mark.parametrize(("processes", "total", "chunk"), [(2, 0, 5), (2, 5, 5), (8, 6, 5), (3, 60, 7)])
def test_results_are_in_order_whatever_the_workers(processes: int, total: int, chunk: int) -> None:
    results = in_chunks(slowly, range(total), workers=processes, chunk=chunk, total=total)
    assert list(results) == [2 * n for n in range(total)]


def test_a_wrong_total_loses_nothing() -> None:
    assert list(in_chunks(double, range(50), workers=2, chunk=5, total=7)) == [2 * n for n in range(50)]


def test_work_is_done_elsewhere_and_by_no_more_than_asked() -> None:
    seen = set(in_chunks(process, range(100), workers=2, chunk=5, total=100))
    assert os.getpid() not in seen
    assert 1 <= len(seen) <= 2
    assert set(in_chunks(process, range(20), workers=1, chunk=5, total=20)) == {os.getpid()}
    assert count(3) == 3
    assert count(None) >= 1
    with pytest.raises(InputError, match="--workers must be at least 1, not 0"):
        count(0)


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
def test_a_consumer_may_leave_early(processes: int) -> None:
    results = in_chunks(slowly, range(100_000), workers=processes, chunk=5, total=100_000)
    assert [next(results) for _ in range(7)] == [0, 2, 4, 6, 8, 10, 12]
    began = time.monotonic()
    results.close()  # type: ignore[attr-defined]
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("processes", [1, 2])
def test_an_error_comes_through_after_the_results_before_it(processes: int) -> None:
    results = in_chunks(failing, range(100), workers=processes, chunk=10, total=100)
    assert [next(results) for _ in range(30)] == list(range(30))
    with pytest.raises(InputError, match="item 37 is bad"):
        next(results)


@pytest.mark.parametrize("processes", [1, 2])
def test_an_error_of_the_source_comes_through(processes: int) -> None:
    def source() -> Iterator[int]:
        yield from range(25)
        raise InputError("the file is damaged")

    with pytest.raises(InputError, match="the file is damaged"):
        list(in_chunks(double, source(), workers=processes, chunk=10, total=100))


def test_a_killed_worker_is_a_clear_error() -> None:
    with pytest.raises(CounterbenchError):
        list(in_chunks(dying, range(100), workers=2, chunk=10, total=100))


def test_where_other_threads_run_workers_are_spawned_and_do_the_same() -> None:
    release = threading.Event()
    thread = threading.Thread(target=release.wait)
    thread.start()
    try:
        assert list(in_chunks(double, range(20), workers=2, chunk=5, total=20)) == [2 * n for n in range(20)]
    finally:
        release.set()
        thread.join()


def living(group: int) -> int:
    """How many processes of a group live (zombies, which nobody may be there to bury, do not count)."""
    listed = subprocess.run(["ps", "-A", "-o", "pgid=,stat="], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in listed.splitlines()]
    return sum(int(row[0]) == group and not row[1].startswith("Z") for row in rows)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="kill -9 is POSIX")
def test_workers_leave_with_a_main_process_that_was_killed(tmp_path: Path) -> None:
    script = tmp_path / "busy.py"
    script.write_text(
        textwrap.dedent(
            """
            import time
            from counterbench.suites import workers

            def nap(batch):
                time.sleep(0.2)
                return batch

            if __name__ == "__main__":
                for n in workers.in_chunks(nap, range(100_000), workers=3, chunk=1, total=100_000):
                    print(n, flush=True)
            """
        )
    )
    main = subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        assert main.stdout is not None
        assert main.stdout.readline() == b"0\n"
        assert living(main.pid) >= 4
        main.kill()
        main.wait()
        until = time.monotonic() + 5
        while living(main.pid) and time.monotonic() < until:
            time.sleep(0.05)
        assert living(main.pid) == 0
    finally:
        if living(main.pid):
            os.killpg(main.pid, signal.SIGKILL)
        if main.stdout is not None:
            main.stdout.close()
