"""Parser of a judge's reply (`read_reply`). It never guesses: see `parse`."""

from collections.abc import Mapping
from functools import lru_cache

from counterbench.answers.base import AnswerType
from counterbench.answers.clean import clip
from counterbench.answers.explicit import one_value
from counterbench.answers.labelled import with_labels
from counterbench.answers.outcomes import Answer, Outcome, Refused, Unparsed
from counterbench.answers.reasoning import after_answer, first_turn
from counterbench.answers.registry import answer_type as lookup

PARSER_VERSION: str = "5"

Labels = Mapping[str, str]
_NO_LABELS: Labels = {}
# The names that judges give to the ends of replies (Reply.finish); any other is an ordinary end.
CUT_OFF, FILTERED, DECLINED = "length", "content_filter", "refusal"
TRUNCATED = Unparsed("cut off at the length limit")
# Beginning of the reason of a reply that raised an exception.
UNREADABLE = "reading it raised"
# Most characters of the beginning and of the end of a reply; the rest between them is cut.
_LONGEST = 500_000
# Short replies come up over and over; their outcomes are cached.
_SHORT, _REMEMBERED = 40, 4096


def read_reply(
    text: str,
    answer_type: str,
    finish: str = "",
    *,
    synonyms: bool = True,
    labels: Labels = _NO_LABELS,
    answer_line: bool = False,
) -> Outcome:
    """The outcome of a reply. A reply that was cut off at its length limit is Unparsed.

    A reply that the server blocked or marks as a refusal is Refused. `answer_line`: the question asked for a line
    "Answer: …", and nothing else in the reply is read.
    """
    lookup(answer_type)  # an unknown type is an error in any case
    if finish == CUT_OFF:
        return TRUNCATED
    if finish == FILTERED:
        return Refused("blocked by the server's content filter")
    if finish == DECLINED:
        return Refused(text.strip()[:200] or "the server marks it as a refusal")
    said = after_answer(clip(text, _LONGEST, _LONGEST)) if answer_line else text
    if isinstance(said, Unparsed):  # a judge that declines writes no such line
        outcome = parse(text, answer_type, synonyms=synonyms, labels=labels)
        return outcome if isinstance(outcome, Refused) else said
    return parse(said, answer_type, synonyms=synonyms, labels=labels)


def meaning(
    text: str, answer_type: str, finish: str = "", labels: Labels = _NO_LABELS, answer_line: bool = False
) -> str:
    """The meaning of a reply as a string to compare: its answer, or the kind of its outcome."""
    outcome = read_reply(text, answer_type, finish, labels=labels, answer_line=answer_line)
    return meant(outcome)


def meant(outcome: Outcome) -> str:
    """The meaning of an outcome, as of `meaning`."""
    return f"answer {outcome.value}" if isinstance(outcome, Answer) else type(outcome).__name__


def parse(text: str, answer_type: str, *, synonyms: bool = True, labels: Labels = _NO_LABELS) -> Outcome:
    """The outcome of a reply's words: an Answer, Unparsed, or Refused.

    The marked answer of a reply decides; else the one value that its sentences state, if they neither deny it nor leave
    it open. All else is Unparsed: a wrong reading is worse than none. `synonyms=False` is strict: other words for our
    colours and shapes are other answers. `labels`: labels in the question that are answers too, each with the answer
    that it means (itself, if that is not known). No text raises an error: a reply that was paid for is kept.
    """
    kind = lookup(answer_type)
    read = _parse_short if len(text) <= _SHORT else _parse
    try:
        if not labels:
            return read(text, kind, synonyms)
        outcome = read(text, with_labels(tuple(labels)), synonyms)
        if isinstance(outcome, Answer):
            return Answer(labels.get(outcome.value, outcome.value))
        unlabelled = read(text, kind, synonyms)  # "Answer: A\nA blue square"
        return unlabelled if isinstance(unlabelled, Answer) else outcome
    except Exception as error:
        return Unparsed(f"{UNREADABLE} {type(error).__name__}")


def _parse(text: str, kind: AnswerType, synonyms: bool) -> Outcome:
    if not text.strip():
        return Unparsed("empty reply")
    text = clip(text, _LONGEST, _LONGEST)
    start, end = first_turn(text)
    reply = clip(text[start:end])
    return kind.read_all(reply) or one_value(reply, kind, synonyms)


_parse_short = lru_cache(_REMEMBERED)(_parse)
