"""A model that draws: replies in the shape of the images API, and pictures under addresses of their own."""

import base64
import hashlib
import struct
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from loopback.asked import Asked
from loopback.messages import Message, Status, error, json_bytes

PICTURES = "/pictures/"


def png(left: tuple[int, int, int], right: tuple[int, int, int], side: int = 8, chunks: bytes = b"") -> bytes:
    """A small picture, each half in a colour of its own. `chunks` stand before the pixels."""
    line = b"\0" + bytes(left) * (side // 2) + bytes(right) * (side - side // 2)
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunks + chunk(b"IDAT", zlib.compress(line * side)) + chunk(b"IEND", b"")


def chunk(kind: bytes, data: bytes) -> bytes:
    """A chunk of a PNG file."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def picture_for(text: str, seed: int | None) -> bytes:
    """The picture that belongs to a text and a seed, and to no other."""
    digest = hashlib.sha256(f"{seed} {text}".encode()).digest()
    left, right = tuple(digest[:3]), (*digest[3:5], digest[0] ^ 255)
    return png(left, right)  # type: ignore[arg-type]


def by_prompt(request: Asked) -> bytes:
    """The default picture: of the prompt and the seed that was sent."""
    return picture_for(request.body["prompt"], request.body.get("seed"))


@dataclass(frozen=True)
class Draw(Message):
    """A picture, in the shape of the images API.

    `picture`: a file's bytes, or a function of what was asked. `form`: "b64", or "url": an address at this server, or
    any other as `url`. `revised`: the prompt as the model changed it. `usage` is (tokens in, tokens out).
    """

    picture: bytes | Callable[[Asked], bytes] = by_prompt
    form: Literal["b64", "url", "data"] = "b64"
    url: str = ""
    revised: str = ""
    model: str = ""
    usage: tuple[int, int] | None = None
    cost: float | None = None

    @property
    def answers(self) -> bool:
        return True

    def status_and_body(self, request: Asked) -> tuple[int, str, bytes]:
        picture = self.picture(request) if callable(self.picture) else self.picture
        encoded = base64.b64encode(picture).decode()
        item: dict[str, Any] = {}
        if self.form == "b64" and not self.url:
            item["b64_json"] = encoded
        elif self.form == "data":
            item["url"] = f"data:image/png;base64,{encoded}"
        else:
            item["url"] = self.url or f"http://{request.headers['host']}{PICTURES}{picture.hex()}"
        if self.revised:
            item["revised_prompt"] = self.revised
        document: dict[str, Any] = {"created": int(time.time()), "id": request.id, "data": [item]}
        if self.model:
            document["model"] = self.model
        if self.usage is not None:
            document["usage"] = {"input_tokens": self.usage[0], "output_tokens": self.usage[1]}
            if self.cost is not None:
                document["usage"]["cost"] = self.cost
        return 200, "application/json", json_bytes(document)


MODERATED = Status(
    400,
    error(
        "Your request was rejected by the safety system. safety_violations=[violence].",
        "image_generation_user_error",
        None,
        "moderation_blocked",
    ),
)
