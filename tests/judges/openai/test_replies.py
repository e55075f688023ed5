"""Bodies of any kind: a reply, or Malformed with evidence, and never anything else."""

from __future__ import annotations

import email.utils
import json
import time
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from counterbench.judges.base import Reply
from counterbench.judges.openai.failures import retry_after
from counterbench.judges.openai.options import OpenAIOptions
from counterbench.judges.openai.replies import Malformed, read_body
from counterbench.judges.openai.stream import whole

CHAT, PRICED = OpenAIOptions(logprobs=2), OpenAIOptions(price_in=1.0, price_out=2.0)
RESPONSES = OpenAIOptions(api="responses", logprobs=2)

# What stands in replies, so that arbitrary documents are often nearly right.
NAMES = st.sampled_from(
    ["choices", "message", "content", "refusal", "finish_reason", "logprobs", "top_logprobs", "token", "logprob",
     "usage", "prompt_tokens", "completion_tokens", "input_tokens", "output_tokens", "cost", "model", "id", "error",
     "code", "status", "output", "type", "text", "incomplete_details", "reason"]
)  # fmt: skip
WORDS = st.sampled_from(
    ["stop", "length", "content_filter", "refusal", "error", "completed", "incomplete", "message", "output_text",
     "text", "yes", ""]
)  # fmt: skip
# Numbers within floats; those beyond have a test of their own.
NUMBERS = st.integers(-(10**6), 10**6) | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
LEAVES = st.none() | st.booleans() | NUMBERS | st.text(max_size=8) | WORDS
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4), max_leaves=12
)


def some(values: st.SearchStrategy[Any], usual: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Mostly what is usual, sometimes anything."""
    return st.one_of(usual, usual, usual, values)


TEXT = some(VALUES, st.text(max_size=20))
LIKELY = st.fixed_dictionaries({"token": TEXT, "logprob": some(VALUES, st.floats(-50, 0))})
# Not numbers, which have a test of their own.
TOPS = st.lists(VALUES, max_size=2) | st.none() | st.dictionaries(NAMES, LEAVES, max_size=2) | st.text(max_size=3)
TOKEN = some(
    VALUES,
    st.tuples(LIKELY, some(TOPS, st.lists(LIKELY, max_size=2))).map(lambda both: both[0] | {"top_logprobs": both[1]}),
)
TOKENS = some(VALUES, st.lists(TOKEN, max_size=2))
USAGE = some(
    VALUES,
    st.dictionaries(
        st.sampled_from(
            ["prompt_tokens", "completion_tokens", "input_tokens", "output_tokens", "total_tokens", "cost"]
        ),
        some(VALUES, NUMBERS),
    ),
)
CHOICE = some(
    VALUES,
    st.fixed_dictionaries(
        {
            "message": some(VALUES, st.fixed_dictionaries({"content": TEXT}, optional={"refusal": TEXT})),
            "finish_reason": some(VALUES, WORDS),
        },
        optional={"logprobs": some(VALUES, st.fixed_dictionaries({"content": TOKENS}))},
    ),
)
COMPLETION = st.fixed_dictionaries(
    {"choices": some(VALUES, st.lists(CHOICE, max_size=2))},
    optional={"usage": USAGE, "model": TEXT, "id": TEXT, "error": some(st.none(), VALUES)},
)
PART = some(
    VALUES,
    st.fixed_dictionaries(
        {"type": some(VALUES, st.sampled_from(["output_text", "refusal"]))},
        optional={"text": TEXT, "refusal": TEXT, "logprobs": TOKENS},
    ),
)
ITEM = some(
    VALUES, st.fixed_dictionaries({"type": some(VALUES, st.just("message")), "content": st.lists(PART, max_size=2)})
)
RESPONSE = st.fixed_dictionaries(
    {"status": some(VALUES, WORDS), "output": some(VALUES, st.lists(ITEM, max_size=2))},
    optional={"usage": USAGE, "model": TEXT, "id": TEXT, "error": st.none(), "incomplete_details": VALUES},
)


def read(body: bytes, options: OpenAIOptions) -> Reply | None:
    """The reply, checked; None if the body is malformed, with evidence."""
    try:
        reply = read_body(whole(body), options)
    except Malformed as error:
        told = error.reply
        assert told.failure is not None
        assert told.retry is not None
        assert told.failure.kind == "malformed"
        assert 0 < len(told.failure.message) < 70_000  # of which the judge keeps less
        return None
    assert isinstance(reply.text, str)
    assert reply.failure is None
    for tokens in (reply.tokens_in, reply.tokens_out, reply.tokens_reasoning):
        assert tokens is None or (type(tokens) is int and tokens >= 0)
    assert reply.cost is None or (type(reply.cost) is float and reply.cost >= 0)
    msgspec.convert(msgspec.to_builtins(reply), Reply)
    return reply


def dumped(document: Any) -> bytes:
    return json.dumps(document).encode()


@pytest.mark.parametrize("options", [CHAT, PRICED, RESPONSES], ids=["chat", "priced", "responses"])
@given(body=st.binary(max_size=40) | (COMPLETION | RESPONSE | VALUES).map(dumped))
@settings(max_examples=100)
@example(body=b"")
@example(body=b"[" * 100_000)
@example(body=b'{"choices": ' + b"[" * 100_000)
@example(body=b'{"choices": [{"message": {"content": "\\ud800"}}]}')
@example(body=b'{"choices": [{"message": {"content": "a"}, "finish_reason": "stop"}], "usage": {"cost": NaN}}')
@example(
    body=b'{"choices": [{"message": {"content": "a"}}], "usage": {"prompt_tokens": 1.0, "completion_tokens": 1e3}}'
)
@example(body=b"\xef\xbb\xbf{}")
def test_a_body_is_a_reply_or_malformed(options: OpenAIOptions, body: bytes) -> None:
    read(body, options)


CHUNK = st.fixed_dictionaries(
    {},
    optional={
        "choices": some(
            VALUES,
            st.lists(
                st.fixed_dictionaries(
                    {"delta": some(VALUES, st.fixed_dictionaries({"content": TEXT})), "finish_reason": VALUES | WORDS},
                    optional={"logprobs": some(VALUES, st.fixed_dictionaries({"content": TOKENS}))},
                ),
                max_size=2,
            ),
        ),
        "usage": USAGE, "model": TEXT, "error": some(st.none(), VALUES), "type": TEXT | st.just("response.completed"),
        "response": RESPONSE,
    },
)  # fmt: skip
EVENT = st.one_of(
    some(VALUES, CHUNK).map(lambda data: b"data: " + dumped(data)), st.just(b"data: [DONE]"), st.binary(max_size=9)
)


@pytest.mark.parametrize("options", [CHAT, RESPONSES], ids=["chat", "responses"])
@given(events=st.lists(EVENT, max_size=5), end=st.sampled_from([b"\n\n", b"\r\n\r\n", b"\n"]))
@settings(max_examples=100)
@example(events=[b'data: {"choices": [{"delta": {"content": "\\ud800"}, "finish_reason": "stop"}]}'], end=b"\n\n")
@example(events=[b'data: {"model": "m", "usage": {"cost": 1' + b"0" * 400 + b"}}", b"data: [DONE]"], end=b"\n\n")
@example(events=[b"data: " + b"[" * 100_000], end=b"\n\n")
def test_a_stream_is_a_reply_or_malformed(options: OpenAIOptions, events: list[bytes], end: bytes) -> None:
    read(b"data: {}" + end + end.join(events) + end, options)


HUGE = "1" + "0" * 400
DIRE = {
    "top_logprobs a number": '"logprobs": {"content": [{"token": "a", "logprob": -1, "top_logprobs": 5}]}',
    "top_logprobs true": '"logprobs": {"content": [{"token": "a", "logprob": -1, "top_logprobs": true}]}',
    "a logprob beyond floats": f'"logprobs": {{"content": [{{"token": "a", "logprob": -{HUGE}}}]}}',
}


@pytest.mark.parametrize("what", DIRE)
def test_logprobs_that_are_none_cost_no_answer(what: str) -> None:
    body = '{"choices": [{"message": {"content": "yes"}, "finish_reason": "stop", ' + DIRE[what] + "}]}"
    reply = read(body.encode(), CHAT)
    assert reply is None or reply.text == "yes"


@pytest.mark.parametrize("usage", [f'{{"cost": {HUGE}}}', f'{{"prompt_tokens": {HUGE}, "completion_tokens": 1}}'])
def test_numbers_beyond_floats(usage: str) -> None:
    body = f'{{"choices": [{{"message": {{"content": "yes"}}}}], "usage": {usage}}}'
    options = PRICED if "tokens" in usage else CHAT
    read(body.encode(), options)


@given(text=st.text(), finish=st.sampled_from(["stop", "length", "content_filter", None, "x"]), parts=st.booleans())
def test_text_comes_as_it_was_said(text: str, finish: str | None, parts: bool) -> None:
    content = [{"type": "text", "text": text}] if parts else text
    body = {"choices": [{"message": {"role": "assistant", "content": content}, "finish_reason": finish}]}
    reply = read(json.dumps(body).encode(), CHAT)
    assert reply is not None
    assert (reply.text, reply.finish) == (text, finish or "")


def test_only_the_first_choice_is_read() -> None:
    choices = [{"message": {"content": text}, "finish_reason": "stop"} for text in ("first", "second")]
    reply = read(dumped({"choices": choices}), CHAT)
    assert reply is not None
    assert reply.text == "first"


def test_reasoning_beside_the_reply_is_no_part_of_it() -> None:
    message = {"content": "no", "reasoning_content": "yes yes", "reasoning": "yes"}
    assert read(dumped({"choices": [{"message": message}]}), CHAT).text == "no"  # type: ignore[union-attr]
    output = [
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "yes"}], "content": []},
        {"type": "message", "content": [{"type": "output_text", "text": "no"}]},
    ]
    assert read(dumped({"status": "completed", "output": output}), RESPONSES).text == "no"  # type: ignore[union-attr]


@pytest.mark.parametrize("status", ["failed", "in_progress", "queued", "cancelled", "", None, 3])
def test_a_response_that_is_not_over_is_malformed(status: object) -> None:
    output = [{"type": "message", "content": [{"type": "output_text", "text": "yes"}]}]
    assert read(dumped({"status": status, "output": output}), RESPONSES) is None


# ---- Retry-After


@given(
    value=st.text(max_size=30)
    | st.floats().map(str)
    | st.integers().map(str)
    | st.datetimes().map(lambda moment: email.utils.format_datetime(moment.replace(tzinfo=UTC)))
    | st.datetimes().map(lambda moment: email.utils.format_datetime(moment.replace(tzinfo=UTC), usegmt=True))
    | st.from_regex(r"[A-Z][a-z]{2}, \d{1,3} [A-Z][a-z]{2} \d{1,5} \d{2}:\d{2}:\d{2} ([+-]\d{4,6}|GMT|[A-Z]{1,4})"),
    name=st.sampled_from(["retry-after", "retry-after-ms"]),
)
@settings(max_examples=100)
@example(value="Wed, 21 Oct 99999 07:28:00 GMT", name="retry-after")
@example(value="Wed, 01 Jan 0001 00:00:00 +2359", name="retry-after")
@example(value="Fri, 31 Dec 9999 23:59:59 -2359", name="retry-after")
@example(value="١٢", name="retry-after")
def test_retry_after_is_a_number_of_seconds_or_nothing(value: str, name: str) -> None:
    seconds = retry_after({name: value})
    assert seconds is None or (isinstance(seconds, float) and 0 <= seconds < 1e12)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "0.25"}, 0.25),
        ({"retry-after": " 7 "}, 7.0),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after-ms": "1500"}, 1.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9.0),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "tomorrow"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
    ],
)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


@pytest.mark.parametrize("gmt", [True, False])
def test_a_date_is_that_far_away(gmt: bool) -> None:
    date = datetime.fromtimestamp(time.time() + 100, UTC)
    seconds = retry_after({"retry-after": email.utils.format_datetime(date, usegmt=gmt)})
    assert seconds == pytest.approx(100, abs=2)
