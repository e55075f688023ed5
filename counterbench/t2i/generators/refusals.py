"""Whether a server declined to draw a prompt, or something else went wrong: read from what it says in its own fields.

A refusal counts against the model, a failure does not. So only a code, a filter's verdict or the message of a JSON
error is believed: never a page of HTML, nor a word that stands anywhere in a body.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec

# With what status a refusal comes, where it does not come with 200.
STATUSES = frozenset({400, 403, 422, 451})
_CODES = frozenset({
    "moderation_blocked", "content_policy_violation", "content_filter", "contentfilter", "content_filtered",
    "responsibleaipolicyviolation", "safety_violation",
})  # fmt: skip
# What messages of servers without such codes say.
_DECLINED = re.compile(
    r"safety system|safety filter|safety_violations|content[ _-]?policy|content[ _-]?(?:filter|moderation)"
    r"|responsible ?ai|nsfw|unsafe_generation|guardrails|moderation_blocked"
    r"|(?:blocked|flagged|rejected|refused|filtered|declined|stopped)\b.{0,40}\bmoderation"
    r"|\bmoderation\b.{0,40}(?:blocked|flagged|rejected|refused|filtered|declined)",
    re.IGNORECASE,
)
# A filter that is out of order has declined nothing.
_TROUBLE = re.compile(
    r"unavailable|tim(?:ed|e)[ -]?out|overloaded|temporar|try again later|internal error", re.IGNORECASE
)
# What is said of a request's form, not of the prompt.
_FORM = re.compile(
    r"(?:extra|additional|unknown|unsupported|unrecogni[sz]ed|unexpected|invalid)"
    r" (?:inputs?|arguments?|parameters?|fields?|propert\w+|keywords?|options?|keys?|values?)\b|was unexpected",
    re.IGNORECASE,
)
_RESULTS = ("content_filter_result", "content_filter_results", "prompt_filter_results")
_DEEP = 20
FILTERED = "the server filtered the picture"


def json_of(content: bytes) -> Any:
    """A body as JSON; None if it is none."""
    try:
        return msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def declined(data: object, prompt: str = "") -> str:
    """The words with which a JSON body says that it would not draw; empty if it does not say so.

    `prompt` is what was asked for, which a server may repeat: its own words are no evidence.
    """
    if not isinstance(data, dict):
        return ""
    if has_verdict(data):
        return verdict(data)
    message, error = message_of(data), data.get("error")
    fields: dict[str, Any] = error if isinstance(error, dict) else data
    said = message.replace(prompt, "") if prompt else message
    if str(fields.get("param") or "") not in ("", "prompt") or _FORM.search(said) or _TROUBLE.search(said):
        return ""
    return message if _DECLINED.search(said) else ""


def has_verdict(data: object) -> bool:
    """Whether a code or a filter's result in a JSON body says that it would not draw."""
    if not isinstance(data, dict):
        return False
    error = data.get("error")
    fields: dict[str, Any] = error if isinstance(error, dict) else data
    return any(str(fields.get(name) or "").lower() in _CODES for name in ("code", "type")) or _filtered(data)


def verdict(data: object) -> str:
    """The words that go with such a code or result; empty if there is none."""
    return (message_of(data) or FILTERED) if has_verdict(data) else ""


def message_of(data: object) -> str:
    """The message of a JSON error; empty if the body is none, or holds a list of faults of the request's form."""
    if not isinstance(data, dict):
        return ""
    error = data.get("error")
    if isinstance(error, dict):
        data = error
    elif isinstance(error, str):
        return error
    return next((text for name in ("message", "detail") if isinstance(text := data.get(name), str)), "")


def names(message: str, parameters: Iterable[str]) -> bool:
    """Whether a message is about one of the request's parameters, not merely a sentence with the same word in it."""
    return any(
        re.search(
            rf"['\"`]{name}['\"`]|\bbody[.\['\"]+{name}\b|^{name}\b[:']?|: {name}\W*$"
            rf"|\b(?:parameter|argument|field|option|input|property|keyword|value for)s?:? {name}\b",
            message,
            re.IGNORECASE,
        )
        for name in map(re.escape, parameters)
    )


def _filtered(data: object, inside: bool = False, depth: int = 0) -> bool:
    """Whether a filter's results, wherever they stand, say that anything was filtered."""
    if depth > _DEEP:
        return False
    if isinstance(data, list):
        return any(_filtered(item, inside, depth + 1) for item in data)
    if not isinstance(data, dict):
        return False
    return (inside and data.get("filtered") is True) or any(
        _filtered(value, inside or name in _RESULTS, depth + 1) for name, value in data.items()
    )
