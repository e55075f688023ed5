"""The judge's reply in a text, without reasoning before it or a further turn behind; its one line "Answer: …"."""

import re

from counterbench.answers.outcomes import Unparsed

_REASONING = r"(?:\w+[:_])?(?:think(?:ing)?|thoughts?|reason(?:ing)?|reflection|analysis|scratch_?pad)(?:_\w+)?"
_TURN = re.compile(
    rf"(?P<open>[<\[◁]\s*{_REASONING}\s*[>\]▷]|<\|begin_of_thought\|>|<\|channel\|>(?!\s*final))"
    rf"|(?P<close>[<\[◁]\s*/\s*{_REASONING}\s*[>\]▷]|<\|end_of_thought\|>"
    r"|<\|channel\|>\s*final\s*(?:<\|message\|>)?)"
    r"|<\|(?:endoftext|end_of_text|im_end|eot_id|eom_id|end|return)\|>|</s>|<(?:eos|end_of_turn|end_of_utterance)>"
    r"|\[INST\]"
    r"|^[ \t*#]*(?:human|user)[ \t*]*:",
    re.IGNORECASE | re.MULTILINE,
)
_TOKEN = re.compile(r"<[^<>\n]{0,40}>")

# "Question: …" and the like, or a line that is only a question.
_QUESTION = re.compile(
    r"^[ \t*#>]*(?:\d{1,2}[.)][ \t]*)?(?:(?:next|new|follow-up|another)[ ])?"
    r"(?:question|q|problem|instruction|frage|pregunta|domanda|pergunta|вопрос|问题|問題|質問)"
    r"[ \t]*\d{0,3}[ \t*]*(?:[:：]|(?<=q)[.][ ])"
    r"|^[ \t*#>-]*(?:(?:and|now|so)[, ]+)?(?:is|are|do|does|did|can|has|have|how|which|what|where|who)\b"
    r"[^.!?:\n]{8,300}\?[ \t*]*$|(?<=[\w.!)*][ ])(?-i:Question)[ ]?\d{0,3}:",
    re.IGNORECASE | re.MULTILINE,
)


def own_words(text: str) -> tuple[int, int]:
    """Start and end of the reply in `text`; it is empty if the reasoning does not end.

    A closing tag without an opening one ends reasoning that began in the prompt.
    """
    start = seen = 0
    is_open = False
    for mark in _TURN.finditer(text):
        if mark["open"]:
            is_open = True
        elif mark["close"]:
            start = seen = mark.end()
            is_open = False
        elif not is_open:
            if any(char.isalnum() for char in _TOKEN.sub("", text[seen : mark.start()])):
                return start, mark.start()
            seen = mark.start()
    return (len(text), len(text)) if is_open else (start, len(text))


def next_question(text: str, start: int, end: int) -> int:
    """The place where the model asks itself another question, after words of its reply; else `end`."""
    for mark in _QUESTION.finditer(text, start, end):
        if any(char.isalnum() for char in text[start : mark.start()]):
            return mark.start()
    return end


def first_turn(text: str) -> tuple[int, int]:
    """The judge's own words up to a further question that a model asks itself."""
    start, end = own_words(text)
    return start, next_question(text, start, end)


# Decorations without words: "**Answer:** yes", "• Answer: yes", "| (Final answer: yes) |", "\boxed{Answer: yes}".
# But no sign that may deny or doubt the answer: "~~Answer: yes~~", "❌ Answer: yes", "- [ ] Answer: yes".
_DENIES = r"~?!¿¬≠×✕✖✗✘❌❎☐☒🚫⛔👎❓❔\])}"
_MARKS = rf"(?:[^\w\n{_DENIES}]|_|\\(?:boxed|text|textbf|mathbf)\{{)*"
# A key in JSON is no such line: its closing quote stands before the colon.
_GAP = r"[ \t\xa0*_`]*"
_BEGINS = re.compile(
    rf"^(?P<before>{_MARKS})(?:\d{{1,3}}[.)](?P<behind>{_MARKS}))?"
    rf"(?:final[ \t\xa0]+)?answer{_GAP}(?:\(final\){_GAP})?[:：][*_`]*",
    re.IGNORECASE | re.MULTILINE,
)
_CLOSES = {"(": ")", "[": "]", "{": "}", "“": "”", "‘": "’", "«": "»", "「": "」"} | {quote: quote for quote in "\"'`"}
NO_LINE = Unparsed("no line begins with 'Answer:'")


def in_line(answer: str) -> str:
    """An answer in such a line."""
    return f"Answer: {answer}"


def after_answer(text: str) -> str | Unparsed:
    """The text after "Answer:"; Unparsed unless exactly one line of the judge's own words begins so.

    A further question after the first such line ends the judge's own words.
    """
    start, end = own_words(text)
    text = text[start:end]
    lines = [mark for mark in _BEGINS.finditer(text) if not _is_spoken_of(mark)]
    if not lines:
        return NO_LINE
    end = next_question(text, lines[0].end(), len(text))
    lines = [mark for mark in lines if mark.start() < end]
    if len(lines) > 1:
        return Unparsed(f"{len(lines)} lines begin with 'Answer:'")
    return text[lines[0].end() : end]


def _is_spoken_of(mark: re.Match[str]) -> bool:
    """True if the line goes on after the quote or bracket: '"Answer: yes" cannot be right.'"""
    end = mark.string.find("\n", mark.end())
    line = mark.string[mark.end() : end if end >= 0 else None]
    opened = set(mark["before"])
    if mark["behind"] is not None:  # "(1) Answer"
        opened = opened - {"("} | set(mark["behind"])
    rests = [line.partition(_CLOSES[sign])[2] for sign in opened & _CLOSES.keys()]
    return any(char.isalnum() for rest in rests for char in rest)
