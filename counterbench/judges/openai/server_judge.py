"""The judge `openai:MODEL`: each query is the body of one request, to chat completions or to the responses API."""

import asyncio
import base64
import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from counterbench.answers import answer_type, reply_schema
from counterbench.drawing.picture import Picture
from counterbench.judges.base import Reply
from counterbench.judges.openai.failures import Dialect
from counterbench.judges.openai.replies import MAX_BYTES, Malformed, read_body
from counterbench.judges.openai.sdk import ServedModel
from counterbench.judges.openai.server_options import IDENTITY, OpenAIOptions, server_options
from counterbench.runs.queries import Query


class OpenAIJudge(ServedModel):
    """A model behind an OpenAI-compatible server.

    `options` are those of `OpenAIOptions`; `short_name` is the user's name for it. Raises InputError for options that
    are not valid and keys that are not set.
    """

    def __init__(self, model: str, options: Mapping[str, Any] | None = None, short_name: str = "") -> None:
        self.short_name = short_name
        self.options = server_options(OpenAIOptions, options or {}, f"openai:{model}")
        super().__init__(model, self.options, IDENTITY, MAX_BYTES, Dialect())
        self.samples = self.options.temperature > 0  # the same question may get another answer by design
        self.max_pictures = self.options.max_pictures
        self._path = "/chat/completions" if self.options.api == "chat" else "/responses"

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        """One reply for each query, each by a call of its own."""
        return [self.access.redacted(reply) for reply in await asyncio.gather(*map(self._reply, batch))]

    async def _reply(self, query: Query) -> Reply:
        """Ask the server once; return its reply with the cost, or the failure."""
        body = request_body(query, self.model, self.options)
        try:
            content, dropped = await self.ask(self._path, body)
            reply = msgspec.structs.replace(read_body(content, self.options), dropped=dropped)
        except Malformed as error:
            if fault := self.malformed(error):
                return fault
            reply = error.reply
        except Exception as error:
            return self.failed(error)
        return msgspec.structs.replace(reply, cost=self.cost(reply.cost, reply.tokens_in, reply.tokens_out))


def request_body(query: Query, model: str, options: OpenAIOptions) -> dict[str, Any]:
    """The body of a request about a query: every parameter, and last the user's own fields, which replace ours."""
    return (_chat_body if options.api == "chat" else _responses_body)(query, model, options) | options.body


def data_uri(picture: Picture) -> str:
    """A picture's PNG bytes, unchanged, as a data URL."""
    return f"data:image/png;base64,{base64.b64encode(picture.png).decode('ascii')}"


def _chat_body(query: Query, model: str, options: OpenAIOptions) -> dict[str, Any]:
    """The body of a request to `/chat/completions`."""
    detail = {"detail": options.detail} if options.detail else {}
    content: list[dict[str, Any]] = [
        {"type": "image_url", "image_url": {"url": data_uri(picture)} | detail} for picture in query.pictures
    ]
    content.append({"type": "text", "text": query.text})
    messages: list[dict[str, Any]] = [{"role": "system", "content": query.system}] if query.system else []
    body: dict[str, Any] = {
        "model": model,
        "messages": [*messages, {"role": "user", "content": content}],
        "temperature": options.temperature,
        "seed": options.seed + query.repeat,
        "max_tokens": options.max_tokens,
    }
    if options.effort:
        body["reasoning_effort"] = options.effort
    if options.logprobs:
        body |= {"logprobs": True, "top_logprobs": options.logprobs}
    if schema := _reply_schema(query, options):
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    return body


def _responses_body(query: Query, model: str, options: OpenAIOptions) -> dict[str, Any]:
    """The body of a request to `/responses`."""
    detail = {"detail": options.detail or "auto"}
    content: list[dict[str, Any]] = [
        {"type": "input_image", "image_url": data_uri(picture)} | detail for picture in query.pictures
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
    if schema := _reply_schema(query, options):
        body["text"] = {"format": {"type": "json_schema"} | schema}
    return body


def _reply_schema(query: Query, options: OpenAIOptions) -> dict[str, Any] | None:
    """The JSON schema of the reply, with a name, as the API takes it; None where the reply is free text."""
    # A reply in JSON only would leave no room for the reasons before an answer's line.
    if not options.structured or query.answer_line:
        return None
    schema = reply_schema(query.answer_type) if query.in_json else answer_type(query.answer_type).schema
    if schema is None:
        return None
    return {"name": re.sub(r"[^a-zA-Z0-9]", "_", query.answer_type), "schema": schema, "strict": True}
