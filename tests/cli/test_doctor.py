"""`doctor` on the command line: what it prints, its exit codes, its JSON, and what is refused before it asks."""

import json
from collections.abc import Iterator

import pytest
from commands import call, document, done
from loopback import LoopbackServer, Say, yes_or_no
from loopback.asked import Asked
from loopback.messages import Message, refuse


def readable(request: Asked) -> str:
    """An answer of the type that the question asks for."""
    if "color" in request.text:
        return "red"
    return "3" if "How many" in request.text else yes_or_no(request)


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer(Say(text=readable, cost=0.001)) as found:
        yield found


def test_a_healthy_judge_passes_every_check_with_a_next_command() -> None:
    result = call("doctor", "--judge", "planted:oracle", code=0)
    lines = result.stdout.splitlines()
    checks = ("answers", "sees", "together", "again")
    assert [line.split()[:2] for line in lines[:4]] == [["ok", check] for check in checks]
    assert lines[4].startswith("a first run of 40 pairs takes: 80 calls, less than a minute")
    assert lines[-1] == "next: counterbench probe certify --judge planted:oracle --limit 40"
    assert "asking: 24/24" in result.stderr


def test_the_next_command_asks_the_same_judge(server: LoopbackServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("counterbench.asking.doctor._MAX_BY_CHANCE", -1)  # this server is right on no pair
    words = ("--judge", "openai:m", "--base-url", server.url, "--template", "structured")  # `validate`'s own default
    line = done("doctor", *words).splitlines()[-1]
    assert line.startswith("next: counterbench probe")
    assert f"--base-url {server.url}" in line
    assert line.endswith(" --template structured")


@pytest.mark.parametrize(
    ("judge", "code", "sign"),
    [("planted:blind?p=1", 1, "FAILS       sees"), ("planted:failing?p=0.5", 3, "FAILS       answers")],
)
def test_the_doctor_has_an_exit_code_and_a_message_for_each_fault(judge: str, code: int, sign: str) -> None:
    result = done("doctor", "--judge", judge, code=code)
    assert sign in result
    assert "next:" not in result


def test_the_doctor_says_that_a_server_takes_no_json_schema() -> None:
    def picky(request: Asked) -> Message:
        if "response_format" in request.body:
            return refuse("response_format")
        return Say(json.dumps({"answer": readable(request)}))

    with LoopbackServer(picky) as server:
        shown = call("doctor", "--judge", "openai:m", "--base-url", server.url, "--template", "structured").stdout
    assert "could be read as answers (without response_format, which the server does not take)" in shown


def test_doctor_json_has_the_fields_of_the_contract() -> None:
    found = document("doctor", "--judge", "planted:oracle")
    assert set(found) == {
        "judge", "able", "findings", "questions", "failed", "prices", "unpriced", "expected", "figures",
    }  # fmt: skip
    assert (found["judge"], found["able"], found["questions"], found["failed"]) == ("planted:oracle", True, 24, 0)
    assert [set(finding) for finding in found["findings"]] == [{"name", "holds", "message"}] * 4
    assert found["expected"]["calls"] == 1000


def test_the_doctor_states_the_price_of_a_server(server: LoopbackServer) -> None:
    result = call("doctor", "--judge", "openai:m", "--base-url", server.url)
    assert len(server.log) == 24
    takes = "takes: 80 calls, 16 k tokens in, 160 out, 0.0800 USD, less than a minute"
    assert f"a first run of 40 pairs {takes}" in result.stdout
