"""The page on which people label, served from this machine."""

import errno
import socket
from contextlib import closing

from counterbench.errors import InputError
from counterbench.files.installation import needed
from counterbench.reporting.labelling.guard import Access
from counterbench.reporting.labelling.questions import Labelling

PORT = 8765


class LabelServer:
    """A server that listens already; InputError if it cannot, or if the extra `label` is not installed."""

    def __init__(self, of: Labelling, *, rater: str = "", host: str = "127.0.0.1", port: int = PORT) -> None:
        from counterbench.reporting.labelling.app import LabelPage

        self.access = Access(host)
        self._app = LabelPage(of, rater).app(self.access)
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        both = host == "::" and socket.has_dualstack_ipv6()
        try:
            self._socket = socket.create_server((host, port), family=family, dualstack_ipv6=both)
        except (OSError, OverflowError) as error:
            why = str(getattr(error, "strerror", error))
            if getattr(error, "errno", None) == errno.EADDRINUSE:
                why = "it is taken; does this page run already? --port 0 takes any free port"
            raise InputError(f"--host {host} --port {port}: {why}") from None

    @property
    def address(self) -> str:
        """The address to open, without the token."""
        host = _own_address() if self.access.everywhere else self.access.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self._socket.getsockname()[1]}/"

    def serve(self) -> None:
        """Serve until it is stopped."""
        uvicorn = needed("uvicorn", "labelling", "label")
        config = uvicorn.Config(
            self._app, log_level="warning", access_log=False, server_header=False, proxy_headers=False, lifespan="off",
            timeout_graceful_shutdown=2,
        )  # fmt: skip
        with closing(self._socket):
            uvicorn.Server(config).run(sockets=[self._socket])


def _own_address() -> str:
    """The address by which others reach this machine, as far as it can tell; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()
