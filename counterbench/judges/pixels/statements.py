"""Statements about a picture, read as the yes/no questions that they answer. Every word counts, as in a question."""

import re
from typing import Protocol

from counterbench.judges.pixels.ink import CannotRead

# Patterns of statements that deny another statement, and the other one.
_DENIALS = (
    (r"(.+) (is|are) not (.+)", r"\1 \2 \3"),
    (r"(.+) does not have (.+)", r"\1 has \2"),
    (r"(.+) does not touch (.+)", r"\1 touches \2"),
    (r"(.+) does not ([a-z]+) (.+)", r"\1 \2s \3"),
    (r"(.+) is outside the container", r"\1 is inside the container"),
    (r"no (part of .+)", r"\1"),
    (r"something is damaged", r"everything is whole and clean"),
)
# Patterns of other statements, and the questions that ask if they are true. About the things of laws (`things/`), "is
# it true that …" can ask any statement.
_QUESTIONS = (
    (r"everything is whole and clean", r"is the picture free of flaws, such as damaged parts"),
    (r"there is no (.+)", r"is it true that there is no \1"),
    (r"there (is|are) (.+)", r"\1 there \2"),
    (r"no shape is (.+)", r"are exactly zero shapes \1"),
    (r"(part of .+) is visible", r"is any \1 visible"),
    (r"(the two .+) differ in color", r"do \1 differ in color, even slightly"),
    (r"(the arrow) points (.+)", r"does \1 point \2"),
    (r"(the .+) reads (.+)", r"does \1 read \2"),
    (r"(the .+) shows (.+)", r"does \1 show \2"),
    (r"(the .+) has (.+)", r"does \1 have \2"),
    (r"(of .+), (.+) is the one that is (.+)", r"\1, is \2 the one that is \3"),
    (r"(.+) is further to the (left|right) than (.+)", r"is \1 to the \2 of \3"),
    (r"(.+) is higher up than (.+)", r"is \1 above \2"),
    (r"(.+) is lower down than (.+)", r"is \1 below \2"),
    (r"(.+?) (is|are) (.+)", r"\2 \1 \3"),
)


# Things of which there are several.
_SEVERAL = re.compile(r"exactly (?!one )")
# A prompt, in a question or a statement, and its parts: things that are there, and statements.
_PROMPT = re.compile(r'(?:does the picture show|the picture shows) this: "([^"]+)"', re.IGNORECASE)
_PROMPT_PARTS = re.compile(r"a picture(?: with (?P<things>.+?))?(?:,? in which (?P<statements>.+))?")


class AnswersQuestions(Protocol):
    """A picture that answers questions, as `PixelReading` does."""

    def answer(self, question: str) -> str:
        """The answer to a question, as `read_answer` gives it."""
        ...


def prompt_in(text: str) -> str:
    """The prompt in a question or statement of the form "… the picture shows this: PROMPT"; empty if there is none."""
    match = _PROMPT.match(text)
    return match[1] if match else ""


def shows_prompt(reading: AnswersQuestions, prompt: str) -> bool:
    """True if a picture shows all that a prompt says; CannotRead if a part of it is not understood or unclear."""
    match = _PROMPT_PARTS.fullmatch(prompt)
    if match is None:
        raise CannotRead(f"I do not understand the prompt {prompt!r}", "words")
    things = [f"there {'are' if _SEVERAL.match(thing) else 'is'} {thing}" for thing in _split(match["things"])]
    held = [read_statement(reading, statement) for statement in (*things, *_split(match["statements"]))]
    return all(held)


def _split(joined: str | None) -> list[str]:
    """The parts of "…, … and …"."""
    return re.split(r", | and ", joined) if joined else []


def read_statement(reading: AnswersQuestions, statement: str) -> bool:
    """True if a statement ("the red circle is above the blue square") is true of a picture.

    CannotRead as `read_answer` raises it. No code or text is shared with the programs that make statements.
    """
    if prompt := prompt_in(statement):
        return shows_prompt(reading, prompt)
    for pattern, denied in _DENIALS:
        if match := re.fullmatch(pattern, statement):
            return not read_statement(reading, match.expand(denied))
    for question in _questions_for(statement):
        try:
            return reading.answer(f"{question}?") == "yes"
        except CannotRead as error:
            if error.kind != "words":
                raise
    raise CannotRead(f"I do not understand the statement {statement!r}", "words")


def _questions_for(statement: str) -> list[str]:
    """The one or two questions that ask if a statement is true: of a law's things, and in the first form that fits."""
    matches = ((re.fullmatch(pattern, statement), question) for pattern, question in _QUESTIONS)
    return [f"is it true that {statement}", *(match.expand(question) for match, question in matches if match)][:2]
