"""Fetches a picture from the address that a server gives in its place: http or https, and only so many bytes."""

from __future__ import annotations

import asyncio
from urllib.parse import urlsplit

import openai

from counterbench.answers.outcomes import Failed
from counterbench.drawing.reading import MOST_BYTES
from counterbench.judges.base import Retry
from counterbench.t2i.generators.base import Drawing

# A picture that was paid for is not given up for a connection that broke once.
_TRIES, _WAIT = 3, 0.3
_REDIRECTS = 3


class Downloads:
    """Connections to wherever pictures lie. No key is sent there."""

    def __init__(self, timeout: float) -> None:
        self._timeout = timeout
        self._client = openai.DefaultAsyncHttpxClient(
            timeout=timeout,
            follow_redirects=True,
            max_redirects=_REDIRECTS,
            headers={"accept-encoding": "identity"},  # what is small on the wire may be huge unpacked
        )

    async def fetch(self, url: str) -> bytes | Drawing:
        """The bytes at `url`, or the failure. Its path and parameters are in no message: they may open doors."""
        try:
            parts = urlsplit(url)
        except ValueError:
            return _failed("the picture's address is none", again=False)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            return _failed(f"the picture's address begins with {url[:12]!r}; only http and https are fetched", False)
        place = f"{parts.scheme}://{parts.hostname}"
        failed = _failed(place)
        for attempt in range(_TRIES):
            await asyncio.sleep(_WAIT * (2**attempt - 1))
            try:
                async with asyncio.timeout(self._timeout):
                    return await self._once(url, place)
            except TimeoutError:
                return _failed(f"{place}: not complete within {self._timeout:g} seconds")
            except Exception as error:  # of the HTTP library, whichever the SDK is built on: each is a broken download
                failed = _failed(f"{place}: {type(error).__name__}")
        return failed

    async def _once(self, url: str, place: str) -> bytes | Drawing:
        """The bytes, or a failure that another try would meet again. Raises where another may help."""
        async with self._client.stream("GET", url) as response:
            if response.status_code >= 500:
                raise ConnectionError(f"status {response.status_code}")
            if response.status_code != 200:
                return _failed(f"{place} answered {response.status_code}")
            found = bytearray()
            async for chunk in response.aiter_raw():
                found += chunk
                if len(found) > MOST_BYTES:
                    return _failed(f"{place}: more than {MOST_BYTES} bytes", again=False)
            return bytes(found)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()


def _failed(message: str, again: bool = True) -> Drawing:
    """`again`: whether drawing the picture again may help."""
    return Drawing(failure=Failed("download", message), retry=Retry() if again else None)
