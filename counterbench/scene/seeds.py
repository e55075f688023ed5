"""Randomness with draws that never change: a keyed hash, and a small generator over it.

An item depends on its key, (suite seed, family, version, index, …), and on nothing else: not on other items, the
order of drawing, the platform, or the version of Python or NumPy, where sampling methods may change.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Sequence
from typing import Annotated, TypeVar

import msgspec

from counterbench.errors import InputError

T = TypeVar("T")

# The seed that a user chooses, in a file or on the command line (`check_seed`), fits into 64 bits with a sign.
_MAX_SEED = 2**63 - 1
Seed = Annotated[int, msgspec.Meta(ge=0, le=_MAX_SEED)]

# The purpose of the randomness is a part of the hash itself (BLAKE2's person, 16 bytes at most). So streams for suites
# and for training are independent, whatever their keys are: no training item is among those of a certificate.
SUITES, TRAINING = b"counterbench/1", b"counterbench/t1"

_WORDS = struct.Struct(">16I")  # a BLAKE2b digest of 64 bytes is 16 words of 32 bits
_encode = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode


def check_seed(seed: int) -> int:
    """The seed; InputError if it is not in the range of `Seed`."""
    if not 0 <= seed <= _MAX_SEED:
        raise InputError(f"--seed must be from 0 to 2**63 - 1, not {seed}")
    return seed


class Stream:
    """An endless stream of draws that is a pure function of its key.

    `parts` are the key: numbers and texts. `person`: the purpose of the draws, SUITES or TRAINING.

    >>> Stream(7, "counting", 1, 0).integer(1, 6) == Stream(7, "counting", 1, 0).integer(1, 6)
    True
    """

    __slots__ = ("_block", "_key", "_parts", "_person", "_words")

    def __init__(self, *parts: str | int, person: bytes = SUITES) -> None:
        self._parts, self._person = parts, person
        self._key = hashlib.blake2b(_encode(parts).encode("ascii"), digest_size=32, person=person).digest()
        self._block = 0
        self._words: list[int] = []

    def child(self, *parts: str | int) -> Stream:
        """An independent stream, whose key is the key of this one followed by `parts`."""
        return Stream(*self._parts, *parts, person=self._person)

    def _word(self) -> int:
        """The next draw: 32 random bits."""
        if not self._words:
            block = hashlib.blake2b(self._block.to_bytes(8, "big"), key=self._key).digest()
            self._block += 1
            self._words = list(_WORDS.unpack(block))
        return self._words.pop()

    def noise(self, count: int) -> bytes:
        """`count` random bytes at once for a picture's grain, keyed by the next draw."""
        key = self._key + self._word().to_bytes(4, "big")
        return hashlib.shake_256(key).digest(count)

    def below(self, bound: int) -> int:
        """A uniform integer in 0 … bound − 1 (bound from 1 to 2³²); rejection keeps it free of modulo bias."""
        if not 1 <= bound <= 1 << 32:
            raise ValueError(f"bound must be from 1 to 2**32, not {bound}")
        limit = (1 << 32) - (1 << 32) % bound
        while True:
            word = self._words.pop() if self._words else self._word()
            if word < limit:
                return word % bound

    def integer(self, low: int, high: int) -> int:
        """A uniform integer from `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def choice(self, options: Sequence[T]) -> T:
        """One of `options`, each equally likely."""
        return options[self.below(len(options))]

    def chance(self, share: float) -> bool:
        """True with probability `share` (0 to 1), in steps of 2⁻³²."""
        return self._word() < int(share * (1 << 32))

    def shuffled(self, options: Sequence[T]) -> list[T]:
        """A new list with `options` in a uniformly random order (Fisher–Yates)."""
        items = list(options)
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
        return items
