"""What tests of relations share: things with duplicates, missing and two-tone ones, claims about them, answerers."""

from collections.abc import Callable
from itertools import product

from hypothesis import strategies as st

from counterbench.pictures.auditing.edits import AuditedThings, edited_things
from counterbench.pictures.auditing.relations import ASKED, RELATIONS, Extra, RelatedQuestions, YesOrNo
from counterbench.pictures.auditing.repair import broken, least_wrong
from counterbench.pictures.auditing.things import AuditedThing, Reading, holds
from counterbench.prompts.claims import Beside, Both, Claim, Coloured, CountClaim, Present
from counterbench.prompts.nouns import plural

KINDS, COLOURS = ("cat", "dog"), ("red", "blue")
colours = st.sampled_from([("red",), ("blue",), ("red", "blue")])
things = st.lists(st.builds(AuditedThing, st.sampled_from(KINDS), colours, st.integers(0, 9)), max_size=5).map(tuple)
readings = st.builds(Reading, *[st.booleans()] * 4)
names = st.sampled_from([*KINDS, *(f"{colour} {kind}" for colour, kind in product(COLOURS, KINDS))])
present = st.one_of(st.builds(Present, names), names.map(lambda name: Present(plural(name), "many")))
claims: st.SearchStrategy[Claim] = st.one_of(
    present,
    st.builds(CountClaim, names.map(plural), st.integers(0, 4), st.sampled_from(["asked", "exactly"])),
    st.builds(Beside, st.just("cat"), st.sampled_from(["left", "right"]), st.just("dog")),
    st.builds(Coloured, st.sampled_from(KINDS), st.sampled_from(COLOURS)),
    st.builds(Both, st.just(Present("cat")), names.map(Present)),
)

# An answer to a question, from the question and the things that the picture shows.
Answerer = Callable[[Extra, AuditedThings], bool]


def answers_of(
    related: RelatedQuestions, claim: Claim, own: AuditedThings, other: AuditedThings, by: Answerer
) -> dict[str, YesOrNo]:
    """The answers to a question and to the further ones of a relation."""
    truths = {ASKED: by(Extra(ASKED, claim), own)}
    truths |= {extra.name: by(extra, edited_things(extra.edit, own, other)) for extra in related.extras}
    return {name: "yes" if yes else "no" for name, yes in truths.items()}


def truthful(how: Reading) -> Answerer:
    return lambda extra, things: holds(extra.claim, things, how)


def caught(relation: str, claim: Claim, own: AuditedThings, other: AuditedThings, by: Answerer) -> int:
    """The least number of wrong answers that one relation shows."""
    related = RELATIONS[relation].applied_to(claim, claim.text)
    assert related.extras, f"{relation} refuses {claim.text}"
    return least_wrong(answers_of(related, claim, own, other, by), related.clauses)


def contradictions(relation: str, claim: Claim, own: AuditedThings, other: AuditedThings, how: Reading) -> list[object]:
    """The clauses that the truth breaks."""
    related = RELATIONS[relation].applied_to(claim, claim.text)
    return [*broken(answers_of(related, claim, own, other, truthful(how)), related.clauses)]
