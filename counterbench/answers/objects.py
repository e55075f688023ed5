"""JSON objects in replies: where they stand, and what they hold. Of a broken one nothing is read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

_BEGINS = re.compile(r"\{\s*[\"'“‘][^\"'“”‘’{}\n]{1,80}[\"'”’]\s*:")
_STRAIGHT = str.maketrans("“”‘’'", '"""""')


class Found(NamedTuple):
    """An object's place in a reply, and what it holds by `key_of` its keys; None if it is broken or cut off."""

    start: int
    end: int
    data: dict[str, object] | None


def objects(reply: str) -> Iterator[Found]:
    """The objects of a reply that is not yet cleaned, in their order; a broken one ends with the reply."""
    at = 0
    while brace := _BEGINS.search(reply, at):
        data, at = _decoded(reply, brace.start())
        yield Found(brace.start(), at, data)


def key_of(name: str) -> str:
    """A name as keys are compared: "Final answer" is "final_answer"."""
    return re.sub(r"[\s-]+", "_", name.strip().casefold())


def _decoded(text: str, start: int) -> tuple[dict[str, object] | None, int]:
    """The object that begins there, and its end; None and the end of the text if it is none."""
    decoder = json.JSONDecoder(object_pairs_hook=_without_rivals)
    for spelling in (text, text.translate(_STRAIGHT)):
        try:
            data, end = decoder.raw_decode(spelling, start)
            return {key_of(key): value for key, value in data.items()}, end
        except (ValueError, RecursionError):
            continue
    return None, len(text)


def _without_rivals(pairs: list[tuple[str, object]]) -> dict[str, object]:
    # Of a key that is given twice with different values, both: an answer has only one.
    found: dict[str, object] = {}
    for key, value in pairs:
        found[key] = [found[key], value] if key in found and found[key] != value else value
    return found
