"""A real server: `transformers serve` on loopback with a small real model, probed through `openai:`."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import call

pytest.importorskip("torch", reason="needs the extra heavy: pip install -e '.[heavy]'")
pytest.importorskip("transformers", reason="needs the extra heavy: pip install -e '.[heavy]'")
pytest.importorskip("fastapi", reason="needs the extra heavy: pip install -e '.[heavy]'")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from small_vlm import build_small_vlm

    path = tmp_path_factory.mktemp("serve") / "small-llava"
    build_small_vlm(path)
    return path


@pytest.fixture(scope="module")
def url(model: Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = Path(sys.executable).with_name("transformers")
    if not program.exists():
        pytest.skip("the transformers command is not installed beside this Python")
    command = [str(program), "serve", "--host", "127.0.0.1", "--port", str(port), "--device", "cpu"]
    log = model.parent / "serve.log"
    with log.open("wb") as out:
        server = subprocess.Popen(command, stdout=out, stderr=out, env={**os.environ, "HF_HUB_OFFLINE": "1"})
        try:
            for _ in range(240):
                assert server.poll() is None, log.read_text()
                try:
                    urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=1)
                    break
                except (urllib.error.URLError, OSError):
                    time.sleep(0.5)
            else:
                pytest.fail(f"the server did not come up: {log.read_text()}")
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.terminate()
            server.wait(timeout=30)


def test_a_local_server_gives_the_replies_of_its_checkpoint(
    model: Path, url: str, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commands run in this process, which has loaded torch already, and without a key."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    judge = f"openai:{model}?max_tokens=16"
    judge_options = ("--judge", judge, "--base-url", url)
    examined = call("doctor", *judge_options, "--json")
    found = json.loads(examined.stdout)
    assert examined.exit_code == (0 if found["able"] else 1), examined.stderr
    checks = {finding["name"]: finding["holds"] for finding in found["findings"]}
    assert checks["sees"] is False, found  # its weights are random: it answers by chance
    assert checks["again"] is True, found
    assert checks["together"] is True, found

    done = call("probe", "smoke", *judge_options, "--out", "run", "--json")
    loaded = call("probe", "smoke", "--judge", f"transformers:{model}?max_tokens=16", "--out", "loaded")
    assert done.exit_code == loaded.exit_code == 0, done.stderr + loaded.stderr
    progress = json.loads(done.stdout)
    assert progress["progress"]["done"] == 36
    records, others = (list(map(json.loads, (here / run / "journal.jsonl").open())) for run in ("run", "loaded"))
    assert len({record["reply"] for record in records}) > 1
    assert [record for record in records if not (record["tokens_in"] and record["tokens_out"])] == []
    assert [record for record in records if str(model) not in record["model"]] == []

    scored = call("score", "run", "--json")
    assert scored.exit_code == 0, scored.stderr
    (document,) = json.loads(scored.stdout)["runs"]
    assert document["overall"]["pairs"] == 18
    assert document["overall"]["outcomes"]["failed"] == 0
    replies = {record["id"]: record["reply"].strip() for record in others}
    same = sum(replies[record["id"]] == record["reply"].strip() for record in records)
    assert same >= 34, f"{same} of 36 replies are the same as of the checkpoint loaded here"
