"""Answers that are a whole number: "4"."""

from __future__ import annotations

import re

from counterbench.answers.base import AnswerType, Candidate, Reading, Stance
from counterbench.answers.numbers import Number, numbers_in
from counterbench.answers.stance import stances
from counterbench.answers.tokens import Token, sentences, tokenise, word_at, word_set
from counterbench.answers.words import ARTICLES, colour_words, shape_words

_ABOUT = word_set(
    "about around approximately approx roughly nearly almost circa least most than over under upto like between ~ ≈ < "
    "> ≥ ≤ ≠ ± some"
)
_SKIPPED = word_set("only exactly just a the = some")
_OPERATORS = word_set("+ - – — × * / x ^ plus minus times")
_THINGS = word_set("shape shapes object objects figure figures item items element elements")
_SINGULAR_LABELLED = word_set("image picture figure photo step row column position group shape object item question q")
_PRONOUN_BEFORE = word_set(
    "the this that which each every another other no any some whichever first second third next last same left right "
    "top bottom middle upper lower big small large"
)
_ONE_BEFORE = word_set("is are only just exactly be : = — answer precisely say see count counted total there there's of")
_PARTS = word_set("another additional more others other")
_VAGUE = word_set("several many few couple pair dozen")
_RESULT = re.compile(r"[\d)](?:[ \t]+[a-z]+){0,3}[ \t]*=[ \t]*(-?\d[\d,]*(?:\.\d+)?)(?![ \t]*[-+×*/=\d%])")
_TOTAL = re.compile(r"\b(?:total(?:ling)?|altogether|in all|all together|sum|overall count|total count)\b[ \t]*")
_OF_ALL = re.compile(
    r"\b(?:out )?of (?:all |the |these |those )+\d+ (?:other )?(?:shapes|objects|figures|items|elements)\b"
)


class IntegerType(AnswerType):
    """A whole number, as a decimal without leading zeros."""

    name = "integer"
    json_keys = ("count", "number", "total")

    def is_canonical(self, value: str) -> bool:
        """Decimal digits, with a minus sign below zero."""
        return re.fullmatch(r"0|-?[1-9][0-9]*", value) is not None

    def json_text(self, value: object) -> str | None:
        """Also `4.0`; no booleans."""
        return None if isinstance(value, bool) else super().json_text(value)

    def read(self, text: str, synonyms: bool) -> Reading:
        """Every count that is stated; a number that may be a part of the count is doubtful."""
        text = _OF_ALL.sub(lambda m: " " * len(m[0]), text)
        tokens = tokenise(text)
        stance = stances(tokens)
        numbers = [number for number in numbers_in(tokens) if _is_count(tokens, number)]
        candidates = [Candidate(n.value or "no whole number", _stance(tokens, n, stance)) for n in numbers]
        candidates += [Candidate("0", s) for s in _zeros(tokens, stance)]
        words = {token.text for token in tokens}
        held = [n for n in numbers if stance[n.first] < Stance.DENIED]
        if _lists_parts(tokens, held) or (words & _PARTS and not _only_denied(tokens, _PARTS)) or words & _VAGUE:
            candidates = [c._replace(stance=max(c.stance, Stance.DOUBTFUL)) for c in candidates]
        return Reading(candidates)

    def cued(self, text: str, synonyms: bool) -> Reading | None:
        """A total, or what an equation comes to."""
        totals = [t for cue in list(_TOTAL.finditer(text))[-40:] for t in self._total(text, cue, synonyms)]
        results = [Candidate(r, Stance.FIRM) for m in _RESULT.finditer(text) for r in self.read(m[1], synonyms).firm]
        found = totals or results
        return Reading(found) if found else None

    def _total(self, text: str, cue: re.Match[str], synonyms: bool) -> list[Candidate]:
        # "total: 3", "the total is 3", "total of 3 squares"; else "3 in total".
        after = re.compile(r"[^.!?\n;]*").match(text, cue.end(), cue.end() + 80)
        before = text[max(0, cue.start() - 60) : cue.start()]
        clause = re.split(r"[.!?\n;:,]|\b(?:and|so)\b", before)[-1]
        for part in (after[0] if after else "", clause):
            if results := list(_RESULT.finditer(part)):
                return [Candidate(results[-1][1], Stance.FIRM)]
            found = self.read(part, synonyms)
            if found:
                return [Candidate(v, Stance.FIRM) for v in found.firm] + [
                    Candidate(v, Stance.DOUBTFUL) for v in found.doubtful
                ]
        return []


def _is_count(tokens: list[Token], number: Number) -> bool:
    before, after = word_at(tokens, number.first - 1), word_at(tokens, number.last + 1)
    if number.value != "1" or not number.in_words:
        singular = before in _SINGULAR_LABELLED or (before in shape_words(True) and not before.endswith("s"))
        return not singular or number.in_words
    if before in _PRONOUN_BEFORE or (after in ("of", "by", "-", "third", "quarter", "another")):
        return False
    if before in _ONE_BEFORE or (not before[:1].isalnum() and not after[:1].isalpha()):
        return True
    return _is_thing(tokens, number.last + 1)


def _is_thing(tokens: list[Token], i: int) -> bool:
    # "one (small) pink square", but not "one is on the left".
    for k in range(i, min(i + 4, len(tokens))):
        word = tokens[k].text
        if word in _THINGS or word in shape_words(True):
            return True
        if not word.isalpha() or word in ("is", "are", "of", "at", "on", "in", "to"):
            return False
    return False


def _stance(tokens: list[Token], number: Number, stance: list[Stance]) -> Stance:
    own = max(stance[number.first : number.last + 1])
    if own is Stance.MENTIONED and word_at(tokens, number.first - 1) == "than":
        return Stance.DOUBTFUL  # "more than 4" says little, but it is no echo
    doubtful = number.value is None or _is_approximate(tokens, number) or _is_operand(tokens, number)
    return max(own, Stance.DOUBTFUL) if doubtful else own


def _is_approximate(tokens: list[Token], number: Number) -> bool:
    k = number.first - 1
    while word_at(tokens, k) in _SKIPPED:
        k -= 1
    if word_at(tokens, k) in _ABOUT or (word_at(tokens, k) == "to" and word_at(tokens, k - 1) in ("up", "close")):
        return True
    after = [word_at(tokens, number.last + n) for n in (1, 2)]
    if after[0] == "-" and after[1] == "ish":
        return True
    if after[0] == "ish" or (after[0] == "(" and after[1] in ("approximately", "approx", "estimate", "estimated")):
        return True
    return after in (["or", "so"], ["or", "more"], ["or", "fewer"], ["or", "less"], ["at", "least"], ["at", "most"])


def _is_operand(tokens: list[Token], number: Number) -> bool:
    before, after = word_at(tokens, number.first - 1), word_at(tokens, number.last + 1)
    numeric_after = word_at(tokens, number.last + 2)[:1].isdigit()
    if after == "+" and not numeric_after:
        return True  # "4+"
    if after in _OPERATORS and after != "—" and numeric_after:
        return True
    return before in _OPERATORS and before != "—" and word_at(tokens, number.first - 2)[:1].isdigit()


def _zeros(tokens: list[Token], stance: list[Stance]) -> list[Stance]:
    found: list[Stance] = []
    described = colour_words(True)
    for i, token in enumerate(tokens):
        if token.text == "none":
            found.append(stance[i])
        elif token.text == "no":
            k = i + 1
            while k < i + 5 and (word_at(tokens, k) in described or word_at(tokens, k) in ("visible", "such", "-")):
                k += 1
            if word_at(tokens, k) in _THINGS or word_at(tokens, k) in shape_words(True):
                found.append(Stance.FIRM if stance[i] is Stance.DENIED else stance[i])
        elif token.text == "any":
            before = [word_at(tokens, k) for k in range(i - 3, i)]
            if any(word.endswith("n't") or word in ("not", "cannot") for word in before) and not _is_picture(tokens, i):
                found.append(Stance.FIRM)
        elif token.text == "single" and word_at(tokens, i - 1) in ARTICLES and _is_thing(tokens, i + 1):
            continue
    return found


def _is_picture(tokens: list[Token], i: int) -> bool:
    return word_at(tokens, i + 1) in ("image", "images", "picture", "pictures", "photo", "photos", "attachment")


def _only_denied(tokens: list[Token], words: frozenset[str]) -> bool:
    return all(word_at(tokens, i - 1) in ("no", "any") for i, token in enumerate(tokens) if token.text in words)


def _lists_parts(tokens: list[Token], numbers: list[Number]) -> bool:
    # "2 on the left and 2 on the right" repeats no answer: it may be adding one up.
    placed = word_set("left right top bottom corner corners centre center middle upper lower row")
    parts = 0
    starts = [number.first for number in numbers]
    n = 0
    for start, end in sentences(tokens):
        inside = 0
        while n < len(starts) and starts[n] < end:
            inside += 1
            n += 1
        words = {token.text for token in tokens[start:end]}
        if inside and words & placed:
            parts += inside
        if inside > 1 and words & {"and", ",", "plus", "+", "&"}:
            return True
    return parts > 1
