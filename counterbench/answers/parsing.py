"""From a judge's reply to one of the outcomes. Doubt is never resolved by a guess: see `parse`."""

from __future__ import annotations

from functools import lru_cache

from counterbench.answers.clean import clean, clip, without_markup
from counterbench.answers.explicit import declared, with_forms_marked, with_tags_marked
from counterbench.answers.outcomes import Answer, Outcome, Refused, Unparsed
from counterbench.answers.own_words import own_words
from counterbench.answers.plain import in_prose
from counterbench.answers.refusal import refusal
from counterbench.answers.registry import answer_type as lookup

PARSER_VERSION: str = "3"

# Judges say the same few short things over and over; what those mean is remembered.
_SHORT, _REMEMBERED = 40, 4096


def parse(text: str, answer_type: str, *, synonyms: bool = True) -> Outcome:
    """What a reply to a question of that answer type says: an Answer, Unparsed, or Refused.

    What the reply marks as its answer decides; else the one value that its sentences state, if they neither deny it
    nor leave it open. All else is Unparsed: a wrong reading is worse than none. `synonyms=False` is strict: other
    words for our colours and shapes stand for themselves.
    """
    return (_parse_short if len(text) <= _SHORT else _parse)(text, answer_type, synonyms)


def _parse(text: str, answer_type: str, synonyms: bool) -> Outcome:
    kind = lookup(answer_type)
    if not text.strip():
        return Unparsed("empty reply")
    start, end = own_words(text)
    reply = clip(text[start:end])
    marked = clean(with_forms_marked(reply, kind))
    if not marked:
        return Unparsed("nothing after the reasoning")
    plain = without_markup(with_tags_marked(marked, kind))
    spelled = kind.spelled(plain)
    found: Outcome | None = declared(spelled, kind, synonyms)
    declined = refusal(plain)
    if declined is not None and (not isinstance(found, Answer) or found.value in kind.abstentions):
        return Refused(declined[:200])
    if found is None:
        found = in_prose(spelled, kind, synonyms)
    return kind.settle(found, reply) if isinstance(found, Answer) else found


_parse_short = lru_cache(_REMEMBERED)(_parse)
