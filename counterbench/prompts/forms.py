"""The forms of questions that have one meaning as a whole, as patterns of lower-case words; see `claims.claim_of`.

The groups `one` and `other` of a pattern are phrases that must be things (`nouns.is_noun`).

AROUND       the frame of a question: "looking at the picture, …", "… in the picture"
IF, EACH     "if a dog is present, is it red"; the place between two questions: "is there a dog and is it red"
ONE, TWO     "is there a dog"; "is there a dog and a cat"
NONE         "is it true that there is no dog"
SOME, HERE   "are there any dogs"; "is the dog visible"
COUNT, SEEN  "are there exactly three dogs"; "are exactly three dogs visible"
AT_LEAST     "are there at least three dogs"
NUMBER_OF    "is the number of dogs exactly three"
HOW_MANY     "how many dogs are there"
PLACE        "is the dog above the cat", also left, right, below, inside
BESIDE       "is the dog to the left of the cat"
IS_COLOURED  "is the bench red"; OF_COLOUR: "what colour is the bench" and the like
TEXT         "is the word 'open' on the sign"
"""

import re

from counterbench.answers.numbers import WORD
from counterbench.prompts.nouns import COLOURS, PICTURE, WRITING

_THING = r"[a-z][a-z' -]*?"
_SHOWING, _IN_IT = "show|contain|include|depict", rf"in (?:the|this) {PICTURE}"
_SHOWS = rf"(?:(?:is|are) there|does (?:the|this) {PICTURE} (?:{_SHOWING})|can you see)"
_NUMBER = rf"(?P<number>[0-9]{{1,3}}|{WORD})"
_COLOUR = rf"(?P<colour>{'|'.join(COLOURS)})(?: in colou?r)?"

AROUND = re.compile(rf"^looking at the {PICTURE}, | (?:there )?(?:seen |visible |shown )?{_IN_IT}$")
IF = re.compile(r"if .+? (?:is|are) (?:present|visible|shown|there), (?P<then>.+)")
EACH = re.compile(r",? and (?=(?:is|are|does) )")

# Presence. "Is the dog visible" (HERE) allows no conclusion about a number: there may be several dogs.
ONE = re.compile(rf"{_SHOWS} an? (?P<one>{_THING})")
TWO = re.compile(rf"{_SHOWS} an? (?P<one>{_THING}) and (?:also )?an? (?P<other>{_THING})")
NONE = re.compile(
    rf"(?:(?:is it true that )?(?:there (?:is|are)|the {PICTURE} shows)|{_SHOWS}) no (?P<one>{_THING})"
    rf"|is the {PICTURE} without an? (?P<other>{_THING})"
)
SOME = re.compile(rf"{_SHOWS} (?P<any>any |some )?(?P<one>{_THING})")
HERE = re.compile(
    rf"(?:is|are) (?:the |an? |any )?(?P<one>{_THING}) "
    rf"(?:(?:present|visible|shown|there|depicted)(?: {_IN_IT})?|{_IN_IT})"
)

COUNT = re.compile(rf"{_SHOWS} (?P<exactly>exactly )?{_NUMBER} (?P<one>{_THING})")
SEEN = re.compile(rf"(?:is|are|can) (?P<exactly>exactly ){_NUMBER} (?P<one>{_THING}) (?:visible|shown|be seen)")
AT_LEAST = re.compile(rf"{_SHOWS} (?:at least {_NUMBER}|(?:[0-9]{{1,3}}|{WORD}) or more) (?P<one>{_THING})")
NUMBER_OF = re.compile(rf"is the number of (?P<one>{_THING}) exactly {_NUMBER}")
HOW_MANY = re.compile(
    rf"how many (?P<one>{_THING}) (?:(?:are|is)(?: there| visible| shown)?|can be seen|can you see"
    rf"|does (?:the|this) {PICTURE} (?:{_SHOWING}))|count the (?P<other>{_THING})(?: {_IN_IT})?\. how many are there"
)

PLACE = re.compile(
    rf"(?:(?:is|are|does|do) the|{_SHOWS}(?: an?| any| some)?) (?P<one>{_THING}) (?:located |positioned |placed |lie )?"
    r"(?:(?:(?:to|on) the )?(?P<side>left|right) of|(?P<axis>above|below|beneath|underneath|under|on top of)"
    rf"|inside(?: of)?) (?:the|an?) (?P<other>{_THING})"
)
BESIDE = re.compile(rf"is the (?P<one>{_THING}) (?:(?:to|on) the )?(?P<side>left|right) of the (?P<other>{_THING})")

# "Is the lamp light green" must not be read as a "lamp light" that is green.
_SHADE = rf"(?:light|sky|baby|milky|navy|royal|forest|olive|lime|mint|jet) (?:{'|'.join(COLOURS)})\b"
IS_COLOURED = re.compile(rf"(?:is|are) the (?!.*{_SHADE})(?P<one>{_THING}) (?:entirely |completely )?{_COLOUR}")
OF_COLOUR = (
    re.compile(rf"(?:wh(?:at|ich) colou?r (?:is|are)|what is the colou?r of) the (?P<one>{_THING})"),
    re.compile(rf"is the colou?r of the (?P<one>{_THING}) {_COLOUR}"),
    re.compile(rf"do(?:es)? the (?P<one>{_THING}) have the colou?r {_COLOUR}"),
)

# Questions that ask if words are there, what they are, or where; not how they look.
_QUOTED = r"['\"\u2018\u201c](?:(?!['\"\u2019\u201d] ).)+['\"\u2019\u201d]"
_WORDS = rf"(?:{'|'.join(sorted(WRITING))})"
_SAID = rf"(?:{_WORDS}|(?:[a-z-]+ )?{_WORDS} {_QUOTED})"
_WHERE = (
    rf"(?:{_QUOTED}|(?:the|an?|its) (?!.*\b(?:font|style|colou?rs?|size|made|and|is|are|being|\w+ly|\w+ed)\b)[^,]+)"
)
TEXT = re.compile(
    rf"{_SHOWS} (?:an? |any |some )?{_SAID}(?: on {_WHERE})?"
    rf"|(?:is|are) the {_SAID} (?:present|visible|shown|there|legible|readable|spelled correctly|{_QUOTED})"
    rf"|(?:is|are) the {_SAID} (?:(?:positioned|placed|located|displayed|written|printed|shown) )?"
    rf"(?:on|in|at|under|below|above|within|to the (?:left|right) of) {_WHERE}"
    rf"|do(?:es)? (?:the|this|an?) {_THING} (?:(?:say|spell)(?: out)? .+|read {_QUOTED})"
    rf"|what (?:is written on (?:the|this|an?) {_THING}|do(?:es)? (?:the|this|an?) {_THING} (?:say|read))"
)

# The question of a whole prompt: its clauses, joined, are things ("a dog") and statements ("the dog is red").
SHOWS_THIS = re.compile(rf'does the {PICTURE} show this: "(?P<prompt>.+)"')
OF_PICTURE = re.compile(rf"(?:an? |the )?{PICTURE} (?:of|with|showing|in which) ")
JOIN = re.compile(r",? and |, (?:in which )?")
THING = re.compile(rf"(?P<article>an?|no|(?:exactly )?{_NUMBER}) (?!or )(?P<noun>.+)")
STATEMENT = re.compile(r"(?P<subject>the .+?) (?P<verb>is|are) (?P<rest>.+)")
