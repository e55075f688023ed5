"""Replies that decline: for policy, or because the judge says that it cannot look at pictures."""

from __future__ import annotations

import re

_CANNOT = (
    r"(?:can'?t|can ?not|could(?: not|n't)|unable to|not able to|(?:'m|am) not capable of|won't|will not|incapable of"
    r"|(?:do not|don't|lack|without) (?:have )?the (?:ability|capability|capacity|means) to"
    r"|(?:must|have to) decline to)"
)
_ADVERB = r"(?: (?:directly|actually|currently|really|physically|visually|fully|yet|personally)){0,2}"
_SEE = (
    r"(?:view|see|look at|process|analy[sz]e|access|interpret|open|display|examine|inspect|read|load|perceive"
    r"|count \w+ in)"
)
_PICTURE = r"(?:images?|pictures?|photos?|photographs?|attachments?|visuals?|visual content|files?)\b"
_ANY = r"(?: (?:any|the|this|that|an?|your|my|uploaded|attached)){0,2} "
_REFUSAL = re.compile(
    "|".join(
        (
            rf"\b{_CANNOT}{_ADVERB} (?:(?:help|assist)(?! but\b)|comply|fulfill?|engage|do (?:that|this)"
            r"|respond|discuss|answer(?= (?:that|this|your|the) ?(?:question|request)?[ ]*(?:[.,!]|$))"
            r"|answer(?= questions (?:about|on) ))\b",
            rf"\b{_CANNOT}{_ADVERB} (?:provide|offer|give)(?: you)?(?: with)? (?:any )?(?:assistance|help|that)\b",
            rf"\b{_CANNOT}{_ADVERB} {_SEE}(?: \w+){{0,5}}? {_PICTURE}",
            rf"\b(?:do not|don't) (?:see|have(?: access to)?){_ANY}?{_PICTURE}",
            rf"\bno {_PICTURE[:-2]} (?:was|is|has been|were|seems|appears)\b|\bthere is no {_PICTURE}(?! of)",
            rf"\bplease (?:upload|provide|attach|share|send|re-?upload){_ANY}{_PICTURE}",
            r"\bsorry\b[^.!?\n]{0,40}\b(?:can't|cannot|can not|unable|won't)[ \t]*(?:[.!]|$)",
            r"\b(?:i|we) (?:must |have to |respectfully )*(?:decline|refuse)\b",
            r"\b(?:against|violates?|violating)\b[^.!?\n]{0,40}\b(?:polic(?:y|ies)|guidelines|rules|terms)\b",
        )
    )
)


def refusal(text: str) -> str | None:
    """The first phrase with which a reply (cleaned) declines; None if it does not."""
    match = _REFUSAL.search(text)
    return match[0].strip() if match else None
