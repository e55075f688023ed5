"""The doctor on judges with known faults: each check finds its own; what no check finds is written down."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from asking.fakes import FAILURE, GONE, BrokenJudge, Scripted, held_by_name, message_of
from sweeping import swept

from counterbench.asking import doctor
from counterbench.asking.asker import Limits
from counterbench.asking.doctor import Checkup, check_up
from counterbench.errors import JudgeError
from counterbench.judges import open_judge
from counterbench.judges.base import Judge, Reply
from counterbench.judges.pixels import PixelReader
from counterbench.runs.pair_queries import keys, queries
from counterbench.runs.queries import PromptTemplate, Query, load_template
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite

SMOKE = SuiteSource(load_suite("smoke"))
TRUTH = {key.id: key for key in keys(SMOKE)}
DRAWN = list(queries(SMOKE))
ASKED = [query for query in DRAWN if TRUTH[query.id].relevant][:12]
QUICK = Limits(backoff=0.002, retries=1)
WRONG = {"yes": "no", "no": "yes", "red": "blue"}


@pytest.fixture(autouse=True)
def drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The questions that the doctor asks, with pictures that are drawn for the first test and kept."""
    monkeypatch.setattr(doctor, "queries", lambda source: iter(DRAWN))


def right_reply(id: str, times: int = 1) -> Reply:
    return Reply(text=TRUTH[id].expected)


def wrong_reply(id: str) -> Reply:
    return Reply(text=WRONG.get(TRUTH[id].expected, "red" if TRUTH[id].answer_type == "colour" else "7"))


class Patient(Scripted):
    """A judge that is right unless a function of a query's id, and of how often it was asked, says otherwise."""

    def __init__(self, say: Callable[[str, int], Reply] = right_reply, **options: Any) -> None:
        super().__init__(say, **{"name": "patient", "max_in_flight": 32} | options)


def examine(judge: Judge, limits: Limits = QUICK, template: PromptTemplate | None = None) -> Checkup:
    return check_up(judge, template or load_template(), limits)


WELL: dict[str, bool | None] = {"answers": True, "sees": True, "together": True, "again": True}


@pytest.mark.parametrize("max_batch", [1, 3, 64])
def test_a_healthy_judge_is_able(max_batch: int) -> None:
    judge = Patient(max_batch=max_batch)
    found = examine(judge)
    assert held_by_name(found) == WELL
    assert found.questions == 24
    assert (found.able, found.failed, found.judge) == (True, 0, "patient")
    assert len(judge.asked_ids) == found.questions
    assert max(map(len, judge.batches)) == min(max_batch, 8)
    assert judge.closed == 1
    assert message_of(found, "answers") == "12 of 12 replies could be read as answers"
    assert message_of(found, "sees").startswith("6 of 6 pairs of different pictures got different answers")
    assert message_of(found, "together").endswith("0 of 8 answers differ, 0 replies are worded differently")
    assert message_of(found, "again").endswith("0 of 4 answers differ, 0 replies are worded differently")


def test_the_pixel_reader_is_able(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # with pictures of its own
    assert examine(PixelReader()).able


def test_questions_are_asked_in_the_chosen_template() -> None:
    queries: list[Query] = []

    def does(batch: Sequence[Query]) -> list[Reply]:
        queries.extend(batch)
        return [right_reply(query.id) for query in batch]

    template = PromptTemplate("counterbench.template/1", "w", system="Look.", suffix={"yes-no": "Hm?"})
    examine(BrokenJudge(does), template=template)
    assert {query.system for query in queries} == {"Look."}
    assert any(query.text.endswith(" Hm?") for query in queries), queries


def planted_checkup(spec: str) -> Checkup:
    return examine(open_judge(f"planted:{spec}", lambda: TRUTH.values()))


@swept(
    ("spec", "expected"),
    [
        ("oracle", WELL),
        ("noisy?p=1", WELL | {"sees": False}),
        ("blind?p=1", WELL | {"sees": False}),
        ("constant", WELL | {"sees": False}),
        ("sticky?p=1", WELL | {"sees": False}),
        ("unparsed?p=1", WELL | {"answers": False, "sees": False}),
        ("refusing?p=1", WELL | {"answers": False, "sees": False}),
        ("failing?p=1", {"answers": False, "sees": None, "together": None, "again": None}),
    ],
)
def test_each_planted_fault_fails_its_checks(spec: str, expected: dict[str, bool | None]) -> None:
    found = planted_checkup(spec)
    assert held_by_name(found) == expected
    assert found.able == all(value is not False for value in expected.values())
    assert ("check that the model receives the pictures" in message_of(found, "sees")) == (expected["sees"] is False)
    assert found.failed == (found.questions if spec.startswith("failing") else 0)


@pytest.mark.parametrize("max_batch", [2, 8])
def test_a_judge_that_mixes_up_its_batch_is_found(max_batch: int) -> None:
    class MixingJudge(Patient):
        async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
            return list(reversed(await super().answer(batch)))

    found = examine(MixingJudge(max_batch=max_batch))
    assert held_by_name(found) == WELL | {"together": False}
    assert not found.able


def test_a_judge_whose_calls_disturb_each_other_is_found() -> None:
    class Racing(Patient):
        """Keeps the query that it is at in itself: right while it is alone."""

        async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
            (self.current,) = batch
            await asyncio.sleep(0.005)
            return [right_reply(self.current.id)]

    found = examine(Racing())
    assert held_by_name(found) == WELL | {"together": False}
    assert examine(Racing(max_in_flight=1)).able


def unsteady(id: str, times: int) -> Reply:
    return right_reply(id) if times < 3 else wrong_reply(id)


def test_an_unsteady_judge_is_found() -> None:
    found = examine(Patient(unsteady))
    assert held_by_name(found) == WELL | {"again": False}
    assert (
        message_of(found, "again")
        == "the same questions a second time: 4 of 4 answers differ, 4 replies are worded differently"
    )


def test_a_sampling_judge_need_not_repeat_itself() -> None:
    class Sampling(Patient):
        samples = True

    found = examine(Sampling(unsteady))
    assert held_by_name(found) == WELL | {"together": None, "again": None}
    assert found.able
    assert "the judge samples" in message_of(found, "again")


def test_a_judge_that_fails_now_and_then_is_found_with_its_last_failure() -> None:
    found = examine(Patient(lambda id, times: FAILURE if id.startswith("counting") and times == 1 else right_reply(id)))
    assert held_by_name(found)["answers"] is False
    assert "4 of 12 questions failed" in message_of(found, "answers")
    assert "http-400" in message_of(found, "answers")
    assert (found.failed, found.able) == (4, False)


def test_too_few_readable_replies_are_reported_with_examples_and_reasons() -> None:
    unsure = "Hard to say, said the judge." + 60 * "."
    say = {
        "counting": Reply(text=unsure),
        "attribute": Reply(text="red or blue"),
        "spatial": Reply(text="Yes, as", finish="length"),
    }
    found = examine(Patient(lambda id, times: say.get(id.split("-")[0], right_reply(id))))
    assert (held_by_name(found)["answers"], found.able) == (False, False)
    text = message_of(found, "answers")
    unread = sum(query.id.split("-")[0] in say for query in ASKED)
    assert text.startswith(f"{12 - unread} of 12 replies could be read as answers (limit: 0 % unread); unread:")
    assert "'Yes, as' for yes-no (cut off at the length limit)" in text
    assert "'red or blue' for colour (several answers, none marked as final: red, blue)" in text
    assert f"{unsure[:60]!r} for integer (" in text
    assert text.endswith("raise max_tokens, or try another prompt template, which may say how to answer")


@pytest.mark.parametrize(("most", "holds_"), [(0.0, False), (0.02, True), (0.5, True)])
def test_unreadable_replies_count_against_the_bound(most: float, holds_: bool) -> None:
    judge = Patient(lambda id, times: Reply(text="Hm.") if id == ASKED[0].id else right_reply(id))
    found = check_up(judge, load_template(), QUICK, most_unread=most)
    assert held_by_name(found)["answers"] is holds_
    text = message_of(found, "answers")
    assert text.startswith("11 of 12 replies could be read as answers (limit: ")
    assert f"unread: 'Hm.' for {ASKED[0].answer_type} (no answer in the reply); try another prompt template" in text


@pytest.mark.parametrize("at", [1, 14, 22])
def test_a_judge_that_cannot_be_asked_is_an_error_and_closed(at: int) -> None:
    judge = Patient(lambda id, times: GONE if len(judge.asked_ids) >= at else right_reply(id), max_in_flight=1)
    with pytest.raises(JudgeError, match="check the key"):
        examine(judge)
    assert (len(judge.asked_ids), judge.closed) == (at, 1)


def test_a_judge_that_fails_when_asked_together_is_not_able() -> None:
    found = examine(Patient(lambda id, times: FAILURE if times == 2 else right_reply(id)))
    assert held_by_name(found) == WELL | {"together": False}
    assert message_of(found, "together").endswith("no question was answered both times")


def costly(cost: float, **options: Any) -> Patient:
    return Patient(lambda id, times: Reply(text=TRUTH[id].expected, cost=cost), **options)


@pytest.mark.slow
@pytest.mark.parametrize("at_once", [1, 4])
def test_a_forecast_reckons_with_concurrent_calls(at_once: int) -> None:
    found = examine(costly(0.25, max_in_flight=at_once, seconds=lambda id: 0.02))
    assert (found.expected.calls, found.expected.cost, found.figures.cost) == (1000, 250, 24 * 0.25)
    assert 20 * 0.95 <= found.expected.seconds * at_once <= 20 * 3
    assert (found.first.calls, found.first.cost) == (80, pytest.approx(80 * 0.25))


def test_an_unknown_cost_is_not_zero() -> None:
    assert examine(Patient()).expected.cost is None
    assert examine(costly(0.0)).expected.cost == 0.0


@pytest.mark.slow
def test_a_judge_at_chance_fails_with_its_count_of_right_pairs() -> None:
    """It answers two pictures in two ways often enough, and wrongly."""
    able = [planted_checkup(f"random?seed={seed}").able for seed in range(40)]
    assert sum(able) <= 12
    assert "6 of the pairs got two right answers" in message_of(planted_checkup("oracle"), "sees")
    guessing = next(planted_checkup(f"random?seed={seed}") for seed in range(40) if not able[seed])
    assert "as guesses would" in message_of(guessing, "sees")
