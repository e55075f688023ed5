"""The verdict on a ranking, from what was tried, where, and what speaks against the judge."""

import pytest

from counterbench.t2i.verdict import verdict_line, verdict_on


@pytest.mark.parametrize(
    ("tried", "on_pictures", "verdict"),
    [(0.94, True, "supported"), (0.9, True, "supported"), (0.89, True, "in part"), (1, False, "in part"),
     (0, True, "not supported")],
)  # fmt: skip
def test_nine_tenths_on_these_pictures_are_supported_and_nothing_is_not(
    tried: float, on_pictures: bool, verdict: str
) -> None:
    assert verdict_on([], tried, on_pictures)[0] == verdict


def test_what_speaks_against_the_judge_ends_it_and_is_the_reason() -> None:
    assert verdict_on(["it contradicted itself", "more"], 1, True) == ("not supported", "it contradicted itself")


def test_lost_replies_leave_a_part_and_are_named() -> None:
    assert verdict_on([], 1, True, ["5 of 65 questions unparsed"]) == (
        "in part",
        "the judge was shown to see 100 % of what the questions ask; 5 of 65 questions unparsed",
    )


def test_the_first_line_is_a_sentence() -> None:
    line = verdict_line(*verdict_on([], 0.94, True))
    assert line == "Supported: the judge was shown to see 94 % of what the questions ask, on these pictures."
