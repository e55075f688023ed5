"""Rounds: one pair of each cell, controls left out; of a suite without end, of chosen pairs while there are any."""

from collections import Counter

from planted_runs import source_of

from counterbench.suites.rounds import Rounds
from counterbench.suites.sources import Source, cells_of


def ids(source: Source) -> list[str]:
    return [pair.id for pair in source]


def test_every_round_of_a_suite_has_a_pair_of_each_cell_and_no_control() -> None:
    rounds, cells = Rounds(source_of("certify")), cells_of(source_of("certify").suite)
    taken = Counter(pair.cell or f"{pair.family}/{pair.form}" for pair in rounds.pairs(3, 5))
    assert taken == dict.fromkeys((name for name, cell in cells.items() if not cell.control), 2)


def test_rounds_asked_for_in_parts_equal_those_asked_for_at_once() -> None:
    rounds = Rounds(source_of("smoke"))
    assert ids(rounds.pairs(0, 2)) + ids(rounds.pairs(2, 5)) == ids(rounds.pairs(0, 5))


def test_rounds_may_be_limited_to_some_families() -> None:
    rounds = Rounds(source_of("certify"), ["counting", "arrow"])
    assert {pair.family for pair in rounds.pairs(0, 1)} == {"counting", "arrow"}
    assert rounds.longest == 4


def test_chosen_pairs_come_in_rounds_until_each_cell_is_used_up() -> None:
    source = source_of("counterbench-550")
    chosen = [pair for pair in source if pair.family in ("arrow", "spatial")]
    among = {pair.id for pair in chosen if pair.family == "arrow" or pair.index < 50}
    rounds = Rounds(source, among=among)
    pairs = list(rounds.pairs(0, 60))
    assert {pair.id for pair in pairs} == among
    assert [pair.family for pair in pairs[:4]] == ["spatial", "arrow"] * 2
    assert (rounds.longest, rounds.whole(67), rounds.whole(68), rounds.whole(69)) == (2, 33, 34, 35)


def test_a_picked_source_draws_as_the_whole_does() -> None:
    source = source_of("smoke")
    first = next(iter(source))
    picked = Rounds(source, among={first.id}).pairs(0, 1)
    assert [picture.digest for picture in picked.pictures(first)] == [p.digest for p in source.pictures(first)]
    assert (picked.digest, picked.domain, picked.continues(source.digest, 1)) == (source.digest, source.domain, True)
