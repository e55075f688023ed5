"""The server's end of one connection: sending, waiting, breaking it off, and knowing whether the client is there."""

import asyncio
import math
import select
import socket
import struct
import time
from collections.abc import Callable
from typing import Any

# Heads of requests are bounded by this; bodies are not.
_LIMIT = 2**20
# What the system says of a peer that closed or died, before the event loop hears of it. macOS knows no RDHUP.
_PEER_LEFT = getattr(select, "POLLRDHUP", 0) | select.POLLHUP | select.POLLERR


class Gone(Exception):
    """The client is no longer there."""


class Wire:
    """The server's end of one connection. What sends raises Gone once the client has left."""

    def __init__(self, writer: asyncio.StreamWriter, gone: asyncio.Future[None]) -> None:
        self._writer = writer
        self._gone = gone
        self._socket: Any = writer.get_extra_info("socket")

    def is_connected(self) -> bool:
        """Whether the client is still connected, by the system's knowledge now and not when the loop last looked."""
        if self.closed or self._gone.done():
            return False
        poll = select.poll()
        poll.register(self._socket, _PEER_LEFT)
        return not poll.poll(0)

    @property
    def closed(self) -> bool:
        """Whether this end is closed."""
        return self._writer.is_closing()

    async def write(self, data: bytes) -> None:
        """Send, and wait while the client reads too slowly."""
        if not self.is_connected():
            raise Gone
        self._writer.write(data)
        try:
            await self._writer.drain()
        except ConnectionError:
            raise Gone from None

    async def sleep(self, seconds: float) -> None:
        """Wait, or raise Gone as soon as the client leaves."""
        if seconds > 0:
            await asyncio.wait({self._gone}, timeout=None if math.isinf(seconds) else seconds)
            if self._gone.done():
                raise Gone

    async def until(self, moment: float) -> None:
        """Wait until a moment of monotonic time."""
        await self.sleep(moment - time.monotonic())

    def close(self) -> None:
        """End the connection in order, after what was written."""
        self._writer.close()

    def reset(self) -> None:
        """End the connection by RST."""
        # With a linger time of 0 the system sends RST instead of FIN.
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()


class WatchedStreams(asyncio.StreamReaderProtocol):
    """Streams that also tell when the client leaves while nothing is being read."""

    def __init__(self, loop: asyncio.AbstractEventLoop, serve: Callable[..., None]) -> None:
        self.gone: asyncio.Future[None] = loop.create_future()
        reader = asyncio.StreamReader(limit=_LIMIT, loop=loop)
        super().__init__(reader, lambda reader, writer: serve(reader, writer, self.gone), loop=loop)

    def _left(self) -> None:
        if not self.gone.done():
            self.gone.set_result(None)

    def eof_received(self) -> bool | None:
        self._left()
        return super().eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        self._left()
        super().connection_lost(exc)
