"""`openai:MODEL`: any server that speaks OpenAI's images API, through the OpenAI SDK; one call for each picture."""

from __future__ import annotations

import asyncio
import functools
import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec
import openai

from counterbench.drawing.reading import MOST_BYTES
from counterbench.errors import InputError
from counterbench.judges.base import Reply
from counterbench.judges.openai.failures import failed_reply, refusal_of, status_reply
from counterbench.judges.openai.options import openai_options
from counterbench.judges.openai.replies import Malformed
from counterbench.judges.openai.sdk import HTTP, Price, ServedModel
from counterbench.judges.options import judge_name, read_options
from counterbench.t2i.generators.base import Drawing, DrawingRequest
from counterbench.t2i.generators.downloads import Downloads, host_name
from counterbench.t2i.generators.image_replies import REFUSAL_STATUSES, json_of, read_body, refusal

IDENTITY = ("base_url", "size", "quality", "seed", "body", "headers")
# The parameters that are left out if a server refuses them. The user's own parameters are not among them.
_OPTIONAL = ("seed", "response_format", "n")
_OURS = ("prompt", "response_format", "seed", "size", "quality")
# A picture of the largest size in base64, and the JSON around it.
_MOST_BYTES = MOST_BYTES * 4 // 3 + 2**20

NotNegative = Annotated[float, msgspec.Meta(ge=0)]


class ImagesOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of an `openai:` generator."""

    base_url: str = ""
    key_env: str = ""  # the environment variable that holds the key
    size: str = ""  # as the server understands it; not sent if empty
    quality: str = ""  # as the server understands it; not sent if empty
    seed: bool = True  # send each picture's seed; a server that takes none is asked without
    timeout: Annotated[float, msgspec.Meta(gt=0)] = 300.0  # seconds for one picture
    price: NotNegative | None = None  # US dollars for a picture
    price_in: NotNegative | None = None  # US dollars for a million tokens
    price_out: NotNegative | None = None
    body: dict[str, Any] = {}  # sent as it is
    headers: dict[str, str] = {}  # sent as they are
    headers_env: dict[str, str] = {}  # headers whose values are in the named environment variables
    image_hosts: tuple[str, ...] = ()  # further hosts of pictures off the public internet, beside that of `base_url`


class OpenAIImages(ServedModel):
    """A model behind the images API of an OpenAI-compatible server.

    Raises InputError for options that are not valid and keys that are not set.
    """

    def __init__(self, model: str, options: Mapping[str, Any] | None = None) -> None:
        where = f"openai:{model}"
        self.options = read_options(ImagesOptions, options or {}, where)
        for name in self.options.body:
            if name in _OURS:
                raise InputError(f"{where}: body may not set {name!r}, which is an option or set by the generator")
        shared = ("base_url", "key_env", "timeout", "price_in", "price_out", "body", "headers", "headers_env")
        served = openai_options({name: getattr(self.options, name) for name in shared}, where)
        super().__init__(model, served, where, _MOST_BYTES, draws=True)
        self._hosts = {str(HTTP.URL(self.access.url).raw_host, "ascii"), *map(host_name, self.options.image_hosts)}
        named = msgspec.structs.replace(self.options, base_url=self.named_url)
        self.name = judge_name("openai", model, named, IDENTITY)
        self._refused: set[str] = set()  # of _OPTIONAL
        self._downloads: Downloads | None = None

    @functools.cached_property
    def _price(self) -> Price | None:
        if self.options.price is not None:  # of a picture, for any number of tokens
            return Price(each=self.options.price)
        return super()._price

    async def draw(self, batch: Sequence[DrawingRequest]) -> Sequence[Drawing]:
        """One call for each request."""
        return list(await asyncio.gather(*map(self._draw, batch)))

    async def close(self) -> None:
        """Close the connections."""
        downloads, self._downloads = self._downloads, None
        await super().close()
        if downloads is not None:
            await downloads.close()

    def _body(self, request: DrawingRequest) -> dict[str, Any]:
        body: dict[str, Any] = {"model": self.model, "prompt": request.text, "n": 1, "response_format": "b64_json"}
        if self.options.seed:
            body["seed"] = request.seed
        for name in ("size", "quality"):
            if value := getattr(self.options, name):
                body[name] = value
        return body | self.options.body

    async def _draw(self, request: DrawingRequest) -> Drawing:
        return self.access.redacted(await self._drawing(request))

    async def _drawing(self, request: DrawingRequest) -> Drawing:
        body = self._body(request)
        while True:  # each turn leaves out refused parameters; it ends if there are none to leave out
            sent = {name: value for name, value in body.items() if name not in self._refused}
            dropped = tuple(sorted(body.keys() - sent.keys()))
            try:
                async with asyncio.timeout(self.options.timeout):
                    content = await self.post("/images/generations", sent)
            except openai.APIStatusError as error:
                self.reached = True
                if error.status_code in REFUSAL_STATUSES:
                    declined = refusal(json_of(error.response.content), request.text)
                    if declined:
                        return Drawing(refusal=self.access.message(declined), model=self.model, cost=0.0)
                if self._learn(sent, error):
                    continue
                return self._failure(error)
            except Exception as error:
                return _failed(failed_reply(error, self.access, self.model, self.reached))
            self.reached = True
            drawing = await self._read(content, request.text)
            return msgspec.structs.replace(drawing, dropped=dropped)

    def _learn(self, sent: Mapping[str, Any], error: openai.APIStatusError) -> bool:
        """True if a request was refused for optional parameters, which are left out from now on."""
        if error.status_code not in (400, 422):
            return False
        message, parameter = refusal_of(error)
        optional = {name for name in _OPTIONAL if name in sent}
        if parameter:
            named = {parameter} & optional
        else:
            said = message.replace(sent["prompt"], "")  # the prompt may speak of seeds
            named = {name for name in optional if re.search(rf"(?<![\w-]){name}(?![\w-])", said)}
        self._refused |= named
        return bool(named)

    def _failure(self, error: openai.APIStatusError) -> Drawing:
        """The drawing for a status other than 200: a failure of this picture, or the end of the run."""
        drawing = _failed(failed_reply(error, self.access, self.model, self.reached))
        if error.status_code in (400, 413, 422) and drawing.failure is not None:
            advice = "check that the model draws pictures, and the generator's options (size, quality, body)"
            said = f"{self.access.url} answered {error.status_code} for model {self.model!r}: {drawing.failure.message}"
            return msgspec.structs.replace(drawing, stop=f"{said}; {advice}")
        return drawing

    async def _read(self, content: bytes, prompt: str) -> Drawing:
        try:
            answered = read_body(content, self.model, prompt)
        except Malformed as error:
            if isinstance(error.code, int) and 400 <= error.code < 600:
                return _failed(status_reply(error.code, str(error), "", self.access, self.model))
            return _failed(error.reply)
        drawing = answered.drawing
        if drawing.refusal is not None:
            cost = drawing.cost or 0.0  # a declined picture costs nothing, unless the server says so
            return msgspec.structs.replace(drawing, refusal=self.access.message(drawing.refusal), cost=cost)
        if answered.url:
            self._downloads = self._downloads or Downloads(self.options.timeout, self._hosts)
            fetched = await self._downloads.fetch(answered.url)
            if isinstance(fetched, Drawing):  # a failure, which cost as much
                return msgspec.structs.replace(fetched, cost=self._cost(drawing))
            drawing = msgspec.structs.replace(drawing, picture=fetched)
        return msgspec.structs.replace(drawing, cost=self._cost(drawing))

    def _cost(self, drawing: Drawing) -> float | None:
        return self.cost(drawing.cost, drawing.tokens_in, drawing.tokens_out)


def _failed(reply: Reply) -> Drawing:
    """A failed reply of the judges' kind (or a content filter's) as a drawing."""
    if reply.failure is None:
        return Drawing(refusal=reply.text or "", model=reply.model, cost=reply.cost)
    return Drawing(
        failure=reply.failure, retry=reply.retry, stop=reply.stop, only_this=reply.only_this, model=reply.model
    )
