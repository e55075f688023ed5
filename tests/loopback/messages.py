"""Responses that a script may return: replies of a model in the shapes of three APIs (whole, edited, cut, in streams),
statuses, and any body at all."""

import functools
import http
import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from loopback.asked import Asked
from loopback.wire import Wire


class Respond:
    """What a script may return."""

    @property
    def answers(self) -> bool:
        """Whether it is an answer of the model, if it reaches the client whole."""
        return False

    async def send(self, request: Asked, wire: Wire) -> None:
        raise NotImplementedError


@dataclass(frozen=True)
class Message(Respond):
    """A response that is whole on the wire. `headers` add to or replace the usual; `delay` counts from arrival."""

    headers: dict[str, str] = field(default_factory=dict, kw_only=True)
    delay: float = field(default=0.0, kw_only=True)

    def status_and_body(self, request: Asked) -> tuple[int, str, bytes]:
        raise NotImplementedError

    def render(self, request: Asked) -> tuple[bytes, bytes]:
        status, content_type, body = self.status_and_body(request)
        headers = {
            "content-type": content_type,
            "content-length": str(len(body)),
            "x-request-id": f"req_{request.id}",
        } | {name.lower(): value for name, value in self.headers.items()}
        lines = [f"HTTP/1.1 {status} {reason_phrase(status)}", *(f"{name}: {value}" for name, value in headers.items())]
        return "\r\n".join([*lines, "", ""]).encode("latin-1"), body

    async def send(self, request: Asked, wire: Wire) -> None:
        """All of it in one write, so that a small one is one segment."""
        await wire.until(request.arrived + self.delay)
        head, body = self.render(request)
        await wire.write(head + body)


@dataclass(frozen=True)
class Status(Message):
    """A status other than 200. `body`: a dict (JSON), a text (HTML or plain), or the usual shape of an API error."""

    status: int
    body: dict[str, Any] | list[Any] | str | None = None

    def status_and_body(self, request: Asked) -> tuple[int, str, bytes]:
        if isinstance(self.body, str):
            kind = "text/html" if self.body.lstrip().startswith("<") else "text/plain"
            return self.status, f"{kind}; charset=utf-8", self.body.encode()
        kind = "server_error" if self.status >= 500 else "invalid_request_error"
        return self.status, "application/json", json_bytes(self.body or error(reason_phrase(self.status), kind))


@dataclass(frozen=True)
class Raw(Message):
    """Any body, with the right content length: a proxy's HTML, a JSON text that is no object, nothing at all."""

    body: bytes | str = b""
    content_type: str = "application/json"
    status: int = 200

    def status_and_body(self, request: Asked) -> tuple[int, str, bytes]:
        return self.status, self.content_type, self.body.encode() if isinstance(self.body, str) else self.body


HTML = Raw("<html><body><h1>504 Gateway Time-out</h1></body></html>", "text/html; charset=utf-8")


def error(message: str, kind: str, param: str | None = None, code: str | None = None) -> dict[str, Any]:
    """The body of an API error."""
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


def refuse(parameter: str, code: str = "unsupported_value", message: str | None = None) -> Status:
    """The 400 with which OpenAI refuses a parameter: its value, or altogether (code "unsupported_parameter")."""
    if code == "unsupported_parameter":
        usual = f"Unsupported parameter: '{parameter}' is not supported with this model."
        if parameter == "max_tokens":
            usual += " Use 'max_completion_tokens' instead."
    else:
        usual = (
            f"Unsupported value: '{parameter}' does not support the given value with this model. "
            "Only the default value is supported."
        )
    return Status(400, error(message or usual, "invalid_request_error", parameter, code))


def json_bytes(document: Any) -> bytes:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


@functools.cache
def reason_phrase(status: int) -> str:
    try:
        return http.HTTPStatus(status).phrase
    except ValueError:  # 529 and its like
        return "Unknown"


def yes_or_no(request: Asked) -> str:
    """The default answer: "yes" or "no", determined by the question."""
    return "yes" if int(request.key or "0", 16) % 2 else "no"


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

    def document(self, request: Asked) -> dict[str, Any]:
        text = self.text(request) if callable(self.text) else self.text
        if self.refusal is not None:
            text = None
        if request.path.endswith("/messages"):
            return self._message(request, text)
        return self._response(request, text) if request.path.endswith("/responses") else self._completion(request, text)

    def status_and_body(self, request: Asked) -> tuple[int, str, bytes]:
        return 200, "application/json", json_bytes(self.document(request))

    def _completion(self, request: Asked, text: str | None) -> dict[str, Any]:
        wanted = isinstance(request.body, dict) and request.body.get("logprobs")
        tokens = {"content": self._tokens(), "refusal": None} if self.logprobs is not None and wanted else None
        document: dict[str, Any] = {
            "id": self.id or f"chatcmpl-{request.id}",
            "object": "chat.completion",
            "created": int(time.time()),
            "model": self.model or request.model,
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": text, "refusal": self.refusal, "annotations": []},
                    "logprobs": tokens,
                    "finish_reason": self.finish,
                }
            ],
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

    def _message(self, request: Asked, text: str | None) -> dict[str, Any]:
        """Of Anthropic's API."""
        inward, outward = self.usage or (0, 0)
        ends = {"stop": "end_turn", "length": "max_tokens"}
        return {
            "id": self.id or f"msg_{request.id}",
            "type": "message",
            "role": "assistant",
            "model": self.model or request.model,
            "content": [{"type": "text", "text": text or self.refusal or ""}],
            "stop_reason": "refusal" if self.refusal is not None else ends.get(self.finish or "", self.finish),
            "stop_sequence": None,
            "usage": {"input_tokens": inward, "output_tokens": outward},
        }

    def _response(self, request: Asked, text: str | None) -> dict[str, Any]:
        wants = isinstance(request.body, dict) and "message.output_text.logprobs" in (request.body.get("include") or ())
        tokens = self._tokens() if self.logprobs is not None and wants else []
        content: list[dict[str, Any]] = []
        if self.refusal is not None:
            content = [{"type": "refusal", "refusal": self.refusal}]
        elif text is not None:
            content = [{"type": "output_text", "text": text, "annotations": [], "logprobs": tokens}]
        cut = {"length": "max_output_tokens", "content_filter": "content_filter"}.get(self.finish or "")
        status = "incomplete" if cut else "completed"
        message = {"type": "message", "id": f"msg_{request.id}", "status": status, "role": "assistant"}
        document: dict[str, Any] = {
            "id": self.id or f"resp_{request.id}",
            "object": "response",
            "created_at": int(time.time()),
            "status": status,
            "error": None,
            "incomplete_details": {"reason": cut} if cut else None,
            "model": self.model or request.model,
            "output": [{**message, "content": content}],
        }
        if self.usage is not None:
            inward, outward = self.usage
            document["usage"] = {
                "input_tokens": inward,
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
class Amend(Message):
    """A Say with fields of the document replaced: `Amend({"choices": []})`. The value `...` removes a field.

    It counts as an answer unless the fields that hold the reply are edited.
    """

    fields: dict[str, Any] = field(default_factory=dict)
    of: Say = field(default_factory=Say)

    @property
    def answers(self) -> bool:
        return not {"choices", "output", "status", "error"} & self.fields.keys()

    def status_and_body(self, request: Asked) -> tuple[int, str, bytes]:
        document = self.of.document(request) | self.fields
        kept = {name: value for name, value in document.items() if value is not ...}
        return 200, "application/json", json_bytes(kept)


@dataclass(frozen=True)
class Truncated(Message):
    """A reply's JSON cut after a share of it, with the content length of what is left: broken JSON, sound HTTP."""

    of: Say = field(default_factory=Say)
    keep: float = 0.5

    def status_and_body(self, request: Asked) -> tuple[int, str, bytes]:
        body = json_bytes(self.of.document(request))
        return 200, "application/json", body[: int(len(body) * self.keep)]


EMPTY_CHOICES = Amend({"choices": []})
NULL_CHOICES = Amend({"choices": None})


@dataclass(frozen=True)
class Streamed(Message):
    """A Say in events: a word each, then its end, then its usage where `stream_options` asks for it, then [DONE].

    `keep`: so many of the events come, and none after them (-1: all but the last); None: all.
    """

    of: Say = field(default_factory=Say)
    keep: int | None = None

    @property
    def answers(self) -> bool:
        return self.keep is None

    def status_and_body(self, request: Asked) -> tuple[int, str, bytes]:
        document = self.of.document(request)
        events = list(_of_response(document) if "output" in document else _of_completion(document, request))
        return 200, "text/event-stream; charset=utf-8", b"".join(events[: self.keep])


def _event(data: dict[str, Any], name: str = "") -> bytes:
    head = f"event: {name}\n".encode() if name else b""
    return head + b"data: " + json_bytes(data) + b"\n\n"


def _of_completion(document: dict[str, Any], request: Asked) -> Iterator[bytes]:
    common = {name: document[name] for name in ("id", "created", "model")} | {"object": "chat.completion.chunk"}
    choice = document["choices"][0]

    def chunk(delta: dict[str, Any], finish: str | None = None, logprobs: Any = None) -> bytes:
        part = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": logprobs}
        return _event(common | {"choices": [part]})

    yield b": a comment\n\n"
    yield chunk({"role": "assistant", "content": ""})
    for name in ("refusal", "content"):
        words = (choice["message"][name] or "").split(" ")
        for i, word in enumerate(words if words != [""] else []):
            yield chunk({name: f"{' ' if i else ''}{word}"}, logprobs=choice["logprobs"] if not i else None)
    yield chunk({}, choice["finish_reason"])
    wanted = isinstance(request.body, dict) and (request.body.get("stream_options") or {}).get("include_usage")
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
