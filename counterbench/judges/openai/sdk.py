"""The OpenAI SDK's client as this judge uses it: one request, the body of the reply as it came, no retries."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import openai

from counterbench.judges.openai.access import Access

# For each request the HTTP library looks at each connection of its pool: two save a tenth of the CPU at 64 at once.
_POOLS = 2


class Client:
    """Connections to one server; raises what the SDK raises. Belongs to the event loop that first uses it."""

    def __init__(self, access: Access, timeout: float) -> None:
        # Certificates are slow to read: once for all, and not at all where nothing is encrypted.
        verify = False if urlsplit(access.url).scheme == "http" else _HTTP.create_ssl_context()
        self._clients = [_client(access, timeout, verify) for _ in range(_POOLS)]
        self._turns = itertools.cycle(self._clients)

    async def post(self, path: str, body: Mapping[str, Any]) -> bytes:
        """The body of the reply.

        This is the SDK's way to paths of one's own: what is sent does not depend on which parameters its version
        knows, and it does not spend time on checking them one by one.
        """
        response = await next(self._turns).post(path, body=body, cast_to=_RESPONSE)
        content: bytes = response.content
        return content

    async def close(self) -> None:
        """Close the connections."""
        for client in self._clients:
            await client.close()


def _client(access: Access, timeout: float, verify: Any) -> openai.AsyncOpenAI:
    client = openai.AsyncOpenAI(
        api_key=access.key or "none",
        base_url=access.url,
        default_headers=access.headers,
        timeout=timeout,
        max_retries=0,  # the runner asks again
        http_client=openai.DefaultAsyncHttpxClient(verify=verify, follow_redirects=False, timeout=timeout),
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


_HTTP = _http_library()
_RESPONSE: Any = _HTTP.Response
