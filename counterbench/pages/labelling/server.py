"""Serves the labelling page, and turns away requests that may not come from a rater (`Guard`).

A request must name the page's host, and an answer must come from the page itself. Beyond loopback, where other machines
can ask, a request must also have a secret token.
"""

import re
import secrets
import socket

import uvicorn
from starlette.applications import Starlette
from starlette.middleware.base import RequestResponseEndpoint
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from counterbench.errors import InputError

EVERYWHERE = "0.0.0.0"
_LOOPBACK = ("localhost", "127.0.0.1")
_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Guard:
    """Refuses requests that are not allowed (see the top of this module), and puts security headers on every response.

    `token`: the secret that a rater's first address must have; empty on loopback, where none is needed.
    """

    def __init__(self, host: str) -> None:
        self._host = host.lower()
        self.token = "" if self._host in _LOOPBACK else secrets.token_urlsafe(24)

    async def __call__(self, request: Request, call_next: RequestResponseEndpoint) -> Response:
        """The response to a request, refused or not, with the security headers."""
        response = self._refusal(request) or await call_next(request)
        response.headers.update(_HEADERS)
        return response

    def _refusal(self, request: Request) -> Response | None:
        """The response to a request that is refused, or that comes with the token for the first time; else None."""
        headers, host = request.headers, request.headers.get("host", "").lower()
        if not self._knows(re.sub(":[0-9]+$", "", host)):
            return PlainTextResponse("this host is not served here", 403)
        only_reads = request.method in ("GET", "HEAD")
        if not only_reads and headers.get("origin", "").lower().partition("://")[2] != host:
            return PlainTextResponse("answers are taken from this page only", 403)
        length = headers.get("content-length", "0" if only_reads else "")
        if "transfer-encoding" in headers or not re.fullmatch("[0-9]{1,4}", length):  # the former sets aside the latter
            return PlainTextResponse("too long for an answer", 413)
        cookie = f"counterbench-label-{request.url.port}"
        if not self.token or self._is_token(request.cookies.get(cookie, "")):
            return None
        if self._is_token(request.query_params.get("token", "")):
            redirect = RedirectResponse("/", 303)
            redirect.set_cookie(cookie, self.token, httponly=True, samesite="lax")
            return redirect
        return PlainTextResponse("Open the full address that the command printed, with its token.", 403)

    def _knows(self, name: str) -> bool:
        """True if a request may name this host.

        Any other name is refused: a foreign site can let its own name point to this machine, to read this page.
        """
        return name in (self._host, *_LOOPBACK) or (self._host == EVERYWHERE and bool(re.fullmatch("[0-9.]+", name)))

    def _is_token(self, token: str) -> bool:
        """True if this is the token, compared in constant time."""
        return secrets.compare_digest(token.encode(), self.token.encode())


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens; InputError if none can be opened at this host and port."""
    try:
        return socket.create_server((host, port))
    except OSError as error:
        raise InputError(f"--host {host} --port {port}: {error.strerror}; --port 0 takes any free port") from None


def serve(app: Starlette, listener: socket.socket) -> None:
    """Serve the page until it is stopped."""
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=2)
    uvicorn.Server(config).run(sockets=[listener])
