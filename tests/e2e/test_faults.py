"""Every fault of a server, over real HTTP: what each is to a judge, and that a run loses nothing and lets nothing count
that is no answer."""

import asyncio
import itertools
import socket
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from asked import probe
from judges.openai.dots import (
    Dots,
    answer_to,
    ask,
    assert_asked_at_most,
    assert_true,
    dot_number,
    echo,
    expected,
    finals,
    judge_at,
    key_of,
    keys_by_id,
    records,
)
from loopback import (
    EMPTY_CHOICES,
    HTML,
    NULL_CHOICES,
    Amend,
    Asked,
    CloseEarly,
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
    error,
)
from sweeping import swept

from counterbench.answers import read_reply
from counterbench.answers.outcomes import outcome_name
from counterbench.asking.asker import Limits
from counterbench.errors import JudgeError
from counterbench.judges.base import Reply
from counterbench.runs.pair_queries import queries
from counterbench.runs.queries import load_template
from counterbench.runs.usage import usage_of
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite

GOOD = Say(echo)
QUERY = load_template().dress(next(queries(Dots(1))))


def reply_of(respond: Respond | Script, options: str = "") -> tuple[Reply, LoopbackServer]:
    """The judge's reply to one question, asked once, and the server that it was asked of."""

    async def once(server: LoopbackServer) -> Reply:
        judge = judge_at(server, options)
        try:
            (reply,) = await judge.answer([QUERY])
        finally:
            await judge.close()
        return reply

    with LoopbackServer(respond) as server:
        reply = asyncio.run(once(server))
        assert len(server.questions) <= 1
    return reply, server


# ---- what is a reply all the same


BOM = b"\xef\xbb\xbf"
USAGE = b'{"prompt_tokens": 100, "completion_tokens": 10}'


def body_with(request: Asked, content: bytes = b"", usage: bytes = USAGE) -> bytes:
    """A reply that is JSON but for what is in these parts."""
    text = echo(request).encode() + content
    choice = b'{"index": 0, "message": {"role": "assistant", "content": "' + text + b'"}, "finish_reason": "stop"}'
    return b'{"model": "m", "choices": [' + choice + b'], "usage": ' + usage + b"}"


def streamed_with(request: Asked) -> bytes:
    """The same as events."""
    delta = b'data: {"model": "m", "choices": [{"delta": {"content": "' + echo(request).encode() + b' \\ud83d \xff"}, '
    usage = b'"finish_reason": "stop"}], "usage": {"prompt_tokens": 100, "completion_tokens": 10, "cost": NaN}}'
    return delta + usage + b"\n\ndata: [DONE]\n\n"


# A 200, and what is kept after the answer.
READABLE: dict[str, tuple[Callable[[Asked], bytes], str]] = {
    "half a surrogate pair": (lambda request: body_with(request, b" \\ud83d"), " \\ud83d"),
    "a byte that is no UTF-8": (lambda request: body_with(request, b" \xff"), " \ufffd"),
    "NaN for a cost": (lambda request: body_with(request, usage=USAGE[:-1] + b', "cost": NaN}'), ""),
    "NaN for a number of tokens": (
        lambda request: body_with(request, usage=b'{"prompt_tokens": NaN, "completion_tokens": 10, "cost": 0.0002}'),
        "",
    ),
    "a byte order mark and NULs": (lambda request: BOM + body_with(request) + b"\0\0\n", ""),
    "a byte order mark before a stream": (lambda request: BOM + streamed_with(request) + b"\0", " \\ud83d \ufffd"),
    "all of it in a stream": (streamed_with, " \\ud83d \ufffd"),
}


@pytest.mark.parametrize("what", READABLE)
def test_a_reply_that_is_not_quite_json_is_kept_counted_and_never_asked_again(what: str, out: Path) -> None:
    body, more = READABLE[what]
    source = Dots(3)
    kind = "text/event-stream" if "stream" in what else "application/json"
    with LoopbackServer(lambda request: Raw(body(request), kind)) as server:
        end = ask(source, server, out, "price_in=1&price_out=10")
        assert ask(source, server, out, "price_in=1&price_out=10").complete
        assert (len(server.log), end.complete) == (6, True)
    ids = keys_by_id(source)
    assert {record.id: record.reply for record in records(out)} == {id: expected(key) + more for id, key in ids.items()}
    assert usage_of(out).cost == pytest.approx(6 * 0.0002)  # 100 in at 1 USD, 10 out at 10 USD a million


# ---- what each fault is


def chat_error(code: object, message: str = "upstream trouble") -> Raw:
    """A 200 that holds an error, as routers send it."""
    return Raw(msgspec.json.encode({"error": {"code": code, "message": message}}))


def choosing(message: Any, finish: str = "stop", **more: Any) -> Amend:
    """A reply with another choice."""
    return Amend({"choices": [{"message": message, "finish_reason": finish, **more}]}, GOOD)


# A fault, and the kind of failure that it is.
PASSING: dict[str, tuple[Respond | Script, str]] = {
    "429": (Status(429), "http-429"),
    "429, Retry-After in seconds": (Status(429, headers={"retry-after": "0.1"}), "http-429"),
    "429, a page of text": (Status(429, "slow down"), "http-429"),
    "408": (Status(408), "http-408"),
    "409": (Status(409), "http-409"),
    "500": (Status(500), "http-500"),
    "502, a proxy's page": (Status(502, "<html><h1>Bad Gateway</h1></html>"), "http-502"),
    "503": (Status(503), "http-503"),
    "504": (Status(504), "http-504"),
    "529": (Status(529), "http-529"),
    "reset before a reply": (Reset(after_bytes=None, of=GOOD), "connection"),
    "reset mid-body": (Reset(after_bytes=20, of=GOOD), "connection"),
    "closed before a reply": (CloseEarly(after_bytes=None, of=GOOD), "connection"),
    "closed mid-body": (CloseEarly(after_bytes=20, of=GOOD), "connection"),
    "closed one byte early": (lambda request: CloseEarly(len(GOOD.render(request)[1]) - 1, GOOD), "connection"),
    "a stall": (Stall(of=GOOD), "timeout"),
    "a stall mid-body": (Stall(after_bytes=50, of=GOOD), "timeout"),
    "a trickle": (Trickle(pause=0.02, of=GOOD), "timeout"),
    "no HTTP": (Verbatim(), "connection"),
    "not gzip as it says": (replace(GOOD, headers={"content-encoding": "gzip"}), "connection"),
    "truncated JSON": (Truncated(GOOD), "malformed"),
    "truncated JSON, all but the last brace": (Truncated(GOOD, keep=0.999), "malformed"),
    "a proxy's HTML": (HTML, "malformed"),
    "HTML that says JSON": (Raw("<html>yes 1</html>"), "malformed"),
    "an empty body": (Raw(b""), "malformed"),
    "204": (Raw(b"", status=204), "malformed"),
    "bytes that are no text": (Raw(b"\xff\xfe\x00"), "malformed"),
    "a number": (Raw("12"), "malformed"),
    "a text": (Raw('"The answer is 12."'), "malformed"),
    "a list": (Raw('[{"choices": []}]'), "malformed"),
    "empty choices": (EMPTY_CHOICES, "malformed"),
    "choices null": (NULL_CHOICES, "malformed"),
    "no choices": (Amend({"choices": ...}, GOOD), "malformed"),
    "choices are texts": (Amend({"choices": ["The answer is 12."]}), "malformed"),
    "message null": (choosing(None), "malformed"),
    "content null": (choosing({"role": "assistant", "content": None}), "malformed"),
    "content is a number": (choosing({"role": "assistant", "content": 12}), "malformed"),
    "an error in a 200": (chat_error("server_error"), "malformed"),
    "an error in a 200 with a status": (chat_error(503), "http-503"),
    "an error in a 200 that is a text": (Raw('{"error": "overloaded"}'), "malformed"),
    "an error beside a reply": (Amend({"error": {"message": "half"}}, GOOD), "malformed"),
    "an error in the choice": (
        choosing({"content": "The answer is 12."}, "error", error={"code": 502, "message": "gone midway"}),
        "http-502",
    ),
}


@pytest.mark.slow
@swept("name", PASSING)
def test_a_passing_fault_is_a_retryable_failure(name: str) -> None:
    fault, kind = PASSING[name]
    slow = "stall" in name or "trickle" in name
    reply, _ = reply_of(fault, f"timeout={0.2 if slow else 10}")
    assert (reply.failure.kind, reply.text, reply.stop) == (kind, None, "")
    assert reply.failure.message
    assert reply.retry is not None


def say(**how: Any) -> Say:
    return Say(echo, **how)


AZURE = error("The response was filtered by the content management policy.", "", "prompt", "content_filter")
AZURE["error"]["innererror"] = {"code": "ResponsibleAIPolicyViolation", "content_filter_result": {}}


# A response that is final: what its outcome is, and its finish reason.
FINAL: dict[str, tuple[Respond | Script, str, str]] = {
    "a refusal": (Say(refusal="I can't help with that."), "refused", "refusal"),
    "a refusal that names a number": (Say(refusal="I will not say that the answer is 4."), "refused", "refusal"),
    "a refusal in words": (Say("I'm sorry, but I can't help with that."), "refused", "stop"),
    "a content filter": (Say("The answer is 12.", finish="content_filter"), "refused", "content_filter"),
    "a content filter without content": (Say(None, finish="content_filter"), "refused", "content_filter"),
    "a content filter by another name": (Say("The answer is 12.", finish="SAFETY"), "refused", "content_filter"),
    "a content filter as a 400": (Status(400, AZURE), "refused", "content_filter"),
    "cut by length": (Say("Let me count the dots: one, two", finish="length"), "unparsed", "length"),
    "cut by length, like an answer": (Say("The answer is 12.", finish="length"), "unparsed", "length"),
    "cut by length, by another name": (Say("The answer is 12.", finish="MAX_TOKENS"), "unparsed", "length"),
    "cut by length while thinking": (Say(None, finish="length"), "unparsed", "length"),
    "empty": (Say(""), "unparsed", "stop"),
    "a megabyte": (Say("I wonder. " * 100_000), "unparsed", "stop"),
    "wrong content type": (lambda request: replace(GOOD, headers={"content-type": "text/html"}), "answer", "stop"),
    "no finish reason": (say(finish=None), "answer", ""),
    "usage missing": (say(usage=None), "answer", "stop"),
    "usage null": (Amend({"usage": None}, GOOD), "answer", "stop"),
    "usage a text": (Amend({"usage": "200 tokens"}, GOOD), "answer", "stop"),
    "usage a list": (Amend({"usage": [200, 2]}, GOOD), "answer", "stop"),
    "tokens are texts": (Amend({"usage": {"prompt_tokens": "200", "completion_tokens": None}}, GOOD), "answer", "stop"),
    "tokens are fractions": (
        Amend({"usage": {"prompt_tokens": 1.5, "completion_tokens": True}}, GOOD),
        "answer",
        "stop",
    ),
    "tokens are negative": (Amend({"usage": {"prompt_tokens": -1, "cost": -0.5}}, GOOD), "answer", "stop"),
    "cost a text": (Amend({"usage": {"cost": "0.01"}}, GOOD), "answer", "stop"),
    "model null": (Amend({"model": None}, GOOD), "answer", "stop"),
    "no id": (Amend({"id": ...}, GOOD), "answer", "stop"),
    "the same id always": (say(id="chatcmpl-0"), "answer", "stop"),
    "keys that nobody knows": (Amend({"provider": "x", "choices_": [], "x_groq": {"id": 1}}, GOOD), "answer", "stop"),
}


@swept("name", FINAL)
def test_a_final_reply_has_its_outcome_and_no_retry(name: str) -> None:
    respond, outcome, finish = FINAL[name]
    reply, _ = reply_of(respond)
    assert reply.text is not None
    assert reply.finish == finish
    assert outcome_name(read_reply(reply.text, QUERY.answer_type, reply.finish)) == outcome
    if outcome == "answer":
        assert reply.text == expected(key_of(QUERY))
    if name.startswith(("tokens", "usage", "cost")):
        assert (reply.tokens_out, reply.cost) == (None, None)


def stopping(status: int, code: str | None = None) -> Status:
    return Status(status, error("no, thanks", "invalid_request_error", code=code))


STOPS: dict[str, tuple[Respond, str, str]] = {
    "400": (stopping(400), "http-400", "check the model"),
    "401": (stopping(401, "invalid_api_key"), "http-401", "check the key"),
    "402": (stopping(402), "http-402", "credit"),
    "403": (stopping(403), "http-403", "may use the model"),
    "404": (stopping(404, "model_not_found"), "http-404", "check the model's name"),
    "404, a page": (Status(404, "<html>nginx</html>"), "http-404", "--base-url"),
    "405": (stopping(405), "http-405", "--base-url"),
    "413": (stopping(413), "http-413", "too large"),
    "422": (stopping(422), "http-422", "check the model"),
    "301": (Status(301, headers={"location": "http://127.0.0.1:1/v1"}), "http-301", "moved"),
    "307": (Status(307, headers={"location": "http://127.0.0.1:1/v1"}), "http-307", "moved"),
    "429, out of credit": (stopping(429, "insufficient_quota"), "http-429", "out of credit"),
    "404 in a 200": (chat_error(404, "no such model"), "http-404", "check the model's name"),
}


@swept("name", STOPS)
def test_a_permanent_fault_stops_the_run_and_says_what_to_check(name: str) -> None:
    fault, kind, check = STOPS[name]
    reply, server = reply_of(fault)
    assert (reply.failure.kind, reply.retry) == (kind, None)
    assert check in reply.stop
    assert server.url in reply.stop


@swept("body", ["<h1>this gateway wants a tenant</h1>", {"detail": "this gateway wants a tenant"}])
@swept("status", [400, 404, 500])
def test_an_error_body_of_any_shape_is_reported_in_the_servers_words(status: int, body: Any) -> None:
    reply, _ = reply_of(Status(status, body))
    assert "wants a tenant" in reply.failure.message
    assert "wants a tenant" in reply.stop or status >= 500


# ---- servers that are not there


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "nowhere.invalid"])
def test_an_unreachable_server_stops_the_run_at_once(host: str, out: Path) -> None:
    with pytest.raises(JudgeError, match=r"cannot connect to .*is the server up, and is --base-url right\?"):
        ask(Dots(60), f"http://{host}:{free_port()}/v1", out, limits=Limits(concurrency=8))
    assert len(records(out)) <= 8, "none is asked again"


def test_a_server_that_disappears_is_retried_and_then_stops_the_run(out: Path) -> None:
    source = Dots(60)
    server = LoopbackServer(GOOD)
    server.start()
    limits = Limits(backoff=0.01, retries=2, concurrency=4)

    def leave(done: int) -> None:
        if done == 30:
            server.stop()

    progress = probe(source, judge_at(server), out, limits=limits, on_progress=lambda p: leave(p.done))
    assert progress.done >= 30
    assert not progress.complete
    assert "questions in a row failed after all retries" in progress.stopped
    failed = Counter(r.id for r in records(out) if not r.final)
    assert 20 <= len(failed) <= 20 + 4
    assert sorted(failed.values())[-20] == 3  # each was tried again
    assert {r.failure.kind for r in records(out) if r.failure} == {"connection"}
    # The server comes back on its port: only what is missing is asked.
    asked_before = set(server.asked_per_question())
    back = LoopbackServer(GOOD, port=server.port)
    with back:
        again = ask(source, back, out, limits=limits)
    assert (again.complete, again.calls) == (True, 120 - progress.done)
    keys = keys_by_id(source)
    assert len(set(back.asked_per_question())) == 120 - progress.done
    assert asked_before | set(back.asked_per_question()) == set(keys.values())
    assert_true(source, out)


# ---- runs


def test_passing_faults_are_retried_and_lasting_ones_asked_again_later(out: Path) -> None:
    """Of twenty questions four fail once, four until the server is well again."""
    ill = True

    def script(request: Asked) -> Any:
        stays, passes = dot_number(request) % 5 == 0, dot_number(request) % 5 == 1
        return Status(500) if (stays and ill) or (passes and request.attempt == 1) else GOOD

    source, limits = Dots(10), Limits(backoff=0.01, retries=2)
    with LoopbackServer(script) as server:
        progress = ask(source, server, out, limits=limits)
        assert (progress.done, progress.failed, progress.stopped) == (16, 4, "")
        tries = Counter(record.id for record in records(out))
        turn = {id: int(id[1:].partition("/")[0]) % 5 for id in tries}
        lost = {id for id in tries if turn[id] == 0}
        assert [(id, count) for id, count in tries.items() if count != {0: 3, 1: 2}.get(turn[id], 1)] == []
        assert finals(out).keys() == tries.keys() - lost
        first = len(server.questions)
        assert first == progress.calls == len(records(out))
        assert_true(source, out)
        # Asked again on resume: exactly what failed, and nothing else.
        ill = False
        again = ask(source, server, out, limits=limits)
        assert (again.done, again.failed, again.calls, again.complete) == (20, 0, 4, True)
        keys = keys_by_id(source)
        assert Counter(e.asked.key for e in server.questions[first:]) == {keys[id]: 1 for id in lost}
    assert_true(source, out)
    assert usage_of(out).outcomes == {"answer": 20, "failed": 16}


@pytest.mark.slow
def test_a_suite_is_answered_through_a_mix_of_all_faults(out: Path) -> None:
    """Nineteen in twenty attempts go wrong in some way, and still each question gets its own answer, once."""
    source = SuiteSource(load_suite("smoke"))
    faults = [fault for fault, _ in PASSING.values()]
    turn = itertools.cycle(faults)

    def answer(request: Asked) -> str:
        return f"{echo(request)} yes red circle"

    def script(request: Asked) -> Any:
        if request.attempt > 3 or request.sequence % 20 == 0:
            return Say(answer)
        chosen = next(turn)
        return chosen(request) if callable(chosen) else chosen

    with LoopbackServer(script) as server:
        progress = ask(source, server, out, "timeout=1", Limits(backoff=0.01, retries=4))
        assert progress.complete, progress
        assert_asked_at_most(server, 5)
        calls = len(server.questions)
    keys = keys_by_id(source)
    assert len(finals(out)) == 2 * len(source)
    # On a busy machine a reply that was meant to stall may come in time; it is the question's own all the same.
    replies = {r.id: (r.reply or "").partition(".")[0] for r in finals(out).values()}
    assert replies == {id: f"The answer is {answer_to(keys[id])}" for id in replies}
    assert calls <= len(records(out)) == progress.calls  # a call may time out before the server has read it
    assert progress.retried == progress.calls - 2 * len(source)
