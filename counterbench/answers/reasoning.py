"""The judge's reply in a text, without reasoning before it and without a further turn that the model went on with."""

from __future__ import annotations

import re

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


def further_question(text: str, start: int, end: int) -> int:
    """The place where the model asks itself another question, after words of its reply; else `end`."""
    for mark in _QUESTION.finditer(text, start, end):
        if any(char.isalnum() for char in text[start : mark.start()]):
            return mark.start()
    return end


def first_turn(text: str) -> tuple[int, int]:
    """The judge's own words up to a further question that a model asks itself."""
    start, end = own_words(text)
    return start, further_question(text, start, end)
