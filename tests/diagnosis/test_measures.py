"""Measures against tables worked by hand."""

from itertools import pairwise

from handmade import DECLINES, FAILS, MISSING, RAMBLES, pair
from hypothesis import given
from hypothesis import strategies as st

from counterbench.diagnosis.measures import MAX_BINS, bins, difficulties, measure


def test_flips_count_for_relevant_and_irrelevant_pairs_apart() -> None:
    found = measure(
        [
            pair(("yes", "no"), ("yes", "no")),
            pair(("yes", "no"), ("no", "yes")),  # wrong twice, but it flips
            pair(("yes", "no"), ("yes", "yes")),
            pair(("yes", "no"), ("yes", RAMBLES)),  # not answered twice
            pair(("yes", "yes"), ("yes", "no")),
            pair(("yes", "yes"), ("no", "no")),
            pair(("yes", "yes"), ("yes", FAILS)),
        ]
    )
    assert (found.flips.hits, found.flips.of) == (2, 3)
    assert (found.false_flips.hits, found.false_flips.of) == (1, 2)


def test_the_yes_share_counts_answered_yes_no_questions() -> None:
    found = measure(
        [
            pair(("yes", "no"), ("yes", "yes")),
            pair(("yes", "no"), (DECLINES, "yes")),
            pair(("red", "blue"), ("red", "blue"), kind="colour"),
        ]
    ).yes
    assert (found.said.hits, found.said.of) == (3, 3)
    assert (found.true.hits, found.true.of) == (1, 3)


def test_wrong_counts_and_colours_are_tabled_in_order() -> None:
    found = measure(
        [
            pair(("10", "9"), ("9", "9"), kind="integer"),
            pair(("2", "3"), ("2", "4"), kind="integer"),
            pair(("blue", "red"), ("blue", "orange"), kind="colour"),
            pair(("red", "blue"), ("red", "purple"), kind="colour"),
        ]
    )
    assert found.counts == {"2": {"2": 1}, "3": {"4": 1}, "9": {"9": 1}, "10": {"9": 1}}
    assert list(found.counts) == ["2", "3", "9", "10"]
    assert found.colours == {"red": {"red": 1, "orange": 1}, "blue": {"blue": 1, "purple": 1}}
    assert list(found.colours) == ["red", "blue"]


def test_lost_replies_are_counted_by_family() -> None:
    found = measure(
        [
            pair(("yes", "no"), (RAMBLES, DECLINES), family="a"),
            pair(("yes", "no"), (FAILS, MISSING), family="b"),
            pair(("yes", "no"), ("yes", "no"), family="c"),
        ]
    ).lost
    assert found == {"a": {"unparsed": 1, "refused": 1, "failed": 0}, "b": {"unparsed": 0, "refused": 0, "failed": 1}}


points = st.lists(st.tuples(st.integers(0, 60), st.booleans()), min_size=1, max_size=200)


@given(points)
def test_bins_hold_every_pair_once_and_never_split_a_value(given_points: list[tuple[int, bool]]) -> None:
    found = bins(given_points)
    assert sum(b.ccs.of for b in found) == len(given_points)
    assert sum(b.ccs.hits for b in found) == sum(right for _, right in given_points)
    assert len(found) <= MAX_BINS
    for this, next_ in pairwise(found):
        assert this.low <= this.high < next_.low
    for value, _ in given_points:
        assert sum(b.low <= value <= b.high for b in found) == 1


def test_few_values_get_a_bin_each() -> None:
    found = bins([(1, True), (1, False), (4, True), (9, False)])
    assert [(b.low, b.high, b.ccs.hits, b.ccs.of) for b in found] == [(1, 1, 1, 2), (4, 4, 1, 1), (9, 9, 0, 1)]


def test_only_relevant_pairs_with_two_replies_count() -> None:
    made = [
        pair(("yes", "no"), ("yes", "no"), difficulty={"gap": 1, "same": 5}),
        pair(("yes", "no"), ("yes", "yes"), difficulty={"gap": 2, "same": 5}),
        pair(("yes", "no"), ("yes", FAILS), difficulty={"gap": 3, "same": 5}),
        pair(("yes", "yes"), ("yes", "yes"), difficulty={"gap": 4, "same": 5}),
    ]
    (found,) = difficulties(made)
    assert (found.family, found.parameter) == ("f", "gap")
    assert [(b.low, b.ccs.value) for b in found.bins] == [(1, 1.0), (2, 0.0)]
