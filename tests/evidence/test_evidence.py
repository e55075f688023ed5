"""Evidence in a certificate: by law, by skill, and the families that ask for each skill."""

from collections import defaultdict

import pytest
from pictures.lawful import basic, certificate

from counterbench.evidence.shown import evidence_of
from counterbench.prompts.skills import FAMILIES
from counterbench.runs.pair_queries import keys
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite


def test_the_families_of_a_skill_are_those_that_ask_for_it() -> None:
    found = defaultdict(set)
    for key in keys(SuiteSource(load_suite("certify"), 400)):
        if key.category != "control":
            found[key.skill].add(key.family)
    assert {skill: set(families) for skill, families in FAMILIES.items()} == dict(found)


@pytest.mark.slow
def test_a_skill_needs_all_its_families_and_a_law_only_itself() -> None:
    drawn = evidence_of(basic(inverted=("spatial/yes-no",))).drawn
    assert {skill for skill, found in drawn.items() if not found.admitted} == {"left-right", "above-below"}
    laws = evidence_of(
        certificate(laws=("falling", "wind"), inverted=("wind/assessment",)), ["falling", "wind", "frost"]
    )
    assert {law: found.admitted for law, found in laws.drawn.items()} == {"falling": True, "wind": False}
    assert laws.drawn["falling"].ccs.value == 1
