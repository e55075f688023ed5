"""Rows of judged checks: put together by id whatever their order, and refused where they contradict one another."""

from __future__ import annotations

import math
import random

import pytest
from t2i.judged import LEVELS, check, right, usual

from counterbench.errors import InputError
from counterbench.t2i.scores.results import CheckResult, group_results, joined


def group(name: str, **fields: object) -> list[CheckResult]:
    return [row for level in LEVELS for row in right(group=name, level=level, **fields)]


def test_the_order_of_the_rows_means_nothing() -> None:
    rows = group("b", law="lift") + group("a", law="fall") + usual(group="a", level="l2", sample=1, law="fall")
    shuffled = rows.copy()
    random.Random(4).shuffle(shuffled)
    found = group_results(shuffled, LEVELS)
    assert found == group_results(rows, LEVELS)
    assert [each.name for each in found] == ["a", "b"]
    assert [picture.id for picture in found[0].pictures["l2"].values()] == ["a/l2/0", "a/l2/1"]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (group("a") + right(group="a", level="l4"), "a/l4/0, check 'visual-integrity': unknown level 'l4'"),
        (group("a") + right(group="a"), "a/l1/0, check 'visual-integrity': there are two rows of it"),
        ([*group("a"), check(group="a", check="x", credit=None, picture="blank")], "'a/l1/0' is blank and ok at once"),
        (group("a", law="fall") + right(group="a", sample=1, law="lift"), "different values of 'law': fall, lift"),
        ([check(level=level, weight=0) for level in LEVELS], "'g/l1/0': the weights of its checks sum to 0"),
    ],
)
def test_what_contradicts_itself_is_refused(rows: list[CheckResult], message: str) -> None:
    with pytest.raises(InputError) as caught:
        group_results(rows, LEVELS)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"outcome": "failed"}, "a credit for an outcome that is failed"),
        ({"outcome": "unparsed"}, "a credit for an outcome that is unparsed"),
        ({"picture": "missing", "outcome": "unasked"}, "a credit for a picture that is missing"),
        ({"credit": math.nan}, "a credit of nan"),
        ({"weight": -1.0}, "a weight of -1.0"),
        ({"weight": math.inf}, "a weight of inf"),
    ],
)
def test_an_instrument_s_failure_cannot_have_a_credit(fields: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=f"g/l1/0, check 'point': {message}"):
        check(**fields)


def test_a_point_that_must_be_so_in_part_and_not_in_part_is_right_where_each_part_is() -> None:
    def joint(must: float, must_not: float) -> float | None:
        parts = [check(check="a", point="p", expected="no", credit=must_not), check(check="b", point="p", credit=must)]
        (row,) = joined(parts)
        return row.credit

    assert [joint(1, 1), joint(1, 0), joint(0, 1), joint(0, 0)] == [1, 0, 0, 0]
