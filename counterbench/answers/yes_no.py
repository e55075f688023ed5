"""Answers that are yes or no."""

from __future__ import annotations

import re

from counterbench.answers.base import DENIED, AnswerType

_YES = frozenset({"yes", "yeah", "yep", "yup"})
# What answers when a reply is nothing else; inside a sentence these words mean other things.
_WHOLE = {
    "yes": "y|t|true|correct|affirmative|i think so|i believe so|absolutely|certainly|definitely|of course|"
    "sí|si|oui|ja|да|是|是的|对|對|はい|sim|sì|evet|tak|예|네|نعم|हाँ|हां",
    "no": "n|f|false|incorrect|negative|untrue|absolutely not|certainly not|definitely not|of course not|"
    "i don't think so|i do not think so|i don't believe so|not at all|"
    "non|nein|нет|否|不|不是|いいえ|não|nee|nej|hayır|nie|아니요|아니오|لا|नहीं",
}
_WHOLE_WORDS = {word: value for value, words in _WHOLE.items() for word in words.split("|")}
_SUBJECT = re.compile(
    r"^(?:that|this|it|the (?:statement|claim|answer))(?: is|'s) (?=(?:true|false|correct|incorrect)$)"
)
_WORD = re.compile(
    r"(?<![\w'/-])(?:yes|yeah|yep|yup|(?P<no>no|nope|nah)(?=[ \t]*(?:[^\w\s'/-]|[-–][ \t]|$|\n))"
    # "No it isn't" answers; "there is no it" is not English, "there is no cup" no answer.
    r"|(?P<opens>no)(?=[ \t]+(?:it|the|there|they|this|that|these|those|i|we|because|since|no|yes|not|to|for)\b))"
    r"(?![\w'/]|-\w)",
    re.IGNORECASE,
)
_OPENING = re.compile(r"(?:^|[^\w\s'-]|\b(?:so|then|is|answer|no))\s*$", re.IGNORECASE)
_DENIED = re.compile(
    r"(?:\b(?:not|never|cannot|nothing|nobody|none|hardly|no[ -]?(?:one|reason|way|need|basis|grounds?))\b|n['’]t\b)"
    r"[^.!?;,:\n—]*$",
    re.IGNORECASE,
)
# "Normally yes, but …": what is said of other pictures.
_USUAL = re.compile(
    r"\b(?:normally|usually|typically|ordinarily|generally|common sense|(?:in|by) (?:reality|theory|general)"
    r"|real world|real life)[ ,:]*$",
    re.IGNORECASE,
)
_BUT = re.compile(r"[^.!?\n]{0,20}\b(?:but|however|yet|though|although|except)\b", re.IGNORECASE)
_REJECTED = re.compile(r"[ \t]+(?:is|was|would|isn't|option)\b", re.IGNORECASE)
_ECHO = re.compile(
    r"['\"(]?\byes['\"]?[ \t]*(?:/|or|\||-|and/or)[ \t]*['\"]?no\b['\")]?|\bno['\"]?[ \t]*(?:/|or|\|)[ \t]*['\"]?yes\b"
    r"|\by[ \t]*/[ \t]*n\b"
)
# "Yes, it isn't." and "No, it is." say both.
_CLASH = re.compile(
    r"\b(?:yes,? (?:it|they|there|this|that) (?:(?:is|are|does|do|has|have) not|(?:is|are|does|do|has|have)n't)"
    r"|no, (?:it|they|there|this|that) (?:is|are|does|do|has|have))[ \t]*(?:[.!]|$)"
)


class YesNoType(AnswerType):
    """Yes or no."""

    name = "yes-no"
    alphabet = ("yes", "no")
    negatable = False  # "Yes, there is no gap": `spoken` says which are denied

    def spelled(self, text: str) -> str:
        """A reply without the question's own choice ("yes or no")."""
        return _ECHO.sub(" ", text)

    def whole(self, text: str) -> str | None:
        """ "True", "Nein", "I don't think so": answers only where nothing else is said."""
        words = _SUBJECT.sub("", text[:60].strip(" \t\n.!,"))
        return _WHOLE_WORDS.get(words) if len(text) <= 60 else None

    def mentions(self, text: str, synonyms: bool) -> list[str]:
        """Every yes and no that is said as an answer."""
        return ["yes", "no"] if _CLASH.search(text) else [value for value, _ in spoken(text)]


def spoken(text: str) -> list[tuple[str, int]]:
    """Each yes and no in a text that answers or is denied, with its place; "no" before a noun is none."""
    found = []
    for match in _WORD.finditer(text):
        before = text[max(0, match.start() - 80) : match.start()]
        if match["opens"] and not _OPENING.search(before):
            continue
        value = "yes" if match[0].casefold() in _YES else "no"
        denied = _DENIED.search(before) or _REJECTED.match(text, match.end())
        denied = denied or (_USUAL.search(before) and _BUT.match(text, match.end()))
        found.append((f"{DENIED}{value}" if denied else value, match.start()))
    return found
