"""Whole numbers in text: digits in any notation, words up to ninety-nine; and the answer type "integer".

`whole_numbers` gives the numbers that a text names: of "two circles, 3 squares" ["2", "3"]. `IntegerType` reads replies
to questions for a count. Its `normalised` rewrites a reply so that each count stands in digits ("a dozen", "none", "2
here and 3 there: 5 in total"); its `mentions` then finds them. `hedges` are words that make a number the
count of a part, or a rough one. The module has the numbers first, then the patterns for `normalised`, then the type.
"""

import re

from counterbench.answers.colour_shape import COLOUR, SHAPE, colours_in, shapes_in
from counterbench.answers.lazy import lazily
from counterbench.answers.outcomes import DENIED, Answer, AnswerType, Outcome, Unparsed
from counterbench.answers.plain import HEDGE, NEGATION, is_stated

_UNITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS = ("ten", "eleven", "twelve", *(f"{n}teen" for n in ("thir", "four", "fif", "six", "seven", "eigh", "nine")))
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_BY_WORD = {word: value for value, word in enumerate(_UNITS + _TEENS)}
_BY_WORD |= {word: 20 + 10 * i for i, word in enumerate(_TENS)}
WORD = rf"(?:(?:{'|'.join(_TENS)})(?:[ -](?:{'|'.join(_UNITS[1:])}))?|{'|'.join(reversed(_UNITS + _TEENS))})"
_LONGEST = 15  # digits; beyond, it is no count

ROUGH = lazily(
    r"(?:\b(?:about|around|roughly|approximately|approx|circa|nearly|almost|over|under|above|below|beyond|near|within"
    r"|least|most|up to|(?:more|less|fewer|greater|higher|lower|better) than|max(?:imum)?|min(?:imum)?"
    r"|between|closer to|towards?)\b\.?|[~≈<>≥≤±])[ ]*(?:an? |the )?"
    rf"(?:-?\.?\d|{WORD}\b|half\b)"
    r"|\d[ ]*(?:\+|[*×^=]|[-–][ ]*\.?\d|to \.?\d|-?ish\b|or (?:so|more|fewer|less|higher|lower|above|below|better)"
    r"|at (?:least|most|best))|\d[ ]+\d"
)
_NUMBER = lazily(
    r"(?P<label>\b(?:step|square|circle|triangle|diamond|shape|object|row|column|image|picture|figure|label|part|group"
    r"|criterion|point|item|option)[ ]+#?)?"
    rf"(?:(?<![a-z0-9_.,/#)-])(?P<digits>-?\d+(?:[.,]\d+)*)(?![a-z0-9_]|[.,]\d|[ ]*(?:%|per ?cent)|-[a-z]|st\b|nd\b)"
    rf"|(?<![a-z'-])(?P<word>{WORD})(?![a-z]|-[a-z]|[ ]*per ?cent))"
)
# "one" is a pronoun before words such as "of" and "that", and a number only after words such as "is" and "exactly".
_PRONOUN_AFTER = lazily(r"[ ]+(?:of|that|which|is|who)\b")
_BEFORE_ONE = lazily(
    r"(?:^|[.:=,(\n]|\b(?:is|are|be|just|only|exactly|see|count|has|have|or|and|contains?|shows?)|'s)[ ]*$"
)


def whole_numbers(text: str) -> list[str]:
    """The numbers that a text names, in order, as decimal digits; a number that is not whole stays as it is written.

    A number that is not stated has DENIED before it. "2D", "4-sided", "50%" and "square 3" are left out, and
    the pronoun in "the one on the left" unless another number stands beside it ("2, and the one on the left").
    """
    numbers, pronouns = [], 0
    for match in _NUMBER.finditer(text):
        if match["label"] and not text[: match.start()].rstrip().endswith(":"):
            continue
        start = match.start("digits" if match["digits"] else "word")
        if match["word"] == "one":
            pronouns += _PRONOUN_AFTER.match(text, match.end()) is not None or not _BEFORE_ONE.search(
                text, max(0, start - 12), start
            )
            numbers.append("1")
            continue
        value = _plain_number(match["digits"]) if match["digits"] else str(_integer_value(match["word"]))
        numbers.append(value if is_stated(text, start) else f"{DENIED}{value}")
    return numbers if len(numbers) > pronouns else []


# "half a dozen", "two hundred and five"
_HUNDREDS = lazily(
    rf"\b(?P<half>half )?(?P<many>an?|\d{{1,3}}|{WORD}) (?P<of>hundred|thousand|dozen)\b"
    rf"(?:(?: and)? (?P<more>{WORD})\b)?"
)
# "2 + 3 = 5"
_SUM = lazily(
    rf"(?<![\w.,*/+-])((?:(?:\d{{1,9}}|{WORD})(?: [a-z]+){{0,3}} ?(?:\+|plus) ?){{1,20}}(?:\d{{1,9}}|{WORD}))"
    rf"(?: [a-z]+){{0,3}} ?(?:=|equals|makes|is) ?(\d{{1,9}}|{WORD})(?![\w*/+-]|[.,]\d| [*/+-])"
)


def _product_in_digits(match: re.Match[str]) -> str:
    """The digits for a match of words such as "half a dozen" or "two hundred and five"."""
    many = _integer_value(match["many"]) if match["many"] not in ("a", "an") else 1
    number = many * {"dozen": 12, "hundred": 100, "thousand": 1000}[match["of"]]
    return str(number // (2 if match["half"] else 1) + (_integer_value(match["more"]) if match["more"] else 0))


def _sum_in_digits(match: re.Match[str]) -> str:
    """The total for a match of a correct sum, such as "2 + 3 = 5"; a wrong sum is unchanged."""
    parts = [_integer_value(part) for part in re.findall(rf"\d+|\b{WORD}\b", match[1])]
    return match[2] if sum(parts) == _integer_value(match[2]) else match[0]


def _integer_value(number: str) -> int:
    """The integer for digits, or for number words up to ninety-nine."""
    return int(number) if number.isdigit() else sum(_BY_WORD[word] for word in re.findall(r"[a-z]+", number))


def _plain_number(digits: str) -> str:
    """A number in digits as plain decimal digits; unchanged if it is no whole number; shortened if it is very long."""
    whole = re.sub(r"\.0+$", "", digits)
    if re.fullmatch(r"-?\d{1,3}(?:,\d{3})+", whole):
        whole = whole.replace(",", "")
    if len(whole) > _LONGEST:
        return f"{digits[:_LONGEST]}…"
    return str(int(whole)) if re.fullmatch(r"-?\d+", whole) else digits


_THING = (
    rf"(?:(?:{COLOUR}|visible|such)[ -]+){{0,4}}(?:{SHAPE}|shapes?|objects?|items?|figures?|elements?|ones?|things?)\b"
)
_ZERO = lazily(
    rf"(?:\b(?:no(?! one\b)|(?:not|\w+n't) a single)"
    rf"|(?:\bnot|\bcannot|\b\w+n't|\bcan't)(?: \w+){{0,2}} any) {_THING}"
    r"|\bnone\b(?! of the (?:above|options|choices|answers))"
)
# Contradictions are counted, too: "there are no internal contradictions", "none of the facts contradict another".
_NO_CONTRADICTION = lazily(
    r"\b(?:no|not a single|(?:not|\w+n't|cannot)(?: (?:see|find|detect|notice|identify|spot|contain|show|have))? any) "
    r"(?:(?:internal|logical|factual|actual|visible|visual|apparent|such) )?"
    r"(?:contradictions?|inconsistenc(?:y|ies)|conflicts?|facts?(?= (?:that )?(?:contradict|conflict)))\b"
)
_EACH_OTHER = lazily(
    r"\b(contradict(?:s|ing)?|conflicts?(?: with)?)[ ]+(?:one another|each other|(?:any|an)[ ]?other(?: one| fact)?)\b"
)
# "none of the shapes are red", "there aren't any"
_NONE_OF = lazily(
    rf"\b(?:none|not one) of (?:the|these|those|them)\b(?! (?:above|options|choices|answers))"
    rf"(?: (?:\d+|{WORD})\b)?(?: [a-z]+){{0,3}}? (?:is|are)\b(?: an?\b)?"
)
_NOT_ANY = lazily(
    r"\b(?:there (?:is|are)(?:n't| not)|(?:do|did|can|could)(?:n't| not) (?:see|find|spot|detect|notice|count|identify)"
    r"|cannot (?:see|find|spot|detect|notice|count|identify)|does(?:n't| not) (?:contain|show|have)) any\b"
    r"(?=[ ]*(?:$|[.,!;\n])|[ ]+(?:here|there|in|on|at all|visible)\b)"
)
# The picture, or the question, and no count.
_THIS_ONE = lazily(
    r"\b(?:this|that) one (?=(?:has|shows|contains|depicts|displays|features|holds)\b"
    r"|is (?:easy|simple|clear|hard|tricky)\b)"
    r"|\b(?:in|for|on) (?:this|that) one\b|\b(?:this|that) one(?=:)"
)
# "2 at the top and 3 below, for a total of 5", "2 and 3, 5 in all"
_TOTALLED = lazily(
    rf"[ ]*[,:;—–\n-]?[ ]*(?:\b(?:and|so|for|making|giving|gives|makes|which|that)[ ]+){{0,2}}(?:"
    rf"(?:\ba |\bthe )?\btotal(?:s|l?ing)?(?: (?:of|is))?[ ]*[:=]?[ ]*"
    rf"(?P<of>(?<!\w)\d{{1,9}}|{WORD})(?![\w*/+-]|[.,]\d)"
    rf"|(?<![\w.,])(?P<all>\d{{1,9}}|{WORD}) (?:in total|in all|altogether)\b)"
)
_OF_MANY = lazily(rf"\b(?<!total )of (?:\d|{WORD}\b)")  # "3 of 5, for a total of 8"
_NO_OTHERS = lazily(r"\b(?:no|n't any|not any) (?:others?|more|additional|further)\b(?! than)[^.!?;,\n]*")
_SINGLE = lazily(rf"\ba single (?={_THING}|contradiction\b|inconsistency\b|conflict\b)")
# "four (4)"
_WORD_AND_DIGITS = lazily(rf"((?<!\d)\d+|{WORD})[ ]*\([ ]*(\d+|{WORD})[ ]*\)")
# Words that count parts, or nothing exactly; "1. …" may begin a list.
_PARTS = lazily(
    rf"{ROUGH.pattern}|\d[ ]*/|(?:^|\n)[ ]*\(?1[.)][ ]+[a-z]"
    r"|\b(?:another|additional(?:ly)?|more|fewer|less|others?|else|several|many|few|couple|pairs?|half|halves|dozens?"
    r"|hundreds?|thousands?|millions?|minus|negative|some|also|too|plus|besides|addition|apart|aside|as well|per|apiece"
    r"|(?:along|together) with|including|counting the|both|each|every|(?<!in )all|either|twice|double|times|squared"
    r"|cubed|only the|without|excluded|second|third|fourth|fifth|sixth|remaining|rest|but|though|although|yet|whereas"
    r"|missing|absent|lacking|removed|needed|required|(?:the|that) same (?:number|amount|count)|as many|just as"
    r"|(?<!\bi )(?<!answer )(?<!count )(?<!number )(?<!total )would"
    r"|(?:need|want|have|like) to (?:see|view|look|know|count|check)"
    r"|left over|max|maximum|range|and an?|aber|alle|mais|tous|toutes|pero|todos|todas|ma|tutti|mas)\b"
    rf"|(?:\d|\b{WORD})[ ]*(?:[ap]\.?m\b|o'clock|(?:years?|hours?|minutes?|seconds?"
    r"|pixels?|px|[cm]m|degrees?|dollars?|euros?)\b)"
    r"|[但都多]|以[上下]|左右"
)
_A_THING = lazily(rf"\ban? (?:[a-z]+[ -]){{0,2}}?{_THING}")
# "3 of the 7 shapes are …", "Out of 7 shapes, 3 are …"; the visible ones may be another count.
_TOTAL = rf"(?:the |these |all |all the |all of the )?(?:\d+|{WORD})"
_OF_ALL = lazily(rf"(\d|\b{WORD}) (?:out of {_TOTAL}|of {_TOTAL}(?= [a-z]))")
_FIRST_OF_ALL = lazily(
    rf"(?:^|(?<=[.!:\n]))[ ]*(?:(?:out )?of|among) {_TOTAL}\b[^,.;:?!\n]{{0,60}},(?![^.\n]*\bvisible\b)"
)


# Words of other languages that are a number if they stand alone; not "once" or "null", which are other words, too.
_ALONE = {
    word: str(value)
    for value, words in enumerate(
        ("zéro|cero|零", "eins|ein|eine|un|une|uno|una|一", "zwei|deux|dos|二|两|兩", "drei|trois|tres|三",
         "vier|quatre|cuatro|四", "fünf|cinq|cinco|五", "sechs|seis|六", "sieben|sept|siete|七", "acht|huit|ocho|八",
         "neuf|neun|nueve|九", "zehn|dix|diez|十")
    )
    for word in words.split("|")
}  # fmt: skip


def _with_total(text: str) -> str:
    """The text with a total in place of the parts before it, if they add up to it and have one colour and one shape."""
    for match in _TOTALLED.finditer(text):
        before, total = text[: match.start()], _integer_value(match["of"] or match["all"])
        parts = [number.removeprefix(DENIED) for number in whole_numbers(before)]
        kinds = [{word for word, _, _ in found(before, True)} for found in (colours_in, shapes_in)]
        unclear = (
            any(pattern.search(before) for pattern in (HEDGE, NEGATION, ROUGH, _OF_MANY)) or max(map(len, kinds)) > 1
        )
        if len(parts) > 1 and not unclear and all(map(str.isdigit, parts)) and sum(map(int, parts)) == total:
            return f": {total} {text[match.end() :]}"
    return text


class IntegerType(AnswerType):
    """A whole number, as a decimal without leading zeros."""

    name = "integer"
    json_keys = ("count", "number")
    hedges = _PARTS
    counts = True

    def is_canonical(self, value: str) -> bool:
        """True for decimal digits without leading zeros, with a minus sign below zero."""
        return re.fullmatch(r"0|-?[1-9][0-9]*", value) is not None

    def whole_value(self, text: str) -> str | None:
        """The number for a word of another language ("vier", "三个"), if the stretch is only that; else None."""
        word = text[:40].strip(" \t\n.!,")
        return _ALONE.get(word) or (_ALONE.get(word[0]) if word[1:] in ("个", "個") else None)

    def json_text(self, value: object) -> str | None:
        """The words for the value of an answer's key in JSON; a boolean is no number."""
        return None if isinstance(value, bool) else super().json_text(value)

    def normalised(self, text: str) -> str:
        """A reply with "0" for "no pink squares" and "none", "1" for "a single", "4" for "four (4)" and "4 of 7".

        It has digits for "five hundred" and "a dozen", and the total in place of a correct sum.
        """
        text = _HUNDREDS.sub(_product_in_digits, _OF_ALL.sub(r"\1", _FIRST_OF_ALL.sub("", text)))
        text = _with_total(_SUM.sub(_sum_in_digits, _THIS_ONE.sub(" ", text)))
        text = re.sub(r"\A\W*(?:0|zero)[ ]*[,:.–—-][ ]*(?=(?:there (?:is|are) )?(?:none|no)\b)", "", text)
        text = _NOT_ANY.sub(": 0", _NONE_OF.sub(": 0", text))
        text = _NO_OTHERS.sub(" ", _EACH_OTHER.sub(r"\1", text))
        text = _SINGLE.sub("1 ", _ZERO.sub(": 0 ", _NO_CONTRADICTION.sub(": 0 ", text)))
        return _WORD_AND_DIGITS.sub(lambda m: m[2] if len(set(whole_numbers(f"{m[1]}, {m[2]}"))) == 1 else m[0], text)

    def mentions(self, text: str, synonyms: bool) -> list[str]:
        """Every number that may be a count.

        If a line has a thing with an article ("a square") beside a number, a denied 1 follows, so that neither is the
        one answer.
        """
        denied = [f"{DENIED}1" for line in text.split("\n") if _A_THING.search(line) and whole_numbers(line)]
        return [*whole_numbers(text), *denied[:1]]

    def is_sum_of(self, value: str, parts: list[str]) -> bool:
        """True if the parts add up to the value."""
        return all(self.is_canonical(number) for number in (value, *parts)) and sum(map(int, parts)) == int(value)

    def final_outcome(self, answer: Answer, reply: str) -> Outcome:
        """The answer, if it is a whole number."""
        return answer if self.is_canonical(answer.value) else Unparsed(f"{answer.value[:40]} is no whole number")
