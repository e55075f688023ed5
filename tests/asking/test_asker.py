"""Asking: only retryable failures are retried, every attempt is recorded, and a fatal one ends the run at once."""

import asyncio
import itertools
import math
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import pytest
from asking.fakes import (
    AGAIN,
    BUSY,
    FAILURE,
    GONE,
    QUICK,
    REFUSED,
    YES,
    BrokenJudge,
    Scripted,
    due,
    held_off,
    pending,
    raising,
)
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from PIL import Image
from sweeping import swept

from counterbench.answers.outcomes import Failed
from counterbench.asking import asker as asker_module
from counterbench.asking.asker import Asker, Limits, PendingQuery
from counterbench.drawing.picture import Picture
from counterbench.errors import InputError
from counterbench.judges.base import Reply, Retry
from counterbench.runs.folder import Record


def ask(judge: Any, queries: Iterable[PendingQuery], limits: Limits = QUICK, **more: Any) -> tuple[Asker, list[Record]]:
    """The asker, and every record in the order in which it was kept; what hangs is a failure, not an endless test."""
    kept: list[Record] = []
    asker = Asker(judge, limits, **more)
    asyncio.run(asyncio.wait_for(asker.ask(queries, kept.extend), 20))
    assert asker.budget.under_way == 0
    return asker, kept


def tried(records: Sequence[Record]) -> dict[str, list[tuple[int, str]]]:
    """For each question its attempts with their outcomes."""
    found: dict[str, list[tuple[int, str]]] = {}
    for record in records:
        found.setdefault(record.id, []).append((record.attempts, record.outcome))
    return found


NOT_0 = ("concurrency", "max_calls", "max_cost", "rpm", "backoff")
WRONG = [*itertools.product(NOT_0, (0, -1, math.nan)), ("retries", -1), ("retries", 101)]


@swept(("name", "value"), WRONG)
def test_limits_of_zero_and_endless_retries_are_refused(name: str, value: float) -> None:
    bounds = "from 0 to 100" if name == "retries" else "more than 0"
    with pytest.raises(InputError, match=f"{name} must be {bounds}, not {value}"):
        Limits(**{name: value})  # type: ignore[arg-type]


@given(
    count=st.integers(0, 70),
    batch=st.integers(1, 9),
    in_flight=st.integers(1, 6),
    concurrency=st.none() | st.integers(1, 8),
    answered=st.sets(st.integers(0, 70), max_size=30),
)
def test_pending_queries_are_asked_once_in_order_within_the_limits(
    count: int, batch: int, in_flight: int, concurrency: int | None, answered: set[int]
) -> None:
    judge = Scripted(max_batch=batch, max_in_flight=in_flight, seconds=lambda id: 0.001 * (int(id[1:]) % 3 == 0))
    asker, kept = Asker(judge, Limits(concurrency=concurrency)), []
    asyncio.run(asker.ask(pending(count), kept.extend, {f"identity of q{i}" for i in answered}))
    wanted = [f"q{i}" for i in range(count) if i not in answered]
    assert judge.asked_ids == wanted
    assert sorted(record.id for record in kept) == sorted(wanted)
    assert judge.peak <= min(in_flight, concurrency or in_flight)
    assert [batch_asked for batch_asked in judge.batches[:-1] if len(batch_asked) != batch] == []


def with_large_picture(item: PendingQuery) -> PendingQuery:
    picture = Picture(lambda: Image.new("RGB", (1024, 1024)), item.identity)
    picture.image()
    return replace(item, query=replace(item.query, pictures=(picture,)))


@pytest.mark.parametrize(
    ("count", "make", "most"),
    [
        (300, lambda item: item, 3 * 16),
        (40, with_large_picture, (32 + 8) // 4 + 2),  # megabytes that wait and are made at once; and one of each more
    ],
    ids=["small", "about large pictures"],
)
def test_questions_are_made_in_a_thread_and_not_far_ahead_of_their_use(
    count: int, make: Callable[[PendingQuery], PendingQuery], most: int
) -> None:
    made = asked_count = furthest = 0
    here = threading.get_ident()

    def source() -> Iterator[PendingQuery]:
        nonlocal made
        for item in map(make, pending(count)):
            assert threading.get_ident() != here
            made += 1
            yield item

    def say(id: str, times: int) -> Reply:
        nonlocal asked_count, furthest
        asked_count += 1
        furthest = max(furthest, made - asked_count)
        return YES

    ask(Scripted(say, seconds=lambda id: 0.002), source())
    assert (made, asked_count) == (count, count)
    assert furthest <= most


def test_an_error_while_making_a_question_ends_the_run() -> None:
    def source() -> Iterator[PendingQuery]:
        yield from pending(40)
        raise InputError("the picture is gone")

    judge = Scripted()
    with pytest.raises(InputError, match="the picture is gone"):
        ask(judge, source())
    assert len(judge.asked_ids) <= 40


def test_a_cancelled_asker_stops_and_leaves_no_tasks() -> None:
    async def work() -> None:
        kept: list[Record] = []
        asker = Asker(Scripted(seconds=lambda id: 60, max_in_flight=3), QUICK)
        task = asyncio.create_task(asker.ask(pending(9), kept.extend))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (kept, asker.budget.under_way) == ([], 0)
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(work())


@given(
    plans=st.lists(st.tuples(st.integers(0, 4), st.sampled_from([YES, FAILURE])), min_size=1, max_size=10),
    batch=st.integers(1, 4),
    retries=st.integers(0, 3),
)
def test_only_retryable_failures_are_asked_again(plans: list[tuple[int, Reply]], batch: int, retries: int) -> None:
    plan = {f"q{i}": p for i, p in enumerate(plans)}

    def say(id: str, times: int) -> Reply:
        failures, end = plan[id]
        return AGAIN if times <= failures else end

    judge = Scripted(say, max_batch=batch, max_in_flight=3)
    asker, records = ask(judge, pending(len(plans)), Limits(backoff=1e-6, retries=retries))
    for id, attempts in tried(records).items():
        failures, end = plan[id]
        last = "answer" if end is YES else "failed"
        expected = ["failed"] * min(failures, retries + 1) + [last] * (failures <= retries)
        assert attempts == list(enumerate(expected, 1))
    assert judge.times == Counter(record.id for record in records)
    assert asker.budget.calls == len(records)
    assert asker.stopped == ""


@pytest.mark.parametrize(("most", "tries"), [(0, 1), (1, 2), (None, 3)])
def test_a_failure_may_limit_its_retries(most: int | None, tries: int) -> None:
    failure = replace(AGAIN, retry=Retry(most=most))
    _, records = ask(Scripted(lambda id, times: failure), pending(1), Limits(backoff=1e-6, retries=2))
    assert [record.attempts for record in records] == list(range(1, tries + 1))


def test_waits_double_up_to_a_maximum_with_random_jitter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asker_module, "_MAX_WAIT", 0.08)
    judge = Scripted(lambda id, times: AGAIN, max_in_flight=8)
    ask(judge, pending(8), Limits(backoff=0.02, retries=4))
    firsts = []
    for id in judge.times:
        moments = [at for at, batch in zip(judge.began, judge.batches, strict=True) if batch == [id]]
        gaps = [b - a for a, b in itertools.pairwise(moments)]
        assert len(gaps) == 4
        for gap, longest in zip(gaps, [0.02, 0.04, 0.08, 0.08], strict=True):
            assert longest / 2 * 0.95 <= gap <= longest + 0.5
        firsts.append(gaps[0])
    assert max(firsts) - min(firsts) > 0, "those who failed together return together"


def test_concurrency_starts_full_falls_after_an_overload_and_recovers() -> None:
    levels: dict[str, int] = {}

    def seconds(id: str) -> float:
        levels.setdefault(id, judge.running)
        return 0.005

    wave = {f"q{i}" for i in range(16)}
    judge = Scripted(lambda id, times: BUSY if times == 1 and id in wave else YES, max_in_flight=16, seconds=seconds)
    ask(judge, pending(300), Limits(backoff=0.1))
    assert judge.peak == max(levels[id] for id in wave) == 16
    assert max(levels[f"q{i}"] for i in range(16, 24)) <= 10
    assert max(levels[f"q{i}"] for i in range(200, 280)) == 16


def test_a_pause_that_the_server_asks_for_holds_all_calls() -> None:
    judge = Scripted(lambda id, times: held_off(0.3) if (id, times) == ("q0", 1) else YES, max_in_flight=2)
    ask(judge, pending(6))
    late = [began - judge.began[0] for began in judge.began[2:]]
    assert len(late) == 5
    assert min(late) >= 0.29


@pytest.mark.parametrize("after", [300.5, 1e6])
def test_a_server_that_asks_for_a_long_pause_ends_the_run(after: float) -> None:
    judge = Scripted(lambda id, times: held_off(after))
    asker, records = ask(judge, pending(5))
    assert asker.stopped == f"the server asks for a pause of {after:.0f} seconds"
    assert not asker.fatal
    assert len(judge.asked_ids) == len(records) == 1


def test_twenty_failures_in_a_row_end_the_run() -> None:
    judge = Scripted(lambda id, times: AGAIN)
    asker, _ = ask(judge, pending(30), Limits(backoff=1e-6, retries=1))
    assert asker.stopped == "20 questions in a row failed after all retries; the last: http-500 it may pass"
    assert not asker.fatal
    assert len(judge.asked_ids) == 40


def refusing_judge(count: int, at: int = 0) -> Scripted:
    """A judge that refuses so many questions from one on, and answers the others."""
    bad = {f"q{i}" for i in range(at, at + count)}
    return Scripted(lambda id, times: REFUSED if id in bad else YES)


@pytest.mark.parametrize(("count", "at"), [(2, 0), (1, 5), (19, 1)])
def test_a_refusal_of_one_question_does_not_end_the_run(count: int, at: int) -> None:
    judge = refusing_judge(count, at)
    asker, records = ask(judge, pending(25))
    assert (asker.stopped, asker.fatal) == ("", False)
    assert Counter(r.outcome for r in records) == {"failed": count, "answer": 25 - count}
    assert len(judge.asked_ids) == 25, "nothing is asked again"


@pytest.mark.parametrize(("count", "at", "calls"), [(30, 0, 3), (30, 1, 21), (2, 0, 2)])
def test_a_refusal_that_all_questions_meet_ends_the_run(count: int, at: int, calls: int) -> None:
    """Before anything was answered, also when there are no others."""
    judge = refusing_judge(count, at)
    asker, _ = ask(judge, pending(count + at))
    assert (asker.stopped, asker.fatal) == ("check the model", True)
    assert len(judge.asked_ids) == calls


def test_quick_refusals_do_not_end_a_run_while_replies_are_under_way() -> None:
    """A model takes its time, a refusal does not."""
    bad = {f"q{i}" for i in range(7)}
    judge = Scripted(
        lambda id, times: REFUSED if id in bad else YES, max_in_flight=8, seconds=lambda id: 0.1 * (id not in bad)
    )
    asker, _ = ask(judge, pending(30))
    assert asker.stopped == ""


NEVER = 1e6  # seconds: a test that waits so long does not end


def test_a_stopped_run_drops_waiting_calls_and_gives_up_those_that_hang(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(asker_module, "_SECONDS_FOR_LAST_REPLIES", 0.3)
    seconds = {"q0": 0.0, "q1": 0.1, "q2": 0.2, "q3": NEVER}
    judge = Scripted(
        lambda id, times: {"q0": AGAIN, "q1": GONE}.get(id, YES), max_in_flight=4, seconds=lambda id: seconds[id]
    )
    asker, records = ask(judge, pending(4), Limits(backoff=NEVER))
    assert (asker.stopped, asker.fatal) == ("check the key: MY_KEY", True)
    assert [r.id for r in records] == ["q0", "q1", "q2"], "what is in flight comes back, if it comes soon"


def test_a_server_that_never_answers_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asker_module, "_MAX_SILENCE", 0.05)
    judge = Scripted(lambda id, times: AGAIN, seconds=lambda id: 0.03)
    asker, records = ask(judge, pending(4), Limits(retries=50, backoff=1e-6))
    assert asker.stopped.startswith("no reply for 0 seconds; the last failure: http-500 it may pass")
    assert not asker.fatal
    assert 3 <= len(records) < 10


def test_a_first_question_that_fails_does_not_end_a_run_with_a_limit_on_money() -> None:
    def say(id: str, times: int) -> Reply:
        return AGAIN if (id, times) == ("q0", 1) else Reply(text="yes", cost=0.01)

    judge = Scripted(say, max_in_flight=4, seconds=lambda id: 0.01)
    asker, records = ask(judge, pending(4), Limits(max_cost=1.0, backoff=0.01))
    assert asker.stopped == ""
    assert len(judge.batches[0]) == 1
    assert judge.batches[1] != judge.batches[0], "asked alone, until a price is known"
    assert sum(record.final for record in records) == 4


def test_a_retry_waits_for_budget_reserved_by_calls_under_way() -> None:
    """One dear call, then cheap ones: while they are under way money is set aside for them, and comes back."""
    seconds = {"q0": 0.0, "q1": 0.0, "q2": 0.02, "q3": 0.3, "q4": 0.3}

    def say(id: str, times: int) -> Reply:
        return AGAIN if (id, times) == ("q1", 1) else Reply(text="yes", cost=0.3 if id == "q0" else 0.01)

    judge = Scripted(say, max_in_flight=3, seconds=lambda id: seconds[id])
    asker, records = ask(judge, pending(5), Limits(max_cost=1.0, backoff=0.2))
    assert asker.stopped == ""
    assert sum(record.final for record in records) == 5
    assert asker.budget.cost < 0.4


@pytest.mark.parametrize("error", [RuntimeError("boom"), TimeoutError("60 s"), ValueError()])
def test_an_exception_in_a_judge_is_one_failure_without_retry(error: Exception) -> None:
    judge = BrokenJudge(raising(error), max_batch=2)
    _, records = ask(judge, pending(2))
    assert [r.failure for r in records] == [Failed(type(error).__name__, str(error))] * 2
    assert len(judge.batches) == 1


def test_every_observed_field_of_a_reply_is_in_its_record() -> None:
    reply = Reply(text="Yes.", model="m", finish="stop", tokens_in=9, tokens_out=2, cost=0.5, mode="generate",
                  choices={"yes": -0.1}, dropped=("seed",))  # fmt: skip
    _, (record,) = ask(Scripted(lambda id, times: reply), [due("q")])
    assert (record.id, record.identity, record.asked, record.outcome) == ("q", "identity of q", "digest", "answer")
    for name in ("model", "finish", "tokens_in", "tokens_out", "cost", "mode", "choices", "logprobs", "dropped"):
        assert getattr(record, name) == getattr(reply, name)
    assert record.reply == reply.text
    assert record.seconds is not None
