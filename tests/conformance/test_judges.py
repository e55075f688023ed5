"""The conformance kit: every judge of ours passes it, and judges with a fault in the seam do not."""

import asyncio
import itertools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from sweeping import swept

import counterbench as cb
from counterbench.answers.outcomes import Failed
from counterbench.judges.base import Judge, Reply
from counterbench.judges.pixels import PixelReader
from counterbench.judges.planted import PLANTED, PlantedJudge
from counterbench.judges.replay import ReplayJudge
from counterbench.runs.queries import Query
from counterbench.testing import check_judge, sample_keys, sample_queries


def test_the_pixel_reader_conforms() -> None:
    check_judge(PixelReader)


@swept("name", PLANTED)
def test_every_planted_judge_conforms(name: str) -> None:
    check_judge(lambda: PlantedJudge(name, sample_keys()))


def test_a_replay_judge_conforms(tmp_path: Path) -> None:
    cb.probe("smoke", "planted:noisy?p=0.5", tmp_path / "run")
    check_judge(lambda: ReplayJudge(tmp_path / "run"))


def test_sample_queries_have_keys_one_picture_and_templated_words() -> None:
    queries, known = sample_queries(3), sample_keys(3)
    assert [q.id for q in queries] == [k.id for k in known]
    assert len(queries) == 6
    assert [q for q in queries if not (len(q.pictures) == 1 and q.text.endswith("."))] == []


class Fine:
    """A judge that conforms: its answer depends on the picture and the words alone."""

    name = "fine"
    max_batch = 4
    max_in_flight = 2

    def say(self, query: Query, batch: Sequence[Query]) -> Reply:
        return Reply(text=query.digest)

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        await asyncio.sleep(0)
        return [self.say(query, batch) for query in batch]

    async def close(self) -> None: ...


def test_a_judge_of_ones_own_conforms() -> None:
    assert isinstance(Fine(), Judge)
    check_judge(Fine)


class Racy(Fine):
    last: Query | None = None

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        self.last = batch[0] if batch else None
        await asyncio.sleep(0)
        return [self.say(query, batch) if self.last is batch[0] else Reply(text="mixed up") for query in batch]


class NoClose:
    name = "no close"
    max_batch = max_in_flight = 1

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        return [Reply(text="yes")] * len(batch)


class RenamesItself(Fine):
    """As a judge might that takes over the model id which its server returns."""

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        self.name = "fine-2026-07"
        return await super().answer(batch)


def fine_but(**members: Any) -> type[Fine]:
    return type("FineBut", (Fine,), members)


def replying(bend: Callable[[list[Reply]], list[Reply]]) -> type[Fine]:
    """Its replies, bent."""

    async def answer(self: Fine, batch: Sequence[Query]) -> Sequence[Reply]:
        return bend([self.say(query, batch) for query in batch])

    return fine_but(answer=answer)


def out_of_memory(*_: Any) -> Reply:
    raise RuntimeError("out of memory")


count = itertools.count()
Moody = fine_but(say=lambda self, query, batch: Reply(text=str(next(count))))
TooFew = replying(lambda replies: replies[:3])
BROKEN: dict[str, tuple[Callable[[], Any], str]] = {
    "wrong order": (replying(lambda replies: replies[::-1]), "other replies"),
    "too few": (TooFew, "replies for a batch of"),
    "by its batch": (fine_but(say=lambda _, query, batch: Reply(text=f"{query.digest} {len(batch)}")), "other replies"),
    "racy": (Racy, "other replies"),
    "moody": (Moody, "other replies"),
    "strings": (fine_but(say=lambda self, query, batch: query.digest), "is not a Reply"),
    "name of the instance": (fine_but(name=property(lambda self: f"fine at {id(self)}")), "different names"),
    "no name": (fine_but(name=""), "name is empty"),
    "no batch": (fine_but(max_batch=0), "max_batch is 0"),
    "no flight": (fine_but(max_in_flight=0), "max_in_flight is 0"),
    "no close": (NoClose, "lacks members of Judge: name, max_batch, max_in_flight, answer, close"),
    "renames itself": (RenamesItself, "the name changed"),
    "raises": (fine_but(say=out_of_memory), "it raised RuntimeError"),
    "not async": (fine_but(answer=lambda self, batch: [Reply(text="yes")] * len(batch)), "it raised TypeError"),
    "close raises": (fine_but(close=out_of_memory), "it raised RuntimeError"),
}


@swept("broken", BROKEN)
def test_a_judge_that_breaks_the_seam_is_found_out(broken: str) -> None:
    judge, message = BROKEN[broken]
    with pytest.raises(AssertionError, match=message):
        check_judge(judge)


def test_failing_judges_conform_and_so_do_declared_sampling_judges() -> None:
    check_judge(fine_but(say=lambda self, query, batch: Reply(failure=Failed("quota"))))
    check_judge(Moody, deterministic=False)
    with pytest.raises(AssertionError, match="replies for a batch of"):
        check_judge(TooFew, deterministic=False)
