"""R2I-Score's two steps with an author: questions with criteria, then their weights."""

import json
from pathlib import Path

from pictures.drawn import QUICK
from pictures.preparing.authors import R2I_QUESTIONS, R2I_WEIGHTS, Author, bare, read

from counterbench.pictures.preparing import prepare
from counterbench.pictures.protocols.checklist import R2IScore
from counterbench.prompts.files import load_prompts

PROTOCOL = R2IScore()
PROMPT = bare(1, ("image",)).prompts[0]
TEXTS = {"criteria": json.dumps(R2I_QUESTIONS), "weights": json.dumps(R2I_WEIGHTS)}
WRITTEN = read(TEXTS)
STARTED = {"criteria": WRITTEN["criteria"]}


def test_weights_are_asked_for_once_the_questions_are_good() -> None:
    (first,), (then,) = PROTOCOL.prepare(PROMPT, {}), PROTOCOL.prepare(PROMPT, STARTED)
    assert (first.id, first.sees, then.id, then.sees) == ("criteria", False, "weights", False)
    assert first.text == f"The prompt is:\n{PROMPT.text}"
    assert then.text.endswith(
        "q1 (quality): Is the quality right?\nq2 (reasoning): Is the reasoning right?\n"
        "q3 (alignment): Is the alignment right?"
    )
    assert PROTOCOL.prepare(PROMPT, WRITTEN) == ()


def test_the_checks_have_criteria_dimension_and_the_weight_of_their_id() -> None:
    made = PROTOCOL.checks(PROMPT, WRITTEN)
    assert [(check.id, check.dimension, check.weight) for check in made] == [
        ("q1", "quality", 2), ("q2", "reasoning", 9), ("q3", "alignment", 5),
    ]  # fmt: skip
    assert {(check.answer_type, check.expected) for check in made} == {("score", "1")}
    assert made[0].criteria == "1: All of it.\n0.5: Hardly to be told.\n0: None of it."
    assert PROTOCOL.checks(PROMPT, STARTED) == ()


def test_an_author_is_asked_twice_a_prompt_and_the_file_is_scored_by_r2i_score(tmp_path: Path) -> None:
    author = Author(lambda query: TEXTS[query.role])
    made = prepare(bare(2, ("image",)), PROTOCOL, author, tmp_path / "asked.jsonl", limits=QUICK)
    assert author.counts == {f"g{i}/image/{role}": 1 for i in (0, 1) for role in ("criteria", "weights")}
    written = load_prompts(tmp_path / "asked.jsonl")
    assert written == made.prompts
    assert (written.protocol, [len(prompt.checks) for prompt in written.prompts]) == ("r2i-score", [3, 3])
