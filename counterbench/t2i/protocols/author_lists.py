"""Lists that authors write: JSON in a reply, and its words in a form that can be kept. Nothing is corrected here."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Annotated, Any, TypeVar

import msgspec

T = TypeVar("T")

# A text that is not empty.
Words = Annotated[str, msgspec.Meta(pattern=r"\S")]
_LIST = re.compile(r"\[\s{0,99}\{")
_DECODER = json.JSONDecoder()
_TOLD = 6  # the most faults that the author is told


def listed(
    reply: str, kind: type[T], called: str, faults_of: Callable[[T], Iterable[str]]
) -> tuple[list[T], list[str]]:
    """The items of the one JSON list of objects in a reply, each as `kind`, and the faults of the list.

    `called`: the word for an item in messages to the author; `faults_of` gives the faults of a single item.
    """
    lists = list(_lists(reply))
    if len(lists) != 1:
        return [], [f"it has {len(lists)} JSON lists of {called}s and not one" if lists else "it has no such JSON list"]
    items, faults = [], []
    for number, item in enumerate(lists[0], 1):
        try:
            items.append(typed := msgspec.convert(item, kind))
        except msgspec.ValidationError as error:
            faults.append(f"{called} {number}: {error}")
        else:
            faults += [f"{called} {number}: {fault}" for fault in faults_of(typed)]
    return items, faults


def twice(items: Iterable[tuple[str, object]], verb: str, other: str) -> Iterator[str]:
    """The faults of items with the same words; `other` names the second part of an item, if it differs."""
    before: dict[str, object] = {}
    for words, of in items:
        if plain(words) in before:
            how = "twice" if before[plain(words)] == of else f"twice, with {other}"
            yield f"it {verb} {one_line(words)[:80]!r} {how}"
        before.setdefault(plain(words), of)


def told(faults: Sequence[str]) -> str:
    """The faults of a reply, in words for its author."""
    return "; ".join(faults[:_TOLD])


def one_line(text: str) -> str:
    """Text as it can be written down: without line ends, and without half surrogate pairs, which JSON can spell."""
    return " ".join(text.encode(errors="replace").decode().split())


def plain(text: str) -> str:
    """Text as it is compared: without differences in letter case, spaces and the sign at its end."""
    return one_line(text).casefold().rstrip(" .?!")


def _lists(reply: str) -> Iterator[list[Any]]:
    """The different JSON lists of objects in a reply, with any text around them."""
    end, seen = 0, []
    for start in _LIST.finditer(reply):
        if start.start() < end:  # within the last one
            continue
        try:
            value, end = _DECODER.raw_decode(reply, start.start())
        except ValueError:
            continue
        except RecursionError:  # no list of ours, and its inner lists are nested as deeply
            return
        if value not in seen:
            seen.append(value)
            yield value
