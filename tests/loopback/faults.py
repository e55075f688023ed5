"""Faults on the wire. `after_bytes` counts bytes of the body: 0 is the head alone, None nothing at all."""

import math
from dataclasses import dataclass, field

from loopback.asked import Asked
from loopback.messages import Message, Respond, Say
from loopback.wire import Wire


async def _send_part(message: Message, request: Asked, wire: Wire, after_bytes: int | None) -> bytes:
    """Send the head and so much of the body; returns what was left out."""
    await wire.until(request.arrived + message.delay)
    head, body = message.render(request)
    if after_bytes is None:
        return head + body
    await wire.write(head + body[:after_bytes])
    return body[after_bytes:]


@dataclass(frozen=True)
class Reset(Respond):
    """The connection is reset (RST) mid-body, `pause` seconds after what was sent, so that the client has read that."""

    after_bytes: int | None = 20
    of: Message = field(default_factory=Say)
    pause: float = 0.02

    async def send(self, request: Asked, wire: Wire) -> None:
        await _send_part(self.of, request, wire, self.after_bytes)
        await wire.sleep(self.pause)
        wire.reset()


@dataclass(frozen=True)
class CloseEarly(Respond):
    """The connection is closed in order (FIN) mid-body, before as many bytes came as the head promised."""

    after_bytes: int | None = 20
    of: Message = field(default_factory=Say)

    async def send(self, request: Asked, wire: Wire) -> None:
        await _send_part(self.of, request, wire, self.after_bytes)
        wire.close()


@dataclass(frozen=True)
class Stall(Respond):
    """Nothing more comes for `seconds`, then the rest does, if the client is still there."""

    seconds: float = math.inf
    after_bytes: int | None = None
    of: Message = field(default_factory=Say)

    @property
    def answers(self) -> bool:
        return self.of.answers

    async def send(self, request: Asked, wire: Wire) -> None:
        rest = await _send_part(self.of, request, wire, self.after_bytes)
        await wire.sleep(self.seconds)
        await wire.write(rest)


@dataclass(frozen=True)
class Trickle(Respond):
    """The head at once, then the body byte by byte: each read succeeds, the whole takes long."""

    pause: float = 0.05
    of: Message = field(default_factory=Say)

    @property
    def answers(self) -> bool:
        return self.of.answers

    async def send(self, request: Asked, wire: Wire) -> None:
        for byte in await _send_part(self.of, request, wire, 0):
            await wire.write(bytes([byte]))
            await wire.sleep(self.pause)


@dataclass(frozen=True)
class Verbatim(Respond):
    """Any bytes at all, HTTP or not; then the connection is closed."""

    data: bytes = b"no HTTP\r\n\r\n"

    async def send(self, request: Asked, wire: Wire) -> None:
        await wire.write(self.data)
        wire.close()
