"""The guard of a local page: it answers to its own names, to its own pages, and beyond loopback to a token."""

import hmac
import ipaddress
import re
import secrets
from urllib.parse import urlsplit

from starlette.middleware.base import BaseHTTPMiddleware, RequestResponseEndpoint
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp

_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_MOST_BYTES = 10_000  # of an answer
# A link on another site opens the page without its cookie, and a link of our own with it.
_CLOSED = (
    "<!DOCTYPE html><html lang=en><title>Not open</title><meta name=viewport content='width=device-width'><p>This page "
    "opens by the whole address that the command printed, with its token. If you came from there: <a href=/>go on</a>."
)


def is_loopback(host: str) -> bool:
    """True if only this machine reaches the host."""
    address = _address(host)
    return host == "localhost" or (address is not None and address.is_loopback)


class Access:
    """The hosts that a page is asked for by, and beyond loopback a token: `token` is empty on loopback."""

    def __init__(self, host: str) -> None:
        self.host = host
        self.token = "" if is_loopback(host) else secrets.token_urlsafe(24)
        self.everywhere = host in ("0.0.0.0", "::")

    def knows(self, host: str) -> bool:
        """True if a request may name this host: a name that others let point here is none of ours."""
        name = host_name(host)
        return name == self.host.lower() or is_loopback(name) or (self.everywhere and _address(name) is not None)

    def opens(self, token: str) -> bool:
        """True if this is the token."""
        return hmac.compare_digest(token.encode(), self.token.encode())


class Guard(BaseHTTPMiddleware):
    """Turns away what `access` does not let in; puts the headers of safety on every reply."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        super().__init__(app)
        self._access = access

    async def dispatch(self, request: Request, call_next: RequestResponseEndpoint) -> Response:
        """The reply to a request."""
        response = self._turned_away(request) or await call_next(request)
        response.headers.update(_HEADERS)
        return response

    def _turned_away(self, request: Request) -> Response | None:
        headers, access = request.headers, self._access
        host = headers.get("host", "")
        if not access.knows(host):
            return PlainTextResponse("this host is not served here", 403)
        if request.method not in ("GET", "HEAD"):
            if urlsplit(headers.get("origin", "")).netloc.lower() != host.lower():
                return PlainTextResponse("answers come from the page itself", 403)
            length = headers.get("content-length", "")
            if not re.fullmatch("[0-9]{1,9}", length) or int(length) > _MOST_BYTES:
                return PlainTextResponse("too long for an answer", 413)
        if not access.token:
            return None
        cookie = f"counterbench-label-{urlsplit(f'//{host}').port or 80}"
        if access.opens(request.query_params.get("token", "")):
            opened = RedirectResponse("/", 303)
            opened.set_cookie(cookie, access.token, httponly=True, samesite="strict")
            return opened
        return None if access.opens(request.cookies.get(cookie, "")) else HTMLResponse(_CLOSED, 403)


def host_name(host: str) -> str:
    """The name in a Host header, without its port; empty if it is none."""
    try:
        parts = urlsplit(f"//{host}")
        return parts.hostname or "" if parts.port != 0 else ""
    except ValueError:  # its port is none, or the address in its brackets
        return ""


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
