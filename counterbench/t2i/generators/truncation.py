"""Prompts that a pipeline of diffusers cut, by its own warnings. A pipeline that cuts in silence is not noticed."""

from __future__ import annotations

import ast
import contextlib
import logging
import re
from collections.abc import Iterator, Sequence

_CUT = "The following part of your input was truncated"
# The tokens that fill up the shorter prompts of a batch.
_FILLING = re.compile(r"</?\|?[a-z_]+\|?>")


@contextlib.contextmanager
def warnings_heard() -> Iterator[list[str]]:
    """The warnings of diffusers about cut prompts, which are not printed; other warnings are."""
    heard: list[str] = []
    logger = logging.getLogger("diffusers")
    others, level = logger.handlers, logger.level

    class Ear(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            message = record.getMessage()
            if message.startswith(_CUT):
                heard.append(message)
            elif record.levelno >= level:
                for other in others:
                    other.handle(record)

    logger.handlers = [Ear()]
    logger.setLevel(min(level, logging.WARNING))
    try:
        yield heard
    finally:
        logger.handlers = others
        logger.setLevel(level)


def cut_notes(warnings: Sequence[str], count: int) -> list[str]:
    """Notes for the pictures of `count` prompts: the words that each encoder did not read; empty if none warned.

    `warnings` are those of diffusers: "… because CLIP can only handle sequences up to 77 tokens: ['what', 'was cut']".
    In a batch each prompt has its text there; a prompt that was not cut has the tokens that filled it up.
    """
    notes: list[dict[str, None]] = [{} for _ in range(count)]  # as sets in order: two encoders may cut alike
    for warning in warnings:
        why, _, cut = warning.removeprefix(_CUT).strip().partition(" tokens: ")
        try:
            texts = ast.literal_eval(cut)
        except (ValueError, SyntaxError):
            texts = []
        if not isinstance(texts, list) or len(texts) != count:  # a prompt was cut, but nobody knows which
            texts = [cut] * count
        for note, text in zip(notes, texts, strict=True):
            if left := _FILLING.sub("", str(text)).strip(" !"):
                note[f"prompt cut {' '.join(why.split())} tokens; not read: {left}"] = None
    return ["; ".join(note) for note in notes]
