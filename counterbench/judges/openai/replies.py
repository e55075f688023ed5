"""What came back: the body of a reply as a `Reply`, or what is wrong with it. A 200 proves nothing by itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from counterbench.answers.outcomes import Failed
from counterbench.answers.soft import Token
from counterbench.judges.base import Reply, Retry
from counterbench.judges.openai.options import OpenAIOptions

# What servers call the ends of replies.
_ENDS = {
    "max_tokens": "length", "max_output_tokens": "length", "model_length": "length", "safety": "content_filter",
    "prohibited_content": "content_filter", "recitation": "content_filter", "blocklist": "content_filter",
    "end_turn": "stop", "stop_sequence": "stop", "completed": "stop", "eos": "stop", "eos_token": "stop",
}  # fmt: skip
# Ends with which no text need come.
_WORDLESS = ("length", "content_filter", "refusal")
_SHOWN = 300


class Malformed(Exception):
    """A reply is not what its status says; the message is evidence. `code`: the error code that it carries, if any."""

    def __init__(self, message: str, code: object = None) -> None:
        super().__init__(message)
        self.code = code


def read_body(content: bytes, options: OpenAIOptions) -> tuple[Reply, str]:
    """The reply, and the id that the server gives it. Malformed if the body is no complete reply."""
    try:
        data = msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed(f"not JSON ({error}): {_start(content)}") from None
    if not isinstance(data, dict):
        raise Malformed(f"not a JSON object: {_start(content)}")
    if data.get("error"):
        raise Malformed(f"an error in place of a reply: {_start(content)}", _dig(data, "error", "code"))
    said = _said_in_chat(data, content) if options.api == "chat" else _said_in_response(data, content)
    text, finish, logprobs = said
    usage = data.get("usage")
    tokens_in = _count(_dig(usage, "prompt_tokens"), _dig(usage, "input_tokens"))
    tokens_out = _count(_dig(usage, "completion_tokens"), _dig(usage, "output_tokens"))
    cost = options.cost(tokens_in, tokens_out)
    if cost is None:
        cost = _price(_dig(usage, "cost"))
    reply = Reply(
        text=text,
        model=_text(data.get("model")),
        finish=finish,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        cost=cost,
        logprobs=logprobs,
    )
    return reply, _text(data.get("id"))


def malformed(error: Malformed, dropped: tuple[str, ...] = ()) -> Reply:
    """The failure that a malformed body is; asking again may help."""
    return Reply(failure=Failed("malformed", str(error)), retry=Retry(), dropped=dropped)


def _said_in_chat(data: Mapping[str, Any], content: bytes) -> tuple[str, str, tuple[Token, ...] | None]:
    choice = _dig(data, "choices", 0)
    message = _dig(choice, "message")
    if not isinstance(message, dict):
        raise Malformed(f"no choices: {_start(content)}")
    finish = _end(_dig(choice, "finish_reason"))
    if finish == "error":
        raise Malformed(f"the reply ended in an error: {_start(content)}", _dig(choice, "error", "code"))
    if refusal := _text(message.get("refusal")):
        return refusal, "refusal", None
    text = _joined(message.get("content"), "text")
    if text is None and finish not in _WORDLESS:
        raise Malformed(f"a reply without content: {_start(content)}")
    return text or "", finish, _tokens(_dig(choice, "logprobs", "content"))


def _said_in_response(data: Mapping[str, Any], content: bytes) -> tuple[str, str, tuple[Token, ...] | None]:
    status = _text(data.get("status"))
    finish = _end(_dig(data, "incomplete_details", "reason") or status)
    output = data.get("output")
    if status not in ("completed", "incomplete") or not isinstance(output, list):
        raise Malformed(f"no output, status {status!r}: {_start(content)}")
    parts = [
        part
        for item in output
        if _dig(item, "type") == "message" and isinstance(_dig(item, "content"), list)
        for part in item["content"]
    ]
    for part in parts:
        if _dig(part, "type") == "refusal":
            return _text(_dig(part, "refusal")), "refusal", None
    text = _joined([part for part in parts if _dig(part, "type") == "output_text"], "output_text") if parts else None
    if text is None and finish not in _WORDLESS:
        raise Malformed(f"a reply without content: {_start(content)}")
    tokens = [token for part in parts for token in _tokens(_dig(part, "logprobs")) or ()]
    return text or "", finish, tuple(tokens) or None


def _joined(content: object, kind: str) -> str | None:
    """The words of a message: a text, or a list of parts."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return None
    texts = [_dig(part, "text") for part in content if _dig(part, "type") == kind]
    return "".join(text for text in texts if isinstance(text, str)) if texts else None


def _tokens(found: object) -> tuple[Token, ...] | None:
    if not isinstance(found, list):
        return None
    tokens = []
    for item in found:
        text, logprob = _dig(item, "token"), _dig(item, "logprob")
        if not isinstance(text, str) or not isinstance(logprob, int | float):
            continue
        top = [(_dig(other, "token"), _dig(other, "logprob")) for other in _dig(item, "top_logprobs") or ()]
        likeliest = tuple((t, float(p)) for t, p in top if isinstance(t, str) and isinstance(p, int | float))
        tokens.append(Token(text, float(logprob), likeliest))
    return tuple(tokens) or None


def _end(reason: object) -> str:
    name = _text(reason).lower()
    return _ENDS.get(name, name)


def _dig(data: object, *path: str | int) -> Any:
    """What lies at `path`; None if there is nothing."""
    for step in path:
        if isinstance(step, int):
            data = data[step] if isinstance(data, list) and len(data) > step else None
        else:
            data = data.get(step) if isinstance(data, dict) else None
    return data


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _count(*values: object) -> int | None:
    return next((v for v in values if isinstance(v, int) and not isinstance(v, bool) and v >= 0), None)


def _price(value: object) -> float | None:
    if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0:
        return float(value)
    return None


def _start(content: bytes) -> str:
    text = content[:_SHOWN].decode("utf-8", "replace")
    return text + ("…" if len(content) > _SHOWN else "")
