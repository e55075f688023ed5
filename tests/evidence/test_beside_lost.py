"""A hypothesis that can no longer pass still counts in the adjustment, so the others need more pairs."""

from counterbench.evidence.cells import PairCount
from counterbench.evidence.interim import InterimLook
from counterbench.evidence.policies import load_policy
from counterbench.suites.kinds import KindRules

STANDARD = load_policy()
RIGHT = PairCount(30)
CONTROLS = {"control": RIGHT}


def test_a_treatment_needs_more_pairs_beside_a_law_that_ran_out() -> None:
    treated = CONTROLS | {"treated/jpeg": PairCount(12)}
    assert InterimLook({"a/x": PairCount(40)}, treated, STANDARD, 1).next_pairs() == {}
    ran_out = {"a/x": PairCount(40), "b/x": PairCount(255, 45)}
    assert InterimLook(ran_out, treated, STANDARD, 1).next_pairs() == {"treated/jpeg": 2}


def test_laws_need_more_pairs_beside_a_kind_that_no_pair_can_decide() -> None:
    right = {"a/x": {"right": RIGHT}}
    rules = KindRules(rests={"a/x": ("right",)}, needed=("twice",))
    assert InterimLook({"a/x": RIGHT}, CONTROLS, STANDARD, 1, right).next_pairs() == {}
    assert InterimLook({"a/x": RIGHT}, CONTROLS, STANDARD, 1, right, rules).next_pairs() == {"a/x": 1}
