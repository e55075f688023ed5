"""Yes/no questions that a language model writes about a prompt, for a checklist: one about each thing in it."""

from collections.abc import Iterator, Sequence

from counterbench.t2i.prompts.prompt_set import Check, Prompt
from counterbench.t2i.protocols.asks import Ask, Replies
from counterbench.t2i.protocols.authors import AuthorQuestion, Words, Written, by_author, one_line

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


class _Question(Written, frozen=True, rename={"words": "question"}):
    words: Words
    skill: Words


def asks(prompt: Prompt, said: Replies) -> Sequence[Ask]:
    """The next questions to an author about a prompt."""
    return by_author(prompt, _asking(prompt), said)


def checks(prompt: Prompt, said: Replies) -> Sequence[Check]:
    """The prompt's own checks, else those that the author wrote; none if its reply cannot be used."""
    return prompt.checks or [
        Check(id=f"q{number}", text=one_line(of.words), skill=one_line(of.skill)[:40].lower())
        for number, of in enumerate(_asking(prompt).items(said), 1)
    ]


def _asking(prompt: Prompt) -> AuthorQuestion[_Question]:
    text = f"The prompt is:\n{prompt.text}"
    return AuthorQuestion("questions", text, SYSTEM, _Question, "question", _faults)


def _faults(questions: Sequence[_Question]) -> Iterator[str]:
    if not 1 <= len(questions) <= _MOST:
        yield f"it has {len(questions)} questions, and there must be 1 to {_MOST}"
