"""Options of an `openai:` judge, on the command line or in its TOML file; its address and key.

Keys come from the environment and are never written down.
"""

import os
import re
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, TypeVar
from urllib.parse import urlsplit

import msgspec

from counterbench.answers.outcomes import Failed
from counterbench.errors import InputError
from counterbench.files.addresses import masked
from counterbench.judges.specs import AtLeastOne, read_options

T = TypeVar("T", bound=msgspec.Struct)

# Options that can change the replies; the others are about the connection, the patience and the price.
IDENTITY = (
    "base_url", "api", "temperature", "seed", "max_tokens", "effort", "detail", "logprobs", "structured",
    "max_pictures",
    "body", "headers",
)  # fmt: skip
# Fields and headers are a part of the judge's name, which is written down.
_SECRET_FIELDS = re.compile("api_?key|secret|password|credential|authorization", re.IGNORECASE)
_SECRET_HEADERS = re.compile("auth|key|token(?!s)|secret|password|credential|cookie", re.IGNORECASE)
DEFAULT_URL = "https://api.openai.com/v1"
DEFAULT_KEY = "OPENAI_API_KEY"
HIDDEN = "[key]"
# Shorter keys are placeholders ("EMPTY"), and would occur inside ordinary words.
SHORTEST_SECRET = 8
_LONGEST_MESSAGE = 500
_SPACES = re.compile(r"[\s\u0120\u010a\u2581]+")  # white space, and the characters for it in tokens ("Ġyes", "▁yes")

NotNegative = Annotated[float, msgspec.Meta(ge=0)]


class CallOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of every model that is called over a network."""

    base_url: str = ""
    timeout: Annotated[float, msgspec.Meta(gt=0)] = 120.0  # seconds for one call
    price_in: NotNegative | None = None  # US dollars for a million tokens
    price_out: NotNegative | None = None


class ServerOptions(CallOptions, frozen=True, kw_only=True):
    """The options that `openai:` judges and generators share."""

    # Fields of a request that counterbench sets itself: `body` may not set them.
    ours: ClassVar = frozenset({"model", "messages", "input", "instructions", "stream", "n"})

    key_env: str = ""  # the environment variable with the key
    body: dict[str, Any] = {}  # further fields of requests
    headers: dict[str, str] = {}
    headers_env: dict[str, str] = {}  # headers whose values are in the named environment variables


S = TypeVar("S", bound=ServerOptions)


class OpenAIOptions(ServerOptions, frozen=True, kw_only=True):
    """The options of an `openai:` judge. A parameter that the server refuses is left out of requests."""

    api: Literal["chat", "responses"] = "chat"  # chat completions, or the responses API
    temperature: Annotated[float, msgspec.Meta(ge=0, le=2)] = 0.0
    seed: int = 0
    max_tokens: AtLeastOne = 4096
    effort: str = ""  # of reasoning
    detail: Literal["", "auto", "low", "high"] = ""  # of pictures
    logprobs: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0  # alternatives of each token to ask for (0: none)
    max_pictures: AtLeastOne = 2  # with a question; with 1, two come on one sheet
    structured: bool = True  # ask for JSON by schema if the answer type has one


def server_options(kind: type[S], values: Mapping[str, Any], where: str) -> S:
    """The given options as a `kind`, checked; InputError, at `where`, for a field or header that may not be set."""
    options = read_options(kind, values, where)
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


class Access(msgspec.Struct, frozen=True):
    """An address, the key for it (empty: none is sent), the variable that the key is from, and further headers.

    `is_default`: True for OpenAI's own endpoint and for that in OPENAI_BASE_URL. `secrets`: the key and the headers'
    values that no text may show, the longest first.
    """

    url: str
    key: str
    key_env: str
    headers: dict[str, str]
    is_default: bool
    secrets: tuple[str, ...]

    def __repr__(self) -> str:
        """The address and the key's variable, without the key."""
        return f"Access(url={self.url!r}, key_env={self.key_env!r})"

    def redact(self, text: str) -> str:
        """`text` with `[key]` in place of each secret that this judge sends, in case that a server repeats them."""
        for secret in self.secrets:
            text = text.replace(secret, HIDDEN)
        return text

    def message(self, text: str) -> str:
        """The beginning of a server's text, for a message. Secrets are removed first: a cut one would stay."""
        return self.redact(text)[:_LONGEST_MESSAGE]

    def redacted(self, reply: T) -> T:
        """A server's reply (a `Reply` or `Drawing`) without secrets in any text, its message cut.

        Likelihoods are left out if they, or their text, have a secret in them.
        """
        changed: dict[str, Any] = {}
        for name in reply.__struct_fields__:
            value = getattr(reply, name)
            if isinstance(value, str):
                changed[name] = self.redact(value)
            elif isinstance(value, Failed):
                changed[name] = Failed(value.kind, self.message(value.message))
        if likelihoods := getattr(reply, "logprobs", None):
            # Tokens of one key, joined without the marks that stand for spaces.
            joined = _SPACES.sub("", "".join(token.text for token in likelihoods))
            if HIDDEN in self.redact(f"{changed.get('text')} {joined} {likelihoods}"):
                changed["logprobs"] = None
        return msgspec.structs.replace(reply, **changed)


def find_access(options: ServerOptions, where: str, environment: Mapping[str, str] = os.environ) -> Access:
    """The address and the key that options and the environment give.

    OPENAI_API_KEY goes to the default endpoint or to OPENAI_BASE_URL; any other address gets a key only if `key_env`
    names one. Raises InputError, at `where`, for an address that is none and for a variable that is not set.
    """
    given, configured = (url.strip().rstrip("/") for url in (options.base_url, environment.get("OPENAI_BASE_URL", "")))
    configured = configured or DEFAULT_URL
    url = _checked_url(given or configured, where)
    is_default = url in (configured, DEFAULT_URL)
    key_env = options.key_env or (DEFAULT_KEY if is_default else "")
    key = environment.get(key_env, "").strip() if key_env else ""
    if not key and options.key_env:
        # The given value is not shown: it may be the key itself.
        raise InputError(f"{where}: key_env takes the NAME of an environment variable; none of the given name is set")
    if not key and url == DEFAULT_URL:
        raise InputError(
            f"{where}: {DEFAULT_KEY} is not set; export it, or give --base-url for another server "
            "(and key_env for the variable with its key)"
        )
    headers = dict(options.headers)
    for name, variable in options.headers_env.items():
        headers[name] = environment.get(variable, "").strip()
        if not headers[name]:
            raise InputError(
                f"{where}: headers_env takes the NAME of an environment variable; that for {name!r} is not set"
            )
    for value in (key, *headers.values()):
        if not (value.isascii() and value.isprintable()):
            raise InputError(f"{where}: a key or header value has characters that cannot be sent")
    hidden = {s for s in (key, *(headers[name] for name in options.headers_env)) if len(s) >= SHORTEST_SECRET}
    secrets = tuple(sorted(hidden, key=len, reverse=True))
    return Access(url, key, key_env if key else "", headers, is_default, secrets)


def _checked_url(url: str, where: str) -> str:
    """The base URL, unchanged; InputError if it is no plain address, or ends with the path of a call."""
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_address = False
    if not is_address or not url.isprintable() or " " in url:
        masked_url = masked(url)
        raise InputError(f"{where}: base URL {masked_url!r} is no address; it looks like http://localhost:8000/v1")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise InputError(
            f"{where}: the base URL may have no user, password or parameters: a key comes from the environment "
            "(key_env, or headers_env in the judge's file)"
        )
    for end in ("/chat/completions", "/responses"):
        if parts.path.endswith(end):
            raise InputError(f"{where}: give the base URL without {end!r}: {url.removesuffix(end)}")
    return url
