"""The judge itself: one call a question, all of them at once if the runner likes."""

from __future__ import annotations

import asyncio
import functools
import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import openai

from counterbench.judges.base import Reply
from counterbench.judges.openai.access import DEFAULT_URL, find_access
from counterbench.judges.openai.dialect import Dialect
from counterbench.judges.openai.failures import failed_reply, refusal_of, status_reply
from counterbench.judges.openai.options import IDENTITY, openai_options
from counterbench.judges.openai.prices import Price, find_price
from counterbench.judges.openai.replies import MOST_BYTES, Malformed, read_body
from counterbench.judges.openai.requests import request_body
from counterbench.judges.openai.sdk import Client
from counterbench.judges.openai.stream import whole
from counterbench.judges.options import judge_name
from counterbench.runs.queries import Query

_JPEG = re.compile(r"\bjpe?g\b", re.IGNORECASE)


class OpenAIJudge:
    """A model behind an OpenAI-compatible server.

    `options` are those of `OpenAIOptions`. Raises InputError for options that are not valid and keys that are not set.
    """

    max_batch = 1
    max_in_flight = 1000
    short_name = ""

    def __init__(self, model: str, options: Mapping[str, Any] | None = None) -> None:
        where = f"openai:{model}"
        self.options = openai_options(options or {}, where)
        self.access = find_access(self.options, where)
        self.model = model
        # Where OPENAI_BASE_URL leads is part of what is asked of whom, like --base-url.
        url = "" if self.access.url == DEFAULT_URL else self.access.url
        named = msgspec.structs.replace(self.options, base_url=url)
        self.name = judge_name("openai", model, named, IDENTITY)
        self._dialect = Dialect()
        self._reached = False
        self._told = False  # whether the server says what a reply costs
        self._path = "/chat/completions" if self.options.api == "chat" else "/responses"
        self._client: Client | None = None

    @property
    def samples(self) -> bool:
        """Whether the same question may get another answer by design."""
        return self.options.temperature > 0

    @property
    def probabilities(self) -> bool:
        """Whether log-probabilities are asked for."""
        return self.options.logprobs > 0

    @functools.cached_property
    def _price(self) -> Price | None:
        return find_price(self.model, self.access.url, self.options.price_in, self.options.price_out)

    @property
    def prices(self) -> str:
        """Where its prices are from, unless they were given or the server says what it costs."""
        return self._price.source if self._price is not None and not self._told else ""

    @property
    def unpriced(self) -> str:
        """The model and its address, if no price is known."""
        return "" if self._price is not None else f"{self.model!r} at {self.access.url}"

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        """One call for each query."""
        return list(await asyncio.gather(*(self._answer(query) for query in batch)))

    async def close(self) -> None:
        """Close the connections."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _answer(self, query: Query) -> Reply:
        return self.access.redacted(await self._reply(query))

    async def _reply(self, query: Query) -> Reply:
        self._client = self._client or Client(self.access, self.options.timeout, MOST_BYTES)
        body = request_body(query, self.model, self.options)
        while True:  # until a request is refused for nothing that can be left out: each time something more is
            sent, dropped = self._dialect.speak(body), self._dialect.dropped(body)
            try:
                async with asyncio.timeout(self.options.timeout):
                    content = await self._client.post(self._path, sent)
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                self._reached = True
                if self._dialect.learn(sent, *refusal_of(error)):
                    continue
                return self._failed(error)
            except Exception as error:
                self._reached = self._reached or isinstance(error, openai.APIStatusError)
                return self._failed(error)
            self._reached = True
            return self._read(content, dropped)

    def _failed(self, error: Exception) -> Reply:
        reply = failed_reply(error, self.access, self.model, self._reached)
        if reply.only_this and self.options.pictures == "png" and _JPEG.search(reply.stop):
            return msgspec.structs.replace(reply, stop=f"{reply.stop}; if it takes JPEG alone: pictures=jpeg")
        return reply

    def _read(self, content: bytes, dropped: tuple[str, ...]) -> Reply:
        try:
            reply = self._paid(read_body(whole(content), self.options))
        except Malformed as error:
            if isinstance(error.code, int) and 400 <= error.code < 600:
                return status_reply(error.code, str(error), "", self.access, self.model)
            return self._paid(error.reply)
        return msgspec.structs.replace(reply, dropped=dropped)

    def _paid(self, reply: Reply) -> Reply:
        """The reply with its cost: what the server says, else by the price."""
        self._told = self._told or reply.cost is not None
        if reply.cost is not None or self._price is None:
            return reply
        return msgspec.structs.replace(reply, cost=self._price.of(reply.tokens_in, reply.tokens_out))
