"""Questions: a program in words."""

from __future__ import annotations

from counterbench.scene.pairs import ask
from counterbench.scene.programs.shapes import ArrowTarget, Count, Equals
from counterbench.scene.seeds import Stream


def test_open_and_yes_no_forms() -> None:
    question = ask(ArrowTarget(), Stream(1))
    assert (question.form, question.answer_type) == ("open", "colour-shape")
    closed = ask(Equals(ArrowTarget(), "red circle"), Stream(1))
    assert (closed.form, closed.answer_type) == ("yes-no", "yes-no")


def test_the_stream_chooses_the_template_and_uses_all_of_them() -> None:
    seen = {ask(Count("square", "pink"), Stream("phrasing", i)).words for i in range(60)}
    assert seen == set(Count("square", "pink").phrasings())
