"""Rows of judged checks: put together by id in any order, and refused where they contradict one another."""

import math
import random

import pytest
from pictures.judged import LEVELS, check, right, usual

from counterbench.errors import InputError
from counterbench.pictures.scores.results import CheckResult, group_results, joined


def group_rows(name: str, **fields: object) -> list[CheckResult]:
    return [row for level in LEVELS for row in right(group=name, level=level, **fields)]


def test_the_order_of_the_rows_does_not_change_the_results() -> None:
    rows = group_rows("b", law="lift") + group_rows("a", law="fall")
    rows += usual(group="a", level="l2", sample=1, law="fall")
    shuffled = rows.copy()
    random.Random(4).shuffle(shuffled)
    found = group_results(shuffled, LEVELS)
    assert found == group_results(rows, LEVELS)
    assert [result.name for result in found] == ["a", "b"]
    assert [picture.id for picture in found[0].pictures["l2"].values()] == ["a/l2/0", "a/l2/1"]


def test_a_group_of_two_laws_and_a_credit_that_is_no_number_are_refused() -> None:
    with pytest.raises(InputError, match="'a': its rows have different values of 'law': fall, lift"):
        group_results(group_rows("a", law="fall") + right(group="a", sample=1, law="lift"), LEVELS)
    with pytest.raises(InputError, match="g/l1/0, check 'point': a credit of nan"):
        check(credit=math.nan)


def test_a_point_of_several_parts_needs_every_part_right() -> None:
    def joint(must: float, must_not: float) -> float | None:
        parts = [check(check="a", point="p", expected="no", credit=must_not), check(check="b", point="p", credit=must)]
        (row,) = joined(parts)
        return row.credit

    assert [joint(1, 1), joint(1, 0), joint(0, 1), joint(0, 0)] == [1, 0, 0, 0]
