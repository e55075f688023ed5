r"""Finds the one value that a reply gives: the one that is marked as its answer, else the one that its sentences state.

`one_value`, in the third part, is the main function. Given the text of a reply and the type of the answer ("integer"),
it returns an `Answer` (such as "4"), a `Refused`, or `Unparsed` with the reason. Its path:

1. JSON objects are replaced by their answers, between the characters START and END (second part of this file).
2. `clean` gives all characters one spelling; `without_markup` blanks Markdown and the like (first part).
3. `marked_outcome` reads the stretches that are marked as the answer: JSON, `\boxed{}`, `<answer>`, the words after
   "Answer:" or "so", and a line that is one value (third part).
4. Without one, the reply may be a refusal, or `plain.prose_outcome` reads its sentences.

The answer type (`kind`) knows what its values look like: `kind.normalised` spells a reply in the way that
`kind.mentions` reads, and that lists the values which a text names. A stretch is a part of a reply, a cue a phrase such
as "Answer:".
"""

import json
import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from counterbench.answers.lazy import lazily
from counterbench.answers.numbers import WORD
from counterbench.answers.outcomes import DENIED, Answer, AnswerType, Outcome, Unparsed
from counterbench.answers.plain import (
    HEDGE,
    REASON,
    TURN,
    first_values,
    is_taken_back,
    lone_value,
    opens_clause,
    prose_outcome,
    read_stretch,
    refusal,
    sentences,
)

HEAD = 8_000  # characters of the beginning of a reply that are read, if it is longer than HEAD + TAIL
TAIL = 24_000  # and of its end, where long replies have their answers
START, END = "\ue000", "\ue001"  # around a stretch that is marked as the answer

# First part: one spelling of characters, and no markup.

# Raised or lowered digits and fractions; then each unusual character with the usual one that means the same.
_SUPER = lazily("[²³¹⁰-₟]")
_FRACTION = lazily("[¼-¾⅐-⅟↉]")
_SINGLE = dict.fromkeys("‘’‚‛´ʼ′＇", "'")
_DOUBLE = dict.fromkeys("“”„‟«»‹›″「」『』＂", '"')
_DASH = {"‐": "-", "‑": "-", "‒": "–", "−": "-", "―": "—", "﹣": "-", "－": "-"}
_STOPS = {"。": ".", "｡": ".", "、": ",", "،": ",", "؛": ";", "؟": "?", "।": ".", "¿": " ", "¡": " "}
_NUMERIC = {"٫": ".", "٬": ",", "⁄": "/", "∕": "/", "×": "*", "✕": "*", "∗": "*"}
_SPACES = {"\r": "\n", "\x0b": "\n", "\x0c": "\n", "\x85": "\n", "\u2028": "\n", "\u2029": "\n", "\u200b": " "}
_MAP = str.maketrans({**_SINGLE, **_DOUBLE, **_DASH, **_STOPS, **_NUMERIC, **_SPACES})
_ZERO_WIDTH = lazily("(?<=[a-zA-Z])[\u00ad\u200b-\u200d\u2060\ufeff]+(?=[a-zA-Z])")
_UNUSUAL = lazily(rf"[^\x20-\x7e\n{START}{END}]")

# Markup that is blanked, in this order.
_BLANKED = (
    lazily(r"^[ \t]*(?:```|~~~)[ \t]*[a-z0-9_+-]{0,20}[ \t]*$", re.MULTILINE),  # code fences
    lazily(r"```(?:json|text|markdown|python)?"),
    lazily(r"^[ \t]*(?:[-*+•][ \t]+)?\[[ \t]*\][^\n]*$", re.MULTILINE),  # a box that is not ticked
    lazily(r"~~[^~\n]{1,200}~~"),  # struck out: taken back by the writer
    lazily(r"<\|[^|<>\n]{0,40}\|>|</?[a-z][^<>\n]{0,80}>"),  # special tokens and HTML
    lazily(r"\\(?:boxed|fbox|text[a-z]{0,8}|math[a-z]{1,8}|mbox|rm|bf|displaystyle|left|right|quad)(?![a-z])"),
    lazily(r"\\[()\[\],;! ]"),
    # Quotes, headings, bullets; but "> 3" is more than 3.
    lazily(r"^(?:[ \t]|#(?!\d)|>(?![ \t]*\d)|[-*+•▪◦‣][ \t])+", re.MULTILINE),
    lazily(r"[`_$\\{}\[\]|]|\*(?![ \t]*\d)|(?<!\d)(?<!\d )\*"),
    lazily(r"\"|(?<![^\W\d_])'|'(?![^\W\d_])"),
)
_LATEX_FRACTION = lazily(r"\\[dt]?frac[ ]*\{[ ]*(\d{1,9})[ ]*\}[ ]*\{[ ]*(\d{1,9})[ ]*\}")
_MARKER = lazily(r"^[ \t]*\(?(\d{1,3})[.):](?=[ \t]|$)", re.MULTILINE)


def clip(text: str, head: int = HEAD, tail: int = TAIL) -> str:
    """`text`; if it is longer than `head` + `tail` characters, so many of its beginning and end around an ellipsis."""
    if len(text) <= head + tail:
        return text
    return f"{text[:head]}\n…\n{text[-tail:]}"


def without_zero_width(text: str) -> str:
    """The text without characters of zero width, which may stand within words."""
    return text if text.isascii() else _ZERO_WIDTH.sub("", text)


def clean(text: str) -> str:
    """Text with one spelling of width, case, digits, quotes, dashes and line ends, without emoji."""
    # Without these spaces NFKC turns 4² into 42, and 4½ into 41/2.
    text = _FRACTION.sub(r" \g<0>", _SUPER.sub(r" \g<0>", text.replace("\r\n", "\n")))
    # One character may become 18.
    text = clip(unicodedata.normalize("NFKC", text.translate(_MAP))).casefold().translate(_MAP)
    return _UNUSUAL.sub(_plain_character, text).strip()


def _plain_character(match: re.Match[str]) -> str:
    """One unusual character as a plain one: a digit, an arrow as ">", a space, or nothing."""
    char = match[0]
    if char in "→⇒➡⟶⟹➜➔":
        return ">"
    category = unicodedata.category(char)
    if category == "Nd":
        return str(unicodedata.decimal(char))
    if category in ("Cf", "Me") or "\ufe00" <= char <= "\ufe0f":
        return ""  # joiners, direction marks, the box of a keycap
    # Other spaces, emoji, and codes that are no characters.
    return " " if category in ("Zs", "Cc", "So", "Sk", "Cs", "Co", "Cn") else char


def without_markup(text: str) -> str:
    """`text` (cleaned) with Markdown, HTML, LaTeX, quotes and the numbers of lists blanked, each run of spaces one."""
    text = _LATEX_FRACTION.sub(r" \1/\2", text)
    for pattern in _BLANKED:
        text = pattern.sub(" ", text)
    return re.sub(r"[ \t]+", " ", _without_list_markers(text))


def _without_list_markers(text: str) -> str:
    """The text without the numbers of a list, which count up from 1; "4. There are four" is no list."""
    markers = [match for number, match in enumerate(_MARKER.finditer(text), 1) if int(match[1]) == number]
    if len(markers) < 2:
        return text
    starts = {match.start() for match in markers}
    return _MARKER.sub(lambda match: " " if match.start() in starts else match[0], text)


# Second part: JSON objects in replies.

_OBJECT_START = lazily(r"\{\s*[\"'“‘][^\"'“”‘’{}\n]{1,80}[\"'”’]\s*:")
_STRAIGHT = str.maketrans("“”‘’'", '"""""')
_QUOTES = str.maketrans({**_SINGLE, **_DOUBLE})
# The pieces of an object in which JSON and Python differ, and the brackets. In single quotes "isn't" has an apostrophe.
_JSON_PIECE = lazily(
    r"""(?P<double>"(?:[^"\\]|\\.)*+")|'(?P<single>(?:[^'\\]|\\.|'(?![ \t\n]{0,20}[,:}\]]))*+)'"""
    r"""|(?P<comma>,)(?=[ \t\n]{0,20}[}\]])|\b(?P<word>True|False|None)\b"""
    r"""|(?P<open>[{[])|(?P<close>[}\]])|(?P<stray>["'])""",
    re.DOTALL,
)
_JSON_WORDS = {"True": "true", "False": "false", "None": "null"}


class JsonObject(NamedTuple):
    """An object in a reply, and its place (the indices of its first character, and of the one behind its last)."""

    start: int
    end: int
    data: dict[str, object] | None  # the values by key, as `key_of` spells it; None if the object is broken or cut off


def objects(reply: str) -> Iterator[JsonObject]:
    """The JSON objects in a reply that is not yet cleaned, in order; the text after a broken one is part of it."""
    at = 0
    while brace := _OBJECT_START.search(reply, at):
        data, at = _decoded(reply, brace.start())
        yield JsonObject(brace.start(), at, data)


def key_of(name: str) -> str:
    """A name as keys are compared: "Final answer" is "final_answer"."""
    return re.sub(r"[\s-]+", "_", name.strip().casefold())


def _decoded(text: str, start: int) -> tuple[dict[str, object] | None, int]:
    """The JSON object that begins at `start` and its end; None and the end of the text if it is broken."""
    decoder = json.JSONDecoder(object_pairs_hook=_with_all_values)
    for spelling in (text, text.translate(_STRAIGHT)):
        try:
            data, end = decoder.raw_decode(spelling, start)
            return {key_of(key): value for key, value in data.items()}, end
        except (ValueError, RecursionError):
            continue
    for spelling in (text, text.translate(_QUOTES)):
        try:
            mended, end = _mended(spelling, start)
            return {key_of(key): value for key, value in decoder.decode(mended).items()}, end
        except (ValueError, RecursionError):
            continue
    return None, len(text)


def _mended(text: str, start: int) -> tuple[str, int]:
    """The object that begins at `start`, as valid JSON, and its end in `text`; ValueError if it does not end.

    Single quotes become double ones, Python's True, False and None become JSON's words, and commas before a closing
    bracket are left out.
    """
    parts, at, depth = [], start, 0
    for piece in _JSON_PIECE.finditer(text, start):
        kind, word = piece.lastgroup, piece[0]
        if kind == "stray":
            break
        if kind == "single":
            word = json.dumps(piece["single"].replace("\\'", "'"))
        parts += [text[at : piece.start()], "" if kind == "comma" else _JSON_WORDS.get(word, word)]
        at = piece.end()
        depth += (kind == "open") - (kind == "close")
        if not depth:
            return "".join(parts), at
    raise ValueError("an object without an end")


def _with_all_values(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """The object with these keys and values; a key with different values gets a list, which is no single answer."""
    data: dict[str, object] = {}
    for key, value in pairs:
        data[key] = [data[key], value] if key in data and data[key] != value else value
    return data


# Third part: the stretches that are marked as the answer.

# Keys in JSON that hold an answer.
_KEYS = ("final_answer", "finalanswer", "answer", "result", "response")
_VALIDITY = ("correct", "is_correct", "right", "valid", "is_valid")  # keys that say whether the answer holds
_BOXED = lazily(
    r"\\(?:boxed|fbox)[ \t]*\{((?:[^{}]|\{[^{}]{0,200}\}){0,400})\}|<\|begin_of_box\|>(.{0,400}?)<\|end_of_box\|>",
    re.DOTALL,
)
_MARKED = lazily(rf"{START}([^{START}{END}]*){END}")
# "4 (2 left, 2 right)" explains, "square (yellow)" and "4 (or 5)" do not.
_ASIDE = lazily(r"\((?!or\b|maybe\b|possibly\b|perhaps\b)(?:[^()\s]+\s){2}[^()]*\)")
# "(on a scale from 1 to 5)"
_SCALE = lazily(r"\b(?:out of|scale|from)\b[^()]*\d")
# A short first sentence.
_OPENING = lazily(r"\s*([^.!?\n]{1,60})[.!][ \n]+(?=\S)")
# The rest of a sentence. A stop between digits is no end.
_REST_OF_SENTENCE = lazily(r"\s*((?:[^.!?;\n]|\.(?=\d))*[.!?;]?)")
# "If it were red, the answer is …", "I don't think the answer is …"
_CONDITION = lazily(r"\b(?:if|whether|unless|suppose)\b[^.!?;\n]*$|(?:\b(?:not|never|cannot)\b|n't\b)[^.!?;,\n]*$")
_IS = lazily(r"\bis\b")
_CONCLUSION = lazily(r"(?:^|[,—][ ]*(?:and )?)[ ]*(?:so(?! far| many| much| that)|therefore|thus|hence"
                         r"|in (?:conclusion|summary|total))\b[,:]?")  # fmt: skip
# Words after an answer that take it back.
_UNDONE = lazily(
    r"\s*(?:is|was)(?:n't| not| wrong| incorrect| false)\b"
    r"|(?<!\bno)(?<!\bno\.)[.!\s]*(?:not (?:\w+ )?(?:right|correct|true|really)|that can(?:'t|not) be|wrong|incorrect"
    r"|false|(?:the )?(?:opposite|contrary)(?: is (?:true|the case))?)[ ]*(?:[.!\n]|$)|[.!\s]*i (?:\w+ )?doubt\b"
)
_SORRY = lazily(r"(?:^|[.!?\n—–-])\s*(?:(?:i'm|i am|my|i) )?(?:sorry|apolog\w+)\b")
_NO = lazily(r"\s*no[,:]")
# "2 of them": a count of a part.
_OF_THEM = lazily(rf"\b(?:\d+|{WORD}) of (?:them|these|those|which)\b")

NOTHING = Unparsed("nothing after the reasoning")


class Marked(NamedTuple):
    """A stretch (part of a reply) that is marked as the answer, and its place in the text."""

    text: str  # empty for a doubtful answer, or one of somebody else
    start: int
    end: int
    final: bool = False  # marked as the final answer, so that stretches before it that are not do not count


def one_value(reply: str, kind: AnswerType, synonyms: bool) -> Outcome:
    """The outcome of a reply that is not yet cleaned; reasoning and further turns are cut off already.

    `kind`: the type of the answer; `synonyms`: True if other words for our colours and shapes count as these.
    """
    marked = clean(kind.with_marks_as_words(with_json_answers_marked(reply, kind)))
    if not marked:
        return NOTHING
    # Boxes and answer tags are marked, too.
    marked = _BOXED.sub(lambda m: f"{START}{m[1] or m[2]}{END}", marked)
    plain = without_markup(_tag_pattern(kind.cue_words).sub(rf"{START}\1{END}", marked))
    spelled = kind.normalised(plain)
    outcome: Outcome | None = marked_outcome(spelled, kind, synonyms)
    declined = refusal(plain)
    if declined is not None and (not isinstance(outcome, Answer) or outcome.value in kind.abstentions):
        return declined
    if outcome is None:
        outcome = prose_outcome(spelled, kind, synonyms)
    return kind.final_outcome(outcome, reply) if isinstance(outcome, Answer) else outcome


def with_json_answers_marked(reply: str, kind: AnswerType) -> str:
    """A reply (not yet cleaned) with the answer of each JSON object in its place, between START and END.

    Nothing is read of an object that is broken or cut off, nor of the text after it.
    """
    reply = reply.replace(START, " ").replace(END, " ")
    parts, at = [], 0
    for json_object in objects(reply):
        value = (_answer_in_json(json_object.data, kind) or "").translate(str.maketrans(f"{START}{END}\n", "   "))
        parts += [reply[at : json_object.start], START, value, END]
        at = json_object.end
    return "".join([*parts, reply[at:]])


def marked_outcome(plain: str, kind: AnswerType, synonyms: bool) -> Answer | Unparsed | None:
    """The outcome of the marked stretches of a reply; None if there are none that can be read.

    `plain`: the reply as `kind.normalised` spells it, with START and END around boxes and the answers of tags and JSON.
    """
    marks = _marked_stretches(plain, kind, synonyms)
    finals = [mark for mark in marks if mark.final]
    if finals:  # words after the last of them still count
        marks = [*finals, *(mark for mark in marks if not mark.final and mark.start > finals[-1].end)]
    turns = [turn.start() for turn in TURN.finditer(plain)]
    if turns:  # "The answer is 4. Wait … The answer is 5": taken back, and said again
        marks = [mark for mark in marks if mark.start > turns[-1]] or marks
    outcomes = [read_stretch(mark.text, kind, synonyms) for mark in marks]
    answers = [outcome for outcome in outcomes if isinstance(outcome, Answer)]
    values = dict.fromkeys(value for mark in marks for value in _values_of_stretch(mark.text, kind, synonyms))
    if not answers:
        doubted = finals or not all(mark.text for mark in marks)
        reasons = (outcome.reason for outcome in outcomes if isinstance(outcome, Unparsed))
        return Unparsed(f"what is marked as the answer is none: {next(reasons)}") if doubted else None
    if len(values) > 1:
        return Unparsed(f"several answers, none marked as final: {first_values(list(values))}")
    # After the last that answers, for "So my answer is wrong" is a conclusion, too.
    tail = plain[max(mark.end for mark, outcome in zip(marks, outcomes, strict=True) if isinstance(outcome, Answer)) :]
    denied = _SORRY.search(tail) or any(_UNDONE.match(plain, mark.end) for mark in marks)
    if denied or is_taken_back(tail, answers[0].value, kind, synonyms) or (kind.negatable and _NO.match(tail)):
        return Unparsed(f"says {answers[0].value}, then takes it back")
    if kind.counts and _OF_THEM.search(tail) and all(lone_value(mark.text, kind, synonyms) is None for mark in marks):
        return Unparsed(f"says {answers[0].value}, then counts a part")
    return answers[0]


def _values_of_stretch(text: str, kind: AnswerType, synonyms: bool) -> list[str]:
    """The value that a stretch states; if it states none, all values that it names."""
    outcome = read_stretch(text, kind, synonyms)
    return [outcome.value] if isinstance(outcome, Answer) else kind.mentions(text, synonyms)


def _marked_stretches(plain: str, kind: AnswerType, synonyms: bool) -> list[Marked]:
    """The stretches of a reply that are marked as its answer, in order of their places."""
    marked = (Marked(m[1], m.start(), m.end(), True) for m in _MARKED.finditer(plain))
    cued = (
        mark
        for cue in list(_cue_pattern(kind.cue_words).finditer(plain))[-40:]
        for mark in _after_cue(plain, cue, kind)
    )
    marks = [
        *marked,
        *cued,
        *_leading_value(plain, kind, synonyms),
        *_value_line(plain, kind, synonyms),
        *_conclusion(plain),
    ]
    if marks and not kind.counts and not kind.cue_words:  # "B. So A is higher" says both; "1. …" begins a list
        first = _OPENING.match(plain)
        marks += (
            [Marked(first[1], 0, first.end(1))] if first and lone_value(first[1], kind, synonyms) is not None else []
        )
    return sorted(marks, key=lambda mark: mark.start)


def _after_cue(plain: str, cue: re.Match[str], kind: AnswerType) -> Iterator[Marked]:
    """Yield the stretch after a cue ("Answer:", "the answer is"), without its reason and what stands in brackets.

    The stretch is empty if the answer is doubted or somebody else's ("they say the answer is 4"). Nothing is yielded
    after a condition ("if it were red, the answer is …") or if no word follows.
    """
    before = plain[max(0, cue.start() - 80) : cue.start()]
    rest = _REST_OF_SENTENCE.match(plain, cue.end())
    if rest is None or (not cue["final"] and _CONDITION.search(before)):
        return
    if _IS.search(cue[0]) and not opens_clause(before, conjunctions=True):
        yield Marked("", cue.start(), cue.start())
        return
    text = REASON.split(rest[1])[0]
    end = rest.end()
    if any(char.isalnum() for char in text.split("(")[0]):
        if any(TURN.search(aside[0]) for aside in _ASIDE.finditer(text)):
            end = cue.end()  # so that the aside stands after it
        text = _ASIDE.sub(lambda m: m[0] if _leaves_open(m[0], kind) else " ", text)
    if any(char.isalnum() for char in text):
        scale = cue["aside"] if kind.cue_words and re.search(r"\d", cue["aside"] or "") else ""
        yield Marked(f"{scale} {text}" if scale else text, cue.start(), end, cue["final"] is not None)


def _leading_value(plain: str, kind: AnswerType, synonyms: bool) -> Iterator[Marked]:
    """The stretch at the beginning of a reply that is a value, before an explanation."""
    lead = kind.lead.match(plain) if kind.lead is not None else None
    if lead is not None:
        rest = plain[lead.end() :]
        if not _leaves_open(rest, kind) and not kind.mentions(rest, synonyms):
            yield Marked(lead[1], 0, lead.end(1))
    if reason := REASON.search(plain):
        head = plain[: reason.start()]
        if lone_value(head, kind, synonyms) is not None:
            yield Marked(head, 0, reason.end())
    if kind.counts and (first := _OPENING.match(plain)) and (value := lone_value(first[1], kind, synonyms)) is not None:
        stated = read_stretch(plain[first.end() :], kind, synonyms)
        if isinstance(stated, Answer) and stated.value == value:  # "4. There are 4 red circles."
            yield Marked(first[1], 0, first.end(1))


def _conclusion(plain: str) -> Iterator[Marked]:
    """The stretch after "so" or "therefore" in the last sentence."""
    last = (sentences(plain) or [""])[-1]
    if conclusions := list(_CONCLUSION.finditer(last)):
        yield Marked(last[conclusions[-1].end() :], plain.rfind(last) + conclusions[-1].start(), len(plain))


def _leaves_open(aside: str, kind: AnswerType) -> bool:
    """True if words beside an answer (an aside) leave it open, say yes or no again, or name the scale of a score."""
    if kind.alphabet == ("yes", "no") and kind.mentions(aside, True):
        return True
    return HEDGE.search(aside) is not None or (bool(kind.cue_words) and _SCALE.search(aside) is not None)


def _value_line(plain: str, kind: AnswerType, synonyms: bool) -> list[Marked]:
    """The last line as a stretch, if it is one value; else the first line, if the others only explain it."""
    lines = [(m.start(), m[0]) for m in re.finditer(r"[^\n]+", plain) if any(char.isalnum() for char in m[0])]
    if len(lines) < 2:
        return []
    values = [lone_value(line, kind, synonyms) for _, line in lines]
    if len({value for value in values if value is not None}) != 1:
        return []
    (start, line), first = lines[-1], values[0]
    if values[-1] is not None:
        return [Marked(line, start, start + len(line))]
    if first is not None:
        others = [v.removeprefix(DENIED) for _, line in lines[1:] for v in kind.mentions(line, synonyms)]
        if not others or first in others or kind.is_sum_of(first, others):
            return [Marked(lines[0][1], lines[0][0], lines[1][0])]
    return []


@cache
def _tag_pattern(nouns: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern for an answer in tags such as <answer>, or in tags that are named by one of `nouns`."""
    tag = rf"(?:final_?)?(?:{'|'.join(('answer', *nouns))})"
    return re.compile(rf"<{tag}>(.{{0,2000}}?)(?:</?{tag}>|\Z)", re.DOTALL)


@cache
def _cue_pattern(nouns: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern for cues such as "Answer:", "the answer is" or a line "Answer"; `nouns` add others ("score:")."""
    named = "|".join(
        ("answer", "ans", "verdict", "antwort", "réponse", "respuesta", "risposta", "ответ", "答案", *nouns)
    )
    others = ("wrong", "incorrect", "initial", "first", "previous", "possible", "another", "confidence",
              *(("total", "maximum", "max", "highest", "perfect") if nouns else ()))  # fmt: skip
    alone = r"|(?:final|overall)(?=[ \t]*:)" if nouns else ""
    return re.compile(
        rf"\b(?:(?P<final>(?:final|overall)[ \t]+(?:{named}|result|response|count|number)\b{alone})"
        rf"|{''.join(f'(?<!{word} )' for word in others)}(?<!\bfinal )(?:{named})\b)"
        r"(?:[ \t]*(?P<aside>\([^()\n]{0,40}\)))?(?:[ \t]+(?:to|for|here|then)\b[^.!?\n:=]{0,60}?)?,?"
        r"(?:[ \t]*(?:[:=>—]+|[-–](?=[ \t]))|[ \t]+is\b[ \t]*[:=]?|[ \t]*$)",
        re.MULTILINE,
    )


def _answer_in_json(data: dict[str, object] | None, kind: AnswerType) -> str | None:
    """The words for the answer in a JSON object; None if it has none."""
    if data is None or any(data.get(key) in (False, "false", "no") for key in _VALIDITY):
        return None
    for key in (*kind.json_keys, *_KEYS) if kind.schema else (*_KEYS, *kind.json_keys):
        if key in data and (text := kind.json_text(data[key])) is not None:
            if key in kind.json_keys and not kind.schema:  # of several counts, any may be the one that was asked for
                others = (str(number) for name, number in data.items() if name != key and _may_count(name, number))
                text = ", ".join((text, *others))
            return text
    return kind.json_object_text(data)


def _may_count(key: str, value: object) -> bool:
    """True if the value of this key in a JSON object may be a count."""
    other = key in ("id", "index") or key.startswith(("confiden", "certain", "prob"))
    return isinstance(value, int) and not isinstance(value, bool) and not other
