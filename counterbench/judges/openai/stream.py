"""Replies that come as streams of events, as some servers send them alone: put together to what they would be whole."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from counterbench.judges.openai.replies import Malformed, bare, decode, dig, start

_DONE = b"[DONE]"
_ENDS = ("response.completed", "response.incomplete", "response.failed")


def whole(content: bytes) -> bytes:
    """A body as it would be without streaming, which is what it is where no events come. Malformed if it broke off."""
    content = bare(content)
    if not content[:6].startswith((b"data:", b"event:", b":")):  # no JSON begins so
        return content
    document = _added_up(content)
    if document is None:
        raise Malformed(f"a stream that broke off: {start(content)}")
    return json.dumps(document).encode()  # which keeps what `decode` lets pass


def _added_up(content: bytes) -> dict[str, Any] | None:
    """The reply that the events make together, or the error that one is; None if the last of them is missing."""
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
            response: dict[str, Any] = event["response"]  # all of it once more, at the end
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
    """The data of each event; one of several lines is one."""
    lines: list[bytes] = []
    for line in [*content.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n"), b""]:
        if line.startswith(b"data:"):
            lines.append(line[5:].removeprefix(b" "))
        elif not line and lines:
            yield b"\n".join(lines).strip()
            lines = []
