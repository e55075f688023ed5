"""Checks asked both ways: as they are, and in a frame that denies them. Only one of the two can be answered with yes.

If the right answer is always yes, the score does not show that a judge says yes to everything. Answers in the frame are
no part of any score.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from counterbench.scene.seeds import Stream
from counterbench.stats.intervals import Estimate, wilson
from counterbench.stats.paired import paired_difference
from counterbench.t2i.prompts.prompt_set import Check, Prompt
from counterbench.t2i.protocols.asks import Ask, Said, question
from counterbench.t2i.scores.document import Leaning

FRAME = "Is the following false: {question}"
_SUFFIX = "~negated"


class Both(msgspec.Struct, frozen=True):
    """A judge's two answers to a check of a sample, yes or no each."""

    sample: str
    plain: str  # to the check as it is
    framed: str  # to the check in the frame
    check: str = ""  # its id


def negations(prompt: Prompt, sample: str, share: float) -> list[Ask]:
    """The yes/no checks of a sample that are asked in the frame too: each with chance `share`, chosen by a hash."""
    return [
        Ask(id=check.id + _SUFFIX, text=FRAME.format(question=question(check)))
        for check in _two_sided(prompt)
        if Stream("negated", sample, check.id).chance(share)
    ]


def negated_check(ask: str) -> str:
    """The id of the check that a question puts in the frame; "" for any other question."""
    return ask.removesuffix(_SUFFIX) if ask.endswith(_SUFFIX) else ""


def asked_both_ways(prompt: Prompt, asked: str, sample: str, replied: Callable[[str], Said | None]) -> Iterator[Both]:
    """The checks of a sample that have an answer both ways.

    `asked`: the sample's id in the run; `replied`: the reply to a question by its whole id.
    """
    for check in _two_sided(prompt):
        plain, framed = replied(f"{asked}/{check.id}"), replied(f"{asked}/{check.id}{_SUFFIX}")
        if plain is not None and framed is not None and plain.answer is not None and framed.answer is not None:
            yield Both(sample, plain.answer, framed.answer, check.id)


def leaning(both: Sequence[Both]) -> Leaning | None:
    """A judge's leaning to yes; None where nothing was answered both ways."""
    if not both:
        return None
    yes, no = (sum(one.plain == one.framed == answer for one in both) for answer in ("yes", "no"))
    of = len(both)
    difference = paired_difference(0, yes, no, of - yes - no) or Estimate(None, None, None)
    return Leaning(pairs=of, both_yes=_share(yes, of), both_no=_share(no, of), leaning=difference)


def _two_sided(prompt: Prompt) -> Iterable[Check]:
    return (check for check in prompt.checks if check.answer_type == "yes-no" and not (check.call or check.after))


def _share(hits: int, of: int) -> Estimate:
    low, high = wilson(hits, of) or (None, None)
    return Estimate(hits / of, low, high)
