"""Requests: a query as the body of a request, for chat completions or the responses API."""

from __future__ import annotations

import base64
import io
import re
from typing import Any

from counterbench.answers import answer_type
from counterbench.drawing.picture import Picture
from counterbench.judges.openai.options import OpenAIOptions
from counterbench.runs.queries import Query

# Parameters that are left out if a server refuses them.
OPTIONAL = frozenset(
    {"temperature", "seed", "max_tokens", "max_completion_tokens", "max_output_tokens", "logprobs", "top_logprobs",
     "include", "response_format", "text", "store", "stream_options"}
)  # fmt: skip


# The quality of a JPEG, from 1 to 95; above that only its size grows.
_QUALITY = 95


def request_body(query: Query, model: str, options: OpenAIOptions) -> dict[str, Any]:
    """The body of the request, with every parameter, the user's own last."""
    body = _chat(query, model, options) if options.api == "chat" else _responses(query, model, options)
    return body | options.body


def data_uri(picture: Picture, file_format: str = "png") -> str:
    """Exactly our PNG bytes, as a URL; or their pixels as a JPEG, with as little loss as JPEG has."""
    data = picture.png
    if file_format == "jpeg":
        file = io.BytesIO()
        picture.image().save(file, "JPEG", quality=_QUALITY, subsampling=0)
        data = file.getvalue()
    return f"data:image/{file_format};base64,{base64.b64encode(data).decode('ascii')}"


def _chat(query: Query, model: str, options: OpenAIOptions) -> dict[str, Any]:
    detail = {"detail": options.detail} if options.detail else {}
    content: list[dict[str, Any]] = [
        {"type": "image_url", "image_url": {"url": data_uri(picture, options.pictures)} | detail}
        for picture in query.pictures
    ]
    content.append({"type": "text", "text": query.text})
    messages: list[dict[str, Any]] = [{"role": "system", "content": query.system}] if query.system else []
    body: dict[str, Any] = {
        "model": model,
        "messages": [*messages, {"role": "user", "content": content}],
        "temperature": options.temperature,
        "seed": options.seed + query.vote,
        "max_tokens": options.max_tokens,
    }
    if options.effort:
        body["reasoning_effort"] = options.effort
    if options.logprobs:
        body |= {"logprobs": True, "top_logprobs": options.logprobs}
    if schema := _schema(query, options):
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    return body


def _responses(query: Query, model: str, options: OpenAIOptions) -> dict[str, Any]:
    detail = {"detail": options.detail or "auto"}
    content: list[dict[str, Any]] = [
        {"type": "input_image", "image_url": data_uri(picture, options.pictures)} | detail for picture in query.pictures
    ]
    content.append({"type": "input_text", "text": query.text})
    body: dict[str, Any] = {
        "model": model,
        "input": [{"role": "user", "content": content}],
        "temperature": options.temperature,
        "max_output_tokens": options.max_tokens,
        "store": False,
    }
    if query.system:
        body["instructions"] = query.system
    if options.effort:
        body["reasoning"] = {"effort": options.effort}
    if options.logprobs:
        body |= {"include": ["message.output_text.logprobs"], "top_logprobs": options.logprobs}
    if schema := _schema(query, options):
        body["text"] = {"format": {"type": "json_schema"} | schema}
    return body


def _schema(query: Query, options: OpenAIOptions) -> dict[str, Any] | None:
    # A reply in JSON only would leave no room for reasons.
    schema = answer_type(query.answer_type).schema if options.structured and not query.answer_line else None
    if schema is None:
        return None
    return {"name": re.sub(r"[^a-zA-Z0-9]", "_", query.answer_type), "schema": schema, "strict": True}
