"""Replies of an images API: a picture, its address, a refusal, or an error in the reply.

A refusal counts against the model, a failure does not. So only a code, a filter's verdict or the message of a JSON
error counts as a refusal: never a page of HTML, nor a word somewhere in a body.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any

import msgspec

from counterbench.judges.openai.failures import REFUSAL_CODES
from counterbench.judges.openai.replies import Malformed, count, decode, dig, price, start, text_of
from counterbench.t2i.generators.base import Drawing

# The statuses of a refusal, beside 200.
REFUSAL_STATUSES = frozenset({400, 403, 422, 451})
# Messages of servers without such codes: a word for the refusal, and a word for the filter.
_DECLINED = re.compile(
    r"(?=.*(?:block|flagg|reject|refus|filter|declin|detect|violat|not allowed by))"
    r"(?=.*(?:safety|content[ _-]?(?:policy|filter)|moderation|responsible ?ai|nsfw|guardrail))",
    re.IGNORECASE | re.DOTALL,
)
# A filter that is out of order has declined nothing.
_TROUBLE = re.compile(r"unavailable|timed? ?out|overloaded|temporar|try again", re.IGNORECASE)
_FILTERED = "the server filtered the picture"
# Some servers send a picture's file as a data URL.
_DATA = "data:image/"


class Answered(msgspec.Struct, frozen=True):
    """A reply that was read."""

    drawing: Drawing
    url: str = ""  # the drawing's picture is empty until it is fetched from there


def read_body(content: bytes, model: str, prompt: str) -> Answered:
    """The first picture of a reply to `prompt`, or its refusal. Malformed if the reply is neither."""
    data = json_of(content)
    if not isinstance(data, dict):
        raise Malformed(f"not a JSON object: {start(content)}")
    first = dig(data, "data", 0)
    url, encoded = text_of(dig(first, "url")), text_of(dig(first, "b64_json"))
    taken_away = dig(first, "finish_reason") == "content_filter" or True in (dig(first, "nsfw"), dig(first, "has_nsfw"))
    if data.get("error") or taken_away or not (url or encoded):
        if said := refusal(data, prompt) or (_FILTERED if taken_away else ""):
            return Answered(Drawing(refusal=said, model=model))
        what = "an error in place of a picture" if data.get("error") else "no picture"
        raise Malformed(f"{what}: {start(content)}", dig(data, "error", "code"))
    if url.startswith(_DATA):
        url, encoded = "", url
    usage = data.get("usage")
    drawing = Drawing(
        picture=_decoded(encoded) if encoded else b"",
        model=text_of(data.get("model")) or model,
        revised=text_of(dig(first, "revised_prompt")),
        tokens_in=count(dig(usage, "input_tokens"), dig(usage, "prompt_tokens")),
        tokens_out=count(dig(usage, "output_tokens"), dig(usage, "completion_tokens")),
        cost=price(dig(usage, "cost")),
    )
    return Answered(drawing, "" if encoded else url)


def refusal(data: object, prompt: str) -> str:
    """The words of a JSON body that refuse to draw `prompt`; empty if it is no refusal.

    A server may repeat the prompt, so the prompt's words are no evidence. Nor is an error about another parameter.
    """
    if not isinstance(data, dict):
        return ""
    error = data.get("error")
    fields = error if isinstance(error, dict) else data
    said = error if isinstance(error, str) else text_of(fields.get("message")) or text_of(fields.get("detail"))
    code = fields.get("code")
    if isinstance(code, int) and code not in REFUSAL_STATUSES:  # the server's own trouble
        return ""
    if {str(code).lower(), str(fields.get("type")).lower()} & REFUSAL_CODES or _is_filtered(data):
        return said or _FILTERED
    ours = said.replace(prompt, "") if prompt else said
    about_the_prompt = fields.get("param") in (None, "", "prompt") and not _TROUBLE.search(ours)
    return said if about_the_prompt and _DECLINED.search(ours) else ""


def json_of(content: bytes) -> Any:
    """A body as JSON; None if it is none."""
    try:
        return decode(content)
    except Malformed:
        return None


def _is_filtered(data: object) -> bool:
    """True if a filter's results, at any depth of a body, say that anything was filtered."""
    waiting = [data]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            if item.get("filtered") is True:
                return True
            waiting += item.values()
        elif isinstance(item, list):
            waiting += item
    return False


def _decoded(text: str) -> bytes:
    plain = text.partition("base64,")[2] if text.startswith("data:") else text
    try:
        return base64.b64decode("".join(plain.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise Malformed(f"b64_json is not base64: {error}") from None
