"""Replies that are larger than what is read of one."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from judges.openai.dots import Dots, ask, records
from loopback import Draw, LoopbackServer, Raw, Say

from counterbench.asking.asker import Limits
from counterbench.errors import JudgeError
from counterbench.judges.openai.replies import MOST_BYTES
from counterbench.t2i.generators.base import DrawingRequest
from counterbench.t2i.generators.openai_images import OpenAIImages

LARGE = Raw(b'{"choices": [{"message": {"content": "' + b" " * MOST_BYTES + b'yes"}}]}')


def test_a_reply_that_is_too_large_is_a_failure_of_its_own(tmp_path: Path) -> None:
    with LoopbackServer(LARGE) as server:
        assert ask(Dots(1), server, tmp_path / "run").failed == 2
        assert len(server.questions) == 2, "nothing is asked again at once"
        server.script = lambda asked: Say("2")
        assert ask(Dots(1), server, tmp_path / "run").complete
    failures = [record.failure for record in records(tmp_path / "run") if record.failure]
    assert [failure.kind for failure in failures] == ["too-large"] * 2
    assert all(f"more than {MOST_BYTES} bytes" in failure.message for failure in failures)


def test_an_error_that_is_nested_deeply_keeps_its_status(tmp_path: Path) -> None:
    with LoopbackServer(Raw(b"[" * 100_000, "application/json", 400)) as server, pytest.raises(JudgeError, match="400"):
        ask(Dots(3), server, tmp_path / "run", limits=Limits(retries=0, concurrency=1))
    assert {r.failure.kind for r in records(tmp_path / "run") if r.failure is not None} == {"http-400"}


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
