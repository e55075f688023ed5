"""Options of an `openai:` judge, on the command line or in its TOML file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, TypeVar

import msgspec

from counterbench.errors import InputError
from counterbench.judges.options import read_options

# Options that can change the replies; the others are about the connection, the patience and the price.
IDENTITY = (
    "base_url", "api", "temperature", "seed", "max_tokens", "effort", "detail", "logprobs", "structured",
    "body", "headers",
)  # fmt: skip
# Fields and headers are a part of the judge's name, which is written down.
_SECRET_FIELDS = re.compile("api_?key|secret|password|credential|authorization", re.IGNORECASE)
_SECRET_HEADERS = re.compile("auth|key|token(?!s)|secret|password|credential|cookie", re.IGNORECASE)

NotNegative = Annotated[float, msgspec.Meta(ge=0)]


class ServerOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options that `openai:` judges and generators share."""

    # Fields that are in a request without `body`, which may not set them.
    ours: ClassVar = frozenset({"model", "messages", "input", "instructions", "stream", "n"})

    base_url: str = ""
    key_env: str = ""  # the environment variable with the key
    timeout: Annotated[float, msgspec.Meta(gt=0)] = 120.0  # seconds for one call
    price_in: NotNegative | None = None  # US dollars for a million tokens
    price_out: NotNegative | None = None
    body: dict[str, Any] = {}  # further fields of requests
    headers: dict[str, str] = {}
    headers_env: dict[str, str] = {}  # headers whose values are in the named environment variables


S = TypeVar("S", bound=ServerOptions)


class OpenAIOptions(ServerOptions, frozen=True, kw_only=True):
    """The options of an `openai:` judge. A parameter that the server refuses is left out of requests."""

    api: Literal["chat", "responses"] = "chat"  # chat completions, or the responses API
    temperature: Annotated[float, msgspec.Meta(ge=0, le=2)] = 0.0
    seed: int = 0
    max_tokens: Annotated[int, msgspec.Meta(ge=1)] = 4096
    effort: str = ""  # of reasoning
    detail: Literal["", "auto", "low", "high"] = ""  # of pictures
    logprobs: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0  # alternatives of each token to ask for (0: none)
    structured: bool = True  # ask for JSON by schema if the answer type has one


def openai_options(given: Mapping[str, Any], where: str) -> OpenAIOptions:
    """The options of a judge, as `server_options` checks them."""
    return server_options(OpenAIOptions, given, where)


def server_options(kind: type[S], given: Mapping[str, Any], where: str) -> S:
    """Options as given, checked; InputError at `where`."""
    options = read_options(kind, given, where)
    for name in options.body:
        if name in kind.ours:
            raise InputError(f"{where}: body may not set {name!r}, which counterbench sets itself")
    for names, secret in ((options.body, _SECRET_FIELDS), (options.headers, _SECRET_HEADERS)):
        for name in filter(secret.search, names):
            raise InputError(
                f"{where}: {name!r} would hold a secret; name the environment variable that has it, by key_env, or "
                "for a header in headers_env"
            )
    return options
