"""The loopback server itself: every fault is on the wire what its name says, and the log is true."""

import http.client
import json
import socket
from contextlib import closing
from typing import Any

import openai
import pytest
from loopback import (
    CloseEarly,
    LoopbackServer,
    Reset,
    Respond,
    Say,
    Script,
    Stall,
    Status,
    after,
    by_attempt,
    every,
    where,
    yes_or_no,
)
from processes import started, until
from sweeping import swept

PICTURE = "data:image/png;base64,iVBORw0KGgo="


def messages(question: str) -> list[Any]:
    parts = [{"type": "image_url", "image_url": {"url": PICTURE}}, {"type": "text", "text": question}]
    return [{"role": "user", "content": parts}]


def chat(question: str = "Is it red?") -> bytes:
    return json.dumps({"model": "m", "messages": messages(question)}).encode()


def connect(server: LoopbackServer, timeout: float = 10.0) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=timeout)


def request(body: bytes) -> bytes:
    return b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: %d\r\n\r\n" % len(body) + body


def read_all(sock: socket.socket) -> tuple[bytes, str]:
    """What comes, and what ends it: "end" (FIN), "ConnectionResetError" (RST) or "TimeoutError" (nothing more)."""
    data = b""
    try:
        while chunk := sock.recv(65536):
            data += chunk
    except OSError as error:
        return data, type(error).__name__
    return data, "end"


def post(server: LoopbackServer, body: bytes) -> tuple[int, bytes]:
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)) as connection:
        connection.request("POST", "/v1/chat/completions", body, {"content-type": "application/json"})
        reply = connection.getresponse()
        return reply.status, reply.read()


def complete_chat(server: LoopbackServer | str, question: str = "Is it red?") -> openai.types.chat.ChatCompletion:
    url = server if isinstance(server, str) else server.url
    with openai.OpenAI(base_url=url, api_key="sk-k", max_retries=0, timeout=5) as client:
        return client.chat.completions.create(model="m", messages=messages(question))


def settled(server: LoopbackServer) -> None:
    """Wait until the server has noticed the end of all that is in flight."""
    until(lambda: all(entry.ended is not None for entry in server.log), 10)


def test_answers_are_determined_by_the_question_and_ids_are_unique() -> None:
    with LoopbackServer() as server:
        replies = [complete_chat(server, question) for question in ("a", "b", "c", "d", "a", "b", "c", "d")]
    texts = [reply.choices[0].message.content for reply in replies]
    assert set(texts) == {"yes", "no"}
    assert texts[:4] == texts[4:] == [yes_or_no(entry.asked) for entry in server.log[:4]]
    assert len({reply.id for reply in replies}) == 8
    assert server.log[0].asked.images == [PICTURE]
    assert server.log[0].asked.texts == ["a"]
    assert [entry.asked.attempt for entry in server.log] == [1] * 4 + [2] * 4
    assert set(server.asked_per_question().values()) == {2} == set(server.answered_per_question().values())
    assert {headers["authorization"] for headers in server.headers_seen} == {"Bearer sk-k"}


def test_reset_resets_the_connection_after_part_of_the_body() -> None:
    with LoopbackServer(Reset(after_bytes=20)) as server, connect(server) as sock:
        sock.sendall(request(chat()))
        data, ending = read_all(sock)
    assert ending == "ConnectionResetError"
    head, _, body = data.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 OK")
    assert len(body) == 20
    assert not server.log[0].answered


def test_close_early_closes_before_the_promised_length() -> None:
    with LoopbackServer(CloseEarly(after_bytes=20)) as server, connect(server) as sock:
        sock.sendall(request(chat()))
        data, ending = read_all(sock)
        head, _, body = data.partition(b"\r\n\r\n")
        promised = int(head.lower().split(b"content-length: ")[1].split()[0])
    assert (ending, len(body), promised > 20) == ("end", 20, True)
    with LoopbackServer(CloseEarly(after_bytes=20)) as server, pytest.raises(openai.APIConnectionError):
        complete_chat(server)


@pytest.mark.parametrize(("after_bytes", "expected"), [(None, b""), (0, b"\r\n\r\n"), (9, b"\r\n\r\n{" + b'"id":"ch')])
def test_the_fault_stall_sends_the_given_part_and_no_more(after_bytes: int | None, expected: bytes) -> None:
    with LoopbackServer(Stall(after_bytes=after_bytes)) as server:
        with connect(server, timeout=0.3) as sock:
            sock.sendall(request(chat()))
            data, ending = read_all(sock)
        assert ending == "TimeoutError"
        assert data[data.find(b"\r\n\r\n") :] == expected if expected else not data
        settled(server)  # the server notices that the client left, and does not wait for ever
        assert not server.log[0].answered


def run_script(script: Script, questions: str) -> str:
    """The texts for one-letter questions asked in turn; a status is "!"."""
    with LoopbackServer(script) as server:
        replies = [post(server, chat(question)) for question in questions]
    return "".join(json.loads(b)["choices"][0]["message"]["content"] if s == 200 else "!" for s, b in replies)


@swept(
    ("script", "questions", "expected"),
    [
        (by_attempt([Status(500), Say("1"), Say("2")]), "ababaa", "!!1122"),
        (every(3, Status(500), Say("1")), "abcdef", "11!11!"),
        (after(2, Status(500), before=Say("1")), "aaa", "11!"),
        (where(lambda request: request.text == "a", Status(500), Say("1")), "aba", "!1!"),
        (where(lambda request: request.text == "a", by_attempt([Status(500), Say("2")]), Say("1")), "aba", "!12"),
    ],
)
def test_each_script_gives_its_response(script: Script, questions: str, expected: str) -> None:
    assert run_script(script, questions) == expected


def test_an_error_in_a_script_is_raised_at_the_end() -> None:
    def broken(request: object) -> Respond:
        raise KeyError("slip")

    with pytest.raises(KeyError, match="slip"), LoopbackServer(broken) as server:
        assert post(server, chat())[0] == 500


@pytest.mark.slow
def test_the_server_runs_as_a_process_and_reports_its_log() -> None:
    with started("-m", "loopback", "--latency", "0.05") as process:
        complete_chat(process.stdout.readline().strip())
        out, _ = process.communicate("")
    assert process.returncode == 0
    assert json.loads(out) == {"requests": 1, "questions": 1, "answered": 1, "peak_in_flight": 1, "connections": 1}
