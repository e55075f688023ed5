"""The OpenAI SDK's client as this judge uses it: one request, the body of the reply as it came, no retries."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import openai

from counterbench.judges.openai.access import Access


class Client:
    """Connections to one server; raises what the SDK raises. Belongs to the event loop that first uses it."""

    def __init__(self, access: Access, timeout: float) -> None:
        self._client = openai.AsyncOpenAI(
            api_key=access.key or "none",
            base_url=access.url,
            default_headers=access.headers,
            timeout=timeout,
            max_retries=0,  # the runner asks again
            http_client=openai.DefaultAsyncHttpxClient(follow_redirects=False, timeout=timeout),
        )
        self._client.organization = self._client.project = None  # of the default account; no other server's business

    async def post(self, path: str, body: Mapping[str, Any]) -> tuple[bytes, Any]:
        """The body of the reply, and the connection that it came on (None where that is not known).

        This is the SDK's way to paths of one's own: what is sent does not depend on which parameters its version
        knows, and it does not spend time on checking them one by one.
        """
        response = await self._client.post(path, body=body, cast_to=_RESPONSE)
        return response.content, response.extensions.get("network_stream")

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()


def _response_type() -> Any:
    """The response class of the HTTP library that this version of the SDK is built on."""
    for base in openai.DefaultAsyncHttpxClient.__mro__:
        library = base.__module__.partition(".")[0]
        if library.startswith("httpx"):
            return sys.modules[library].Response
    raise ImportError(f"openai {openai.__version__} is built on an HTTP library that counterbench does not know")


_RESPONSE = _response_type()
