"""Reads a judge's reply: `read_reply` turns its text into an answer of the question's type, or says why there is none.

The outcome is an `Answer` (such as "yes" or "4"), `Unparsed` with the reason, or `Refused`. Nothing is guessed: a wrong
reading is worse than none. The path: `read_reply` handles replies that the server cut off or blocked and, if the
question asks for a line "Answer: …", takes that line alone (`after_answer`). `parse` and `_parse` cut out the judge's
own words (`first_turn`): no reasoning before them, no further question after them. `explicit.one_value` finds the
value.

An answer type is a class that knows its values; `answer_type("rating:1-5")` gives one by name. The types are listed
below, in `_TYPES`. The functions around them, such as `in_json`, `reply_schema` and `scale_of`, serve callers that ask
for a form of reply.
"""

import json
import re
from collections.abc import Mapping
from decimal import Decimal
from functools import cache, lru_cache

from counterbench.answers.choices import CHOICE, type_with_choices
from counterbench.answers.colour_shape import ColourShapeType, ColourType, with_labels
from counterbench.answers.explicit import clip, one_value, without_zero_width
from counterbench.answers.lazy import lazily
from counterbench.answers.numbers import IntegerType
from counterbench.answers.outcomes import Answer, AnswerType, Outcome, Refused, Unparsed, object_schema
from counterbench.answers.rated import RatedType, RatingsType, RatingType
from counterbench.answers.text import DescriptionType, TextType, WordType
from counterbench.answers.yes_no import FindingType, VerdictType, YesNoType
from counterbench.errors import InputError, unknown

_REASONING = r"(?:\w+[:_])?(?:think(?:ing)?|thoughts?|reason(?:ing)?|reflection|analysis|scratch_?pad)(?:_\w+)?"
# The beginning of reasoning, its end, and the end of the reply or the beginning of another speaker's turn.
_TURN_MARK = lazily(
    rf"(?P<open>[<\[◁]\s*{_REASONING}\s*[>\]▷]|<\|begin_of_thought\|>|<\|channel\|>(?!\s*final))"
    rf"|(?P<close>[<\[◁]\s*/\s*{_REASONING}\s*[>\]▷]|<\|end_of_thought\|>"
    r"|<\|channel\|>\s*final\s*(?:<\|message\|>)?)"
    r"|<\|(?:endoftext|end_of_text|im_end|eot_id|eom_id|end|return)\|>|</s>|<(?:eos|end_of_turn|end_of_utterance)>"
    r"|\[INST\]"
    r"|^[ \t*#]*(?:human|user)[ \t*]*:",
    re.IGNORECASE | re.MULTILINE,
)
_TAG = lazily(r"<[^<>\n]{0,40}>")

# "Question: …" and the like, or a line that is only a question.
_QUESTION = lazily(
    r"^[ \t*#>]*(?:\d{1,2}[.)][ \t]*)?(?:(?:next|new|follow-up|another)[ ])?"
    r"(?:question|q|problem|instruction|frage|pregunta|domanda|pergunta|вопрос|问题|問題|質問)"
    r"[ \t]*\d{0,3}[ \t*]*(?:[:：]|(?<=q)[.][ ])"
    r"|^[ \t*#>-]*(?:(?:and|now|so)[, ]+)?(?:is|are|do|does|did|can|has|have|how|which|what|where|who)\b"
    r"[^.!?:\n]{8,300}\?[ \t*]*$|(?<=[\w.!)*][ ])(?-i:Question)[ ]?\d{0,3}:",
    re.IGNORECASE | re.MULTILINE,
)


def reply_span(text: str) -> tuple[int, int]:
    """The start and end of the model's own reply in `text`; it is empty if the reasoning before it does not end.

    A closing tag without an opening one ends reasoning that began in the prompt.
    """
    start = checked = 0  # `checked`: up to there, no words of the reply were found after `start`
    in_reasoning = False
    for mark in _TURN_MARK.finditer(text):
        if mark["open"]:
            in_reasoning = True
        elif mark["close"]:
            start = checked = mark.end()
            in_reasoning = False
        elif not in_reasoning:
            if any(char.isalnum() for char in _TAG.sub("", text[checked : mark.start()])):
                return start, mark.start()
            checked = mark.start()
    return (len(text), len(text)) if in_reasoning else (start, len(text))


def next_question(text: str, start: int, end: int) -> int:
    """The place where the model asks itself another question after some words of its reply; `end` if it asks none."""
    for mark in _QUESTION.finditer(text, start, end):
        if any(char.isalnum() for char in text[start : mark.start()]):
            return mark.start()
    return end


def first_turn(text: str) -> tuple[int, int]:
    """The start and end of the model's own reply, up to a further question that it asks itself."""
    start, end = reply_span(text)
    return start, next_question(text, start, end)


# Decorations without words: "**Answer:** yes", "• Answer: yes", "| (Final answer: yes) |", "\boxed{Answer: yes}".
# But no mark that may deny or doubt the answer: "~~Answer: yes~~", "❌ Answer: yes", "- [ ] Answer: yes".
_DENYING_MARKS = r"~?!¿¬≠×✕✖✗✘❌❎☐☒🚫⛔👎❓❔\])}"
_DECORATION = rf"(?:[^\w\n{_DENYING_MARKS}]|_|\\(?:boxed|text|textbf|mathbf)\{{)*"
# A key in JSON is no such line: its closing quote stands before the colon.
_SPACE = r"[ \t\xa0*_`]*"
_ANSWER_LINE = lazily(
    rf"^(?P<before>{_DECORATION})(?:\d{{1,3}}[.)](?P<behind>{_DECORATION}))?"
    rf"(?:final[ \t\xa0]+)?answer{_SPACE}(?:\(final\){_SPACE})?[:：][*_`]*",
    re.IGNORECASE | re.MULTILINE,
)
_CLOSING = {"(": ")", "[": "]", "{": "}", "“": "”", "‘": "’", "«": "»", "「": "」"} | {quote: quote for quote in "\"'`"}
NO_LINE = Unparsed("no line begins with 'Answer:'")


def in_line(answer: str) -> str:
    """The answer as the line that a question with an answer line asks for: "Answer: yes"."""
    return f"Answer: {answer}"


def in_json(answer: str, answer_type_name: str) -> str:
    """An answer as the JSON object that `reply_schema` describes."""
    if answer.startswith("{"):  # several ratings are a JSON object already
        return answer
    scaled = scale_of(answer_type_name) is not None
    value = answer if scaled or answer_type_name == "integer" else json.dumps(answer)
    return f'{{"{"score" if scaled else "answer"}": {value}}}'


def reply_schema(name: str) -> dict[str, object]:
    """The JSON Schema of a reply to a question of this answer type, for servers that take one.

    It is the type's own schema, or that of an object whose key "answer" holds a canonical value of the type.
    """
    kind = answer_type(name)
    if kind.schema is not None:
        return kind.schema
    answer = {"type": "integer"} if name == "integer" else {"type": "string"}
    choices = {"enum": [*kind.alphabet]} if kind.alphabet else {}
    return object_schema({"answer": answer | choices})


def after_answer(text: str) -> str | Unparsed:
    """The text after "Answer:"; Unparsed unless exactly one line of the judge's own words begins so.

    A further question after the first such line ends the judge's own words.
    """
    start, end = reply_span(text)
    text = text[start:end]
    lines = [mark for mark in _ANSWER_LINE.finditer(text) if not _is_quoted(mark)]
    if not lines:
        return NO_LINE
    end = next_question(text, lines[0].end(), len(text))
    lines = [mark for mark in lines if mark.start() < end]
    if len(lines) > 1:
        return Unparsed(f"{len(lines)} lines begin with 'Answer:'")
    return text[lines[0].end() : end]


def _is_quoted(mark: re.Match[str]) -> bool:
    """True if a line "Answer: …" is only quoted, and words follow the quotation: '"Answer: yes" cannot be right.'"""
    end = mark.string.find("\n", mark.end())
    line = mark.string[mark.end() : end if end >= 0 else None]
    opened = set(mark["before"])
    if mark["behind"] is not None:  # "(1) Answer"
        opened = opened - {"("} | set(mark["behind"])
    rests = [line.partition(_CLOSING[bracket])[2] for bracket in opened & _CLOSING.keys()]
    return any(char.isalnum() for rest in rests for char in rest)


_TYPES: tuple[AnswerType, ...] = (
    YesNoType(),
    IntegerType(),
    ColourType(),
    ColourShapeType(),
    RatedType("grade", grades=("0", "0.5", "1")),
    RatedType("score"),
    VerdictType(),
    FindingType(),
    TextType(),
    WordType(),
    DescriptionType(),
)
ANSWER_TYPES: dict[str, AnswerType] = {type_.name: type_ for type_ in _TYPES}
# Types that are named with their scale, "rating:1-5".
_SCALED: dict[str, type[RatingType] | type[RatingsType]] = {"rating": RatingType, "ratings": RatingsType}
# Types whose names go on after a colon, each with the form of what follows, for error messages.
SUFFIXED: dict[str, str] = {**dict.fromkeys(_SCALED, "LOW-HIGH"), CHOICE: "ONE|OTHER|…"}
_SCALE = lazily(r"(-?[0-9]{1,9}(?:\.[0-9]{1,9})?)-(-?[0-9]{1,9}(?:\.[0-9]{1,9})?)")


@cache
def answer_type(name: str) -> AnswerType:
    """The answer type called `name`; InputError with the valid names, or the form of a scale or of choices."""
    if name in ANSWER_TYPES:
        return ANSWER_TYPES[name]
    kind, colon, scale = name.partition(":")
    if kind not in SUFFIXED or not colon:
        raise unknown("answer type", name, [*ANSWER_TYPES, *(f"{kind}:{form}" for kind, form in SUFFIXED.items())])
    if kind == CHOICE:
        return type_with_choices(name)
    ends = _SCALE.fullmatch(scale)
    if ends is None or Decimal(ends[1]) >= Decimal(ends[2]):
        raise InputError(f"answer type {name!r}: its scale is LOW-HIGH, two numbers of which LOW is less: {kind}:1-5")
    low, high = (f"{Decimal(end).normalize():f}" for end in ends.groups())
    return _SCALED[kind](name, low, high)


_lookup = answer_type  # below, `answer_type` is a parameter


def kind_of(name: str) -> str:
    """The name of an answer type without its scale or choices: "rating" for "rating:1-5"."""
    return name.partition(":")[0]


def scale_of(name: str) -> tuple[str, str] | None:
    """The ends of the scale of an answer type, as plain decimals; None if it has none."""
    kind = answer_type(name)
    return (kind.low, kind.high) if isinstance(kind, RatedType | RatingsType) else None


def share(value: str, name: str, best: str) -> float:
    """The place of a number on the scale of its answer type: 1 at `best`, one of the ends, and 0 at the other end.

    `value` and `best`: decimals as texts; `name`: the answer type, such as "rating:1-5"; without a scale, 0 to 1.
    """
    low, high = map(Decimal, scale_of(name) or ("0", "1"))
    worst, top = (high, low) if best == f"{low}" else (low, high)
    return float((Decimal(value) - worst) / (top - worst))


def canonical(value: str, answer_type_name: str) -> str:
    """`value` if it is a canonical answer of that type, else InputError."""
    return answer_type(answer_type_name).canonical(value)


PARSER_VERSION: str = "6"

Labels = Mapping[str, str]  # the answer that each label of a question means: {"A": "red circle"}
_NO_LABELS: Labels = {}
# The names that judges give to the ends of replies (Reply.finish); any other is an ordinary end.
CUT_OFF, FILTERED, DECLINED = "length", "content_filter", "refusal"
TRUNCATED = Unparsed("cut off at the length limit")
# Beginning of the reason of a reply that raised an exception.
UNREADABLE = "reading it raised"
# Most characters of the beginning and of the end of a reply; the rest between them is cut.
_LONGEST = 500_000
# Short replies come up over and over, so their outcomes are cached: the most characters of one, and the most outcomes.
_MAX_SHORT, _MAX_CACHED = 40, 4096


def read_reply(
    text: str,
    answer_type: str,
    finish: str = "",
    *,
    synonyms: bool = True,
    labels: Labels = _NO_LABELS,
    answer_line: bool = False,
) -> Outcome:
    """The outcome of a reply. A reply that was cut off at its length limit is Unparsed.

    A reply that the server blocked or marks as a refusal is Refused. `answer_type`: the type's name; `finish`: why the
    reply ended (`Reply.finish`); `synonyms` and `labels`: as of `parse`. `answer_line`: the question asked for a line
    "Answer: …", and nothing else in the reply is read.
    """
    _lookup(answer_type)  # an unknown type is an error in any case
    if finish == CUT_OFF:
        return TRUNCATED
    if finish == FILTERED:
        return Refused("blocked by the server's content filter")
    if finish == DECLINED:
        return Refused(text.strip()[:200] or "the server marks it as a refusal")
    answer_text = after_answer(without_zero_width(clip(text, _LONGEST, _LONGEST))) if answer_line else text
    if isinstance(answer_text, Unparsed):  # a judge that declines writes no such line
        outcome = parse(text, answer_type, synonyms=synonyms, labels=labels)
        return outcome if isinstance(outcome, Refused) else answer_text
    return parse(answer_text, answer_type, synonyms=synonyms, labels=labels)


def meant(outcome: Outcome) -> str:
    """An outcome as a text, by which two readings of a reply can be compared: "answer yes", "Unparsed", "Refused" …"""
    return f"answer {outcome.value}" if isinstance(outcome, Answer) else type(outcome).__name__


def parse(text: str, answer_type: str, *, synonyms: bool = True, labels: Labels = _NO_LABELS) -> Outcome:
    """The outcome of a reply's words: an Answer, Unparsed, or Refused.

    The marked answer of a reply decides; else the one value that its sentences state, if they neither deny it nor leave
    it open. All else is Unparsed: a wrong reading is worse than none. `synonyms=False` is strict: other words for our
    colours and shapes are other answers. `labels`: labels in the question that are answers too, each with the answer
    that it means (itself, if that is not known). No text raises an error: a reply that was paid for is kept.
    """
    kind = _lookup(answer_type)
    read = _parse_short if len(text) <= _MAX_SHORT else _parse
    try:
        if not labels:
            return read(text, kind, synonyms)
        outcome = read(text, with_labels(tuple(labels)), synonyms)
        if isinstance(outcome, Answer):
            return Answer(labels.get(outcome.value, outcome.value))
        unlabelled = read(text, kind, synonyms)  # "Answer: A\nA blue square"
        return unlabelled if isinstance(unlabelled, Answer) else outcome
    except Exception as error:
        return Unparsed(f"{UNREADABLE} {type(error).__name__}")


def _parse(text: str, kind: AnswerType, synonyms: bool) -> Outcome:
    """The outcome of a reply of any length; the middle of a very long one is cut, and only its first turn counts."""
    if not text.strip():
        return Unparsed("empty reply")
    text = clip(text, _LONGEST, _LONGEST)
    text = without_zero_width(text)
    start, end = first_turn(text)
    reply = clip(text[start:end])
    return kind.read_all(reply) or one_value(reply, kind, synonyms)


_parse_short = lru_cache(_MAX_CACHED)(_parse)
