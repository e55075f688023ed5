"""Plain sentences: finds the one value that they state, or the phrase with which a reply declines to answer.

Text goes in cleaned and in lower case, with the type of the answer (`kind`), which knows the values; an `Answer`, or
`Unparsed` with the reason, comes out. `prose_outcome` reads a whole reply, `read_stretch` a part of one, such as the
words after "Answer:"; `refusal` finds "I can't help with that". `explicit` calls them.

A value counts only if it is stated: it stands first, after a mark, or after a word that states it ("is", "I see").
After any other word it may be denied, placed, guessed, or counted beside another: "2 besides 3", "below the red
circle", "nicht 4". A value that is denied, hedged ("maybe 4") or taken back ("4. Wait, 5") is no answer. Of other
languages than English few words are known. The patterns stand before the functions that use them.
"""

import re

from counterbench.answers.lazy import lazily
from counterbench.answers.outcomes import DENIED, Answer, AnswerType, Refused, Unparsed

_REACH = 60  # characters before a value that are searched
# Nouns for the answer itself …
_ANSWER_NOUNS = r"answer|result|count|number|total|sum|response|verdict|conclusion|tally"
# … and all words after which a value is stated.
_STATES = lazily(
    rf"{_ANSWER_NOUNS}|is|are|be|was|were|it|sees?|saw|say|think|believe|choose|pick|prefer|get|so|thus|therefore|hence|then|counted|counts"
    r"|find|found|spot|identify|notice|observe|detect|shows?|shown|displays?|depicts?|indicates|contains?|includes?|has|have"
    r"|holds|features|totals|equals|makes|gives|called|named|namely|colou?r|colou?red|looks?|appears?|seems|painted|filled"
    r"|yes|no|ist|sind|gibt|sehe|zähle|zeigt|enthält|est|vois|compte|contient|es|son|hay|veo|cuento|sono|vedo|há|vejo|são"
    r"|вижу|там|есть|всего|.*(?:'s|'re|'est|[有是共为為见見到数數は가은는が])"
)
# Words that may stand between such a word and the value: "is only 3", "are clearly the small dark red circle".
_BETWEEN = lazily(
    r"an?|the|this|these|only|just|indeed|very|more|small|large|big|little|tiny|medium|smaller|larger|smallest|largest"
    r"|solid|plain|single|visible|light|dark|bright|pale|deep|sky|hot|vivid|(?!part|most|suppos|alleg|former|previous|usual|original|initial).*ly"
)
# Words before "of" with which it states a value: "a total of 3"; but not "two of 3".
_STATES_WITH_OF = lazily(rf"{_ANSWER_NOUNS}|shade|consists|composed")
_TOKEN = lazily(r"[\w']+|[^\w\s]")
# "red: no", "Red is absent"
_REFUTED = lazily(
    r"[)\]'\"*\s]*[:=][ ]*(?:no|nope|false|wrong|incorrect|0)[ ]*(?:[.,;!\n]|$)"
    r"|[ ]+(?:is|are|was|were|seems?)(?: \w+ly)? (?:absent|missing|lacking|nowhere|excluded|removed|out(?! of))\b"
)
# "Yes 30%", "yes (0.2)", "P(yes) = 0.2": how likely, and no answer.
_SHARE = lazily(
    r"[)\]'\"*\s]*(?:[:=(–—-]|with|at|is)?(?:[ ]*p[ ]*=)?[\s~*]*(?:\d+(?:[.,]\d+)?[ ]*(?:%|percent)|0?[.,]\d)",
    re.IGNORECASE,
)
# The words that may stand before an answer, or "the answer is", in its clause: "I'd say that", "so it's definitely".
_BEFORE = lazily(
    r"an?|the|my|our|this|that|its?|it's|that's|i|i'm|i'd|i'll|we|am|is|are|be|so|then|thus|therefore|hence|and|but|because"
    r"|answers?|response|reply|result|conclusion|verdict|final|correct|best|short|simple|overall|in|for|to|with|on|from|of"
    r"|question|image|picture|based|looking|at|think|believe|say|mean|means|conclude|confirm|follows|which|would|will|can"
    r"|must|have|go|going|sure|certain|confident|pretty|fairly|quite|very|definite|definitely|clear|clearly|simply|firm|resounding"
    r"|hmm|well|oh|ah|um|ok|okay|alright|sorry|indeed|again|as|here|assistant|yes|yeah|yep|no|nope|nah",
    re.IGNORECASE,
)
_CLAUSE = lazily(r"[.!?;:,\n—(){}\[\]\\\"“”>|]")
_CONJUNCTION = lazily(r"\b(?:and|but|so|because|since|thus|therefore|hence)\b", re.IGNORECASE)
_WORD = lazily(r"[\w'’]+")


def is_stated(text: str, start: int, end: int | None = None) -> bool:
    """True if a cleaned text states the value that begins at `start`, and does not only name it.

    `end`: the end of the value; words after it may deny it or call it only likely. None: words after it do not count.
    """
    if end is not None and (is_only_likely(text, end) or _REFUTED.match(text, end)):
        return False
    before = (
        re.split(r"[.!?;:,\n]", text[max(0, start - _REACH) : start])[-1]
        .replace("il y a ", "are ")
        .replace("go with ", "pick ")
    )
    words = _TOKEN.findall(before)
    while words and _BETWEEN.fullmatch(words[-1]):
        words.pop()
    if not words or not (words[-1][-1].isalnum() or words[-1] == "%"):
        return True
    if words[-1] == "of":
        return len(words) > 1 and _STATES_WITH_OF.fullmatch(words[-2]) is not None
    return _STATES.fullmatch(words[-1]) is not None


def is_only_likely(text: str, end: int) -> bool:
    """True if the words after the value that ends there only call it likely."""
    return _SHARE.match(text, end) is not None


def opens_clause(before: str, conjunctions: bool = False) -> bool:
    """True if a word or phrase that follows on the text `before` is said outright, and is no part of another phrase.

    So it is if in its clause only words such as "I think that the answer is" (`_BEFORE`) stand before it.
    `conjunctions`: True if words such as "and", "so" and "because" begin a clause, too.
    """
    clause = _CLAUSE.split(before)[-1]
    if conjunctions:
        clause = _CONJUNCTION.split(clause)[-1]
    return all(_BEFORE.fullmatch(word.replace("’", "'")) for word in _WORD.findall(clause))


LONGEST = 150  # words of a reply without a marked answer; in a longer one the value may be about anything

# All words that leave a value open (hedges), for all modules …
HEDGE = lazily(
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
# … all that deny one, in other languages, too …
NEGATION = lazily(
    r"\b(?:not|never|neither|nor|cannot|hardly|barely|scarcely|formerly|previously|except|excluding|unlike|instead|rather"
    r"|other than|opposed|than|wrong|incorrect|false|untrue|no (?!doubt)(?=[a-z])|(?:anything|all|everything) but"
    r"|none|impossible|(?<!no )doubt\w*|rul(?:ed?|ing) out)|n't\b"
    r"|\b(?:nicht|keine?[rmns]?|weder|niemals|pas|jamais|aucune?|non|nessun[oa]?|ning[uú]n[oa]?|nunca|sino|não|nenhuma?"
    r"|niet|geen|inte|ikke|не|нет|ни)\b|\bn'|[不没沒無无非否未]|ない|ません|なし|없|아[니닙]|않"
)
_EARLIER = r"(?:above|before|previous|earlier|first|initial|original|last|given)"
_REPLY = r"(?:answer|reply|response|count|verdict|score|rating)"
_MEND = r"(?:correct|revise|change|withdraw|retract|amend|fix|update|reconsider)"
# … and all that take back what was said before: "wait", "that is wrong".
TURN = lazily(
    r"\b(?:wait|correction|on second thought|let me re\w+|scratch that|my bad|i mean|oops|mistaken?|hmm+|however"
    rf"|(?:that|this|it|the above|my (?:\w+ )?{_REPLY}|(?:that|this|the {_EARLIER}) {_REPLY}|the {_REPLY} {_EARLIER})"
    rf"(?: {_EARLIER})?(?:(?:'s|(?: (?:is|was|be|been|seems|looks|sounds|must|would|could|\w+ly))+)"
    r" (?:wrong|incorrect|inaccurate|false|a mistake|an error)"
    r"|(?:'s|(?: \w+)?)(?: not|n't|not)(?: be| seem| look| sound)?(?: \w+ly)? (?:right|correct|true|accurate|hold))"
    rf"|answer (?:needs|has|must|should|ought)(?: to)?(?: be)? {_MEND}(?:ed|d|ing|ion)?"
    rf"|(?:to|must|should|me|i|i'll|i'd|i've) {_MEND}(?:ed|d)? (?:that|this|it|myself|my \w+)"
    r"|i (?:got|had) (?:it|that|this) (?:wrong|backwards?)|i (?:am|was)(?:n't| not) (?:right|correct)"
    rf"|the answer {_EARLIER} (?:is|was)|i (?:am|was) (?:\w+ )?wrong"
    r"|(?:take|took) (?:it|this|that|my answer)(?: all)? back"
    rf"|(?:correct|revise|change|withdraw|retract) (?:my|the {_EARLIER}) answer|stand corrected|strike that|misspoke"
    rf"|(?:ignore|disregard) (?:that|this|(?:my|the) (?:{_EARLIER} )?answer)|made (?:an?|the) (?:\w+ )?error"
    r"|error above)\b"
    r"|(?:^|[.!?;,—\n])[ \t]*actually\b",
)
# Words of a second look, which take an answer back if they stand after it …
_SECOND_LOOK = lazily(
    r"\b(?:(?:(?:up)?on|at|after|with) (?:an? )?(?:(?:closer|second|further|careful|another|more careful) "
    r"(?:look|inspection|examination|glance|view|viewing|thought|check|consideration)|re-?(?:flection|view|reading))"
    r"|re-?(?:check|count|look|examin|inspect|evaluat|consider|assess)\w*|i see now|now i see|i now see|i reali[sz]e"
    r"|(?:look|think|check|count)(?:ing)?(?: (?:at|about))?(?: (?:it|this|that|the \w+))? "
    r"(?:again|closer|more (?:closely|carefully)|once more)|(?:'s|is) one too (?:many|few)"
    r"|i (?:have |had |'ve )?(?:missed|overlooked|mis(?:counted|read|judged|took|saw)))\b"
)
# … and these words correct it to the value behind them.
_CORRECTED = lazily(
    rf"^[ \n]*or\b|\b(?:(?:it|that|this|i|{_REPLY}) (?:should|ought to|must|needs? to|has to) (?:have \w+|be)|meant?"
    rf"|make (?:that|it)|chang(?:e|ing) (?:it|that|my answer) to|(?:right|correct|actual|true|real|better) (?:{_REPLY}"
    r"|one|value|colou?r|number(?! of))|actually|in fact|(?:rather|instead)(?! (?:than|of)\b)|(?:i'd|now) (?:say|think)"
    r"|(?:edit|update|corrected|amended)(?=[ ]*[:=—–-])|oh|ah|nope?(?=[ ]*(?:[,:—–.!]|$)))\b"
)
# A value beside the stated one, set against it: ", not the red circle", "rather than red" at the end …
_OTHER = r"(?:(?!\b(?:but|so|while|whereas|yet|though|although)\b)[^.,;:!?()\n]){1,40}"
_CONTRAST = lazily(
    r"(?:,[ ]*(?:and |but )?not|,?[ ]*\b(?:rather than|instead of|as opposed to|unlike|than))[ ]+"
    rf"{_OTHER}(?=[ ]*[.!]?[ ]*(?:\n|$))"
)
# … or "(not red)" within a sentence.
_CONTRAST_WITHIN = lazily(
    rf"[ ]*\((?:(?:and|but) )?(?:not|rather than|instead of) {_OTHER}\)"
    rf"|,[ ]*(?:(?:and|but) )?not[ ]+{_OTHER}(?=[ ]*[.,;!])"
)
# "not red but blue", "It isn't red. It's blue": matches what is denied, up to the beginning of what is said.
_NOT = r"(?:[ ]?n't|[ ]*\bnot|\bneither)[ ]+(?!(?:only|just|merely|simply|solely|necessarily|even|so)\b)"
_SAID = r"(?:(?:only|exactly|an?|the)[ ]+){0,2}"
_RATHER = r"(?:(?:rather|instead|actually|in fact|indeed),?[ ]+)?"
_WHO = r"it|this|that|there|they"
_VERB = r"(?:'s|'re|[ ]is|[ ]are|[ ]looks|[ ]shows|[ ]has|[ ]points?(?:[ ](?:to|at))?)"
_DENIAL = lazily(
    rf"{_NOT}(?P<denied>[^.;:!?()\n]{{1,60}}?),?[ ]+but[ ]+{_RATHER}(?:(?:{_WHO}){_VERB}[ ]+)?"
    rf"(?={_SAID}(?P<said>[^.,;:!?()\n]+))"
    rf"|\b(?P<who>{_WHO}|(?:the|this|that)(?: \w+){{1,3}}?)(?:'s|'re|[ ]\w+){_NOT}(?P<first>[^.,;:!?()\n]{{1,60}})"
    rf"[.,;—–-][ \n]*(?:(?:and|but)[ ]+)?{_RATHER}"
    rf"(?:{_WHO}|(?P=who))(?P<verb>{_VERB})[ ]+(?={_SAID}(?P<then>[^.,;:!?()\n]+))"
)
# Words after a count that name nothing further: "There are not 3 circles; there are 4 of them".
_NAMELESS = lazily(r"[ ]*(?:$|(?:in|here|there|of them|visible|altogether)\b)")
# The beginning of a reason, and a whole one.
REASON = lazily(r"[,—–-]?[ \t]*\b(?:because|since|as (?:there|the|it)|given that|due to)\b")
_WHY = lazily(rf"{REASON.pattern}(?:[^.!?;\n]|\.(?=\d))*")
_STATED = lazily(r"\b(?:is|are)\b|'(?:s|re)\b")
_FIRST_WORDS = 4  # the value of a correction is among so many words; a sentence with fewer is short
# Words that make a reason doubtful: it is left in.
_OPEN_REASON = lazily(rf"{HEDGE.pattern}|{TURN.pattern}|\b(?:i|we|i'm|me|ones?)\b")
# The question's own words, repeated before the answer.
_ECHO = lazily(
    r"^[ ]*(?:(?:q(?:uestion)?[ ]*:[ ]*)?"
    r"(?:is|are|do|does|did|can|has|have|how|which|what|where|who|of|between|looking|count|to)\b[^.!?\n]{3,300}\?"
    r"|(?:out )?(?:of|between) the [^,.;?!\n]{3,80},)(?=\s*\S)"
)
# Offers and questions to the user, after the answer.
_POLITE = lazily(
    r"\b(?:(?:please )?let me know|if you (?:need|have|want|would)|feel free|(?:i )?hope this)\b[^.!?\n]*[.!?]?"
    r"|\b(?<!what )(?<!how )(?:would you like(?: me to)?|do you (?:want|need)(?: me to)?"
    r"|is there anything else|(?:shall|should) i)\b"
    r"[^.!?\n]{0,200}\?"
)
# A first line that the second repeats and goes on from.
_REPEATED = lazily(r"\A\s*([^\n.!?]{3,60})[.!]?[ ]*\n\s*(?=\1[ ])")
_SENTENCE = lazily(r"(?:[^.!?;\n]|\.(?=\d))+")


def sentences(text: str) -> list[str]:
    """The sentences of `text`, without their closing marks."""
    return _SENTENCE.findall(text)


def _without_reason(text: str, kind: AnswerType, synonyms: bool) -> str:
    """`text` without a reason that would seem to deny the value: "red, because there is no other circle".

    Only a reason that names no other value is left out. One that leaves something open stays, and for a type that
    counts also one that may count something.
    """
    reason = _WHY.search(text)
    if reason is None or not NEGATION.search(why := reason[0]) or _OPEN_REASON.search(why):
        return text
    named = kind.mentions(why, synonyms)
    may_count = kind.counts and (named or (kind.hedges is not None and kind.hedges.search(why)))
    return text if may_count or not all(value.startswith(DENIED) for value in named) else text.replace(why, "", 1)


def _without_denied(text: str, kind: AnswerType, synonyms: bool) -> str:
    """`text` without the values that it denies beside the one that it states: "not 3 but 4" becomes "4"."""

    def second_half(match: re.Match[str]) -> str:
        """The second half of a correction, which states the value; the whole of it if that states no one value."""
        denied, (first, *more) = match["denied"] or match["first"], (match["said"] or match["then"]).split()
        stated = kind.mentions(" ".join([first, *more][: min(kind.bare_words, _FIRST_WORDS)]), synonyms)
        others = {value.removeprefix(DENIED) for value in kind.mentions(denied, synonyms)}
        if len(stated) != 1 or stated[0].startswith(DENIED) or not others or stated[0] in others:
            return match[0]
        if match["denied"]:
            return match[0] if _STATED.search(denied) else " "
        # If things are counted, they must be the same: not "There aren't 3 circles; there are 4 squares."
        same_things = not kind.counts or _NAMELESS.match(" ".join(more)) or more[0] in denied.split()
        verb = match["verb"].replace("'s", " is").replace("'re", " are")
        return f"{match['who']}{verb} " if same_things else match[0]

    return _DENIAL.sub(second_half, text) if "not" in text or "n't" in text or "neither" in text else text


def read_stretch(text: str, kind: AnswerType, synonyms: bool) -> Answer | Unparsed:
    """The one value that a stretch of text states; Unparsed with the reason if it states none or several.

    First what denies other values is left out, then the values that are still named are counted.
    """
    whole = kind.whole_value(text)
    if whole is not None:
        return Answer(whole)
    if kind.negatable:
        text = _without_reason(text, kind, synonyms)
    hedge = HEDGE.search(text)
    if kind.negatable:
        text = _without_denied(text, kind, synonyms)
    hedge = hedge or (kind.hedges.search(text) if kind.hedges else None)
    if "not" in text or "(" in text:
        text = _CONTRAST_WITHIN.sub(lambda m: "" if kind.mentions(m[0], synonyms) else m[0], text)
    # For yes and no, ", but not here" denies the answer itself and stays; ", not no" does not.
    text = _CONTRAST.sub(
        lambda m: "" if (kind.negatable and not kind.counts) or kind.mentions(m[0], synonyms) else m[0], text
    )
    named = kind.mentions(text, synonyms)
    values = list(dict.fromkeys(named))
    if not values:
        return Unparsed("no answer in the reply")
    if len(values) > 1:
        return Unparsed(f"several answers, none marked as final: {first_values(values)}")
    value = values[0]
    if kind.counts and len(named) > 1:
        return Unparsed(f"says {value} more than once, of parts or of the whole")
    if hedge is not None and (value not in kind.abstentions or "?" in text):
        return Unparsed(f"no firm answer: {value.removeprefix(DENIED)}, with {hedge[0].strip()!r}")
    if value.startswith(DENIED) or (
        kind.negatable
        and any(NEGATION.search(s) and (kind.counts or kind.mentions(s, synonyms)) for s in sentences(text))
    ):
        return Unparsed(f"says what it is not: {value.removeprefix(DENIED)}")
    return Answer(value)


def is_taken_back(text: str, value: str, kind: AnswerType, synonyms: bool) -> bool:
    """True if `text`, the words of a reply after its answer `value`, take it back, deny it or give another value."""
    if TURN.search(text) or _SECOND_LOOK.search(text):
        return True
    for sentence in sentences(text):
        cue = _CORRECTED.search(sentence)
        mentions = kind.mentions(sentence if cue[0] == "rather" else sentence[cue.end() :], synonyms) if cue else []
        short = len(sentence.split()) < _FIRST_WORDS and value in (kind.alphabet or ())  # "It is blue.", but no count
        outcome = read_stretch(sentence, kind, synonyms) if short else None
        mentions += [outcome.value] if isinstance(outcome, Answer) else []
        if any(name != value and kind.is_canonical(name) for name in (word.removeprefix(DENIED) for word in mentions)):
            return True
    others = [name for name in kind.mentions(text, synonyms) if name != value and not name.startswith(DENIED)]
    return kind.clash is not None and bool(others or kind.clash.search(f"{value}. {text}"))


def prose_outcome(text: str, kind: AnswerType, synonyms: bool) -> Answer | Unparsed:
    """The one value that a whole reply without a marked answer states; Unparsed with the reason if there is none."""
    text = _REPEATED.sub("", _POLITE.sub("", _ECHO.sub("", text)))
    stated = read_stretch(text, kind, synonyms)
    if isinstance(stated, Unparsed) or kind.whole_value(text) is not None:
        return stated
    looks = [m for m in [*_SECOND_LOOK.finditer(text)][-1:] if kind.mentions(text[: m.start()], synonyms)]
    if turn := TURN.search(text) or next(iter(looks), None):
        return Unparsed(f"says {stated.value}, and takes something back: {turn[0].strip(' ,.')!r}")
    if len(text.split()) > LONGEST:
        return Unparsed(f"a long reply that names {stated.value} and marks nothing as its answer")
    return stated


def lone_value(line: str, kind: AnswerType, synonyms: bool) -> str | None:
    """The value of a line that is only a value, in at most 60 characters and `kind.bare_words` words; else None."""
    if len(line) > 60 or not 1 <= len(re.findall(r"(?!(?:an?|the) )[\w.,/'%+-]*\w", line)) <= kind.bare_words:
        return None
    stated = read_stretch(line, kind, synonyms)
    return stated.value if isinstance(stated, Answer) else None


def first_values(values: list[str]) -> str:
    """The first few of several values in one line, for the reason of an Unparsed."""
    return ", ".join(value.removeprefix(DENIED)[:40] for value in values[:4]) + (", …" if len(values) > 4 else "")


# The parts of a refusal: "I cannot", an adverb, "view", "the image".
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
_REFUSAL = lazily(
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
