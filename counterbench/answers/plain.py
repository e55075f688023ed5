"""Plain sentences: the one value that they state, or that the judge declines.

A value that is denied, left open or taken back is no answer.
"""

import re

from counterbench.answers.base import DENIED, AnswerType
from counterbench.answers.outcomes import Answer, Refused, Unparsed

LONGEST = 150  # words; in a longer reply the value may be about anything

# The one list of hedges …
HEDGE = re.compile(
    r"\b(?:maybe|perhaps|possibl[ye]|conceivably|hypothetically|if|unless|whether|either|unsure|uncertain|unclear"
    r"|ambiguous|indeterminate|depend(?:s|ing)|assuming|suppos(?:e|ing)|almost|nearly|somewhat|fifty-fifty"
    r"|might|may|could (?!see|count|find|identify|spot)"
    r"|(?<!answer )(?:would|will|should) (?:have )?be(?:en)?|(?:used|supposed) to (?:have )?be(?:en)?"
    r"|(?:not|cannot|can not|can't|could not|couldn't|unable to|hard to|difficult to|impossible to|tough to)"
    r" (?:be )?(?:\w+ly )?(?:sure|certain|clear|confident|tell|told|say|determined?|know|judge)"
    r"|\w+n't (?:\w+ly )?(?:sure|certain|clear|confident|know)|no idea|kind of|sort of"
    r"|or (?:similar|something|so)|give or take|expected|initially|originally|at first|at a glance"
    r"|first (?:count|guess|impression|thought)|in a (?:sense|way)|in (?:principle|theory)|theoretically"
    r"|(?:some(?:one|body)?|many|others|people|nobody|no one|anyone|viewer|observer|reader|one|you"
    r"|question|prompt|caption|user)"
    r" (?:(?:would|will) )?(?:sa(?:y|ys|id)|think|thought|call|answer|guess|claim(?:s|ed)?|told|wrote|stated?"
    r"|argue|expect|assume|believe))\b|\?"
)
# … and the one of negations, in other languages, too.
NEGATION = re.compile(
    r"\b(?:not|never|neither|nor|cannot|hardly|barely|scarcely|formerly|previously|except|excluding|unlike|instead|rather"
    r"|other than|opposed|than|wrong|incorrect|false|untrue|no (?!doubt)(?=[a-z])|(?:anything|all|everything) but"
    r"|none|impossible|(?<!no )doubt\w*|rul(?:ed?|ing) out)|n't\b"
    r"|\b(?:nicht|keine?[rmns]?|weder|niemals|pas|jamais|aucune?|non|nessun[oa]?|ning[uú]n[oa]?|nunca|sino|não|nenhuma?"
    r"|niet|geen|inte|ikke|не|нет|ни)\b|\bn'|[不没沒無无非否未]|ない|ません|なし|없|아[니닙]|않"
)
TURN = re.compile(
    r"\b(?:wait|correction|on second thought|let me re\w+|scratch that|i mean|oops|mistaken?|hmm+|however"
    r"|(?:that|this|it)(?:'s| is| was) (?:wrong|incorrect|not (?:right|correct|true)))\b"
    r"|(?:^|[.!?;,—\n])[ \t]*actually\b",
)
# ", not the red circle", "rather than red", "than the blue square" at the end of a sentence: the other value.
_CONTRAST = re.compile(
    r"(?:,[ ]*(?:and |but )?not|,?[ ]*\b(?:rather than|instead of|as opposed to|unlike|than))[ ]+"
    r"(?:(?!\b(?:but|so|while|whereas|yet|though|although)\b)[^.,;:!?()\n]){1,40}(?=[ ]*[.!]?[ ]*(?:\n|$))"
)
# The question's own words, repeated before the answer.
_ECHO = re.compile(
    r"^[ ]*(?:(?:q(?:uestion)?[ ]*:[ ]*)?"
    r"(?:is|are|do|does|did|can|has|have|how|which|what|where|who|of|between|looking|count|to)\b[^.!?\n]{3,300}\?"
    r"|(?:out )?(?:of|between) the [^,.;?!\n]{3,80},)(?=\s*\S)"
)
_POLITE = re.compile(
    r"\b(?:(?:please )?let me know|if you (?:need|have|want|would)|feel free|(?:i )?hope this)\b[^.!?\n]*[.!?]?"
    r"|\b(?<!what )(?<!how )(?:would you like(?: me to)?|do you (?:want|need)(?: me to)?"
    r"|is there anything else|(?:shall|should) i)\b"
    r"[^.!?\n]{0,200}\?"
)
# A first line that the second repeats and goes on from.
_REPEATED = re.compile(r"\A\s*([^\n.!?]{3,60})[.!]?[ ]*\n\s*(?=\1[ ])")
_SENTENCE = re.compile(r"(?:[^.!?;\n]|\.(?=\d))+")


def sentences(text: str) -> list[str]:
    """The sentences of `text`, without their closing marks."""
    return _SENTENCE.findall(text)


def read(text: str, kind: AnswerType, synonyms: bool) -> Answer | Unparsed:
    """The one value that a stretch of text states."""
    whole = kind.whole(text)
    if whole is not None:
        return Answer(whole)
    hedge = HEDGE.search(text) or (kind.hedges.search(text) if kind.hedges else None)
    # Of yes and no, ", but not here" denies the very answer; ", not no" does not.
    text = _CONTRAST.sub(
        lambda m: "" if (kind.negatable and not kind.once) or kind.mentions(m[0], synonyms) else m[0], text
    )
    named = kind.mentions(text, synonyms)
    values = list(dict.fromkeys(named))
    if not values:
        return Unparsed("no answer in the reply")
    if len(values) > 1:
        return Unparsed(f"several answers, none marked as final: {listed(values)}")
    value = values[0]
    if kind.once and len(named) > 1:
        return Unparsed(f"says {value} more than once, of parts or of the whole")
    if hedge is not None and (value not in kind.abstentions or "?" in text):
        return Unparsed(f"no firm answer: {value.removeprefix(DENIED)}, with {hedge[0].strip()!r}")
    if value.startswith(DENIED) or (
        kind.negatable
        and any(NEGATION.search(s) and (kind.once or kind.mentions(s, synonyms)) for s in sentences(text))
    ):
        return Unparsed(f"says what it is not: {value.removeprefix(DENIED)}")
    return Answer(value)


def in_prose(text: str, kind: AnswerType, synonyms: bool) -> Answer | Unparsed:
    """The one value that a whole reply without a marked answer states."""
    text = _REPEATED.sub("", _POLITE.sub("", _ECHO.sub("", text)))
    stated = read(text, kind, synonyms)
    if isinstance(stated, Unparsed) or kind.whole(text) is not None:
        return stated
    if turn := TURN.search(text):
        return Unparsed(f"says {stated.value}, and takes something back: {turn[0].strip(' ,.')!r}")
    if len(text.split()) > LONGEST:
        return Unparsed(f"a long reply that names {stated.value} and marks nothing as its answer")
    return stated


def bare(line: str, kind: AnswerType, synonyms: bool) -> str | None:
    """The value of a line that is only a value; else None."""
    if len(line) > 60 or not 1 <= len(re.findall(r"(?!(?:an?|the)\b)[\w.,/'%+-]*\w", line)) <= kind.bare_words:
        return None
    stated = read(line, kind, synonyms)
    return stated.value if isinstance(stated, Answer) else None


def listed(values: list[str]) -> str:
    """The first few of several values, for a reason."""
    return ", ".join(value.removeprefix(DENIED)[:40] for value in values[:4]) + (", …" if len(values) > 4 else "")


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


def refusal(text: str) -> Refused | None:
    """The refusal of a reply (cleaned), by the first phrase with which it declines; None if it does not."""
    match = _REFUSAL.search(text)
    return Refused(match[0].strip()[:200]) if match else None
