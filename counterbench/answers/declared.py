r"""Stretches of a reply that it marks as its answer: `<answer>`, `\boxed{}`, JSON, "the answer is …"."""

from __future__ import annotations

import re
from enum import IntEnum
from functools import cache
from typing import NamedTuple

from counterbench.answers.base import AnswerType
from counterbench.answers.structured import answer_of, json_objects


class Tier(IntEnum):
    """How plainly a stretch is marked; a final one outranks a plain one."""

    PLAIN = 1
    FINAL = 2


class Declared(NamedTuple):
    """A stretch marked as the answer."""

    tier: Tier
    start: int
    end: int
    text: str


_TAGGED = re.compile(r"<(?:final_?)?answer>(.{0,2000}?)(?:</?(?:final_?)?answer>|\Z)", re.DOTALL)
_BOXED = re.compile(r"\\(?:boxed|fbox)[ \t]*\{((?:[^{}]|\{[^{}]{0,200}\}){0,400})\}")
_BOX_TOKENS = re.compile(r"<\|begin_of_box\|>(.{0,400}?)<\|end_of_box\|>", re.DOTALL)
_NOT_OWN = (  # before "score": what is no score of this picture
    *("wrong", "incorrect", "initial", "first", "previous", "total", "maximum", "max", "minimum", "min"),
    *("highest", "lowest", "possible", "perfect", "confidence", "full", "best", "top", "a"),
)
_LINK = r"(?:is|would be|should be|must be|comes to)"
_FINAL = re.compile(rf"\bfinal[ \t]+(?:answer|result|response|verdict|count)\b[ \t]*(?:{_LINK}\b)?[ \t]*[:=>—-]*")
_PLAIN = re.compile(
    rf"\b(?<!wrong )(?<!incorrect )(?<!initial )(?<!first )(?<!previous )(?:answer|ans|verdict)"
    rf"(?:[ \t]*[:=>—]+|[ \t]*-[ \t]|[ \t]*$"
    rf"|(?:[ \t]+(?:to|here|for|then)\b[^.!?\n:=]{{0,80}})?,?[ \t]+{_LINK}\b[ \t]*[:=]?)"
    r"(?![ \t]*(?:in)?correct\b)",
    re.MULTILINE,
)
_CONDITION = re.compile(r"\b(?:if|whether|unless|suppose|were)\b[^.!?\n]{0,60}$")
_REST = re.compile(r"[^.!?\n;]*(?:[.](?=\d)[^.!?\n;]*)*[.!?;]?")
_REASON = re.compile(r"\b(?:because|since|as (?:there|the|it)|given that|due to)\b")
# "4 (2 left, 2 right)" explains, "square (yellow)" and "4 (or 5)" do not.
_ASIDE = re.compile(r"\((?!or\b|maybe\b|possibly\b|perhaps\b)(?:[^()\s]+\s){2}[^()]*\)")


def declared(marked: str, plain: str, kind: AnswerType) -> list[Declared]:
    """The marked stretches of a reply, in order; `plain` is `marked` without markup, place for place."""
    found = [
        Declared(Tier.FINAL, match.start(), match.end(), plain[match.start(1) : match.end(1)])
        for pattern in (_tagged(kind.cue_words), _BOXED, _BOX_TOKENS)
        for match in pattern.finditer(marked)
    ]
    found += _json(marked, kind)
    for tier, pattern in _cues(kind.cue_words):
        for match in list(pattern.finditer(plain))[-40:]:
            if tier is Tier.PLAIN and _CONDITION.search(plain, max(0, match.start() - 80), match.start()):
                continue
            if tier is Tier.PLAIN and plain[max(0, match.start() - 7) : match.start()].strip().endswith("final"):
                continue
            start, end = _extent(plain, match.end())
            text = plain[start:end]
            if reason := _REASON.search(text):
                text = text[: reason.start()]
            if tier is Tier.PLAIN and "would" in match[0] and re.search(r"\bif\b", text):
                continue
            if any(char.isalnum() for char in text.split("(")[0]):
                text = _ASIDE.sub(" ", text)
            found.append(Declared(tier, match.start(), end, text))
    return sorted((d for d in found if d.text.strip(" \n.…")), key=lambda d: d.start)


@cache
def _tagged(nouns: tuple[str, ...]) -> re.Pattern[str]:
    tag = rf"(?:final_?)?(?:{'|'.join(('answer', *nouns))})"
    return re.compile(rf"<{tag}>(.{{0,2000}}?)(?:</?{tag}>|\Z)", re.DOTALL) if nouns else _TAGGED


@cache
def _cues(nouns: tuple[str, ...]) -> tuple[tuple[Tier, re.Pattern[str]], ...]:
    """The cues of final and of plain answers; with nouns of a type's own ("score"), also before a bare number."""
    if not nouns:
        return (Tier.FINAL, _FINAL), (Tier.PLAIN, _PLAIN)
    named = rf"(?:answer|result|verdict|{'|'.join(nouns)})"
    scale = r"(?:[ \t]*\([^()\n]{0,40}\))?"
    mark = r"[ \t]*(?:[:=>—]|-(?!\.?\d))+[ \t]*"  # a dash before a number may be a minus
    number = r"(?=-?\.?\d)"
    final = rf"\b(?:final|overall)(?:[ \t]+{named}\b|(?=[ \t]*[:=])){scale}[ \t]*(?:(?:{_LINK}|of)\b)?(?:{mark})?"
    before = "".join(f"(?<!{word} )" for word in _NOT_OWN) + r"(?<!\d )"
    plain = (
        rf"\b{before}{named}\b{scale}(?:{mark}|[ \t]*$|[ \t]+(?:of[ \t]+)?{number}"
        rf"|(?:[ \t]+(?:here|then)\b)?,?[ \t]+{_LINK}\b[ \t]*:?)(?![ \t]*(?:in)?correct\b)"
    )
    return (Tier.FINAL, re.compile(final)), (Tier.PLAIN, re.compile(plain, re.MULTILINE))


def _extent(text: str, start: int) -> tuple[int, int]:
    # The rest of the sentence; of the next line where nothing, or only "as follows:", stands before it.
    for _ in range(3):
        rest = _REST.match(text, start, start + 400)
        end = rest.end() if rest else start
        stretch = text[start:end].strip()
        if stretch and not stretch.endswith(":") and any(char.isalnum() for char in stretch):
            return start, end
        if end >= len(text):
            break
        start = max(end, start + 1)
        while start < len(text) and text[start].isspace():
            start += 1
    return start, min(start, len(text))


def _json(marked: str, kind: AnswerType) -> list[Declared]:
    found: list[Declared] = []
    for object_ in json_objects(marked, whole=kind.schema is not None):
        text = answer_of(object_.data, kind)
        if text is not None:
            found.append(Declared(Tier.FINAL, object_.start, object_.end, text))
    return found
