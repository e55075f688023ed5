"""CF-Eval's questions by an author: what is asked for, and the checks that a good list becomes."""

import json

from pictures.preparing.authors import GOOD, LIST, bare, question, read
from sweeping import swept

from counterbench.pictures.protocols.cf_eval import CFEval
from counterbench.prompts.prompt_set import Check

PROTOCOL = CFEval()
PROMPT = bare(1).by_id["g0/l2"]


def checks_of(reply: str) -> list[Check]:
    return [*PROTOCOL.checks(PROMPT, read({"questions": reply}))]


def test_the_author_sees_no_picture_and_is_told_the_levels_rules() -> None:
    prompts = [*bare(1).prompts, *bare(1, ("only",)).prompts]
    asks = {prompt.level: ask for prompt in prompts for ask in PROTOCOL.prepare(prompt, {})}
    for level, ask in asks.items():
        assert (ask.sees, ask.answer_type) == (False, "description")
        assert ask.text.endswith(f"The prompt is:\nDraw g0 by {level}.")
        assert [name for name in ("visual-integrity", "assessment-point") if name not in ask.system] == []
    rules = {"l1": "real world", "l2": "changes a rule", "l3": "work that out", "only": "rules that the prompt states"}
    assert {level: words for level, words in rules.items() if words in asks[level].text} == rules
    assert "changes a rule" not in asks["l1"].text


def test_a_valid_list_becomes_graded_checks_with_their_criteria() -> None:
    more = [*GOOD, question("logic-consistency", question="And the shadows?", weight=7)]
    found = checks_of(json.dumps(more[::-1]))
    assert [(check.id, check.dimension, check.weight) for check in found] == [
        ("integrity", "visual-integrity", 3), ("assessment", "assessment-point", 15),
        ("logic-1", "logic-consistency", 7), ("logic-2", "logic-consistency", 8),
    ]  # fmt: skip
    assert {(check.answer_type, check.expected) for check in found} == {("grade", "1")}
    assert found[0].criteria == "1: All of it.\n0.5: Hardly to be told.\n0: None of it."


@swept(
    "around",
    [
        "{}", "First I think [of {{balls}}].\n```json\n{}\n```\nThat is all.", '{{"questions": {}}}', "\ufeff\n{}",
        "<think>[{{}}] maybe</think>{}", "{0}\nOnce more:\n{0}",
    ],
)  # fmt: skip
def test_a_list_is_found_within_other_text(around: str) -> None:
    assert checks_of(around.format(LIST)) == checks_of(LIST) != []


def test_a_list_that_was_cut_off_or_is_empty_is_requested_once_more() -> None:
    for reply, finish, reason in ((LIST, "length", "cut off at the length limit"), ("", "", "cannot be used: ")):
        (again,) = PROTOCOL.prepare(PROMPT, read({"questions": reply}, finish))
        assert reason in again.text
