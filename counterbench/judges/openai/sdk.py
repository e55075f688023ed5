"""The OpenAI SDK's client as this judge uses it: one request, the body of the reply as it came, no retries."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Mapping
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import openai

from counterbench.judges.openai.access import Access

# For each request the HTTP library looks at each connection of its pool, so that many small pools cost less than one:
# a sixth of the CPU at 64 at once.
_POOL = 8
_MOST_OF_AN_ERROR = 1 << 18


class TooLarge(openai.OpenAIError):
    """A reply is larger than what is read of one."""


class Client:
    """Connections to one server; raises what the SDK raises. Belongs to the event loop that first uses it.

    `most`: so many bytes of a reply are read, however small it was packed; of an error the beginning will do.
    """

    def __init__(self, access: Access, timeout: float, most: int) -> None:
        # Certificates are slow to read: once for all, and not at all where nothing is encrypted.
        verify = False if urlsplit(access.url).scheme == "http" else HTTP.create_ssl_context()
        self._new = partial(_client, access, timeout, verify, most)
        self._clients: list[openai.AsyncOpenAI] = []
        self._busy: list[int] = []  # requests under way, by client

    async def post(self, path: str, body: Mapping[str, Any]) -> bytes:
        """The body of the reply.

        This is the SDK's way to paths of one's own: what is sent does not depend on which parameters its version
        knows, and it does not spend time on checking them one by one.
        """
        chosen = next((i for i, requests in enumerate(self._busy) if requests < _POOL), len(self._busy))
        if chosen == len(self._busy):
            self._clients.append(self._new())
            self._busy.append(0)
        self._busy[chosen] += 1
        try:
            response = await self._clients[chosen].post(path, body=body, cast_to=_RESPONSE)
        finally:
            self._busy[chosen] -= 1
        content: bytes = response.content
        return content

    async def close(self) -> None:
        """Close the connections."""
        for client in self._clients:
            await client.close()


class _Bounded(openai.DefaultAsyncHttpxClient):
    """Reads no more than `most` bytes of any reply, counted as they are unpacked."""

    most = 0

    async def send(self, request: Any, *, stream: bool = False, **options: Any) -> Any:
        """The reply, read."""
        response = await super().send(request, stream=True, **options)
        most = self.most if response.status_code < 400 else min(self.most, _MOST_OF_AN_ERROR)
        try:
            # Older versions of the library unpack such a reply in one go, all but the last time.
            if "," in response.headers.get("content-encoding", ""):
                raise TooLarge("a reply that is packed more than once is not unpacked")
            content = bytearray()
            async with contextlib.aclosing(response.aiter_bytes()) as parts:
                async for part in parts:
                    content += part
                    if len(content) > most:
                        break
        finally:
            await response.aclose()
        if len(content) > most and response.status_code < 400:
            raise TooLarge(f"more than {self.most} bytes, which is the most that is read of a reply")
        packing = (b"content-encoding", b"content-length", b"transfer-encoding")
        return HTTP.Response(
            response.status_code,
            headers=[(name, value) for name, value in response.headers.raw if name.lower() not in packing],
            content=bytes(content[:most]),
            request=request,
            extensions=response.extensions,
        )


def _client(access: Access, timeout: float, verify: Any, most: int) -> openai.AsyncOpenAI:
    http = _Bounded(verify=verify, follow_redirects=False, timeout=timeout)
    http.most = most
    client = openai.AsyncOpenAI(
        api_key=access.key or "none",
        base_url=access.url,
        default_headers=access.headers,
        timeout=timeout,
        max_retries=0,  # the runner asks again
        http_client=http,
    )
    if not access.is_default:  # what belongs to the default account is no other server's business
        client.organization = client.project = None
        client._custom_headers = dict(access.headers)  # without those of OPENAI_CUSTOM_HEADERS
    return client


def _http_library() -> Any:
    """The HTTP library that this version of the SDK is built on: httpx, or a successor with its interface."""
    for base in openai.DefaultAsyncHttpxClient.__mro__:
        library = base.__module__.partition(".")[0]
        if library.startswith("httpx"):
            return sys.modules[library]
    raise ImportError(f"openai {openai.__version__} is built on an HTTP library that counterbench does not know")


HTTP = _http_library()
_RESPONSE: Any = HTTP.Response
