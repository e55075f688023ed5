"""A model behind a server that speaks the OpenAI API: sends it requests, limits its replies, and finds its prices.

`ServedModel` is the main class; judges and generators (which draw pictures) of the kind `openai:` are made of it. Its
`ask` posts a request and returns the body of the reply as bytes; if the server refuses a parameter, the request is sent
again without it. `find_price` gives a `Price`: the one that the user stated, else one from a library (genai-prices),
which contains its data and uses no network. It is loaded only when a price is needed. Its data has no date, so its
version is given as the source. Prices are full ones, without discounts for cached input: a sum is at most a little
too high.

`_client`, at the end, makes the client of the OpenAI SDK. It never repeats a request by itself, and breaks off replies
that are too long.
"""

from __future__ import annotations

import asyncio
import functools
import zlib
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from functools import partial
from importlib.metadata import version
from typing import Any

import msgspec
import openai

from counterbench.errors import InputError
from counterbench.judges.base import Reply
from counterbench.judges.openai.failures import Dialect, TooLarge, failed_reply, refusal_of, status_reply
from counterbench.judges.openai.http import HTTP, UNPACKED
from counterbench.judges.openai.replies import Malformed
from counterbench.judges.openai.server_options import DEFAULT_URL, Access, CallOptions, ServerOptions, find_access
from counterbench.judges.specs import judge_name

LIBRARY = "genai-prices"


class Price(msgspec.Struct, frozen=True):
    """The price of calls, in US dollars.

    `cost`: the function from a call's tokens in (of the prompt) and tokens out (of the reply) to its price; None if
    calls are not priced by tokens. `per_call`: the price of a call if its tokens are not known or do not count; None if
    that is not known. `source`: the library and its version; empty if the user gave the price.
    """

    cost: Callable[[int, int], float] | None = None
    source: str = ""
    per_call: float | None = None

    def charge(self, tokens_in: int | None, tokens_out: int | None) -> float | None:
        """The cost of a call in US dollars; None if its tokens cost something and their number is not known."""
        if self.cost is None or tokens_in is None or tokens_out is None:
            return self.per_call
        return self.cost(tokens_in, tokens_out)


def find_price(
    model: str, url: str, price_in: float | None = None, price_out: float | None = None, draws: bool = False
) -> Price | None:
    """The price of `model` at the address `url`, or at the provider of that name; None if it is not known.

    `price_in` and `price_out` (US dollars for a million tokens), if given, are used in place of the library's. `draws`:
    the model's tokens out are pictures, for which some models have a price of their own.
    """
    if price_in is not None or price_out is not None:
        rate_in, rate_out = price_in or 0.0, price_out or 0.0
        return Price(
            lambda tokens_in, tokens_out: (tokens_in * rate_in + tokens_out * rate_out) / 1e6,
            per_call=0.0 if price_in == 0 == price_out else None,
        )
    from genai_prices import Usage, calc_price

    place: dict[str, Any] = {"provider_api_url" if "://" in url else "provider_id": url}

    def cost_of_tokens(tokens_in: int, tokens_out: int) -> float:
        """The library's price for these tokens, in US dollars."""
        pictures = {"output_image_tokens": tokens_out} if draws else {}
        usage = Usage(input_tokens=tokens_in, output_tokens=tokens_out, **pictures)
        return float(calc_price(usage, model, **place).total_price)

    try:
        prices = calc_price(Usage(input_tokens=1, output_tokens=1), model, **place).model_price
    except LookupError:
        return None
    if prices.input_mtok is None or prices.output_mtok is None:  # the model is known, but no price of its tokens
        return None
    return Price(cost_of_tokens, f"{LIBRARY} {version(LIBRARY)}")


def given_price(text: str, a_picture: bool = False) -> dict[str, float]:
    """The text after `--price` as options by name: `price_in` and `price_out`; empty for an empty text.

    With `a_picture`, it may also be one amount, which becomes the option `price`, for each picture that a generator
    draws. InputError for any other text.
    """
    if not text:
        return {}
    parts = text.split(",")
    names = ("price_in", "price_out") if len(parts) == 2 else ("price",) if a_picture and len(parts) == 1 else ()
    try:
        amounts = [float(part) for part in parts]
    except ValueError:
        amounts = []
    if not names or not amounts or not all(0 <= amount < float("inf") for amount in amounts):
        alternative = "; or one amount, for a picture, such as --price 0.04" if a_picture else ""
        raise InputError(
            f"--price {text!r}: it is two amounts, US dollars for a million tokens in and out, such as "
            f"--price 0.15,0.6{alternative}"
        )
    return dict(zip(names, amounts, strict=True))


class PricedModel:
    """The costs of a model's calls: as its replies state them, else by a price (`find_price`)."""

    def __init__(self, model: str, url: str, options: CallOptions, draws: bool = False) -> None:
        """Look nothing up yet: the list of prices is loaded when a price is needed."""
        self._place = f"{model!r} at {url}"
        self._find_price = partial(find_price, model, url, options.price_in, options.price_out, draws)
        self._says_cost = False  # True once a reply has stated its cost

    @functools.cached_property
    def _price(self) -> Price | None:
        """The price of this model's calls; None if it is not known."""
        return self._find_price()

    @property
    def prices(self) -> str:
        """The source of the model's prices; empty if the user gave them or replies have a cost."""
        return self._price.source if self._price is not None and not self._says_cost else ""

    @property
    def unpriced(self) -> str:
        """The model and its address, if no price is known; else empty."""
        return "" if self._price is not None else self._place

    def cost(self, stated: float | None, tokens_in: int | None, tokens_out: int | None) -> float | None:
        """The cost of a call in US dollars: as `stated` with the reply, else by the price; None if neither is known."""
        self._says_cost = self._says_cost or stated is not None
        if stated is not None or self._price is None:
            return stated
        return self._price.charge(tokens_in, tokens_out)


class ServedModel(PricedModel):
    """A model behind a server that speaks the OpenAI API.

    `identity`: the names of the options that belong to the judge's name. `max_bytes`: the most that is read of a reply.
    `dialect` knows which parameters the server refuses, and leaves these out of requests. `draws`: True if the tokens
    out are pictures.

    Connections belong to the event loop that first uses them, until they are closed.
    """

    max_batch = 1
    max_in_flight = 1000

    def __init__(
        self,
        model: str,
        options: ServerOptions,
        identity: Iterable[str],
        max_bytes: int,
        dialect: Dialect,
        draws: bool = False,
    ) -> None:
        """Find the address and the key, and make no connection yet; see the class for the parameters.

        InputError if the key is not set.
        """
        self.model, self.dialect = model, dialect
        self.access = find_access(options, f"openai:{model}")
        super().__init__(model, self.access.url, options, draws)
        # OPENAI_BASE_URL, like --base-url, is part of the judge's identity.
        named_url = "" if self.access.url == DEFAULT_URL else self.access.url
        self.name = judge_name("openai", model, msgspec.structs.replace(options, base_url=named_url), identity)
        self.reached = False  # True once the server has answered
        self._server, self._max_bytes = options, max_bytes
        self._client: openai.AsyncOpenAI | None = None

    async def ask(self, path: str, body: Mapping[str, Any]) -> tuple[bytes, tuple[str, ...]]:
        """The body of the server's reply, and the names of the parameters that were left out of the request.

        `path`: of the API, such as "/responses". Raises the SDK's errors, and TimeoutError.
        """
        while True:  # until a refusal names nothing more that can be left out
            sent, dropped = self.dialect.speak(body)
            try:
                async with asyncio.timeout(self._server.timeout):
                    content = await self._post(path, sent)
            except openai.APIStatusError as error:
                self.reached = True
                if error.status_code not in (400, 422) or not self.learn(sent, error):
                    raise
            else:
                self.reached = True
                return content, dropped

    def learn(self, sent: Mapping[str, Any], error: openai.APIStatusError) -> bool:
        """Leave out, from now on, the parameters that the server refused in a request; False if it refused none."""
        return self.dialect.learn(sent, *refusal_of(error))

    def failed(self, error: Exception) -> Reply:
        """The failed reply for an error of `ask`."""
        return failed_reply(error, self.access, self.model, self.reached)

    def malformed(self, error: Malformed) -> Reply | None:
        """The failure for the HTTP status that a malformed reply states in its body; None if it states none."""
        if isinstance(error.code, int) and 400 <= error.code < 600:
            return status_reply(error.code, str(error), "", self.access, self.model)
        return None

    async def _post(self, path: str, body: Mapping[str, Any]) -> bytes:
        """Post a request once; return the bytes of the response."""
        # `post` takes any body: so the request does not depend on the parameters that a version of the SDK knows.
        if self._client is None:
            self._client = _client(self.access, self._server.timeout, self._max_bytes)
        content: bytes = (await self._client.post(path, body=body, cast_to=HTTP.Response)).content
        return content

    async def close(self) -> None:
        """Close the connections."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()


class _Bounded(HTTP.AsyncByteStream):  # type: ignore[misc]
    """The bytes of a reply, unpacked, up to `max_bytes` bytes; TooLarge beyond. `packed`: its content encoding, or "".

    Replies are asked for unpacked; some proxies pack all the same. The library would unpack a whole part at once.
    """

    def __init__(self, stream: Any, max_bytes: int, packed: str) -> None:
        self._stream, self._max_bytes, self._packed = stream, max_bytes, packed

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """The unpacked bytes in parts; an error beyond the limit, or if they are packed in another way than stated."""
        if self._packed not in ("", "identity", "gzip", "deflate"):
            raise HTTP.DecodingError(f"it is compressed as {self._packed[:40]!r}, though asked for uncompressed")
        size, unpacker = 0, zlib.decompressobj(47) if self._packed in ("gzip", "deflate") else None  # 47: both
        async for part in self._stream:
            packed_bytes = part
            while packed_bytes:
                if unpacker is None:
                    unpacked, packed_bytes = packed_bytes, b""
                else:
                    try:
                        unpacked = unpacker.decompress(packed_bytes, self._max_bytes - size + 1)
                    except zlib.error as error:
                        raise HTTP.DecodingError(f"it is not {self._packed} as it says ({error})") from None
                    packed_bytes = unpacker.unconsumed_tail
                size += len(unpacked)
                if size > self._max_bytes:
                    raise TooLarge(f"more than {self._max_bytes} bytes, which is the most that is read of a reply")
                yield unpacked

    async def aclose(self) -> None:
        """Close the stream."""
        await self._stream.aclose()


def _client(access: Access, timeout: float, max_bytes: int) -> openai.AsyncOpenAI:
    """The SDK's client, whose responses break off after `max_bytes` bytes."""

    async def limit_response(response: Any) -> None:
        """Limit a response's bytes, and unpack them here."""
        packed = response.headers.pop("content-encoding", "").strip().lower()
        response.stream = _Bounded(response.stream, max_bytes, packed)

    http = openai.DefaultAsyncHttpxClient(
        verify=access.url.startswith("https:"),  # certificates are slow to read, and plain HTTP needs none
        follow_redirects=False,
        timeout=timeout,
        event_hooks={"response": [limit_response]},
    )
    client = openai.AsyncOpenAI(
        api_key=access.key or "none",
        base_url=access.url,
        default_headers=access.headers | UNPACKED,
        timeout=timeout,
        max_retries=0,  # the runner asks again
        http_client=http,
    )
    if not access.is_default:  # data of the default account must not go to another server
        client.organization = client.project = None
        client._custom_headers = access.headers | UNPACKED  # without those of OPENAI_CUSTOM_HEADERS
    return client
