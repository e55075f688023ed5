"""`probe`: what is said before the run, and its options for pace, money and servers."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import call
from loopback import LoopbackServer, Say
from typer.testing import Result

from counterbench.runs.folder import Record, read_journal

KEY = "sk-test-of-counterbench"


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer(Say()) as found:
        yield found


def probe(*args: str) -> Result:
    return call("probe", "smoke", "--out", "run", *args)


def ask(server: LoopbackServer, *args: str, judge: str = "openai:m") -> Result:
    return probe("--judge", judge, "--base-url", server.url, "--limit", "2", *args)


def journal() -> list[Record]:
    return list(read_journal(Path("run/journal.jsonl")))


# ---- the number of questions, before


def test_it_is_said_before_a_server_that_is_not_there_is_asked() -> None:
    with LoopbackServer() as server:
        pass
    result = ask(server)
    assert result.exit_code == 2
    assert result.stderr.splitlines()[0].startswith("4 questions to ask openai:m?base_url=")
    assert "is the server up, and is --base-url right?" in result.stderr


# ---- servers


def test_a_server_is_asked_with_its_key(server: LoopbackServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    result = ask(server, "--key-env", "MY_KEY")
    assert result.exit_code == 0
    assert {entry.asked.headers["authorization"] for entry in server.log} == {f"Bearer {KEY}"}
    assert all(KEY not in path.read_text() for path in Path("run").iterdir() if path.is_file())
    assert KEY not in result.output


def test_a_judges_file_is_the_same_run_as_its_spec(server: LoopbackServer) -> None:
    file = 'format = "counterbench.judge/1"\nkind = "openai"\nmodel = "m"\n[options]\n'
    Path("mine.toml").write_text(f'{file}base_url = "{server.url}"\nseed = 7\ntimeout = 20\n')
    assert probe("--judge", "mine.toml", "--limit", "2").exit_code == 0
    assert "0 asked now" in ask(server, judge="openai:m?seed=7").stdout


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('format = "counterbench.judge/1"\nkind = "openai"\nmodel = "m"\n[options]\nsed = 3\n', "unknown option 'sed'"),
        (None, "cannot be read (No such file or directory)"),
    ],
)
def test_a_judges_file_that_is_wrong_is_one_message(text: str | None, message: str) -> None:
    if text is not None:
        Path("mine.toml").write_text(text)
    result = probe("--judge", "mine.toml")
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.startswith("error: ")
    assert not Path("run").exists()


# ---- pace


def spread(server: LoopbackServer) -> float:
    """Seconds from the third question to the last: the first waits for the connection."""
    times = sorted(entry.asked.arrived for entry in server.log)
    assert len(times) == 12
    return times[-1] - times[2]


def test_requests_per_minute_and_concurrency_are_kept(server: LoopbackServer) -> None:
    assert ask(server, "--limit", "6", "--rpm", "1200", "--concurrency", "2").exit_code == 0
    assert spread(server) >= 9 * 0.05 * 0.5
    assert server.peak_in_flight <= 2


# ---- money


def test_a_limit_on_money_with_a_price_is_kept(server: LoopbackServer) -> None:
    priced = "openai:m?price_in=1000&price_out=1000"  # 202 tokens are 0.202 USD
    result = ask(server, "--max-cost", "0.5", judge=priced)
    assert result.exit_code == 3
    assert "stopped: the limit of 0.5 USD is reached: 0.404 spent, the next call may cost 0.202" in result.stdout
    assert len(server.log) == 2
    assert "spent: 0.404 USD (400 tokens in, 4 out)" in result.stdout
    assert "next: the same command again goes on, with up to 0.5 USD more" in result.stdout
    again = ask(server, "--max-cost", "0.5", judge=priced).stdout
    assert "spent: 0.404 USD now, 0.808 USD in all (800 tokens in, 8 out)" in again
    assert "(complete), 2 asked now" in again
    assert len(server.log) == 4
