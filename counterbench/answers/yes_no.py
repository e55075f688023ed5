"""The three types of answers that are yes or no: plain, with a confidence (verdict), and with evidence too (finding).

Each type tells `explicit` and `plain`, which look for the one value of a reply, what a yes and a no look like. The main
method is `mentions`: of "Yes, there is" it gives ["yes"], of "it is not a yes" ["not yes"] (a denied value).
`normalised` first turns replies such as "oui, …" and "No, that is false" into plain ones. Most of this module are
patterns that tell a yes or a no that answers from one that does not: "no cup is red", "yes: 0", "Yes, it isn't", "No,
you are right".

`VerdictType` also knows "uncertain", and reads a confidence from 0 to 1 ("80% sure"). `FindingType` reads the evidence,
one sentence in words, from the reply's JSON.
"""

import re
from decimal import Decimal

import msgspec

from counterbench.answers.explicit import clean, objects
from counterbench.answers.lazy import lazily
from counterbench.answers.outcomes import DENIED, Answer, AnswerType, Outcome, Unparsed, object_schema
from counterbench.answers.plain import NEGATION, is_only_likely, opens_clause

_YES = frozenset({"yes", "yeah", "yep", "yup"})
# Words that answer only if a reply says nothing else; inside a sentence they mean other things.
_WHOLE = {
    "yes": "it is|it does|they are|they do|there is|there are|"
    "y|t|true|correct|affirmative|i think so|i believe so|absolutely|certainly|definitely|of course|"
    "sí|si|oui|ja|да|是|是的|对|對|はい|ええ|うん|有|对的|沒錯|没错|sim|sì|evet|tak|예|ano|ken|네|نعم|हाँ|हां",
    "no": "n|f|false|incorrect|negative|untrue|absolutely not|certainly not|definitely not|of course not|no way|"
    "it isn't|it is not|it does not|it doesn't|they aren't|they are not|there isn't|there is not|not true|not correct|"
    "i don't think so|i do not think so|i don't believe so|not at all|"
    "non|nein|нет|否|不|不是|不是的|没有|不对|いいえ|não|nee|nej|hayır|nie|아니요|아니오|لا|नहीं",
}
_WHOLE_WORDS = {word: value for value, words in _WHOLE.items() for word in words.split("|")}
# The first word of a whole answer in Chinese, French, German or Spanish, before its explanation …
_FIRST_WORD = lazily(
    r"\A\W*(?:(?P<yes>sí|si|oui|ja|是的?|对的?|對的?|没错|沒錯|有的?|(?:correct|true|absolutely)(?=[,.]))"
    r"|non|nein|否|不|不是的?|没有|沒有|不对|不對|(?:incorrect|false)(?=[,.]))[ ]*(?:[,.!;:—]|[-–][ ])[ ]*(?=\w)"
)
# … in that explanation these may stand …
_IN_PICTURE = lazily(
    r"\b(?:i[mn] bild|auf dem (?:bild|foto)|(?:sur|dans) (?:l'image|la photo|cette (?:image|photo))"
    r"|en (?:la|esta) (?:imagen|foto)|ich sehe|sehe ich|je (?:ne )?vois|(?:puedo ver|veo)(?= una?\b))\b"
    r"|[在从]?[这這该該]?[张張幅]?(?:[图圖][片像]?|照片|画面)[中里裡上]|我(?:(?:可以|能)?看[到见見]|(?=没))"
)
# … but not these, which turn the answer round, doubt it, or are about the picture as a file …
_TURNED = lazily(
    r"\b(?:aber|jedoch|doch|oder|wenn|falls|vielleicht|ja|nein|ich|mais|ou|si|s'il|peut-être|oui|non|je|pero|o|quizás?"
    r"|tal vez|sí|puedo|veo|bild|foto|photo|imagen|image|picture|yes|i|i'm"
    r"|i'd|i'll|you|your|let|here|but|though|yet|while|nichts|niemand|rien|personne|vide|nada|nadie|vacía|leer)\b"
    r"|[但或若]|如果|要是|可能|也许|也許|[图圖]|照片|我|空|是的|没错|[错錯]"
    r"|\b(?:falsch|faux|fausse|falso|falsa)\b"
)
# … nor words that deny it after a yes, or affirm it after a no.
_FALSE = lazily(rf"{NEGATION.pattern}|\b(?:no|incorrec\w+)\b")
_TRUE = lazily(
    r"\b(?:stimmt(?! (?:so )?nicht)|(?<!nicht )(?:richtig|wahr|korrekt)|(?<!pas )(?:vrai|exact|correcte?)|verdad|cierto"
    r"|correct[oa])\b|(?<!不)(?:[对對]|正确|正確)"
)
# "The answer isn't yes; it's no", "not yes but no", "That would be a no": the whole reply.
_RATHER = lazily(
    r"\A\W*(?:(?:(?:the answer|it|that)(?:'s| is)?)?(?:n't| ?not) (?:an? )?(?:yes(?=.*\bno\W*\Z)|no(?=.*yes\W*\Z))\W+"
    r"(?:but )?(?:(?:it|that)(?:'s| is) )?|that(?:'d| would) be )(?:an? )?(?P<said>yes|no)(?=\W*\Z)"
)
# The words before "true" or "false" in a reply that is only that: "the statement is true".
_SUBJECT = lazily(
    r"^(?:(?:based on|in) the (?:image|picture),? )?(?:that|this|it|the (?:statement|claim|answer))(?: is|'s) "
    r"(?=(?:not )?(?:true|false|correct|incorrect)$)"
)
# A yes or a no; a "no" only before a mark, or (group `opens`) before a word with which no noun phrase begins.
_WORD = lazily(
    r"(?<![\w'/-])(?:yes|yeah|yep|yup|(?P<no>no|nope|nah)(?=[ \t]*(?:[^\w\s'/-]|[-–][ \t]|$|\n))"
    # "No it isn't" answers; "there is no it" is not English, "there is no cup" no answer.
    r"|(?P<opens>no)(?=[ \t]+"
    r"(?:it|the|there|they|this|that|these|those|i|we|because|since|no|yes|not|to|for|and|or|but)\b))"
    r"(?![\w'/]|-\w)",
    re.IGNORECASE,
)
# Words before "yes" in its clause that make the yes one of something else: "wrong answer: yes".
_LABEL = lazily(
    r"\b(?:wrong|incorrect|false|untrue|not|never|opposite|instead|probab\w+|likel\w+|chances?|odds|others?|people)\b"
    r"[^.!?;,\n]*$",
    re.IGNORECASE,
)
# Words after it that do so: "yes is wrong".
_REJECTED = lazily(r"[ \t]+(?:is|was|would|isn't|option)\b", re.IGNORECASE)
# The question's own choice: "yes or no", "y/n".
_ECHO = lazily(
    r"['\"(]?\byes['\"]?[ \t]*(?:/|or|\||-|and/or)[ \t]*['\"]?no\b['\")]?|\bno['\"]?[ \t]*(?:/|or|\|)[ \t]*['\"]?yes\b"
    r"|\by[ \t]*/[ \t]*n\b"
)
# "No, that is wrong" only says no …
_DENIES_IT = lazily(
    r"\A\s*no\W? (?:that|this|it)(?:'s| is)? (?:(?:not|isn't) (?:correct|true|right|accurate)|incorrect|wrong|false)\b"
)
# … but "Yes, it isn't.", "No, it is.", "No, that's correct." say both.
_IT = (
    r"\W+(?:indeed,? |in fact,? )?"
    r"(?:it|they|there|this|that|these|those|(?:the|this|that) (?:statement|claim|description|sentence|answer))"
)
_IS = r"(?:'s|'re| is| are| was| were| does| do| did| has| have)"
_CLASH = lazily(
    rf"\byes{_IT}(?: \w+ly)?{_IS}(?: \w+ly)?(?:(?: not|n't)(?: one| any)?[ \t]*(?:[.!,]|$)"
    r"|(?: not|n't)? (?:false|wrong|incorrect|untrue)\b|(?: not|n't) (?:true|correct|accurate|right|so|the case)\b)"
    rf"|\bno{_IT}(?: \w+ly)?{_IS}(?: \w+ly)?[ \t]*(?:[.!,]|$|(?:right|so|the case|not (?:false|wrong))[ \t]*(?:[.!,]|$)"
    r"|(?:true|correct|accurate)\b)"
    r"|\byes\W+(?:false|wrong|incorrect|untrue|not|never)\W*$|\bno\W+(?:true|correct|right|always)\W*$"
    r"|\bs[ií][,.!]+ no\b|\b(?:yes|no),? which is (?:false|wrong|incorrect)\b"
    # "Yes, it isn't inside"; "Yes, I don't see any gap" may agree. Of other things than "it", only where they are.
    r"|\byes(?:[.!]?\s+(?:it|they)|,?[ ]+(?:it|they|this|that|these|those))(?: (?!and\b)\w+){0,2}?(?:'s|'re)?"
    r"(?: not\b(?! only\b)|n't\b)"
    r"|\byes,?[ ]+(?:the|this|that|both|these|those)(?: (?!and\b)\w+){1,3}?(?: not|n't)(?: \w+ly)? "
    r"(?:point\w*|lie|sit|stand|contain|in|inside|within|outside|to|on|left|right|above|below|over|under|beside|between|there|here|visible|present)\b"
    r"|\bno\b,[^.!?\n]{0,12}\b(?:s[ií]|oui|stimmt|richtig|wahr|vrai|verdad|cierto|correcto|vero|verdade)\b"
)
_PICTURE = r"(?:image|picture|photo|file|attachment)s?"
# "!yes", "yes: 0": as in code or in a table of options.
_CROSSED = lazily(r"(?:(?<![^\s(])[!~]|[¬≠][ ]?)$")
_ASSIGNED = lazily(r"[ \t]*[:=][ \t]*(?:-?\d[\d.,]*(?![ \t]*(?!and\b|no\b|yes\b)[a-z\d])|(?:false|true|none)\b)")
# A yes or no about one part only: "yes in image 1", "no on colour".
_IN_PART = (
    r"\A\W*(?:yes|no) (?:in|on|for|with|about|as|at)\b"
    r"(?! (?:sure|fact|certainty|(?:\w+ )?confidence|(?:the|this|your) (?:image|picture))\b)"
)
# "Yes, you may …", "No, you are right": said to the asker.
_TO_ASKER = (
    r"\b(?<!as )(?:you|your|you're|you've)\b(?! (?:can|could|may|will)? ?(?:clearly )?(?:see|notice|look)\b)"
    rf"|\b(?:blank|broken|missing|corrupt\w*) {_PICTURE}"
    r"|\b(?:i'm|i am|as) (?:just |only |still )?an? (?:\w+[ -]){0,3}?(?:model|ai|assistant|chatbot|bot)\b"
    r"|\bnothing (?:\w+ ){0,3}?(?:attached|uploaded|provided|shared|sent|loaded)\b"
)
# Taking a turn in a talk, or refusing, as the whole first clause after the word: "yes, go on".
_TURN_TAKING = (
    r"\A\W*(?:yes|no)\W+(?:(?:please|just|do|so) )?"
    r"(?:(?:go|come|carry|keep) (?:on|ahead|going)|continue|proceed"
    r"|ready|listening|waiting|next|understood|noted|received|got it|hello|hi|i'm listening"
    r"|i (?:won't|will not|can't|cannot|refuse|don't want to))\W*(?:$|[.!\n])"
)
# Words after "yes" that deny it without a subject of their own, turn it round, or make it a joke.
_YES_UNDONE = (
    r"|\A\W*yes\b[^.!?;\n]*?\bi (?:\w+ )?(?:(?:do|would|ca|could|did|can)(?: not|n't) (?:\w+ )?"
    r"(?:think|believe|agree|say|mean|buy|accept)"
    r"|doubt|disagree|lied|was wrong)\b"
    r"|\A\W*yes\W+(?:\w+ly |of course |at all |but |or )*(?:not|never|hardly)\b(?! only\b)"
    r"|\A\W*yes\W+(?:only|except|just|unless) (?:it|that|they|this|there|not)\b"
    r"|\A\W*yes\W+(?:say|said|says|claim\w*|according to|as if|reversed|inverted|swapped|flipped|backwards?)\b"
    r"|\A\W*yes\b.*\b(?:(?:is|are|was|were|do|does|did|has|have)(?:n't| not)(?=[ ]*(?:[.!,;)\n]|\Z))"
    r"|(?:opposite|reverse|contrary|converse)(?! (?:side|end|corner|edge|direction)s?\b)"
    r"|instead|vice versa|other way|(?:wrong|other) way (?:a?round|about)|until|till"
    r"|jok(?:e|es|ing)|kidding|sarcas\w+|iron(?:y|ic|ically)|jest)\b"
)
# Words after "no" that agree.
_NO_UNDONE = (
    r"|\A\W*no\W+(?:\w+ly )?i (?:do |also |would )?(?:think|believe|guess|suppose|say) so\b"
    r"|\A\W*no\W+(?:i (?:\w+ )?agree|agreed|exactly|precisely|indeed|right|sure|of course|true|correct)"
    r"[ ]*(?:$|[.!,;\n])"
    r"|\A\W*no[.:#]?[ ]*#?[ ]?\d+[ ]*(?:$|[.,;:)\n])"
)
_TAKEN_BACK = lazily(f"{_IN_PART}|{_TURN_TAKING}{_YES_UNDONE}{_NO_UNDONE}", re.DOTALL)
_ASKER = lazily(rf"\A\W*(?:yes|no)\b.*?(?:{_TO_ASKER})", re.DOTALL)
_SAME_WORD = ((lazily(r"\A(\W*)(?:yeah|yep|yup)\b"), r"\1yes"), (lazily(r"\A(\W*)(?:nope|nah)\b"), r"\1no"))
# Words that leave it open, or are about the picture as a file or about the judge: no answer to a question.
_NO_ANSWER = lazily(
    rf"\b{_PICTURE} (?:\w+(?: not|n't)? ){{0,2}}?"
    r"(?:load|open|render|upload|attach|display|missing|blank|corrupt)(?:ed|ing|s)?\b"
    r"|\b(?:i|we)(?: can| could|'ll| will|'d be \w+ to|'m able to| am able to)?(?: \w+ly)? (?:help|assist|understand"
    r"|do (?:that|this)|(?:see|view|look at|examine|analy[sz]e|describe|open|received?|got|have) (?:the|this|your) "
    rf"(?:\w+ )?{_PICTURE})\b"
    rf"|\b(?:no|nothing) (?:{_PICTURE}|loaded)\b|\blet me (?!know|explain)|\b(?:send|tell|show) me\b"
    r"|\bi(?:'ll| will) (?:take|have|look|check|examine|analy[sz]e|describe|try|now)\b|\bi(?:'m| am) (?:ready|here)\b"
    r"|\b(?:go ahead|yes,? please|(?:re-?)?upload|thanks?|probability|likelihood|odds|chances?|necessarily)\b"
    r"|\b(?:yes|no), (?:but|though|although|except)\b"
)


class YesNoType(AnswerType):
    """The type of answers that are yes or no."""

    name = "yes-no"
    alphabet: tuple[str, ...] = ("yes", "no")
    hedges = _NO_ANSWER
    clash = _CLASH
    negatable = False  # a "not" denies no value, as in "Yes, it is not red": `spoken` finds those that are denied

    def normalised(self, text: str) -> str:
        """A reply without the question's own choice ("yes or no"), and with "yes" for a first "oui"."""
        text = re.sub(r"\A\W*(?:答案|回答|答)[是为為]?[ ]*:", "answer: ", _RATHER.sub(r"\g<said>", text))
        first = _FIRST_WORD.match(text)
        rest = text[first.end() :] if first else ""
        stripped = _IN_PICTURE.sub(" ", rest)
        if first and not _TURNED.search(stripped) and not (_FALSE if first["yes"] else _TRUE).search(stripped):
            text = f"{'yes' if first['yes'] else 'no'}. {rest}"
        return _DENIES_IT.sub("no", _ECHO.sub(" ", text))

    def whole_value(self, text: str) -> str | None:
        """Yes or no for words such as "true", "nein", "I don't think so", if the stretch is only these; else None."""
        words = _SUBJECT.sub("", text[:60].strip(" \t\n.!,"))
        return _WHOLE_WORDS.get(words) if len(text) <= 60 else None

    def mentions(self, text: str, synonyms: bool) -> list[str]:
        """Every yes and no that is said as an answer; both, which is no one answer, if the reply undoes its own."""
        return ["yes", "no"] if _is_undone(text) else [value for value, _ in spoken(text)]


# A yes about one step on the way, with its label: "There is a container: yes. The diamond …". (A label that is a
# question, "Is it inside: yes. …", repeats the one that was asked.)
_STEP = lazily(
    r"(?:\A|[.!?\n])[ ]*(?!(?:is|are|do|does|did|has|have|can|whether)\b)(?P<label>[^.!?:\n]{3,80}):"
    r"[ ]*(?:yes|yeah|yep|yup|no|nope|nah)[ ]*[.;!][ ]*(?=\w)"
)
# Words for the answer itself in a label.
_ANSWER_WORDS = lazily(r"(?:assessment|judge?ment|decision|evaluation|determination|prediction|statement|claim)s?")


def _is_undone(text: str) -> bool:
    """True if words around a yes or a no deny it, or show that it is no answer to the question."""
    for step in _STEP.finditer(text):
        if not opens_clause(_ANSWER_WORDS.sub("", step["label"])):
            return True
    for word, plain in _SAME_WORD:
        text = word.sub(plain, text)
    return any(pattern.search(text) for pattern in (_CLASH, _TAKEN_BACK, _ASKER))


def spoken(text: str) -> list[tuple[str, int]]:
    """Each yes and no in a text that is an answer, and its place; with DENIED before it if it is denied.

    A "no" before a noun ("no cup") is left out.
    """
    answers = []
    for match in _WORD.finditer(text):
        before = text[max(0, match.start() - 80) : match.start()]
        denied = not opens_clause(before) or bool(_LABEL.search(before)) or is_only_likely(text, match.end())
        if match["opens"] and denied:
            continue
        value = "yes" if match[0].casefold() in _YES else "no"
        denied |= bool(_REJECTED.match(text, match.end()) or _ASSIGNED.match(text, match.end()))
        denied |= bool(_CROSSED.search(before))
        answers.append((f"{DENIED}{value}" if denied else value, match.start()))
    return answers


_DOUBTS_ALONE = frozenset({"maybe", "perhaps", "possibly"})  # mean uncertain if nothing else is said
# Doubt about the answer, and not about some detail of the picture ("unclear what is behind the box").
_UNSURE = lazily(
    r"(?P<denied>(?:\b(?:not?|nothing|never|hardly|scarcely|barely|nobody|neither)|n't)(?: \w+){0,4} )?"
    r"\b(?:uncertain|unsure|unclear|unknown|undetermined|inconclusive"
    r"|ambiguous"
    r"|not (?:\w+ly )?(?:sure|certain|clear)"
    r"|(?:cannot|can not|can't|unable to|impossible to|hard to|difficult to|not possible to)"
    r" (?:be )?(?:\w+ly )?(?:tell|say|determined?|know|known|judge)|(?:don't|do not) know|no idea"
    r"|not enough (?:information|evidence|detail))\b"
    r"(?=[ ]*(?:[.,;!?)\n]|$)|[ ]+(?:for sure|from|to (?:say|tell|answer)|whether|if|yes or no)\b)"
)
_OPTIONS = lazily(r"\byes\b[ ]*[,/|][ ]*no\b[ ]*[,/|]?[ ]*(?:or )?(?:uncertain|unsure|maybe)\b|\byes/no or uncertain\b")
_NUMBER = (
    r"(-?(?:\d{1,20}(?:[.,]\d{1,20})?|\.\d{1,20})(?:e[+-]?\d{1,3})?)"
    r"(?![\w/]|[.,]\w|\.[\"'}]|[ ]*(?:[-–]|to\b|or\b|out\b)[ ]*\.?\d)"
)
_CONFIDENCE = lazily(
    r"\bconfiden(?:ce|t)\b(?: (?:level|score|rating))?(?:[ ]*\([^()\n]{0,12}\))?[\"']?[ ]*(?:is\b|of\b|at\b|[:=—])?[ ]*"
    rf"[\"']?{_NUMBER}(?:[ ]*(%|percent\b))?"
    r"|(?<![\w.,-])(?<!not )(?<!about )(?<!around )"
    rf"{_NUMBER}(?:[ ]*(%|percent\b))?[ ](?:confiden(?:t|ce)|sure|certain)\b"
)

_EVIDENCE: dict[str, object] = {
    "evidence": {"type": "string", "description": "what in the picture says so, in one sentence"}
}
_MAX_EVIDENCE = 500  # characters that are kept: a sentence or two
_MAX_UNCLEAR = 10  # a confidence from 1 up to it may be on a scale to ten, or to five; one above it is per cent


def _schema(between: dict[str, object] | None = None) -> dict[str, object]:
    """The JSON Schema of a verdict; `between`: properties between its answer and its confidence."""
    answer = {"type": "string", "enum": ["yes", "no", "uncertain"]}
    confidence = {"type": "number", "description": "from 0 to 1"}
    return object_schema({"answer": answer, **(between or {}), "confidence": confidence})


class VerdictType(YesNoType):
    """The type of answers yes, no or uncertain, asked for as JSON with a confidence from 0 to 1.

    A confidence outside 0 … 1, stated twice differently or only roughly is dropped, and the answer stays.
    """

    name = "verdict"
    alphabet = ("yes", "no", "uncertain")
    json_keys = ("final_answer", "answer", "verdict", "final_verdict")
    abstentions = ("uncertain",)  # "I cannot view images, so I cannot tell" declines
    schema = _schema()

    def normalised(self, text: str) -> str:
        """A reply without the question's own choice ("yes, no or uncertain")."""
        return super().normalised(_OPTIONS.sub(" ", text))

    def whole_value(self, text: str) -> str | None:
        """The same as for yes and no, and "uncertain" for words such as "maybe"."""
        return "uncertain" if text[:40].strip(" \t\n.!") in _DOUBTS_ALONE else super().whole_value(text)

    def mentions(self, text: str, synonyms: bool) -> list[str]:
        """Every yes and no that is said as an answer, and every way to say that one cannot tell."""
        doubts = [f"{DENIED if m['denied'] else ''}uncertain" for m in _UNSURE.finditer(text)]
        return [*super().mentions(text, synonyms), *doubts]

    def final_outcome(self, answer: Answer, reply: str) -> Outcome:
        """The answer with the one confidence that the reply states; without, if it states none or different ones."""
        stated = {_stated_confidence(m[1] or m[3], m[2] or m[4]) for m in _CONFIDENCE.finditer(clean(reply))}
        return msgspec.structs.replace(answer, confidence=stated.pop() if len(stated) == 1 else None)


def _stated_confidence(number: str, percent: str | None) -> float | None:
    """The confidence of a number, which may have a percent sign; None unless it is from 0 to 1."""
    # Divided as decimals are written, so that 80% is 0.8 and 7% is 0.07.
    value = Decimal(number.replace(",", ".")) / (100 if percent else 1)
    return float(value) + 0.0 if 0 <= value <= 1 else None


class FindingType(VerdictType):
    """The type of verdicts with evidence, which the reply states in JSON: one line, empty if there is none.

    In JSON the key "confidence" alone tells the confidence; a number above 10 is a percentage. A confidence that is no
    number or on another scale makes the finding Unparsed: an answer without a confidence would earn more.
    """

    name = "finding"
    schema = _schema(_EVIDENCE)

    def final_outcome(self, answer: Answer, reply: str) -> Outcome:
        """The answer with the last evidence that the reply has, and its confidence."""
        data = [item.data for item in objects(reply) if item.data is not None]
        if not data:
            return super().final_outcome(answer, reply)
        stated = [value for fields in data if isinstance(value := fields.get("evidence"), str)]
        words = " ".join(stated[-1].encode(errors="replace").decode().split()) if stated else ""
        finding = msgspec.structs.replace(answer, evidence=words[:_MAX_EVIDENCE].rstrip())
        confidences = [value for fields in data if (value := fields.get("confidence")) is not None]
        if not confidences:
            return finding
        same = all(value == confidences[-1] for value in confidences)
        confidence = _confidence_value(confidences[-1]) if same else None
        if confidence is None:
            shown = ", ".join(f"{value}"[:40] for value in confidences[:3])
            return Unparsed(f"says {answer.value}, with a confidence that is no number from 0 to 1: {shown}")
        return msgspec.structs.replace(finding, confidence=confidence)


def _confidence_value(value: object) -> float | None:
    """The confidence of a value in JSON, such as 0.8 or "80%"; None unless it is from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    text = str(value).strip()
    try:
        number = float(text.removesuffix("%"))
    except ValueError:
        return None
    if text.endswith("%") or number > _MAX_UNCLEAR:
        number /= 100
    return number + 0.0 if 0 <= number <= 1 else None
