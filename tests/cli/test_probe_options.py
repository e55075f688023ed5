"""`probe`: what is said before the run, and its options for pace, money and servers."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import call, done
from loopback import LoopbackServer, Say
from typer.testing import Result

KEY = "sk-test-of-counterbench"


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer(Say()) as found:
        yield found


def ask(server: LoopbackServer, *args: str, judge: str = "openai:m", code: int = 0) -> Result:
    words = ("--judge", judge, "--base-url", server.url, "--limit", "2", *args)
    return call("probe", "smoke", "--out", "run", *words, code=code)


def test_a_server_is_asked_with_its_key(server: LoopbackServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    result = ask(server, "--key-env", "MY_KEY")
    assert {entry.asked.headers["authorization"] for entry in server.log} == {f"Bearer {KEY}"}
    assert [path for path in Path("run").iterdir() if path.is_file() and KEY in path.read_text()] == []
    assert KEY not in result.output


def test_a_judges_file_is_the_same_run_as_its_spec(server: LoopbackServer) -> None:
    file = 'format = "counterbench.judge/1"\nkind = "openai"\nmodel = "m"\n[options]\n'
    Path("mine.toml").write_text(f'{file}base_url = "{server.url}"\nseed = 7\ntimeout = 20\n')
    done("probe", "smoke", "--out", "run", "--judge", "mine.toml", "--limit", "2")
    assert "0 asked now" in ask(server, judge="openai:m?seed=7").stdout


def test_requests_per_minute_and_concurrency_are_respected(server: LoopbackServer) -> None:
    ask(server, "--limit", "6", "--rpm", "1200", "--concurrency", "2")
    times = sorted(entry.asked.arrived for entry in server.log)
    assert times[-1] - times[2] >= 9 * 0.05 * 0.5  # from the third of 12 on: the first waits for the connection
    assert server.peak_in_flight <= 2


def test_a_cost_limit_with_a_given_price_is_respected(server: LoopbackServer) -> None:
    priced = "openai:m?price_in=1000&price_out=1000"  # 202 tokens are 0.202 USD
    result = ask(server, "--max-cost", "0.5", judge=priced, code=3)
    assert "stopped: the limit of 0.5 USD is reached: 0.404 spent, the next call may cost 0.202" in result.stdout
    assert len(server.log) == 2
    assert "next: run the same command again: it resumes, with up to 0.5 USD more" in result.stdout
    assert "(complete), 2 asked now" in ask(server, "--max-cost", "0.5", judge=priced).stdout
