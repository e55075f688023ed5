"""The JSON objects of a reply, and which of their keys holds the answer."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from counterbench.answers.base import AnswerType

_KEYS = ("final_answer", "finalanswer", "answer", "result", "response")
_AT_EACH_END = 10  # of a reply with more braces, the first and the last


_KEY = re.compile(r"\s*\"([^\"\\]{0,80})\"\s*:\s*")
_COMMA = re.compile(r"\s*,")


class JsonObject(NamedTuple):
    """A JSON object, its keys with underscores, and its place in the text."""

    data: dict[str, object]
    start: int
    end: int


def json_objects(marked: str, whole: bool) -> list[JsonObject]:
    """The outermost JSON objects in a text; `whole`: not those inside an object that is cut off or broken."""
    decoder = json.JSONDecoder(object_pairs_hook=_without_rivals if whole else None)
    found: list[JsonObject] = []
    braces = [match.start() for match in re.finditer(r"\{", marked)]
    done = 0
    broken: list[int] = []
    for start in dict.fromkeys(braces[:_AT_EACH_END] + braces[-_AT_EACH_END:]):
        if start < done:
            continue
        try:
            data, done = decoder.raw_decode(marked, start)
        except (ValueError, RecursionError):
            broken.append(start)
            continue
        if isinstance(data, dict) and not (whole and any(_is_open(marked[one:start]) for one in broken)):
            named = {re.sub(r"[\s-]+", "_", key): value for key, value in data.items()}
            found.append(JsonObject(named, start, done))
    return found


def answer_of(data: dict[str, object], kind: AnswerType) -> str | None:
    """The words for the answer that an object holds; None if it holds none."""
    keys = (*kind.json_keys, *_KEYS) if kind.schema else (*_KEYS, *kind.json_keys)
    for key in keys:
        if key in data and (text := kind.json_text(data[key])) is not None:
            return text.casefold()
    text = kind.json_object_text(data)
    return None if text is None else text.casefold()


def without_cut_object(marked: str) -> str:
    """`marked`; of an object that it ends inside, only the pairs that are whole ("0" may have been going to be 0.5)."""
    decoder = json.JSONDecoder(object_pairs_hook=_without_rivals)
    braces = [match.start() for match in re.finditer(r"\{(?=\s*\")", marked)]
    done = 0
    for start in braces[:_AT_EACH_END] + braces[_AT_EACH_END:][-_AT_EACH_END:]:
        if start < done:
            continue
        try:
            done = decoder.raw_decode(marked, start)[1]
        except (ValueError, RecursionError):
            if _is_open(marked[start:]):
                return marked[:start] + json.dumps(_whole_pairs(marked, start + 1, decoder))
    return marked


def _whole_pairs(marked: str, i: int, decoder: json.JSONDecoder) -> dict[str, object]:
    pairs: list[tuple[str, object]] = []
    try:
        while key := _KEY.match(marked, i):
            value, end = decoder.raw_decode(marked, key.end())
            comma = _COMMA.match(marked, end)
            if comma is None and not (isinstance(value, str) and not marked[end:].strip()):
                break
            if not isinstance(value, dict | list):  # parts of an answer, where the whole of it is missing
                pairs.append((key[1], value))
            if comma is None:
                break
            i = comma.end()
    except (ValueError, RecursionError):
        pass
    return _without_rivals(pairs)


def _without_rivals(pairs: list[tuple[str, object]]) -> dict[str, object]:
    # Of a key that is given twice with different values, both: an answer has only one.
    found: dict[str, object] = {}
    for key, value in pairs:
        found[key] = [found[key], value] if key in found and found[key] != value else value
    return found


def _is_open(text: str) -> bool:
    # A brace that begins an object and is not closed by the end of the text.
    return re.match(r"\{\s*\"", text) is not None and text.count("{") > text.count("}")
