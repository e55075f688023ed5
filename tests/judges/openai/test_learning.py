"""Parameters that a server refuses are learnt from its error once, left out from then on, and named in every record."""

from pathlib import Path

import pytest
from asked import probe
from judges.openai.dots import Dots, ask, assert_asked_at_most, assert_true, dot_number, echo, records
from loopback import Asked, LoopbackServer, Respond, Say, Status, after, error, refuse, refusing, where

from counterbench.asking.asker import Limits
from counterbench.asking.limits import Pace
from counterbench.errors import JudgeError
from counterbench.judges.openai.failures import OPTIONAL
from counterbench.judges.openai.server_judge import OpenAIJudge
from counterbench.runs.usage import usage_of

GOOD = Say(echo, delay=0.01)
AT_ONCE = 8


def pydantic(parameter: str) -> Status:
    """FastAPI with forbidden extras."""
    entry = {"type": "extra_forbidden", "loc": ["body", parameter], "msg": "Extra inputs are not permitted", "input": 0}
    return Status(422, {"detail": [entry]})


def vllm(parameter: str) -> Status:
    text = f"[{{'type': 'extra_forbidden', 'loc': ('body', '{parameter}'), 'msg': 'Extra inputs are not permitted'}}]"
    return Status(400, {"object": "error", "message": text, "type": "BadRequestError", "param": None, "code": 400})


SAYINGS = {
    "with param": refuse,
    "with param, unsupported": lambda name: refuse(name, "unsupported_parameter"),
    "with a path as param": lambda name: Status(400, error("Not here.", "invalid_request_error", f"{name}.type")),
    "pydantic": pydantic,
    "vllm": vllm,
    "message only": lambda name: Status(400, error(f"`{name}` is not supported.", "invalid_request_error")),
    "plain text": lambda name: Status(400, f"unknown field: {name}"),
}
# Options with which a parameter is sent; what else goes with it.
PARAMETERS = {
    "temperature": ("", ()),
    "seed": ("", ()),
    "logprobs": ("logprobs=3", ("top_logprobs",)),
    "top_logprobs": ("logprobs=3", ("logprobs",)),
    "response_format": ("", ()),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "how"),
    [("temperature", how) for how in SAYINGS] + [(name, "with param") for name in PARAMETERS if name != "temperature"],
)
def test_a_refused_parameter_is_left_out_remembered_and_recorded(name: str, how: str, out: Path) -> None:
    options, together = PARAMETERS[name]
    source = Dots(12, *(("score", ("1", "0")) if name == "response_format" else ()))
    with LoopbackServer(refusing(name, saying=SAYINGS[how], otherwise=GOOD)) as server:
        progress = ask(source, server, out, options, Limits(backoff=0.01, concurrency=AT_ONCE))
        assert progress.complete
        entries = server.questions
        carrying = [e.asked.sequence for e in entries if name in e.asked.body]
        assert 1 <= len(carrying) <= AT_ONCE  # the first wave at most
        assert max(carrying) <= 2 * AT_ONCE
        assert_asked_at_most(server, 2)
        others = {"temperature", "seed", "max_tokens"} - {name}
        assert [e for e in entries if not others <= e.asked.body.keys()] == [], "more was left out than was refused"
        assert [e for e in entries if e.answered and set(together) & e.asked.body.keys()] == []
    gone = tuple(sorted({name, *together}))
    assert {r.dropped for r in records(out)} == {gone}
    assert usage_of(out).dropped == list(gone)
    assert {r.attempts for r in records(out)} == {1}
    if name != "response_format":
        assert_true(source, out)


@pytest.mark.parametrize("how", ["with param, unsupported", "message only"])
def test_max_tokens_becomes_max_completion_tokens(how: str, out: Path) -> None:
    source = Dots(10)
    with LoopbackServer(refusing("max_tokens", saying=SAYINGS[how], otherwise=GOOD)) as server:
        assert ask(source, server, out, "max_tokens=77", Limits(concurrency=4)).complete
        answered = [e.asked.body for e in server.questions if e.answered]
        assert {body["max_completion_tokens"] for body in answered} == {77}
        assert [body for body in answered if "max_tokens" in body] == []
        assert sum("max_tokens" in e.asked.body for e in server.questions) <= 4
    assert {r.dropped for r in records(out)} == {()}  # it is said, under its other name
    assert_true(source, out)


def test_the_users_own_max_completion_tokens_stays(out: Path) -> None:
    """As OpenAI does it: both in one request are refused, because of max_tokens."""
    with LoopbackServer(refusing("max_tokens", otherwise=GOOD)) as server:
        judge = OpenAIJudge("m", {"base_url": server.url, "body": {"max_completion_tokens": 9}})
        probe(Dots(2), judge, out)
        assert {e.asked.body["max_completion_tokens"] for e in server.questions if e.answered} == {9}


@pytest.mark.parametrize("how", ["with param", "vllm"])
def test_parameters_refused_one_by_one_are_all_left_out(how: str, out: Path) -> None:
    """As a strict server does: what is left is the model and the question, and the answers are right."""
    names = ("temperature", "seed", "max_tokens", "max_completion_tokens", *PARAMETERS)
    source = Dots(10, "integer")
    with LoopbackServer(refusing(*names, saying=SAYINGS[how], otherwise=GOOD)) as server:
        assert ask(source, server, out, "logprobs=2", Limits(concurrency=4)).complete
        assert {frozenset(e.asked.body) for e in server.questions if e.answered} == {frozenset({"model", "messages"})}
        assert_asked_at_most(server, 1 + len(set(names)))
        assert len(server.questions) <= 20 + 4 * len(set(names))
    assert {r.dropped for r in records(out)} == {("logprobs", "max_tokens", "seed", "temperature", "top_logprobs")}
    assert_true(source, out)


PAGE = "<html>Request blocked</html>"


@pytest.mark.slow
@pytest.mark.parametrize("status", [Status(n) for n in (400, 413, 415, 422, 451)] + [Status(403, PAGE)], ids=repr)
@pytest.mark.parametrize("bad", [0, 5])
def test_a_status_about_one_question_fails_only_that_question(status: Status, bad: int, out: Path) -> None:
    source = Dots(5)
    with LoopbackServer(where(lambda request: dot_number(request) == bad // 2, status, Say(echo))) as server:
        for calls in (10, 2):  # a resumed run meets nothing else
            before = len(server.questions)
            progress = ask(source, server, out, limits=Limits(concurrency=1))
            assert (progress.stopped, progress.done, progress.failed) == ("", 8, 2)
            assert len(server.questions) == before + calls
        server.script = lambda request: Say(echo)
        assert ask(source, server, out).complete
    assert_true(source, out)


@pytest.mark.parametrize("status", [401, 402, 403, 404, 405, 301])
def test_a_status_about_all_questions_stops_the_run_at_any_time(status: int, out: Path) -> None:
    with LoopbackServer(after(4, Status(status), Say(echo))) as server:
        with pytest.raises(JudgeError, match=f"answered {status}"):
            ask(Dots(20), server, out, limits=Limits(concurrency=1))
        assert len(server.questions) == 5


def test_status_400_stops_the_run_once_every_parameter_was_left_out(out: Path) -> None:
    """It blames each parameter in turn, and when nothing is left, it blames them still."""
    every = " ".join(sorted(OPTIONAL))
    with LoopbackServer(Status(400, error(f"wrong: {every}", "invalid_request_error"))) as server:
        with pytest.raises(JudgeError, match="400"):
            ask(Dots(20), server, out, limits=Limits(concurrency=4))
        assert len(server.questions) <= 4 * 3 + 4
        assert server.questions[-1].asked.body.keys() == {"model", "messages"}


def test_a_refused_value_that_the_user_set_is_an_error(out: Path) -> None:
    """effort is no parameter that a question can do without: the user asked for it."""
    script = refusing("reasoning_effort", otherwise=GOOD)
    with LoopbackServer(script) as server, pytest.raises(JudgeError, match="reasoning"):
        ask(Dots(4), server, out, "effort=high", Limits(concurrency=1))


def test_learning_spends_no_retries_and_no_time(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waits = []

    async def sleep(self: Pace, seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr(Pace, "sleep", sleep)
    with LoopbackServer(refusing("temperature", "seed", "max_tokens", otherwise=Say(echo))) as server:
        progress = ask(Dots(2), server, out, limits=Limits(backoff=5, retries=0))
    assert (progress.complete, progress.retried) == (True, 0)
    assert [wait for wait in waits if wait] == []


def test_max_calls_does_not_count_refusals_of_a_parameter(out: Path) -> None:
    with LoopbackServer(refusing("temperature", "seed", otherwise=Say(echo))) as server:
        progress = ask(Dots(20), server, out, limits=Limits(max_calls=6, concurrency=4))
        assert progress.calls == progress.done == 6
        assert sum(entry.answered for entry in server.questions) == 6
        assert len(server.questions) <= 6 + 2 * 4  # each of the first wave learns it for itself


def test_a_422_that_echoes_the_whole_request_ends_after_few_calls(out: Path) -> None:
    """FastAPI repeats the input of what is missing: every name is in the message, none is the cause."""

    def script(request: Asked) -> Respond:
        missing = {"type": "missing", "loc": ["body", "tenant"], "msg": "Field required", "input": request.body}
        return Status(422, {"detail": [missing]})

    with LoopbackServer(script) as server:
        with pytest.raises(JudgeError, match="422"):
            ask(Dots(4), server, out, limits=Limits(concurrency=1))
        assert len(server.questions) <= 3 + 2
