"""The loopback server itself: every fault is on the wire what its name says, and the log is true."""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import openai
import pytest
from loopback import (
    EMPTY_CHOICES,
    HTML,
    NULL_CHOICES,
    CloseEarly,
    Edit,
    LoopbackServer,
    Raw,
    Reset,
    Respond,
    Say,
    Script,
    Stall,
    Status,
    Trickle,
    Truncated,
    Verbatim,
    after,
    by_attempt,
    every,
    out_of_order,
    refuse,
    refusing,
    sequence,
    sometimes,
    where,
    yes_or_no,
)

PICTURE = "data:image/png;base64,iVBORw0KGgo="


def chat(question: str = "Is it red?", **more: object) -> bytes:
    parts = [{"type": "image_url", "image_url": {"url": PICTURE}}, {"type": "text", "text": question}]
    return json.dumps({"model": "m", "messages": [{"role": "user", "content": parts}], **more}).encode()


def connect(server: LoopbackServer, timeout: float = 10.0) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=timeout)


def request(body: bytes, path: str = "/v1/chat/completions") -> bytes:
    return b"POST %s HTTP/1.1\r\nhost: x\r\ncontent-length: %d\r\n\r\n" % (path.encode(), len(body)) + body


def read_all(sock: socket.socket) -> tuple[bytes, str]:
    """What comes, and what ends it: "end" (FIN), "ConnectionResetError" (RST) or "TimeoutError" (nothing more)."""
    data = b""
    try:
        while chunk := sock.recv(65536):
            data += chunk
    except OSError as error:
        return data, type(error).__name__
    return data, "end"


def post(server: LoopbackServer, body: bytes, path: str = "/v1/chat/completions") -> tuple[int, str, bytes]:
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)) as connection:
        connection.request("POST", path, body, {"content-type": "application/json"})
        reply = connection.getresponse()
        return reply.status, reply.headers["content-type"], reply.read()


def ask(server: LoopbackServer, question: str = "Is it red?", **more: object) -> openai.types.chat.ChatCompletion:
    content = [{"type": "image_url", "image_url": {"url": PICTURE}}, {"type": "text", "text": question}]

    async def once() -> openai.types.chat.ChatCompletion:
        async with openai.AsyncOpenAI(base_url=server.url, api_key="sk-k", max_retries=0, timeout=5) as client:
            return await client.chat.completions.create(
                model="m",
                messages=[{"role": "user", "content": content}],
                **more,
            )

    return asyncio.run(once())


def settled(server: LoopbackServer) -> None:
    """Wait until the server has noticed the end of all that is in flight."""
    deadline = time.monotonic() + 10
    while any(entry.ended is None for entry in server.log):
        assert time.monotonic() < deadline, "still in flight"
        time.sleep(0.005)


# The shapes of both APIs, read by the SDK


def test_answers_are_determined_by_the_question_and_ids_are_unique() -> None:
    with LoopbackServer() as server:
        replies = [ask(server, question) for question in ("a", "b", "c", "d", "a", "b", "c", "d")]
    texts = [reply.choices[0].message.content for reply in replies]
    assert set(texts) == {"yes", "no"}
    assert texts[:4] == texts[4:] == [yes_or_no(entry.asked) for entry in server.log[:4]]
    assert len({reply.id for reply in replies}) == 8
    assert server.log[0].asked.images == [PICTURE]
    assert server.log[0].asked.texts == ["a"]
    assert [entry.asked.attempt for entry in server.log] == [1] * 4 + [2] * 4
    assert set(server.asked_per_question().values()) == {2} == set(server.answered_per_question().values())
    assert server.models == {"m": 8}
    assert {headers["authorization"] for headers in server.headers_seen} == {"Bearer sk-k"}


def test_chat_completion_as_scripted() -> None:
    say = Say("yes", model="m-2026", usage=(7, 3), cost=0.25, id="x", logprobs=[{"yes": -0.1, "no": -2.5}])
    with LoopbackServer(say) as server:
        reply, without = ask(server, logprobs=True, top_logprobs=2), ask(server)
    assert (reply.id, reply.model, reply.choices[0].finish_reason) == ("x", "m-2026", "stop")
    assert reply.usage is not None
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens, reply.usage.cost) == (7, 3, 0.25)
    assert [(t.token, t.logprob) for t in reply.choices[0].logprobs.content[0].top_logprobs] == [
        ("yes", -0.1),
        ("no", -2.5),
    ]
    assert without.choices[0].logprobs is None


def test_responses_api_as_scripted() -> None:
    script = sequence(
        [Say("yes", logprobs=[{"yes": -0.1}]), Say("ye", finish="length"), Say(refusal="I cannot."), Say(None)]
    )
    with LoopbackServer(script) as server, openai.OpenAI(base_url=server.url, api_key="k", max_retries=0) as client:
        content = [{"type": "input_image", "image_url": PICTURE}, {"type": "input_text", "text": "Is it?"}]
        replies = [
            client.responses.create(
                model="m",
                instructions="Be short.",
                input=[{"role": "user", "content": content}],
                text={"format": {"type": "text"}},
                include=["message.output_text.logprobs"],
            )
            for _ in range(4)
        ]
        assert [model.id for model in client.models.list()] == ["loopback"]
    said, cut, refused, empty = replies
    assert (said.output_text, said.status, said.usage.output_tokens) == ("yes", "completed", 2)
    assert said.output[0].content[0].logprobs[0].token == "yes"
    assert (cut.status, cut.incomplete_details.reason) == ("incomplete", "max_output_tokens")
    assert refused.output[0].content[0].refusal == "I cannot."
    assert empty.output[0].content == []
    assert server.log[0].asked.texts == ["Be short.", "Is it?"]
    assert len(server.asked_per_question()) == 1


def test_finish_reasons_and_refusals_of_a_completion() -> None:
    script = sequence([Say("y", finish="length"), Say("", finish="content_filter"), Say(refusal="No."), Say(None)])
    with LoopbackServer(script) as server:
        cut, filtered, refused, empty = (ask(server).choices[0] for _ in range(4))
    assert [c.finish_reason for c in (cut, filtered, refused, empty)] == ["length", "content_filter", "stop", "stop"]
    assert (refused.message.content, refused.message.refusal) == (None, "No.")
    assert (empty.message.content, empty.message.refusal) == (None, None)


# Faults in a response


def test_statuses_reach_the_sdk_as_its_errors() -> None:
    script = by_attempt(
        [Status(429, headers={"retry-after": "1"}), Status(503, "busy"), Status(529), refuse("temperature"), Say()]
    )
    with LoopbackServer(script) as server:
        with pytest.raises(openai.RateLimitError) as limited:
            ask(server)
        for _ in range(2):
            with pytest.raises(openai.InternalServerError):
                ask(server)
        with pytest.raises(openai.BadRequestError) as refused:
            ask(server)
        assert ask(server).choices[0].message.content in ("yes", "no")
    assert limited.value.response.headers["retry-after"] == "1"
    assert (refused.value.param, refused.value.code) == ("temperature", "unsupported_value")
    assert [entry.answered for entry in server.log] == [False] * 4 + [True]
    assert list(server.asked_per_question().values()) == [5]


@pytest.mark.parametrize(
    ("response", "content_type", "problem"),
    [
        (HTML, "text/html; charset=utf-8", json.JSONDecodeError),
        (Truncated(), "application/json", json.JSONDecodeError),
        (Raw(b""), "application/json", json.JSONDecodeError),
    ],
)
def test_bodies_that_are_no_json(response: Respond, content_type: str, problem: type[Exception]) -> None:
    with LoopbackServer(response) as server:
        status, kind, body = post(server, chat())
    assert (status, kind) == (200, content_type)
    with pytest.raises(problem):
        json.loads(body)
    assert not server.log[0].answered


def test_bodies_of_the_wrong_shape() -> None:
    script = sequence(
        [
            EMPTY_CHOICES,
            NULL_CHOICES,
            Edit({"choices": ...}),
            Raw("[]"),
            Raw("null"),
            Say("yes", headers={"Content-Type": "text/plain"}),
            Edit({"model": "other"}, Say("yes")),
        ]
    )
    with LoopbackServer(script) as server:
        replies = [post(server, chat()) for _ in range(7)]
    bodies = [json.loads(body) for _, _, body in replies]
    assert bodies[0]["choices"] == []
    assert bodies[1]["choices"] is None
    assert "choices" not in bodies[2]
    assert bodies[3:5] == [[], None]
    assert replies[5][1] == "text/plain"
    assert bodies[6]["model"] == "other"
    assert [entry.answered for entry in server.log] == [False] * 5 + [True] * 2


def test_a_reply_of_ten_megabytes() -> None:
    with LoopbackServer(Say("a" * 10_000_000)) as server:
        assert len(ask(server).choices[0].message.content or "") == 10_000_000
    assert server.log[0].answered


# Faults on the wire


def test_reset_is_a_reset_after_a_part_of_the_body() -> None:
    with LoopbackServer(Reset(after_bytes=20)) as server, connect(server) as sock:
        sock.sendall(request(chat()))
        data, ending = read_all(sock)
    assert ending == "ConnectionResetError"
    head, _, body = data.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 OK")
    assert len(body) == 20
    assert not server.log[0].answered


def test_reset_before_any_byte() -> None:
    with LoopbackServer(Reset(after_bytes=None)) as server, connect(server) as sock:
        sock.sendall(request(chat()))
        assert read_all(sock) == (b"", "ConnectionResetError")


def test_close_early_ends_in_order_before_what_was_promised() -> None:
    with LoopbackServer(CloseEarly(after_bytes=20)) as server, connect(server) as sock:
        sock.sendall(request(chat()))
        data, ending = read_all(sock)
        head, _, body = data.partition(b"\r\n\r\n")
        promised = int(head.lower().split(b"content-length: ")[1].split()[0])
    assert (ending, len(body), promised > 20) == ("end", 20, True)
    with LoopbackServer(CloseEarly(after_bytes=20)) as server, pytest.raises(openai.APIConnectionError):
        ask(server)


@pytest.mark.parametrize(("after_bytes", "expected"), [(None, b""), (0, b"\r\n\r\n"), (9, b"\r\n\r\n{" + b'"id":"ch')])
def test_stall_sends_so_much_and_no_more(after_bytes: int | None, expected: bytes) -> None:
    with LoopbackServer(Stall(after_bytes=after_bytes)) as server:
        with connect(server, timeout=0.3) as sock:
            sock.sendall(request(chat()))
            data, ending = read_all(sock)
        assert ending == "TimeoutError"
        assert data[data.find(b"\r\n\r\n") :] == expected if expected else not data
        settled(server)  # the server notices that the client left, and does not wait for ever
        assert not server.log[0].answered


def test_a_stall_that_ends_sends_the_rest() -> None:
    with LoopbackServer(Stall(0.1, after_bytes=10)) as server:
        assert ask(server).choices[0].message.content in ("yes", "no")
        settled(server)
        assert server.log[0].answered


def test_trickle_sends_one_byte_at_a_time() -> None:
    with LoopbackServer(Trickle(pause=0.005)) as server, connect(server) as sock:
        sock.sendall(request(chat()))
        chunks = [sock.recv(65536) for _ in range(20)]
    # On a busy machine a read may find several bytes; a response in one piece would be over after the first.
    assert all(chunks)
    assert b"".join(chunks).startswith(b"HTTP/1.1 200 OK")


def test_verbatim_bytes() -> None:
    with LoopbackServer(Verbatim(b"SSH-2.0-x\r\n")) as server, connect(server) as sock:
        sock.sendall(request(chat()))
        assert read_all(sock) == (b"SSH-2.0-x\r\n", "end")


# Scripts


def run_script(script: Script, questions: str) -> str:
    """The texts for one-letter questions asked in turn; a status is "!"."""
    with LoopbackServer(script) as server:
        replies = [post(server, chat(question)) for question in questions]
    return "".join(json.loads(b)["choices"][0]["message"]["content"] if s == 200 else "!" for s, _, b in replies)


@pytest.mark.parametrize(
    ("script", "asked", "expected"),
    [
        (by_attempt([Status(500), Say("1"), Say("2")]), "ababaa", "!!1122"),
        (sequence([Say("1"), Status(500), Say("2")]), "aabb", "1!22"),
        (every(3, Status(500), Say("1")), "abcdef", "11!11!"),
        (after(2, Status(500), before=Say("1")), "aaa", "11!"),
        (where(lambda asked: asked.text == "a", Status(500), Say("1")), "aba", "!1!"),
        (where(lambda asked: asked.text == "a", by_attempt([Status(500), Say("2")]), Say("1")), "aba", "!12"),
        (sometimes(0.0, Status(500), Say("1")), "ab", "11"),
        (sometimes(1.0, Status(500), Say("1")), "ab", "!!"),
    ],
)
def test_scripts(script: Script, asked: str, expected: str) -> None:
    assert run_script(script, asked) == expected


def test_parameters_are_refused_while_they_are_sent() -> None:
    with LoopbackServer(refusing("temperature", "max_tokens", code="unsupported_parameter")) as server:
        bodies = [chat(temperature=0, max_tokens=5), chat(max_tokens=5), chat()]
        replies = [post(server, body) for body in bodies]
    assert [status for status, _, _ in replies] == [400, 400, 200]
    assert [json.loads(body)["error"]["param"] for _, _, body in replies[:2]] == ["temperature", "max_tokens"]


def test_an_async_script_and_replies_out_of_order() -> None:
    async def slow_first(asked: object) -> Respond:
        await asyncio.sleep(0)
        return Say("later")

    assert run_script(slow_first, "a") == "later"
    with LoopbackServer(out_of_order(0.3)) as server:
        threads = [threading.Thread(target=post, args=(server, chat(f"question {i}"))) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    ends = [entry.ended for entry in server.log]
    assert ends != sorted(ends)
    assert server.peak_in_flight > 1


def test_a_script_that_raises_is_not_lost() -> None:
    def broken(asked: object) -> Respond:
        raise KeyError("slip")

    with pytest.raises(KeyError, match="slip"), LoopbackServer(broken) as server:
        assert post(server, chat())[0] == 500


# What it survives


def test_clients_that_leave_in_the_middle() -> None:
    with LoopbackServer(Say(delay=5.0)) as server:
        with connect(server) as sock:
            sock.sendall(request(chat())[:50])  # not even a request
        with connect(server) as sock:
            sock.sendall(request(chat()))
            server.wait_for(1)
        settled(server)
        assert [(entry.answered, entry.sent) for entry in server.log] == [(False, 0)]
        assert server.in_flight == 0
        with connect(server) as sock:
            sock.sendall(b"\x16\x03\x01 nonsense\r\n\r\n")
            assert read_all(sock)[0].startswith(b"HTTP/1.1 400")


@pytest.mark.slow
def test_a_client_killed_in_the_middle(tmp_path: Path) -> None:
    script = tmp_path / "client.py"
    script.write_text(
        "import asyncio, sys, openai\n"
        "client = openai.AsyncOpenAI(base_url=sys.argv[1], api_key='k', max_retries=0)\n"
        "async def ask(i):\n"
        "    await client.chat.completions.create(model='m', messages=[{'role': 'user', 'content': f'q{i}'}])\n"
        "async def main():\n"
        "    await asyncio.gather(*map(ask, range(20)))\n"
        "asyncio.run(main())\n"
    )
    with LoopbackServer(Say(delay=30.0)) as server:
        client = subprocess.Popen([sys.executable, str(script), server.url])
        server.wait_for(20)
        client.kill()
        client.wait()
        settled(server)
        assert len(server.asked_per_question()) == 20
        assert not server.answered_per_question()
        assert server.peak_in_flight == 20
        server.script = lambda asked: Say("yes")
        assert ask(server).choices[0].message.content == "yes"


def test_what_is_no_question() -> None:
    with LoopbackServer() as server:
        assert post(server, b"{", "/v1/chat/completions")[0] == 400
        assert post(server, b"{}", "/v1/elsewhere")[0] == 404
        assert not server.questions
        assert len(server.log) == 2


def test_the_same_port_again() -> None:
    with LoopbackServer() as server:
        assert post(server, chat())[0] == 200
    with LoopbackServer(port=server.port) as again:
        assert post(again, chat())[0] == 200
        with pytest.raises(OSError, match="in use"):
            LoopbackServer(port=again.port).start()


@pytest.mark.slow
def test_as_a_process() -> None:
    command, tests = [sys.executable, "-m", "loopback", "--latency", "0.05"], Path(__file__).parent
    with subprocess.Popen(command, cwd=tests, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        with openai.OpenAI(base_url=url, api_key="k", max_retries=0) as client:
            client.chat.completions.create(model="m", messages=[{"role": "user", "content": "Is it?"}])
        out, _ = process.communicate("")
    assert process.returncode == 0
    assert json.loads(out) == {"requests": 1, "questions": 1, "answered": 1, "peak_in_flight": 1, "connections": 1}
