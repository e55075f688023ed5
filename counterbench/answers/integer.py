"""Answers that are a whole number: "4"."""

from __future__ import annotations

import re

from counterbench.answers.base import DENIED, AnswerType
from counterbench.answers.numbers import ROUGH, WORD, spelled_out, whole_numbers
from counterbench.answers.outcomes import Answer, Outcome, Unparsed
from counterbench.answers.words import COLOUR, SHAPE

_THING = (
    rf"(?:(?:{COLOUR}|visible|such)[ -]+){{0,4}}(?:{SHAPE}|shapes?|objects?|items?|figures?|elements?|ones?|things?)\b"
)
_ZERO = re.compile(
    rf"(?:\b(?:no(?! one\b)|(?:not|\w+n't) a single)"
    rf"|(?:\bnot|\bcannot|\b\w+n't|\bcan't)(?: \w+){{0,2}} any) {_THING}|\bnone\b"
)
# Contradictions are counted, too: "there are no internal contradictions", "none of the facts contradict another".
_NO_CONTRADICTION = re.compile(
    r"\b(?:no|not a single|(?:not|\w+n't|cannot)(?: (?:see|find|detect|notice|identify|spot|contain|show|have))? any) "
    r"(?:(?:internal|logical|factual|actual|visible|visual|apparent|such) )?"
    r"(?:contradictions?|inconsistenc(?:y|ies)|conflicts?|facts?(?= (?:that )?(?:contradict|conflict)))\b"
)
_EACH_OTHER = re.compile(
    r"\b(contradict(?:s|ing)?|conflicts?(?: with)?)[ ]+(?:one another|each other|(?:any|an)[ ]?other(?: one| fact)?)\b"
)
_NO_OTHERS = re.compile(r"\b(?:no|n't any|not any) (?:others?|more|additional|further)\b(?! than)[^.!?;,\n]*")
_SINGLE = re.compile(rf"\ba single (?={_THING}|contradiction\b|inconsistency\b|conflict\b)")
_TWICE = re.compile(rf"((?<!\d)\d+|{WORD})[ ]*\([ ]*(\d+|{WORD})[ ]*\)")
# Words that count parts, or nothing exactly; "1. …" may begin a list.
_PARTS = re.compile(
    rf"{ROUGH.pattern}|\d[ ]*/|(?:^|\n)[ ]*\(?1[.)][ ]+[a-z]"
    r"|\b(?:another|additional(?:ly)?|more|fewer|less|others?|else|several|many|few|couple|pairs?|half|halves|dozens?"
    r"|hundreds?|thousands?|millions?|minus|negative|some|also|too|plus|besides|addition|apart|aside|as well|per|apiece"
    r"|(?:along|together) with|including|counting the|both|each|every|(?<!in )all|either|twice|double|times|squared"
    r"|cubed|only the|without|excluded|second|third|fourth|fifth|sixth|remaining|rest|but|though|although|yet|whereas"
    r"|missing|absent|lacking|removed|needed|required|(?:the|that) same (?:number|amount|count)|as many|just as"
    r"|(?<!\bi )(?<!answer )(?<!count )(?<!number )(?<!total )would"
    r"|(?:need|want|have|like) to (?:see|view|look|know|count|check)"
    r"|left over|max|maximum|range|and an?|aber|alle|mais|tous|toutes|pero|todos|todas|ma|tutti|mas)\b"
    rf"|(?:\d|\b{WORD})[ ]*(?:[ap]\.?m\b|o'clock|(?:years?|hours?|minutes?|seconds?"
    r"|pixels?|px|[cm]m|degrees?|dollars?|euros?)\b)"
    r"|[但都多]|以[上下]|左右"
)
_A_THING = re.compile(rf"\ban? (?:[a-z]+[ -]){{0,2}}?{_THING}")
# "3 of the 7 shapes are …", "Out of 7 shapes, 3 are …"; the visible ones may be another count.
_TOTAL = rf"(?:the |these |all |all the |all of the )?(?:\d+|{WORD})"
_OF_ALL = re.compile(rf"(\d|\b{WORD}) (?:out of {_TOTAL}|of {_TOTAL}(?= [a-z]))")
_FIRST_OF_ALL = re.compile(
    rf"(?:^|(?<=[.!:\n]))[ ]*(?:(?:out )?of|among) {_TOTAL}\b[^,.;:?!\n]{{0,60}},(?![^.\n]*\bvisible\b)"
)


class IntegerType(AnswerType):
    """A whole number, as a decimal without leading zeros."""

    name = "integer"
    json_keys = ("count", "number")
    hedges = _PARTS
    once = True  # "2 on the left and 2 on the right"

    def is_canonical(self, value: str) -> bool:
        """Decimal digits, with a minus sign below zero."""
        return re.fullmatch(r"0|-?[1-9][0-9]*", value) is not None

    def json_text(self, value: object) -> str | None:
        """Also `4.0`; no booleans."""
        return None if isinstance(value, bool) else super().json_text(value)

    def spelled(self, text: str) -> str:
        """A reply with "0" for "no pink squares" and "none", "1" for "a single", "4" for "four (4)" and "4 of 7"."""
        text = spelled_out(_OF_ALL.sub(r"\1", _FIRST_OF_ALL.sub("", text)))
        text = _NO_OTHERS.sub(" ", _EACH_OTHER.sub(r"\1", text))
        text = _SINGLE.sub("1 ", _ZERO.sub(": 0 ", _NO_CONTRADICTION.sub(": 0 ", text)))
        return _TWICE.sub(lambda m: m[2] if len(set(whole_numbers(f"{m[1]}, {m[2]}"))) == 1 else m[0], text)

    def mentions(self, text: str, synonyms: bool) -> list[str]:
        """Every number that may be a count; "a square" counts, too, beside a number in its line."""
        also = [f"{DENIED}1" for line in text.split("\n") if _A_THING.search(line) and whole_numbers(line)]
        return [*whole_numbers(text), *also[:1]]

    def is_parted(self, value: str, parts: list[str]) -> bool:
        """True if the parts add up to the whole."""
        return all(self.is_canonical(number) for number in (value, *parts)) and sum(map(int, parts)) == int(value)

    def settle(self, answer: Answer, reply: str) -> Outcome:
        """The answer, if it is a whole number."""
        return answer if self.is_canonical(answer.value) else Unparsed(f"{answer.value[:40]} is no whole number")
