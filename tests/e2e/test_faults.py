"""Every fault of a server, over real HTTP: nothing is lost, nothing counts that is no answer, no question is asked
more often than the policy allows."""

from __future__ import annotations

import asyncio
import itertools
import socket
import threading
import time
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from judges.openai.dots import (
    Dots,
    ask,
    assert_asked_at_most,
    assert_true,
    dot,
    expected,
    finals,
    judge_at,
    keys_by_id,
    number,
    records,
    said,
)
from loopback import (
    EMPTY_CHOICES,
    HTML,
    NULL_CHOICES,
    Asked,
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
    sequence,
)

from counterbench.asking.probe import Limits, probe
from counterbench.errors import JudgeError
from counterbench.runs.journal import Record
from counterbench.runs.usage import usage_of
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite

GOOD = Say(said)
PAIRS, RETRIES = 10, 2
LIMITS = Limits(backoff=0.01, retries=RETRIES)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "run"


def with_date(seconds: float) -> Script:
    """A 429 whose Retry-After is a date, by whole seconds."""
    return lambda asked: Status(
        429, headers={"retry-after": format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)}
    )


def chat_error(code: object, message: str = "upstream trouble") -> Raw:
    """A 200 that holds an error, as routers send it."""
    return Raw(msgspec.json.encode({"error": {"code": code, "message": message}}))


def without_content(asked: Asked) -> Respond:
    return Edit(
        {"choices": [{"index": 0, "message": {"role": "assistant", "content": None}, "finish_reason": "stop"}]}, GOOD
    )


def with_choice_error(asked: Asked) -> Respond:
    choice = {
        "message": {"role": "assistant", "content": said(asked)},
        "finish_reason": "error",
        "error": {"code": 502, "message": "gone midway"},
    }
    return Edit({"choices": [choice]}, GOOD)


# A fault, and the kind of failure that it is.
PASSING: dict[str, tuple[Respond | Script, str]] = {
    "429": (Status(429), "http-429"),
    "429, Retry-After in seconds": (Status(429, headers={"retry-after": "0.1"}), "http-429"),
    "429, retry-after-ms": (Status(429, headers={"retry-after-ms": "100"}), "http-429"),
    "429, Retry-After is a date": (with_date(0.2), "http-429"),
    "429, Retry-After is a date long ago": (with_date(-3600), "http-429"),
    "429, Retry-After is nonsense": (Status(429, headers={"retry-after": "soon"}), "http-429"),
    "429, Retry-After is negative": (Status(429, headers={"retry-after": "-5"}), "http-429"),
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
    "closed one byte early": (
        lambda asked: CloseEarly(len(GOOD.render(asked)[1]) - 1, GOOD),
        "connection",
    ),
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
    "no choices": (Edit({"choices": ...}, GOOD), "malformed"),
    "choices are texts": (Edit({"choices": ["The answer is 12."]}), "malformed"),
    "message null": (Edit({"choices": [{"message": None, "finish_reason": "stop"}]}), "malformed"),
    "content null": (without_content, "malformed"),
    "content is a number": (
        Edit({"choices": [{"message": {"role": "assistant", "content": 12}, "finish_reason": "stop"}]}),
        "malformed",
    ),
    "an error in a 200": (chat_error("server_error"), "malformed"),
    "an error in a 200 with a status": (chat_error(503), "http-503"),
    "an error in a 200 that is a text": (Raw('{"error": "overloaded"}'), "malformed"),
    "an error beside a reply": (Edit({"error": {"message": "half"}}, GOOD), "malformed"),
    "an error in the choice": (with_choice_error, "http-502"),
}


@pytest.mark.parametrize("name", PASSING)
def test_a_fault_that_passes_is_retried_and_one_that_stays_is_failed_and_asked_again(name: str, out: Path) -> None:
    """Of twenty questions four fail once, four until the server is well again."""
    fault, kind = PASSING[name]
    ill = True
    bad = fault if callable(fault) else lambda asked: fault

    def script(asked: Asked) -> Any:
        stays, passes = dot(asked) % 5 == 0, dot(asked) % 5 == 1
        return bad(asked) if (stays and ill) or (passes and asked.attempt == 1) else GOOD

    source = Dots(PAIRS)
    slow = "stall" in name or "trickle" in name
    options = f"timeout={0.3 if slow else 10}"
    with LoopbackServer(script) as server:
        progress = ask(source, server, out, options, LIMITS)
        assert (progress.done, progress.failed, progress.stopped) == (16, 4, "")
        first = server.questions
        tries = Counter(record.id for record in records(out))
        lost = {id for id, count in tries.items() if int(id[1:5]) % 5 == 0}
        for id, count in tries.items():
            assert count == {0: 1 + RETRIES, 1: 2}.get(int(id[1:5]) % 5, 1), id
        failed = [record for record in records(out) if not record.final]
        assert len(failed) == 4 * (1 + RETRIES) + 4
        assert Counter(r.failure.kind for r in failed if r.failure) == {kind: len(failed)}, failed[0].failure
        assert all(r.failure and r.failure.message and r.outcome == "failed" and r.reply is None for r in failed)
        assert sorted(r.attempts for r in failed if r.id in lost) == [1] * 4 + [2] * 4 + [3] * 4
        assert finals(out).keys() == tries.keys() - lost
        assert len(first) == progress.calls == len(records(out))
        assert_asked_at_most(server, 1 + RETRIES)
        assert_true(source, out)
        # Asked again on resume: exactly what failed, and nothing else.
        ill = False
        again = ask(source, server, out, options, LIMITS)
        assert (again.done, again.failed, again.calls, again.complete) == (20, 0, 4, True)
        keys = keys_by_id(source)
        assert Counter(e.asked.key for e in server.questions[len(first) :]) == {keys[id]: 1 for id in lost}
    assert_true(source, out)
    assert usage_of(out).outcomes == {"answer": 20, "failed": len(failed)}


def say(**how: Any) -> Say:
    return Say(said, **how)


def filtered_by_azure(asked: Asked) -> Respond:
    inner = {"code": "ResponsibleAIPolicyViolation", "content_filter_result": {"hate": {"filtered": True}}}
    problem = {
        "message": "The response was filtered due to the prompt triggering the content management policy.",
        "type": None,
        "param": "prompt",
        "code": "content_filter",
        "status": 400,
        "innererror": inner,
    }
    return Status(400, {"error": problem})


# A response that is final: what its outcome is, and its finish reason.
FINAL: dict[str, tuple[Respond | Script, str, str]] = {
    "a refusal": (Say(refusal="I can't help with that."), "refused", "refusal"),
    "a refusal that names a number": (Say(refusal="I will not say that the answer is 4."), "refused", "refusal"),
    "a refusal in words": (Say("I'm sorry, but I can't help with that."), "refused", "stop"),
    "a content filter": (Say("The answer is 12.", finish="content_filter"), "refused", "content_filter"),
    "a content filter without content": (Say(None, finish="content_filter"), "refused", "content_filter"),
    "a content filter by another name": (Say("The answer is 12.", finish="SAFETY"), "refused", "content_filter"),
    "a content filter as a 400": (filtered_by_azure, "refused", "content_filter"),
    "cut by length": (Say("Let me count the dots: one, two", finish="length"), "unparsed", "length"),
    "cut by length, like an answer": (Say("The answer is 12.", finish="length"), "unparsed", "length"),
    "cut by length, by another name": (Say("The answer is 12.", finish="MAX_TOKENS"), "unparsed", "length"),
    "cut by length while thinking": (Say(None, finish="length"), "unparsed", "length"),
    "empty": (Say(""), "unparsed", "stop"),
    "ten megabytes": (Say("I wonder. " * 1_000_000), "unparsed", "stop"),
    "wrong content type": (lambda asked: replace(GOOD, headers={"content-type": "text/html"}), "answer", "stop"),
    "no finish reason": (say(finish=None), "answer", ""),
    "usage missing": (say(usage=None), "answer", "stop"),
    "usage null": (Edit({"usage": None}, GOOD), "answer", "stop"),
    "usage a text": (Edit({"usage": "200 tokens"}, GOOD), "answer", "stop"),
    "usage a list": (Edit({"usage": [200, 2]}, GOOD), "answer", "stop"),
    "tokens are texts": (Edit({"usage": {"prompt_tokens": "200", "completion_tokens": None}}, GOOD), "answer", "stop"),
    "tokens are fractions": (
        Edit({"usage": {"prompt_tokens": 1.5, "completion_tokens": True}}, GOOD),
        "answer",
        "stop",
    ),
    "tokens are negative": (Edit({"usage": {"prompt_tokens": -1, "cost": -0.5}}, GOOD), "answer", "stop"),
    "cost a text": (Edit({"usage": {"cost": "0.01"}}, GOOD), "answer", "stop"),
    "model null": (Edit({"model": None}, GOOD), "answer", "stop"),
    "no id": (Edit({"id": ...}, GOOD), "answer", "stop"),
    "the same id always": (say(id="chatcmpl-0"), "answer", "stop"),
    "keys that nobody knows": (Edit({"provider": "x", "choices_": [], "x_groq": {"id": 1}}, GOOD), "answer", "stop"),
}


@pytest.mark.parametrize("name", FINAL)
def test_a_reply_that_is_final_is_asked_once_and_is_what_it_is(name: str, out: Path) -> None:
    special, outcome, finish = FINAL[name]
    chosen = special if callable(special) else lambda asked: special
    ten = "megabytes" in name
    source = Dots(PAIRS)
    with LoopbackServer(lambda asked: chosen(asked) if dot(asked) % (PAIRS if ten else 2) == 0 else GOOD) as server:
        progress = ask(source, server, out, limits=LIMITS)
        assert (progress.done, progress.failed, progress.calls) == (20, 0, 20)
        assert_asked_at_most(server, 1)
        written = records(out)
        odd = [r for r in written if int(r.id[1:5]) % (PAIRS if ten else 2) == 0]
        assert len(odd) == (2 if ten else 10)
        assert {(r.outcome, r.finish) for r in odd} == {(outcome, finish)}
        assert usage_of(out).outcomes == dict(Counter({outcome: len(odd)}) + Counter(answer=20 - len(odd)))
        assert all(r.attempts == 1 and r.reply is not None for r in written)
        assert_true(source, out)
        assert ask(source, server, out, limits=LIMITS).calls == 0
    if outcome == "answer":
        keys = keys_by_id(source)
        assert all(r.reply == expected(keys[r.id]) for r in odd)
    if name.startswith(("tokens", "usage", "cost")):
        assert all(r.tokens_out is None and r.cost is None for r in odd)


HUGE = "1" + 400 * "0"


BEYOND_64_BITS = '{"prompt_tokens": 18446744073709551616, "completion_tokens": 2}'
TOKENS_BEYOND_FLOATS = f'{{"prompt_tokens": {HUGE}, "completion_tokens": 2}}'
COST_BEYOND_FLOATS = f'{{"prompt_tokens": 200, "completion_tokens": 2, "cost": {HUGE}}}'
INFINITE_COST = '{"prompt_tokens": 200, "completion_tokens": 2, "cost": 1e400}'
PRICED = "price_in=1&price_out=1"


@pytest.mark.parametrize(
    ("usage", "options"),
    [
        pytest.param(BEYOND_64_BITS, "", id="tokens beyond 64 bits"),
        pytest.param(BEYOND_64_BITS, PRICED, id="tokens beyond 64 bits, priced"),
        pytest.param(TOKENS_BEYOND_FLOATS, "", id="tokens beyond floats"),
        pytest.param(TOKENS_BEYOND_FLOATS, PRICED, id="tokens beyond floats, priced"),
        pytest.param(COST_BEYOND_FLOATS, "", id="a cost beyond floats"),
        pytest.param(COST_BEYOND_FLOATS, PRICED, id="a cost beyond floats, priced"),
        pytest.param(INFINITE_COST, "", id="an infinite cost"),
        pytest.param(INFINITE_COST, PRICED, id="an infinite cost, priced"),
    ],
)
def test_absurd_usage_never_ends_a_run(usage: str, options: str, out: Path) -> None:
    """An answer or a failure with evidence, as one likes; but the other questions go on, and the journal is whole."""

    def script(asked: Asked) -> Respond:
        if dot(asked) != 3:
            return GOOD
        document = msgspec.json.encode(GOOD.document(asked) | {"usage": "USAGE"})
        return Raw(document.replace(b'"USAGE"', usage.encode()))

    source = Dots(PAIRS)
    with LoopbackServer(script) as server:
        progress = ask(source, server, out, options, LIMITS)
    assert progress.done >= 18
    assert progress.done + progress.failed == 20
    assert_true(source, out)
    assert all(r.final or (r.failure and r.failure.message) for r in records(out))
    for record in records(out):
        assert record.failure is None or record.failure.kind == "malformed", record.failure


# ---- more than one fault


def test_a_model_that_changes_midway_is_told(out: Path) -> None:
    source = Dots(PAIRS)
    with LoopbackServer(after(7, say(model="m-2027"), say(model="m-2026"))) as server:
        assert ask(source, server, out, limits=Limits(concurrency=1)).complete
    assert usage_of(out).models == {"m-2027": 13, "m-2026": 7}
    assert [r.model for r in records(out)] == ["m-2026"] * 7 + ["m-2027"] * 13
    assert_true(source, out)


def test_equal_replies_of_a_server_whose_ids_are_all_the_same(out: Path) -> None:
    """Such servers are common on one's own machine; each question is asked once."""
    same = Raw('{"id": "0", "choices": [{"message": {"content": "yes"}, "finish_reason": "stop"}], "model": "m"}')
    with LoopbackServer(same) as server:
        progress = ask(Dots(40, "yes-no", ("yes", "no")), server, out, limits=Limits(backoff=0.01, concurrency=4))
        assert progress.complete, progress
        assert len(server.questions) == 80
    assert {r.reply for r in finals(out).values()} == {"yes"}


def test_replies_in_another_order_than_the_questions(out: Path) -> None:
    source = Dots(60)
    with LoopbackServer(out_of_order(0.1, GOOD)) as server:
        assert ask(source, server, out).complete
        ended = [e.asked.sequence for e in sorted(server.questions, key=lambda e: e.ended or 0)]
        assert ended != sorted(ended)
        assert_asked_at_most(server, 1)
    assert len(finals(out)) == 120
    assert_true(source, out)


def test_pictures_of_a_suite_through_a_storm_of_every_fault(out: Path) -> None:
    """Nineteen in twenty attempts go wrong in some way, and still each question gets its own answer, once."""
    source = SuiteSource(load_suite("smoke"), 20)
    faults = [value[0] for name, value in PASSING.items() if "Retry-After is a date" not in name]
    turn = itertools.cycle(faults)

    def answer(asked: Asked) -> str:
        return f"{said(asked)} yes red circle"

    def script(asked: Asked) -> Any:
        if asked.attempt > 3 or asked.sequence % 20 == 0:
            return Say(answer)
        chosen = next(turn)
        return chosen(asked) if callable(chosen) else chosen

    with LoopbackServer(script) as server:
        progress = ask(source, server, out, "timeout=0.5", Limits(backoff=0.01, retries=4))
        assert progress.complete, progress
        assert_asked_at_most(server, 5)
        calls = len(server.questions)
    keys = keys_by_id(source)
    assert len(finals(out)) == 2 * len(source)
    assert all(r.reply == f"The answer is {number(keys[r.id])}. yes red circle" for r in finals(out).values())
    assert len(records(out)) == calls == progress.calls
    assert progress.retried == calls - 2 * len(source)


# ---- what is never retried


def stopping(status: int, code: str | None = None, message: str = "no, thanks") -> Status:
    return Status(status, {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": code}})


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


@pytest.mark.parametrize("name", STOPS)
def test_what_cannot_pass_stops_the_run_at_once_and_says_what_to_check(name: str, out: Path) -> None:
    fault, kind, check = STOPS[name]
    source = Dots(60)
    with LoopbackServer(fault) as server:
        with pytest.raises(JudgeError, match=check) as raised:
            ask(source, server, out, limits=Limits(backoff=0.01, concurrency=8))
        assert len(server.questions) <= 8  # only what was in flight already
        assert_asked_at_most(server, 1)
        assert server.url in str(raised.value)
        assert {r.failure.kind for r in records(out) if r.failure} == {kind}
        assert finals(out) == {}
        server.script = lambda asked: GOOD
        assert ask(source, server, out).complete
    assert_true(source, out)


@pytest.mark.parametrize("body", ["<h1>this gateway wants a tenant</h1>", {"detail": "this gateway wants a tenant"}])
@pytest.mark.parametrize("status", [400, 404, 500])
def test_what_a_server_says_in_its_own_shape_is_told(status: int, body: Any, out: Path) -> None:
    with LoopbackServer(Status(status, body)) as server:
        try:
            told = ask(Dots(1), server, out, limits=Limits(backoff=0.001, retries=1)).stopped
        except JudgeError as error:
            told = str(error)
        assert "wants a tenant" in (out / "journal.jsonl").read_text()
        assert "wants a tenant" in told or status >= 500


@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_answers_in_flight_when_a_run_stops_are_kept(status: int, out: Path) -> None:
    """The tenth request is refused while the others of its wave are being answered."""
    source = Dots(60)
    slow = replace(GOOD, delay=0.3)

    def script(asked: Asked) -> Respond:
        return stopping(status) if asked.sequence == 10 else slow

    with LoopbackServer(script) as server:
        with pytest.raises(JudgeError):
            ask(source, server, out, limits=Limits(concurrency=16))
        # Two waves at most: the first was out before the refusal could be read.
        assert len(server.questions) == 16
        assert len(finals(out)) == 15
        kept = set(finals(out))
        before = len(server.questions)
        server.script = lambda asked: GOOD
        again = ask(source, server, out)
        assert (again.complete, again.calls) == (True, 105)
        keys = keys_by_id(source)
        assert not {keys[id] for id in kept} & {e.asked.key for e in server.questions[before:]}
    assert_true(source, out)


@pytest.mark.slow
def test_what_never_comes_back_does_not_hold_up_a_stop(out: Path) -> None:
    """The others stall; the run waits for them only a few seconds."""
    with LoopbackServer(lambda asked: stopping(401) if asked.sequence == 4 else Stall()) as server:
        began = time.monotonic()
        with pytest.raises(JudgeError, match="check the key"):
            ask(Dots(20), server, out, limits=Limits(concurrency=4))
        assert time.monotonic() - began < 8


def test_nothing_waits_for_a_retry_once_a_run_stops(out: Path) -> None:
    """Questions that sleep before they are asked again, for a minute, let go at once."""
    patient = Status(429, headers={"retry-after": "60"})
    with LoopbackServer(lambda asked: replace(stopping(403), delay=0.2) if asked.sequence == 8 else patient) as server:
        began = time.monotonic()
        with pytest.raises(JudgeError, match="may use"):
            ask(Dots(20), server, out, limits=Limits(concurrency=8))
        assert time.monotonic() - began < 4
        assert len(server.questions) == 8


# ---- servers that are not there


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_server_that_is_not_there_stops_the_run_at_once(host: str, out: Path) -> None:
    url = f"http://{host}:{free_port()}/v1"
    began = time.monotonic()
    with pytest.raises(JudgeError, match=r"cannot connect to .*is the server up, and is --base-url right\?"):
        ask(Dots(60), url, out, limits=Limits(concurrency=8))
    assert time.monotonic() - began < 3
    assert len(records(out)) <= 8


def test_a_host_that_does_not_exist_stops_the_run_at_once(out: Path) -> None:
    with pytest.raises(JudgeError, match="cannot connect to"):
        ask(Dots(5), "http://nowhere.invalid/v1", out, limits=Limits(concurrency=2))


def test_a_server_that_goes_away_midway_is_retried_and_then_the_run_stops_with_a_reason(out: Path) -> None:
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


def test_a_server_that_comes_back_in_time_loses_nothing(out: Path) -> None:
    """Away for half a second in the middle of a run: the retries bridge it."""
    source = Dots(40)
    server = LoopbackServer(GOOD)
    server.start()
    port, backs = server.port, []

    def blink(done: int) -> None:
        if done == 30 and not backs:
            server.stop()
            backs.append(LoopbackServer(GOOD, port=port))
            threading.Timer(0.5, backs[0].start).start()

    limits = Limits(backoff=0.1, concurrency=4)
    progress = probe(source, judge_at(server), out, limits=limits, on_progress=lambda p: blink(p.done))
    backs[0].stop()
    assert progress.complete, progress
    assert_true(source, out)
    assert len(finals(out)) == 80


def test_a_stuck_server_stops_after_twenty_questions_without_fruit(out: Path) -> None:
    source = Dots(60)
    with LoopbackServer(after(10, Status(500), GOOD)) as server:
        progress = ask(source, server, out, limits=Limits(backoff=0.001, retries=1, concurrency=2))
    assert progress.done == 10
    assert "20 questions in a row failed after all retries" in progress.stopped
    assert 20 <= progress.failed <= 22
    assert progress.calls == len(server.questions) <= 10 + 2 * 22


# ---- how fast: Retry-After, the bound, backing off and recovering


def arrivals(server: LoopbackServer) -> list[float]:
    return [entry.asked.arrived for entry in server.questions]


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "0.6"}, 0.6),
        ({"retry-after-ms": "600"}, 0.6),
        ({"retry-after": "1"}, 1.0),
        ({"retry-after-ms": "600", "retry-after": "50"}, 0.6),
    ],
)
def test_nothing_is_asked_while_the_server_wants_to_be_left_alone(
    headers: dict[str, str], seconds: float, out: Path
) -> None:
    source = Dots(12)
    script = sequence([GOOD] * 8 + [Status(429, headers=headers), replace(GOOD, delay=0.01)])
    with LoopbackServer(script) as server:
        assert ask(source, server, out, limits=Limits(backoff=0.01, concurrency=4)).complete
        assert_left_alone(server, 8, seconds, seconds + 0.6)
    assert_true(source, out)


def assert_left_alone(server: LoopbackServer, nth: int, least: float, most: float) -> None:
    """After the reply to the nth request nothing arrives but what was under way, for so long."""
    told = server.questions[nth].ended
    assert told is not None
    later = [moment - told for moment in arrivals(server) if moment > told + 0.05]
    assert later, "nothing was asked again"
    assert least - 0.05 <= min(later) <= most, f"asked again after {min(later):.2f} s"


def test_a_date_in_retry_after_is_kept(out: Path) -> None:
    source = Dots(12)
    script = sequence([*[GOOD] * 8, with_date(2.0), GOOD])
    with LoopbackServer(script) as server:
        assert ask(source, server, out, limits=Limits(backoff=0.01, concurrency=4)).complete
        assert_left_alone(server, 8, 1.0, 2.6)  # dates have whole seconds


@pytest.mark.parametrize("status", [503, 529, 500])
def test_retry_after_of_other_statuses_is_kept_too(status: int, out: Path) -> None:
    with LoopbackServer(sequence([GOOD, Status(status, headers={"retry-after": "0.5"}), GOOD])) as server:
        assert ask(Dots(4), server, out, limits=Limits(backoff=0.01, concurrency=1)).complete
        assert_left_alone(server, 1, 0.5, 1.1)


def test_a_server_that_wants_to_be_left_alone_for_an_hour_ends_the_run_with_that_reason(out: Path) -> None:
    with LoopbackServer(after(6, Status(429, headers={"retry-after": "3600"}), GOOD)) as server:
        began = time.monotonic()
        progress = ask(Dots(20), server, out, limits=Limits(concurrency=4))
        assert time.monotonic() - began < 5
    assert progress.stopped == "the server asks to be left alone for 3600 seconds"
    assert progress.done == 6
    assert len(server.questions) <= 10


def test_waits_grow_between_the_attempts_at_a_question(out: Path) -> None:
    with LoopbackServer(by_attempt([Status(500)] * 4 + [GOOD])) as server:
        assert ask(Dots(1), server, out, limits=Limits(backoff=0.08, retries=4)).complete
    for key in server.asked_per_question():
        moments = [e.asked.arrived for e in server.questions if e.asked.key == key]
        waits = [b - a for a, b in itertools.pairwise(moments)]
        for i, wait in enumerate(waits):
            assert wait >= 0.04 * 2**i - 0.01, waits
        assert sum(waits) < 2 * 0.08 * 15 + 0.2, waits


def overlaps(server: LoopbackServer) -> list[tuple[float, int]]:
    """How many requests the server had in flight, at each arrival."""
    entries = server.questions
    return [
        (e.asked.arrived, sum(o.asked.arrived <= e.asked.arrived < (o.ended or 1e12) for o in entries)) for e in entries
    ]


def test_concurrency_starts_full_is_never_exceeded_falls_after_429_and_recovers(out: Path) -> None:
    source = Dots(160)
    normal = replace(GOOD, delay=0.1)

    def script(asked: Asked) -> Respond:
        if asked.sequence <= 16:
            return replace(GOOD, delay=1.0)
        return replace(Status(429), delay=0.03) if 60 < asked.sequence <= 76 else normal

    with LoopbackServer(script) as server:
        assert ask(source, server, out, limits=Limits(backoff=0.02, concurrency=16)).complete
    assert server.peak_in_flight == 16
    levels = overlaps(server)
    assert levels[15][1] == 16, "does not start full"  # before there is any reply
    assert max(level for _, level in levels) == 16
    cut = max(e.ended or 0 for e in server.questions if isinstance(e.respond, Status))
    soon = [level for moment, level in levels if cut < moment][:16]
    assert max(soon) <= 12, f"not slower after an overload: {soon}"
    assert min(soon) <= 8
    end = [level for _, level in levels[-80:-16]]
    assert max(end) >= 15, f"did not recover: {end}"
    assert_true(source, out)


def test_concurrency_falls_to_one_under_lasting_overload_and_no_lower(out: Path) -> None:
    """A server that takes two at once, and refuses every third: all are answered, never more than two for long."""
    source = Dots(40)
    busy = [0]

    async def script(asked: Asked) -> Respond:
        busy[0] += 1
        try:
            if busy[0] > 2:
                return Status(429)
            await asyncio.sleep(0.01)
            return GOOD
        finally:
            busy[0] -= 1

    with LoopbackServer(script) as server:
        progress = ask(source, server, out, limits=Limits(backoff=0.02, concurrency=32, retries=12))
    assert progress.complete, progress
    assert_true(source, out)
    assert len(server.questions) < 4 * 80


@pytest.mark.parametrize("concurrency", [1, 3, 32])
def test_the_bound_holds_through_failures(concurrency: int, out: Path) -> None:
    source = Dots(40)
    slow = replace(GOOD, delay=0.01)
    with LoopbackServer(every(7, Reset(of=GOOD), every(5, Status(500), slow))) as server:
        assert ask(source, server, out, limits=Limits(backoff=0.005, concurrency=concurrency)).complete
    assert server.peak_in_flight <= concurrency
    assert_true(source, out)


def test_every_attempt_is_recorded_in_order(out: Path) -> None:
    with LoopbackServer(by_attempt([Status(500), Truncated(GOOD), Status(429), GOOD])) as server:
        assert ask(Dots(2), server, out).complete
    by_id: dict[str, list[Record]] = {}
    for record in records(out):
        by_id.setdefault(record.id, []).append(record)
    assert len(by_id) == 4
    for attempts in by_id.values():
        assert [r.attempts for r in attempts] == [1, 2, 3, 4]
        assert [r.failure.kind if r.failure else "" for r in attempts] == ["http-500", "malformed", "http-429", ""]
        assert len({r.identity for r in attempts}) == 1
