"""The OpenAI SDK's client as this judge uses it: one request, the body of the reply as it came, no retries."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import sys
from collections.abc import AsyncIterator, Mapping
from typing import Any
from weakref import WeakKeyDictionary

import openai

from counterbench.judges.openai.access import Access

# The HTTP library looks at each open connection of a pool for every request: several small pools cost less than one.
_POOLS = 4


class Client:
    """Connections to one server; raises what the SDK raises. Belongs to the event loop that first uses it."""

    def __init__(self, access: Access, timeout: float) -> None:
        self._last: WeakKeyDictionary[Any, bytes] = WeakKeyDictionary()
        certificates = _HTTP.create_ssl_context()  # slow to read: once for all
        self._clients = [self._pool(access, timeout, certificates) for _ in range(_POOLS)]
        self._turns = itertools.cycle(self._clients)

    def _pool(self, access: Access, timeout: float, certificates: Any) -> openai.AsyncOpenAI:
        client = openai.AsyncOpenAI(
            api_key=access.key or "none",
            base_url=access.url,
            default_headers=access.headers,
            timeout=timeout,
            max_retries=0,  # the runner asks again
            http_client=openai.DefaultAsyncHttpxClient(
                verify=certificates,
                follow_redirects=False,
                timeout=timeout,
                event_hooks={"response": [self._watch]},
            ),
        )
        if not access.is_default:  # what belongs to the default account is no other server's business
            client.organization = client.project = None
            client._custom_headers = dict(access.headers)  # without those of OPENAI_CUSTOM_HEADERS
        return client

    async def post(self, path: str, body: Mapping[str, Any]) -> tuple[bytes, bool]:
        """The body of the reply, and whether it is, byte for byte, what came last on its connection.

        This is the SDK's way to paths of one's own: what is sent does not depend on which parameters its version
        knows, and it does not spend time on checking them one by one.
        """
        response = await next(self._turns).post(path, body=body, cast_to=_RESPONSE)
        return response.content, _COPY in response.extensions

    async def close(self) -> None:
        """Close the connections."""
        for client in self._clients:
            await client.close()

    async def _watch(self, response: Any) -> None:
        """Look at a reply's body as it is read. A reply sent twice puts its connection out of step.

        The copy lies ready when the next question is sent and is taken for its reply, and so on with every reply that
        follows. So a connection that gives the same body twice is closed before another question can be sent on it.
        """
        connection = response.extensions.get("network_stream")
        if connection is not None:
            response.stream = _Body(response, connection, self._last)


def _http_library() -> Any:
    """The HTTP library that this version of the SDK is built on: httpx, or a successor with its interface."""
    for base in openai.DefaultAsyncHttpxClient.__mro__:
        library = base.__module__.partition(".")[0]
        if library.startswith("httpx"):
            return sys.modules[library]
    raise ImportError(f"openai {openai.__version__} is built on an HTTP library that counterbench does not know")


_HTTP = _http_library()
_RESPONSE: Any = _HTTP.Response
_COPY = "counterbench_copy"


class _Body(_HTTP.AsyncByteStream):  # type: ignore[name-defined, misc]
    """A reply's body as it comes; when it is closed, its connection is too if the body is a copy of the last one."""

    def __init__(self, response: Any, connection: Any, last: WeakKeyDictionary[Any, bytes]) -> None:
        self._response, self._stream = response, response.stream
        self._connection, self._last = connection, last
        self._digest = hashlib.blake2b(digest_size=16)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._stream:
            self._digest.update(chunk)
            yield chunk

    async def aclose(self) -> None:
        digest = self._digest.digest()
        if self._last.get(self._connection) == digest:
            self._response.extensions[_COPY] = True
            with contextlib.suppress(Exception):  # it may be gone already
                await self._connection.aclose()
        self._last[self._connection] = digest
        await self._stream.aclose()
