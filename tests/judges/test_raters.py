"""Raters: another judge's ratings of two pictures, compared; what a rating costs, and what comes instead of one."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from judges.compared import comparison, plain, replies_to, shown
from pictures.own_pictures import table
from PIL import Image
from planted_runs import keys_of

import counterbench as cb
from counterbench.answers.choices import PREFERENCE
from counterbench.answers.outcomes import Answer, Failed, Refused, Unparsed
from counterbench.asking.asker import answer_to
from counterbench.errors import InputError
from counterbench.judges import is_spec, open_judge
from counterbench.judges.base import Reply, Retry
from counterbench.judges.planted import PlantedJudge
from counterbench.judges.raters import RaterJudge, split_rater
from counterbench.judges.scorers import numbers_in
from counterbench.pictures.evaluation import Evaluation
from counterbench.pictures.protocols import protocol
from counterbench.prompts.prompt_set import Prompt
from counterbench.runs.queries import Query, load_template, with_prompt

RED = comparison("red", "blue", "a red picture")
BLUE = comparison("red", "blue", "a blue picture", id="other")


class PartJudge:
    """A judge with a function of a query."""

    name, max_batch, max_in_flight = "parts", 1, 1

    def __init__(self, say: Callable[[Query], str]) -> None:
        self._say = say

    async def answer(self, batch: Sequence[Query]) -> list[Reply]:
        return [Reply(text=self._say(query), model="m") for query in batch]

    async def close(self) -> None: ...


class Inner:
    """A judge that says, after `before`, what a function makes of a picture's colour and a question.

    It keeps what it was asked.
    """

    max_in_flight, short_name, samples, prices = 3, "inner", True, "a list"

    def __init__(
        self,
        say: Callable[[str, str], Reply],
        max_batch: int = 1,
        before: Callable[[], Awaitable[object]] | None = None,
    ) -> None:
        self.say, self.max_batch, self.before, self.name = say, max_batch, before, "inner?t=1"
        self.queries: list[Query] = []

    async def answer(self, batch: Sequence[Query]) -> list[Reply]:
        assert len(batch) <= self.max_batch
        if self.before is not None:
            await self.before()
        self.queries += batch
        return [self.say(shown(query.pictures[0].image()), query.text) for query in batch]

    async def close(self) -> None: ...


def sees(colour: str, text: str) -> Reply:
    return Reply(text="5" if f"a {colour} picture" in text else "2/5", cost=0.25, tokens_in=3, tokens_out=1, model="m")


def outcome(reply: Reply) -> object:
    return answer_to(RED, reply)


@pytest.mark.parametrize("max_batch", [1, 2, 3, 8])
def test_the_picture_with_the_higher_rating_is_better(max_batch: int) -> None:
    judge = RaterJudge(Inner(sees, max_batch))
    replies = replies_to(judge, [RED, BLUE, comparison("red", "blue", "a green picture", id="third")])
    assert [outcome(reply) for reply in replies] == [Answer("first"), Answer("second"), Answer("equal")]
    assert [numbers_in(reply.text or "") for reply in replies] == [(5, 2), (2, 5), (2, 2)]
    assert [(reply.cost, reply.tokens_in, reply.tokens_out, reply.model) for reply in replies] == [(0.5, 6, 2, "m")] * 3


@pytest.mark.parametrize("max_batch", [1, 8])
def test_a_rating_is_paid_once(max_batch: int) -> None:
    """Also where both orders of two pictures, and one picture beside two others, are asked together."""
    inner = Inner(sees, max_batch)
    turned = comparison("blue", "red", "a red picture", id="turned")
    third = comparison("red", "green", "a red picture", id="third")
    replies = replies_to(RaterJudge(inner), [RED, turned, third])
    assert [outcome(reply) for reply in replies] == [Answer("first"), Answer("second"), Answer("first")]
    assert len(inner.queries) == 3
    assert [reply.cost for reply in replies] == [0.5, 0, 0.25]
    assert [reply.tokens_in for reply in replies] == [6, 0, 3]


def test_a_rating_under_way_is_asked_for_once() -> None:
    """Many calls at once want the same ratings; a failure is not kept."""
    errors = [RuntimeError("out of memory")]

    async def slowly() -> None:
        await asyncio.sleep(0.01)
        if errors:
            raise errors.pop()

    inner = Inner(sees, before=slowly)
    turned = comparison("blue", "red", "a red picture", id="turned")

    async def together(judge: RaterJudge) -> list[Reply]:
        return [reply for (reply,) in await asyncio.gather(*(judge.answer([query]) for query in (RED, turned, RED)))]

    judge = RaterJudge(inner)
    first = asyncio.run(together(judge))
    assert [reply.failure is not None for reply in first] == [True] * 3
    assert [reply.cost for reply in first] == [0.25, 0, 0]  # the other rating of the first was paid
    replies = asyncio.run(together(judge))
    assert [outcome(reply) for reply in replies] == [Answer("first"), Answer("second"), Answer("first")]
    assert len(inner.queries) == 2
    assert sum(reply.cost or 0 for reply in replies) == 0.25


@pytest.mark.parametrize("stopped", [0, 1], ids=["the one that asks", "the one that waits"])
def test_of_two_calls_for_a_rating_a_stopped_one_leaves_the_other_with_a_reply(stopped: int) -> None:
    async def other_reply() -> Reply:
        go = asyncio.Event()
        judge = RaterJudge(Inner(sees, before=go.wait))
        calls = [asyncio.create_task(judge.answer([RED])) for _ in range(2)]
        await asyncio.sleep(0.01)
        calls[stopped].cancel()
        go.set()
        (reply,) = await asyncio.wait_for(calls[1 - stopped], 10)
        return reply

    reply = asyncio.run(other_reply())
    if stopped == 0:  # it asks again
        assert (reply.failure and reply.failure.kind, reply.retry) == ("stopped", Retry())
    else:
        assert outcome(reply) == Answer("first")


def test_a_repeat_is_asked_anew() -> None:
    inner = Inner(sees)
    replies_to(RaterJudge(inner), [RED, msgspec.structs.replace(RED, repeat=1)])
    assert [query.repeat for query in inner.queries] == [0, 0, 1, 1]


def test_an_unknown_cost_stays_unknown_and_probabilities_of_a_rating_are_dropped() -> None:
    reply = Reply(text="3", choices={"3": -0.1, "4": -2.0})
    (joint,) = replies_to(RaterJudge(Inner(lambda colour, text: reply)), [RED])
    assert (joint.cost, joint.tokens_in, joint.choices) == (None, None, None)


def test_the_inner_judge_gets_the_question_of_direct() -> None:
    inner = Inner(sees)
    replies_to(RaterJudge(inner), [RED])
    prompt = Prompt(id="p/image", group="p", level="image", text="a red picture")
    (ask,) = protocol("direct").ask(msgspec.structs.replace(prompt, checks=protocol("direct").checks(prompt, {})), {})
    query = Query(
        id="x", group="x", role="x", pictures=(plain("red"),), text=ask.text, answer_type=ask.answer_type,
        prompt=prompt.text,
    )  # fmt: skip
    assert inner.queries[0].digest == with_prompt(load_template()).dress(query).digest


def test_the_scale_is_named_in_the_question_and_in_the_name() -> None:
    inner = Inner(lambda colour, text: Reply(text="8" if colour == "red" else "7.5"))
    judge = RaterJudge(inner, "0-10")
    (reply,) = replies_to(judge, [RED])
    assert numbers_in(reply.text or "") == (8, 7.5)
    assert inner.queries[0].text.endswith("Answer with a single number from 0 to 10.")
    assert judge.name == "rater:inner?t=1&scale=0-10"
    assert (judge.samples, judge.prices, judge.short_name, judge.max_in_flight) == (True, "a list", "rater inner", 3)


def test_a_failed_rating_fails_the_question_and_its_cost_counts() -> None:
    gone = Reply(failure=Failed("http-500", "later"), retry=Retry(after=3))
    failing = [gone]

    def say(colour: str, text: str) -> Reply:
        return failing.pop() if colour == "blue" and failing else sees(colour, text)

    inner = Inner(say)
    first, again = replies_to(RaterJudge(inner), [RED, RED])
    assert (first.failure, first.retry, first.cost) == (gone.failure, gone.retry, 0.25)
    assert (outcome(again), again.cost) == (Answer("first"), 0.25)  # the other rating was there already
    assert len(inner.queries) == 3


def test_the_text_of_an_error_is_a_failure() -> None:
    (reply,) = replies_to(RaterJudge(Inner(lambda colour, text: Reply(text="Error: too many requests"))), [RED])
    assert reply.failure is not None
    assert (reply.failure.kind, reply.retry) == ("error-text", Retry())


@pytest.mark.parametrize(
    ("words", "finish", "kind"),
    [
        ("I'm sorry, but I can't help with that.", "", Refused), ("", "content_filter", Refused),
        ("no", "refusal", Refused), ("It is hard to say.", "", Unparsed), ("7", "", Unparsed), ("", "", Unparsed),
        ("The rating is", "length", Unparsed), ("first", "", Unparsed), ("Answer: second", "", Unparsed),
        ("They are equal.", "", Unparsed),
    ],
)  # fmt: skip
def test_a_reply_without_a_rating_is_no_answer_to_the_comparison(words: str, finish: str, kind: type) -> None:
    def say(colour: str, text: str) -> Reply:
        return Reply(text=words, finish=finish) if colour == "blue" else Reply(text="4")

    for query in (RED, comparison("blue", "red", "a red picture")):
        (reply,) = replies_to(RaterJudge(Inner(say)), [query])
        assert isinstance(answer_to(query, reply), kind)


def test_other_questions_fail() -> None:
    query = Query(id="q", group="q", role="original", pictures=(plain("red"),), text="Is it red?", answer_type="yes-no")
    inner = Inner(sees)
    (reply,) = replies_to(RaterJudge(inner), [query])
    assert reply.failure is not None
    assert not inner.queries


def test_raters_are_opened_by_name() -> None:
    assert split_rater("openai:m?temperature=1&scale=0-10&seed=2") == ("openai:m?temperature=1&seed=2", "0-10")
    judge = open_judge("rater:openai:m?temperature=1", base_url="http://localhost:1/v1")
    assert open_judge(judge.name, base_url="http://localhost:1/v1").name == judge.name
    assert is_spec(judge.name)
    assert not is_spec("rater:mine?scale=1-5")
    for spec, words in {
        "rater:planted:oracle?scale=1-7": "unknown scale",
        "rater:": "names nothing",
        "rater:replay:r": "not a run",
    }.items():
        with pytest.raises(InputError, match=words):
            open_judge(spec)
    with pytest.raises(InputError, match="unknown judge"):
        open_judge("rater:nobody")


@pytest.mark.parametrize("name", ["oracle", "colour-confusion?p=1", "prettier-wins?p=1"])
def test_a_planted_rater_has_the_fault_of_its_judge(name: str) -> None:
    known = keys_of("pairwise", 40)
    queries = [
        comparison("red", "blue", key.id, id=key.id, group=key.group, role=key.role, answer_type=PREFERENCE)
        for key in known
    ]
    rater = open_judge(f"rater:planted:{name}", lambda: known)
    judge = PlantedJudge(name, known)
    as_rated, as_compared = replies_to(rater, queries), replies_to(judge, queries)
    answers = [list(map(answer_to, queries, replies)) for replies in (as_rated, as_compared)]
    assert answers[0] == answers[1]
    assert all(isinstance(answer, Answer) for answer in answers[0])


@pytest.mark.parametrize("kind", ["rater", "scorer"])
def test_a_resumed_run_asks_for_no_part_of_a_reply_again(kind: str, tmp_path: Path) -> None:
    parts: list[tuple[bytes, str]] = []

    def rates(image: Image.Image, text: str) -> float:
        parts.append((image.tobytes(), text))
        return float(len(text) % 5 + 1)

    def judge() -> Any:
        if kind == "scorer":
            return cb.scorer(rates, name="mine")
        return RaterJudge(PartJudge(lambda query: str(int(rates(query.pictures[0].image(), query.text)))))

    images = Evaluation(table(tmp_path, prompts=3), PartJudge(str), tmp_path / "images").import_pictures()
    options: dict[str, Any] = {"protocol": "pairwise", "uncertified": True, "limits": cb.Limits(max_calls=1)}
    for _ in range(6):  # each call of the command is a new process, which remembers nothing
        run = cb.t2i_judge([folder.path for folder in images], judge(), tmp_path / "run", **options)
    assert run.complete
    assert run.progress.total == 6  # three prompts in both orders
    assert len(parts) == len({*parts}) == 6
