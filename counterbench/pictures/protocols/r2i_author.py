"""Questions that an author (a language model) writes about a prompt for R2I-Score, in two steps.

The author first writes questions with the criteria of their grades, each of one dimension; then it is shown these and
gives each a weight within its dimension's range. The two steps, dimensions and ranges are R2I-Bench's (section 3,
appendix B.1.4). The words of both requests are ours, and so are the limits: R2I-Bench's prompts have 1 to 17 questions
in the release, mostly 4 to 8. Its author was also shown a caption and an explanation, which other prompts do not have.
"""

from collections.abc import Iterator, Sequence

from counterbench.pictures.protocols.authors import (
    AuthorQuestion,
    FilledText,
    GradedQuestion,
    WrittenTexts,
    one_line,
)
from counterbench.prompts.imports.r2i_bench import DIMENSIONS
from counterbench.prompts.prompt_set import Check, Prompt

MAX_QUESTIONS = 10  # questions about a prompt
_RANGES = ", ".join(f"{name} from {low} to {high}" for name, (low, high) in DIMENSIONS.items())
CRITERIA = f"""\
You write the questions by which a picture is graded that a text-to-image model made from a prompt. Whoever grades \
sees the picture and one question at a time, and never the prompt: each question must say by itself what is to be \
looked for. First work out what the prompt leaves to be inferred; ask mainly about that.
End with a JSON list of one to {MAX_QUESTIONS} items, and nothing behind it. Each is an object with three keys: \
"dimension", "question" and "criteria". "criteria" is an object with the keys "1", "0.5" and "0": what the picture \
shows that earns this grade. The dimensions are:
- "reasoning", at least one question: what the prompt does not say, and what must be seen if it was thought through;
- "alignment": the things, numbers, properties and places that the prompt does say;
- "quality": whether the picture is sound as a picture, and in the style that the prompt asks for."""
WEIGHTS = f"""\
You weigh the questions by which a picture is graded that a text-to-image model made from a prompt. A question weighs \
the more, the more it decides whether the picture shows what the prompt is about.
End with a JSON list, and nothing behind it, with an object for each question. It has two keys: "id", as the question \
has it below, and "weight", a number: {_RANGES}."""


class R2IQuestion(GradedQuestion, frozen=True):
    """One question, as an author writes it in the first step."""

    def faults(self) -> Iterator[str]:
        """Yield a sentence on each fault: an unknown dimension, or two grades for the same."""
        if self.dimension not in DIMENSIONS:
            yield f"the dimension {self.dimension[:40]!r} is none of {', '.join(DIMENSIONS)}"
        yield from super().faults()


class QuestionWeight(WrittenTexts, frozen=True, rename={"words": "id"}):
    """The weight of one question, as an author gives it in the second step."""

    words: FilledText  # the question's id
    weight: float


def grading(prompt: Prompt) -> AuthorQuestion[R2IQuestion]:
    """The request to the author for the questions about a prompt, without weights."""
    text = f"The prompt is:\n{prompt.text}"
    return AuthorQuestion("criteria", text, CRITERIA, R2IQuestion, "question", _faults_of_questions)


def weighing(prompt: Prompt, questions: Sequence[R2IQuestion]) -> AuthorQuestion[QuestionWeight]:
    """The request to the author for the weights of the questions that it wrote."""
    dimensions = {f"q{number}": question.dimension for number, question in enumerate(questions, 1)}
    lines = [
        f"{id} ({question.dimension}): {one_line(question.words)}"
        for id, question in zip(dimensions, questions, strict=True)
    ]

    def faults(weights: Sequence[QuestionWeight]) -> Iterator[str]:
        """Yield a sentence on each weight out of its range, and one if the ids are not those of the questions."""
        if sorted(weight.words for weight in weights) != sorted(dimensions):
            yield f"it must have each of the ids {', '.join(dimensions)} once, and no other"
            return
        for weight in weights:
            low, high = DIMENSIONS[dimensions[weight.words]]
            if not low <= weight.weight <= high:
                yield f"the weight of {weight.words} is {weight.weight:g}, and it must be from {low} to {high}"

    text = "\n".join([f"The prompt is:\n{prompt.text}", "The questions are:", *lines])
    return AuthorQuestion("weights", text, WEIGHTS, QuestionWeight, "weight", faults)


def checks(questions: Sequence[R2IQuestion], weights: Sequence[QuestionWeight]) -> Iterator[Check]:
    """The checks in the author's order, graded from 0 to 1 as those of R2I-Bench are."""
    weight_of = {weight.words: weight.weight for weight in weights}
    for number, question in enumerate(questions, 1):
        id = f"q{number}"
        yield question.check(id=id, answer_type="score", weight=weight_of[id])


def _faults_of_questions(questions: Sequence[R2IQuestion]) -> Iterator[str]:
    """Yield a sentence on each fault of a list as a whole: too many questions, or none of reasoning."""
    if len(questions) > MAX_QUESTIONS:
        yield f"it has {len(questions)} questions, and there must be 1 to {MAX_QUESTIONS}"
    if all(question.dimension != "reasoning" for question in questions):
        yield "it has no question of reasoning"
