"""A model's reply in the shapes of both APIs: as it should be, with fields edited, or cut."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from loopback.asked import Asked
from loopback.messages import Message, json_bytes


def yes_or_no(asked: Asked) -> str:
    """The default answer: "yes" or "no", determined by the question."""
    return "yes" if int(asked.key or "0", 16) % 2 else "no"


@dataclass(frozen=True)
class Say(Message):
    """A model's reply, in the shape of the API that was asked.

    `text` may be a function of what was asked. `finish` is a chat completion's finish reason ("length" makes a
    response "incomplete"). `logprobs`: for each token its alternatives, {"yes": -0.1, "no": -2.4}, the chosen one
    first; sent if the request asks for log-probabilities. `usage` is (tokens in, tokens out), `reasoned` how many of
    those out it reasoned with, `cost` what routers add.
    """

    text: str | Callable[[Asked], str] | None = yes_or_no
    model: str | None = None
    finish: str | None = "stop"
    logprobs: Sequence[dict[str, float]] | None = None
    usage: tuple[int, int] | None = (200, 2)
    reasoned: int = 0
    cost: float | None = None
    id: str | None = None
    refusal: str | None = None

    @property
    def answers(self) -> bool:
        """Always: cut off and refusing replies too are what the model said."""
        return True

    def document(self, asked: Asked) -> dict[str, Any]:
        """The body before it is JSON."""
        text = self.text(asked) if callable(self.text) else self.text
        if self.refusal is not None:
            text = None
        return self._response(asked, text) if asked.path.endswith("/responses") else self._completion(asked, text)

    def status_and_body(self, asked: Asked) -> tuple[int, str, bytes]:
        """200 and the document."""
        return 200, "application/json", json_bytes(self.document(asked))

    def _completion(self, asked: Asked, text: str | None) -> dict[str, Any]:
        wanted = isinstance(asked.body, dict) and asked.body.get("logprobs")
        tokens = {"content": self._tokens(), "refusal": None} if self.logprobs is not None and wanted else None
        document: dict[str, Any] = {
            "id": self.id or f"chatcmpl-{asked.id}",
            "object": "chat.completion",
            "created": int(time.time()),
            "model": self.model or asked.model,
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": text, "refusal": self.refusal, "annotations": []},
                    "logprobs": tokens,
                    "finish_reason": self.finish,
                }
            ],
            "service_tier": "default",
            "system_fingerprint": None,
        }
        if self.usage is not None:
            prompt, completion = self.usage
            document["usage"] = {
                "prompt_tokens": prompt,
                "completion_tokens": completion,
                "total_tokens": prompt + completion,
                **({"completion_tokens_details": {"reasoning_tokens": self.reasoned}} if self.reasoned else {}),
                **self._cost(),
            }
        return document

    def _response(self, asked: Asked, text: str | None) -> dict[str, Any]:
        wanted = isinstance(asked.body, dict) and "message.output_text.logprobs" in (asked.body.get("include") or ())
        tokens = self._tokens() if self.logprobs is not None and wanted else []
        content: list[dict[str, Any]] = []
        if self.refusal is not None:
            content = [{"type": "refusal", "refusal": self.refusal}]
        elif text is not None:
            content = [{"type": "output_text", "text": text, "annotations": [], "logprobs": tokens}]
        cut = {"length": "max_output_tokens", "content_filter": "content_filter"}.get(self.finish or "")
        status = "incomplete" if cut else "completed"
        message = {"type": "message", "id": f"msg_{asked.id}", "status": status, "role": "assistant"}
        document: dict[str, Any] = {
            "id": self.id or f"resp_{asked.id}",
            "object": "response",
            "created_at": int(time.time()),
            "status": status,
            "error": None,
            "incomplete_details": {"reason": cut} if cut else None,
            "instructions": None,
            "metadata": {},
            "model": self.model or asked.model,
            "output": [{**message, "content": content}],
            "parallel_tool_calls": True,
            "temperature": 1.0,
            "tool_choice": "auto",
            "tools": [],
            "top_p": 1.0,
        }
        if self.usage is not None:
            inward, outward = self.usage
            document["usage"] = {
                "input_tokens": inward,
                "input_tokens_details": {"cached_tokens": 0},
                "output_tokens": outward,
                "output_tokens_details": {"reasoning_tokens": self.reasoned},
                "total_tokens": inward + outward,
                **self._cost(),
            }
        return document

    def _tokens(self) -> list[dict[str, Any]]:
        def token(text: str, logprob: float) -> dict[str, Any]:
            return {"token": text, "logprob": logprob, "bytes": list(text.encode())}

        found = []
        for alternatives in self.logprobs or ():
            options = [token(text, logprob) for text, logprob in alternatives.items()]
            found.append({**options[0], "top_logprobs": options})
        return found

    def _cost(self) -> dict[str, float]:
        return {} if self.cost is None else {"cost": self.cost}


@dataclass(frozen=True)
class Edit(Message):
    """A Say with fields of the document replaced: `Edit({"choices": []})`. The value `...` removes a field.

    It counts as an answer unless the fields that hold the reply are edited.
    """

    fields: dict[str, Any] = field(default_factory=dict)
    of: Say = field(default_factory=Say)

    @property
    def answers(self) -> bool:
        """Whether the reply itself is untouched."""
        return not {"choices", "output", "status", "error"} & self.fields.keys()

    def status_and_body(self, asked: Asked) -> tuple[int, str, bytes]:
        """200 and the edited document."""
        document = self.of.document(asked) | self.fields
        kept = {name: value for name, value in document.items() if value is not ...}
        return 200, "application/json", json_bytes(kept)


@dataclass(frozen=True)
class Truncated(Message):
    """A reply's JSON cut after a share of it, with the content length of what is left: broken JSON, sound HTTP."""

    of: Say = field(default_factory=Say)
    keep: float = 0.5

    def status_and_body(self, asked: Asked) -> tuple[int, str, bytes]:
        """200 and the first part."""
        body = json_bytes(self.of.document(asked))
        return 200, "application/json", body[: int(len(body) * self.keep)]


EMPTY_CHOICES = Edit({"choices": []})
NULL_CHOICES = Edit({"choices": None})
