"""Suites cell by cell: the first so many items of each, the same that the suite has, and one digest for all of them."""

from collections import Counter

import pytest

from counterbench.suites.sources import CellSource, SuiteSource, cells_digest, cells_of, in_turn
from counterbench.suites.suite import load_suite

SMOKE = load_suite("smoke")


@pytest.mark.parametrize("suite", ["smoke", "laws"])
def test_a_suites_first_items_are_the_first_of_its_cells(suite: str) -> None:
    """So that a plain run goes on cell by cell."""
    loaded = load_suite(suite)
    plain = list(SuiteSource(loaded, 60))
    counts = Counter(pair.cell for pair in plain)
    assert counts.keys() <= cells_of(loaded).keys()
    by_cells = CellSource(loaded, in_turn(counts))
    assert sorted(pair.id for pair in by_cells) == sorted(pair.id for pair in plain)
    assert [pair.cell for pair in by_cells] == in_turn(counts)


def test_further_items_begin_where_the_first_ended() -> None:
    order = in_turn({"counting/open": 3, "spatial/yes-no": 1})
    assert order == ["counting/open", "spatial/yes-no", "counting/open", "counting/open"]
    more = ["spatial/yes-no", "counting/open"]
    whole = [pair.id for pair in CellSource(SMOKE, order + more)]
    assert [pair.id for pair in CellSource(SMOKE, order)] == whole[:4]
    assert [pair.id for pair in CellSource(SMOKE, more, Counter(order))] == whole[4:]
    assert len(CellSource(SMOKE, more, Counter(order))) == 2
    assert len(set(whole)) == len(whole)
    assert in_turn({}) == []


def test_the_digest_is_the_same_for_any_number_of_items() -> None:
    few, more = CellSource(SMOKE, ["counting/open"]), CellSource(SMOKE, ["counting/open", "spatial/yes-no"])
    assert few.digest == more.digest == cells_digest(SMOKE) != SMOKE.digest
    others = {cells_digest(s) for s in (SMOKE, SMOKE.reseeded(9), SMOKE.sized(256), load_suite("certify"))}
    assert len(others) == 4
    assert few.continues(more.digest, 2)
    assert few.continues(SuiteSource(SMOKE, 5).digest, 5)
    assert few.continues(SMOKE.digest, len(SMOKE))
    assert not SuiteSource(SMOKE).continues(few.digest, 1)
    assert not few.continues(SMOKE.reseeded(9).digest, len(SMOKE))
