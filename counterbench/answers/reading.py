"""The one value in the judge's own words: their marked answer, else the value that their sentences state."""

from __future__ import annotations

from counterbench.answers.base import AnswerType
from counterbench.answers.clean import clean, without_markup
from counterbench.answers.explicit import declared, with_forms_marked, with_tags_marked
from counterbench.answers.outcomes import Answer, Outcome, Refused, Unparsed
from counterbench.answers.plain import in_prose
from counterbench.answers.refusal import refusal

NOTHING = Unparsed("nothing after the reasoning")


def one_value(reply: str, kind: AnswerType, synonyms: bool) -> Outcome:
    """The outcome of a reply without its reasoning and further turns; not yet cleaned."""
    marked = clean(with_forms_marked(reply, kind))
    if not marked:
        return NOTHING
    plain = without_markup(with_tags_marked(marked, kind))
    spelled = kind.spelled(plain)
    outcome: Outcome | None = declared(spelled, kind, synonyms)
    declined = refusal(plain)
    if declined is not None and (not isinstance(outcome, Answer) or outcome.value in kind.abstentions):
        return Refused(declined[:200])
    if outcome is None:
        outcome = in_prose(spelled, kind, synonyms)
    return kind.settle(outcome, reply) if isinstance(outcome, Answer) else outcome
