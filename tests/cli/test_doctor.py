"""`doctor` on the command line: what it prints, its exit codes, its JSON, and what is refused before it asks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from loopback import LoopbackServer, Say, yes_or_no
from loopback.asked import Asked
from typer.testing import CliRunner, Result

import counterbench as cb
from counterbench.cli import app


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def readable(asked: Asked) -> str:
    """An answer of the type that the question asks for."""
    if "color" in asked.text:
        return "red"
    return "3" if "How many" in asked.text else yes_or_no(asked)


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer(Say(text=readable, cost=0.001)) as found:
        yield found


def call(*args: str) -> Result:
    result = CliRunner().invoke(app, ["doctor", *args])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert "Traceback" not in result.output
    return result


def test_a_healthy_judge() -> None:
    result = call("--judge", "planted:oracle")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert [line.split()[:2] for line in lines[:4]] == [
        ["ok", "answers"], ["ok", "sees"], ["ok", "together"], ["ok", "again"],
    ]  # fmt: skip
    assert lines[4].startswith("speed: about ")
    assert lines[5].strip() == "what a run would take"
    assert [line.split()[0] for line in lines[-8:-2]] == [
        *("certify", "controls", "counterbench-550", "laws", "rules", "smoke")
    ]
    assert lines[-8].split()[1] == f"{2 * len(cb.load_suite('certify')):,}"
    assert "USD" not in result.stdout
    assert lines[-1] == "next: counterbench probe certify --judge planted:oracle"
    assert "asking: 24/24" in result.stderr


def test_the_next_command_asks_the_same_judge(server: LoopbackServer) -> None:
    line = call("--judge", "openai:m", "--base-url", server.url, "--template", "bare").stdout.splitlines()[-1]
    assert line.startswith("next: counterbench probe")
    assert f"--base-url {server.url}" in line
    assert "--template bare" in line


def test_a_judge_that_mostly_cannot_be_read_is_not_called_ok() -> None:
    with LoopbackServer(Say(text="The one on the left, I think", finish="length")) as server:
        result = call("--judge", "openai:m", "--base-url", server.url)
    assert result.exit_code == 1
    line = result.stdout.splitlines()[0]
    assert line.startswith(
        "FAILS       answers   0 of 12 replies could be read as answers, and at most 2 % may not be; "
    )
    assert "unread: 'The one on the left, I think' for yes-no (cut off at the length limit); raise max_tokens" in line
    assert "next:" not in result.stdout


@pytest.mark.parametrize(
    ("judge", "code", "sign"),
    [
        ("pixels", 0, "ok"),
        ("planted:blind?p=1", 1, "FAILS       sees"),
        ("planted:failing?p=0.5", 3, "FAILS       answers"),
    ],
)
def test_exit_codes_and_signs(judge: str, code: int, sign: str) -> None:
    result = call("--judge", judge)
    assert result.exit_code == code
    assert sign in result.stdout
    assert ("next:" in result.stdout) == (code == 0)


def test_json_is_one_document_with_the_fields_of_the_contract() -> None:
    result = call("--judge", "planted:oracle", "--json")
    found: dict[str, Any] = json.loads(result.stdout)
    assert result.stderr == ""
    assert set(found) == {
        "judge", "able", "findings", "questions", "failed", "per_second", "cost", "prices", "unpriced", "estimates",
        "figures",
    }  # fmt: skip
    assert (found["judge"], found["able"], found["questions"], found["failed"]) == ("planted:oracle", True, 24, 0)
    assert [set(finding) for finding in found["findings"]] == [{"name", "holds", "message"}] * 4
    assert found["per_second"] > 0
    assert found["cost"] == 0.0
    assert set(found["estimates"]["smoke"]) == {"calls", "tokens_in", "tokens_out", "cost", "seconds"}
    assert found["estimates"]["smoke"]["calls"] == 36
    assert found["estimates"]["smoke"]["seconds"] == pytest.approx(36 / found["per_second"])


@pytest.mark.parametrize("wrong", [("--template", "nosuch")])
def test_wrong_names_are_said_before_anything_is_asked(server: LoopbackServer, wrong: tuple[str, str]) -> None:
    assert call("--judge", "openai:m", "--base-url", server.url, *wrong).exit_code == 2
    assert server.log == []


def test_a_server_is_asked_and_its_price_told(server: LoopbackServer) -> None:
    result = call("--judge", "openai:m", "--base-url", server.url)
    assert len(server.log) in (24, 24 + 32)
    row = next(line.split() for line in result.stdout.splitlines() if line.strip().startswith("smoke "))
    assert row[:6] == ["smoke", "36", "7,200", "72", "0.0360", "USD"]
