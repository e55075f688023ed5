"""Options of an `openai:` judge, on the command line or in its TOML file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from counterbench.errors import InputError
from counterbench.judges.options import read_options

# Options that can change the replies; the others are about the connection, the patience and the price.
IDENTITY = (
    "base_url", "api", "temperature", "seed", "max_tokens", "effort", "detail", "logprobs", "structured",
    "body", "headers",
)  # fmt: skip
# Fields that the judge itself puts into a request.
_OURS = frozenset({"model", "messages", "input", "instructions", "stream", "n"})
# Fields and headers are a part of the judge's name, which is written down.
_SECRET_FIELDS = re.compile("api_?key|secret|password|credential|authorization", re.IGNORECASE)
_SECRET_HEADERS = re.compile("auth|key|token(?!s)|secret|password|credential|cookie", re.IGNORECASE)


class OpenAIOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of an `openai:` judge. A parameter that the server refuses is left out of requests."""

    base_url: str = ""
    key_env: str = ""  # the environment variable with the key
    api: Literal["chat", "responses"] = "chat"  # chat completions, or the responses API
    temperature: Annotated[float, msgspec.Meta(ge=0, le=2)] = 0.0
    seed: int = 0
    max_tokens: Annotated[int, msgspec.Meta(ge=1)] = 4096
    effort: str = ""  # of reasoning
    detail: Literal["", "auto", "low", "high"] = ""  # of pictures
    logprobs: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0  # alternatives of each token to ask for (0: none)
    structured: bool = True  # ask for JSON by schema if the answer type has one
    timeout: Annotated[float, msgspec.Meta(gt=0)] = 120.0  # seconds for one call
    price_in: Annotated[float, msgspec.Meta(ge=0)] | None = None  # US dollars for a million tokens
    price_out: Annotated[float, msgspec.Meta(ge=0)] | None = None
    body: dict[str, Any] = {}  # further fields of requests
    headers: dict[str, str] = {}
    headers_env: dict[str, str] = {}  # headers whose values are in the named environment variables


def openai_options(given: Mapping[str, Any], where: str) -> OpenAIOptions:
    """Options as given, checked; InputError at `where`."""
    options = read_options(OpenAIOptions, given, where)
    for name in options.body:
        if name in _OURS:
            raise InputError(f"{where}: body may not set {name!r}, which the judge sets itself")
    for names, secret in ((options.body, _SECRET_FIELDS), (options.headers, _SECRET_HEADERS)):
        for name in filter(secret.search, names):
            raise InputError(
                f"{where}: {name!r} would hold a secret; name the environment variable that has it, by key_env, or "
                "for a header in headers_env"
            )
    return options
