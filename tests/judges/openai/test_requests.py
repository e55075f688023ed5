"""What is sent, byte by byte, as the server saw it; and what of the reply is kept."""

import base64
import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from asked import probe
from judges.compared import replies_to
from judges.openai.dots import Dots, ask, assert_asked_at_most, echo, judge_at, records
from loopback import LoopbackServer, Raw, Say, by_attempt
from sweeping import swept

import counterbench as cb
from counterbench.answers import answer_type
from counterbench.answers.outcomes import Failed, is_error_text
from counterbench.answers.parsing import ANSWER_TYPES
from counterbench.answers.soft import Token
from counterbench.asking.asker import Limits
from counterbench.cli.tables import snapshot_lines
from counterbench.errors import InputError, JudgeError
from counterbench.judges.openai.replies import read_body
from counterbench.judges.openai.server_judge import OpenAIJudge, request_body
from counterbench.judges.openai.server_options import OpenAIOptions, server_options
from counterbench.judges.specs import split_spec
from counterbench.runs.pair_queries import queries
from counterbench.runs.queries import Query

APIS = ("chat", "responses")
YES = Say("yes")
DOTS, ONE = Dots(2), Dots(1, "yes-no", ("yes", "no"))


def query(answer: str = "yes-no", **changed: Any) -> Query:
    (first, *_) = queries(ONE)
    return msgspec.structs.replace(first, answer_type=answer, **changed)


def body_of(options: str = "", question: Query | None = None) -> dict[str, Any]:
    """The body as it is built; below, one test sees that it is what is sent."""
    return request_body(question or query(), "m", server_options(OpenAIOptions, split_spec(f"m?{options}")[1], "here"))


@swept("kind", ["verdict", "grade", "score", "finding"])
@swept("api", APIS)
def test_a_judge_asked_to_reason_first_is_not_sent_a_json_schema(kind: str, api: str) -> None:
    fields = {"response_format", "text"}
    assert fields & body_of(f"api={api}", query(kind)).keys()
    assert not fields & body_of(f"api={api}", query(kind, answer_line=True)).keys()


@pytest.mark.parametrize("api", APIS)
def test_the_built_body_is_the_one_sent(api: str) -> None:
    options, question = f"api={api}&logprobs=2&effort=low", query("verdict", system="Be brief.")
    with LoopbackServer(YES) as server:
        (reply,) = replies_to(judge_at(server, options), [question])
        (entry,) = server.questions
        (headers,) = server.headers_seen
    assert reply.failure is None
    assert entry.asked.body == body_of(options, question)
    assert entry.asked.path == ("/v1/chat/completions" if api == "chat" else "/v1/responses")
    assert headers["content-type"] == headers["accept"] == "application/json"


def test_both_apis_have_their_own_request_bodies() -> None:
    question = query(system="Be brief.")
    uri = "data:image/png;base64," + base64.b64encode(question.pictures[0].png).decode()
    chat = [{"type": "image_url", "image_url": {"url": uri}}, {"type": "text", "text": "Dot 0: how many?"}]
    assert body_of("", question) == {
        "model": "m",
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": chat}],
        "temperature": 0,
        "seed": 0,
        "max_tokens": 4096,
    }
    picture = {"type": "input_image", "image_url": uri, "detail": "auto"}
    assert body_of("api=responses", question) == {
        "model": "m",
        "instructions": "Be brief.",
        "input": [{"role": "user", "content": [picture, {"type": "input_text", "text": "Dot 0: how many?"}]}],
        "temperature": 0,
        "max_output_tokens": 4096,
        "store": False,
    }


@swept("api", APIS)
@swept("count", [0, 1, 3])
def test_any_number_of_pictures_is_sent_in_order(api: str, count: int) -> None:
    pictures = [p for pair in DOTS for p in DOTS.pictures(pair)][:count]
    body = body_of(f"api={api}", query(pictures=tuple(pictures)))
    content = body["messages" if api == "chat" else "input"][-1]["content"]
    urls = [p["image_url"]["url"] if api == "chat" else p["image_url"] for p in content[:-1]]
    assert [base64.b64decode(url.partition(",")[2]) for url in urls] == [p.png for p in pictures]


def test_options_reach_the_request_body() -> None:
    chat = body_of("temperature=0.5&seed=7&max_tokens=12&effort=low&detail=high&logprobs=4")
    assert (chat["temperature"], chat["seed"], chat["max_tokens"]) == (0.5, 7, 12)
    assert (chat["reasoning_effort"], chat["logprobs"], chat["top_logprobs"]) == ("low", True, 4)
    assert chat["messages"][0]["content"][0]["image_url"]["detail"] == "high"
    other = body_of("api=responses&temperature=0.5&max_tokens=12&effort=low&detail=low&logprobs=4")
    assert (other["temperature"], other["max_output_tokens"], other["reasoning"]) == (0.5, 12, {"effort": "low"})
    assert (other["include"], other["top_logprobs"]) == (["message.output_text.logprobs"], 4)
    assert other["input"][0]["content"][0]["detail"] == "low"


def test_the_seed_moves_with_the_repeat(out: Path) -> None:
    with LoopbackServer(Say(echo)) as server:
        assert ask(Dots(2), server, out, "seed=40", repeats=3).complete
        seeds: dict[str, list[int]] = {}
        for entry in server.questions:
            seeds.setdefault(entry.asked.key, []).append(entry.asked.body["seed"])
    assert len(seeds) == 4
    assert [got for got in seeds.values() if sorted(got) != [40, 41, 42]] == []


@swept("name", [*sorted(ANSWER_TYPES), "rating:-2-2.5", "ratings:1-5"])
def test_schemas_are_sent_only_for_types_that_have_one(name: str) -> None:
    schema = answer_type(name).schema
    chat, other = body_of("", query(name)), body_of("api=responses", query(name))
    if schema is None:
        assert "response_format" not in chat
        assert "text" not in other
        return
    assert chat["response_format"]["type"] == "json_schema"
    sent = chat["response_format"]["json_schema"]
    assert (sent["schema"], sent["strict"]) == (schema, True)
    assert set(sent["name"]) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
    assert other["text"] == {"format": {"type": "json_schema", **sent}}
    off = body_of("structured=false", query(name))
    assert "response_format" not in off


LOGPROBS = [{"Yes": -0.1, "No": -2.5, " maybe": -9.0}, {".": -0.5}]
TOKENS = (Token("Yes", -0.1, (("Yes", -0.1), ("No", -2.5), (" maybe", -9.0))), Token(".", -0.5, ((".", -0.5),)))


@pytest.mark.parametrize("api", APIS)
def test_logprobs_are_read_into_the_records(api: str, out: Path) -> None:
    source = Dots(2, "yes-no", ("yes", "no"))
    with LoopbackServer(Say("Yes.", logprobs=LOGPROBS)) as server:
        assert ask(source, server, out, f"api={api}&logprobs=3").complete
        assert ask(source, server, out.with_name("without"), f"api={api}").complete
    assert {r.logprobs for r in records(out)} == {TOKENS}
    assert {r.logprobs for r in records(out.with_name("without"))} == {None}


@pytest.mark.parametrize(
    ("say", "kept"),
    [
        (Say("yes", finish="length"), ("length", "unparsed", "yes")),
        (Say("yes", finish="content_filter"), ("content_filter", "refused", "yes")),
        (Say("yes", finish="stop"), ("stop", "answer", "yes")),
        (Say(refusal="I can't."), ("refusal", "refused", "I can't.")),
    ],
)
def test_a_response_records_why_it_ended(say: Say, kept: tuple[str, str, str], out: Path) -> None:
    with LoopbackServer(say) as server:
        ask(ONE, server, out, "api=responses")
    assert {(r.finish, r.outcome, r.reply) for r in records(out)} == {kept}


REASONED = {"completion_tokens": 200, "completion_tokens_details": {"reasoning_tokens": 200}}
TOOL = {"id": "c", "type": "function", "function": {"name": "look", "arguments": "{}"}}
EMPTY = "the answer is empty, "
THINKING = "reasoning: raise max_tokens or turn thinking off"


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ({"content": None}, f"{EMPTY}the reply has only 200 tokens of {THINKING}"),
        ({"content": " "}, f"{EMPTY}the reply has only 200 tokens of {THINKING}"),
        ({"content": "", "tool_calls": [TOOL]}, f"{EMPTY}the reply is a tool call: ask without tools"),
    ],
)
def test_an_empty_answer_is_asked_twice_and_three_end_the_run(message: dict[str, Any], why: str, out: Path) -> None:
    document = {"choices": [{"message": message, "finish_reason": "stop"}], "usage": REASONED}
    with LoopbackServer(Raw(json.dumps(document))) as server:
        with pytest.raises(JudgeError, match=re.escape(why)):
            ask(ONE, server, out)
        assert len(server.questions) == 4  # of one pair, each twice
        with pytest.raises(JudgeError, match=re.escape(why)):
            ask(Dots(30), server, out.with_name("many"), limits=Limits(backoff=0.01, concurrency=2))
        assert len(server.questions) <= 4 + 8
    for record in records(out):
        assert record.failure == Failed("empty", why)
        assert (record.outcome, record.tokens_reasoning) == ("failed", 200)


def test_empty_answers_without_reasoning_or_by_a_filter_are_kept_empty() -> None:
    for message, finish in (({"content": ""}, "stop"), ({"content": None}, "content_filter")):
        document = {"choices": [{"message": message, "finish_reason": finish}], "usage": {"completion_tokens": 1}}
        assert read_body(json.dumps(document).encode(), OpenAIOptions()).text == ""
    item = {"type": "reasoning", "summary": []}
    document = {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}, "output": [item]}
    reply = read_body(json.dumps(document).encode(), OpenAIOptions(api="responses"))
    assert reply.failure == Failed("empty", f"{EMPTY}the reply has only {THINKING}")


@pytest.mark.parametrize(
    "text",
    ["ERROR: 429", "Error code: 500 - {'error': 'down'}", "502 Bad Gateway", '{"error": {"message": "overloaded"}}',
     "<html><body>Bad gateway</body></html>", "Internal Server Error", "upstream connect error or disconnect"],
)  # fmt: skip
def test_an_error_text_as_answer_is_a_failure(text: str, out: Path) -> None:
    with LoopbackServer(by_attempt([Say(text), Say("yes")])) as server:
        assert ask(ONE, server, out).complete
        assert_asked_at_most(server, 2)
    failed = [record for record in records(out) if not record.final]
    assert {record.failure for record in failed} == {Failed("error-text", text)}


def test_score_names_the_snapshot_that_answered(out: Path) -> None:
    for model, lines in (("m-2026-11", ["m: answered by m-2026-11"]), ("m", [])):
        with LoopbackServer(Say("yes", model=model)) as server:
            ask(ONE, server, out.with_name(model))
        assert snapshot_lines("m", cb.score(out.with_name(model))) == lines


@pytest.mark.parametrize("text", ["No error: yes", "500", "404", '{"error": "none", "answer": "yes"}'])
def test_an_answer_about_errors_is_no_error_text(text: str) -> None:
    assert not is_error_text(text)


def test_extra_body_fields_and_headers_are_sent(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "sk-1234567890")
    monkeypatch.setenv("MY_TENANT", "tenant-1234567890")
    options = {
        "key_env": "MY_KEY",
        "temperature": 0.25,
        "body": {"provider": {"order": ["together"], "allow_fallbacks": False}, "top_p": 0.5, "seed": 11},
        "headers": {"HTTP-Referer": "https://example.org", "X-Title": "counterbench"},
        "headers_env": {"X-Tenant": "MY_TENANT"},
    }
    with LoopbackServer(YES) as server:
        judge = OpenAIJudge("org/m-1", options | {"base_url": server.url})
        assert probe(ONE, judge, out, limits=Limits()).complete
        for entry in server.questions:
            body, headers = entry.asked.body, entry.asked.headers
            assert body["model"] == "org/m-1"
            assert body["provider"] == {"order": ["together"], "allow_fallbacks": False}
            assert (body["top_p"], body["seed"], body["temperature"]) == (0.5, 11, 0.25)  # the user's own comes last
            assert (headers["http-referer"], headers["x-title"]) == ("https://example.org", "counterbench")
            assert headers["x-tenant"] == "tenant-1234567890"
            assert headers["authorization"] == "Bearer sk-1234567890"
    assert "together" in judge.name  # what is asked of whom
    assert "1234567890" not in judge.name


@swept("name", ["model", "messages", "input", "instructions", "stream", "n"])
def test_a_body_may_not_set_what_the_judge_sets(name: str) -> None:
    with pytest.raises(InputError, match=f"body may not set '{name}'"):
        server_options(OpenAIOptions, {"body": {name: 1}}, "here")
