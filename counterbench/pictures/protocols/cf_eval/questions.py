"""Questions that a language model writes about a prompt, as CF-World's were (section 3.3.1, appendix C.2).

The method is the paper's: three dimensions with their ranges of weights, each question graded by criteria that it
states. The words are ours, the same for every author and level except for the statement of the law in the picture.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from counterbench.pictures.protocols.authors import AuthorQuestion, GradedQuestion
from counterbench.prompts.from_laws import ASSESSMENT
from counterbench.prompts.prompt_set import Check, Prompt


class Kind(NamedTuple):
    """The limits for checks of one dimension: their weights and their largest number."""

    id: str  # the ids of its checks, before a number if there may be several
    weights: tuple[int, int]  # the least and the largest
    max_checks: int  # the largest number of its checks


KINDS = {
    "visual-integrity": Kind("integrity", (2, 3), 1),
    ASSESSMENT: Kind("assessment", (12, 16), 1),
    "logic-consistency": Kind("logic", (7, 9), 4),
}
SYSTEM = """\
You write the questions by which a picture is graded that a text-to-image model made from a prompt. Whoever grades \
sees the picture and your questions, and never the prompt: each question must say by itself what is to be looked for.
End with a JSON list, and nothing behind it. Each of its items is an object with four keys: "dimension", "question", \
"criteria" and "weight". "criteria" is an object with the keys "1", "0.5" and "0": what the picture shows that earns \
this grade. The dimensions are:
- "visual-integrity", one question, weight 2 or 3: whether the picture is sound as a picture, in any style: clear, \
nothing garbled, broken or misshapen.
- "assessment-point", exactly one question, weight 12 to 16: whether what the prompt is about looks as the rule in it \
makes it look. Everything that must be seen for that belongs into this one question. 1 is for all of it; 0.5 only for \
what can hardly be told from that; 0 for anything else.
- "logic-consistency", one to four questions, weight 7 to 9: whether the rest of the scene goes by the same rule, and \
what the rule does not touch is as it always is. 0 where any part of the scene goes by another rule."""
# The statements of the law in the picture: by level, and for sets of other levels.
_REAL = "The prompt is about the real world: all that the picture shows must obey its laws."
_ALTERED = (
    "The prompt changes a rule of the world: all that the picture shows must obey the rule as it is changed there, and "
    "otherwise the laws of the real world."
)
_HOLDS = {
    "l1": _REAL,
    "l2": _ALTERED,
    "l3": f"{_ALTERED} The prompt does not say what is then to be seen: work that out first.",
}
_ELSEWHERE = "All that the picture shows must obey the rules that the prompt states, and else those of the real world."


class _WrittenQuestion(GradedQuestion, frozen=True):
    """One question of any dimension, as an author writes it in the JSON list."""

    weight: float

    def faults(self) -> Iterator[str]:
        """The faults of one question: an unknown dimension, a weight out of range, or two grades for the same."""
        kind = KINDS.get(self.dimension)
        if kind is None:
            yield f"the dimension {self.dimension[:40]!r} is none of {', '.join(KINDS)}"
        elif not kind.weights[0] <= self.weight <= kind.weights[1]:
            low, high = kind.weights
            yield f"its weight is {self.weight:g}, and of {self.dimension} it is from {low} to {high}"
        yield from super().faults()


def author_question(prompt: Prompt) -> AuthorQuestion[_WrittenQuestion]:
    """The question to an author for all questions about a prompt."""
    text = f"{_HOLDS.get(prompt.level, _ELSEWHERE)}\nThe prompt is:\n{prompt.text}"
    return AuthorQuestion("questions", text, SYSTEM, _WrittenQuestion, "question", _faults)


def _faults(questions: Sequence[_WrittenQuestion]) -> Iterator[str]:
    """The faults of a list of questions: too few or too many of a dimension."""
    counts = Counter(question.dimension for question in questions)
    for name, kind in KINDS.items():
        count, most = counts[name], kind.max_checks
        if not 1 <= count <= most:
            yield f"it has {count} questions of {name}, and there must be {f'1 to {most}' if most > 1 else 'exactly 1'}"


def checks(questions: Sequence[_WrittenQuestion]) -> Iterator[Check]:
    """The checks in the order of the dimensions, under the ids that imported questions have."""
    for name, kind in KINDS.items():
        of_dimension = [question for question in questions if question.dimension == name]
        for number, question in enumerate(of_dimension, 1):
            id = kind.id if kind.max_checks == 1 else f"{kind.id}-{number}"
            yield question.check(id=id, answer_type="grade", weight=question.weight)
