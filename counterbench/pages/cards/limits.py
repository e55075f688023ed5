"""The uses that a card rules out, a line each; every line follows by a rule from the content of the card."""

from collections.abc import Iterator
from datetime import date, timedelta

from counterbench.judges.specs import gives_numbers
from counterbench.pages.cards.document import CardDocument, SeenLadder
from counterbench.prompts.skills import FAMILIES
from counterbench.suites.families.ladders import LADDERS
from counterbench.text import listed

_LEANS = 0.1  # an answer is a bias if the interval of its share lies so far above its share among the truths


def not_for(card: CardDocument, days: int) -> Iterator[str]:
    """The uses that a card rules out, a line each, the widest first.

    `days`: for how many days after the first question the replies count.
    """
    if gives_numbers(card.who.judge):
        yield "shares and levels: it orders pictures; it gives no shares, and its numbers have no level"
    if card.who.kind == "planted":
        yield "any picture: it is built with the truth, as an example of a fault"
    if card.who.kind == "pixel reader":
        yield "pictures that counterbench did not draw: it cannot read them"
    if card.steadiness is not None and card.steadiness.verdict == "changed" and card.steadiness.what == "judge":
        yield f"anything, until it is tested again: it has changed since {card.steadiness.since or 'its test'}"
    if card.who.kind == "imported":
        yield "scoring pictures: these replies were collected elsewhere, and there is no evidence but these"
    yield from _skill_lines(card.sees or [], list(dict.fromkeys(name for run in card.runs for name in run.held_back)))
    for name, ladder_result in (card.ladders or {}).items():
        if name not in LADDERS:
            continue
        ladder = LADDERS[name]
        if ladder_result.granted is None:
            yield f"the ladder {name}: not shown even for its first rung ({ladder.sentence.format(ladder.values[0])})"
        elif ladder_result.next is not None:
            shown = ladder.sentence.format(ladder_result.granted)
            yield f"the ladder {name} from {ladder_result.next} on: shown only for {shown}"
    for what, lean in (("yes", card.yes_bias), ('"first" of two pictures', card.position_bias)):
        if lean is not None and (lean.said.low or 0) > (lean.true.value or 0) + _LEANS:
            yield f"measuring how often something is true: it says {what} more often than is true"
    yield from _untested_lines(card)
    if card.who.asked_from:
        last = date.fromisoformat(card.who.asked_from) + timedelta(days=days)
        yield f"scoring after {last}, without a new test: replies count for {days} days"


def _skill_lines(sees: list[SeenLadder], held_back: list[str]) -> Iterator[str]:
    """Lines on skills and laws that are refused, not shown, or not asked about.

    `held_back`: the parts of certificates that kept all laws of a run from being admitted, by name.
    """
    refused, unshown = (
        listed(f"{skill.name} ({skill.right} of {skill.of} right)" for skill in sees if skill.outcome == outcome)
        for outcome in ("refused", "not shown")
    )
    if refused:
        yield f"questions about {refused}: refused"
    # A law that passes by itself is not admitted where the whole run fails (controls, outcomes).
    if unshown:
        why = f" (held back by {listed(held_back)})" if held_back else ""
        yield f"questions about {unshown}: not shown{why}"
    names = {skill.name for skill in sees}
    if names and names <= FAMILIES.keys() and (unasked := [name for name in FAMILIES if name not in names]):
        yield f"questions about {listed(unasked)}: not asked"


def _untested_lines(card: CardDocument) -> Iterator[str]:
    """Lines on uses for which there is no evidence, though the judge may be fit for them."""
    if card.who.kind in ("planted", "pixel reader"):
        return
    if not any(skill.evidence == "stickers" for skill in card.sees or ()):
        yield "real pictures: all evidence is on drawn ones"
    if len(card.who.models) > 1:
        yield "results that must be repeatable: several models answered under one name"
    if card.flips is None:
        yield "templates other than this one: it was asked with no other"
