"""Picture kinds: a judge that does not see one of them is admitted to no law, however well it does on the average."""

import functools

import pytest
from planted_runs import keys_of_cells, records, write_cells_run

from counterbench.certificate.cells import (
    STEP,
    Count,
    Look,
    cell_result,
    kind_results,
    law_results,
    pooled,
    threshold,
)
from counterbench.certificate.findings import Findings, findings
from counterbench.certificate.issue import certify, problems
from counterbench.certificate.policies import load_policy
from counterbench.scoring.results import pair_results
from counterbench.t2i.judging.admission import barred

STANDARD = load_policy()
LEAST = threshold(STANDARD, 1)
LAWS = ("falling", "wind", "frost", "mirrors")
RIGHT = Count(30)
CONTROLS = {"control": RIGHT}


@functools.cache
def shown(judge: str) -> Findings:
    known = keys_of_cells("laws", LAWS, 30)
    return findings(list(pair_results(known, records(f"planted:{judge}", known), "default")), STANDARD, LEAST)


def test_a_judge_that_binds_no_colour_to_a_thing_is_admitted_to_nothing() -> None:
    found = shown("bag-of-words")
    assert found.kinds["swapped"].verdict == "fail"
    assert found.admitted == []
    right = [cell.ccs.hits / cell.ccs.of for cell in found.cells.values()]
    assert sum(share > STANDARD.ccs for share in right) > len(right) / 2  # the averages of cells hide it
    others = {name for name, kind in found.kinds.items() if kind.verdict == "pass"}
    assert {"prior", "start", "damaged", "missing", "twice", "bare", "recoloured"} <= others


def test_the_oracle_passes_in_every_kind_and_is_admitted() -> None:
    found = shown("oracle")
    assert {kind.verdict for kind in found.kinds.values()} == {"pass"}
    assert {"right", "prior", "fracture", "neither", "start", "stray"} <= found.kinds.keys()
    assert {"missing", "recoloured", "swapped", "twice", "bare", "damaged", "stranger"} <= found.kinds.keys()
    assert found.admitted == sorted(LAWS)


def test_the_kind_is_that_of_the_picture() -> None:
    """Of pictures that are told apart by a kind the truth is known: damaged ones are not whole."""
    known = [key for key in keys_of_cells("laws", LAWS, 30) if key.cell.endswith("/integrity") and key.relevant]
    assert {("damaged" in key.kinds, key.expected) for key in known} == {(True, "no"), (False, "yes")}


def test_a_kind_counts_over_all_laws_but_those_that_failed() -> None:
    of = {"a/x": {"swapped": Count(5, 1)}, "a/y": {"swapped": Count(3)}, "b/x": {"swapped": Count(0, 9)}}
    assert pooled(of, ()) == {"swapped": Count(8, 10)}
    assert pooled(of, {"b"}) == {"swapped": Count(8, 1)}


def test_kinds_are_adjusted_for_with_the_laws() -> None:
    cells = {"a/x": cell_result(Count(26), STANDARD.ccs, LEAST)}
    weak = {"swapped": cell_result(Count(20), STANDARD.ccs, LEAST)}
    assert law_results(cells, LEAST)["a"].verdict == "pass"
    laws = law_results(cells, LEAST, weak)
    assert laws["a"].verdict == "not-enough-evidence"
    assert kind_results(weak, laws, LEAST)["swapped"].verdict == "not-enough-evidence"
    strong = {"swapped": cell_result(Count(26), STANDARD.ccs, LEAST)}
    assert law_results(cells, LEAST, strong)["a"].verdict == "pass"


def test_where_a_kind_fails_nothing_more_is_asked() -> None:
    failed = {"a/x": {"swapped": Count(0, 10)}}
    look = Look({"a/x": Count(20), "b/x": Count()}, CONTROLS, STANDARD, 1, failed)
    assert (look.next_pairs(), look.pairs_left()) == ({}, 0)


def test_a_kind_that_is_short_of_pairs_is_asked_for_once_the_cells_are_decided() -> None:
    few = {"a/x": {"right": RIGHT, "swapped": Count(6)}, "a/y": {"right": RIGHT, "swapped": Count(1)}}
    assert Look({"a/x": RIGHT, "a/y": Count(20)}, CONTROLS, STANDARD, 1, few).next_pairs() == {"a/y": 6}
    counts = {"a/x": RIGHT, "a/y": RIGHT}
    look = Look(counts, CONTROLS, STANDARD, 1, few)
    assert look.kinds_short(counts) == {"swapped": 26 - 7}
    assert look.next_pairs() == {"a/x": STEP}  # in the cell that shows it most often
    assert look.pairs_left() == 19
    enough = {"a/x": {"swapped": Count(26)}}
    assert Look(counts, CONTROLS, STANDARD, 1, enough).next_pairs() == {}


def test_a_kind_of_which_no_more_can_be_asked_stays_undecided() -> None:
    most = {"a/x": Count(STANDARD.most)}
    assert Look(most, CONTROLS, STANDARD, 1, {"a/x": {"swapped": Count(9)}}).next_pairs() == {}


@pytest.mark.parametrize("judge", ["oracle", "bag-of-words"])
def test_a_certificate_says_it_and_holds_together(judge: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    run = write_cells_run(tmp_path_factory.mktemp("kinds") / "run", f"planted:{judge}", ("falling", "wind"), 30)
    found = certify(run, STANDARD)
    assert problems(found) == []
    why = barred(found)
    assert (why == []) == (judge == "oracle")
    if why:
        assert "picture kind swapped" in why[0]


def test_what_an_undecided_kind_lacks_is_said() -> None:
    known = keys_of_cells("laws", ("falling",), 30)
    bare = sorted({key.group for key in known if "bare" in key.kinds})
    kept = [key for key in known if key.group not in bare[5:]]
    found = findings(list(pair_results(kept, records("planted:oracle", kept), "default")), STANDARD, LEAST)
    assert (found.kinds["bare"].verdict, found.kinds["bare"].of, found.admitted) == ("not-enough-evidence", 5, [])


def test_a_needed_kind_that_no_pair_shows_is_undecided_and_closes_the_laws() -> None:
    known = keys_of_cells("laws", ("falling",), 30)
    swapped = {key.group for key in known if "swapped" in key.kinds}
    kept = [key for key in known if key.group not in swapped]
    found = findings(list(pair_results(kept, records("planted:oracle", kept), "default")), STANDARD, LEAST)
    assert (found.kinds["swapped"].verdict, found.kinds["swapped"].of, found.admitted) == ("not-enough-evidence", 0, [])
    assert {kind.verdict for name, kind in found.kinds.items() if name != "swapped"} == {"pass"}
