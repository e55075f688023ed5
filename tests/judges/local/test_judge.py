"""The judge as a whole, on small real models: the contract, batches, memory, failures, cancelling."""

import asyncio
import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="needs the extra heavy: pip install -e '.[heavy]'")
pytest.importorskip("transformers", reason="needs the extra heavy: pip install -e '.[heavy]'")

import msgspec
import torch
from judges.compared import replies_to
from judges.local.asked_here import Build, choking, mixed_queries
from small_vlm import ARCHITECTURES

from counterbench.answers import ANSWER_TYPES
from counterbench.drawing.picture import Picture
from counterbench.errors import InputError
from counterbench.judges.base import Reply
from counterbench.judges.local.checkpoint_judge import TransformersJudge
from counterbench.judges.local.prompts import Prompted
from counterbench.testing import check_judge, sample_queries

pytestmark = pytest.mark.slow


def texts(replies: Sequence[Reply]) -> list[str | None]:
    return [reply.text for reply in replies]


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("options", [{}, {"mode": "choice"}, {"temperature": "1.0", "max_tokens": "4"}], ids=str)
def test_the_local_judge_conforms(build: Build, architecture: str, options: dict[str, str]) -> None:
    check_judge(lambda: TransformersJudge(str(build(architecture, chatty=True)), {"max_tokens": "12", **options}))


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_batch_size_changes_no_greedy_reply(build: Build, architecture: str) -> None:
    path, queries = str(build(architecture, chatty=True)), mixed_queries()
    few = replies_to(TransformersJudge(path, {"batch": "1", "max_tokens": "24"}), queries)
    many = replies_to(TransformersJudge(path, {"batch": "5", "max_tokens": "24"}), queries)
    assert texts(many) == texts(few)
    assert [(r.tokens_in, r.tokens_out, r.finish) for r in many] == [(r.tokens_in, r.tokens_out, r.finish) for r in few]
    assert len({reply.tokens_in for reply in few}) > 5, "lengths differ, so there was padding"


def test_replies_record_the_observed_fields(build: Build) -> None:
    path = str(build())
    judge = TransformersJudge(path, {})
    assert judge.name == f"transformers:{path}"
    assert (judge.max_batch, judge.max_in_flight) == (32, 2)
    assert judge.versions["device"] == ("cuda:0" if torch.cuda.is_available() else "cpu")
    assert judge.versions["dtype"] == "float32"
    assert judge.versions["torch"] == str(torch.__version__)
    half = TransformersJudge(path, {"dtype": "bfloat16", "device": "cpu"})
    assert (half.versions["device"], half.versions["dtype"]) == ("cpu", "bfloat16")
    assert [reply for reply in replies_to(half, sample_queries(4)) if not reply.text] == []
    (reply,) = replies_to(judge, sample_queries(1)[:1])
    assert reply.text
    assert "<" not in reply.text, "special tokens are removed"
    assert reply.model.startswith(f"{path}@")
    assert (reply.mode, reply.finish, reply.cost) == ("generate", "stop", 0.0)
    assert reply.tokens_out == 2, "the word and the end"
    assert reply.choices is None


def test_a_reply_that_is_cut_off_says_so(build: Build) -> None:
    for limit in (1, 3):
        replies = replies_to(TransformersJudge(str(build(chatty=True)), {"max_tokens": str(limit)}), sample_queries(4))
        assert [r for r in replies if r.finish != "stop" and not (r.finish == "length" and r.tokens_out == limit)] == []
        assert any(r.finish == "length" for r in replies), replies


def test_sampling_depends_only_on_query_repeat_and_seed(build: Build) -> None:
    path, queries = str(build(chatty=True)), sample_queries(3)
    options = {"temperature": "1.5", "max_tokens": "12"}
    state = torch.random.get_rng_state()
    first = texts(replies_to(TransformersJudge(path, options), queries))
    assert torch.equal(state, torch.random.get_rng_state()), "others' random numbers are left alone"
    backwards = texts(replies_to(TransformersJudge(path, {**options, "batch": "2"}), queries[::-1]))
    assert backwards[::-1] == first
    repeats = [msgspec.structs.replace(query, repeat=1) for query in queries]
    second = texts(replies_to(TransformersJudge(path, options), repeats))
    other = texts(replies_to(TransformersJudge(path, {**options, "seed": "1"}), queries))
    assert [(a, b, c) for a, b, c in zip(first, second, other, strict=True) if not (a != b and a != c)] == []


def test_sampling_draws_from_the_whole_distribution(build: Build) -> None:
    judge, model = choking(build(), {"temperature": "0.5"})
    replies_to(judge, sample_queries(1))
    sent = {name: model.inputs[name] for name in ("do_sample", "temperature", "top_k", "top_p")}
    assert sent == {"do_sample": True, "temperature": 0.5, "top_k": 0, "top_p": 1.0}, "transformers' own top_k is 50"


def test_questions_of_like_length_are_asked_together(build: Build) -> None:
    queries = [msgspec.structs.replace(q, text=q.text * (1 + i % 4)) for i, q in enumerate(sample_queries(8))]
    judge, model = choking(build(), {"batch": "4"})
    replies_to(judge, queries)
    assert model.sizes == [4] * 4
    assert model.widths == sorted(model.widths)
    assert model.widths[0] < model.widths[-1] / 2


def test_a_prompt_has_one_begin_token(build: Build) -> None:
    judge, _ = choking(build(), {})
    checkpoint = judge._checkpoint
    (query, *_) = sample_queries(1)
    prompted = Prompted(0, query, checkpoint.prompts.text(query), tuple(p.image() for p in query.pictures))
    tokens = checkpoint.encode([prompted])["input_ids"][0].tolist()
    assert tokens.count(checkpoint.processor.tokenizer.bos_token_id) == 1


def test_choice_mode_generates_for_open_questions_and_records_it(build: Build) -> None:
    queries = sample_queries(10)
    replies = replies_to(TransformersJudge(str(build()), {"mode": "choice"}), queries)
    assert {reply.mode for reply in replies} == {"choice", "generate"}
    for query, reply in zip(queries, replies, strict=True):
        alphabet = ANSWER_TYPES[query.answer_type].alphabet
        assert reply.mode == ("choice" if alphabet else "generate")
        assert list(reply.choices or ()) == list(alphabet or ())


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_pictures_change_the_answers_of_a_model_unless_it_is_blind(build: Build, architecture: str) -> None:
    """Other tests rely on this: pictures make a difference, unless the model was built blind."""
    queries = sample_queries(12)
    for mode in ("generate", "choice"):
        seeing = texts(replies_to(TransformersJudge(str(build(architecture)), {"mode": mode}), queries))
        assert seeing[::2] != seeing[1::2]
        blind = texts(replies_to(TransformersJudge(str(build(architecture, blind=True)), {"mode": mode}), queries))
        assert blind[::2] == blind[1::2]
        assert len(set(blind)) > 2


# ---- what goes wrong: memory runs out, a question is poison, a device breaks, the user has enough


def test_out_of_memory_halves_the_batch(build: Build) -> None:
    queries = sample_queries(10)
    judge, model = choking(build(), {}, room=3)
    replies = replies_to(judge, queries)
    assert texts(replies) == texts(replies_to(TransformersJudge(str(build()), {}), queries))
    assert model.sizes == [8, 4] + [2] * 10


def test_out_of_memory_halves_the_candidates_too(build: Build) -> None:
    queries = [query for query in sample_queries(10) if query.answer_type == "colour-shape"]
    judge, model = choking(build(), {"mode": "choice"}, room=3)
    free = replies_to(TransformersJudge(str(build()), {"mode": "choice"}), queries)
    for tight, wide in zip(replies_to(judge, queries), free, strict=True):
        assert tight.text == wide.text
        assert tight.choices == pytest.approx(wide.choices, abs=1e-3)
    assert model.sizes[:7] == [4, 2, 32, 16, 8, 4, 2]  # questions, and what follows them


@pytest.mark.parametrize(
    ("put", "message"),
    [(lambda text: "Is <image> a picture?", ""), (lambda text: text * 500, "longer than the model's 4096")],
    ids=["a placeholder", "longer than the model can take"],
)
def test_a_question_that_cannot_be_asked_fails_alone(build: Build, put: Callable[[str], str], message: str) -> None:
    queries = sample_queries(3)
    queries[1] = msgspec.structs.replace(queries[1], text=put(queries[1].text))
    replies = replies_to(TransformersJudge(str(build()), {}), queries)
    assert message in replies[1].failure.message
    assert [(i, reply) for i, reply in enumerate(replies) if i != 1 and not reply.text] == []


def test_a_broken_device_stops_the_run(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    judge, model = choking(build(), {})

    def broken(**inputs: Any) -> Any:
        raise RuntimeError("CUDA error: device-side assert triggered")

    monkeypatch.setattr(model, "generate", broken)
    assert [reply for reply in replies_to(judge, sample_queries(2)) if not reply.stop] == []


def test_a_missing_picture_is_raised(build: Build, tmp_path: Path) -> None:
    (query, *_) = sample_queries(1)
    query = msgspec.structs.replace(query, pictures=(Picture.from_file(tmp_path / "gone.png"),))
    with pytest.raises(InputError, match=r"gone\.png"):
        replies_to(TransformersJudge(str(build()), {}), [query])


@pytest.mark.parametrize("options", [{"max_tokens": "1000000"}, {"mode": "choice", "batch": "1"}], ids=str)
def test_cancelling_stops_the_model_soon(build: Build, options: dict[str, str]) -> None:
    judge = TransformersJudge(str(build(chatty=True)), options)
    judge._checkpoint.model.generation_config.eos_token_id = None
    queries = sample_queries(2) if "max_tokens" in options else sample_queries(10) * 50

    model, calls = judge._checkpoint.model, []
    forward = model.forward
    model.forward = functools.wraps(forward)(lambda *args, **options: calls.append(1) or forward(*args, **options))

    async def cancelled() -> int:
        task = asyncio.create_task(judge.answer(queries))  # type: ignore[arg-type]
        while len(calls) < 3:
            await asyncio.sleep(0.01)
        assert not task.done()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        then = len(calls)
        await judge.close()  # waits for the worker
        return len(calls) - then

    assert asyncio.run(cancelled()) <= 3  # of hundreds and more


def test_close_releases_the_model(build: Build) -> None:
    judge = TransformersJudge(str(build()), {})
    replies_to(judge, [])
    assert judge._checkpoint is None
