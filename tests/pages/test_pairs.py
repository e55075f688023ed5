"""A pair's card: what each judge said, how it was read, and which outcomes it counts among."""

import pytest
from handmade import DECLINES, FAILS, MISSING, RAMBLES, pair

from counterbench.pages.page import OUTCOMES, pair_card


@pytest.mark.parametrize(
    ("truths", "replies", "outcomes"),
    [
        (("yes", "no"), ("yes", "no"), ["right"]),
        (("yes", "no"), ("yes", "yes"), ["wrong", "collapsed"]),
        (("yes", "no"), ("no", "yes"), ["wrong"]),
        (("yes", "yes"), ("yes", "yes"), ["right"]),
        (("yes", "yes"), ("no", "no"), ["wrong"]),
        (("yes", "yes"), ("yes", "no"), ["wrong", "unstable"]),
        (("yes", "no"), ("yes", RAMBLES), ["unparsed"]),
        (("yes", "no"), ("no", RAMBLES), ["wrong", "unparsed"]),
        (("yes", "no"), (DECLINES, "no"), ["refused"]),
        (("yes", "no"), (FAILS, "no"), ["failed"]),
        (("yes", "no"), (FAILS, DECLINES), ["refused", "failed"]),
    ],
)
def test_outcomes(truths: tuple[str, str], replies: tuple[str | None, str | None], outcomes: list[str]) -> None:
    result = pair(truths, replies)
    raw = {key.id: ["[no reply]"] for key in result.keys}
    card = pair_card("p", [result], [raw])
    assert card.judges[0].outcomes == outcomes
    assert set(outcomes) <= set(OUTCOMES)
    assert card.truth == truths
    assert card.relevant == (truths[0] != truths[1])


def test_a_question_that_was_not_asked_is_missing() -> None:
    card = pair_card("p", [pair(("yes", "no"), ("yes", MISSING))], [{}])
    assert card.judges[0].outcomes == ["missing"]
    assert card.judges[0].intervened.outcome == "missing"
    assert card.judges[0].original.right


def test_judges_keep_their_order_and_their_words() -> None:
    one, other = pair(("3", "4"), ("3", "4"), kind="integer"), pair(("3", "4"), ("3", "3"), kind="integer")
    ids = [key.id for key in one.keys]
    said = [{ids[0]: ["three"], ids[1]: ["four"]}, {ids[0]: ["3"], ids[1]: ["It is three."]}]
    card = pair_card("p", [one, other], said)
    assert [judge.intervened.said for judge in card.judges] == [["four"], ["It is three."]]
    assert [judge.intervened.right for judge in card.judges] == [True, False]
    assert card.judges[1].intervened.read == "3"
