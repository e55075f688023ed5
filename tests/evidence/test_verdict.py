"""The verdict on a ranking, from what was tried, where, and what speaks against the judge."""

import pytest
from sweeping import swept

from counterbench.evidence.verdict import COMPARED, Shown, verdict_line, verdict_on


@swept(
    ("tried", "shown_on", "verdict"),
    [(0.94, "stickers", "supported"), (0.9, "labels", "supported"), (0.89, "labels", "in part"),
     (1, "nothing else", "in part"), (0, "labels", "not supported")],
)  # fmt: skip
def test_a_judge_tried_on_nine_tenths_of_the_pictures_is_supported(tried: float, shown_on: Shown, verdict: str) -> None:
    assert verdict_on([], tried, shown_on)[0] == verdict


def test_a_finding_against_the_judge_is_not_supported_with_that_reason() -> None:
    assert verdict_on([], 1, "nothing else", compares=True) == ("in part", COMPARED)
    assert verdict_on(["it contradicted itself", "more"], 1, "labels") == ("not supported", "it contradicted itself")


def test_lost_replies_give_a_verdict_in_part_and_are_counted() -> None:
    assert verdict_on([], 1, "labels", ["5 of 65 questions unparsed"]) == (
        "in part",
        "the judge was shown to see 100 % of what the questions ask; 5 of 65 questions unparsed",
    )


@pytest.mark.parametrize(
    ("shown_on", "where"),
    [
        ("labels", "on these pictures"),
        ("stickers", "on drawings and on stickers on these pictures"),
        ("drawn alike", "on pictures drawn as these are"),
    ],
)
def test_the_first_line_says_which_pictures_the_judge_was_tested_on(shown_on: Shown, where: str) -> None:
    line = verdict_line(*verdict_on([], 0.94, shown_on))
    assert line == f"Supported: the judge was shown to see 94 % of what the questions ask, {where}."
