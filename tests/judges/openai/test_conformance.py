"""The conformance kit, over HTTP."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from judges.openai.dots import judge_at, said
from loopback import LoopbackServer, Reset, Say, Status, out_of_order, refusing

from counterbench.testing import check_judge, sample_queries


@pytest.mark.parametrize(
    ("api", "script"),
    [
        ("chat", out_of_order(0.03, Say(said))),
        ("chat", Status(401)),
        ("chat", Reset()),
        ("chat", refusing("temperature", "seed", "max_tokens", otherwise=Say(said))),
        ("responses", Say(said)),
    ],
    ids=["chat", "401", "reset", "refusing", "responses"],
)
def test_openai_judges_conform(api: str, script: Any) -> None:
    with LoopbackServer(script) as server:
        check_judge(lambda: judge_at(server, f"api={api}"))


def test_a_server_that_is_not_there_is_a_failure_and_no_exception() -> None:
    check_judge(lambda: judge_at("http://127.0.0.1:9/v1"))


def test_closing_twice_and_asking_after_closing(tmp_path: Path) -> None:
    with LoopbackServer(Say(said)) as server:
        judge = judge_at(server)
        (query, *_) = sample_queries(1)

        async def work() -> list[str | None]:
            texts = []
            for _ in range(2):
                texts += [reply.text for reply in await judge.answer([query])]
                await judge.close()
                await judge.close()
            return texts

        first, second = asyncio.run(work())
        assert first == second is not None


def test_cancelled_questions_leave_the_judge_usable() -> None:
    with LoopbackServer(lambda asked: replace(Say(said), delay=5 if asked.sequence <= 4 else 0)) as server:
        judge = judge_at(server)
        queries = sample_queries(4)

        async def work() -> object:
            slow = [asyncio.create_task(judge.answer([query])) for query in queries[:4]]
            await asyncio.sleep(0.2)
            for task in slow:
                task.cancel()
            assert {type(end) for end in await asyncio.gather(*slow, return_exceptions=True)} == {
                asyncio.CancelledError
            }
            try:
                return [reply.text for query in queries for reply in await judge.answer([query])]
            finally:
                await judge.close()

        texts = asyncio.run(work())
        assert len(set(texts)) == len(queries)  # type: ignore[arg-type]
        assert None not in texts  # type: ignore[operator]
