"""Reasoning that a judge shows before its reply is no part of the reply."""

from __future__ import annotations

import re

_TAG = re.compile(r"[<◁](/?)\s*(?:think|thinking|thought|reasoning|reflection)\s*[>▷]", re.IGNORECASE)
_FINAL_CHANNEL = re.compile(r"<\|channel\|>\s*final\s*(?:<\|message\|>)?", re.IGNORECASE)


def thinking_end(text: str) -> int:
    """Where the reply begins after its reasoning; the length of `text` if the reasoning does not end."""
    tags = list(_TAG.finditer(text))
    channels = list(_FINAL_CHANNEL.finditer(text))
    end = channels[-1].end() if channels else 0
    depth = False
    for tag in tags:
        depth = not tag[1]
        end = max(end, tag.end())
    return len(text) if depth else end


def without_thinking(text: str) -> str:
    """`text` without `<think>…</think>` and its like.

    An unclosed block runs to the end. A closing tag without an opening one ends a block that began in the prompt.
    """
    channels = list(_FINAL_CHANNEL.finditer(text))
    if channels:
        text = text[channels[-1].end() :]
    kept: list[str] = []
    start = 0
    open_ = False
    for tag in _TAG.finditer(text):
        if tag[1]:
            if not open_:
                kept.clear()
            open_ = False
            start = tag.end()
        elif not open_:
            kept.append(text[start : tag.start()])
            open_ = True
    if not open_:
        kept.append(text[start:])
    return "\n".join(kept)
