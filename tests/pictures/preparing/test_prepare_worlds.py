"""PW-Agent's two steps, expectations and then questions about each: whatever an author writes has its outcome."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from pictures.drawn import QUICK
from pictures.preparing.authors import Author, Script, replying
from pictures.pw_worlds import ASKED, EXPECTED, PW, QUESTIONS, WRITTEN, bare_worlds, expectation, worlds, writes

from counterbench.answers.outcomes import Failed
from counterbench.asking.asker import Limits
from counterbench.judges.base import Reply
from counterbench.pictures.preparing import Prepared, prepare
from counterbench.prompts.files import load_prompts


@pytest.fixture
def prompts_file(tmp_path: Path) -> Path:
    return tmp_path / "asked.jsonl"


def prepared(prompts_file: Path, author: object, groups: int = 2, limits: Limits = QUICK, **options: Any) -> Prepared:
    return prepare(bare_worlds(groups), PW, author, prompts_file, limits=limits, **options)  # type: ignore[arg-type]


def scripted(role: str, then: Reply | str, again: Reply | str | None = None) -> Script:
    """Replies to one question about g0."""
    return replying("g0/image", then, again, role, writes)


def test_expectations_are_asked_first_and_then_questions_about_each(prompts_file: Path) -> None:
    author = Author(writes)
    made = prepared(prompts_file, author)
    roles = ["expectations", "questions-1", "questions-2", "questions-3"]
    assert author.counts == {f"g{i}/image/{role}": 1 for i in (0, 1) for role in roles}
    assert list(author.queries)[:2] == ["g0/image/expectations", "g1/image/expectations"]
    query = author.queries["g0/image/questions-2"]
    assert (query.text, query.pictures) == (
        "The things are: jug, floor\nThe expectation is:\nThe jug has a shadow on the floor.",
        (),
    )  # the expectation alone: neither the prompt nor why
    assert load_prompts(prompts_file) == made.prompts == worlds(2)
    again = Author(writes)
    assert prepared(prompts_file, again).prompts == made.prompts
    assert not again.counts


def test_expectations_carry_text_reason_and_importance() -> None:
    checks = {check.id: check for check in worlds(1).prompts[0].checks}
    first = checks["e1-foundation"]
    assert (first.text, first.criteria) == (EXPECTED[0]["expectation"], f"Because: {EXPECTED[0]['reason']}")
    assert [checks[f"e{n}-state-1"].weight for n in (1, 2, 3)] == [3, 2, 1]
    assert {check.tags for check in checks.values()} == {("optics",), ()}


E, Q = EXPECTED[0], ASKED


def listed(*items: Any) -> str:
    return json.dumps(items)


BAD_EXPECTATIONS = {
    "malformed JSON": (WRITTEN[:-9], "no such JSON list"),
    "two lists": (f"{WRITTEN} or {listed(E)}", "2 JSON lists of expectations"),
    "too many": (listed(*(expectation(f"thing {n}") for n in range(9))), "it has 9 expectations, and"),
    "doubled": (listed(E, E | {"expectation": "the cup has a shadow on the floor"}), "the cup .* is there twice"),
    "contradictory": (listed(E, E | {"importance": "low"}), "is there twice"),
    "another phenomenon": (listed(E | {"phenomenon": "Magic"}), "expectation 1: the phenomenon 'Magic' is none of"),
    "another importance": (listed(E | {"importance": "9"}), "expectation 1: the importance '9' is none of high"),
    "an empty text": (listed(E | {"expectation": " "}), "expectation 1: .*expectation"),
}  # fmt: skip
BAD_QUESTIONS = {
    "too few": (listed(Q[0]), "it has 0 questions of the type state"),
    "no existence": (listed(Q[1]), "first question, and no other, must be of the type existence"),
    "doubled": (listed(*Q, Q[1]), "question 'Does the cup have a shadow.' is there twice"),
    "contradictory": (listed(Q[0], Q[0] | {"type": "state"}), "is there twice"),
    "another type": (listed(Q[0], Q[1] | {"type": "Colour"}), "question 2: the type 'Colour' is none of existence"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("role", "bad", "reason"),
    [("expectations", *case) for case in BAD_EXPECTATIONS.values()]
    + [("questions-2", *case) for case in BAD_QUESTIONS.values()],
    ids=[*(f"expectations: {name}" for name in BAD_EXPECTATIONS), *(f"questions: {name}" for name in BAD_QUESTIONS)],
)
def test_an_unusable_reply_is_requested_once_more_with_the_reason(
    prompts_file: Path, role: str, bad: str, reason: str
) -> None:
    good = WRITTEN if role == "expectations" else QUESTIONS
    author = Author(scripted(role, bad, good))
    assert prepared(prompts_file, author).prompts == worlds(2)
    again = author.queries[f"g0/image/{role}-again"].text
    assert "That reply cannot be used: " in again
    assert re.search(reason, again.rpartition("cannot be used: ")[2]), again
    other = prompts_file.with_name("left.jsonl")
    made = prepared(other, Author(scripted(role, bad)))
    assert made.without == {"malformed": ["g0/image"]}
    assert [prompt.id for prompt in load_prompts(other).prompts if not prompt.checks] == ["g0/image"]


@pytest.mark.parametrize(
    ("then", "again", "why"),
    [
        ("I'm sorry, I can't help with that.", None, "refused"),
        ("None.", Reply(text=WRITTEN, finish="length"), "cut off"),
        (Reply(failure=Failed("http-400", "no")), None, "failed"),
    ],
)
def test_an_unusable_reply_of_the_second_step_is_counted_by_its_kind(
    prompts_file: Path, then: Reply | str, again: Reply | None, why: str
) -> None:
    made = prepared(prompts_file, Author(scripted("questions-2", then, again)))
    assert made.without == {why: ["g0/image"]}
    assert [prompt.id for prompt in load_prompts(prompts_file).prompts if prompt.checks] == ["g1/image"]
