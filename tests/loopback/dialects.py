"""Servers that speak the OpenAI API with an accent, as documented or reported; none of this was seen at the real ones.

Sources: platform.claude.com/docs (OpenAI SDK compatibility, errors, vision), ai.google.dev/gemini-api/docs/openai, and
issues of projects that met these errors (they quote the bodies).
"""

import base64
import struct
from dataclasses import replace

from loopback.asked import Asked
from loopback.messages import Amend, Message, Say, Status, Streamed, error
from loopback.scripts import Script

_MAX_SIDE, _MAX_REQUEST = 8000, 32 * 2**20


def anthropic(say: Say, *, refuses: tuple[str, ...] = ()) -> Script:
    """Anthropic's compatibility layer: most fields are ignored, errors have a shape of their own.

    `refuses`: what newer models do not take ("temperature"). Pictures of more than 8000 pixels a side are refused, and
    requests of more than 32 MiB. Details of usage are empty.
    """

    def script(request: Asked) -> Message:
        if request.size > _MAX_REQUEST:
            return Status(413, anthropic_error("request_too_large", "Request exceeds the maximum size"))
        for name in refuses:
            if name in request.body:
                return Status(400, anthropic_error("invalid_request_error", f"`{name}` is deprecated for this model."))
        if max((side for url in request.images for side in _sides(url)), default=0) > _MAX_SIDE:
            message = "messages.0.content.0.image.source.base64.data: At least one of the image dimensions exceed max "
            return Status(400, anthropic_error("invalid_request_error", f"{message}allowed size: 8000 pixels"))
        return replace(say, logprobs=None, reasoned=0)

    return script


def anthropic_error(kind: str, message: str) -> dict[str, object]:
    """The body of an error."""
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_011CSHoEeqs5C35K2UUqR7Fy"}


def gemini(say: Say, *, unknown: tuple[str, ...] = (), thinks: int = 0) -> Script:
    """Gemini's compatibility layer: fields that it does not know are refused, all in one list.

    `unknown`: those. `thinks`: so many tokens of reasoning, which stand in the total of the usage and nowhere else.
    """

    def script(request: Asked) -> Message:
        if names := [name for name in unknown if name in request.body]:
            message = "\n".join(f'Invalid JSON payload received. Unknown name "{n}": Cannot find field.' for n in names)
            return gemini_error(400, "INVALID_ARGUMENT", message)
        tokens_in, tokens_out = say.usage or (0, 0)
        usage = {"prompt_tokens": tokens_in, "completion_tokens": tokens_out}
        return Amend({"usage": usage | {"total_tokens": tokens_in + tokens_out + thinks}}, say)

    return script


def gemini_error(status: int, name: str, message: str, retry: float | None = None) -> Status:
    """An error: the one object of a list. `retry`: the seconds to wait, which stand in it and in no header."""
    details = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{retry}s"}] if retry else []
    body = {"error": {"code": status, "message": message, "status": name, "details": details}}
    return Status(status, [body])


def streams_only(say: Say, *, says: str = "") -> Script:
    """A server that replies in streams alone: it refuses what asks for none (`says`), or streams all the same."""

    def script(request: Asked) -> Message:
        if says and not request.body.get("stream"):
            return Status(400, error(says, "invalid_request_error", None, "invalid_parameter_error"))
        return Streamed(say)

    return script


def _sides(url: str) -> tuple[int, ...]:
    """Width and height of a PNG."""
    head = base64.b64decode(url.partition(",")[2][:44])
    return struct.unpack(">II", head[16:24]) if head.startswith(b"\x89PNG") else ()
