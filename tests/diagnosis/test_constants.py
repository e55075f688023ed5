"""The constants that decide which fault is named: just above each it is named, just below it is not."""

import numpy as np
import pytest
from handmade import DECLINES, FAILS, MISSING, faults_named, pair, run_results

from counterbench.diagnosis.diagnose import item_problems, notes
from counterbench.diagnosis.residuals import find_residuals
from counterbench.diagnosis.symptoms import has_symptoms, is_a_bias
from counterbench.results.results import PairResult, RunResults

COLOURS = ("red", "blue")
YES_NO = ("yes", "no")


def coloured(hits: int, n: int, wrong: tuple[str, str] = ("green", "green"), **fields: object) -> list[PairResult]:
    """So many pairs of colours, `hits` of them answered so and the others rightly."""
    name = str(fields.get("skill", ""))
    return [pair(COLOURS, wrong if i < hits else COLOURS, id=f"{name}{i}", kind="colour", **fields) for i in range(n)]


def yes_no(*replies_and_counts: tuple[tuple[str, str], int], **fields: object) -> list[PairResult]:
    """Yes/no pairs by what was replied, with how many."""
    return [
        pair(YES_NO, replies, id=f"{fields.get('skill', '')}{replies}{i}", **fields)
        for replies, count in replies_and_counts
        for i in range(count)
    ]


def places(pairs: list[PairResult], blame: float = 1) -> list[dict[str, str]]:
    lost = np.array([blame * (not pair.consistent) for pair in pairs])
    return [found.where for found in find_residuals(pairs, lost)]


@pytest.mark.parametrize(("elsewhere", "is_named"), [(46, True), (54, False)])  # 2.2 times, 1.9 times
def test_a_residual_loses_at_least_twice_as_many_pairs_as_the_rest(elsewhere: int, is_named: bool) -> None:
    pairs = [*coloured(100, 300, skill="s"), *coloured(elsewhere, 300, skill="t")]
    assert places(pairs) == ([{"skill": "s"}] if is_named else [])


@pytest.mark.parametrize(("blame", "is_named"), [(0.45, False), (0.55, True)])
def test_a_pair_is_unexplained_if_faults_take_less_than_half_of_the_blame(blame: float, is_named: bool) -> None:
    assert bool(places([*coloured(30, 60, skill="s"), *coloured(0, 60, skill="t")], blame)) == is_named


@pytest.mark.parametrize(("n", "is_named"), [(11, True), (12, False)])  # p = .0040 and .0054, of two descriptions
def test_a_residual_needs_a_p_below_half_a_percent(n: int, is_named: bool) -> None:
    assert bool(places([*coloured(3, n, skill="s"), *coloured(0, 80 - n, skill="t")])) == is_named


@pytest.mark.parametrize(("other", "is_one"), [(4, True), (6, False)])
def test_a_bias_needs_one_word_in_95_of_a_hundred_replies(other: int, is_one: bool) -> None:
    assert is_a_bias(yes_no((("yes", "yes"), 100 - other), (("no", "no"), other))) == is_one


@pytest.mark.parametrize(("alike", "is_one"), [(9, False), (10, True)])
def test_a_bias_needs_ten_pairs(alike: int, is_one: bool) -> None:
    assert is_a_bias(yes_no((("yes", "yes"), alike), (YES_NO, 50))) == is_one


@pytest.mark.parametrize(("hits", "count", "plain"), [(0, 4, True), (0, 5, False), (1, 26, False), (1, 25, True)])
def test_blindness_in_a_skill_needs_five_pairs_and_a_minimum_share(hits: int, count: int, plain: bool) -> None:
    pairs = [*coloured(9, 9, skill="s"), *coloured(hits, count, skill="t"), *coloured(hits, count, skill="u")]
    blame = np.array([float(not pair.consistent) for pair in pairs])
    assert has_symptoms("blind", pairs, blame, 0.04) == plain


@pytest.mark.parametrize(("easy", "plain"), [(35, False), (36, True)])  # p = .0008 and .0014, of two dials
def test_blindness_follows_a_difficulty_below_a_p_of_one_in_a_thousand(easy: int, plain: bool) -> None:
    pairs = [*coloured(60, 100, difficulty={"gap": 1}), *coloured(easy, 100, difficulty={"gap": 2})]
    assert has_symptoms("blind", pairs, np.ones(200), 0.04) == plain


@pytest.mark.parametrize(("alike", "plain"), [(13, False), (14, True)])  # 2 to the power of -13 and -14
def test_a_lean_needs_a_p_below_one_in_ten_thousand(alike: int, plain: bool) -> None:
    sticky = coloured(alike, 40, wrong=("red", "red"))
    biased = [*yes_no((("no", "no"), 40), skill="s"), *yes_no((("no", "no"), alike), (YES_NO, 400), skill="t")]
    assert has_symptoms("sticky", sticky, np.zeros(40), 0.04) == plain
    assert has_symptoms("no-bias", biased, np.zeros(len(biased)), 0.04) == plain


@pytest.mark.parametrize(("wrong", "plain"), [(6, False), (7, True)])  # p = .0008 and .002
def test_a_bias_of_one_skill_needs_a_p_below_one_in_a_thousand(wrong: int, plain: bool) -> None:
    pairs = [
        *yes_no((("no", "no"), 20), (YES_NO, 20), skill="s"),
        *yes_no((("no", "no"), wrong), (YES_NO, 40 - wrong), skill="t"),
    ]
    assert has_symptoms("no-bias", pairs, np.zeros(80), 0.04) == plain


@pytest.mark.parametrize(("one_off", "plain"), [(7, False), (8, True)])
def test_off_by_one_needs_two_thirds_of_the_wrong_counts(one_off: int, plain: bool) -> None:
    pairs = [pair(("4", "5"), ("4", "6" if i < one_off else "9"), id=str(i), kind="integer") for i in range(12)]
    assert has_symptoms("off-by-one", pairs, np.zeros(12), 0.04) == plain


@pytest.mark.parametrize(("n", "is_noted"), [(99, True), (100, False)])
def test_a_note_says_that_fewer_than_a_hundred_pairs_are_few(n: int, is_noted: bool) -> None:
    assert any(f"only {n} relevant pairs" in note for note in notes(run_results(coloured(0, n)))) == is_noted


@pytest.mark.parametrize(("reply", "whole"), [("yes", True), (DECLINES, True), (FAILS, False), (MISSING, False)])
def test_a_run_is_complete_if_every_question_has_a_reply(reply: str | None, whole: bool) -> None:
    run = run_results([*yes_no((YES_NO, 100), skill="s"), pair(YES_NO, ("yes", reply))])
    assert (run.complete, any("incomplete" in note for note in notes(run))) == (whole, not whole)


@pytest.mark.parametrize(("hits", "found"), [(36, []), (46, ["sticky"])])
def test_a_fault_needs_a_dose_of_four_percent(hits: int, found: list[str]) -> None:
    pairs = []
    for i in range(1000):
        first, second = YES_NO if i % 2 else YES_NO[::-1]
        pairs.append(pair((first, second), (first, first if i < hits else second), id=str(i)))
    assert faults_named(pairs) == found


@pytest.mark.parametrize(("hits", "found"), [(7, []), (8, ["colour-confusion"])])  # p = .00018 and .00004
def test_a_fault_needs_a_p_below_one_in_ten_thousand(hits: int, found: list[str]) -> None:
    neighbours = ({"colour-confusion": "orange"}, {"colour-confusion": "green"})
    words = ["orange"] * hits + ["pink"] * 4 + ["red"] * (36 - hits)
    more = {"kind": "colour", "misreadings": neighbours}
    assert faults_named([pair(COLOURS, (word, "blue"), id=str(i), **more) for i, word in enumerate(words)]) == found


@pytest.mark.parametrize(("hits", "found"), [(16, []), (17, ["refusing"])])  # of 1,000 certainly .0099 and .0106
def test_a_loss_is_named_above_one_percent_of_all_replies(hits: int, found: list[str]) -> None:
    assert faults_named(coloured(hits, 500, (DECLINES, "blue"))) == found


@pytest.mark.parametrize(("hits", "found"), [(9, []), (10, ["refusing"])])  # of 100 certainly .048 and .055
def test_a_loss_is_named_above_five_percent_of_a_family(hits: int, found: list[str]) -> None:
    pairs = coloured(hits, 50, (DECLINES, "blue"), family="g", skill="s")
    assert faults_named([*pairs, *coloured(0, 2000, skill="t")]) == found


def test_agreement_of_judges_needs_six_of_eight() -> None:
    def runs(wrong: int, n: int) -> list[RunResults]:
        return [run_results(coloured(i < wrong, 1, ("red", "pink")), str(i)) for i in range(n)]

    assert [problem.kind for problem in item_problems(runs(5, 7))] == []
    assert [problem.kind for problem in item_problems(runs(6, 8))] == ["agreed"]
