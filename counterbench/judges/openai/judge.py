"""The judge itself: a query as the body of a request, for chat completions or the responses API; a call for each.

`Dialect` leaves out the parameters that a server refuses: learnt from its errors, remembered while the judge is open.
"""

from __future__ import annotations

import asyncio
import base64
import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import openai

from counterbench.answers import answer_type
from counterbench.drawing.picture import Picture
from counterbench.judges.base import Reply
from counterbench.judges.openai.failures import failed_reply, refusal_of, status_reply
from counterbench.judges.openai.options import IDENTITY, OpenAIOptions, openai_options
from counterbench.judges.openai.replies import MOST_BYTES, Malformed, read_body
from counterbench.judges.openai.sdk import ServedModel
from counterbench.judges.options import judge_name
from counterbench.runs.queries import Query

_REFUSALS = (openai.BadRequestError, openai.UnprocessableEntityError)

# Parameters that are left out if a server refuses them.
OPTIONAL = frozenset(
    {"temperature", "seed", "max_tokens", "max_completion_tokens", "max_output_tokens", "logprobs", "top_logprobs",
     "include", "response_format", "text", "store", "stream_options"}
)  # fmt: skip

# Asked for together, refused together.
_TOGETHER = (frozenset({"logprobs", "top_logprobs"}), frozenset({"include", "top_logprobs"}))
# "This model only support stream mode", "must be … for non-streaming calls": refusals of requests without streaming.
_STREAM = re.compile(r"\bstream(?:ing|ed)?\b", re.IGNORECASE)
# Two names for one thing: newer models take only the second, many servers only the first.
_OLD_LIMIT, _NEW_LIMIT = "max_tokens", "max_completion_tokens"


class OpenAIJudge(ServedModel):
    """A model behind an OpenAI-compatible server.

    `options` are those of `OpenAIOptions`; `short_name` is the user's name for it. Raises InputError for options that
    are not valid and keys that are not set.
    """

    def __init__(self, model: str, options: Mapping[str, Any] | None = None, short_name: str = "") -> None:
        self.short_name = short_name
        where = f"openai:{model}"
        self.options = openai_options(options or {}, where)
        super().__init__(model, self.options, where, MOST_BYTES)
        named = msgspec.structs.replace(self.options, base_url=self.named_url)
        self.name = judge_name("openai", model, named, IDENTITY)
        self._dialect = Dialect()
        self._path = "/chat/completions" if self.options.api == "chat" else "/responses"

    @property
    def samples(self) -> bool:
        """True if the same question may get another answer by design."""
        return self.options.temperature > 0

    @property
    def probabilities(self) -> bool:
        """True if log-probabilities are asked for."""
        return self.options.logprobs > 0

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        """One call for each query."""
        return [self.access.redacted(reply) for reply in await asyncio.gather(*map(self._reply, batch))]

    async def _reply(self, query: Query) -> Reply:
        body = request_body(query, self.model, self.options)
        while True:  # until a refusal names nothing more that can be left out
            sent, dropped = self._dialect.speak(body)
            try:
                async with asyncio.timeout(self.options.timeout):
                    content = await self.post(self._path, sent)
            except Exception as error:
                self.reached = self.reached or isinstance(error, openai.APIStatusError)
                if isinstance(error, _REFUSALS) and self._dialect.learn(sent, *refusal_of(error)):
                    continue
                return failed_reply(error, self.access, self.model, self.reached)
            self.reached = True
            return self._read(content, dropped)

    def _read(self, content: bytes, dropped: tuple[str, ...]) -> Reply:
        try:
            reply = read_body(content, self.options)
        except Malformed as error:
            if isinstance(error.code, int) and 400 <= error.code < 600:
                return status_reply(error.code, str(error), "", self.access, self.model)
            reply = error.reply
        else:
            reply = msgspec.structs.replace(reply, dropped=dropped)
        return msgspec.structs.replace(reply, cost=self.cost(reply.cost, reply.tokens_in, reply.tokens_out))


def request_body(query: Query, model: str, options: OpenAIOptions) -> dict[str, Any]:
    """The body of the request, with every parameter, the user's own last."""
    body = _chat(query, model, options) if options.api == "chat" else _responses(query, model, options)
    return body | options.body


def data_uri(picture: Picture) -> str:
    """Exactly our PNG bytes, as a URL."""
    return f"data:image/png;base64,{base64.b64encode(picture.png).decode('ascii')}"


def _chat(query: Query, model: str, options: OpenAIOptions) -> dict[str, Any]:
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
    if schema := _schema(query, options):
        body["text"] = {"format": {"type": "json_schema"} | schema}
    return body


def _schema(query: Query, options: OpenAIOptions) -> dict[str, Any] | None:
    # A reply in JSON only would leave no room for reasons.
    schema = answer_type(query.answer_type).schema if options.structured and not query.answer_line else None
    if schema is None:
        return None
    return {"name": re.sub(r"[^a-zA-Z0-9]", "_", query.answer_type), "schema": schema, "strict": True}


class Dialect:
    """The parameters that one server does not accept."""

    def __init__(self) -> None:
        self.refused: set[str] = set()
        self.streams = False  # True if it replies only in streams

    def speak(self, body: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
        """`body` as this server takes it, and the names of the parameters that are left out."""
        spoken = {name: value for name, value in body.items() if name not in self.refused}
        if _OLD_LIMIT in body and _OLD_LIMIT in self.refused and _NEW_LIMIT not in self.refused | body.keys():
            spoken[_NEW_LIMIT] = body[_OLD_LIMIT]
        if self.streams:
            spoken["stream"] = True
            if "messages" in body and "stream_options" not in self.refused:
                spoken["stream_options"] = {"include_usage": True}
        renamed = {_OLD_LIMIT} if _NEW_LIMIT in spoken else set()
        return spoken, tuple(sorted(body.keys() - spoken.keys() - renamed))

    def learn(self, sent: Mapping[str, Any], message: str, parameter: str = "") -> bool:
        """True if a refusal of `sent` is about parameters that can be left out; they are left out from now on.

        They are `parameter`, which the server names, or else those that its message mentions. If it mentions only
        streaming, the reply is asked for as a stream from now on.
        """
        optional = {name for name in sent if name in OPTIONAL}
        named = {parameter.split(".")[0].split("[")[0]} & optional
        named = named or {name for name in optional if re.search(rf"(?<![\w-]){name}(?![\w-])", message)}
        for group in _TOGETHER:
            if named & group:
                named |= group & optional
        self.refused |= named
        if not named and not self.streams and _STREAM.search(f"{parameter} {message}"):
            self.streams = True
            return True
        return bool(named)
