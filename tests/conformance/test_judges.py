"""The conformance kit: every judge of ours passes it, and judges with a fault in the seam do not."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

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


@pytest.mark.parametrize("name", PLANTED)
def test_every_planted_judge_conforms(name: str) -> None:
    check_judge(lambda: PlantedJudge(name, sample_keys()))


def test_replay_conforms(tmp_path: Path) -> None:
    cb.probe("smoke", "planted:noisy?p=0.5", tmp_path / "run")
    check_judge(lambda: ReplayJudge(tmp_path / "run"))


def test_samples_are_what_a_judge_gets() -> None:
    asked, known = sample_queries(3), sample_keys(3)
    assert [q.id for q in asked] == [k.id for k in known]
    assert len(asked) == 6
    assert all(len(q.pictures) == 1 and q.text.endswith(".") for q in asked)


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


def test_failures_as_replies_conform() -> None:
    class Failing(Fine):
        def say(self, query: Query, batch: Sequence[Query]) -> Reply:
            return Reply(failure=Failed("quota"))

    check_judge(Failing)


class WrongOrder(Fine):
    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        return [self.say(query, batch) for query in reversed(batch)]


class TooFew(Fine):
    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        return [self.say(query, batch) for query in batch[:3]]


class BatchDependent(Fine):
    def say(self, query: Query, batch: Sequence[Query]) -> Reply:
        return Reply(text=f"{query.digest} among {len(batch)}")


class Racy(Fine):
    last: Query | None = None

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        self.last = batch[0] if batch else None
        await asyncio.sleep(0)
        return [self.say(query, batch) if self.last is batch[0] else Reply(text="mixed up") for query in batch]


class Moody(Fine):
    count = itertools.count()

    def say(self, query: Query, batch: Sequence[Query]) -> Reply:
        return Reply(text=str(next(self.count)))


class Strings(Fine):
    def say(self, query: Query, batch: Sequence[Query]) -> Any:
        return query.digest


class NameOfTheInstance(Fine):
    def __init__(self) -> None:
        self.name = f"fine at {id(self)}"


class NoName(Fine):
    name = ""


class NoBatch(Fine):
    max_batch = 0


class NoFlight(Fine):
    max_in_flight = 0


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


class Raises(Fine):
    def say(self, query: Query, batch: Sequence[Query]) -> Reply:
        raise RuntimeError("out of memory")


class NotAsync(Fine):
    def answer(self, batch: Sequence[Query]) -> Any:
        return [self.say(query, batch) for query in batch]


class CloseRaises(Fine):
    async def close(self) -> None:
        raise RuntimeError("already closed")


BROKEN = {
    WrongOrder: "answered",
    TooFew: "replies to",
    BatchDependent: "answered",
    Racy: "answered",
    Moody: "answered",
    Strings: "is not a Reply",
    NameOfTheInstance: "different names",
    NoName: "name must be a text",
    NoBatch: "max_batch is 0",
    NoFlight: "max_in_flight is 0",
    NoClose: "lacks members of Judge: name, max_batch, max_in_flight, answer, close",
    RenamesItself: "the name changed",
    Raises: "it raised RuntimeError",
    NotAsync: "it raised TypeError",
    CloseRaises: "it raised RuntimeError",
}


@pytest.mark.parametrize("broken", BROKEN, ids=lambda judge: judge.__name__)
def test_a_judge_that_breaks_the_seam_is_found_out(broken: type) -> None:
    with pytest.raises(AssertionError, match=BROKEN[broken]):
        check_judge(broken)


def test_a_judge_that_samples_conforms_when_it_says_so() -> None:
    check_judge(Moody, deterministic=False)
    with pytest.raises(AssertionError, match="replies to"):
        check_judge(TooFew, deterministic=False)
