"""Yes/no questions that a language model writes about a prompt, for a checklist: one about each thing in it."""

from collections.abc import Iterator, Sequence

import msgspec

from counterbench.t2i.prompts.prompt_set import Check, Prompt
from counterbench.t2i.protocols.authors import AuthorQuestion, Words, listed, one_line, twice

_MOST = 20  # questions of a prompt
SYSTEM = """\
You write the questions by which a picture is checked that a text-to-image model made from a prompt. Whoever answers \
sees the picture and one question at a time, and never the prompt: each question must say by itself what is to be \
looked for.
Ask about each thing that the prompt asks for, once: each object, its number, its colours and other properties, where \
it is, what it does, what is written, and how all of it is drawn. Ask about nothing that the prompt leaves open. Each \
question can be answered with yes or no, and yes is the answer about a picture that shows the prompt.
End with a JSON list, and nothing behind it. Each of its items is an object with two keys: "question", and "skill", \
one word for what it takes to answer: "presence", "count", "colour", "left-right", "above-below", "inside", "text", or \
another word."""


class _Question(msgspec.Struct, frozen=True):
    question: Words
    skill: Words


def asking(prompt: Prompt) -> AuthorQuestion[Check]:
    """The question for the checks of a prompt."""
    return AuthorQuestion("questions", f"The prompt is:\n{prompt.text}", SYSTEM, _read)


def _read(reply: str) -> tuple[tuple[Check, ...], list[str]]:
    """The checks of a reply, and its faults."""
    questions, faults = listed(reply, _Question, "question", lambda question: ())
    faults += _faults_of_all(questions) if not faults else []
    written = (
        Check(id=f"q{number}", text=one_line(of.question), skill=one_line(of.skill)[:40].lower())
        for number, of in enumerate(questions, 1)
    )
    return (() if faults else tuple(written)), faults


def _faults_of_all(questions: Sequence[_Question]) -> Iterator[str]:
    if not 1 <= len(questions) <= _MOST:
        yield f"it has {len(questions)} questions, and there must be 1 to {_MOST}"
    yield from twice(((each.question, each.skill) for each in questions), "asks", "another skill")
