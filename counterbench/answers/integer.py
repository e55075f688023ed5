"""Answers that are a whole number: "4"."""

from __future__ import annotations

import re

from counterbench.answers.base import AnswerType, Candidate, Reading, Stance
from counterbench.answers.counts import adds_up, is_count, lists_parts, number_stance, only_denied, zeros_and_singles
from counterbench.answers.numbers import numbers_in
from counterbench.answers.stance import stances
from counterbench.answers.tokens import tokenise, word_set

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
        numbers = [number for number in numbers_in(tokens) if is_count(tokens, number)]
        candidates = [Candidate(n.value or "no whole number", number_stance(tokens, n, stance)) for n in numbers]
        candidates += [Candidate(value, s) for value, s in zeros_and_singles(tokens, stance)]
        words = {token.text for token in tokens}
        held = [n for n in numbers if stance[n.first] < Stance.DENIED]
        if lists_parts(tokens, held) or (words & _PARTS and not only_denied(tokens, _PARTS)) or words & _VAGUE:
            candidates = [c._replace(stance=max(c.stance, Stance.DOUBTFUL)) for c in candidates]
        return Reading(candidates)

    def cued(self, text: str, synonyms: bool) -> Reading | None:
        """A total, what an equation comes to, or a count whose parts are listed after it."""
        totals = [t for cue in list(_TOTAL.finditer(text))[-40:] for t in self._total(text, cue, synonyms)]
        results = [Candidate(r, Stance.FIRM) for m in _RESULT.finditer(text) for r in self.read(m[1], synonyms).firm]
        tokens = tokenise(text)
        sums = [Candidate(value, Stance.FIRM) for value in adds_up(tokens, numbers_in(tokens))]
        found = totals or results or sums
        return Reading(found) if found else None

    def _total(self, text: str, cue: re.Match[str], synonyms: bool) -> list[Candidate]:
        # "total: 3", "the total is 3", "total of 3 squares"; else "3 in total".
        after = re.compile(r"[^.!?\n;]*").match(text, cue.end(), cue.end() + 80)
        before = text[max(0, cue.start() - 60) : cue.start()]
        clause = re.split(r"[.!?\n;:,]|\b(?:and|so)\b", before)[-1]
        for part in (after[0] if after else "", clause):
            if results := list(_RESULT.finditer(part)):
                part = results[-1][1]
            found = self.read(part, synonyms)
            if found:
                return [Candidate(v, Stance.FIRM) for v in found.firm] + [
                    Candidate(v, Stance.DOUBTFUL) for v in found.doubtful
                ]
        return []
