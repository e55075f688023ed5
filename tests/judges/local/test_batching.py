"""Micro-batches: they shrink when memory runs out, and one bad item fails alone. No torch is needed here."""

from collections.abc import Sequence
from threading import Event

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sweeping import swept

from counterbench.answers.outcomes import Failed
from counterbench.errors import InputError
from counterbench.judges.local.batching import OUT_OF_MEMORY, MicroBatches, Stopped, as_failure


class Device:
    """Doubles numbers, at most `room` of them at a time; chokes on some."""

    def __init__(self, room: int, bad: frozenset[int] = frozenset()) -> None:
        self.room, self.bad = room, bad
        self.sizes: list[int] = []
        self.freed = 0

    def work(self, part: Sequence[int]) -> list[int]:
        self.sizes.append(len(part))
        if len(part) > self.room:
            raise RuntimeError("CUDA out of memory. Tried to allocate 2 GiB")
        if self.bad & set(part):
            raise ValueError(f"cannot double {sorted(self.bad & set(part))}")
        return [2 * item for item in part]

    def free(self) -> None:
        self.freed += 1


def test_the_batch_size_is_halved_until_it_fits_and_stays() -> None:
    device = Device(room=3)
    batches = MicroBatches(8, device.free)
    assert batches.run(range(20), device.work, Event()) == [2 * i for i in range(20)]
    assert device.sizes == [8, 4] + [2] * 10
    assert (batches.size, device.freed) == (2, 2)
    assert batches.run(range(4), device.work, Event()) == [0, 2, 4, 6]
    assert device.sizes[-2:] == [2, 2]


def test_the_size_grows_again_where_memory_is_back_and_more_slowly_each_time_it_is_not() -> None:
    device = Device(room=4)
    batches = MicroBatches(8, device.free)
    batches.run(range(72), device.work, Event())
    assert device.sizes == [8, *[4] * 8, 8, *[4] * 10]  # eight fit, then eight more do not; now it takes sixteen
    device.room = 8
    batches.run(range(64), device.work, Event())
    assert device.sizes[20:] == [*[4] * 6, *[8] * 5]
    assert batches.size == 8


def test_a_bad_item_fails_alone_and_the_size_stays() -> None:
    device = Device(room=8, bad=frozenset({5}))
    batches = MicroBatches(4, device.free)
    results = batches.run(range(12), device.work, Event())
    assert results[5] == Failed("ValueError", "cannot double [5]")
    assert [r for i, r in enumerate(results) if i != 5] == [2 * i for i in range(12) if i != 5]
    assert (batches.size, device.freed) == (4, 0)
    assert device.sizes == [4, 4, 1, 1, 1, 1, 4]


@given(st.integers(0, 40), st.integers(1, 9), st.integers(0, 9), st.frozensets(st.integers(0, 39)))
def test_every_item_has_its_own_result(count: int, size: int, room: int, bad: frozenset[int]) -> None:
    device = Device(room, bad)
    results = MicroBatches(size, device.free).run(range(count), device.work, Event())
    assert len(results) == count
    for item, result in enumerate(results):
        if room == 0:
            assert isinstance(result, Failed)
            assert result.kind == OUT_OF_MEMORY
        elif item in bad:
            assert isinstance(result, Failed)
            assert result.kind == "ValueError"
        else:
            assert result == 2 * item


def test_a_stop_ends_the_work_between_batches() -> None:
    stop = Event()
    numbers: list[int] = []

    def work(part: Sequence[int]) -> Sequence[int]:
        numbers.extend(part)
        if 3 in part:
            stop.set()
        return part

    with pytest.raises(Stopped):
        MicroBatches(2, lambda: None).run(range(8), work, stop)
    assert numbers == [0, 1, 2, 3]
    stop.clear()
    with pytest.raises(Stopped):
        MicroBatches(8, lambda: None).run(range(4), work, stop)


def test_an_input_error_in_a_batch_is_raised() -> None:
    def work(part: Sequence[int]) -> Sequence[int]:
        raise InputError("pictures/1.png: is missing")

    with pytest.raises(InputError, match="is missing"):
        MicroBatches(2, lambda: None).run(range(4), work, Event())


@swept(
    ("error", "kind"),
    [
        (RuntimeError("MPS backend out of memory (MPS allocated: 18 GB)"), OUT_OF_MEMORY),
        (RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 1 bytes"), OUT_OF_MEMORY),
        (RuntimeError("[enforce fail] DefaultCPUAllocator: not enough memory"), OUT_OF_MEMORY),
        (MemoryError(), OUT_OF_MEMORY),
        (ValueError("no memory of it"), "ValueError"),
        (RuntimeError("shapes differ"), "RuntimeError"),
    ],
)
def test_all_ways_of_running_out_of_memory_are_one_kind_and_other_errors_keep_their_names(
    error: Exception, kind: str
) -> None:
    failure = as_failure(error)
    assert (failure.kind, str(error) in failure.message) == (kind, True)
