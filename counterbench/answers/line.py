"""The text after the one line "Answer: …" of a reply, for judges that are asked to reason first."""

from __future__ import annotations

import re

from counterbench.answers.outcomes import Unparsed
from counterbench.answers.reasoning import further_question, own_words

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
    end = further_question(text, lines[0].end(), len(text))
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
