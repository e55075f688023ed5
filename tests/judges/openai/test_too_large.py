"""Replies that are larger than what is read of one, on the wire or once they are unpacked."""

from __future__ import annotations

import asyncio
import gzip
import json
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from judges.openai.dots import Dots, ask, expected, keys_by_id, records
from loopback import Asked, Draw, LoopbackServer, Raw, Respond, Say, Script
from loopback.messages import Message

from counterbench.asking.probe import Limits
from counterbench.errors import JudgeError
from counterbench.judges.openai.replies import MOST_BYTES
from counterbench.judges.openai.sdk import TooLarge
from counterbench.t2i.generators.base import DrawingRequest
from counterbench.t2i.generators.openai_images import OpenAIImages

ROOT = Path(__file__).parents[3]
PACKINGS = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "gzip, gzip": lambda data: gzip.compress(gzip.compress(data)),
}
SAY = Say(lambda asked: expected(asked.key))


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "run"


def packed(of: Message, packing: str) -> Script:
    """A response as servers pack it."""

    def script(asked: Asked) -> Respond:
        status, kind, body = of.status_and_body(asked)
        return Raw(PACKINGS[packing](body), kind, status, headers={"content-encoding": packing})

    return script


LARGE = Raw(b'{"choices": [{"message": {"content": "' + b" " * MOST_BYTES + b'yes"}}]}')


@pytest.mark.parametrize("packing", ["gzip", "deflate"])
def test_what_is_packed_is_read(packing: str, out: Path) -> None:
    source = Dots(2)
    with LoopbackServer(packed(SAY, packing)) as server:
        assert ask(source, server, out).complete
    keys = keys_by_id(source)
    assert {r.id: r.reply for r in records(out)} == {id: expected(key) for id, key in keys.items()}


@pytest.mark.parametrize("packing", ["", *PACKINGS])
def test_what_is_too_large_is_a_failure_of_its_own(packing: str, out: Path) -> None:
    source = Dots(1)
    script = packed(LARGE, packing) if packing else LARGE
    with LoopbackServer(script) as server:
        assert ask(source, server, out).failed == 2
        assert len(server.questions) == 2, "nothing is asked again at once"
        server.script = lambda asked: SAY
        assert ask(source, server, out).complete
    failures = [record.failure for record in records(out) if record.failure]
    assert [failure.kind for failure in failures] == ["too-large"] * 2
    told = (
        "a reply that is packed more than once is not unpacked" if "," in packing else f"more than {MOST_BYTES} bytes"
    )
    assert all(told in failure.message for failure in failures)


def test_of_an_error_the_beginning_is_enough(out: Path) -> None:
    wrong = Raw(b"not today " * MOST_BYTES, "text/plain", 500)
    with LoopbackServer(packed(wrong, "gzip")) as server:
        ask(Dots(1), server, out, limits=Limits(retries=0, concurrency=1))
    for record in records(out):
        assert record.failure is not None
        assert record.failure.kind == "http-500"
        assert "not today" in record.failure.message
        assert len(record.failure.message) <= 500


def test_an_error_that_is_nested_deeply_keeps_its_status(out: Path) -> None:
    with LoopbackServer(Raw(b"[" * 100_000, "application/json", 400)) as server, pytest.raises(JudgeError, match="400"):
        ask(Dots(3), server, out, limits=Limits(retries=0, concurrency=1))
    assert {r.failure.kind for r in records(out) if r.failure is not None} == {"http-400"}


def test_a_picture_may_be_larger_and_no_larger_than_pictures_are(monkeypatch: pytest.MonkeyPatch) -> None:
    async def draw(url: str) -> list[str]:
        generator = OpenAIImages("m", {"base_url": url})
        request = DrawingRequest(id="g/l/0", group="g", level="l", sample=0, text="a", seed=1)
        found = [drawing.failure.kind if drawing.failure else "" for drawing in await generator.draw([request])]
        await generator.close()
        return found

    with LoopbackServer(Draw(picture=b"\x89PNG" + bytes(MOST_BYTES))) as server:
        assert asyncio.run(draw(server.url)) == [""]
        monkeypatch.setattr("counterbench.t2i.generators.openai_images._MOST_BYTES", 10_000)
        assert asyncio.run(draw(server.url)) == ["too-large"]


def test_too_large_is_told_also_where_the_sdk_wraps_it() -> None:
    from openai import APIConnectionError

    from counterbench.judges.openai.access import find_access
    from counterbench.judges.openai.failures import failed_reply
    from counterbench.judges.openai.options import OpenAIOptions

    wrapped = APIConnectionError(request=None)  # type: ignore[arg-type]
    wrapped.__cause__ = TooLarge("more than 5 bytes")
    access = find_access(OpenAIOptions(base_url="http://localhost:1/v1"), "m", {})
    failure = failed_reply(wrapped, access, "m", True).failure
    assert failure is not None
    assert (failure.kind, failure.message) == ("too-large", "more than 5 bytes")


_PEAK = """
import json, resource, sys
from pathlib import Path
from judges.openai.dots import Dots, ask
from counterbench.asking.probe import Limits
source = Dots(8)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
progress = ask(source, sys.argv[1], Path(sys.argv[2]), limits=Limits(concurrency=4, retries=0))
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps({"failed": progress.failed, "megabytes": (after - before) / 1024}))
"""


@pytest.mark.slow
def test_a_gzip_bomb_takes_little_memory(out: Path) -> None:
    """300 MB of nothing in 300 kB: four at once took 2.4 GB."""
    bomb = Raw(gzip.compress(bytes(300 * 2**20)), headers={"content-encoding": "gzip"})
    with LoopbackServer(bomb) as server:
        done = subprocess.run(
            [sys.executable, "-c", _PEAK, server.url, str(out)],
            env={"PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}"},
            capture_output=True,
            text=True,
            timeout=100,
            check=True,
        )
    found = json.loads(done.stdout)
    assert found["failed"] == 16
    assert found["megabytes"] < 200
