"""What can be said about an `openai:` judge, on the command line or in its TOML file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from counterbench.errors import InputError
from counterbench.judges.options import read_options

# Options that are part of what is asked of whom; the others say how to get there, how patiently, and at what price.
IDENTITY = (
    "base_url", "api", "temperature", "seed", "max_tokens", "effort", "detail", "pictures", "logprobs", "structured",
    "body", "headers",
)  # fmt: skip
# What the judge itself puts into a request.
_OURS = frozenset({"model", "messages", "input", "instructions", "stream", "n"})
# Fields and headers are a part of the judge's name, which is written down.
_SECRET_FIELDS = re.compile("api_?key|secret|password|credential|authorization", re.IGNORECASE)
_SECRET_HEADERS = re.compile("auth|key|token(?!s)|secret|password|credential|cookie", re.IGNORECASE)


class OpenAIOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How an `openai:` judge is asked.

    `api`: chat completions, or the responses API. `temperature`, `seed`, `max_tokens`: as the server understands them;
    one that it refuses is left out. `effort`: of reasoning. `detail`: of pictures. `pictures`: the file
    format that they are sent in; as JPEG they lose a little. `logprobs`: how many alternatives of each token to ask for
    (0: none). `structured`: ask for JSON by schema where the answer type has one. `timeout`: seconds for one call.
    `price_in`, `price_out`: US dollars for a million tokens. `body`, `headers`: sent as they are. `headers_env`:
    headers whose values are in the named environment variables. `key_env`: the variable that holds the key.
    """

    base_url: str = ""
    key_env: str = ""
    api: Literal["chat", "responses"] = "chat"
    temperature: Annotated[float, msgspec.Meta(ge=0, le=2)] = 0.0
    seed: int = 0
    max_tokens: Annotated[int, msgspec.Meta(ge=1)] = 4096
    effort: str = ""
    detail: Literal["", "auto", "low", "high"] = ""
    pictures: Literal["png", "jpeg"] = "png"
    logprobs: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0
    structured: bool = True
    timeout: Annotated[float, msgspec.Meta(gt=0)] = 120.0
    price_in: Annotated[float, msgspec.Meta(ge=0)] | None = None
    price_out: Annotated[float, msgspec.Meta(ge=0)] | None = None
    body: dict[str, Any] = {}
    headers: dict[str, str] = {}
    headers_env: dict[str, str] = {}


def openai_options(given: Mapping[str, Any], where: str) -> OpenAIOptions:
    """Options as given, checked; InputError at `where`."""
    options = read_options(OpenAIOptions, given, where)
    for name in options.body:
        if name in _OURS:
            raise InputError(f"{where}: body may not set {name!r}, which the judge sets itself")
    for names, secret in ((options.body, _SECRET_FIELDS), (options.headers, _SECRET_HEADERS)):
        for name in filter(secret.search, names):
            raise InputError(
                f"{where}: {name!r} would hold a secret; name the environment variable that has it, by --key-env, or "
                "for a header in headers_env"
            )
    return options
