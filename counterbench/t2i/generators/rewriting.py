"""Reason first, then draw: a language model thinks a prompt through and writes the words that a generator is given.

Any judge can do it, asked without a picture. Each prompt is rewritten once, so that its samples are drawn from the same
words; the whole reply, reasoning included, is kept in a journal.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

import msgspec

from counterbench.answers.outcomes import Answer, Failed, Outcome, Refused
from counterbench.answers.parsing import CUT_OFF, DECLINED, FILTERED, TRUNCATED
from counterbench.judges.base import Judge, Reply
from counterbench.runs.queries import Query
from counterbench.t2i.prompts.prompt_set import Prompt

SYSTEM = (
    "You prepare prompts for a text-to-image model that draws what it is told and does not reason. "
    "First think step by step: which rules hold in the world that the prompt describes, even where they differ from "
    "the real world, and what therefore must be seen in the picture, and what must stay as it is. "
    "Then write, on a line of its own that begins with PROMPT:, the text for the model: what is to be seen, plainly "
    "and completely, in the style that the prompt asks for, in at most 120 words and without explanations."
)
# CF-World, section 5.3: whether a thing's name is what calls up its usual look.
DENOMINALISE = (
    "You prepare prompts for a text-to-image model. A prompt states a rule that differs from the real world's, and "
    "what is then to be seen. A word that names a thing calls up how that thing usually looks. "
    "First think step by step: which nouns, where the prompt says what is then to be seen, name the things or the "
    "properties that the rule changes? "
    "Then write, on a line of its own that begins with PROMPT:, the prompt again in which each of these nouns is "
    "replaced by a description of what it looks like, its shape, colour, material, parts or place, that does not name "
    "it. The rule, and all other words, stay as they are."
)
MARKLESS = "it has no line that begins with PROMPT:"
# What a rewriting is: part of its identity, as a wording is of a question's.
DIGEST = hashlib.blake2b(SYSTEM.encode(), digest_size=16).hexdigest()
_MARK = re.compile(r"^[ \t#>*_`]*prompt[ \t*_`]*:", re.IGNORECASE | re.MULTILINE)
_THOUGHT, _THOUGHT_END = (re.compile(rf"<{end}think(?:ing)?>", re.IGNORECASE) for end in ("", "/"))
_SHOWN = 400


def told(prompt: Prompt) -> str:
    """What whoever rewrites a prompt is told besides the system text."""
    return f"The prompt is:\n{prompt.text}"


def rewriting_query(prompt: Prompt) -> Query:
    """What a judge is asked so that it rewrites a prompt."""
    return Query(
        id=prompt.id,
        group=prompt.group,
        role=prompt.level,
        pictures=(),
        text=told(prompt),
        answer_type="yes-no",  # the type without a form of its own: replies are read here, by `read_rewriting`
        system=SYSTEM,
    )


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


class Rewriter:
    """A judge that rewrites prompts, as the runner's `Asker` sees it: a reply without a prompt in it is a failure."""

    def __init__(self, judge: Judge) -> None:
        self.name = judge.name
        self.max_batch = judge.max_batch
        self.max_in_flight = judge.max_in_flight
        self._judge = judge

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        """The judge's replies."""
        return [_checked(reply) for reply in await self._judge.answer(batch)]

    async def close(self) -> None:
        """Close the judge."""
        await self._judge.close()


def outcome(query: Query, reply: Reply) -> Outcome:
    """How a rewriting counts in its journal: written, or declined."""
    text = reply.text or ""
    return Refused(text) if reply.finish in (FILTERED, DECLINED) else Answer(text)


def _checked(reply: Reply) -> Reply:
    if reply.text is None or reply.finish in (FILTERED, DECLINED):
        return reply
    if reply.finish != CUT_OFF and read_rewriting(reply.text):
        return reply
    cut = reply.finish == CUT_OFF
    why = TRUNCATED.reason if cut else MARKLESS
    shown = reply.text[-_SHOWN:]
    return msgspec.structs.replace(reply, text=None, failure=Failed("no-prompt", f"{why}: {shown}"))
