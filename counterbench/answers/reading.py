"""The one value that the judge's own words come to: what they mark as their answer, else what their sentences state."""

from __future__ import annotations

from counterbench.answers.base import AnswerType
from counterbench.answers.clean import clean, without_markup
from counterbench.answers.explicit import declared, with_forms_marked, with_tags_marked
from counterbench.answers.outcomes import Answer, Outcome, Refused, Unparsed
from counterbench.answers.plain import in_prose
from counterbench.answers.refusal import refusal

NOTHING = Unparsed("nothing after the reasoning")


def one_value(reply: str, kind: AnswerType, synonyms: bool) -> Outcome:
    """The outcome of a reply of which reasoning and further turns are cut away; not yet cleaned."""
    marked = clean(with_forms_marked(reply, kind))
    if not marked:
        return NOTHING
    plain = without_markup(with_tags_marked(marked, kind))
    spelled = kind.spelled(plain)
    found: Outcome | None = declared(spelled, kind, synonyms)
    declined = refusal(plain)
    if declined is not None and (not isinstance(found, Answer) or found.value in kind.abstentions):
        return Refused(declined[:200])
    if found is None:
        found = in_prose(spelled, kind, synonyms)
    return kind.settle(found, reply) if isinstance(found, Answer) else found
