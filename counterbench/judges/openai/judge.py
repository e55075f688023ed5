"""The judge itself: one call for each question, all of them at once if the runner wants."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from counterbench.judges.base import Reply
from counterbench.judges.openai.options import IDENTITY, openai_options
from counterbench.judges.openai.replies import MOST_BYTES, Malformed, read_body
from counterbench.judges.openai.requests import Dialect, request_body
from counterbench.judges.openai.sdk import ServedModel
from counterbench.judges.options import judge_name
from counterbench.runs.queries import Query


class OpenAIJudge(ServedModel):
    """A model behind an OpenAI-compatible server.

    `options` are those of `OpenAIOptions`; `short_name` is the user's name for it. Raises InputError for options that
    are not valid and keys that are not set.
    """

    def __init__(self, model: str, options: Mapping[str, Any] | None = None, short_name: str = "") -> None:
        self.short_name = short_name
        where = f"openai:{model}"
        self.options = openai_options(options or {}, where)
        super().__init__(model, self.options, where, MOST_BYTES, Dialect())
        named = msgspec.structs.replace(self.options, base_url=self.named_url)
        self.name = judge_name("openai", model, named, IDENTITY)
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
        return list(await asyncio.gather(*(self._answer(query) for query in batch)))

    async def _answer(self, query: Query) -> Reply:
        return self.access.redacted(await self._reply(query))

    async def _reply(self, query: Query) -> Reply:
        body = request_body(query, self.model, self.options)
        try:
            content, dropped = await self.ask(self._path, body)
        except Exception as error:
            return self.failed(error)
        try:
            reply = msgspec.structs.replace(read_body(content, self.options), dropped=dropped)
        except Malformed as error:
            if told := self.malformed(error):
                return told
            reply = error.reply
        return msgspec.structs.replace(reply, cost=self.cost(reply.cost, reply.tokens_in, reply.tokens_out))
