"""Clauses: what is true of a scene, in words. `verify` holds them against an independent reader of words and pixels."""

import msgspec
import pytest
from planted_runs import source_of

from counterbench.drawing.render import render
from counterbench.judges.pixels import CannotRead, PixelReading, read_statement
from counterbench.scene.programs.clauses import Clause, missing, there_is
from counterbench.scene.programs.shapes import ColourOf, Count, Equals, Exists, Relates
from counterbench.scene.visibility import Description


@pytest.mark.parametrize(("suite", "pairs"), [("counterbench-550", 40), ("laws", 10), ("priors", 12)])
def test_the_clause_of_an_answer_is_true_where_it_is_the_answer_by_the_pixels(suite: str, pairs: int) -> None:
    for pair in source_of(suite, pairs):
        clauses = {answer: pair.program.clause(answer).statement for answer in pair.answers}
        for scene, truth in zip(pair.scenes, pair.answers, strict=True):
            reading = PixelReading(render(msgspec.structs.replace(scene, treatment=msgspec.UNSET)))
            held = {answer: read_statement(reading, statement) for answer, statement in clauses.items()}
            assert held == {answer: answer == truth for answer in clauses}, (pair.id, clauses)


RED = Description("circle", "red")
BLUE = Description("square", "blue")


@pytest.mark.parametrize(
    ("clause", "statement", "prompt"),
    [
        (Relates(RED, "left", BLUE).clause("yes"), "the red circle is to the left of the blue square", ""),
        (Relates(RED, "left", BLUE).clause("no"), "the red circle is not to the left of the blue square", ""),
        (Exists("circle", "red").clause("yes"), "there is a red circle", "a picture with a red circle"),
        (Exists("circle", "red", none=True).clause("yes"), "there is no red circle", "a picture with no red circle"),
        (
            Count("diamond", "orange").clause("4"),
            "there are exactly four orange diamonds",
            "a picture with exactly four orange diamonds",
        ),
        (Count("diamond", "orange").clause("0"), "there is no orange diamond", "a picture with no orange diamond"),
        (Count().clause("1"), "exactly one shape is visible", "a picture with exactly one visible shape"),
        (Equals(ColourOf(Description("circle")), "red").clause("no"), "the circle is not red", ""),
        (Clause("the ball", "rest", "rests", "on the floor").negated, "the ball does not rest on the floor", ""),
        (there_is("two dogs", several=True), "there are two dogs", "a picture with two dogs"),
        (missing("dog"), "there is no dog", "a picture with no dog"),
    ],
)
def test_a_clause_is_a_statement_and_a_prompt(clause: Clause, statement: str, prompt: str) -> None:
    assert clause.statement == statement
    assert clause.prompt == (prompt or f"a picture in which {statement}")


def test_the_helping_verb_agrees_with_its_subject() -> None:
    ball, shapes = Clause("the ball", "rest", "rests", "on it"), Clause("the shapes", "have", "have", "two colors")
    assert (ball.question, shapes.question) == ("does the ball rest on it", "do the shapes have two colors")
    denials = "the ball does not rest on it", "the shapes do not have two colors"
    assert (ball.negated.statement, shapes.negated.statement) == denials


def test_a_statement_with_unknown_words_is_not_read() -> None:
    scene = next(iter(source_of("certify", 1))).original
    with pytest.raises(CannotRead, match="I do not understand the statement 'the circle is almost red'"):
        read_statement(PixelReading(render(scene)), "the circle is almost red")
