"""Asking: only what asks for it is asked again, every attempt is a record, and no judge ends a run by misbehaving."""

from __future__ import annotations

import asyncio
import inspect
import itertools
import math
import time
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterbench.answers.outcomes import Failed, outcome_name
from counterbench.answers.soft import Token, from_choices, from_logprobs
from counterbench.asking.asker import Asker, Due, Limits
from counterbench.asking.probe import probe
from counterbench.asking.runner import Progress
from counterbench.errors import InputError, JudgeError
from counterbench.judges.base import Reply, Retry
from counterbench.runs.journal import Journal, Record, read_journal
from counterbench.runs.queries import Query
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite

YES = Reply(text="yes")
FINAL = Reply(failure=Failed("http-400", "this question failed"))
AGAIN = Reply(failure=Failed("http-500", "it may pass"), retry=Retry())
BUSY = Reply(failure=Failed("http-429", "too many"), retry=Retry(overload=True))
QUICK = Limits(backoff=0.002)


def held_off(seconds: float) -> Reply:
    return Reply(failure=Failed("http-429", "later"), retry=Retry(after=seconds, overload=True))


def due(name: str) -> Due:
    query = Query(id=name, group=name, role="original", pictures=(), text="Is it red?", answer_type="yes-no")
    return Due(query, f"identity of {name}", "digest")


def dues(count: int, prefix: str = "q") -> list[Due]:
    return [due(f"{prefix}{i}") for i in range(count)]


class Scripted:
    """A judge that says what a function makes of a question's id and of how often it has been asked."""

    name = "scripted"

    def __init__(self, say: Callable[[str, int], Reply], *, max_batch: int = 1, max_in_flight: int = 1) -> None:
        self.say, self.max_batch, self.max_in_flight = say, max_batch, max_in_flight
        self.times: Counter[str] = Counter()
        self.calls: list[list[str]] = []
        self.began: list[float] = []
        self.seconds: Callable[[str], float] = lambda id: 0.0
        self.closed = 0

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        self.calls.append([query.id for query in batch])
        self.began.append(time.monotonic())
        for query in batch:
            self.times[query.id] += 1
        await asyncio.sleep(max(self.seconds(query.id) for query in batch) if batch else 0)
        return [self.say(query.id, self.times[query.id]) for query in batch]

    async def close(self) -> None:
        self.closed += 1


class Broken(Scripted):
    """A judge whose `answer` does something else."""

    def __init__(self, does: Callable[[Sequence[Query]], Any], **options: Any) -> None:
        super().__init__(lambda id, times: YES, **options)
        self.does = does

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        self.calls.append([query.id for query in batch])
        found = self.does(batch)
        return await found if inspect.iscoroutine(found) else found  # type: ignore[no-any-return]


def ask(judge: Any, batches: Sequence[Sequence[Due]], limits: Limits = QUICK) -> tuple[Asker, list[Record]]:
    """All batches at once; the asker, and every record in the order in which it was kept."""
    kept: list[Record] = []
    asker = Asker(judge, limits, kept.extend)

    async def work() -> None:
        await asyncio.wait_for(asyncio.gather(*(asker.start(batch) for batch in batches)), 20)

    asyncio.run(work())
    assert asker.pace.running == 0
    return asker, kept


def ask_one(reply: Any, limits: Limits = QUICK) -> Record:
    """The record of one question whose judge returns a list of this."""
    _, (record,) = ask(Broken(lambda batch: [reply] * len(batch)), [dues(1)], limits)
    return record


def tried(records: Sequence[Record]) -> dict[str, list[tuple[int, str]]]:
    """For each question its attempts with their outcomes."""
    found: dict[str, list[tuple[int, str]]] = {}
    for record in records:
        found.setdefault(record.id, []).append((record.attempts, record.outcome))
    return found


# ---- replies


def test_a_reply_is_a_text_or_a_failure_and_only_a_failure_is_tried_again_or_stops() -> None:
    for wrong in ({}, {"text": "yes", "failure": Failed("x")}):
        with pytest.raises(ValueError, match="either a text or a failure"):
            Reply(**wrong)  # type: ignore[arg-type]
    for more in ({"retry": Retry()}, {"stop": "no"}):
        with pytest.raises(ValueError, match="only a failure has"):
            Reply(text="yes", **more)  # type: ignore[arg-type]
        assert Reply(failure=Failed("x"), **more).text is None  # type: ignore[arg-type]
    assert Reply(text="").text == ""


# ---- limits that are none


@pytest.mark.parametrize("name", ["concurrency", "max_calls", "max_cost", "rpm", "tpm", "backoff"])
@pytest.mark.parametrize("value", [0, -1, float("nan")])
def test_limits_of_nothing_are_refused(name: str, value: float) -> None:
    with pytest.raises(InputError, match=f"--{name.replace('_', '-')} must be more than 0"):
        Limits(**{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [-1, 101])
def test_retries_are_some(value: int) -> None:
    with pytest.raises(InputError, match=f"--retries must be from 0 to 100, not {value}"):
        Limits(retries=value)
    assert Limits(retries=0).retries == 0


# ---- what is asked again


@given(
    plans=st.lists(st.tuples(st.integers(0, 4), st.sampled_from([YES, FINAL])), min_size=1, max_size=10),
    batch=st.integers(1, 4),
    retries=st.integers(0, 3),
)
@settings(max_examples=40)
def test_only_what_asks_for_it_is_asked_again(plans: list[tuple[int, Reply]], batch: int, retries: int) -> None:
    questions = dues(len(plans))
    plan = {f"q{i}": p for i, p in enumerate(plans)}

    def say(id: str, times: int) -> Reply:
        failures, end = plan[id]
        return AGAIN if times <= failures else end

    judge = Scripted(say, max_batch=batch, max_in_flight=3)
    batches = [questions[i : i + batch] for i in range(0, len(questions), batch)]
    asker, records = ask(judge, batches, Limits(backoff=1e-6, retries=retries))
    for id, attempts in tried(records).items():
        failures, end = plan[id]
        last = "answer" if end is YES else "failed"
        expected = ["failed"] * min(failures, retries + 1) + [last] * (failures <= retries)
        assert attempts == list(enumerate(expected, 1))
    assert judge.times == Counter(record.id for record in records)
    assert asker.budget.calls == len(records)
    assert asker.stopped == ""


def test_a_batch_asked_again_holds_only_what_failed_in_its_order() -> None:
    judge = Scripted(lambda id, times: AGAIN if id in ("q1", "q3") and times < 3 else YES, max_batch=5)
    _, records = ask(judge, [dues(5)])
    assert judge.calls == [["q0", "q1", "q2", "q3", "q4"], ["q1", "q3"], ["q1", "q3"]]
    assert tried(records)["q3"] == [(1, "failed"), (2, "failed"), (3, "answer")]
    assert all(record.failure is None or record.reply is None for record in records)


def test_what_cannot_pass_is_asked_once() -> None:
    judge = Scripted(lambda id, times: FINAL)
    _, records = ask(judge, [dues(1)])
    assert [(r.attempts, r.failure) for r in records] == [(1, FINAL.failure)]


@pytest.mark.parametrize("error", [RuntimeError("boom"), OSError(5, "io"), KeyError("x"), ValueError()])
def test_what_a_judge_raises_is_one_failure_and_not_tried_again(error: Exception) -> None:
    def does(batch: Sequence[Query]) -> Any:
        raise error

    judge = Broken(does)
    _, (record,) = ask(judge, [dues(1)])
    assert record.failure == Failed(type(error).__name__, str(error))
    assert len(judge.calls) == 1


def test_waits_double_and_are_partly_chance() -> None:
    judge = Scripted(lambda id, times: AGAIN)
    ask(judge, [dues(1)], Limits(backoff=0.02, retries=4))
    gaps = [b - a for a, b in itertools.pairwise(judge.began)]
    assert len(gaps) == 4
    for i, gap in enumerate(gaps):  # half of each is certain
        assert gap >= 0.01 * 2**i * 0.95
    assert sum(gaps) < 3 * 0.02 * 15 + 1


def test_who_fails_together_does_not_come_back_together() -> None:
    judge = Scripted(lambda id, times: AGAIN if times == 1 else YES, max_in_flight=20)
    ask(judge, [[one] for one in dues(20)], Limits(backoff=0.2))
    second = sorted(judge.began)[20:]
    assert second[-1] - second[0] > 0.02


def test_overloads_slow_down_and_are_asked_again() -> None:
    judge = Scripted(lambda id, times: BUSY if times == 1 else YES, max_in_flight=16)
    asker, records = ask(judge, [[one] for one in dues(16)])
    assert asker.pace.limit < 16
    assert Counter(r.outcome for r in records) == {"failed": 16, "answer": 16}


def test_a_pause_that_the_server_asks_for_holds_all_calls() -> None:
    judge = Scripted(lambda id, times: held_off(0.3) if (id, times) == ("q0", 1) else YES, max_in_flight=2)
    ask(judge, [[one] for one in dues(6)])
    late = [began - judge.began[0] for began in judge.began[2:]]
    assert len(late) == 5
    assert min(late) >= 0.29


@pytest.mark.parametrize("after", [float("nan"), -3.0, -math.inf, 0.0])
def test_a_pause_of_no_length_is_none(after: float) -> None:
    start = time.monotonic()
    judge = Scripted(lambda id, times: held_off(after) if times == 1 else YES)
    asker, records = ask(judge, [dues(1)])
    assert asker.stopped == ""
    assert [r.outcome for r in records] == ["failed", "answer"]
    assert time.monotonic() - start < 5


# ---- what stops


@pytest.mark.parametrize("after", [300.5, 1e6, math.inf])
def test_a_server_that_wants_to_be_left_alone_for_long_ends_it(after: float) -> None:
    start = time.monotonic()
    judge = Scripted(lambda id, times: held_off(after), max_in_flight=1)
    asker, records = ask(judge, [[one] for one in dues(5)])
    assert asker.stopped == f"the server asks to be left alone for {after:.0f} seconds"
    assert not asker.fatal
    assert len(judge.calls) == len(records) == 1
    assert asker.room(3) == 0
    assert time.monotonic() - start < 5


def test_twenty_questions_in_a_row_without_a_reply_end_it() -> None:
    judge = Scripted(lambda id, times: AGAIN)
    asker = Asker(judge, Limits(backoff=1e-6, retries=1), lambda records: None)

    async def work() -> None:
        for one in dues(30):
            if asker.room(1):
                await asker.start([one])

    asyncio.run(work())
    assert asker.stopped == "20 questions in a row failed after all retries; the last: http-500 it may pass"
    assert not asker.fatal
    assert len(judge.calls) == 40


def test_one_reply_in_between_counts_anew() -> None:
    judge = Scripted(lambda id, times: YES if id == "q15" else AGAIN)
    asker, records = ask(judge, [[one] for one in dues(34)], Limits(backoff=1e-6, retries=0))
    assert asker.stopped == ""
    assert len(records) == 34


def test_failures_that_cannot_pass_never_end_it() -> None:
    asker, records = ask(Scripted(lambda id, times: FINAL), [[one] for one in dues(50)])
    assert asker.stopped == ""
    assert len(records) == 50


def test_a_judge_that_cannot_be_asked_ends_it_at_once() -> None:
    no = Reply(failure=Failed("http-401", "wrong key"), stop="check the key: MY_KEY")
    judge = Scripted(lambda id, times: no)
    asker, records = ask(judge, [[one] for one in dues(9)])
    assert (asker.stopped, asker.fatal) == ("check the key: MY_KEY", True)
    assert [r.failure for r in records] == [no.failure]


def test_the_first_reason_counts() -> None:
    asker = Asker(Scripted(lambda id, times: YES), QUICK, lambda records: None)
    asker.stop("first")
    asker.stop("second", fatal=True)
    assert (asker.stopped, asker.fatal) == ("first", False)
    _, records = ask(asker.judge, [])
    assert records == []


def test_whoever_waits_to_try_again_is_let_go_when_it_ends() -> None:
    no = Reply(failure=Failed("http-401", "wrong key"), stop="check the key")
    judge = Scripted(lambda id, times: no if id == "q1" else AGAIN, max_in_flight=2)
    judge.seconds = lambda id: 0.1 if id == "q1" else 0.0
    start = time.monotonic()
    asker, _ = ask(judge, [[one] for one in dues(2)], Limits(backoff=30.0))
    assert (asker.stopped, asker.fatal) == ("check the key", True)
    assert time.monotonic() - start < 5


def test_a_server_that_is_down_from_the_start_ends_the_run_with_its_reason(tmp_path: Path) -> None:
    judge = Scripted(lambda id, times: AGAIN, max_in_flight=24)
    progress = probe(SuiteSource(load_suite("smoke")), judge, tmp_path / "run", limits=Limits(retries=2, backoff=0.05))
    assert "questions in a row failed after all retries; the last: http-500" in progress.stopped
    assert progress.done == 0


def test_a_run_whose_first_question_is_put_off_for_long_ends_with_its_reason(tmp_path: Path) -> None:
    judge = Scripted(lambda id, times: held_off(3600))
    progress = probe(SuiteSource(load_suite("smoke"), 2), judge, tmp_path / "run", limits=QUICK)
    assert progress.stopped == "the server asks to be left alone for 3600 seconds"


# ---- money and calls while asking again


def test_a_first_question_that_fails_does_not_end_a_run_with_a_limit_on_money(tmp_path: Path) -> None:
    def say(id: str, times: int) -> Reply:
        return AGAIN if id == "spatial-000000/original" and times == 1 else Reply(text="yes", cost=0.01)

    judge = Scripted(say, max_in_flight=4)
    judge.seconds = lambda id: 0.05
    source = SuiteSource(load_suite("smoke"), 2)
    progress = probe(source, judge, tmp_path / "run", limits=Limits(max_cost=1.0, backoff=0.02))
    assert (progress.complete, progress.stopped) == (True, "")


def test_a_retry_waits_for_the_money_that_is_set_aside(tmp_path: Path) -> None:
    """One dear call, then cheap ones: while they are under way money is set aside for them, and comes back."""
    dear, failing, quick = "spatial-000000/original", "spatial-000000/intervened", "attribute-000000/original"

    def say(id: str, times: int) -> Reply:
        return AGAIN if (id, times) == (failing, 1) else Reply(text="yes", cost=0.3 if id == dear else 0.01)

    judge = Scripted(say, max_in_flight=3)
    judge.seconds = lambda id: {dear: 0.0, failing: 0.0, quick: 0.05}.get(id, 0.6)
    source = SuiteSource(load_suite("smoke"), 3)
    progress = probe(source, judge, tmp_path / "run", limits=Limits(max_cost=1.0, backoff=0.4))
    assert progress.cost < 0.4
    assert (progress.complete, progress.stopped) == (True, "")


@pytest.mark.parametrize("retries", [0, 1, 5])
@pytest.mark.parametrize("most", [1, 4, 7])
def test_attempts_count_as_calls(most: int, retries: int) -> None:
    judge = Scripted(lambda id, times: AGAIN)
    kept: list[Record] = []
    asker = Asker(judge, Limits(backoff=1e-6, retries=retries, max_calls=most), kept.extend)

    async def work() -> None:
        for one in dues(10):
            if asker.room(1):
                await asker.start([one])

    asyncio.run(work())
    assert len(judge.calls) == len(kept) == asker.budget.calls == most
    if retries:
        assert asker.stopped in ("", f"--max-calls {most} reached")


def test_max_calls_is_exact_with_a_rate_too(tmp_path: Path) -> None:
    judge = Scripted(lambda id, times: AGAIN if times == 1 else YES, max_in_flight=4)
    source = SuiteSource(load_suite("smoke"), 4)
    progress = probe(source, judge, tmp_path / "run", limits=Limits(max_calls=4, rpm=600, backoff=0.01))
    assert progress.stopped == "--max-calls 4 reached"
    assert len(judge.calls) == 4


def test_calls_that_were_never_made_are_not_counted(tmp_path: Path) -> None:
    judge = Scripted(lambda id, times: YES if id == "spatial-000000/original" else held_off(1000), max_in_flight=4)
    source = SuiteSource(load_suite("smoke"), 4)
    progress = probe(source, judge, tmp_path / "run", limits=Limits(rpm=600, backoff=0.01))
    assert progress.stopped.startswith("the server asks")
    assert progress.calls == len(judge.calls)


def test_a_run_that_is_stopped_by_the_server_says_so_and_resumes(tmp_path: Path) -> None:
    source = SuiteSource(load_suite("smoke"), 4)
    judge = Scripted(lambda id, times: held_off(1000) if id == "attribute-000000/original" else YES)
    first = probe(source, judge, tmp_path / "run", limits=QUICK)
    assert first.stopped == "the server asks to be left alone for 1000 seconds"
    assert judge.closed == 1
    again = Scripted(lambda id, times: YES)
    assert probe(source, again, tmp_path / "run", limits=QUICK).complete
    assert len(again.calls) == 8 - first.done


def test_a_judge_that_cannot_be_asked_is_an_error_and_what_was_answered_is_kept(tmp_path: Path) -> None:
    source = SuiteSource(load_suite("smoke"), 4)
    no = Reply(failure=Failed("http-404", "no such model"), stop="check the model's name")
    judge = Scripted(lambda id, times: no if id == "attribute-000000/original" else YES)
    with pytest.raises(JudgeError, match="check the model's name"):
        probe(source, judge, tmp_path / "run", limits=QUICK)
    assert judge.closed == 1
    kept = [r for r in read_journal(tmp_path / "run" / "journal.jsonl") if r.final]
    assert {r.id for r in kept} == {"spatial-000000/original", "spatial-000000/intervened"}
    again = Scripted(lambda id, times: YES)
    assert probe(source, again, tmp_path / "run").complete
    assert len(again.calls) == 6


def test_progress_tells_retries_calls_and_failures(tmp_path: Path) -> None:
    told: list[tuple[int, int, int, int]] = []

    def report(p: Progress) -> None:
        told.append((p.done, p.failed, p.calls, p.retried))

    judge = Scripted(lambda id, times: AGAIN if times < 3 and id.endswith("original") else YES)
    source = SuiteSource(load_suite("smoke"), 1)
    probe(source, judge, tmp_path / "run", limits=QUICK, on_progress=report)
    assert told[0] == (0, 0, 0, 0)
    assert told[-1] == (2, 0, 4, 2)
    assert max(failed for _, failed, _, _ in told) == 1


# ---- whatever a judge does wrong

TOKEN = Token("yes", -0.1, (("yes", -0.1), ("no", -2.0)))
BAD: dict[str, Any] = {
    "a text": "yes",
    "nothing": None,
    "a failure": Failed("x"),
    "a number as text": Reply(text=4),  # type: ignore[arg-type]
    "an object as text": Reply(text=object()),  # type: ignore[arg-type]
    "a text as cost": Reply(text="yes", cost="1"),  # type: ignore[arg-type]
    "a truth as cost": Reply(text="yes", cost=True),
    "a cost below 0": Reply(text="yes", cost=-0.1),
    "a cost of nan": Reply(text="yes", cost=math.nan),
    "a cost of inf": Reply(text="yes", cost=math.inf),
    "a cost of -inf": Reply(text="yes", cost=-math.inf),
    "tokens in part": Reply(text="yes", tokens_in=1.5),  # type: ignore[arg-type]
    "no model": Reply(text="yes", model=None),  # type: ignore[arg-type]
    "a list as choices": Reply(text="yes", choices=["yes"]),  # type: ignore[arg-type]
    "a choice of nan": Reply(text="yes", choices={"yes": math.nan, "no": -1.0}),
    "a choice of inf": Reply(text="yes", choices={"yes": math.inf, "no": -1.0}),
    "a choice named by a number": Reply(text="yes", choices={1: -1.0}),  # type: ignore[dict-item]
    "a logprob of nan": Reply(text="yes", logprobs=(Token("yes", math.nan),)),
    "a logprob of inf": Reply(text="yes", logprobs=(Token("yes", math.inf),)),
    "numbers as logprobs": Reply(text="yes", logprobs=(-0.1,)),  # type: ignore[arg-type]
    "a number as dropped": Reply(text="yes", dropped=(1,)),  # type: ignore[arg-type]
    "a text as failure": Reply(failure="x"),  # type: ignore[arg-type]
    "a truth as retry": Reply(failure=Failed("x"), retry=True),  # type: ignore[arg-type]
}
NONE_OF_A_LIST: dict[str, Any] = {"None": None, "a text": "yes", "a dict": {}, "a generator": (YES for _ in range(1))}


NO_TEXTS: list[Any] = [b"yes", bytearray(b"yes"), datetime(2026, 1, 1), UUID(int=7)]


@pytest.mark.parametrize("said", NO_TEXTS, ids=["bytes", "bytearray", "date", "uuid"])
def test_what_is_no_text_is_not_made_one(said: Any) -> None:
    assert ask_one(Reply(text=said)).reply is None


@pytest.mark.parametrize("what", BAD)
def test_a_malformed_reply_is_a_failure_that_says_so(what: str) -> None:
    record = ask_one(BAD[what])
    assert record.failure is not None
    assert record.failure.kind == "malformed"
    assert record.failure.message
    assert (record.reply, record.cost, record.choices, record.logprobs) == (None, None, None, None)


@pytest.mark.parametrize("what", NONE_OF_A_LIST)
def test_what_is_no_list_of_replies_is_a_failure(what: str) -> None:
    _, (record,) = ask(Broken(lambda batch: NONE_OF_A_LIST[what]), [dues(1)])
    assert record.failure is not None
    assert record.failure.kind == "malformed"
    assert "not a list of replies" in record.failure.message


@pytest.mark.parametrize("count", [0, 1, 2, 4, 70])
def test_a_wrong_number_of_replies_fails_the_whole_batch(count: int) -> None:
    _, records = ask(Broken(lambda batch: [YES] * count, max_batch=3), [dues(3)])
    assert [r.failure for r in records] == [Failed("wrong-number", f"{count} replies to 3 queries")] * 3


BAD_TOPS = [("no", math.nan), ("no", math.inf)]


@pytest.mark.parametrize("top", BAD_TOPS)
def test_an_alternative_that_is_no_number_does_not_damage_the_journal(tmp_path: Path, top: tuple[str, float]) -> None:
    reply = Reply(text="yes", logprobs=(Token("yes", -0.1, (("yes", -0.1), top)),))
    written(tmp_path, reply)


def test_a_choice_with_half_a_surrogate_pair_does_not_end_the_run(tmp_path: Path) -> None:
    written(tmp_path, Reply(text="yes", choices={"yes\ud800": -0.1, "no": -2.0}))


def written(folder: Path, reply: Reply) -> Record:
    """The record of a reply, written to a journal and read back."""
    path = folder / "journal.jsonl"
    with Journal(path) as journal:
        asker = Asker(Broken(lambda batch: [reply]), QUICK, journal.append)

        async def work() -> None:
            await asker.start(dues(1))

        asyncio.run(work())
    (record,) = read_journal(path)
    return record


def test_log_of_nothing_is_kept_as_the_number_that_servers_use(tmp_path: Path) -> None:
    tokens = (Token("yes", -math.inf, (("yes", -math.inf), ("no", -0.5))), Token(".", -0.1))
    record = written(tmp_path, Reply(text="yes", logprobs=tokens, choices={"yes": -math.inf, "no": -0.5}))
    assert record.reply == "yes"
    assert record.logprobs == (Token("yes", -9999.0, (("yes", -9999.0), ("no", -0.5))), Token(".", -0.1))
    assert record.choices == {"yes": -9999.0, "no": -0.5}
    for soft in (from_logprobs(record.logprobs), from_choices(record.choices)):
        assert soft is not None
        assert soft.p_yes == 0.0
        assert soft.residual == pytest.approx(1 - math.exp(-0.5))


@given(
    text=st.text(st.characters(codec=None), max_size=30),
    model=st.text(st.characters(codec=None), max_size=10),
    kind=st.text(st.characters(codec=None), max_size=10),
    choices=st.none() | st.dictionaries(st.text(max_size=5), st.floats(max_value=0, allow_nan=False), max_size=3),
    tops=st.lists(
        st.tuples(st.text(st.characters(codec=None), max_size=5), st.floats(max_value=0, allow_nan=False)), max_size=3
    ),
    cost=st.none() | st.floats(0, 1e6),
    tokens=st.none() | st.integers(0, 2**70),
    fails=st.booleans(),
)
@settings(max_examples=80)
def test_every_reply_of_the_right_types_is_kept_and_can_be_read(
    tmp_path_factory: pytest.TempPathFactory, fails: bool, text: str, model: str, kind: str, **more: Any
) -> None:
    tops, tokens = more.pop("tops"), more.pop("tokens")
    logprobs = tuple(Token(name, value, ((name, value),)) for name, value in tops) or None
    said: dict[str, Any] = {"failure": Failed(kind, text)} if fails else {"text": text}
    reply = Reply(**said, model=model, finish=kind, tokens_in=tokens, logprobs=logprobs, dropped=(model,), **more)
    record = written(tmp_path_factory.mktemp("journal"), reply)
    assert record.final != fails
    assert record.cost == reply.cost
    assert record.outcome == "failed" if fails else record.outcome in ("answer", "unparsed", "refused")
    assert (record.choices is None) == (reply.choices is None)
    if not any("\ud800" <= c <= "\udfff" for c in text) and not fails:
        assert record.reply == text


def test_a_message_is_cut() -> None:
    def does(batch: Sequence[Query]) -> Any:
        raise RuntimeError("x" * 10_000)

    _, (record,) = ask(Broken(does), [dues(1)])
    assert record.failure == Failed("RuntimeError", "x" * 500)


def test_a_judge_that_gives_up_is_a_failure() -> None:
    async def gives_up() -> None:
        inner = asyncio.ensure_future(asyncio.sleep(60))
        asyncio.get_running_loop().call_later(0.01, inner.cancel)
        await inner

    _, (record,) = ask(Broken(lambda batch: gives_up()), [dues(1)])
    assert record.failure == Failed("CancelledError", "the judge cancelled itself")


def test_a_judge_that_runs_out_of_its_own_time_is_a_failure() -> None:
    async def slow() -> None:
        async with asyncio.timeout(0.01):
            await asyncio.sleep(60)

    _, (record,) = ask(Broken(lambda batch: slow()), [dues(1)])
    assert record.failure is not None
    assert record.failure.kind == "TimeoutError"


def test_who_stops_the_asker_is_obeyed() -> None:
    async def work() -> None:
        kept: list[Record] = []
        judge = Scripted(lambda id, times: YES)
        judge.seconds = lambda id: 60
        asker = Asker(judge, QUICK, kept.extend)
        task = asker.start(dues(1))
        await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert kept == []
        assert asker.pace.running == 0
        assert asker.budget.room(5) == 5

    asyncio.run(work())


def test_a_picture_of_ours_that_is_gone_is_no_failure_of_the_judge() -> None:
    def does(batch: Sequence[Query]) -> Any:
        raise InputError("the picture is gone")

    with pytest.raises(InputError, match="the picture is gone"):
        ask(Broken(does), [dues(1)])


def test_one_malformed_reply_costs_the_others_of_its_batch_nothing() -> None:
    replies = [Reply(text="yes", cost=0.5), Reply(text="yes", cost=math.nan), Reply(text="no", cost=0.5)]
    asker, records = ask(Broken(lambda batch: replies, max_batch=3), [dues(3)])
    assert [r.outcome for r in records] == ["answer", "failed", "answer"]
    assert asker.budget.cost == 1.0


def test_outcomes_have_their_names() -> None:
    assert outcome_name(Failed("x")) == "failed"
    with pytest.raises(AssertionError):
        outcome_name(YES)


def test_a_server_that_never_answers_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("counterbench.asking.asker._SILENCE", 0.05)
    judge = Scripted(lambda id, times: AGAIN, max_in_flight=1)
    judge.seconds = lambda id: 0.03
    asker, records = ask(judge, [[one] for one in dues(4)], Limits(retries=50, backoff=1e-6))
    assert asker.stopped.startswith("no reply for 0 seconds; the last failure: http-500 it may pass")
    assert not asker.fatal
    assert 3 <= len(records) < 10
