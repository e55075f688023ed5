"""Numbers of judges beside people: equal to values by hand; thresholds that are chosen on other pictures."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sweeping import swept

from counterbench.pictures.comparing.joined_rows import JoinedPreference
from counterbench.pictures.comparing.people_numbers import answers, differences, ordered, thresholds
from counterbench.pictures.comparing.preferences import Preference, decisions, preferred
from counterbench.stats.agreement import pearson


def test_agreement_in_answers_equals_values_by_hand() -> None:
    """Yes by both 3, by people alone 1, by the judge alone 1, by neither 5."""
    found = answers([True] * 4 + [False] * 6, [True, True, True, False, True, *[False] * 5])
    shares = [(share.hits, share.of) for share in (found.accuracy, found.sensitivity, found.specificity)]
    assert (shares, found.f1) == ([(8, 10), (3, 4), (5, 6)], 0.75)
    assert found.balanced_accuracy == pytest.approx((3 / 4 + 5 / 6) / 2)
    assert (found.sensitivity.low, found.sensitivity.high) == pytest.approx((0.19412, 0.99369), abs=1e-5)  # R's
    assert answers([True], [True]).balanced_accuracy is None
    assert answers([False], [False]).f1 is None
    assert answers([], []).accuracy.value is None


def test_pearson_equals_values_by_hand() -> None:
    assert ordered([1, 2, 3, 4], [1, 3, 2, 5]).pearson == pytest.approx(5.5 / (5 * 8.75) ** 0.5)
    for series in ([], [1.0], [2.0, 2.0], [1e-200, 2e-200]):
        assert pearson(series, list(range(len(series)))) is None


def test_differences_have_their_share_near_0_and_bins() -> None:
    people, judge = [0.5] * 6, [0.5, 0.625, 0.375, 0.75, 0, 1]
    found = differences([*people, 0], [*judge, 1], list("abcdefg"))
    assert found.bins == [0, 0, 1, 0, 3, 1, 1, 0, 1]
    assert (found.within.hits, found.within.of) == (3, 7)
    assert found.mean.value == pytest.approx((0.125 - 0.125 + 0.25 - 0.5 + 0.5 + 1) / 7)
    assert found.quartiles == [-0.0625, 0.125, 0.375]
    assert (found.mean.low, found.pictures) == (None, 7)  # of fewer than twelve clusters


def test_thresholds_have_the_rows_of_cf_worlds_table_4() -> None:
    """People pass from a true score of .5 on, and the judge sees the true score: each row is a share by hand."""
    scores = [n / 20 for n in range(21)]
    found = thresholds(scores, scores, [f"g{n}" for n in range(21)])
    assert found is not None
    assert [row.threshold for row in found.rows] == [0.3, 0.4, 0.5, 0.6, 0.7]
    assert [row.accuracy.hits for row in found.rows] == [17, 19, 21, 19, 17]
    assert [row.f1 for row in found.rows] == pytest.approx([22 / 26, 22 / 24, 1, 18 / 20, 14 / 18])
    assert (found.accuracy, found.threshold, found.accuracy_there) == (1, 0.5, 1)
    assert thresholds([0.5, 1], [0.1, 0.2], ["a", "b"]) is None  # people pass both


def test_a_strict_judge_has_a_lower_threshold_on_pictures_that_did_not_choose_it() -> None:
    people = [n / 40 for n in range(41)]
    found = thresholds(people, [number / 2 for number in people], [f"g{n // 2}" for n in range(41)])
    assert found is not None
    assert found.held_out is not None
    assert found.threshold == 0.25
    assert len(found.chosen) == 10
    assert found.chosen[0] == 0.25
    assert found.chosen[-1] <= 0.275  # where the fold with the lowest passing pictures is left out
    assert (found.accuracy, found.held_out.accuracy.of) == (0.5 + 1 / 42, 41)
    assert (found.held_out.balanced_accuracy or 0) > 0.9


@given(st.permutations(range(12)))
def test_thresholds_do_not_depend_on_the_order_of_pictures(order: list[int]) -> None:
    people, scores = [n % 5 / 4 for n in range(12)], [n % 7 / 6 for n in range(12)]
    groups = [f"g{n // 2}" for n in range(12)]
    series = [[values[n] for n in order] for values in (people, scores, groups)]
    assert thresholds(*series) == thresholds(people, scores, groups)  # type: ignore[arg-type]


def test_a_group_of_prompts_is_never_judged_by_a_threshold_of_its_own() -> None:
    """All pictures that pass are of one group: without it no threshold can be chosen."""
    found = thresholds([1, 1, 0, 0], [0.9, 0.8, 0.1, 0.2], ["a", "a", "b", "c"])
    assert found is not None
    assert (found.held_out, found.chosen, found.accuracy) == (None, [], 1)


@swept(
    ("words", "expected"),
    [
        (("first", "first", "second"), 1),
        (("first", "equal", "equal"), 0),
        (("first", "second", "equal"), 0),  # split
        (("second", "second", "first", "equal"), 0),  # two of four are no majority
        (("second", "second", "second", "equal"), -1),
    ],
)
def test_more_than_half_of_the_raters_decide_a_preference(words: Sequence[str], expected: int) -> None:
    """In either order of the two models."""
    for turned in (False, True):
        models, other = (("b", "a"), {"first": "second", "second": "first"}) if turned else (("a", "b"), {})
        rows = [Preference("s", *models, other.get(word, word), f"r{n}", "line 2") for n, word in enumerate(words)]
        ((place, (better, _)),) = decisions(rows, {"s": ["s"]}).items()
        assert (place, better) == (("s", "a", "b"), expected)


def test_the_interval_of_differences_is_over_clusters() -> None:
    """Twenty pictures of each of twelve clusters, all alike, tell no more than one of each."""
    change = [0.1 * (n % 3) for n in range(12)]
    often = [value for value in change for _ in range(20)]
    single = differences([0.0] * 12, change, [f"c{n}" for n in range(12)]).mean
    twenty = differences([0.0] * 240, often, [f"c{n // 20}" for n in range(240)]).mean
    assert (twenty.low, twenty.high) == pytest.approx((single.low, single.high))
    assert (differences([0.0] * 240, often, [f"c{n}" for n in range(240)]).mean.high or 0) < (single.high or 0)


def test_preferences_equal_values_by_hand() -> None:
    """Of the six pairs of the four rows one is tied by people, four are in the same order, one is turned."""
    leads = [(1, 0.5), (1, -0.2), (-1, -0.3), (0, 0.0), (1, None)]
    rows = [JoinedPreference(about=None, better=better, lead=lead, where="x") for better, lead in leads]
    found = preferred(rows)
    assert (found.right.hits, found.right.of, found.tied, found.equal, found.lost) == (2, 3, 0, 1, 1)
    assert (found.strict, found.accuracy, found.epsilon) == (0.75, 0.75, 0)
    assert found.tau_b == pytest.approx(3 / (5 * 6) ** 0.5)
    assert preferred([]).strict is None
