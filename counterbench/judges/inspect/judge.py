"""The judge `inspect:PROVIDER/MODEL`: each query is one request, which inspect_ai makes through the provider's SDK."""

from __future__ import annotations

import asyncio
import contextlib
import io
import logging
import os
import re
import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from types import ModuleType
from typing import TYPE_CHECKING, Any

import msgspec

from counterbench.answers.outcomes import Failed
from counterbench.errors import InputError
from counterbench.files.installation import needed
from counterbench.judges.base import Reply, Retry
from counterbench.judges.inspect.exchange import messages_of, reply_of
from counterbench.judges.inspect.failures import cause_of, failed, status_of, unsent
from counterbench.judges.inspect.options import IDENTITY, KIND, PARAMETERS, inspect_options
from counterbench.judges.openai.failures import Dialect
from counterbench.judges.openai.sdk import PricedModel
from counterbench.judges.openai.server_options import SHORTEST_SECRET, Access
from counterbench.judges.specs import judge_name
from counterbench.runs.queries import Query

if TYPE_CHECKING:
    from inspect_ai.model import Model, ModelOutput

_PROVIDERS = (
    "anthropic, google, bedrock, mistral, together, vllm, openai-api/NAME; https://inspect.aisi.org.uk/providers.html"
)
_MARKUP = re.compile(r"\[/?(?:bold|blue|red|green|yellow)\]")  # of rich, in messages of inspect


class InspectJudge(PricedModel):
    """A model of one of inspect_ai's providers.

    `model`: PROVIDER/MODEL, as inspect names it; `options`: those of `InspectOptions`; `short_name`: the user's name
    for it. InputError: an option, the provider or the key is not there, or the extra `inspect` is not installed.
    """

    max_batch = 1
    max_in_flight = 1000

    def __init__(self, model: str, options: Mapping[str, Any] | None = None, short_name: str = "") -> None:
        """Find the provider and the key, and make no connection yet; see the class for the parameters."""
        self.model, self.short_name = model, short_name
        self.options = inspect_options(options or {}, f"{KIND}:{model}")
        self._inspect: ModuleType = needed("inspect_ai.model", f"{KIND}:{model}", "inspect")
        logging.getLogger("inspect_ai").addHandler(logging.NullHandler())  # else its warnings are printed
        self.versions = {"inspect_ai": version("inspect_ai")}
        self.samples = self.options.temperature > 0  # the same question may get another answer by design
        self.max_pictures = self.options.max_pictures
        self.reached = False  # True once the provider has answered
        self._dialect = Dialect(frozenset(PARAMETERS) - {"max_tokens"})
        self._model: Model | None = self._opened()
        api = self._model.api
        url = str(getattr(getattr(api, "client", None), "base_url", "") or api.base_url or "").rstrip("/")
        # An address from an environment variable is part of the judge's identity, too.
        is_set = url in {value.rstrip("/") for value in os.environ.values()}
        named_url = url if self.options.base_url or is_set else ""
        self.name = judge_name(KIND, model, msgspec.structs.replace(self.options, base_url=named_url), IDENTITY)
        keys = {name: os.environ[name] for name in api.api_key_vars if os.environ.get(name)}
        key_env = next(iter(keys), "the provider's own variable")
        secrets = sorted((key for key in keys.values() if len(key) >= SHORTEST_SECRET), key=len, reverse=True)
        self.access = Access(url or model.partition("/")[0], "", key_env, {}, True, tuple(secrets))
        super().__init__(api.service_model_name(), self.access.url, self.options)

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        """One reply for each query, each by a call of its own."""
        self._model = self._model or self._opened()
        return [self.access.redacted(reply) for reply in await asyncio.gather(*map(self._reply, batch))]

    async def close(self) -> None:
        """Close the connections."""
        model, self._model = self._model, None
        if model is not None:
            await model.api.aclose()

    def _opened(self) -> Model:
        """The model in inspect, which asks once and prints nothing; InputError if inspect cannot make it."""
        hook = sys.excepthook  # inspect sets another
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                # The runner asks again. A cache of prompts costs more to write, and few questions begin alike.
                calls = {"max_retries": 0, "max_connections": self.max_in_flight, "cache_prompt": False}
                config = self._inspect.GenerateConfig(**calls)
                base_url = self.options.base_url or None
                model: Model = self._inspect.get_model(self.model, config=config, base_url=base_url, memoize=False)
        except Exception as error:  # of any provider's SDK
            text = _MARKUP.sub("", str(getattr(error, "message", "") or error)).replace("client\n", "client: ")
            text = " ".join(text.split()).removeprefix("ERROR: ").rstrip(".")
            hint = f"; providers are {_PROVIDERS}" if isinstance(error, ValueError) else ""
            raise InputError(f"{KIND}:{self.model}: {text}{hint}") from None
        finally:
            sys.excepthook = hook
        client: Any = getattr(model.api, "client", None)
        if hasattr(client, "max_retries"):
            client.max_retries = 0  # of the SDK itself, which `GenerateConfig` leaves as they are
        return model

    def _parameters(self, repeat: int) -> dict[str, Any]:
        """The parameters of requests, by inspect's names."""
        values = {name: getattr(self.options, name) for name in PARAMETERS}
        if self.options.seed is not None:
            values["seed"] = self.options.seed + repeat
        return {name: value for name, value in values.items() if value is not None}

    async def _reply(self, query: Query) -> Reply:
        """Ask the provider once; return its reply with the cost, or the failure."""
        from inspect_ai.log import transcript

        assert self._model is not None, "answer after close"
        messages, wanted = messages_of(query), self._parameters(query.repeat)
        while True:  # until a refusal names nothing more that can be left out
            sent, refused = self._dialect.speak(wanted)
            try:
                async with asyncio.timeout(self.options.timeout):
                    output = await self._model.generate(messages, config=self._inspect.GenerateConfig(**sent))
            except Exception as error:
                cause = cause_of(error)
                status = status_of(cause)
                if status in (400, 422) and self._dialect.learn(sent, str(cause)):
                    continue
                decision = isinstance(cause, Exception) and self._model.api.should_retry(cause)
                reply = failed(cause, decision, self.access, self.model, self.reached)
                self.reached = self.reached or status is not None
                return reply
            self.reached = True
            call = getattr(transcript().events[-1], "call", None)
            dropped = unsent(sent, getattr(call, "request", None)) | {*refused}
            reply = msgspec.structs.replace(_read(output), dropped=tuple(sorted(dropped)))
            return msgspec.structs.replace(reply, cost=self.cost(reply.cost, reply.tokens_in, reply.tokens_out))


def _read(output: ModelOutput) -> Reply:
    """The reply in an output, or the failure for one that is no answer of the model."""
    reply = reply_of(output)
    if reply.failure is not None:
        return msgspec.structs.replace(reply, retry=Retry())
    choice = output.choices[0]
    if choice.stop_reason == "model_length" and output.usage is None:  # inspect makes an output of this error
        why = f"the request is too long for the model: {reply.text}"
        return Reply(failure=Failed("too-long", why), stop=why, only_this=True)
    parts = [] if isinstance(choice.message.content, str) else choice.message.content
    thought = reply.tokens_reasoning or any(part.type == "reasoning" for part in parts)
    if thought and not (reply.text or "").strip() and reply.finish not in ("content_filter", "refusal"):
        why = "the answer is empty, the reply has only reasoning: raise max_tokens or turn thinking off"
        failure = {"failure": Failed("empty", why), "retry": Retry(most=1), "stop": why, "only_this": True}
        return msgspec.structs.replace(reply, text=None, **failure)
    return reply
