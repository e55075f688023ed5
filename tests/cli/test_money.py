"""Forecast, progress and cost of long commands, and the command that `next:` names."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import call, fails
from loopback import MODERATED, Asked, Draw, LoopbackServer, Respond, Say, Status, error
from sweeping import swept
from typer.testing import Result

from counterbench.cli.amounts import count, usd
from counterbench.text import about, duration


def probe(server: LoopbackServer, *more: object, code: int | None = None) -> Result:
    return call("probe", "smoke", "--judge", "openai:m", "--base-url", server.url, "--out", "run", *more, code=code)


def generate(server: LoopbackServer, *more: object, code: int | None = None) -> Result:
    words = ("t2i", "generate", "laws", "--generator", "openai:m", "--base-url", server.url, "--out", "i", *more)
    return call(*words, "--limit", 4, "--samples", 1, "--concurrency", 1, code=code)


def without(*faults: Respond) -> Callable[[Asked], Respond]:
    """The first questions meet a fault each, whenever they are asked; the others are answered."""
    met: dict[str, Respond] = {}

    def script(request: Asked) -> Respond:
        if request.sequence <= len(faults):
            met[request.key] = faults[request.sequence - 1]
        return met.get(request.key, Draw() if request.path.endswith("generations") else Say("yes"))

    return script


TURNED_AWAY = Status(400, error("I cannot take this picture", "invalid_request_error"))


# ---- before, and on the way


def test_a_forecast_comes_after_eight_replies_and_the_cost_at_the_end() -> None:
    with LoopbackServer(Say("yes", usage=(1000, 10))) as server:
        result = probe(server, "--price", "1,10", "--concurrency", 4, code=0)
    lines = result.stderr.splitlines()
    (expected,) = (line for line in lines if line.startswith("this run takes: "))
    assert expected.startswith("this run takes: 36 calls, 36 k tokens in, 360 out, 0.0396 USD, less than a minute")
    assert lines.index(expected) < next(i for i, line in enumerate(lines) if ": 18/36" in line)
    assert any(line.endswith(": 18/36 (0.0198 USD spent)") for line in lines), lines
    assert "spent: 0.0396 USD (36 k tokens in, 360 out)" in result.stdout


def test_a_cost_says_how_many_replies_it_leaves_out() -> None:
    with LoopbackServer(Say("yes", usage=(1000, 10))) as server:
        probe(server, "--max-calls", 26)
        result = probe(server, "--price", "1,10")
    assert "spent: 0.0110 USD, without the cost of 26 replies, which is not known (36 k tokens in" in result.stdout


def test_a_resumed_run_says_at_once_that_it_resumes() -> None:
    with LoopbackServer(Say("yes", cost=0.5)) as server:
        probe(server, "--max-calls", 8)
        lines = probe(server).stderr.splitlines()
    assert lines[0].startswith("questions to ask openai:m?")
    assert lines[0].endswith(": 28, 8 already answered")
    assert "\nthis run takes: 28 calls, 5,600 tokens in, 56 out, 14.00 USD, less than a minute" in "\n".join(lines[:3])


def test_a_free_and_quick_run_has_no_forecast() -> None:
    assert "takes" not in call("probe", "smoke", "--judge", "planted:oracle", "--max-cost", 1).output


@pytest.mark.slow
def test_a_growing_run_states_its_minimum_and_the_decided_cells() -> None:
    with LoopbackServer(Say("yes", usage=(1000, 10))) as server:
        validating = ("validate", "openai:m", "--base-url", server.url, "--for", "smoke", "--policy", "exploratory")
        result = call(*validating, "--price", "1,10", "--concurrency", 4)
        assert "sees FAILS" in result.stdout, "the doctor asks first"
        probing = ("probe", "smoke", "--judge", "openai:m", "--base-url", server.url, "--limit", 8, "--out", "r")
        call(*probing, "--price", "1,10", "--max-calls", 10, "--template", "structured")
        result = call(*validating, "--price", "1,10", "--concurrency", 4, "--out", "r")
    assert result.exit_code == 1, result.output
    lines = result.stderr.splitlines()
    assert re.fullmatch(r"questions to ask openai:m\?.*: \d+, then at least (\d+) more.*", lines[0])
    (expected,) = (line for line in lines if line.startswith("this run takes: "))
    assert re.search(r", 0\.\d+ USD, less than a minute if all answers are right, more if not$", expected)
    assert re.search(r": (\d+)/\1 \(8 of 8 cells done, ", lines[-1]), "what it is at in the end"


def test_a_price_list_is_named_where_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    from genai_prices import data_snapshot

    openai = next(p for p in data_snapshot.get_snapshot().providers if p.id == "openai")
    with LoopbackServer(Say("yes", usage=(1_000_000, 0))) as server:
        monkeypatch.setattr(openai, "api_pattern", server.url)
        words = ("probe", "smoke", "--judge", "openai:gpt-4o-mini", "--base-url", server.url)
        result = call(*words, "--out", "run", "--max-cost", 9)
    assert result.exit_code == 0, result.output
    assert "5.40 USD (prices of genai-prices " in result.stderr
    assert "spent: 5.40 USD (36.0 M tokens in, 0 out, prices of genai-prices " in result.stdout


def test_pictures_and_checks_are_counted_priced_and_forecast_too() -> None:
    with LoopbackServer(Draw(usage=(10, 1000))) as server:
        result = generate(server, "--price", 0.25, "--max-cost", 5, code=0)
        assert re.match(r"pictures to draw with openai:m\S*: 12\n", result.stderr)
        assert "this run takes: 12 calls, 120 tokens in, 12 k out, 3.00 USD, less than a minute" in result.stderr
        assert "spent: 3.00 USD (120 tokens in, 12 k out)" in result.stdout
    (pictures,) = Path("i").iterdir()
    with LoopbackServer(Say("yes", cost=0.5)) as server:
        judging = ("t2i", "judge", pictures, "--judge", "openai:m", "--base-url", server.url, "--out", "run")
        result = call(*judging, "--uncertified", "--max-calls", 10)
        assert re.search(r"questions to ask openai:m\S* about 12 pictures: ", result.stderr)
        assert "this run takes: " in result.stderr
        assert "run: 10 of " in result.stdout
        assert "spent: 5.00 USD (2,000 tokens in, 20 out)" in result.stdout
        assert result.stdout.endswith("next: run the same command again: it resumes, with up to 10 more calls\n")
        again = call(*judging, "--uncertified", "--max-cost", 1)
    assert again.exit_code == 3, "what the server said before will do"
    assert "spent: 1.00 USD now, 6.00 USD in all" in again.stdout


def test_a_declined_prompt_does_not_end_a_run_limited_by_cost() -> None:
    with LoopbackServer(without(MODERATED)) as server:
        result = generate(server, "--price", 0.5, "--max-cost", 2)
        assert len(server.questions) == 5
    assert "stopped: the limit of 2.0 USD is reached: 2 spent" in result.stdout


# ---- next


def last(result: Result) -> str:
    return str(result.stdout.splitlines()[-1])


def test_a_permanently_failed_question_is_named_and_left_out_of_scores() -> None:
    with LoopbackServer(without(Say("yes"), TURNED_AWAY)) as server:
        for count in (36, 1):
            result = probe(server, "--concurrency", 1, code=3)
            assert " 1 failed, " in result.stdout
            assert f", {count} asked now" in result.stdout
            assert "questions that failed for good: 1\n  spatial-000000/intervened: http-400 " in result.stdout
            assert last(result) == "next: counterbench score run"
    assert call("score", "run").exit_code == 0


def test_every_question_counts_once_and_unparsed_is_not_answered(hurried: None) -> None:
    with LoopbackServer(without(Say("yes"), TURNED_AWAY, Status(500), Say("", refusal="I will not."))) as server:
        result = probe(server, "--concurrency", 1, "--max-calls", 22)
    counts = re.search(
        r"run: (\d+) of 36 questions answered, (\d+) unparsed, 1 refused, 1 failed, (\d+) still to ask, 22 asked now",
        result.stdout,
    )
    assert counts is not None, result.stdout
    assert sum(map(int, counts.groups())) == 34


def test_a_passing_fault_ends_with_the_command_that_resumes(hurried: None) -> None:
    with LoopbackServer(without(Say("yes"), TURNED_AWAY, Status(500))) as server:
        assert last(probe(server, "--concurrency", 1)) == "next: run the same command again to resume"


@pytest.mark.parametrize("status", [400, 401])
def test_a_run_without_answers_does_not_say_that_answers_are_kept(status: int) -> None:
    with LoopbackServer(Status(status)) as server:
        result = probe(server, code=2)
    assert "what was answered before" not in result.stderr
    diagnosed = call("diagnose", "run", code=0)
    assert last(diagnosed) == "next: see why nothing was answered: counterbench score run"


def test_a_replay_does_not_offer_to_resume_for_replies_it_lacks() -> None:
    call("probe", "smoke", "--judge", "planted:oracle", "--out", "part", "--max-calls", 20)
    part = call("probe", "smoke", "--judge", "replay:part", "--out", "a", code=3)
    assert "a: 20 of 36 questions answered, 16 failed, 36 asked now" in part.stdout
    assert last(part) == "next: counterbench score a"
    other = call("probe", "controls", "--limit", 6, "--judge", "replay:part", "--out", "b")
    assert last(other) == ("next: replay a run of these questions: the same command would fail again")


# ---- words


@swept(
    ("amount", "text"),
    [(0, "0.00 USD"), (0.00000312, "0.00000312 USD"), (0.0125, "0.0125 USD"), (0.5, "0.500 USD"), (12, "12.00 USD"),
     (1234.5, "1,234.50 USD")],
)  # fmt: skip
def test_amounts_of_money_are_rounded_readably(amount: float, text: str) -> None:
    assert usd(amount) == text


def test_counts_and_durations_are_rounded_readably() -> None:
    assert [count(n) for n in (64, 9344, 13_123, 1_900_000)] == ["64", "9,344", "13 k", "1.9 M"]
    assert [duration(s) for s in (0.2, 45, 360, 7200)] == ["1 s", "45 s", "6 min", "2.0 h"]
    assert (about(59), about(360)) == ("less than a minute", "about 6 min")


def test_a_cost_limit_requires_a_known_price() -> None:
    call("t2i", "generate", "laws", "--generator", "planted:literal", "--out", "i", "--limit", 1)
    with LoopbackServer(Draw()) as server:
        judging = "t2i judge i/planted-literal --judge openai:m --uncertified"
        message = fails(*judging.split(), "--base-url", server.url, "--max-cost", 1)
        assert server.log == []
    assert message.startswith(f"--max-cost 1: what 'm' at {server.url} costs is not known; give it with --price")
    assert not Path("runs").exists()
