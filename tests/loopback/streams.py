"""A model's reply as a stream of events (SSE), in the shapes of both APIs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from loopback.asked import Asked
from loopback.messages import Message, json_bytes
from loopback.say import Say


@dataclass(frozen=True)
class Streamed(Message):
    """A Say in events: a word each, then its end, then its usage where `stream_options` asks for it, then [DONE].

    `keep`: so many of the events come, and none after them (-1: all but the last); None: all.
    """

    of: Say = field(default_factory=Say)
    keep: int | None = None

    @property
    def answers(self) -> bool:
        """If it is whole."""
        return self.keep is None

    def status_and_body(self, asked: Asked) -> tuple[int, str, bytes]:
        """200 and the events."""
        document = self.of.document(asked)
        events = list(_of_response(document) if "output" in document else _of_completion(document, asked))
        return 200, "text/event-stream; charset=utf-8", b"".join(events[: self.keep])


def _event(data: dict[str, Any], name: str = "") -> bytes:
    head = f"event: {name}\n".encode() if name else b""
    return head + b"data: " + json_bytes(data) + b"\n\n"


def _of_completion(document: dict[str, Any], asked: Asked) -> Iterator[bytes]:
    common = {name: document[name] for name in ("id", "created", "model")} | {"object": "chat.completion.chunk"}
    choice = document["choices"][0]

    def chunk(delta: dict[str, Any], finish: str | None = None, logprobs: Any = None) -> bytes:
        one = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": logprobs}
        return _event(common | {"choices": [one]})

    yield b": a comment\n\n"
    yield chunk({"role": "assistant", "content": ""})
    for name in ("refusal", "content"):
        words = (choice["message"][name] or "").split(" ")
        for i, word in enumerate(words if words != [""] else []):
            yield chunk({name: f"{' ' if i else ''}{word}"}, logprobs=choice["logprobs"] if not i else None)
    yield chunk({}, choice["finish_reason"])
    wanted = isinstance(asked.body, dict) and (asked.body.get("stream_options") or {}).get("include_usage")
    if wanted and "usage" in document:
        yield _event(common | {"choices": [], "usage": document["usage"]})
    yield b"data: [DONE]\n\n"


def _of_response(document: dict[str, Any]) -> Iterator[bytes]:
    yield _event({"type": "response.created", "response": document | {"status": "in_progress", "output": []}})
    for part in document["output"][0]["content"]:
        text = part.get("text") or part.get("refusal")
        yield _event({"type": "response.output_text.delta", "delta": text}, "response.output_text.delta")
    end = f"response.{document['status']}"
    yield _event({"type": end, "response": document}, end)
