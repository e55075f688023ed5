"""What goes wrong with a local model: memory runs out, a question is poison, a device breaks, the user has enough."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="needs the extra heavy: pip install -e '.[heavy]'")
pytest.importorskip("transformers", reason="needs the extra heavy: pip install -e '.[heavy]'")

import msgspec

from counterbench.drawing.picture import Picture
from counterbench.errors import InputError
from counterbench.judges.base import Judge, Reply
from counterbench.judges.local import TransformersJudge
from counterbench.runs.queries import Query
from counterbench.testing import sample_queries

pytestmark = pytest.mark.slow

Build = Callable[..., Path]
Ask = Callable[[Judge, Sequence[Query]], list[Reply]]
Choke = Callable[..., tuple[TransformersJudge, Any]]


def texts(replies: Sequence[Reply]) -> list[str | None]:
    return [reply.text for reply in replies]


def test_out_of_memory_halves_the_batch_for_good(small: Build, choking: Choke, ask: Ask) -> None:
    queries = sample_queries(10)
    judge, model = choking(small(), {}, room=3)
    replies = ask(judge, queries)
    assert texts(replies) == texts(ask(TransformersJudge(str(small()), {}), queries))
    assert model.sizes == [8, 4] + [2] * 10


def test_out_of_memory_halves_the_candidates_too(small: Build, choking: Choke, ask: Ask) -> None:
    queries = [query for query in sample_queries(10) if query.answer_type == "colour-shape"]
    judge, model = choking(small(), {"mode": "choice"}, room=3)
    free = ask(TransformersJudge(str(small()), {"mode": "choice"}), queries)
    for tight, wide in zip(ask(judge, queries), free, strict=True):
        assert tight.text == wide.text
        assert tight.choices == pytest.approx(wide.choices, abs=1e-3)
    assert model.sizes[:4] == [1, 8, 4, 2]


def test_a_placeholder_in_the_question_fails_that_question_only(small: Build, ask: Ask) -> None:
    queries = sample_queries(3)
    queries[2] = msgspec.structs.replace(queries[2], text="Is <image> a picture?")
    replies = ask(TransformersJudge(str(small()), {}), queries)
    assert replies[2].failure is not None
    assert all(reply.text for i, reply in enumerate(replies) if i != 2)


def test_a_question_longer_than_the_model_can_take_fails_alone(small: Build, ask: Ask) -> None:
    queries = sample_queries(3)
    queries[1] = msgspec.structs.replace(queries[1], text=queries[1].text * 500)
    replies = ask(TransformersJudge(str(small()), {}), queries)
    assert replies[1].failure is not None
    assert "longer than the model's 4096" in replies[1].failure.message
    assert all(reply.text for i, reply in enumerate(replies) if i != 1)


def test_a_broken_device_stops_the_run(small: Build, choking: Choke, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    judge, model = choking(small(), {})

    def broken(**inputs: Any) -> Any:
        raise RuntimeError("CUDA error: device-side assert triggered")

    monkeypatch.setattr(model, "generate", broken)
    assert all(reply.stop for reply in ask(judge, sample_queries(2)))


def test_a_missing_picture_is_raised(small: Build, ask: Ask, tmp_path: Path) -> None:
    (query, *_) = sample_queries(1)
    query = msgspec.structs.replace(query, pictures=(Picture.from_file(tmp_path / "gone.png"),))
    with pytest.raises(InputError, match=r"gone\.png"):
        ask(TransformersJudge(str(small()), {}), [query])


@pytest.mark.parametrize("options", [{"max_tokens": "1000000"}, {"mode": "choice", "batch": "1"}], ids=str)
def test_cancelling_stops_the_model_soon(small: Build, options: dict[str, str]) -> None:
    judge = TransformersJudge(str(small(chatty=True)), options)
    assert judge._checkpoint is not None
    judge._checkpoint.model.generation_config.eos_token_id = None
    queries = sample_queries(2) if "max_tokens" in options else sample_queries(10) * 50

    async def cancelled() -> float:
        task = asyncio.create_task(judge.answer(queries))  # type: ignore[arg-type]
        await asyncio.sleep(0.5)
        assert not task.done()
        began = time.perf_counter()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await judge.close()  # waits for the worker
        return time.perf_counter() - began

    assert asyncio.run(cancelled()) < 20  # on a busy machine; all that was asked would take minutes


def test_after_close_the_model_is_gone(small: Build, ask: Ask) -> None:
    judge = TransformersJudge(str(small()), {})
    ask(judge, [])
    assert judge._checkpoint is None
