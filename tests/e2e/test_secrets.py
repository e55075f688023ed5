"""A key is sent to the server and is nowhere else: not in the run, not on the terminal, whatever the server repeats."""

import itertools
import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from asked import probe
from commands import call
from judges.openai.dots import Dots
from loopback import Amend, Asked, LoopbackServer, Raw, Respond, Say, Script, Status, Verbatim, error, where

from counterbench.asking.asker import Limits
from counterbench.judges import open_judge
from counterbench.judges.openai.server_judge import OpenAIJudge

KEY = "sk-Qx7vT2mR9pLw4Zn8Kd3Hs6Yb1Gc5Jf0a"
GATEWAY = "gw-Uu5eW8rT1yQ4iO7pA0sD3fG6hJ9kL2zX"
PARTS = 12  # no stretch of a secret so long may be anywhere


@pytest.fixture(autouse=True)
def api_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("OPENAI_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("MY_KEY", KEY)
    monkeypatch.setenv("MY_GATEWAY", GATEWAY)


def stretches(secret: str) -> Iterator[str]:
    for i in range(len(secret) - PARTS + 1):
        yield secret[i : i + PARTS]


def assert_nowhere(out: Path, *texts: str) -> None:
    """No stretch of a secret in any file of the run, nor in what was printed."""
    files = [path for path in out.rglob("*") if path.is_file()]
    assert files
    places = {str(path.relative_to(out)): path.read_bytes().decode("utf-8", "replace") for path in files}
    places |= {f"text {i}": text for i, text in enumerate(texts)}
    for place, text in places.items():
        for secret in (KEY, GATEWAY):
            for stretch in stretches(secret):
                found = text.casefold().find(stretch.casefold())
                assert found < 0, f"{place}: …{text[max(0, found - 80) :][:200]}…"


def judge_file(folder: Path, url: str) -> Path:
    path = folder / "judge.toml"
    path.write_text(
        f'format = "counterbench.judge/1"\nkind = "openai"\nmodel = "m"\n[options]\nbase_url = "{url}"\n'
        'key_env = "MY_KEY"\nheaders_env = { "X-Gateway" = "MY_GATEWAY" }\n'
    )
    return path


REPEATED = f"You sent Authorization: Bearer {KEY} and X-Gateway: {GATEWAY}."
HEADERS = {"x-debug": f"Bearer {KEY}", "set-cookie": f"k={GATEWAY}", "x-request-id": KEY}


def everything(request: Asked) -> Respond:
    """Replies, ids, models, refusals and errors of every kind that passes, in turn, all with the secrets in them."""
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.headers["x-gateway"] == GATEWAY
    message = error(REPEATED, KEY, KEY, KEY)
    reply = Say(f"{REPEATED} yes, 2, red circle", model=f"m-{KEY}", id=f"{KEY}-{request.id}", headers=HEADERS)
    ways: list[Respond] = [
        Status(429, message, headers=HEADERS),
        Status(502, f"<html>{REPEATED}</html>", headers=HEADERS),
        Status(503, REPEATED, headers=HEADERS),
        Raw(REPEATED, "text/html", headers=HEADERS),
        Raw(json.dumps({"error": {"code": 503, "message": REPEATED}}), headers=HEADERS),
        Amend({"choices": [], "provider": KEY}, reply),
        Amend({KEY: GATEWAY, "choices": None}, reply),
        Verbatim(f"HTTP/1.1 {KEY} {GATEWAY}\r\n\r\n".encode()),
    ]
    finals: list[Respond] = [reply, Say(refusal=REPEATED), replace(reply, finish="length"), Say(REPEATED)]
    if request.attempt == 1:
        return ways[request.sequence % len(ways)]
    return finals[request.sequence % len(finals)]


@pytest.mark.slow
@pytest.mark.parametrize("mode", [(), ("--json",)])
def test_a_key_that_the_server_repeats_is_in_no_file_and_on_no_terminal(
    mode: tuple[str, ...], out: Path, tmp_path: Path
) -> None:
    with LoopbackServer(everything) as server:
        file = judge_file(tmp_path, server.url)
        done = call("probe", "smoke", "--limit", 8, "--judge", file, "--out", out, *mode)
    assert done.exit_code == 0, done.stderr
    assert "[key]" in (out / "journal.jsonl").read_text()
    assert_nowhere(out, done.stdout, done.stderr)
    scored = call("score", out, *(mode or ("-v",)))
    assert scored.exit_code == 0, scored.output
    assert_nowhere(out, scored.stdout, scored.stderr)


def test_errors_that_stop_a_run_do_not_print_the_key(tmp_path: Path) -> None:
    bodies = (error(REPEATED, KEY, KEY, KEY), f"<html>{REPEATED}</html>")
    with LoopbackServer() as server:
        file = judge_file(tmp_path, server.url)
        for status, body in itertools.product((400, 401, 404, 422, 301), bodies):
            headers = {"location": f"{server.url}/{KEY}"} | HEADERS
            response = Status(status, body, headers=headers)
            server.script = lambda request, response=response: response
            out = tmp_path / f"run{status}{bodies.index(body)}"
            result = call("probe", "smoke", "--limit", 2, "--judge", file, "--out", out)
            assert (result.exit_code, str(status) in result.stderr) == (2, True), result.output
            assert_nowhere(out, result.stdout, result.stderr)


@pytest.mark.slow
def test_doctor_does_not_print_the_key(tmp_path: Path) -> None:
    repeating = Say(f"{REPEATED} yes, 2, red circle", model=f"m-{KEY}")
    with LoopbackServer(where(lambda request: request.sequence % 6 == 0, everything, repeating)) as server:
        done = call("doctor", "--judge", judge_file(tmp_path, server.url))
    assert done.stdout
    assert_nowhere(tmp_path, done.stdout, done.stderr)


def probe_with_key(script: Respond | Script, out: Path, monkeypatch: pytest.MonkeyPatch, key: str = KEY) -> OpenAIJudge:
    """The judge with the key, after a run."""
    monkeypatch.setenv("MY_KEY", key)
    with LoopbackServer(script) as server:
        judge = open_judge("openai:m", list, base_url=server.url, key_env="MY_KEY")
        probe(Dots(2), judge, out, limits=Limits(backoff=0.01, retries=1))
    return judge


def test_a_judges_repr_does_not_show_its_key(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judge = probe_with_key(Say("1"), out, monkeypatch)
    assert_nowhere(out, repr(judge), repr(vars(judge)))


def test_a_placeholder_key_is_not_masked_in_words(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """EMPTY, none and the like stand for no key on local servers; replies that have those words keep them."""
    probe_with_key(Say("EMPTY is the room; none but 3."), out, monkeypatch, key="EMPTY")
    assert "EMPTY is the room" in (out / "journal.jsonl").read_text()
