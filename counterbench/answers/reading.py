"""A reply with the reason why it ended, read as an answer type: what was cut off or blocked is no answer."""

from __future__ import annotations

from counterbench.answers.outcomes import Answer, Outcome, Refused, Unparsed
from counterbench.answers.parsing import parse
from counterbench.answers.registry import answer_type as lookup

# The names that judges give to the ends of replies (Reply.finish); any other is an ordinary end.
CUT_OFF, FILTERED, DECLINED = "length", "content_filter", "refusal"


def read_reply(text: str, answer_type: str, finish: str = "", *, synonyms: bool = True) -> Outcome:
    """What a reply means. One that was cut off at its length limit is Unparsed, whatever it says so far.

    A reply that the server blocked or marks as a refusal is Refused: its words were not the judge's answer.
    """
    lookup(answer_type)  # an unknown type is an error however the reply ended
    if finish == CUT_OFF:
        return Unparsed("cut off at the length limit")
    if finish == FILTERED:
        return Refused("blocked by the server's content filter")
    if finish == DECLINED:
        return Refused(text.strip()[:200] or "the server marks it as a refusal")
    return parse(text, answer_type, synonyms=synonyms)


def meaning(text: str, answer_type: str, finish: str = "") -> str:
    """What a reply comes to, so that two can be compared: its answer, or that it is none. Other words mean the same."""
    outcome = read_reply(text, answer_type, finish)
    return f"answer {outcome.value}" if isinstance(outcome, Answer) else type(outcome).__name__
