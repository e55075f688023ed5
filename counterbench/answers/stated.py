"""Rules for a stated value: it stands first, after a mark, or after a word that states it.

After any other word it may be denied, placed, guessed or counted beside another: "2 besides 3", "below the red circle",
"nicht 4". Few words of other languages than English are known.
"""

import re

_FAR = 60  # characters before a value that are searched
_ASKED = r"answer|result|count|number|total|sum|response|verdict|conclusion|tally"
_STATES = re.compile(
    rf"{_ASKED}|is|are|be|was|were|it|sees?|saw|say|think|believe|choose|pick|get|so|thus|therefore|hence|then|counted|counts"
    r"|find|found|spot|identify|notice|observe|detect|shows?|shown|displays?|depicts?|indicates|contains?|includes?|has|have"
    r"|holds|features|totals|equals|makes|gives|called|named|namely|colou?r|colou?red|looks?|appears?|seems|painted|filled"
    r"|yes|no|ist|sind|gibt|sehe|zähle|zeigt|enthält|est|vois|compte|contient|es|son|hay|veo|cuento|sono|vedo|há|vejo|são"
    r"|вижу|там|есть|всего|.*(?:'s|'re|'est|[有是共为為见見到数數は가은는が])"
)
# "Is only 3", "are clearly the small dark red circle".
_BETWEEN = re.compile(
    r"an?|the|this|these|only|just|indeed|very|more|small|large|big|little|tiny|medium|smaller|larger|smallest|largest"
    r"|solid|plain|single|visible|light|dark|bright|pale|deep|sky|hot|vivid|(?!part|most|suppos|alleg|former|previous|usual|original|initial).*ly"
)
_OF = re.compile(rf"{_ASKED}|shade|consists|composed")
_TOKEN = re.compile(r"[\w']+|[^\w\s]")
# "Yes 30%", "yes (0.2)", "P(yes) = 0.2": how likely, and no answer.
_REFUTED = re.compile(r"[)\]'\"*\s]*[:=][ ]*(?:no|nope|false|wrong|incorrect|0)[ ]*(?:[.,;!\n]|$)")  # "red: no"
_SHARE = re.compile(
    r"[)\]'\"*\s]*(?:[:=(–—-]|with|at|is)?(?:[ ]*p[ ]*=)?[\s~*]*(?:\d+(?:[.,]\d+)?[ ]*(?:%|percent)|0?[.,]\d)",
    re.IGNORECASE,
)
# The words that may stand before an answer, or "the answer is", in its clause: "I'd say that", "so it's definitely".
_BEFORE = re.compile(
    r"an?|the|my|our|this|that|its?|it's|that's|i|i'm|i'd|i'll|we|am|is|are|be|so|then|thus|therefore|hence|and|but|because"
    r"|answers?|response|reply|result|conclusion|verdict|final|correct|best|short|simple|overall|in|for|to|with|on|from|of"
    r"|question|image|picture|based|looking|at|think|believe|say|mean|means|conclude|confirm|follows|which|would|will|can"
    r"|must|have|go|going|sure|certain|confident|pretty|fairly|quite|very|definite|definitely|clear|clearly|simply|firm|resounding"
    r"|hmm|well|oh|ah|um|ok|okay|alright|sorry|indeed|again|as|here|assistant|yes|yeah|yep|no|nope|nah",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[.!?;:,\n—(){}\[\]\\\"“”>|]")
_CONJUNCTION = re.compile(r"\b(?:and|but|so|because|since|thus|therefore|hence)\b", re.IGNORECASE)
_WORD = re.compile(r"[\w'’]+")


def is_stated(text: str, start: int, end: int | None = None) -> bool:
    """True if the value from `start` (to `end`, if it may have a share) of a cleaned text is stated."""
    if end is not None and (has_share(text, end) or _REFUTED.match(text, end)):
        return False
    before = re.split(r"[.!?;:,\n]", text[max(0, start - _FAR) : start])[-1].replace("il y a ", "are ")
    words = _TOKEN.findall(before)
    while words and _BETWEEN.fullmatch(words[-1]):
        words.pop()
    if not words or not (words[-1][-1].isalnum() or words[-1] == "%"):
        return True
    if words[-1] == "of":
        return len(words) > 1 and _OF.fullmatch(words[-2]) is not None
    return _STATES.fullmatch(words[-1]) is not None


def has_share(text: str, end: int) -> bool:
    """True if the value that ends there is only said to be likely."""
    return _SHARE.match(text, end) is not None


def opens_clause(before: str, conjunctions: bool = False) -> bool:
    """True if the text after `before` is said outright: in its clause, only words of `_BEFORE` stand before it.

    `conjunctions`: they begin a clause, too.
    """
    clause = _CLAUSE.split(before)[-1]
    if conjunctions:
        clause = _CONJUNCTION.split(clause)[-1]
    return all(_BEFORE.fullmatch(word.replace("’", "'")) for word in _WORD.findall(clause))
