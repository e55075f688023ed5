"""`inspect:` judges, through two providers' real SDKs: every question is asked once, whatever the server answers."""

import asyncio
import os
import signal
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from commands import document, done, fails
from consumers.served import serve_judge
from judges.openai.dots import Dots, assert_true, echo, expected, finals, key_of, keys_by_id, records
from loopback import Asked, LoopbackServer, Respond, Say, Script, Status, by_attempt, error, refusing
from processes import command_started

from counterbench.asking.asker import Limits
from counterbench.asking.asking import Asking
from counterbench.errors import InputError
from counterbench.judges import open_judge
from counterbench.judges.base import Reply, Retry
from counterbench.judges.inspect.judge import InspectJudge
from counterbench.runs.pair_queries import PairQuestions, queries
from counterbench.runs.queries import Query, load_template

KEY = "sk-nobody-0123456789"
# The providers, in whose shapes the server answers: by OpenAI's API at an address in a variable, by Anthropic's.
PROVIDERS = {"openai": "openai-api/loop/some-vlm", "anthropic": "anthropic/claude-sonnet-4-6"}


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LOOP_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, KEY)
    for name in ("LOOP_BASE_URL", "ANTHROPIC_BASE_URL", "GOOGLE_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(params=list(PROVIDERS))
def provider(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def address(server: LoopbackServer | str, provider: str) -> str:
    url = server if isinstance(server, str) else server.url
    return url if provider == "openai" else url.removesuffix("/v1")


def judge_at(server: LoopbackServer | str, provider: str, options: str = "") -> InspectJudge:
    judge = open_judge(f"inspect:{PROVIDERS[provider]}?{options}", base_url=address(server, provider))
    assert isinstance(judge, InspectJudge)
    return judge


def question(template: str = "default") -> Query:
    return load_template(template).dress(next(queries(Dots(1))))


def replies(judge: InspectJudge, *queries: Query) -> list[Reply]:
    async def all_of_them() -> list[Reply]:
        try:
            return [(await judge.answer([query]))[0] for query in queries]
        finally:
            await judge.close()

    return asyncio.run(all_of_them())


def reply_to(script: Respond | Script, provider: str, options: str = "timeout=20") -> tuple[Reply, LoopbackServer]:
    with LoopbackServer(script) as server:
        (reply,) = replies(judge_at(server, provider, options), question())
    return reply, server


def test_a_question_is_sent_as_it_is_and_its_reply_comes_back_whole(provider: str) -> None:
    query = question("answer-line")
    with LoopbackServer(Say(echo, model="served-2027", usage=(600, 3))) as server:
        judge = judge_at(server, provider, "price_in=1&price_out=10&max_tokens=77")
        (reply,) = replies(judge, query)
    (entry,) = server.questions
    assert entry.asked.key == key_of(query)  # the same texts and pictures as an `openai:` judge sends
    assert entry.asked.body["max_tokens"] == 77
    assert (reply.text, reply.finish, reply.model) == (expected(key_of(query)), "stop", "served-2027")
    assert (reply.tokens_in, reply.tokens_out) == (600, 3)
    assert reply.cost == pytest.approx((600 * 1 + 3 * 10) / 1e6)


def test_tokens_of_reasoning_come_through() -> None:
    reply, _ = reply_to(Say(echo, usage=(600, 50), reasoned=40), "openai")
    assert (reply.tokens_out, reply.tokens_reasoning) == (50, 40)


FAULTS: dict[str, tuple[Respond | Script, str, Retry | None, str]] = {
    "429": (Status(429, headers={"retry-after": "7"}), "http-429", Retry(after=7.0, overload=True), ""),
    "500": (Status(500), "http-500", Retry(), ""),
    "529": (Status(529), "http-529", Retry(overload=True), ""),
    "401": (Status(401), "http-401", None, "check the key: the key in "),
    "403": (Status(403), "http-403", None, "check whether this account may use the model"),
    "404": (Status(404), "http-404", None, "check the model's name"),
    "timeout": (Say(echo, delay=20), "timeout", Retry(overload=True), ""),
}


@pytest.mark.parametrize("fault", list(FAULTS))
def test_a_failure_costs_one_request_and_says_what_may_help(provider: str, fault: str) -> None:
    respond, kind, retry, stop = FAULTS[fault]
    reply, server = reply_to(respond, provider, "timeout=0.3" if fault == "timeout" else "timeout=20")
    assert len(server.log) == 1
    assert reply.failure is not None
    assert (reply.failure.kind, reply.retry, bool(reply.stop), reply.only_this) == (kind, retry, bool(stop), False)
    assert stop in reply.stop


@pytest.mark.parametrize("message", ["the picture cannot be read", "prompt is too long: 300000 tokens"])
def test_a_refused_request_is_a_failure_of_this_question_only(provider: str, message: str) -> None:
    code = "context_length_exceeded" if "long" in message else None
    reply, server = reply_to(Status(400, error(message, "invalid_request_error", code=code)), provider)
    assert len(server.log) == 1
    assert reply.failure is not None
    assert message in reply.failure.message
    assert (reply.retry, bool(reply.stop), reply.only_this) == (None, True, True)


def test_a_decline_is_no_failure(provider: str) -> None:
    reply, _ = reply_to(Say(refusal="I will not."), provider)
    assert (reply.text, reply.failure) == ("I will not.", None)
    assert reply.finish in ("refusal", "content_filter")


def test_a_server_that_is_not_there_stops_at_once(provider: str) -> None:
    with LoopbackServer() as server:
        url = server.url
    (reply,) = replies(judge_at(url, provider), question())
    assert "cannot connect to http://127.0.0.1" in reply.stop


def test_parameters_that_the_provider_does_not_send_are_named() -> None:
    reply, server = reply_to(Say(echo), "anthropic", "seed=3&effort=low")
    sent = server.questions[0].asked.body
    assert sent["output_config"] == {"effort": "low"}  # by another name
    assert not {"seed", "temperature"} & sent.keys()
    assert reply.dropped == ("seed", "temperature")
    whole, server = reply_to(Say(echo), "openai", "seed=3&reasoning_effort=low")
    assert {"seed", "temperature", "reasoning_effort"} <= server.questions[0].asked.body.keys()
    assert whole.dropped == ()


def test_a_parameter_that_the_server_refuses_is_left_out_from_then_on() -> None:
    with LoopbackServer(refusing("seed", otherwise=Say(echo))) as server:
        first, second = replies(judge_at(server, "openai", "seed=3"), *[question(name) for name in ("default", "bare")])
    assert first.dropped == second.dropped == ("seed",)
    assert len(server.log) == 3  # one more for the refusal


def test_a_repeat_has_a_seed_of_its_own() -> None:
    from msgspec.structs import replace

    with LoopbackServer(Say(echo)) as server:
        replies(judge_at(server, "openai", "seed=3"), question(), replace(question(), repeat=2))
    assert [entry.asked.body["seed"] for entry in server.questions] == [3, 5]


def test_the_key_is_in_no_reply(provider: str) -> None:
    reply, _ = reply_to(Status(401, error(f"no such key: {KEY}", "authentication_error")), provider)
    assert "[key]" in reply.stop
    assert KEY not in repr(reply)


def test_nothing_is_printed_and_nothing_of_python_is_replaced(provider: str, capfd: pytest.CaptureFixture[str]) -> None:
    hook = sys.excepthook
    reply_to(Say(echo), provider, "seed=3")  # Anthropic's provider warns of parameters
    assert sys.excepthook is hook
    assert capfd.readouterr() == ("", "")


def test_a_judge_shares_no_connections_and_answers_again_after_its_close(provider: str) -> None:
    with LoopbackServer(Say(echo)) as server:
        judge, other = judge_at(server, provider), judge_at(server, provider)
        replies(other, question())  # and closed
        assert all(reply.text for reply in replies(judge, question()) + replies(judge, question()))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nosuch/model", "Model API nosuch .* not recognized; providers are anthropic, google"),
        ("claude-sonnet-4-6", "providers are anthropic, google"),
        ("openai/gpt-4o", "client: No OPENAI_API_KEY"),
        ("google/gemini-2.5-flash", "pip install google-genai"),
        ("mistral/pixtral", "pip install mistralai"),
    ],
)
def test_what_a_provider_lacks_is_named(name: str, message: str) -> None:
    with pytest.raises(InputError, match=f"^inspect:{name}: .*{message}"):
        open_judge(f"inspect:{name}")


def test_the_price_is_that_of_the_list_at_the_providers_own_address() -> None:
    judge = open_judge("inspect:anthropic/claude-sonnet-4-6")
    assert isinstance(judge, InspectJudge)
    assert (judge.name, judge.prices.split()[0], judge.unpriced) == (
        "inspect:anthropic/claude-sonnet-4-6", "genai-prices", "",
    )  # fmt: skip
    elsewhere = judge_at("http://127.0.0.1:9/v1", "anthropic")
    assert elsewhere.unpriced == "'claude-sonnet-4-6' at http://127.0.0.1:9"


def test_an_address_of_a_variable_is_part_of_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOOP_BASE_URL", "http://127.0.0.1:9/v1")
    by_variable = open_judge("inspect:openai-api/loop/some-vlm?max_tokens=9&temperature=0.5")
    assert by_variable.name == (
        "inspect:openai-api/loop/some-vlm?base_url=http://127.0.0.1:9/v1&temperature=0.5&max_tokens=9"
    )
    assert open_judge(by_variable.name).name == by_variable.name


def test_a_run_asks_each_question_until_it_is_answered_and_then_no_more(provider: str, tmp_path: Path) -> None:
    source = Dots(40)
    flaky = [Status(429, headers={"retry-after": "0.01"}), Status(500), Say(echo)]

    def script(request: Asked) -> Any:
        return by_attempt(flaky if int(request.key, 16) % 4 == 0 else flaky[2:])(request)

    with LoopbackServer(script) as server:
        limits = Limits(backoff=0.01, concurrency=8)
        Asking(PairQuestions(source), judge_at(server, provider), tmp_path, limits=limits).run()
    keys = keys_by_id(source)
    times_asked = {key: 3 if int(key, 16) % 4 == 0 else 1 for key in keys.values()}
    assert server.asked_per_question() == times_asked
    assert set(finals(tmp_path)) == set(keys)
    assert len(records(tmp_path)) == sum(times_asked.values())
    assert_true(source, tmp_path)


def test_a_killed_run_loses_no_reply_and_asks_no_answered_question_again(provider: str, tmp_path: Path) -> None:
    out, at_once = tmp_path / "run", 4
    with LoopbackServer(Say("yes", delay=0.02)) as server:
        words = ("probe", "smoke", "--judge", f"inspect:{PROVIDERS[provider]}", "--out", out,
                 "--base-url", address(server, provider), "--concurrency", at_once)  # fmt: skip
        with command_started(*words) as process:
            server.wait_for(12)
            os.kill(process.pid, signal.SIGKILL)
        before = Counter(server.asked_per_question())
        kept = len(finals(out))
        assert 0 < kept < 36
        done(*words)
        assert len(finals(out)) == 36
        times_asked = server.asked_per_question()
    assert len(times_asked) == 36
    again = {key: count for key, count in times_asked.items() if count > 1}
    assert sum(times_asked.values()) == 36 + len(again)  # none more than twice
    assert again.keys() <= before.keys()
    assert len(again) == sum(before.values()) - kept <= at_once  # those in flight, and no others


def test_the_commands_take_the_judge_by_its_name_or_file(provider: str, tmp_path: Path) -> None:
    with serve_judge() as url:
        spec = f"inspect:{PROVIDERS[provider]}?base_url={address(url, provider)}&price_in=0&price_out=0"
        checkup = document("doctor", "--judge", spec, code=1)  # it errs by design, and so may fail a check
        assert checkup["judge"] == spec.partition("&price")[0]
        (tmp_path / "mine.toml").write_text(
            f'format = "counterbench.judge/1"\nkind = "inspect"\nmodel = "{PROVIDERS[provider]}"\nname = "mine"\n'
            f'[options]\nbase_url = "{address(url, provider)}"\nmax_tokens = 99\n'
        )
        done("probe", "smoke", "--judge", tmp_path / "mine.toml", "--limit", 4, "--out", tmp_path / "run")
        (scored,) = document("score", tmp_path / "run")["runs"]
        assert scored["provenance"]["name"] == "mine"
        assert (scored["complete"], scored["overall"]["outcomes"].get("failed", 0)) == (True, 0)
        refused = fails("probe", "smoke", "--judge", spec, "--key-env", "MINE", "--out", tmp_path / "other")
        assert "has its key from its provider's variable" in refused
