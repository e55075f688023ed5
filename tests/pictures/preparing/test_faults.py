"""Whatever is wrong with an author's reply: it is not used, and asked for once more with the reason, for every task."""

import json
from typing import Any

from pictures.preparing.authors import GOOD, GRADES, LIST, R2I_QUESTIONS, R2I_WEIGHTS, bare, question, read
from pictures.pw_worlds import ASKED, EXPECTED, QUESTIONS, WRITTEN, expectation
from sweeping import swept

from counterbench.pictures.preparing import AuthorTask
from counterbench.pictures.protocols import PROTOCOLS
from counterbench.pictures.protocols.asks import Ask
from counterbench.pictures.rewriting import Rewriting, load_rewrite
from counterbench.prompts.prompt_set import Prompt

TASKS: dict[str, AuthorTask] = {**PROTOCOLS, "rewrite": Rewriting(load_rewrite("rewrite"))}
PROMPT = bare(1).by_id["g0/l2"]


def listed(*items: Any) -> str:
    return json.dumps(items)


# By task: a good reply to each of its questions.
USABLE = {
    "cf-eval": {"questions": LIST},
    "checklist": {"questions": listed({"question": "Is there a cup?", "skill": "presence"})},
    "r2i-score": {"criteria": listed(*R2I_QUESTIONS), "weights": listed(*R2I_WEIGHTS)},
    "pw-agent": {"expectations": WRITTEN} | {f"questions-{n}": QUESTIONS for n in (1, 2, 3)},
    "rewrite": {"rewrite": listed({"prompt": "A cup."})},
}


def after(task: str, id: str, *replies: str) -> tuple[list[Ask], Prompt | None]:
    """What is asked next, and written, after these replies to one question and good ones to the others."""
    texts = read(USABLE[task] | dict(zip((id, f"{id}-again"), replies, strict=False)))
    return [*TASKS[task].prepare(PROMPT, texts)], TASKS[task].written(PROMPT, texts)


def other(place: int, **fields: Any) -> str:
    """The good questions of CF-Eval, of which one has these fields."""
    return listed(*GOOD[:place], GOOD[place] | fields, *GOOD[place + 1 :])


E, Q, R, W = EXPECTED[0], ASKED, R2I_QUESTIONS, R2I_WEIGHTS
OF_CF = ("cf-eval", "questions")
OF_R2I, OF_WEIGHTS = ("r2i-score", "criteria"), ("r2i-score", "weights")
OF_PW, OF_STATES = ("pw-agent", "expectations"), ("pw-agent", "questions-2")
OF_WORDS = ("rewrite", "rewrite")
FAULTS: list[tuple[tuple[str, str], str, str]] = [
    (OF_CF, "I would rather not write JSON.", "it has no such JSON list"),
    (OF_CF, LIST[:-30], "it has no such JSON list"),
    (OF_CF, f"{LIST} or {listed(*GOOD[:2])}", "it has 2 JSON lists of questions and not one"),
    (OF_CF, other(0, dimension="beauty"), "question 1: the dimension 'beauty' is none of visual-integrity"),
    (OF_CF, other(1, weight=17), "question 2: its weight is 17, and of assessment-point it is from 12 to 16"),
    (OF_CF, other(2, weight=float("nan")), "its weight is nan"),
    (OF_CF, other(2, weight="8"), "question 3: Expected `float`, got `str` - at `$.weight`"),
    (OF_CF, other(0, question=" "), "question 1: Expected `str` matching regex"),
    (OF_CF, other(0, criteria={"1": "sharp", "0": "not"}), "Object missing required field `0.5`"),
    (OF_CF, other(0, criteria=GRADES | {"0.5": "all of it"}), "question 1: two of its grades are for the same"),
    (OF_CF, listed(*GOOD[:2]), "it has 0 questions of logic-consistency, and there must be 1 to 4"),
    (OF_CF, listed(*GOOD, question("assessment-point", question="?")), "it has 2 questions of assessment-point"),
    (OF_CF, listed(*GOOD, GOOD[2]), "its question 'Is the logic consistency right?' is there twice."),
    (OF_CF, listed(*GOOD, GOOD[2] | {"weight": 9}), "right?' is there twice"),
    (OF_CF, listed(*[{}] * 99), "question 6: "),
    (("checklist", "questions"), listed({"question": "Is there a cup?"}), "missing required field `skill`"),
    (OF_R2I, listed(question("beauty"), R[1]), "question 1: the dimension 'beauty' is none of reasoning, alignment"),
    (OF_R2I, listed(R[0]), "it has no question of reasoning"),
    (OF_R2I, listed(*(question("reasoning", question=f"Is {n} right?") for n in range(11))), "it has 11 questions"),
    (OF_R2I, listed(question("reasoning", criteria=GRADES | {"0": "all of it"})), "two of its grades are for the same"),
    (OF_WEIGHTS, listed(*W[:2], {"id": "q2", "weight": 6}), "the weight of q2 is 6, and it must be from 7 to 10"),
    (OF_WEIGHTS, listed(*W[:2], {"id": "q2", "weight": float("nan")}), "the weight of q2 is nan"),
    (OF_WEIGHTS, listed(*W[:2]), "it must have each of the ids q1, q2, q3 once, and no other"),
    (OF_WEIGHTS, listed(*W, {"id": "q4", "weight": 5}), "it must have each of the ids q1, q2, q3 once, and no other"),
    (OF_PW, f"{WRITTEN} or {listed(E)}", "2 JSON lists of expectations"),
    (OF_PW, listed(*(expectation(f"thing {n}") for n in range(9))), "it has 9 expectations, and"),
    (OF_PW, listed(E, E | {"expectation": "the cup has a shadow on the floor"}), "floor' is there twice"),
    (OF_PW, listed(E | {"phenomenon": "Magic"}), "expectation 1: the phenomenon 'Magic' is none of"),
    (OF_PW, listed(E | {"importance": "9"}), "expectation 1: the importance '9' is none of high"),
    (OF_STATES, listed(Q[0]), "it has 0 questions of the type state"),
    (OF_STATES, listed(Q[1]), "first question, and no other, must be of the type existence"),
    (OF_STATES, listed(Q[0], Q[0] | {"type": "state"}), "is there twice"),
    (OF_STATES, listed(Q[0], Q[1] | {"type": "Colour"}), "question 2: the type 'Colour' is none of existence"),
    (OF_WORDS, "[]", "it has no such JSON list"),
    (OF_WORDS, listed({"prompt": "A cup."}, {"prompt": "A jug."}), "it has 2 prompts, and there must be exactly 1"),
    (OF_WORDS, listed({"prompt": "a" * 2001}), "the prompt has 2,001 characters, and there must be at most 2,000"),
]  # fmt: skip


@swept(("question", "reply", "reason"), FAULTS)
def test_a_faulty_reply_is_not_used_and_asked_for_once_more_with_the_reason(
    question: tuple[str, str], reply: str, reason: str
) -> None:
    ((again,), written), (task, id) = after(*question, reply), question
    assert (again.id, again.sees, written) == (f"{id}-again", False, None)
    assert f"Your reply was:\n{reply[:2000]}\n" in again.text
    faults = again.text.partition("That reply cannot be used: ")[2]
    assert reason in faults
    assert "question 7: " not in faults
    assert after(*question, reply, reply) == ([], None)
    assert after(*question, reply, USABLE[task][id]) == after(*question, USABLE[task][id])
    assert after(*question, reply, USABLE[task][id])[1] is not None
