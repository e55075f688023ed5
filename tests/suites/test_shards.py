"""Shards part a whole, and are named on a command line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sweeping import swept

from counterbench.errors import InputError
from counterbench.suites.shards import Shard, in_turn, read_shard


@given(st.lists(st.integers()), st.integers(1, 40))
def test_shards_split_the_whole_and_join_to_it(whole: list[int], n: int) -> None:
    shares = [Shard(k, n).part_of(whole) for k in range(n)]
    assert max(map(len, shares)) - min(map(len, shares)) <= 1
    assert list(in_turn(shares)) == whole


@swept(
    ("text", "message"),
    [
        ("4/4", "shards count from 0, so of 4 the last is 3/4"),
        ("7/4", "the last is 3/4"),
        ("1/0", "must be K/N"),
        ("-1/4", "must be K/N"),
        ("1", "must be K/N"),
        ("1/2/3", "must be K/N"),
        ("١/٤", "must be K/N"),
    ],
)
def test_an_invalid_shard_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_shard(text)
    assert read_shard("") is None
    assert str(read_shard("0/4")) == "0/4"
