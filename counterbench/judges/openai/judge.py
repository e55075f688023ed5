"""The judge itself: one call a question, all of them at once if the runner likes."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from counterbench.answers.outcomes import Failed
from counterbench.judges.base import Reply, Retry
from counterbench.judges.openai.access import find_access
from counterbench.judges.openai.dialect import Dialect
from counterbench.judges.openai.options import IDENTITY, openai_options
from counterbench.judges.openai.repeats import Repeats
from counterbench.judges.openai.replies import Malformed, malformed, read_body
from counterbench.judges.openai.requests import OPTIONAL, request_body
from counterbench.judges.options import judge_name
from counterbench.queries import Query

if TYPE_CHECKING:
    from counterbench.judges.openai.sdk import Client

# How often a question is said anew because a parameter was refused, before the refusal is taken for good.
_REPHRASINGS = len(OPTIONAL)


class OpenAIJudge:
    """A model behind an OpenAI-compatible server.

    `options` are those of `OpenAIOptions`. Raises InputError for options that are not valid and keys that are not set.
    """

    max_batch = 1
    max_in_flight = 1000

    def __init__(self, model: str, options: Mapping[str, Any] | None = None) -> None:
        import counterbench.judges.openai.sdk  # noqa: F401  (half a second, better spent here than in an event loop)

        where = f"openai:{model}"
        self.options = openai_options(options or {}, where)
        self.access = find_access(self.options, where)
        self.model = model
        self.name = judge_name("openai", model, self.options, IDENTITY)
        self._dialect = Dialect()
        self._repeats = Repeats()
        self._reached = False
        self._path = "/chat/completions" if self.options.api == "chat" else "/responses"
        self._client: Client | None = None

    @property
    def samples(self) -> bool:
        """Whether the same question may get another answer by design."""
        return self.options.temperature > 0

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        """One call for each query."""
        return list(await asyncio.gather(*(self._answer(query) for query in batch)))

    async def close(self) -> None:
        """Close the connections."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _answer(self, query: Query) -> Reply:
        body = request_body(query, self.model, self.options)
        reply = await self._ask(body)
        redact = self.access.redact
        if reply.text is not None:
            return msgspec.structs.replace(reply, text=redact(reply.text), model=redact(reply.model))
        assert reply.failure is not None
        failure = Failed(reply.failure.kind, redact(reply.failure.message))
        return msgspec.structs.replace(reply, failure=failure, stop=redact(reply.stop))

    async def _ask(self, body: dict[str, Any]) -> Reply:
        """Ask, and ask again at once without what the server refuses."""
        import openai

        from counterbench.judges.openai.faults import failed_reply, status_reply
        from counterbench.judges.openai.sdk import Client

        self._client = self._client or Client(self.access, self.options.timeout)
        for _ in range(_REPHRASINGS):
            sent = self._dialect.speak(body)
            dropped = self._dialect.dropped(body)
            try:
                async with asyncio.timeout(self.options.timeout):
                    content, connection = await self._client.post(self._path, sent)
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                self._reached = True
                if self._dialect.learn(sent, str(error), str(error.param or "")):
                    continue
                return failed_reply(error, self.access, self.model, self._reached)
            except (openai.OpenAIError, TimeoutError) as error:
                self._reached = self._reached or isinstance(error, openai.APIStatusError)
                return failed_reply(error, self.access, self.model, self._reached)
            self._reached = True
            try:
                reply, id = read_body(content, self.options)
            except Malformed as error:
                if isinstance(error.code, int) and 400 <= error.code < 600:
                    return status_reply(error.code, str(error), "", self.access, self.model)
                return malformed(error, dropped)
            if self._repeats.is_repeated(content, id, connection):
                # The connection is out of step: every later reply on it would answer the question before.
                with contextlib.suppress(Exception):  # it may be gone already
                    await connection.aclose()
                return Reply(failure=Failed("duplicate", f"reply {id!r} came twice"), retry=Retry())
            return msgspec.structs.replace(reply, dropped=dropped)
        raise AssertionError("every rephrasing leaves something out")
