"""Answers that are yes or no."""

from __future__ import annotations

import re

from counterbench.answers.base import AnswerType, Candidate, Reading, Stance
from counterbench.answers.stance import stances
from counterbench.answers.tokens import SENTENCE_ENDS, tokenise, word_at, word_set

_YES = word_set("yes yeah yep yup yea aye")
_NO = word_set("no nope nah")
# What answers when a reply is nothing else; inside a sentence these words mean other things.
_WHOLE = {
    "yes": "y|t|true|correct|affirmative|indeed|"
    "i think so|i believe so|absolutely|certainly|definitely|of course|right|"
    "sí|si|oui|ja|да|是|是的|对|對|はい|sim|sì|evet|tak|예|네|نعم|हाँ|हां",
    "no": "n|f|false|incorrect|negative|wrong|untrue|absolutely not|certainly not|"
    "definitely not|of course not|i don't think so|i do not think so|i don't believe so|"
    "not at all|non|nein|нет|否|不|不是|いいえ|não|nee|nej|hayır|nie|아니요|아니오|لا|नहीं",
}
_WHOLE_WORDS = {word: value for value, words in _WHOLE.items() for word in words.split("|")}
_SUBJECT = re.compile(r"(?:that|this|it|(?:the|this|that) (?:statement|claim|answer))(?: is|'s) (not )?(\w+)")
# "It is." and "It doesn't." answer any yes/no question; "It is not inside." may not.
_ELLIPSIS = re.compile(
    r"(?:it|they|there|he|she)"
    r"(?: (?:is|are|does|do|has|have|was)( not)?|'s( not)|(?: (?:is|are|does|do|has|was|were)(n't)))"
)
_ECHO = re.compile(
    r"['\"(]?\byes['\"]?[ \t]*(?:/|or|\||-|and/or)[ \t]*['\"]?no\b['\")]?"
    r"|['\"(]?\bno['\"]?[ \t]*(?:/|or|\||-)[ \t]*['\"]?yes\b['\")]?|\by[ \t]*/[ \t]*n\b"
)
_CLASH = re.compile(
    r"\byes,? (?:it|they|there|this|that) (?:(?:is|are|does|do|has|have) not|(?:is|are|does|do|has|have)n't)"
    r"[ \t]*(?:[.!]|$)"
    r"|\bno, (?:it|they|there|this|that) (?:is|are|does|do|has|have)[ \t]*(?:[.!]|$)"
)
_AFTER_ANSWER_NO = word_set(
    "it the there they this that these those he she i we you because since as not no nope they're it's that's there's "
    "isn't doesn't sorry so and but unfortunately a an its to for yes yeah"
)


class YesNoType(AnswerType):
    """Yes or no."""

    name = "yes-no"
    alphabet = ("yes", "no")

    def read(self, text: str, synonyms: bool) -> Reading:
        """Every yes and no that is said as an answer; "no" before a noun is none."""
        whole = _as_whole(text)
        if whole:
            return Reading([Candidate(whole, Stance.FIRM)])
        text = _ECHO.sub(lambda m: " " * len(m[0]), text)
        tokens = tokenise(text)
        stance = stances(tokens)
        found: list[Candidate] = []
        for i, token in enumerate(tokens):
            if token.text in _YES:
                found.append(Candidate("yes", stance[i]))
            elif token.text in _NO and _is_answer(word_at(tokens, i - 1), token.text, word_at(tokens, i + 1)):
                found.append(Candidate("no", stance[i]))
        if _CLASH.search(text):
            found = [c._replace(stance=Stance.DOUBTFUL) for c in found]
        return Reading(found)


def answers_yes_or_no(text: str, start: int, end: int) -> bool:
    """Whether the yes or no at a place in a text is said as an answer; "no" before a noun is not."""
    before, after = tokenise(text[max(0, start - 80) : start].casefold()), tokenise(text[end : end + 80].casefold())
    return _is_answer(word_at(before, len(before) - 1), text[start:end].casefold(), word_at(after, 0))


def _as_whole(text: str) -> str:
    words = " ".join(token.text for token in tokenise(text[:80]) if token.is_word or token.text == "/")
    if len(text) > 80:
        return ""
    if words in _WHOLE_WORDS:
        return "" if "?" in text else _WHOLE_WORDS[words]
    if "?" in text:
        return ""
    if match := _SUBJECT.fullmatch(words):
        value = {"true": "yes", "correct": "yes", "right": "yes", "false": "no", "incorrect": "no", "wrong": "no"}.get(
            match[2]
        )
        if value is None:
            return ""
        return value if not match[1] else ("no" if value == "yes" else "")
    if match := _ELLIPSIS.fullmatch(words):
        return "no" if any(match.groups()) else "yes"
    return ""


def _is_answer(before: str, word: str, after: str) -> bool:
    if word != "no":
        return True
    if after == "." or not after or after in SENTENCE_ENDS or not after[0].isalnum():
        return after not in ("-", "/", "'")
    # "No it isn't" answers; "there is no it" is not English, "there is no the" neither.
    opens = not before or not before[0].isalnum() or before in ("answer", "is", "so", "say", "then", "no")
    return opens and after in _AFTER_ANSWER_NO
