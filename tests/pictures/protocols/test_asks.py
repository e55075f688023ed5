"""The usual way to ask checks: waves, several in one call, criteria in the words; what a reply is worth."""

from typing import Any

import pytest
from sweeping import swept

from counterbench.answers import parse
from counterbench.answers.outcomes import Answer, Outcome, Refused, Unparsed
from counterbench.pictures.protocols.asks import Ask, CheckReply, checks_asked, checks_credited, credit
from counterbench.prompts.prompt_set import Check, Prompt

RATED = "rating:1-5"


def check_on(id: str, **fields: Any) -> Check:
    return Check(**({"id": id, "text": f"Is it {id}?"} | fields))


def rating(id: str, **fields: Any) -> Check:
    return check_on(id, **({"answer_type": RATED, "expected": "5"} | fields))


def prompt(*checks: Check) -> Prompt:
    return Prompt(id="g/image", group="g", level="image", text="A cat.", checks=checks)


def next_asks(example: Prompt, **outcomes: Outcome) -> dict[str, Ask]:
    return {ask.id: ask for ask in checks_asked(example, {id: CheckReply(outcome) for id, outcome in outcomes.items()})}


YES = Answer("yes")


# ---- what is asked


def test_each_check_is_a_question_until_it_has_a_reply() -> None:
    example = prompt(check_on("a"), rating("b", criteria="5: wholly."))
    assert [(ask.text, ask.answer_type) for ask in next_asks(example).values()] == [
        ("Is it a?", "yes-no"),
        ("Is it b?\n5: wholly.", RATED),
    ]
    assert list(next_asks(example, a=YES)) == ["b"]
    assert next_asks(example, a=YES, b=Unparsed("no number")) == {}


def test_checks_of_one_call_are_one_question_that_names_them() -> None:
    example = prompt(rating("anatomy", call="looks"), check_on("a"), rating("light", call="looks", criteria="5: soft."))
    found = next_asks(example)
    assert list(found) == ["call.looks", "a"]
    call = found["call.looks"]
    assert call.text == "anatomy: Is it anatomy?\nlight: Is it light?\n5: soft."
    assert (call.answer_type, [part.id for part in call.checks]) == ("ratings:1-5", ["anatomy", "light"])
    assert next_asks(prompt(rating("light", call="looks")))["call.looks"].answer_type == "ratings:1-5"


def test_a_follow_up_check_waits_for_a_reply_and_quotes_it() -> None:
    example = prompt(check_on("told", answer_type="description", expected="", weight=0), check_on("a", after="told"))
    assert list(next_asks(example)) == ["told"]
    assert next_asks(example, told=Answer("A cat on a mat."))["a"].text == (
        "Asked before: Is it told?\nThe answer was: A cat on a mat.\nIs it a?"
    )


@pytest.mark.parametrize("lost", [Unparsed("nothing"), Refused("I cannot")])
def test_a_follow_up_check_after_no_answer_quotes_none(lost: Outcome) -> None:
    example = prompt(check_on("first"), check_on("a", after="first"))
    assert next_asks(example, first=lost)["a"].text == "Is it a?"


# ---- what replies are worth


@swept(
    ("question", "answer", "worth"),
    [
        (check_on("a"), "yes", 1),
        (check_on("a"), "no", 0),
        (check_on("a", expected="no"), "no", 1),
        (check_on("a", answer_type="integer", expected="3"), "3", 1),
        (check_on("a", answer_type="integer", expected="3"), "4", 0),
        (check_on("a", answer_type="grade", expected="1"), "0.5", 0.5),
        (rating("a"), "5", 1),
        (rating("a"), "2", 0.25),
        (rating("a", expected="1"), "2", 0.75),
        (check_on("a", answer_type="rating:-2-2", expected="2"), "-1", 0.25),
        (check_on("a", answer_type="description", expected=""), "A cat.", None),
        (check_on("a"), None, None),
    ],
)
def test_each_answer_has_its_credit(question: Check, answer: str | None, worth: float | None) -> None:
    assert credit(question, answer) == worth


def test_one_reply_settles_all_checks_of_its_call_by_their_names() -> None:
    three = prompt(rating("Hand anatomy", call="c"), rating("light", call="c", expected="1"), rating("mood", call="c"))
    (call,) = checks_asked(three, {})
    reply = parse("Hand anatomy: 4\nlight: 5/5\ncolour: 3", call.answer_type)
    assert checks_credited(call, CheckReply(reply)) == {"Hand anatomy": 0.75, "light": 0, "mood": None}


@pytest.mark.parametrize("outcome", [Unparsed("nothing"), Refused("I cannot"), Answer('{"other":1}')])
def test_a_reply_that_is_no_answer_has_null_credit(outcome: Outcome) -> None:
    for example in (prompt(check_on("a")), prompt(rating("a", call="c"), rating("b", call="c"))):
        (ask,) = checks_asked(example, {})
        if ask.answer_type == "yes-no" and isinstance(outcome, Answer):
            continue
        assert set(checks_credited(ask, CheckReply(outcome)).values()) == {None}
