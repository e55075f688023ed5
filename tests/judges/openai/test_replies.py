"""Bodies of any kind and size: a reply, or Malformed with evidence, and never anything else."""

import asyncio
import email.utils
import time
import zlib
from datetime import UTC, datetime
from pathlib import Path

import pytest
from judges.openai.dots import Dots, ask, records
from loopback import Draw, LoopbackServer, Raw, Say, Verbatim
from memory import peak_of
from sweeping import swept

from counterbench.asking.asker import Limits
from counterbench.errors import JudgeError
from counterbench.judges.openai.failures import retry_after
from counterbench.judges.openai.replies import MAX_BYTES, Malformed, read_body
from counterbench.judges.openai.server_options import OpenAIOptions
from counterbench.pictures.generators.base import DrawingRequest
from counterbench.pictures.generators.openai_images import OpenAIImages

CHAT = OpenAIOptions(logprobs=2)
SAID = b'"choices": [{"message": {"content": "a"}, "finish_reason": "stop"}]'
MALFORMED = [
    b"null",
    b"[" * 100_000,
    b'{"choices": ' + b"[" * 100_000,
    b"data: " + b"[" * 100_000 + b"\n\n",
    b'data: {"error": {"message": "no"}}\n\n',
]


@swept("options", [CHAT, OpenAIOptions(api="responses")])
@swept("body", MALFORMED)
def test_a_body_that_is_no_reply_is_malformed(body: bytes, options: OpenAIOptions) -> None:
    with pytest.raises(Malformed) as raised:
        read_body(body, options)
    assert 0 < len(raised.value.reply.failure.message) < 70_000  # of which the judge keeps less


@swept(
    "body",
    [
        b'{"model": "\\ud800", ' + SAID + b"}",
        b"{" + SAID + b', "usage": {"cost": -1, "prompt_tokens": 1' + b"0" * 400 + b"}}",
        b'data: {"choices": [{"delta": {"content": "a"}, "finish_reason": "stop"}]}\r\n\r\ndata: [DONE]\r\n\r\n',
        b': hello\n\ndata: {"choices": [{"delta": {"content": "a"}}]}\n\ndata: 7\n\ndata: [DONE]\n',
    ],
)
def test_a_paid_reply_with_odd_bytes_is_read(body: bytes) -> None:
    reply = read_body(body, CHAT)
    assert (reply.text, reply.tokens_in, reply.tokens_out, reply.cost) == ("a", None, None, None)


@swept(
    "likelihoods",
    [
        '[{"token": "a", "logprob": -1, "top_logprobs": 5}]',
        '[{"token": "a", "logprob": -1, "top_logprobs": true}]',
        '[{"token": "a", "logprob": -1' + "0" * 400 + "}]",
    ],
)
def test_malformed_logprobs_lose_no_answer(likelihoods: str) -> None:
    choice = '{"message": {"content": "yes"}, "finish_reason": "stop", "logprobs": {"content": ' + likelihoods + "}}"
    assert read_body(f'{{"choices": [{choice}]}}'.encode(), CHAT).text == "yes"


@swept(
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
        ({"retry-after": "Wed, 21 Oct 99999 07:28:00 GMT"}, None),
        ({"retry-after": "Wed, 01 Jan 0001 00:00:00 +2359"}, 0.0),
    ],
)
def test_retry_after_is_read_from_each_kind_of_header(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


def test_a_retry_after_date_is_turned_into_seconds() -> None:
    date = email.utils.format_datetime(datetime.fromtimestamp(time.time() + 100, UTC), usegmt=True)
    assert retry_after({"retry-after": date}) == pytest.approx(100, abs=2)


LARGE = Raw(b'{"choices": [{"message": {"content": "' + b" " * MAX_BYTES + b'yes"}}]}')


def assert_too_large(out: Path) -> None:
    failures = [record.failure for record in records(out) if record.failure]
    assert [failure.kind for failure in failures] == ["too-large"] * 2
    assert [failure for failure in failures if f"more than {MAX_BYTES} bytes" not in failure.message] == []


def test_a_reply_that_is_too_large_is_a_failure_of_that_kind(out: Path) -> None:
    with LoopbackServer(LARGE) as server:
        assert ask(Dots(1), server, out).failed == 2
        assert len(server.questions) == 2, "nothing is asked again at once"
        assert_too_large(out)
        server.script = lambda request: Say("2")
        assert ask(Dots(1), server, out).complete


_PROGRAM = """
import sys
from pathlib import Path
from judges.openai.dots import Dots, ask
from counterbench.asking.asker import Limits

ask(Dots(1), sys.argv[1], Path(sys.argv[2]), limits=Limits(retries=0))
"""


def packed(status: int, body: bytes, times: int = 1, as_: str = "gzip") -> Verbatim:
    """A reply whose body is packed, so many times in a row."""
    packer = zlib.compressobj(9, wbits=31 if as_ == "gzip" else 15)
    data = b"".join([packer.compress(body) for _ in range(times)]) + packer.flush()
    head = f"HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-encoding: {as_}\r\n\r\n"
    return Verbatim(head.encode() + data)


@pytest.mark.slow
@pytest.mark.parametrize("status", [200, 500])
def test_a_compressed_reply_is_unpacked_up_to_the_limit(out: Path, status: int) -> None:
    with LoopbackServer(packed(status, bytes(1_000_000), 400)) as server:
        peak, _ = peak_of(_PROGRAM, server.url, out)
        assert peak < 300
        assert {entry.asked.headers["accept-encoding"] for entry in server.questions} == {"identity"}
    assert_too_large(out)


@pytest.mark.parametrize("as_", ["gzip", "deflate", "br"])
def test_a_small_compressed_reply_of_a_known_encoding_is_read(out: Path, as_: str) -> None:
    body = b'{"choices": [{"message": {"content": "2"}, "finish_reason": "stop"}]}'
    with LoopbackServer(packed(200, body, as_=as_)) as server:
        assert ask(Dots(1), server, out, limits=Limits(retries=0)).complete == (as_ != "br")
    failures = {record.failure.kind: record.failure.message for record in records(out) if record.failure}
    assert failures.keys() == ({"connection"} if as_ == "br" else set())
    assert [m for m in failures.values() if "it is compressed as 'br', though asked for uncompressed" not in m] == []


def test_an_error_that_is_nested_deeply_keeps_its_status(out: Path) -> None:
    with LoopbackServer(Raw(b"[" * 100_000, "application/json", 400)) as server, pytest.raises(JudgeError, match="400"):
        ask(Dots(3), server, out, limits=Limits(retries=0, concurrency=1))
    assert {r.failure.kind for r in records(out) if r.failure is not None} == {"http-400"}


@pytest.mark.slow
def test_a_reply_with_a_picture_has_a_larger_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    async def draw(url: str) -> list[str]:
        generator = OpenAIImages("m", {"base_url": url})
        request = DrawingRequest(id="g/l/0", group="g", level="l", sample=0, text="a", seed=1)
        found = [drawing.failure.kind if drawing.failure else "" for drawing in await generator.draw([request])]
        await generator.close()
        return found

    with LoopbackServer(Draw(picture=b"\x89PNG" + bytes(MAX_BYTES))) as server:
        assert asyncio.run(draw(server.url)) == [""]
        monkeypatch.setattr("counterbench.pictures.generators.openai_images._MAX_REPLY_BYTES", 10_000)
        assert asyncio.run(draw(server.url)) == ["too-large"]
