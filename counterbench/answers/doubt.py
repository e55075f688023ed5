"""Where a reply says that it cannot tell: the third value of a verdict."""

from __future__ import annotations

import re

from counterbench.answers.base import Candidate, Stance
from counterbench.answers.stance import stances
from counterbench.answers.tokens import Token, sentences, tokenise, word_at, word_set

_WHOLE = word_set(
    "uncertain;unsure;unclear;unknown;undetermined;undecided;indeterminate;inconclusive;ambiguous;undecidable;"
    "not sure;not certain;not clear;cannot tell;can't tell;cannot say;can't say;cannot determine;"
    "can't determine;cannot be determined;can't be determined;unable to tell;unable to determine;unable to say;"
    "impossible to tell;impossible to say;impossible to determine;hard to tell;hard to say;difficult to tell;"
    "difficult to say;don't know;do not know;no idea;idk;answer uncertain;it depends",
    ";",
)
_ALONE = _WHOLE | {"maybe", "perhaps", "possibly"}
_CLAUSE = re.compile(r"[^.!?\n;,—]+")
_ADVERB = (
    r"(?:(?:really|entirely|completely|fully|absolutely|quite|very|too|so|100%|totally|still|currently|definitively|"
    r"reliably|exactly|clearly|highly|rather|somewhat|confidently|definitely|just|also) ){0,3}"
)
_UNSURE = r"(?:uncertain|unsure|undecided)"
_OPEN = r"(?:uncertain|unclear|unknown|undetermined|indeterminate|inconclusive|ambiguous|undecidable|unknowable)"
_FIND = (
    r"(?:tell|say|determine|know|decide|judge|conclude|confirm|verify|ascertain|be (?:sure|certain)|"
    r"be (?:determined|told|known|judged|decided|confirmed|verified|concluded|established|answered|ascertained))"
)
# Doubt about the answer, and not about some detail of the picture ("unclear what is behind the box").
_ABOUT_IT = (
    r"\b(?![ ]?:)(?! (?:yes|no)\b(?! or\b))(?! (?:what|which|how|who|where|why|when|that)\b)"
    r"(?! (?:the|its|his|her) (?!answer|outcome|result|truth))"
)
_CANNOT = r"(?:cannot|can't|can not|could not|couldn't|unable to|not able to|not possible to|impossible to|no way to)"
_PHRASE = re.compile(
    rf"\b(?:i|we)(?: am|'m| are|'re| remain| feel) {_ADVERB}(?:{_UNSURE}|not {_ADVERB}(?:sure|certain)){_ABOUT_IT}"
    rf"|\b(?:it|this|that|the (?:answer|picture|image|result|outcome|evidence))"
    rf"(?:'s| is| remains| seems| appears| was| looks)(?: to be)? {_ADVERB}"
    rf"(?:{_OPEN}|not {_ADVERB}(?:clear|certain)|(?:hard|difficult|tough) to {_ADVERB}{_FIND}){_ABOUT_IT}"
    rf"|\b{_CANNOT} {_ADVERB}{_FIND}{_ABOUT_IT}|^[ ]*(?:hard|difficult) to (?:tell|say){_ABOUT_IT}"
    r"|\b(?:not enough|insufficient|too little) (?:visual )?(?:information|evidence|details?|context|data)\b"
    rf"|\b(?:i|we) (?:don't|do not) {_ADVERB}know{_ABOUT_IT}|\bhave no idea{_ABOUT_IT}"
    r"|\b(?:say|answer|choose|select|with|as)[ ]*:?[ ]uncertain\b",
    re.MULTILINE,
)
_OPTIONS = re.compile(
    r"\byes\b[ \t]*[,/|][ \t]*\bno\b[ \t]*[,/|]?[ \t]*(?:or[ \t]+)?\b(?:uncertain|unsure|maybe)\b"
    r"|\byes/no(?:/uncertain|[ \t]+or[ \t]+uncertain)\b|\bneither[ \t]+yes[ \t]+nor[ \t]+no\b"
)
_BEFORE_CONDITION = word_set("if when unless whether where")


def without_options(text: str) -> str:
    """`text` with the question's own choice ("yes, no or uncertain") blanked."""
    return _OPTIONS.sub(lambda m: " " * len(m[0]), text)


def doubts(text: str) -> list[Candidate]:
    """Each "uncertain" that a stretch of cleaned prose comes to, with its stance."""
    if len(text) <= 80 and "?" not in text and _words(text) in _ALONE:
        return [Candidate("uncertain", Stance.FIRM)]
    found = [
        Candidate("uncertain", Stance.DOUBTFUL if text[match.end() : match.end() + 1] == "?" else Stance.FIRM)
        for match in _CLAUSE.finditer(text)
        if match.end() - match.start() <= 80 and _words(match[0]) in _WHOLE
    ]
    matches = list(_PHRASE.finditer(text))
    if not matches:
        return found
    tokens = tokenise(text)
    stance = stances(tokens)
    ends = {i: tokens[end - 1].text for start, end in sentences(tokens) for i in range(start, end)}
    starts = {token.start: i for i, token in enumerate(tokens)}
    said = (Candidate("uncertain", _stance(tokens, starts.get(m.start(), 0), stance, ends)) for m in matches)
    return [*found, *said]


def _words(text: str) -> str:
    return " ".join(token.text for token in tokenise(text) if token.is_word)


def _stance(tokens: list[Token], i: int, stance: list[Stance], ends: dict[int, str]) -> Stance:
    # "I wouldn't say it is unclear" denies; the words of the phrase itself ("cannot") do not count.
    before = word_at(tokens, i - 1)
    if ends.get(i) == "?":
        return Stance.MENTIONED
    if before in _BEFORE_CONDITION:
        return Stance.DOUBTFUL
    same = ends.get(i - 1) is not None and before[:1].isalnum()
    return Stance.DENIED if same and stance[i - 1] is Stance.DENIED else Stance.FIRM
