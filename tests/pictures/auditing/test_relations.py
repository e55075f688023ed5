"""Every relation: the truth never breaks it, in any reading of loose words; and the faults that each catches."""

import pytest
from hypothesis import given
from pictures.auditing.claimed import Answerer, AuditedThings, caught, claims, contradictions, readings, things
from sweeping import swept

from counterbench.pictures.auditing.edits import edited_things
from counterbench.pictures.auditing.relations import ASKED, RELATIONS, UNCHANGED, Extra, most_answers
from counterbench.pictures.auditing.things import AuditedThing, Reading, holds
from counterbench.prompts.claims import Beside, Both, Claim, Coloured, CountClaim, Present

CAT, DOG = AuditedThing("cat", ("red",), 1), AuditedThing("dog", ("blue",), 5)
OWN, OTHER = (CAT, DOG), (AuditedThing("dog", ("red", "blue"), 3),)
CLAIMS: dict[str, Claim] = {
    "present": Present("cat"),
    "count": CountClaim("cats", 1),
    "beside": Beside("cat", "left", "dog"),
    "coloured": Coloured("cat", "red"),
    "both": Both(Present("cat"), Present("dog")),
}


@pytest.mark.parametrize("relation", RELATIONS)
@given(claim=claims, own=things, other=things, how=readings)
def test_true_answers_break_no_clause(
    relation: str, claim: Claim, own: AuditedThings, other: AuditedThings, how: Reading
) -> None:
    assert contradictions(relation, claim, own, other, how) == []


@given(claim=claims, own=things, how=readings)
def test_irrelevant_edits_keep_the_questions_truth(claim: Claim, own: AuditedThings, how: Reading) -> None:
    extras = UNCHANGED.applied_to(claim, claim.text).extras
    assert {holds(extra.claim, edited_things(extra.edit, own), how) for extra in extras} == {holds(claim, own, how)}


@given(claim=claims)
def test_no_claim_has_more_answers_than_the_bound_assumes(claim: Claim) -> None:
    further = [len(relation.applied_to(claim, claim.text).extras) for relation in RELATIONS.values()]
    assert 1 + sum(further) <= most_answers([*RELATIONS])


def prior(claim: Claim) -> Answerer:
    """Answers as if every picture showed just what the question asks for: one cat, red, to the left of one dog."""
    return lambda extra, things: holds(extra.claim, OWN) or extra.claim == claim


def left_for_right(extra: Extra, things: AuditedThings) -> bool:
    return holds(extra.claim, edited_things("mirrored", things))


def one_more(extra: Extra, things: AuditedThings) -> bool:
    """Counts one too many of whatever is there."""
    return holds(extra.claim, (*things, things[0])) if things else holds(extra.claim, things)


def whole_collage(extra: Extra, things: AuditedThings) -> bool:
    """Reads two pictures as one."""
    return holds(extra.claim, (*OWN, *OTHER) if extra.edit in ("left first", "right first") else things)


FAULTS: dict[str, Answerer] = {
    "yes": lambda extra, things: True,
    "no": lambda extra, things: False,
    "left-right": left_for_right,
    "off by one": one_more,
}
# The relations that catch a fault, by the kinds of claims on which they do, and those that pass it, as the docs say.
CAUGHT = [
    ("yes", "two-in-one", "present count"),
    ("yes", "mirror", "beside"),
    ("yes", "gone", "present count both"),
    ("yes", "denied", "present"),
    ("yes", "exclusive", "count beside coloured"),
    ("no", "denied", "present"),
    ("prior", "two-in-one", "present count"),
    ("prior", "mirror", "beside"),
    ("prior", "gone", "present"),
]
PASSED = [
    ("yes", "parts", "both"),
    ("no", "gone", "present"),
    ("prior", "denied", "present"),
    ("prior", "exclusive", "count coloured"),
    ("prior", "parts", "both"),
    ("left-right", "mirror", "beside"),
    ("left-right", "exclusive", "beside"),
    ("off by one", "exclusive", "count"),
]


@swept(("fault", "relation", "kinds", "least"), [(*case, 1) for case in CAUGHT] + [(*case, 0) for case in PASSED])
def test_each_relation_catches_the_expected_faults(fault: str, relation: str, kinds: str, least: int) -> None:
    for claim in map(CLAIMS.__getitem__, kinds.split()):
        by = prior(claim) if fault == "prior" else FAULTS[fault]
        assert min(1, caught(relation, claim, OWN, OTHER, by)) == least


def test_two_in_one_catches_a_judge_that_reads_a_collage_as_one_picture() -> None:
    assert caught("two-in-one", CLAIMS["present"], OWN, OTHER, whole_collage) == 1


def test_parts_catches_a_judge_that_answers_the_whole_from_words() -> None:
    def by(extra: Extra, things: AuditedThings) -> bool:
        return extra.name == ASKED or holds(extra.claim, things)

    assert caught("parts", CLAIMS["both"], (DOG,), OTHER, by) == 1


@swept(
    ("relation", "claim"),
    [
        ("mirror", Beside("left shoe", "left", "box")),
        ("mirror", Beside("text", "left", "logo")),
        ("mirror", Present("cat")),
        ("gone", Coloured("cat", "red")),
        ("gone", CountClaim("cats", 0)),
        ("gone", Present("brick wall")),
        ("gone", Present("gray cat")),
        ("denied", Coloured("cat", "red")),
        ("parts", Present("red panda")),
        ("parts", Present("toy dog")),
        ("two-in-one", Present("cats", "many")),
        ("two-in-one", CountClaim("cats", 2, "asked")),
    ],
)
def test_a_relation_refuses_claims_for_which_it_is_unsound(relation: str, claim: Claim) -> None:
    assert RELATIONS[relation].applied_to(claim, claim.text).extras == ()


def test_an_inexact_count_is_not_contradicted_by_one_more() -> None:
    """There may be three dogs where there are four, and exactly four of them."""
    more = (("asked", "yes"), ("exclusive.more", "yes"))
    assert more not in RELATIONS["exclusive"].applied_to(CountClaim("dogs", 3, "asked"), "").clauses
    assert more in RELATIONS["exclusive"].applied_to(CountClaim("dogs", 3), "").clauses
