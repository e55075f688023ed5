"""The server in a thread of its own, and its log of what it saw."""

from __future__ import annotations

import asyncio
import inspect
import json
import secrets
import socket
import threading
import time
from collections import Counter
from dataclasses import dataclass
from typing import Any

from loopback.asked import ASKING, Asked, question_key
from loopback.images import PICTURES
from loopback.messages import Raw, Respond, Say, Status, error
from loopback.scripts import Script, script_of
from loopback.wire import Gone, WatchedStreams, Wire


@dataclass
class LogEntry:
    """One request in the server's log, from its arrival on; `ended` is None while it is in flight.

    `respond` is what the script chose (None: not chosen when the client left), and `whole`
    says that all that was meant to be sent went out to a client that was still connected.
    """

    asked: Asked
    respond: Respond | None = None
    whole: bool = False
    ended: float | None = None

    @property
    def answered(self) -> bool:
        return self.whole and self.respond is not None and self.respond.answers


class LoopbackServer:
    """The server; a context manager. It can be started again on its port after `stop`: then `port` is to be given.

    A script that raises is answered with 500 and raised again by `stop`.
    A client that shuts down its sending half counts as gone. `files` are what GETs of paths of one's own get.
    """

    def __init__(self, script: Script | Respond | None = None, *, port: int = 0) -> None:
        self.script = script_of(script or Say())
        self.port = port
        self.files: dict[str, Respond] = {}
        self.errors: list[Exception] = []
        self.peak_in_flight = 0
        self.in_flight = 0
        self.connections = 0
        self._log: list[LogEntry] = []
        self._attempts: Counter[str] = Counter()
        self._run = secrets.token_hex(4)  # reply ids differ between servers too
        self._changed = threading.Condition()
        self._tasks: set[asyncio.Task[None]] = set()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop
        self._stopping: asyncio.Event

    # In a thread of its own

    def __enter__(self) -> LoopbackServer:
        self.start()
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            self.stop()
        except Exception:
            if kind is None:  # else the test's own failure says more
                raise

    def start(self) -> None:
        """Listen; returns when the port is open."""
        ready, failed = threading.Event(), []

        def work() -> None:
            try:
                asyncio.run(self._main(ready))
            except OSError as problem:  # the port is taken
                failed.append(problem)
                ready.set()

        self._thread = threading.Thread(target=work, name="loopback server", daemon=True)
        self._thread.start()
        ready.wait()
        if failed:
            raise failed[0]

    def stop(self) -> None:
        """Close all connections and end; raises what a script raised."""
        if self._thread is not None:
            self._loop.call_soon_threadsafe(self._stopping.set)
            self._thread.join()
            self._thread = None
        if self.errors:
            raise self.errors[0]

    @property
    def url(self) -> str:
        """The base URL that clients are given."""
        return f"http://127.0.0.1:{self.port}/v1"

    async def _main(self, ready: threading.Event) -> None:
        self._loop, self._stopping = asyncio.get_running_loop(), asyncio.Event()
        server = await self._loop.create_server(
            lambda: WatchedStreams(self._loop, self._connected), "127.0.0.1", self.port, backlog=1024
        )
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        await self._stopping.wait()
        server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # What it saw. Entries are only ever added, and each is written by the server's thread alone.

    @property
    def log(self) -> list[LogEntry]:
        """Every request in the order of arrival."""
        with self._changed:
            return list(self._log)

    @property
    def questions(self) -> list[LogEntry]:
        """The requests that asked a model something."""
        return [entry for entry in self.log if entry.asked.key]

    def asked_per_question(self) -> Counter[str]:
        """How often each question was asked, by its key."""
        return Counter(entry.asked.key for entry in self.questions)

    def answered_per_question(self) -> Counter[str]:
        """How often an answer went out whole, by the question's key; no more than that it left can be known here."""
        return Counter(entry.asked.key for entry in self.questions if entry.answered)

    @property
    def headers_seen(self) -> list[dict[str, str]]:
        """The headers of every request, names in lower case."""
        return [entry.asked.headers for entry in self.log]

    def wait_for(self, requests: int, timeout: float = 30.0) -> None:
        """Wait until so many requests have arrived; TimeoutError if they do not."""
        with self._changed:
            if not self._changed.wait_for(lambda: len(self._log) >= requests, timeout):
                raise TimeoutError(f"{len(self._log)} requests after {timeout} s, not {requests}")

    # One connection

    def _connected(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, gone: asyncio.Future[None]
    ) -> None:
        self.connections += 1
        # asyncio does so itself; said here because without it every call would cost 40 ms.
        writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        task = self._loop.create_task(self._serve(reader, writer, Wire(writer, gone)))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, wire: Wire) -> None:
        """Request after request, until either side ends the connection."""
        try:
            while not wire.closed:
                head = await reader.readuntil(b"\r\n\r\n")
                arrived = time.monotonic()
                line, *rest = head.decode("latin-1").split("\r\n")[:-2]
                headers = {
                    name.strip().lower(): value.strip() for name, _, value in (item.partition(":") for item in rest)
                }
                method, target, _ = line.split(" ")
                data = await reader.readexactly(int(headers.get("content-length", 0)))
                await self._respond(method, target.partition("?")[0], headers, data, arrived, wire)
                if headers.get("connection", "").lower() == "close" or "transfer-encoding" in headers:
                    break  # chunked requests are not understood: the 400 was for the empty body
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError, Gone):
            pass  # the client left
        except ValueError:  # not HTTP
            writer.write(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
        finally:
            writer.close()

    async def _respond(
        self, method: str, path: str, headers: dict[str, str], data: bytes, arrived: float, wire: Wire
    ) -> None:
        body = _parsed(data)
        asks = method == "POST" and path in ASKING and isinstance(body, dict)
        key = question_key(body) if asks else ""
        self._attempts[key] += 1
        sequence = len(self._log) + 1
        request = Asked(
            method,
            path,
            headers,
            body,
            len(data),
            key,
            self._attempts[key],
            sequence,
            f"{self._run}{sequence:07d}",
            arrived,
        )
        entry = LogEntry(request)
        with self._changed:
            self._log.append(entry)
            self._changed.notify_all()
        self.in_flight += 1
        self.peak_in_flight = max(self.peak_in_flight, self.in_flight)
        try:
            entry.respond = await self._chosen(request) if asks else self._elsewhere(request)
            await entry.respond.send(request, wire)
            entry.whole = True
        finally:
            self.in_flight -= 1
            entry.ended = time.monotonic()

    async def _chosen(self, request: Asked) -> Respond:
        try:
            chosen: Any = self.script(request)
            while inspect.isawaitable(chosen):
                chosen = await chosen
            if not isinstance(chosen, Respond):
                raise TypeError(f"a script returned {chosen!r}, not a Respond")
        except Exception as problem:
            self.errors.append(problem)
            return Status(500, f"the test's script failed: {problem!r}")
        return chosen

    def _elsewhere(self, request: Asked) -> Respond:
        """The response to a request that is no question: a file, or an error."""
        if request.method == "GET" and request.path in self.files:
            return self.files[request.path]
        if request.method == "GET" and request.path.startswith(PICTURES):  # an address that `Draw` gave out
            return Raw(bytes.fromhex(request.path.removeprefix(PICTURES)), "image/png")
        if request.path in ASKING:
            wrong = 405 if request.method != "POST" else 400
            return Status(wrong, error("POST a JSON object", "invalid_request_error"))
        return Status(404, error(f"Unknown request URL: {request.method} {request.path}", "invalid_request_error"))


def _parsed(data: bytes) -> Any:
    try:
        return json.loads(data)
    except ValueError:
        return None
