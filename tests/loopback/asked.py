"""What a request asks, and by what it is known: the texts and pictures of its question."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

ASKING = ("/v1/chat/completions", "/v1/responses", "/v1/messages", "/v1/images/generations")
# The fields of a body in which texts and pictures are.
PLACES = (
    "instructions", "system", "messages", "input", "content", "text", "image_url", "url", "source", "prompt",
)  # fmt: skip


@dataclass(frozen=True)
class Asked:
    """One request. `key` identifies the question (its texts and pictures), `attempt` counts from 1 for each key.

    `sequence` counts all requests from 1, `id` is the unique part of the reply's id, `arrived` is monotonic time.
    GET requests, and bodies that are not JSON, have no key.
    """

    method: str
    path: str
    headers: dict[str, str]
    body: Any
    size: int
    key: str
    attempt: int
    sequence: int
    id: str
    arrived: float

    @property
    def model(self) -> str:
        """The model that was asked for."""
        return str(self.body.get("model", "")) if isinstance(self.body, dict) else ""

    @property
    def texts(self) -> list[str]:
        """All texts of the question, system text included, in their order."""
        return [part for part in question_parts(self.body) if not part.startswith("data:")]

    @property
    def text(self) -> str:
        """The texts joined by line ends."""
        return "\n".join(self.texts)

    @property
    def images(self) -> list[str]:
        """The pictures' data URLs, in their order."""
        return [part for part in question_parts(self.body) if part.startswith("data:")]


def question_parts(node: Any) -> Iterator[str]:
    """The texts and picture URLs in a body of any API, wherever they are nested; a picture's bytes as a data URL."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, list):
        for item in node:
            yield from question_parts(item)
    elif isinstance(node, dict) and node.get("type") == "base64":
        yield f"data:{node['media_type']};base64,{node['data']}"
    elif isinstance(node, dict):
        for name in PLACES:
            # The responses API's `text` parameter, beside `input`, is about the reply's format.
            if name in node and not (name == "text" and isinstance(node["text"], dict)):
                yield from question_parts(node[name])


def question_key(body: Any) -> str:
    """The digest of all texts and pictures of a request's body: parameters and the model do not matter."""
    digest = hashlib.blake2b(digest_size=16)
    for part in question_parts(body):
        data = part.encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(data) + data)
    return digest.hexdigest()
