"""Claims that questions about a picture make, read from their words.

`claim_of` is the main function: the words of a question go in, the claim comes out, or None if the question says more
than a known form (`prompts.forms`) or says it in other words. A claim is a statement about a picture:

    >>> claim_of("Is the dog to the left of the cat?")
    Beside(thing='dog', side='left', other='cat', every=False)

The `text` of a claim is a yes/no question of ours that asks if the claim is true. It has one meaning, also where things
are missing, are there twice or have two colours. A question keeps its own words, and its claim may be loose: "Are there
three dogs?" may be answered yes or no about four dogs. Other claims follow from a loose one only as far as each answer
is certain. The `skill` of a claim is what a judge needs for it (counting, colour, …); drawn pairs test it. Audits make
further questions from claims, and `skill_in` says which test a question needs.
"""

import re
from functools import lru_cache
from typing import ClassVar, Literal

import msgspec

from counterbench.answers.numbers import whole_numbers
from counterbench.prompts import forms
from counterbench.prompts.nouns import COLOURS, is_many, is_noun, plural
from counterbench.scene.programs.base import spelt
from counterbench.scene.programs.shapes import with_article

LeftOrRight = Literal["left", "right"]
_OTHER_SIDE: dict[str, LeftOrRight] = {"left": "right", "right": "left"}


class Present(msgspec.Struct, frozen=True, tag=True):
    """The claim that there is such a thing.

    The plural is loose: about a single dog "Are there dogs?" may be answered yes or no.
    """

    skill: ClassVar[str] = "presence"
    thing: str
    number: Literal["one", "many"] = "one"  # "a dog", "dogs"

    @property
    def named(self) -> str:
        """The thing with its article, or as it is in the plural."""
        return with_article(self.thing) if self.number == "one" else self.thing

    @property
    def text(self) -> str:
        """The question that asks if this is true: "Is there a dog?" """
        return f"{'Are' if self.number == 'many' else 'Is'} there {self.named}?"


class Absent(msgspec.Struct, frozen=True, tag=True):
    """The claim that there is no such thing."""

    skill: ClassVar[str] = "presence"
    claim: Present

    @property
    def text(self) -> str:
        """The question that asks if this is true, to which "no" can be read in one way only."""
        are = "are" if self.claim.number == "many" else "is"
        return f"Is it true that there {are} no {self.claim.thing} in the picture?"


class InOne(msgspec.Struct, frozen=True, tag=True):
    """The claim that one of two pictures shows such a thing, and the other does not."""

    skill: ClassVar[str] = "presence"
    claim: Present

    @property
    def text(self) -> str:
        """The question that asks if this is true: exactly one of the two pictures shows the thing."""
        return f"Is it true that exactly one of the two pictures shows {self.claim.named}, and the other does not?"


class CountClaim(msgspec.Struct, frozen=True, tag="Count"):
    """The claim that there are `number` of a thing.

    The reading "asked" ("Are there three dogs?") is loose: a yes says only that there are three or more, a no only that
    there are not exactly three.
    """

    skill: ClassVar[str] = "count"
    things: str  # in the plural
    number: int
    reading: Literal["asked", "exactly", "at least"] = "exactly"

    @property
    def text(self) -> str:
        """The question that asks if this is true: "Is the number of dogs exactly three?" """
        number = spelt(str(self.number))
        if self.reading == "asked":
            return f"Are there {number} {self.things}?"
        return f"Is the number of {self.things} {self.reading} {number}?"


class Beside(msgspec.Struct, frozen=True, tag=True):
    """The claim that a thing is to the left or right of another.

    `every`: every such thing is on that side of every other thing, and there is at least one of each.
    """

    skill: ClassVar[str] = "left-right"
    thing: str
    side: LeftOrRight
    other: str
    every: bool = False

    @property
    def text(self) -> str:
        """The question that asks if this is true: "Is the dog to the left of the cat?" """
        if self.every:
            words = f"Is every {self.thing} to the {self.side} of every {self.other}"
            return f"{words}, and is there at least one {self.thing} and one {self.other}?"
        return f"Is the {self.thing} to the {self.side} of the {self.other}?"

    @property
    def turned(self) -> "Beside":
        """The opposite claim: every such thing is on the other side of every other thing."""
        return Beside(self.thing, _OTHER_SIDE[self.side], self.other, every=True)


class Coloured(msgspec.Struct, frozen=True, tag=True):
    """The claim that a thing has a colour; `entirely`: every such thing has it all over, and there is at least one."""

    skill: ClassVar[str] = "colour"
    thing: str
    colour: str
    entirely: bool = False

    @property
    def text(self) -> str:
        """The question that asks if this is true: "Is the bench red?" """
        if self.entirely:
            return f"Is every {self.thing} entirely {self.colour}, and is there at least one {self.thing}?"
        return f"Is the {self.thing} {self.colour}?"


class Both(msgspec.Struct, frozen=True, tag=True):
    """The claim that there is one thing and also another."""

    skill: ClassVar[str] = "presence"
    first: Present
    second: Present

    @property
    def text(self) -> str:
        """The question that asks if this is true: "Is there a dog, and is there also a cat?" """
        return f"Is there {self.first.named}, and is there also {self.second.named}?"


class Denial(msgspec.Struct, frozen=True, tag=True):
    """The claim that another claim is false; its text puts that claim's question into a frame that denies it."""

    claim: Present | CountClaim | Beside | Coloured

    @property
    def skill(self) -> str:
        """The skill of the claim that is denied."""
        return self.claim.skill

    @property
    def text(self) -> str:
        """The question that asks if this is true: the question of the denied claim in a frame that denies it."""
        return FRAME.format(question=self.claim.text)


class Untied(msgspec.Struct, frozen=True, tag=True):
    """The claim of a question of which only the skill is known, such as one about above, inside or writing."""

    skill: str
    text: str  # the question's own words


Claim = Present | Absent | InOne | CountClaim | Beside | Coloured | Both | Denial | Untied

FRAME = "Is the following false: {question}"  # the form of a question that denies another one
_NAME = re.compile(r"[a-z,] [A-Z][a-z]")  # a person's or a place's name, which no drawn pair shows a judge to know
_MAX_LENGTH = 500  # the most characters of a question that is read
WHOLE = "whole prompt"  # the skill of a question about all clauses of a prompt at once
MAX_CLAUSES = 3  # the most clauses of a prompt in drawn pairs


def claim_of(question: str, answer: str = "") -> Claim | None:
    """The claim that a question makes; None unless the whole question has a known form.

    `answer`: the answer to a question for a number; "How many dogs are there?" with "2" claims that there are two. Of a
    question "If X is present, …" only the words after the comma make the claim.

    >>> claim_of("Are there exactly 3 red dogs in the image?")
    CountClaim(things='red dogs', number=3, reading='exactly')
    >>> claim_of("Is there a man with a hat?")
    """
    plain = " ".join(question.lower().split()).rstrip("?. ")
    if len(plain) > _MAX_LENGTH:
        return None
    if forms.TEXT.fullmatch(plain):
        return Untied("text", question)
    if _NAME.search(question):
        return None
    if m := forms.SHOWS_THIS.fullmatch(plain):
        capitals = re.search(r"[A-Z]", question.partition('"')[2][1:])  # of names: "A Tesla"
        return Untied(WHOLE, question) if not capitals and _is_of_drawn_clauses(m["prompt"]) else None
    if m := forms.IF.fullmatch(plain):
        return _joint_claim([re.sub(r"^(is|are) (?:it|they) ", r"\1 the thing ", m["then"])], question)
    if len(parts := forms.EACH.split(plain)) > 1:
        return _joint_claim([part.replace("there also", "there") for part in parts], question)
    if _noun_match(forms.HERE, plain):
        return Untied("presence", question)
    words = forms.AROUND.sub("", forms.AROUND.sub("", plain))
    return _exact_claim(words, answer) or _claim_of_skill(words, question)


@lru_cache(maxsize=65536)  # the same questions are asked about every picture
def skill_in(question: str) -> str:
    """The skill that a judge needs for the whole of a question; empty if the question makes no claim.

    >>> skill_in("What colour is the bench?"), skill_in("How many cats are there?"), skill_in("Are the hands right?")
    ('colour', 'count', '')
    """
    claim = claim_of(question, answer="2")  # any number makes a claim of "How many …?"
    return claim.skill if claim is not None else ""


def _is_of_drawn_clauses(prompt: str) -> bool:
    """True for a prompt of at most MAX_CLAUSES clauses, each of which makes a question that drawn pairs test."""
    words = prompt.strip(". ")
    opening = forms.OF_PICTURE.match(words)
    parts = forms.JOIN.split(words[opening.end() :] if opening else words)
    return len(parts) <= MAX_CLAUSES and all(skill_in(_question_of(part)) not in ("", "text") for part in parts)


def _question_of(clause: str) -> str:
    """The question of a clause: "is there a dog" of "a dog", "is the dog red" of "the dog is red"; else empty."""
    if thing := forms.THING.fullmatch(clause.removeprefix("there is ").removeprefix("there are ")):
        words = [word for word in thing["noun"].split() if word not in COLOURS]
        is_verb = is_noun(thing["noun"]) and len(words) > 1 and is_many(words[-1])  # "a dog jumps"
        return "" if is_verb and thing["article"] in ("a", "an") else f"is there {thing[0]}"
    m = forms.STATEMENT.fullmatch(clause)
    return f"{m['verb']} {m['subject']} {m['rest']}" if m else ""


def _joint_claim(parts: list[str], question: str) -> Claim | None:
    """The claim of a sentence that asks several questions, if all of these need the same skill; else None.

    `parts`: the questions. `question`: the sentence as it was asked.
    """
    skills = set(map(skill_in, parts))
    return Untied(skills.pop(), question) if len(skills) == 1 and "" not in skills else None


def _noun_match(form: re.Pattern[str], words: str) -> re.Match[str] | None:
    """The match of a whole question with a form, if the phrases in the places of things are nouns; else None."""
    m = form.fullmatch(words)
    return m if m and all(is_noun(phrase) for name in ("one", "other") if (phrase := m.groupdict().get(name))) else None


def _exact_claim(words: str, answer: str) -> Claim | None:
    """The claim of a question whose things and numbers are exact, so that other claims may be derived; else None.

    `words`: the question in lower case, without words such as "in the picture". `answer`: as of `claim_of`.
    """
    if m := _noun_match(forms.HOW_MANY, words):
        return CountClaim(m["one"] or m["other"], int(answer)) if answer.isdecimal() else None
    if (m := _noun_match(forms.BESIDE, words)) and _are_different_singulars(m["one"], m["other"]):
        return Beside(m["one"], "left" if m["side"] == "left" else "right", m["other"])
    if (m := _noun_match(forms.IS_COLOURED, words)) and words.startswith("is ") and _are_different_singulars(m["one"]):
        return Coloured(m["one"], m["colour"])
    if m := _noun_match(forms.TWO, words):
        return Both(Present(m["one"]), Present(m["other"]))
    if m := _noun_match(forms.NUMBER_OF, words) or _noun_match(forms.COUNT, words) or _noun_match(forms.SEEN, words):
        number = int(whole_numbers(m["number"])[0])
        if m.re is forms.NUMBER_OF:
            return CountClaim(m["one"], number)
        things = plural(m["one"]) if number == 1 else m["one"]
        return CountClaim(things, number, "exactly" if m["exactly"] else "asked") if number else None
    if m := _noun_match(forms.ONE, words):
        return Present(m["one"])
    if (m := _noun_match(forms.SOME, words)) and words.startswith("are") and not m["any"] and is_many(m["one"]):
        return Present(m["one"], "many")
    if m := _noun_match(forms.NONE, words):
        return Absent(Present(noun := m["one"] or m["other"], "many" if is_many(noun) else "one"))
    return None


def _are_different_singulars(*phrases: str) -> bool:
    """True if all phrases are in the singular and no two are the same."""
    return not any(map(is_many, phrases)) and len({*phrases}) == len(phrases)


def _claim_of_skill(words: str, question: str) -> Claim | None:
    """An `Untied` claim, for a question of which only the skill is certain; None if not even that is.

    `words`: the `question` in lower case, without words such as "in the picture".
    """
    if (m := _noun_match(forms.PLACE, words)) and m["one"] != m["other"]:
        return Untied("left-right" if m["side"] else "above-below" if m["axis"] else "inside", question)
    if any(_noun_match(form, words) for form in (forms.IS_COLOURED, *forms.OF_COLOUR)):
        return Untied("colour", question)
    if _noun_match(forms.AT_LEAST, words):
        return Untied("count", question)
    return Untied("presence", question) if _noun_match(forms.SOME, words) else None
