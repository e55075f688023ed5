"""Reads the body of a server's response: turns its bytes into a `Reply`, or raises Malformed with what is wrong.

A response with status 200 may still hold an error, or half a reply. `read_body` is the main function: it decodes JSON
(`decode`), or joins a stream of events into one document (`_joined_events`), since some servers reply only in streams.
Then it reads the text, the reason why the reply ended, the tokens and their likelihoods. There are two forms of reply:
that of the chat API (`_chat_reply`) and that of the responses API (`_responses_reply`).

`dig`, `text_of`, `token_count` and `cost_of`, at the end, take values from JSON data of which nothing is certain.
"""

import codecs
import json
import math
from collections.abc import Mapping
from typing import Any

import msgspec

from counterbench.answers.outcomes import Failed
from counterbench.answers.soft import Token
from counterbench.judges.base import Reply, Retry
from counterbench.judges.openai.server_options import OpenAIOptions

# Our words for the ends of replies (`Reply.finish`), by the words of servers.
_ENDS = {
    "max_tokens": "length", "max_output_tokens": "length", "model_length": "length", "safety": "content_filter",
    "prohibited_content": "content_filter", "recitation": "content_filter", "blocklist": "content_filter",
    "end_turn": "stop", "stop_sequence": "stop", "completed": "stop", "eos": "stop", "eos_token": "stop",
}  # fmt: skip
# Ends with which a reply declines, and all ends with which it may have no text.
_DECLINING_ENDS = ("content_filter", "refusal")
_WORDLESS_ENDS = ("length", *_DECLINING_ENDS)
# The most bytes of a body: a reply of 10,000 tokens with 20 alternatives for each is smaller.
MAX_BYTES = 16 * 2**20
_MAX_START = 65_536  # bytes of a body that are kept for a message
_MAX_TOKENS = 2**40  # a larger number cannot be a count of tokens
_PADDING = b"\0 \t\r\n"  # bytes around a body that say nothing
_STREAM_STARTS = (b"data:", b"event:", b":")  # beginnings of a stream of events; no JSON begins so
# The events that end a stream of the responses API.
_LAST_EVENTS = ("response.completed", "response.incomplete", "response.failed")


class Malformed(Exception):
    """The error for a body that is no reply, though the response's status says so. The message shows its beginning.

    `code`: the error code in the body, if any. `reply`: the failed reply to record, with its cost.
    """

    def __init__(self, message: str, code: object = None) -> None:
        super().__init__(message)
        self.code = code
        self.reply = Reply(failure=Failed("malformed", message), retry=Retry())


def read_body(content: bytes, options: OpenAIOptions) -> Reply:
    """The reply in a body, with its tokens and the cost that the server gives; Malformed if it is no complete reply."""
    data = _joined_events(content) if _stripped(content)[:6].startswith(_STREAM_STARTS) else decode(content)
    if not isinstance(data, dict):
        raise Malformed(f"not a JSON object: {body_start(content)}")
    usage = data.get("usage")
    usage_fields = tokens_of(usage) | {"cost": cost_of(dig(usage, "cost"))}
    try:
        if data.get("error"):
            raise Malformed(f"an error in place of a reply: {body_start(content)}", dig(data, "error", "code"))
        reply = (_chat_reply if options.api == "chat" else _responses_reply)(data, content)
        is_empty = reply is None or (not (reply.text or "").strip() and reply.finish not in _DECLINING_ENDS)
        if is_empty and (reason := _reason_for_no_answer(data, usage_fields["tokens_reasoning"])):
            why = f"the answer is empty, {reason}"
            reply = Reply(failure=Failed("empty", why), retry=Retry(most=1), stop=why, only_this=True)
        if reply is None:
            raise Malformed(f"a reply without content: {body_start(content)}")
    except Malformed as error:
        error.reply = msgspec.structs.replace(error.reply, **usage_fields)
        raise
    return msgspec.structs.replace(reply, model=text_of(data.get("model")), **usage_fields)


def decode(content: bytes) -> Any:
    """A body as JSON; Malformed if it is none.

    The reply was paid for, so faults that JSON does not allow are tolerated: a byte order mark, NULs around it, bytes
    that are no UTF-8, half surrogate pairs, NaN.
    """
    try:
        return json.loads(_stripped(content).decode("utf-8", "replace"), strict=False)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"not JSON ({error}): {body_start(content)}") from None


def _stripped(content: bytes) -> bytes:
    """A body without a byte order mark, and without NULs and white space around it."""
    return content.strip(_PADDING).removeprefix(codecs.BOM_UTF8).strip(_PADDING)


def tokens_of(usage: object) -> dict[str, Any]:
    """The numbers of tokens in a server's `usage`, by their names in a `Reply`; None for those that it does not give.

    Some servers (Gemini) count reasoning only in the total, and not in the tokens out. Since it is charged as tokens
    out are, it is added to them.
    """
    tokens_in = token_count(dig(usage, "prompt_tokens"), dig(usage, "input_tokens"))
    tokens_out = token_count(dig(usage, "completion_tokens"), dig(usage, "output_tokens"))
    fields = ("completion_tokens_details", "output_tokens_details")
    reasoned = token_count(*(dig(usage, details, "reasoning_tokens") for details in fields))
    total = token_count(dig(usage, "total_tokens"))
    if tokens_in is not None and total is not None and (hidden := total - tokens_in - (tokens_out or 0)) > 0:
        tokens_out = (tokens_out or 0) + hidden
        reasoned = max(hidden, reasoned or 0)
    return {"tokens_in": tokens_in, "tokens_out": tokens_out, "tokens_reasoning": reasoned}


def _joined_events(content: bytes) -> dict[str, Any]:
    """The reply joined from the events of a stream, or the error in one of them; Malformed if the stream broke off."""
    document: dict[str, Any] = {}
    texts: dict[str, list[str]] = {"content": [], "refusal": [], "reasoning_content": [], "reasoning": []}
    calls: list[Any] = []
    tokens: list[Any] = []
    finish: Any = None
    done = False
    for line in _stripped(content).splitlines():
        data = line[5:].strip() if line.startswith(b"data:") else b""
        done = done or data == b"[DONE]"
        event = decode(data) if data and not done else None
        if not isinstance(event, dict):
            continue
        if event.get("error") or event.get("type") == "error":
            return event if event.get("error") else {"error": event}
        if event.get("type") in _LAST_EVENTS and isinstance(event.get("response"), dict):
            response: dict[str, Any] = event["response"]  # the last event repeats the whole reply
            return response
        document |= {name: event[name] for name in ("model", "usage") if event.get(name)}
        choice = dig(event, "choices", 0)
        for name, parts in texts.items():
            parts += [part] if isinstance(part := dig(choice, "delta", name), str) else []
        tokens += _as_list(dig(choice, "logprobs", "content"))
        calls += _as_list(dig(choice, "delta", "tool_calls"))
        finish = dig(choice, "finish_reason") or finish
    if finish is None and not done:
        raise Malformed(f"a stream that broke off: {body_start(content)}")
    message: dict[str, Any] = {name: "".join(parts) if parts else None for name, parts in texts.items()}
    message["tool_calls"] = calls
    return document | {
        "choices": [{"message": message, "finish_reason": finish, "logprobs": {"content": tokens or None}}]
    }


def _chat_reply(data: Mapping[str, Any], content: bytes) -> Reply | None:
    """The reply in a chat completion; None if it has no text."""
    choice = dig(data, "choices", 0)
    message = dig(choice, "message")
    if not isinstance(message, dict):
        raise Malformed(f"no choices: {body_start(content)}")
    finish = _finish_word(dig(choice, "finish_reason"))
    if finish == "error":
        raise Malformed(f"the reply ended in an error: {body_start(content)}", dig(choice, "error", "code"))
    if refusal := text_of(message.get("refusal")):
        return Reply(text=refusal, finish="refusal")
    return _text_reply(_text_in(message.get("content"), "text"), finish, _tokens_in(dig(choice, "logprobs", "content")))


def _responses_reply(data: Mapping[str, Any], content: bytes) -> Reply | None:
    """The reply in a response of the responses API; None if it has no text."""
    status = text_of(data.get("status"))
    finish = _finish_word(dig(data, "incomplete_details", "reason") or status)
    if status not in ("completed", "incomplete") or not isinstance(data.get("output"), list):
        raise Malformed(f"no output, status {status!r}: {body_start(content)}")
    messages = [_as_list(dig(item, "content")) for item in data["output"] if dig(item, "type") == "message"]
    parts = [part for message in messages for part in message]
    for part in parts:
        if dig(part, "type") == "refusal":
            return Reply(text=text_of(dig(part, "refusal")), finish="refusal")
    tokens = tuple(token for part in parts for token in _tokens_in(dig(part, "logprobs")) or ())
    return _text_reply(_text_in(parts, "output_text"), finish, tokens or None)


def _reason_for_no_answer(data: Mapping[str, Any], reasoned: int | None) -> str:
    """The reason, with advice, why a reply has no text: it is a tool call, or only reasoning; empty for any other.

    `reasoned`: the number of tokens of reasoning, if the server gives it.
    """
    message, items = dig(data, "choices", 0, "message"), _as_list(data.get("output"))
    kinds = [text_of(dig(item, "type")) for item in items]
    if dig(message, "tool_calls") or dig(message, "function_call") or any(kind.endswith("_call") for kind in kinds):
        return "the reply is a tool call: ask without tools"
    has_thoughts = any(text_of(dig(message, name)).strip() for name in ("reasoning_content", "reasoning", "thinking"))
    if reasoned or has_thoughts or "reasoning" in kinds:
        amount = f"{reasoned} tokens of " if reasoned else ""
        return f"the reply has only {amount}reasoning: raise max_tokens or turn thinking off"
    return ""


def _text_reply(text: str | None, finish: str, tokens: tuple[Token, ...] | None) -> Reply | None:
    """A reply with this text; None if there is no text, and the end of the reply does not explain that."""
    if text is None and finish not in _WORDLESS_ENDS:
        return None
    return Reply(text=text or "", finish=finish, logprobs=tokens)


def _text_in(content: object, kind: str) -> str | None:
    """The text of a message, whose content is a text or a list of parts; None if there is none."""
    if isinstance(content, str):
        return content
    texts = [dig(part, "text") for part in _as_list(content) if dig(part, "type") == kind]
    return "".join(text for text in texts if isinstance(text, str)) if texts else None


def _tokens_in(likelihoods: object) -> tuple[Token, ...] | None:
    """The reply's tokens with their log-likelihoods and likeliest alternatives; None if the server gives none."""
    tokens = []
    for item in _as_list(likelihoods):
        if (token := _token_and_logprob(item)) is not None:
            likeliest = [_token_and_logprob(other) for other in _as_list(dig(item, "top_logprobs"))]
            tokens.append(Token(*token, tuple(other for other in likeliest if other is not None)))
    return tuple(tokens) or None


def _token_and_logprob(item: object) -> tuple[str, float] | None:
    """A token's text and log-likelihood; None if one of them is missing."""
    text, logprob = dig(item, "token"), _number(dig(item, "logprob"))
    return (text, logprob) if isinstance(text, str) and logprob is not None else None


def _as_list(value: object) -> list[Any]:
    """The value itself if it is a list, else an empty list."""
    return value if isinstance(value, list) else []


def _number(value: object) -> float | None:
    """The value as a float; None if it is no number, or none that a float can hold."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _finish_word(reason: object) -> str:
    """A server's word for the end of a reply, in the words of `Reply.finish`."""
    name = text_of(reason).lower()
    return _ENDS.get(name, name)


def dig(data: object, *path: str | int) -> Any:
    """The value at a path of keys and indices in JSON data; None if there is nothing."""
    for step in path:
        if isinstance(step, int):
            data = data[step] if isinstance(data, list) and len(data) > step else None
        else:
            data = data.get(step) if isinstance(data, dict) else None
    return data


def text_of(value: object) -> str:
    """A text, half surrogate pairs in it written out; empty for anything else."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else ""


def token_count(*values: object) -> int | None:
    """The first of `values` that can be a number of tokens; None if none can."""
    numbers = (v for v in values if isinstance(v, int) and not isinstance(v, bool))
    return next((number for number in numbers if 0 <= number < _MAX_TOKENS), None)


def cost_of(value: object) -> float | None:
    """A cost in US dollars; None unless the value is a number and not negative."""
    number = _number(value)
    return number if number is not None and number >= 0 else None


def body_start(content: bytes) -> str:
    """The beginning of a body for a message, longer than the message will be, since secrets must still be removed."""
    return content[:_MAX_START].decode("utf-8", "replace")
