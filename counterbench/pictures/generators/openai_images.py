"""`openai:MODEL`: any server that speaks OpenAI's images API, through the OpenAI SDK; one call for each picture.

`OpenAIImages.draw` takes requests (a prompt's words and a seed) and gives a `Drawing` for each: the bytes of a picture,
a refusal (the server or its content filter declines the prompt), or a failure (anything else that went wrong). A
refusal counts against the model, and a failure does not. So only a code, a filter's verdict or the message of a JSON
error counts as a refusal: never a page of HTML, nor a word somewhere in a body.
"""

import asyncio
import base64
import binascii
import functools
import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

import msgspec
import openai

from counterbench.drawing.reading import MAX_BYTES
from counterbench.judges.base import Reply
from counterbench.judges.openai.failures import REFUSAL_CODES, Dialect, refusal_of
from counterbench.judges.openai.http import HTTP
from counterbench.judges.openai.replies import Malformed, body_start, cost_of, decode, dig, text_of, token_count
from counterbench.judges.openai.sdk import Price, ServedModel
from counterbench.judges.openai.server_options import NotNegative, ServerOptions, server_options
from counterbench.pictures.generators.base import Drawing, DrawingRequest
from counterbench.pictures.generators.downloads import Downloads, host_name

# The options that identify a generator: with another one it draws other pictures.
IDENTITY = ("base_url", "size", "quality", "seed", "body", "headers")
# The parameters that are left out if a server refuses them. The user's own parameters are not among them.
_OPTIONAL = frozenset({"seed", "response_format", "n"})
# A picture of the largest size in base64, and the JSON around it.
_MAX_REPLY_BYTES = MAX_BYTES * 4 // 3 + 2**20
# The statuses of a refusal, beside 200.
_REFUSAL_STATUSES = frozenset({400, 403, 422, 451})
# The messages that refuse, of servers without such codes: they have a word for the refusal and a word for the filter.
_DECLINED = re.compile(
    r"(?=.*(?:block|flagg|reject|refus|filter|declin|detect|violat|not allowed by))"
    r"(?=.*(?:safety|content[ _-]?(?:policy|filter)|moderation|responsible ?ai|nsfw|guardrail))",
    re.IGNORECASE | re.DOTALL,
)
# Words of a filter that is out of order, which has declined nothing.
_TROUBLE = re.compile(r"unavailable|timed? ?out|overloaded|temporar|try again", re.IGNORECASE)
_FILTERED = "the server filtered the picture"


class ImagesOptions(ServerOptions, frozen=True, kw_only=True):
    """The options of an `openai:` generator."""

    ours: ClassVar = ServerOptions.ours | {"prompt", "response_format", "seed", "size", "quality"}

    size: str = ""  # as the server understands it; not sent if empty
    quality: str = ""  # as the server understands it; not sent if empty
    seed: bool = True  # send each picture's seed; a server that takes none is asked without
    timeout: Annotated[float, msgspec.Meta(gt=0)] = 300.0  # seconds for one picture
    price: NotNegative | None = None  # US dollars for a picture
    image_hosts: tuple[str, ...] = ()  # hosts, beside that of `base_url`, that may be off the public internet


class OpenAIImages(ServedModel):
    """A model behind the images API of an OpenAI-compatible server.

    Raises InputError for options that are not valid and keys that are not set.
    """

    def __init__(self, model: str, options: Mapping[str, Any] | None = None) -> None:
        """Read the options; the connection for downloads is opened when it is first needed."""
        self.options = server_options(ImagesOptions, options or {}, f"openai:{model}")
        super().__init__(model, self.options, IDENTITY, _MAX_REPLY_BYTES, Dialect(_OPTIONAL), draws=True)
        self._hosts = {str(HTTP.URL(self.access.url).raw_host, "ascii"), *map(host_name, self.options.image_hosts)}
        self._downloads: Downloads | None = None

    @functools.cached_property
    def _price(self) -> Price | None:
        """The price of a call: that of a picture if it is an option, else that of tokens."""
        if self.options.price is not None:  # of a picture, for any number of tokens
            return Price(per_call=self.options.price)
        return super()._price

    async def draw(self, batch: Sequence[DrawingRequest]) -> Sequence[Drawing]:
        """One call for each request."""
        return list(map(self.access.redacted, await asyncio.gather(*map(self._draw, batch))))

    async def close(self) -> None:
        """Close the connections."""
        downloads, self._downloads = self._downloads, None
        await super().close()
        if downloads is not None:
            await downloads.close()

    async def _draw(self, request: DrawingRequest) -> Drawing:
        """The drawing for one request, from one call of the server."""
        body: dict[str, Any] = {"model": self.model, "prompt": request.text, "n": 1, "response_format": "b64_json"}
        if self.options.seed:
            body["seed"] = request.seed
        for name in ("size", "quality"):
            if value := getattr(self.options, name):
                body[name] = value
        try:
            reply_body, dropped = await self.ask("/images/generations", body | self.options.body)
        except openai.APIStatusError as error:
            return self._refused(error, request.text)
        except Exception as error:
            return _as_drawing(self.failed(error))
        return msgspec.structs.replace(await self._read(reply_body, request.text), dropped=dropped)

    def learn(self, sent: Mapping[str, Any], error: openai.APIStatusError) -> bool:
        """True if the error refuses a parameter, which is left out from now on; never for a declined prompt."""
        if _declined(error, sent["prompt"]):
            return False
        message, parameter = refusal_of(error)
        return self.dialect.learn(sent, message.replace(sent["prompt"], ""), parameter)

    def _refused(self, error: openai.APIStatusError, prompt: str) -> Drawing:
        """The drawing for a status other than 200: a refusal, a failure of this picture, or the end of the run."""
        if declined := _declined(error, prompt):
            return Drawing(refusal=self.access.message(declined), model=self.model, cost=0.0)
        drawing = _as_drawing(self.failed(error))
        if error.status_code in (400, 413, 422) and drawing.failure is not None:
            advice = "check that the model draws pictures, and the generator's options (size, quality, body)"
            text = f"{self.access.url} answered {error.status_code} for model {self.model!r}: {drawing.failure.message}"
            return msgspec.structs.replace(drawing, stop=f"{text}; {advice}")
        return drawing

    async def _read(self, content: bytes, prompt: str) -> Drawing:
        """The drawing in a body of status 200, with its cost; a picture given as an address is fetched."""
        try:
            drawing, url = read_body(content, self.model, prompt)
        except Malformed as error:
            return _as_drawing(self.malformed(error) or error.reply)
        if drawing.refusal is not None:
            return msgspec.structs.replace(drawing, refusal=self.access.message(drawing.refusal))
        cost = self.cost(drawing.cost, drawing.tokens_in, drawing.tokens_out)
        if url:
            self._downloads = self._downloads or Downloads(self.options.timeout, self._hosts)
            fetched = await self._downloads.fetch(url)
            if isinstance(fetched, Drawing):  # a failure, which cost as much
                return msgspec.structs.replace(fetched, cost=cost)
            drawing = msgspec.structs.replace(drawing, picture=fetched)
        return msgspec.structs.replace(drawing, cost=cost)


def _as_drawing(reply: Reply) -> Drawing:
    """A failed reply, or a content filter's, in the shape that judges have, as a drawing."""
    return Drawing(refusal=reply.text, **reply.shared)


def read_body(content: bytes, model: str, prompt: str) -> tuple[Drawing, str]:
    """The first picture of a reply to `prompt`, or its refusal, and the picture's address. Malformed if it is neither.

    The address is empty unless the reply has the address alone; then the picture is empty.
    """
    data = _json_of(content)
    if not isinstance(data, dict):
        raise Malformed(f"not a JSON object: {body_start(content)}")
    first = dig(data, "data", 0)
    url, encoded = text_of(dig(first, "url")), text_of(dig(first, "b64_json"))
    filtered = dig(first, "finish_reason") == "content_filter" or True in (dig(first, "nsfw"), dig(first, "has_nsfw"))
    if data.get("error") or filtered or not (url or encoded):
        if refusal_words := refusal(data, prompt) or (_FILTERED if filtered else ""):
            return Drawing(refusal=refusal_words, model=model, cost=0.0), ""
        fault = "an error in place of a picture" if data.get("error") else "no picture"
        raise Malformed(f"{fault}: {body_start(content)}", dig(data, "error", "code"))
    if url.startswith("data:image/"):  # the picture's file itself
        url, encoded = "", url
    usage = data.get("usage")
    drawing = Drawing(
        picture=_decoded(encoded) if encoded else b"",
        model=text_of(data.get("model")) or model,
        revised=text_of(dig(first, "revised_prompt")),
        tokens_in=token_count(dig(usage, "input_tokens"), dig(usage, "prompt_tokens")),
        tokens_out=token_count(dig(usage, "output_tokens"), dig(usage, "completion_tokens")),
        cost=cost_of(dig(usage, "cost")),
    )
    return drawing, "" if encoded else url


def _declined(error: openai.APIStatusError, prompt: str) -> str:
    """The words of an error that refuse to draw `prompt`; empty if it is no refusal."""
    return refusal(_json_of(error.response.content), prompt) if error.status_code in _REFUSAL_STATUSES else ""


def refusal(data: object, prompt: str) -> str:
    """The words of a JSON body that refuse to draw `prompt`; empty if it is no refusal.

    A server may repeat the prompt, so the prompt's words are no evidence. Nor is an error about another parameter.
    """
    if not isinstance(data, dict):
        return ""
    error = data.get("error")
    fields = error if isinstance(error, dict) else data
    message = error if isinstance(error, str) else text_of(fields.get("message")) or text_of(fields.get("detail"))
    code = fields.get("code")
    if isinstance(code, int) and code not in _REFUSAL_STATUSES:  # the server's own trouble
        return ""
    if {str(code).lower(), str(fields.get("type")).lower()} & REFUSAL_CODES or _is_filtered(data):
        return message or _FILTERED
    server_words = message.replace(prompt, "") if prompt else message
    is_about_prompt = fields.get("param") in (None, "", "prompt") and not _TROUBLE.search(server_words)
    return message if is_about_prompt and _DECLINED.search(server_words) else ""


def _json_of(content: bytes) -> Any:
    """A body as JSON; None if it is none."""
    try:
        return decode(content)
    except Malformed:
        return None


def _is_filtered(data: object) -> bool:
    """True if a filter's results, at any depth of a body, say that anything was filtered."""
    items = [data]
    while items:
        item = items.pop()
        if isinstance(item, dict):
            if item.get("filtered") is True:
                return True
            items += item.values()
        elif isinstance(item, list):
            items += item
    return False


def _decoded(text: str) -> bytes:
    """The bytes of a picture in base64, or in a data: address; Malformed if it is not base64."""
    plain = text.partition("base64,")[2] if text.startswith("data:") else text
    try:
        return base64.b64decode("".join(plain.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise Malformed(f"b64_json is not base64: {error}") from None
