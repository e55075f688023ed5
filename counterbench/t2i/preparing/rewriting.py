"""The words that ask an author to rewrite a prompt, and the parser of its reply.

The author reasons first, then writes the words for a generator.
"""

from __future__ import annotations

import re

from counterbench.t2i.prompts.prompt_set import Prompt

SYSTEM = (
    "You prepare prompts for a text-to-image model that draws what it is told and does not reason. "
    "First think step by step: which rules hold in the world that the prompt describes, even where they differ from "
    "the real world, and what therefore must be seen in the picture, and what must stay as it is. "
    "Then write, on a line of its own that begins with PROMPT:, the text for the model: what is to be seen, plainly "
    "and completely, in the style that the prompt asks for, in at most 120 words and without explanations."
)
MARKLESS = "it has no line that begins with PROMPT:"
_MARK = re.compile(r"^[ \t#>*_`]*prompt[ \t*_`]*:", re.IGNORECASE | re.MULTILINE)
_THOUGHT, _THOUGHT_END = (re.compile(rf"<{end}think(?:ing)?>", re.IGNORECASE) for end in ("", "/"))


def asking(prompt: Prompt) -> str:
    """The question to an author, besides the system text."""
    return f"The prompt is:\n{prompt.text}"


def read_rewriting(reply: str) -> str:
    """The words after the last line that begins with PROMPT:; empty if there are none.

    >>> read_rewriting("PROMPT: A red ball touching the ceiling.")
    'A red ball touching the ceiling.'
    """
    *thought, rest = _THOUGHT_END.split(reply)
    said = " ".join([*(_THOUGHT.split(part, maxsplit=1)[0] for part in thought), rest])
    marks = list(_MARK.finditer(said))
    text = " ".join(said[marks[-1].end() :].split()).strip("*_` ") if marks else ""
    quoted = re.fullmatch(r"[\"“](.*)[\"”]", text)
    return quoted[1].strip() if quoted else text
