r"""Markdown, HTML and LaTeX turned into spaces, every character one space, so that places in the text stay put."""

from __future__ import annotations

import re

_BLANKED = (
    re.compile(r"^[ \t]*(?:```|~~~)[ \t]*[a-z0-9_+-]{0,20}[ \t]*$", re.MULTILINE),  # code fences
    re.compile(r"```(?:json|text|markdown|python)?"),
    re.compile(r"~~[^~\n]{1,200}~~"),  # struck out: taken back by the writer
    re.compile(r"<\|[^|<>\n]{0,40}\|>"),  # a model's special tokens
    re.compile(r"</?[a-z][^<>\n]{0,80}>"),
    re.compile(
        r"\\(?:boxed|fbox|text[a-z]{0,8}|math[a-z]{1,8}|mbox|rm|bf|displaystyle|left|right|quad|large)(?![a-z])"
    ),
    re.compile(r"\\[()\[\],;! ]"),
    # Quotes, headings, bullets; but "> 3" is more than 3.
    re.compile(r"^(?:[ \t]|#(?!\d)|>(?![ \t]*\d)|[-*+•▪◦‣][ \t])+", re.MULTILINE),
    re.compile(r"[`*_$\\{}\[\]|]"),
)
_OPERATOR = re.compile(r"(?<=\d)([ \t]*)\*([ \t]*)(?=\d)")
_MARKER = re.compile(r"^[ \t]*\(?(\d{1,3})[.):][ \t]+(?=\S)", re.MULTILINE)
_QUOTE = re.compile(r"\"|(?<![^\W\d_])'|'(?![^\W\d_])")


def without_markup(text: str) -> str:
    """`text` (cleaned) with markup blanked, list markers too; as long as before."""
    text = _OPERATOR.sub(r"\1×\2", text)
    for pattern in _BLANKED:
        text = pattern.sub(_blank, text)
    return _QUOTE.sub(" ", _without_list_markers(text))


def _without_list_markers(text: str) -> str:
    # "4. There are four" is no list: markers count up from 1.
    due = 1

    def marker(match: re.Match[str]) -> str:
        nonlocal due
        number = int(match[1])
        if number not in (1, due):
            return match[0]
        due = number + 1
        return _blank(match)

    return _MARKER.sub(marker, text)


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])
