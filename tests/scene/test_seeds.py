"""Draws that can never change silently, are uniform, and depend on their key alone."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterbench.scene.seeds import TRAINING, Stream

Key = tuple[str | int, ...]
parts = st.lists(st.integers() | st.text('ab1é",[', max_size=3), max_size=4).map(tuple)


class GivenWords(Stream):
    """A stream that yields the 32-bit words it is given."""

    def __init__(self, *words: int) -> None:
        super().__init__("words")
        self._list = list(words)

    def _word(self) -> int:
        return self._list.pop(0)


GOLDEN: list[tuple[Key, int, list[int]]] = [
    ((), 4294967296, [2093662368, 612364102, 2262915689, 450796399]),
    ((0, "spatial", 1, 0, 0), 4294967296, [3307373179, 136412841, 473615164, 1138600076, 2919630725, 939286514]),
    (
        (7, "counting", 1, 0),
        1000,
        [408, 169, 816, 540, 464, 762, 733, 149, 9, 768, 551, 561, 603, 681, 697, 806, 519, 390, 177, 957],
    ),
    ((-5, "é"), 10, [7, 9, 3, 3, 9, 6, 5, 1, 1, 3, 8, 1, 7, 1, 8, 6, 4, 3, 2, 0]),
    ((1180591620717411303424, "arrow", 2), 3, [0, 2, 0, 0, 1, 2, 1, 1, 2, 0, 0, 0, 0, 1, 1, 2, 2, 1, 2, 2]),
]


def test_the_draws_have_not_changed() -> None:
    """If this fails, every suite would change: raise no version, find out why."""
    for key, bound, expected in GOLDEN:
        stream = Stream(*key)
        assert [stream.below(bound) for _ in expected] == expected, key


def test_training_draws_have_not_changed_and_differ_from_suites() -> None:
    stream = Stream(7, "counting", 1, 0, person=TRAINING)
    assert [stream.below(1000) for _ in range(6)] == [219, 799, 823, 817, 536, 813]
    child = Stream("golden", person=TRAINING).child("kid", 3)
    assert [child.below(100) for _ in range(6)] == [32, 31, 62, 86, 89, 98]


def test_no_kind_of_draw_has_changed() -> None:
    stream = Stream("golden")
    assert "".join(stream.shuffled("abcdefghij")) == "icfabdghej"
    assert stream.shuffled(range(100))[:6] == [66, 89, 21, 31, 22, 91]
    assert [stream.integer(-5, 5) for _ in range(12)] == [2, -1, -3, -3, 5, 3, 0, 1, 5, 2, -1, 2]
    assert "".join(stream.choice("xyz") for _ in range(10)) == "xzyzyxyzxy"
    assert [stream.chance(0.5) for _ in range(8)] == [False, True, True, True, True, True, False, True]
    child = stream.child("kid", 3)
    assert [child.below(100) for _ in range(6)] == [70, 68, 58, 6, 1, 15]


def test_the_stream_equals_blake2b_in_counter_mode() -> None:
    """The generator written down a second time: BLAKE2b in counter mode, each block of 16 words from its end."""
    key = hashlib.blake2b(b'[0,"spatial",1,4]', digest_size=32, person=b"counterbench/1").digest()
    blocks = (hashlib.blake2b(n.to_bytes(8, "big"), key=key).digest() for n in range(3))
    words = [int.from_bytes(block[i : i + 4], "big") for block in blocks for i in range(60, -4, -4)]
    stream = Stream(0, "spatial", 1, 4)
    assert [stream.below(1 << 32) for _ in words] == words


def first_draws(*key: str | int, count: int = 8) -> list[int]:
    stream = Stream(*key)
    return [stream.below(1 << 32) for _ in range(count)]


@given(parts, parts)
def test_draws_depend_on_the_key_only(first: Key, second: Key) -> None:
    assert first_draws(*first, count=40) == first_draws(*first, count=40)
    assert (first_draws(*first) == first_draws(*second)) == (first == second)


def test_words_that_would_bias_the_draw_are_rejected() -> None:
    top = (1 << 32) - 1
    assert GivenWords(top, 5).below(10) == 5  # 2**32 = 6 mod 10: the last six words are over
    assert GivenWords(top - 5, 5).below(10) == 5
    assert GivenWords(top - 6, 5).below(10) == 9
    assert GivenWords(top).below(1 << 32) == top
    assert GivenWords(top).below(1) == 0
    half = (1 << 31) + 1
    assert GivenWords(half, top, half - 1).below(half) == half - 1


def test_bounds_out_of_range_are_refused() -> None:
    for low, high in ((0, -1), (2, 1), (0, 1 << 32)):
        with pytest.raises(ValueError, match="bound"):
            Stream("x").integer(low, high)


@given(parts, parts)
def test_a_child_is_independent_of_its_parent(key: Key, more: Key) -> None:
    parent = Stream(*key)
    parent.below(10)
    child = parent.child(*more)
    fresh = Stream(*key).child(*more)
    assert [child.below(1 << 32) for _ in range(20)] == [fresh.below(1 << 32) for _ in range(20)]
    assert parent.below(1 << 32) == first_draws(*key)[1]  # the child moved nothing in it


def test_neighbouring_seeds_and_indices_share_nothing_and_no_stream_repeats() -> None:
    draws = [
        tuple(first_draws(seed, family, 1, i, count=2))
        for seed in range(11)
        for family in ("spatial", "arrow")
        for i in range(50)
    ]
    assert len(set(draws)) == len(draws)
    words = first_draws("long", count=1600)
    assert len({tuple(words[i : i + 16]) for i in range(0, 1600, 16)}) == 100
