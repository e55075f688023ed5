"""PW-Agent's two steps, expectations and then questions about each."""

from pathlib import Path
from typing import Any

import pytest
from pictures.drawn import QUICK
from pictures.preparing.authors import Author, replying
from pictures.pw_worlds import EXPECTED, PW, WRITTEN, bare_worlds, worlds, writes

from counterbench.answers.outcomes import Failed
from counterbench.asking.asker import Limits
from counterbench.judges.base import Reply
from counterbench.pictures.preparing import Prepared, prepare
from counterbench.prompts.files import load_prompts


def prepared(prompts_file: Path, author: object, groups: int = 2, limits: Limits = QUICK, **options: Any) -> Prepared:
    return prepare(bare_worlds(groups), PW, author, prompts_file, limits=limits, **options)  # type: ignore[arg-type]


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
    made = prepared(prompts_file, Author(replying("g0/image", then, again, "questions-2", writes)))
    assert made.without == {why: ["g0/image"]}
    assert [prompt.id for prompt in load_prompts(prompts_file).prompts if prompt.checks] == ["g1/image"]
