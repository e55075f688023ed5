"""`probe --template A,B`: a run under each, resumed by the same command, and how many answers flip."""

import json

from commands import call, document
from loopback import Asked, LoopbackServer, Say, Status, after
from typer.testing import Result

LINE = "Answer: …"


def led(request: Asked) -> str:
    """Says yes where it may be brief, and no after reasons; of other questions always the same."""
    if LINE in request.text:
        return "I look.\nAnswer: no" if "yes or no" in request.text else "I look.\nAnswer: 3"
    return "yes" if "yes or no" in request.text else "3"


def probe(server: LoopbackServer, *more: object, templates: str = "default,answer-line") -> Result:
    words = ("probe", "smoke", "--judge", "openai:m", "--base-url", server.url, "--limit", 8, "--out", "run")
    return call(*words, "--template", templates, *more)


def test_probe_asks_under_each_template_and_counts_the_flips() -> None:
    with LoopbackServer(Say(led)) as server:
        result = probe(server)
        assert result.exit_code == 0, result.output
        assert len(server.questions) == 32
        yes_no = len({e.asked.key for e in server.questions if "Answer yes or no" in e.asked.text})
        again = probe(server)
        assert len(server.questions) == 32  # all was answered
    assert f"flip rate: {yes_no} of 16 questions" in result.output
    assert "under default and answer-line" in result.output
    assert "CCS by template" in result.output
    assert again.output.count("0 asked now") == 2
    assert f"flip rate: {yes_no} of 16" in again.output
    assert f"flip rate: {yes_no} of 16" in call("score", "run").output
    assert document("score", "run")["flips"]["run"]["rate"]["hits"] == yes_no


def test_probe_json_has_every_templates_run_and_the_flips() -> None:
    with LoopbackServer(Say(led)) as server:
        found = json.loads(probe(server, "--json").stdout)
    assert [template["run"] for template in found["templates"]] == ["run", "run/templates/answer-line"]
    assert (found["run"], found["complete"]) == ("run", True)
    assert set(found["flips"]["templates"]) == {"default", "answer-line"}
    rate = found["flips"]["rate"]
    assert rate["low"] < rate["value"] == rate["hits"] / rate["of"] < rate["high"]


def test_limits_count_all_templates_together_and_the_command_resumes() -> None:
    with LoopbackServer(Say(led)) as server:
        assert json.loads(probe(server, "--max-calls", 16, "--json").stdout)["complete"] is False
        stopped = probe(server, "--max-calls", 4)
        assert (stopped.exit_code, len(server.questions)) == (3, 20)
        assert "next: run the same command again: it resumes, with up to 4 more calls" in stopped.output
        first = probe(server, "--max-calls", 16, templates="default,strict,answer-line")
        assert first.exit_code == 3
        assert "templates not asked yet: answer-line" in first.output
        assert probe(server, "--max-calls", 99, templates="default,strict,answer-line").exit_code == 0
        assert len(server.questions) == 48


def test_a_run_under_one_template_is_extended_to_others() -> None:
    with LoopbackServer(Say(led)) as server:
        call("probe", "smoke", "--judge", "openai:m", "--base-url", server.url, "--limit", 8, "--out", "run")
        assert probe(server).exit_code == 0
        assert len(server.questions) == 32


def test_a_failure_under_one_template_leaves_the_run_unfinished() -> None:
    with LoopbackServer(after(20, Status(400, "no"), Say(led))) as server:
        result = probe(server, "--concurrency", 1)
    assert result.exit_code == 3
    assert "12 failed" in result.output
    assert "left out: 12 questions without a reply under every template" in result.output
