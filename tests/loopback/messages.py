"""What a script may return, and the responses that are whole on the wire: statuses, and any body at all."""

from __future__ import annotations

import functools
import http
import json
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

    async def send(self, asked: Asked, wire: Wire) -> None:
        """Put it on the wire."""
        raise NotImplementedError


@dataclass(frozen=True)
class Message(Respond):
    """A response that is whole on the wire. `headers` add to or replace the usual; `delay` counts from arrival."""

    headers: dict[str, str] = field(default_factory=dict, kw_only=True)
    delay: float = field(default=0.0, kw_only=True)

    def status_and_body(self, asked: Asked) -> tuple[int, str, bytes]:
        """The status, the content type and the body."""
        raise NotImplementedError

    def render(self, asked: Asked) -> tuple[bytes, bytes]:
        """The bytes of the head and of the body."""
        status, content_type, body = self.status_and_body(asked)
        headers = {
            "content-type": content_type,
            "content-length": str(len(body)),
            "x-request-id": f"req_{asked.id}",
        } | {name.lower(): value for name, value in self.headers.items()}
        lines = [f"HTTP/1.1 {status} {reason_phrase(status)}", *(f"{name}: {value}" for name, value in headers.items())]
        return "\r\n".join([*lines, "", ""]).encode("latin-1"), body

    async def send(self, asked: Asked, wire: Wire) -> None:
        """All of it in one write, so that a small one is one segment."""
        await wire.until(asked.arrived + self.delay)
        head, body = self.render(asked)
        await wire.write(head + body)


@dataclass(frozen=True)
class Status(Message):
    """A status other than 200. `body`: a dict (JSON), a text (HTML or plain), or the usual shape of an API error."""

    status: int
    body: dict[str, Any] | list[Any] | str | None = None

    def status_and_body(self, asked: Asked) -> tuple[int, str, bytes]:
        """The status with its body."""
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

    def status_and_body(self, asked: Asked) -> tuple[int, str, bytes]:
        """What was given."""
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
