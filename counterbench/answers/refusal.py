"""Replies that decline: for policy, or because the judge says that it cannot look at pictures."""

from __future__ import annotations

import re

_CANNOT = (
    r"(?:can(?:'| )?t|can ?not|could(?: not|n't)|am unable to|unable to|not able to|"
    r"(?:'m|am) not (?:able to|capable of)|won't|will not|(?:do not|don't|lack|without) "
    r"(?:have )?the (?:ability|capability|capacity) to|"
    r"(?:do not|don't) have the means to|incapable of|must decline to|have to decline to)"
)
_ADVERB = r"(?: (?:directly|actually|currently|really|physically|visually|fully|yet|personally)){0,2}"
_PICTURE = (
    r"(?: (?:or|and|\w{1,12})){0,4}?(?: (?:any|the|this|that|an|a|your|attached|uploaded|provided|visual|shared|these|"
    r"those|such|to)){0,3} (?:images?|pictures?|photos?|photographs?|attachments?|visuals?|visual content|files?)\b"
)
_PATTERNS = (
    rf"\b{_CANNOT}{_ADVERB} (?:(?:help|assist)(?:ing)?(?! but\b)|comply|fulfill?|engage|"
    r"do (?:that|this)|respond|discuss|"
    r"answer(?! (?:this |that |it |the question )?(?:because|as|since|with|without|definitively"
    r"|for sure|due|precisely|exactly)))\b",
    rf"\b{_CANNOT}{_ADVERB} (?:provide|offer|give)(?: you)?(?: with)? (?:any )?"
    r"(?:assistance|help|that|this information)\b",
    rf"\b{_CANNOT}{_ADVERB} (?:view|see|look at|process|analy[sz]e|access|interpret|open|display|examine|inspect|read|"
    rf"load|perceive|viewing|seeing|processing|analy[sz]ing){_PICTURE}",
    rf"\b{_CANNOT}{_ADVERB} (?:view|see|look at|process|analy[sz]e|access|open) (?:it|them)\b[ \t]*(?:[.,!]|$)",
    r"\b(?:do not|don't) (?:see|have access to|have)(?: (?:any|an|the|attached|uploaded)){0,2} "
    r"(?:images?|pictures?|photos?)\b",
    r"\bno (?:image|picture|photo) (?:was|is|has been|were|seems|appears)\b",
    r"\bthere is no (?:image|picture|photo)\b(?! of)",
    r"\bplease (?:upload|provide|attach|share|send|re-?upload)(?: (?:the|an|your|a)){0,2} (?:image|picture|photo)\b",
    r"\bsorry\b[^.!?\n]{0,40}\b(?:can't|cannot|can not|unable|won't)[ \t]*(?:[.!]|$)",
    r"\b(?:i|we) (?:must |have to |respectfully )*(?:decline|refuse)\b",
    r"\b(?:against|violates?|violating)\b[^.!?\n]{0,40}\b(?:polic(?:y|ies)|guidelines|rules|terms)\b",
    r"\b(?:i am|i'm|as) an? (?:text-based|text-only|text based|text only|language model)\b[^.!?\n]{0,80}"
    r"\b(?:can't|cannot|can not|don't|unable|not able)\b",
    r"\bas an ai\b[^.!?\n]{0,80}\b(?:can't|cannot|can not|am unable|don't have|do not have|am not able)\b"
    r"(?! (?:see|find|spot|count) any)",
)
_REFUSALS = tuple(re.compile(pattern) for pattern in _PATTERNS)
_TO_THE_READER = re.compile(r"\b(?:you|your|please|if|help|assist|describe|provide|share|upload)\b")


def refusal(text: str) -> str | None:
    """The first phrase with which a reply (cleaned) declines; None if it does not."""
    found = [match for pattern in _REFUSALS if (match := pattern.search(text))]
    return min(found, key=lambda match: match.start())[0].strip() if found else None


def without_refusal(text: str) -> str:
    """The clauses that neither decline nor speak to the reader: what else the reply says."""
    kept = []
    for clause in re.split(r"[.!?\n;]|,? \b(?:but|however|though)\b", text):
        if refusal(clause) is None and not _TO_THE_READER.search(clause) and "sorry" not in clause:
            kept.append(clause)
    return "\n".join(kept)
