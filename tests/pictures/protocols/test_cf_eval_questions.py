"""CF-Eval's questions by an author: what is asked for, and what of a reply is used, which is all of it or nothing."""

import json
from typing import Any

from pictures.preparing.authors import GOOD, GRADES, LIST, bare, question
from sweeping import swept

from counterbench.answers import read_reply
from counterbench.pictures.protocols.asks import Ask, CheckReply
from counterbench.pictures.protocols.cf_eval import CFEval
from counterbench.prompts.prompt_set import Check, Prompt

PROTOCOL = CFEval()
PROMPT = bare(1).by_id["g0/l2"]


def author_replies(*replies: str, finish: str = "") -> dict[str, CheckReply]:
    """One reply after the other, as the answer type of such a question reads it."""
    ids = ("questions", "questions-again")
    return {id: CheckReply(read_reply(reply, "description", finish)) for id, reply in zip(ids, replies, strict=False)}


def next_asked(*replies: str, prompt: Prompt = PROMPT, finish: str = "") -> Ask | None:
    asks = PROTOCOL.prepare(prompt, author_replies(*replies, finish=finish))
    assert len(asks) <= 1
    return asks[0] if asks else None


def checks_of_replies(*replies: str) -> tuple[Check, ...]:
    return tuple(PROTOCOL.checks(PROMPT, author_replies(*replies)))


def fault(reply: str) -> str:
    """What the author is told of a reply that cannot be used."""
    assert not checks_of_replies(reply)
    again = next_asked(reply)
    assert again is not None
    assert again.id == "questions-again"
    assert not again.sees
    assert f"Your reply was:\n{reply}\n" in again.text
    return again.text.partition("That reply cannot be used: ")[2]


def test_the_author_sees_no_picture_and_is_told_the_levels_rules() -> None:
    by_level = {prompt.level: next_asked(prompt=prompt) for prompt in bare(1).prompts}
    for level, ask in by_level.items():
        assert ask is not None
        assert (ask.sees, ask.answer_type) == (False, "description")
        assert ask.text.endswith(f"The prompt is:\nDraw g0 by {level}.")
        assert [name for name in ("visual-integrity", "assessment-point") if name not in ask.system] == []
    texts = {level: ask.text for level, ask in by_level.items() if ask is not None}
    assert "real world" in texts["l1"]
    assert "changes a rule" not in texts["l1"]
    assert "changes a rule" in texts["l2"]
    assert "work that out" in texts["l3"]
    other = next_asked(prompt=bare(1, ("only",)).prompts[0])
    assert other is not None
    assert "rules that the prompt states" in other.text


def test_a_valid_list_becomes_graded_checks_with_their_criteria() -> None:
    more = [*GOOD, question("logic-consistency", question="And the shadows?", weight=7)]
    found = checks_of_replies(json.dumps(list(reversed(more))))
    assert [(check.id, check.dimension, check.weight) for check in found] == [
        ("integrity", "visual-integrity", 3),
        ("assessment", "assessment-point", 15),
        ("logic-1", "logic-consistency", 7),
        ("logic-2", "logic-consistency", 8),
    ]
    assert {(check.answer_type, check.expected) for check in found} == {("grade", "1")}
    assert found[0].criteria == "1: All of it.\n0.5: Hardly to be told.\n0: None of it."
    assert next_asked(json.dumps(more)) is None


@swept(
    "around",
    [
        "{}", "First I think [of {{balls}}].\n```json\n{}\n```\nThat is all.", '{{"questions": {}}}', "\ufeff\n{}",
        "<think>[{{}}] maybe</think>{}", "{0}\nOnce more:\n{0}",
    ],
)  # fmt: skip
def test_a_list_is_found_within_other_text(around: str) -> None:
    assert checks_of_replies(around.format(LIST)) == checks_of_replies(LIST) != ()


def other(place: int, **fields: Any) -> str:
    return json.dumps([*GOOD[:place], {**GOOD[place], **fields}, *GOOD[place + 1 :]])


@swept(
    ("reply", "reason"),
    [
        ("I would rather not write JSON.", "it has no such JSON list"),
        (LIST[:-30], "it has no such JSON list"),
        (f"{LIST} or {json.dumps(GOOD[:2])}", "it has 2 JSON lists of questions and not one"),
        (other(0, dimension="beauty"), "question 1: the dimension 'beauty' is none of visual-integrity"),
        (other(1, weight=17), "question 2: its weight is 17, and of assessment-point it is from 12 to 16"),
        (other(2, weight=float("nan")), "its weight is nan"),
        (other(2, weight="8"), "question 3: Expected `float`, got `str` - at `$.weight`"),
        (other(0, question=" "), "question 1: Expected `str` matching regex"),
        (other(0, criteria={"1": "sharp", "0": "not"}), "Object missing required field `0.5`"),
        (other(0, criteria={**GRADES, "0.5": "all of it"}), "question 1: two of its grades are for the same"),
        (json.dumps(GOOD[:2]), "it has 0 questions of logic-consistency, and there must be 1 to 4"),
        (json.dumps([*GOOD, question("assessment-point", question="And?")]), "it has 2 questions of assessment-point"),
        (json.dumps([*GOOD, GOOD[2]]), "its question 'Is the logic consistency right?' is there twice."),
        (json.dumps([*GOOD, {**GOOD[2], "weight": 9}]), "right?' is there twice"),
        (json.dumps([{}] * 99), "question 6: "),
    ],
)  # fmt: skip
def test_a_faulty_list_is_not_used_and_the_author_is_told_once(reply: str, reason: str) -> None:
    assert reason in fault(reply)
    assert "question 7: " not in fault(reply)
    assert next_asked(reply, reply) is None  # and then it is left at that
    assert checks_of_replies(reply, reply) == ()
    assert checks_of_replies(reply, LIST) == checks_of_replies(LIST)


def test_a_list_that_was_cut_off_is_requested_once_more() -> None:
    again = next_asked(LIST, finish="length")
    assert again is not None
    assert "cut off at the length limit" in again.text
    assert next_asked("", finish="") is not None
