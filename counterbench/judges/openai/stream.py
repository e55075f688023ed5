"""Replies as streams of events, the only form of some servers, joined into one body."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from counterbench.judges.openai.replies import Malformed, bare, decode, dig, start

_DONE = b"[DONE]"
_ENDS = ("response.completed", "response.incomplete", "response.failed")


def whole(content: bytes) -> bytes:
    """A body as it would be without streaming; a body without events is unchanged. Malformed if it broke off."""
    content = bare(content)
    if not content[:6].startswith((b"data:", b"event:", b":")):  # no JSON begins with these
        return content
    document = _added_up(content)
    if document is None:
        raise Malformed(f"a stream that broke off: {start(content)}")
    return json.dumps(document).encode()  # this keeps the values that `decode` tolerates


def _added_up(content: bytes) -> dict[str, Any] | None:
    """The reply joined from the events, or the error in one of them; None if the last one is missing."""
    document: dict[str, Any] = {}
    texts: dict[str, list[str]] = {"content": [], "refusal": []}
    tokens: list[Any] = []
    finish: Any = None
    done = False
    for data in _events(content):
        done = done or data == _DONE
        event = None if done else decode(data)
        if not isinstance(event, dict):
            continue
        if event.get("error") or event.get("type") == "error":
            return event if event.get("error") else {"error": event}
        if event.get("type") in _ENDS and isinstance(event.get("response"), dict):
            response: dict[str, Any] = event["response"]  # the last event repeats the whole reply
            return response
        document |= {name: event[name] for name in ("model", "usage") if event.get(name)}
        choice = dig(event, "choices", 0)
        for name, said in texts.items():
            said += [part] if isinstance(part := dig(choice, "delta", name), str) else []
        tokens += likely if isinstance(likely := dig(choice, "logprobs", "content"), list) else []
        finish = dig(choice, "finish_reason") or finish
    if finish is None and not done:
        return None
    message = {name: "".join(said) if said else None for name, said in texts.items()}
    return document | {
        "choices": [{"message": message, "finish_reason": finish, "logprobs": {"content": tokens or None}}]
    }


def _events(content: bytes) -> Iterator[bytes]:
    """The data of each event; data of several lines is joined."""
    lines: list[bytes] = []
    for line in [*content.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n"), b""]:
        if line.startswith(b"data:"):
            lines.append(line[5:].removeprefix(b" "))
        elif not line and lines:
            yield b"\n".join(lines).strip()
            lines = []
