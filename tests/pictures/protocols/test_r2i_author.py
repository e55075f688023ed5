"""R2I-Score's two steps with an author: questions with criteria, then their weights, all of it used or nothing."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pictures.drawn import QUICK
from pictures.preparing.authors import GRADES, Author, bare
from sweeping import swept

from counterbench.answers import read_reply
from counterbench.pictures.preparing import prepare
from counterbench.pictures.protocols.asks import Ask, CheckReply
from counterbench.pictures.protocols.checklist import R2IScore
from counterbench.prompts.files import load_prompts
from counterbench.prompts.prompt_set import Check
from counterbench.runs.queries import Query

PROTOCOL = R2IScore()
PROMPT = bare(1, ("image",)).prompts[0]


def question(dimension: str, **other: Any) -> dict[str, Any]:
    """One question as an author writes it in the first step."""
    return {"dimension": dimension, "question": f"Is the {dimension} right?", "criteria": GRADES, **other}


def weight(number: int, value: object) -> dict[str, Any]:
    return {"id": f"q{number}", "weight": value}


GOOD = [question("quality"), question("reasoning"), question("alignment")]
WEIGHTS = [weight(3, 5), weight(1, 2), weight(2, 9)]
CRITERIA_REPLY, WEIGHTS_REPLY = json.dumps(GOOD), json.dumps(WEIGHTS)


def author_replies(criteria: Sequence[str], weights: Sequence[str] = ()) -> dict[str, CheckReply]:
    """The author's first reply to each question, and the second one if there is one."""
    ids = ("criteria", "criteria-again", "weights", "weights-again")
    texts = dict(zip(ids[:2], criteria, strict=False)) | dict(zip(ids[2:], weights, strict=False))
    return {id: CheckReply(read_reply(text, "description")) for id, text in texts.items()}


def next_asked(criteria: Sequence[str] = (), weights: Sequence[str] = ()) -> Ask | None:
    asks = PROTOCOL.prepare(PROMPT, author_replies(criteria, weights))
    assert len(asks) <= 1
    return asks[0] if asks else None


def checks_of_replies(criteria: Sequence[str], weights: Sequence[str] = ()) -> Sequence[Check]:
    return PROTOCOL.checks(PROMPT, author_replies(criteria, weights))


def test_weights_are_asked_for_once_the_questions_are_good() -> None:
    first, then = next_asked(), next_asked([CRITERIA_REPLY])
    assert first is not None
    assert then is not None
    assert (first.id, first.sees, then.id, then.sees) == ("criteria", False, "weights", False)
    assert first.text == f"The prompt is:\n{PROMPT.text}"
    assert then.text.endswith(
        "q1 (quality): Is the quality right?\nq2 (reasoning): Is the reasoning right?\n"
        "q3 (alignment): Is the alignment right?"
    )
    assert next_asked([CRITERIA_REPLY], [WEIGHTS_REPLY]) is None


def test_the_checks_have_criteria_dimension_and_the_weight_of_their_id() -> None:
    made = checks_of_replies([CRITERIA_REPLY], [WEIGHTS_REPLY])
    assert [(check.id, check.dimension, check.weight) for check in made] == [
        ("q1", "quality", 2),
        ("q2", "reasoning", 9),
        ("q3", "alignment", 5),
    ]
    assert {(check.answer_type, check.expected) for check in made} == {("score", "1")}
    assert made[0].criteria == "1: All of it.\n0.5: Hardly to be told.\n0: None of it."
    assert checks_of_replies([CRITERIA_REPLY]) == ()


@swept(
    ("criteria", "reason"),
    [
        ([question("beauty"), GOOD[1]], "question 1: the dimension 'beauty' is none of reasoning, alignment, quality"),
        (GOOD[:1], "it has no question of reasoning"),
        ([question("reasoning", question=f"Is part {i} right?") for i in range(11)], "it has 11 questions"),
        ([question("reasoning", criteria={**GRADES, "0": "all of it"})], "two of its grades are for the same"),
    ],
)
def test_faulty_questions_are_asked_for_once_more(criteria: list[Any], reason: str) -> None:
    faulty = json.dumps(criteria)
    again = next_asked([faulty])
    assert again is not None
    assert again.id == "criteria-again"
    assert reason in again.fault
    assert next_asked([faulty, faulty]) is None
    weighed = next_asked([faulty, CRITERIA_REPLY])
    assert weighed is not None
    assert weighed.id == "weights"


@swept(
    ("weights", "reason"),
    [
        ([*WEIGHTS[:2], weight(2, 6)], "the weight of q2 is 6, and it must be from 7 to 10"),
        ([*WEIGHTS[:2], weight(2, float("nan"))], "the weight of q2 is nan"),
        (WEIGHTS[:2], "it must have each of the ids q1, q2, q3 once, and no other"),
        ([*WEIGHTS, weight(4, 5)], "it must have each of the ids q1, q2, q3 once, and no other"),
        ([*WEIGHTS[:2], weight(2, "9")], "weight 3: Expected `float`, got `str`"),
    ],
)
def test_faulty_weights_are_asked_for_once_more(weights: list[Any], reason: str) -> None:
    faulty = json.dumps(weights)
    again = next_asked([CRITERIA_REPLY], [faulty])
    assert again is not None
    assert again.id == "weights-again"
    assert reason in again.fault
    assert checks_of_replies([CRITERIA_REPLY], [faulty, faulty]) == ()
    assert len(checks_of_replies([CRITERIA_REPLY], [faulty, WEIGHTS_REPLY])) == 3


def test_an_author_is_asked_twice_a_prompt_and_the_file_is_scored_by_r2i_score(tmp_path: Path) -> None:
    def script(query: Query) -> str:
        return CRITERIA_REPLY if query.role == "criteria" else WEIGHTS_REPLY

    author = Author(script)
    made = prepare(bare(2, ("image",)), PROTOCOL, author, tmp_path / "asked.jsonl", limits=QUICK)
    assert author.counts == {f"g{i}/image/{role}": 1 for i in (0, 1) for role in ("criteria", "weights")}
    written = load_prompts(tmp_path / "asked.jsonl")
    assert written == made.prompts
    assert (written.protocol, [len(prompt.checks) for prompt in written.prompts]) == ("r2i-score", [3, 3])
