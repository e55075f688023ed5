"""What came back from an images API: the body of a reply as a picture or its address, or what is wrong with it."""

from __future__ import annotations

import base64
import binascii
import math
from typing import Any

import msgspec

from counterbench.t2i.generators import refusals
from counterbench.t2i.generators.base import Drawing

_SHOWN = 300
_MOST_TOKENS, _MOST_DOLLARS = 2**40, 1e6
# Some servers send a picture's file as a data URL.
_DATA = "data:image/"


class Answered(msgspec.Struct, frozen=True):
    """A reply, read. With a `url`, the drawing's picture is empty until it is fetched from there."""

    drawing: Drawing
    url: str = ""


class Malformed(Exception):
    """A reply is not what its status says; the message is evidence.

    `code`: the error code that it carries, if any. `declined`: the words with which it says that it would not draw.
    """

    def __init__(self, message: str, code: object = None, declined: str = "") -> None:
        super().__init__(message)
        self.code, self.declined = code, declined


def read_body(content: bytes, model: str, prompt: str = "") -> Answered:
    """The first picture of a reply to `prompt`. Malformed if there is none."""
    try:
        data = msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed(f"not JSON ({error}): {_start(content)}") from None
    if not isinstance(data, dict):
        raise Malformed(f"not a JSON object: {_start(content)}")
    if data.get("error"):
        code = _get(data["error"], "code")
        ours = isinstance(code, int) and code not in refusals.STATUSES  # the server's trouble, whatever it says
        why = "" if ours else refusals.declined(data, prompt)
        raise Malformed(f"an error in place of a picture: {_start(content)}", code, why)
    pictures = data.get("data")
    first = pictures[0] if isinstance(pictures, list) and pictures else None
    if not isinstance(first, dict):
        raise Malformed(f"no picture: {_start(content)}", declined=refusals.verdict(data))
    if first.get("finish_reason") == "content_filter" or first.get("nsfw") is True or first.get("has_nsfw") is True:
        raise Malformed(f"filtered: {_start(content)}", declined=refusals.FILTERED)
    usage = data.get("usage")
    url = _text(first.get("url"))
    encoded = _text(first.get("b64_json"))
    if url.startswith(_DATA):
        url, encoded = "", url
    drawing = Drawing(
        picture=_decoded(encoded) if encoded else b"",
        model=_text(data.get("model")) or model,
        revised=_text(first.get("revised_prompt")),
        tokens_in=_count(_get(usage, "input_tokens"), _get(usage, "prompt_tokens")),
        tokens_out=_count(_get(usage, "output_tokens"), _get(usage, "completion_tokens")),
        cost=_price(_get(usage, "cost")),
    )
    if encoded:
        return Answered(drawing)
    if not url:
        raise Malformed(f"neither b64_json nor url: {_start(content)}", declined=refusals.verdict(data))
    return Answered(drawing, url)


def _decoded(text: str) -> bytes:
    plain = text.partition("base64,")[2] if text.startswith("data:") else text
    try:
        return base64.b64decode("".join(plain.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise Malformed(f"b64_json is not base64: {error}") from None


def _get(data: object, name: str) -> Any:
    return data.get(name) if isinstance(data, dict) else None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _count(*values: object) -> int | None:
    numbers = (v for v in values if isinstance(v, int) and not isinstance(v, bool))
    return next((number for number in numbers if 0 <= number < _MOST_TOKENS), None)


def _price(value: object) -> float | None:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return float(value) if 0 <= value < _MOST_DOLLARS and math.isfinite(value) else None


def _start(content: bytes) -> str:
    text = content[:_SHOWN].decode("utf-8", "replace")
    return text + ("…" if len(content) > _SHOWN else "")
