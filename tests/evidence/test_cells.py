"""Cells and laws from counts: verdicts by hand, which pairs come next, and that no look is missed."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sweeping import swept

from counterbench.evidence.cells import PairCount, cell_result, law_of, law_results, needed_e_value
from counterbench.evidence.document import LawResult
from counterbench.evidence.interim import STEP, InterimLook
from counterbench.evidence.policies import load_policy
from counterbench.stats.betting import hits_to_reach, log_evidence

STANDARD = load_policy("standard")
MIN_E = needed_e_value(STANDARD, 1)
RIGHT = PairCount(26)  # the least that shows the bound


def results_by_law(counts: dict[str, PairCount], attempt: int = 1) -> dict[str, LawResult]:
    least = needed_e_value(STANDARD, attempt)
    return law_results({cell: cell_result(count, STANDARD.ccs, least) for cell, count in counts.items()}, least)


def test_the_levels_of_all_attempts_sum_to_alpha() -> None:
    assert needed_e_value(STANDARD, 1) == pytest.approx(32.9, abs=0.01)
    assert needed_e_value(STANDARD, 3) == pytest.approx(9 * needed_e_value(STANDARD, 1))
    levels = sum(1 / needed_e_value(STANDARD, k) for k in range(1, 100_000))
    assert 0.04999 < levels <= STANDARD.alpha


@swept(
    ("right", "wrong", "verdict"),
    [
        (0, 0, "not-enough-evidence"),
        (25, 0, "not-enough-evidence"),
        (26, 0, "pass"),
        (45, 1, "pass"),
        (44, 1, "not-enough-evidence"),
        (255, 45, "not-enough-evidence"),  # at the bound
        (0, 3, "fail"),
        (20, 20, "fail"),
    ],
)
def test_a_cells_verdict_follows_from_its_counts(right: int, wrong: int, verdict: str) -> None:
    found = cell_result(PairCount(right, wrong), STANDARD.ccs, MIN_E)
    assert found.verdict == verdict
    assert (found.ccs.hits, found.ccs.of) == (right, right + wrong)
    assert math.log(found.evidence) == pytest.approx(log_evidence(right, wrong, 0.85))
    assert math.log(found.against) == pytest.approx(log_evidence(wrong, right, 0.15))


def test_a_cell_with_ten_thousand_hits_has_finite_evidence() -> None:
    found = cell_result(PairCount(10_000), STANDARD.ccs, MIN_E)
    assert math.isfinite(found.evidence)
    assert found.verdict == "pass"


def test_a_law_passes_with_all_its_cells_and_names_the_one_that_decides() -> None:
    assert law_of("rain-shadow/consistency") == "rain-shadow"
    passed = results_by_law({"a/x": RIGHT, "a/y": RIGHT})["a"]
    assert (passed.verdict, passed.cells, passed.decided_by) == ("pass", ["a/x", "a/y"], "")
    weak = results_by_law({"a/x": RIGHT, "a/y": PairCount(20)})["a"]
    assert (weak.verdict, weak.decided_by) == ("not-enough-evidence", "a/y")
    failed = results_by_law({"a/x": RIGHT, "a/y": PairCount(10, 10), "a/z": PairCount(1)})["a"]
    assert (failed.verdict, failed.decided_by) == ("fail", "a/y")


def test_a_lost_law_raises_the_evidence_that_the_others_need() -> None:
    """Alone 26 pairs are enough; beside one law that is lost, twice the threshold is to be reached."""
    beside = {"lost/x": PairCount(0, 9)}
    assert results_by_law({"a/x": RIGHT})["a"].verdict == "pass"
    assert results_by_law({"a/x": RIGHT, "b/x": RIGHT})["a"].verdict == "pass"
    assert results_by_law({"a/x": RIGHT} | beside)["a"].verdict == "not-enough-evidence"
    more = hits_to_reach(math.log(2 * MIN_E), 26, 0, STANDARD.ccs)
    assert results_by_law({"a/x": PairCount(26 + more)} | beside)["a"].verdict == "pass"
    assert results_by_law({"a/x": PairCount(25 + more)} | beside)["a"].verdict == "not-enough-evidence"


# ---- what is asked next


def test_every_cell_and_the_controls_begin_with_a_few_pairs() -> None:
    cells, controls = dict.fromkeys(["a/x", "a/y", "b/x"], PairCount()), {"control": PairCount()}
    assert InterimLook(cells, controls, STANDARD, 1).next_pairs() == dict.fromkeys([*cells, "control"], STEP)
    assert InterimLook(cells, controls, STANDARD, 1).pairs_left() == 4 * 26


def test_a_cell_is_asked_only_the_pairs_that_could_decide_it() -> None:
    cells = {"a/x": PairCount(20), "a/y": RIGHT}
    assert InterimLook(cells, {"control": RIGHT}, STANDARD, 1).next_pairs() == {"a/x": 6}
    assert InterimLook({"a/x": RIGHT}, {"control": RIGHT}, STANDARD, 1).next_pairs() == {}
    # Up to the policy's most.
    assert InterimLook({"a/x": PairCount(250, 45)}, {"control": RIGHT}, STANDARD, 1).next_pairs() == {"a/x": 5}
    assert InterimLook({"a/x": PairCount(255, 45)}, {"control": RIGHT}, STANDARD, 1).next_pairs() == {}


def test_a_lost_law_is_asked_no_more_and_other_laws_get_more_pairs() -> None:
    """That was shown already is shown again against twice the threshold."""
    cells = {"a/x": RIGHT, "lost/x": PairCount(0, 10), "lost/y": PairCount(5)}
    found = InterimLook(cells, {"control": RIGHT}, STANDARD, 1).next_pairs()
    assert found == {"a/x": hits_to_reach(math.log(2 * MIN_E), 26, 0, STANDARD.ccs)}


def test_nothing_more_is_asked_once_the_controls_fail() -> None:
    assert InterimLook({"a/x": PairCount(9)}, {"control": PairCount(0, 10)}, STANDARD, 1).next_pairs() == {}
    assert InterimLook({"a/x": PairCount(9)}, {"control": PairCount(0, 10)}, STANDARD, 1).pairs_left() == 0


def walk(truth: dict[str, float], attempt: int, chance: random.Random) -> tuple[dict[str, PairCount], int]:
    """The counts once nothing more is asked of a judge of this true CCS by cell, and how many looks it took."""
    counts, looks = dict.fromkeys(truth, PairCount()), 0
    while more := InterimLook(counts, {}, STANDARD, attempt).next_pairs():
        looks += 1
        for cell, n in more.items():
            assert 1 <= n <= STEP
            right = sum(chance.random() < truth[cell] for _ in range(n))
            counts[cell] = PairCount(counts[cell].right + right, counts[cell].wrong + n - right)
    return counts, looks


@given(
    st.integers(0, 2**32), st.lists(st.sampled_from([0.3, 0.85, 0.95, 1.0]), min_size=2, max_size=6), st.integers(1, 3)
)
def test_asking_ends_with_every_cell_decided(seed: int, shares: list[float], attempt: int) -> None:
    truth = {f"{'abc'[i // 2]}/{i % 2}": share for i, share in enumerate(shares)}
    counts, looks = walk(truth, attempt, random.Random(seed))
    assert looks <= 2 * STANDARD.most / STEP + 60
    assert [count for count in counts.values() if count.pairs > STANDARD.most] == []
    found = results_by_law(counts, attempt)
    for law in found.values():
        assert law.verdict != "not-enough-evidence" or any(counts[cell].pairs == STANDARD.most for cell in law.cells)


@given(st.integers(0, 40), st.integers(0, 5))
def test_asking_in_blocks_misses_no_earlier_decision(right: int, wrong: int) -> None:
    """Within a block it never is, whatever comes: so asking in blocks costs no pair."""
    found = InterimLook({"a/x": PairCount(right, wrong)}, {}, STANDARD, 1).next_pairs()
    for n in range(1, found.get("a/x", 0)):
        assert cell_result(PairCount(right + n, wrong), STANDARD.ccs, MIN_E).verdict != "pass"
