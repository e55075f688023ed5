"""The conformance kit over HTTP; and servers that speak the OpenAI API with an accent: what they refuse and hide.

The dialects are as documented or reported (tests/loopback/dialects.py); the real services were not asked.
"""

import asyncio
import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from judges.openai.dots import Dots, ask, assert_true, echo, judge_at, records
from loopback import LoopbackServer, Reset, Say, Status, Streamed, after, by_attempt, dialects, out_of_order, refusing
from PIL import Image
from sweeping import swept

from counterbench.asking.asker import Limits
from counterbench.drawing.picture import Picture
from counterbench.runs.usage import usage_of
from counterbench.testing import check_judge, sample_queries

STREAM_ONLY = "This model only support stream mode, please enable the stream parameter to access the model. "
NON_STREAMING = "parameter.enable_thinking must be set to false for non-streaming calls"


@swept(
    ("api", "script"),
    [
        ("chat", out_of_order(0.03, Say(echo))),
        ("chat", Status(401)),
        ("chat", Reset()),
        ("chat", refusing("temperature", "seed", "max_tokens", otherwise=Say(echo))),
        ("responses", Say(echo)),
    ],
)
def test_openai_judges_conform(api: str, script: Any) -> None:
    with LoopbackServer(script) as server:
        check_judge(lambda: judge_at(server, f"api={api}"))


def test_a_server_that_is_not_there_is_a_failure_and_no_exception() -> None:
    check_judge(lambda: judge_at("http://127.0.0.1:9/v1"))


def test_cancelled_questions_and_closing_leave_the_judge_usable() -> None:
    with LoopbackServer(lambda request: replace(Say(echo), delay=5 if request.sequence <= 4 else 0)) as server:
        judge = judge_at(server)
        queries = sample_queries(4)

        async def work() -> list[str | None]:
            slow = [asyncio.create_task(judge.answer([query])) for query in queries[:4]]
            await asyncio.sleep(0.2)
            for task in slow:
                task.cancel()
            ends = await asyncio.gather(*slow, return_exceptions=True)
            assert {type(end) for end in ends} == {asyncio.CancelledError}
            texts = []
            for query in queries:
                texts += [reply.text for reply in await judge.answer([query])]
                await judge.close()
                await judge.close()
            return texts

        assert len({*asyncio.run(work())} - {None}) == len(queries)


def test_anthropics_refusal_of_temperature_is_learnt(out: Path) -> None:
    source = Dots(6)
    script = dialects.anthropic(Say(echo, logprobs=[{"yes": -0.1}]), refuses=("temperature",))
    with LoopbackServer(script) as server:
        assert ask(source, server, out, "logprobs=2").complete
    assert_true(source, out)
    assert usage_of(out).dropped == ["temperature"]
    assert {r.logprobs for r in records(out)} == {None}  # asked for, ignored, and not made up
    assert {r.tokens_reasoning for r in records(out)} == {None}


def test_a_picture_that_anthropic_finds_too_large_fails_alone(out: Path) -> None:
    source = Dots(4)
    file = io.BytesIO()
    Image.new("RGB", (8001, 1)).save(file, "PNG")
    original, _ = source._pictures["p2"]
    source._pictures["p2"] = (original, Picture(file.getvalue, "a long line"))
    with LoopbackServer(dialects.anthropic(Say(echo))) as server:
        progress = ask(source, server, out, limits=Limits(concurrency=1, backoff=0.01))
    assert (progress.done, list(progress.lasting)) == (7, ["p2/intervened"])
    assert "8000 pixels" in progress.lasting["p2/intervened"]


def test_geminis_list_of_unknown_names_is_learnt_at_once(out: Path) -> None:
    source = Dots(6)
    with LoopbackServer(dialects.gemini(Say(echo), unknown=("seed", "logprobs", "top_logprobs"))) as server:
        assert ask(source, server, out, "logprobs=2", Limits(concurrency=1)).complete
        assert len(server.questions) == 13  # one request taught it all
    assert_true(source, out)
    assert usage_of(out).dropped == ["logprobs", "seed", "top_logprobs"]


def test_geminis_reasoning_tokens_are_counted_and_priced(out: Path) -> None:
    with LoopbackServer(dialects.gemini(Say(echo, usage=(1000, 10)), thinks=490)) as server:
        ask(Dots(1), server, out, "price_in=1&price_out=10")
    for record in records(out):
        assert (record.tokens_in, record.tokens_out, record.tokens_reasoning) == (1000, 500, 490)
        assert record.cost == pytest.approx((1000 * 1 + 500 * 10) / 1e6)


def test_geminis_retry_delay_is_read_from_the_body(out: Path) -> None:
    busy = dialects.gemini_error(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota", retry=400.5)
    with LoopbackServer(after(4, busy, Say(echo))) as server:
        progress = ask(Dots(4), server, out, limits=Limits(concurrency=1, backoff=0.01))
    assert "a pause of 400 seconds" in progress.stopped


@pytest.mark.parametrize("api", ["chat", "responses"])
def test_hidden_reasoning_is_recorded_as_a_part_of_the_tokens_out(api: str, out: Path) -> None:
    with LoopbackServer(Say(echo, usage=(100, 900), reasoned=800)) as server:
        ask(Dots(2), server, out, f"api={api}&effort=low&price_in=1&price_out=2")
        effort = [e.asked.body.get("reasoning_effort") or e.asked.body["reasoning"]["effort"] for e in server.questions]
        assert effort == ["low"] * 4
    assert {(r.tokens_out, r.tokens_reasoning) for r in records(out)} == {(900, 800)}
    usage = usage_of(out)
    assert (usage.tokens_out, usage.tokens_reasoning) == (3600, 3200)
    assert usage.cost == pytest.approx(4 * (100 + 2 * 900) / 1e6)  # once, and not twice


@pytest.mark.parametrize("says", [STREAM_ONLY, NON_STREAMING, ""], ids=["refuses", "thinking", "streams unasked"])
@pytest.mark.parametrize("api", ["chat", "responses"])
def test_a_server_that_only_streams_is_asked_for_streams(api: str, says: str, out: Path) -> None:
    source = Dots(6)
    say = Say(echo, usage=(300, 7), finish="stop")
    with LoopbackServer(dialects.streams_only(say, says=says)) as server:
        assert ask(source, server, out, f"api={api}", Limits(concurrency=1)).complete
        assert len(server.questions) == 12 + bool(says)  # learnt once
    assert_true(source, out)
    assert {(r.finish, r.model, r.dropped) for r in records(out)} == {("stop", "m", ())}
    if says or api == "responses":
        assert {(r.tokens_in, r.tokens_out) for r in records(out)} == {(300, 7)}


def test_a_streams_logprobs_finish_and_refusal_are_read(out: Path) -> None:
    say = Say("yes", logprobs=[{"yes": -0.1, "no": -2.4}])
    for name, streamed in (("a", Streamed(say)), ("b", say)):
        with LoopbackServer(streamed) as server:
            ask(Dots(1, "yes-no", ("yes", "no")), server, out / name, "logprobs=2")
    assert records(out / "a")[0].logprobs == records(out / "b")[0].logprobs is not None
    for end, outcome in ((Say("It is", finish="length"), "unparsed"), (Say(refusal="No, I won't."), "refused")):
        with LoopbackServer(Streamed(end)) as server:
            ask(Dots(1), server, out / outcome)
        assert {r.outcome for r in records(out / outcome)} == {outcome}


@pytest.mark.parametrize("api", ["chat", "responses"])
def test_a_stream_that_breaks_off_is_no_reply(api: str, out: Path) -> None:
    """Half an answer may be another answer: "It is not | a circle"."""
    with LoopbackServer(by_attempt([Streamed(Say(echo), keep=2), Streamed(Say(echo))])) as server:
        assert ask(Dots(3), server, out, f"api={api}").complete
    assert_true(Dots(3), out)
    assert usage_of(out).failed_attempts == {"malformed": 6}
