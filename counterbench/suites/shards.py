"""Shards: the parts of one piece of work on several machines, done independently until `merge` joins them.

They share only a file system at the end. Part K of N is every N-th piece from the K-th, so that each part is like the
whole, and takes as long as the others.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from pathlib import Path
from typing import TypeVar

import msgspec

from counterbench.errors import InputError
from counterbench.text import counted

T = TypeVar("T")

_SHOWN = 3  # the most shards named in a message; further ones are counted


class Shard(msgspec.Struct, frozen=True):
    """Part `k` of `n`, counted from 0, as schedulers count."""

    k: int
    n: int

    def __str__(self) -> str:
        return f"{self.k}/{self.n}"

    @property
    def ending(self) -> str:
        """The end of the name of its folder."""
        return f"--shard-{self.k}-of-{self.n}"

    def part_of(self, whole: Sequence[T]) -> Sequence[T]:
        """Its part of `whole`, which may be empty."""
        return whole[self.k :: self.n]


def read_shard(text: str) -> Shard | None:
    """A shard from a command line, "0/4"; None for an empty text. InputError if there is no such shard."""
    if not text:
        return None
    match = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text, re.ASCII)
    if match is None or int(match[2]) < 1:
        raise InputError(f"--shard must be K/N, part K of N counted from 0, such as 0/4; not {text!r}")
    shard = Shard(int(match[1]), int(match[2]))
    if shard.k >= shard.n:
        last = shard.n - 1
        raise InputError(
            f"--shard {text}: shards count from 0, so of {shard.n} the last is {last}/{shard.n} (as do "
            f"SLURM_ARRAY_TASK_ID with --array=0-{last}, RANK and JOB_COMPLETION_INDEX)"
        )
    return shard


def in_order(shards: Mapping[Path, str]) -> list[Path]:
    """The folders of all shards of one division in their order; `shards`: the shard of each folder.

    InputError if one is no shard, is of another division or occurs twice, or if one is missing.
    """
    by_shard: dict[Shard, Path] = {}
    for path, text in shards.items():
        shard = read_shard(text)
        if shard is None:
            raise InputError(f"{path}: is already complete, not a shard; leave it out, or use it instead of merging")
        first = next(iter(by_shard), shard)
        if shard.n != first.n:
            raise InputError(
                f"{path}: is shard {shard}, and {by_shard[first]} is shard {first}: name shards with the same N"
            )
        if shard in by_shard:
            raise InputError(f"shard {shard} is there twice: {by_shard[shard]} and {path}; leave one out")
        by_shard[shard] = path
    n = next(iter(by_shard)).n
    missing = [f"{k}/{n}" for k in range(n) if Shard(k, n) not in by_shard]
    if missing:
        rest = f" and {len(missing) - _SHOWN} more" if len(missing) > _SHOWN else ""
        raise InputError(
            f"{counted(len(missing), 'shard is', 'shards are')} missing: {', '.join(missing[:_SHOWN])}{rest}; name "
            f"the folder too, or make it by the same command with --shard {missing[0]}"
        )
    return [by_shard[Shard(k, n)] for k in range(n)]


def refuse_unlike(infos: Mapping[Path, object], fields: Iterable[str]) -> None:
    """InputError if folders are not of the same work: these fields must be the same in all."""
    first, like = next(iter(infos.items()))
    for path, info in infos.items():
        for field in fields:
            if getattr(info, field) != getattr(like, field):
                raise InputError(
                    f"{path}: is not of the same work as {first}: its {field.replace('_', ' ')} is "
                    f"{getattr(info, field)!r}, not {getattr(like, field)!r}; leave it out, or make that shard anew by "
                    "the command that made the others"
                )


def in_turn(parts: Iterable[Iterable[T]]) -> Iterator[T]:
    """One item of each part, then the next of each: the whole that `Shard.part_of` divided; the inverse of it."""
    nothing = object()
    turns = chain.from_iterable(zip_longest(*parts, fillvalue=nothing))
    return (item for item in turns if item is not nothing)  # type: ignore[misc]
