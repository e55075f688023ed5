"""JSON objects in replies, with their places. Nothing is read of a broken object."""

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

_BEGINS = re.compile(r"\{\s*[\"'“‘][^\"'“”‘’{}\n]{1,80}[\"'”’]\s*:")
_STRAIGHT = str.maketrans("“”‘’'", '"""""')


class JsonObject(NamedTuple):
    """An object in a reply, and its place."""

    start: int
    end: int
    data: dict[str, object] | None  # by `key_of` its keys; None if it is broken or cut off


def objects(reply: str) -> Iterator[JsonObject]:
    """The objects of a reply that is not yet cleaned, in their order; a broken one ends with the reply."""
    at = 0
    while brace := _BEGINS.search(reply, at):
        data, at = _decoded(reply, brace.start())
        yield JsonObject(brace.start(), at, data)


def key_of(name: str) -> str:
    """A name as keys are compared: "Final answer" is "final_answer"."""
    return re.sub(r"[\s-]+", "_", name.strip().casefold())


def _decoded(text: str, start: int) -> tuple[dict[str, object] | None, int]:
    """The object that begins at `start`, and its end; None and the end of the text if it is broken."""
    decoder = json.JSONDecoder(object_pairs_hook=_without_rivals)
    for spelling in (text, text.translate(_STRAIGHT)):
        try:
            data, end = decoder.raw_decode(spelling, start)
            return {key_of(key): value for key, value in data.items()}, end
        except (ValueError, RecursionError):
            continue
    return None, len(text)


def _without_rivals(pairs: list[tuple[str, object]]) -> dict[str, object]:
    # A key that is given twice with different values keeps both, so that it is no single answer.
    data: dict[str, object] = {}
    for key, value in pairs:
        data[key] = [data[key], value] if key in data and data[key] != value else value
    return data
