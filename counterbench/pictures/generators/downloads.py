"""Fetches a picture from the address that a server gives instead of it, if the address is on the public internet.

A server may name any address, also of machines that only this machine can reach. So each name is resolved once (and
again at each redirect); all of its addresses are checked, and a connection is made to one of these. No proxies are
used, even if the environment names some: a proxy would resolve the name again.
"""

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import aclosing
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any

from counterbench.answers.outcomes import Failed
from counterbench.errors import InputError
from counterbench.judges.base import Retry
from counterbench.judges.openai.http import HTTP, UNPACKED
from counterbench.pictures.generators.base import Drawing

# The picture was paid for, so a broken connection is tried again.
_TRIES, _WAIT = 3, 0.3
_REDIRECTS = 3
_SECONDS = 30.0  # for one picture, with all redirects and tries
_CONNECT = 5.0  # seconds for each address of a name
_MAX_BYTES = 50_000_000
# IPv6 addresses of the internet (RFC 4291), and those that stand for an IPv4 address (RFC 6052).
_GLOBAL, _NAT64 = IPv6Network("2000::/3"), IPv6Network("64:ff9b::/96")
# Looks public, but is the machine's own host (WireServer), which hands settings and keys to machines of Azure.
_AZURE = IPv4Address("168.63.129.16")

_HOST = re.compile(r"[a-z0-9_.:-]+")

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]  # from a host and a port to its IP addresses


async def resolved(host: str, port: int) -> Sequence[str]:
    """The IP addresses of a host, as the system knows them; OSError if it knows none."""
    infos = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in infos]


def is_public(address: str) -> bool:
    """True if an IP address is reached over the internet, by the registries that `ipaddress` has.

    For an IPv6 address that stands for an IPv4 address (mapped, 6to4, NAT64), the IPv4 address decides.
    """
    ip = ip_address(address)
    if isinstance(ip, IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (IPv4Address(ip.packed[12:]) if ip in _NAT64 else None)
        if inner is None:
            return ip in _GLOBAL and ip.is_global
        ip = inner
    return ip.is_global and not ip.is_multicast and ip != _AZURE


def host_name(name: str) -> str:
    """A host's name or IP address as requests have it; InputError if it is none, or has a port or a path."""
    try:
        host = str(HTTP.URL(scheme="http", host=name.strip()).raw_host, "ascii")
    except HTTP.InvalidURL:
        host = ""
    if not _HOST.fullmatch(host):
        raise InputError(f"--image-host {name!r} is no host; give a name or an IP address alone: pictures.example.com")
    return host


class _Forbidden(Exception):
    """An address that must not be fetched from; the message has the reason."""


class _CheckedTransport(HTTP.AsyncHTTPTransport):  # type: ignore[misc]
    """A transport to IP addresses that were checked, under the name that resolved to them."""

    def __init__(self, hosts: Iterable[str], resolve: Resolve) -> None:
        # No connection is kept: it would serve another name at the same address without a check of its certificate.
        super().__init__(verify=HTTP.create_ssl_context(), limits=HTTP.Limits(max_keepalive_connections=0))
        self._hosts, self._resolve = {host.rstrip(".") for host in hosts}, resolve

    async def handle_async_request(self, request: Any) -> Any:
        """The response; _Forbidden for another scheme, and for a host with an address that is not public."""
        url, host = request.url, str(request.url.raw_host, "ascii").rstrip(".")
        if url.scheme not in ("http", "https") or not _HOST.fullmatch(host):
            raise _Forbidden("only http and https addresses with a host are fetched")
        addresses = await self._resolve(host, url.port or (443 if url.scheme == "https" else 80))
        if host not in self._hosts and not all(map(is_public, addresses)):
            raise _Forbidden(
                f"{host} is not on the public internet, and may be a server that only this machine can reach; "
                f"--image-host {host} allows it"
            )
        added = {**request.extensions, "sni_hostname": host}
        failure = HTTP.ConnectError("the host name has no IP address")
        for address in addresses:
            by_ip = url.copy_with(host=address)
            sent = HTTP.Request(request.method, by_ip, headers=request.headers, stream=request.stream, extensions=added)
            try:
                return await super().handle_async_request(sent)
            except (HTTP.ConnectError, HTTP.ConnectTimeout) as error:
                failure = error
        raise failure


class Downloads:
    """Connections to the hosts of pictures. No key is sent there.

    `timeout`: seconds for a picture, 30 at most. `hosts`: names (`host_name`) of hosts that need not be public.
    `resolve` gives the IP addresses of a host; it is called once for each request.
    """

    def __init__(self, timeout: float, hosts: Iterable[str] = (), resolve: Resolve = resolved) -> None:
        """Open a client that checks every address and follows no redirect by itself."""
        self._timeout = min(timeout, _SECONDS)
        self._client = HTTP.AsyncClient(
            transport=_CheckedTransport(hosts, resolve),
            trust_env=False,  # neither proxies nor passwords of .netrc
            timeout=HTTP.Timeout(self._timeout, connect=min(self._timeout, _CONNECT)),
            follow_redirects=False,  # the library would read the whole body of a redirect
            headers=UNPACKED,
        )

    async def fetch(self, url: str) -> bytes | Drawing:
        """The bytes at `url`, or the failure. Its path and parameters are in no message: they may hold secrets."""
        try:
            parts = HTTP.URL(url)
        except HTTP.InvalidURL:
            return _failed("the picture's address is not valid", retriable=False)
        place = f"{parts.scheme[:12]}://{parts.host}"
        failed = _failed(place)
        try:
            async with asyncio.timeout(self._timeout):
                for try_number in range(_TRIES):
                    await asyncio.sleep(_WAIT * (2**try_number - 1))
                    try:
                        return await self._try_once(parts, place)
                    except _Forbidden as error:
                        return _failed(f"{place}: {error}", retriable=False, ends=True)
                    except Exception as error:  # of many kinds: each is a broken download
                        failed = _failed(f"{place}: {type(error).__name__}")
        except TimeoutError:
            return _failed(f"{place}: not complete within {self._timeout:g} seconds")
        return failed

    async def _try_once(self, url: Any, place: str) -> bytes | Drawing:
        """The bytes, by one try, or a failure that would repeat. Raises an exception if another try may help."""
        request = self._client.build_request("GET", url)
        for _ in range(_REDIRECTS + 1):
            async with aclosing(await self._client.send(request, stream=True)) as response:
                request = response.next_request
                if request is None:
                    return await _body(response, place)
        return _failed(f"{place}: more than {_REDIRECTS} redirects", retriable=False)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()


def download(url: str) -> bytes:
    """The picture at a public address; InputError with the reason."""

    async def fetch() -> bytes | Drawing:
        """The bytes at the address, or the failure; the connections are closed."""
        downloads = Downloads(_SECONDS)
        try:
            return await downloads.fetch(url)
        finally:
            await downloads.close()

    fetched = asyncio.run(fetch())
    if isinstance(fetched, Drawing):
        raise InputError(f"the picture cannot be fetched: {fetched.failure.message if fetched.failure else ''}")
    return fetched


async def _body(response: Any, place: str) -> bytes | Drawing:
    """The picture in a response that is no redirect, or the failure; ConnectionError from status 500 on: try again."""
    if response.status_code >= 500:
        raise ConnectionError(f"status {response.status_code}")
    if response.status_code != 200:
        return _failed(f"{place} answered {response.status_code}")
    if packed := response.headers.get("content-encoding", "").strip().lower().replace("identity", ""):
        return _failed(f"{place}: it is compressed ({packed[:40]}), though asked for uncompressed", retriable=False)
    body = bytearray()
    async for chunk in response.aiter_raw():
        body += chunk
        if len(body) > _MAX_BYTES:
            return _failed(f"{place}: more than {_MAX_BYTES} bytes", retriable=False)
    return bytes(body)


def _failed(message: str, retriable: bool = True, ends: bool = False) -> Drawing:
    """A drawing that failed. `retriable`: another try may help; `ends`: the run ends if the failure repeats."""
    end = f"the picture cannot be fetched: {message}" if ends else ""
    return Drawing(failure=Failed("download", message), retry=Retry() if retriable else None, stop=end, only_this=ends)
