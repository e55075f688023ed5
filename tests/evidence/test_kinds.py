"""Picture kinds: a judge that does not see one is admitted to nothing that rests on it, however well it does else."""

import functools
from collections.abc import Callable, Sequence

import pytest
from planted_runs import erring_records, keys_of_cells, write_cells_run

from counterbench.evidence.admission import barred
from counterbench.evidence.cells import (
    PairCount,
    cell_result,
    kind_results,
    law_results,
    needed_e_value,
    pooled,
    with_closed_cells,
)
from counterbench.evidence.findings import Findings, judge_findings
from counterbench.evidence.interim import STEP, InterimLook
from counterbench.evidence.issue import certify, problems
from counterbench.evidence.policies import load_policy
from counterbench.results.results import pair_results
from counterbench.runs.queries import Key
from counterbench.suites.kinds import KindRules, kind_rules
from counterbench.suites.suite import load_suite

STANDARD = load_policy()
MIN_E = needed_e_value(STANDARD, 1)
LAWS = ("falling", "wind", "frost", "mirrors")
RIGHT = PairCount(30)
CONTROLS = {"control": RIGHT}


@functools.cache
def rules() -> KindRules:
    return kind_rules(load_suite("laws"))


def found_of(known: Sequence[Key], errs: Callable[[Key], bool] = lambda key: False, judge: str = "oracle") -> Findings:
    """What a judge shows that says the other of yes and no where it errs."""
    replies = erring_records(f"planted:{judge}", known, errs)
    return judge_findings(list(pair_results(known, replies, "default")), STANDARD, MIN_E, rules=rules())


@functools.cache
def planted_findings(judge: str, laws: Sequence[str] = LAWS) -> Findings:
    return found_of(keys_of_cells("laws", laws, 30), judge=judge)


def test_a_judge_that_binds_no_colour_to_a_thing_is_admitted_to_nothing() -> None:
    found = planted_findings("bag-of-words")
    assert found.kinds["swapped"].verdict == "fail"
    assert found.admitted == []
    right = [cell.ccs.hits / cell.ccs.of for cell in found.cells.values()]
    assert sum(share > STANDARD.ccs for share in right) > len(right) / 2  # the averages of cells hide it
    others = {name for name, kind in found.kinds.items() if kind.verdict == "pass"}
    assert {"prior", "start", "damaged", "missing", "twice", "recoloured"} <= others


def test_the_oracle_passes_in_every_kind_and_is_admitted() -> None:
    found = planted_findings("oracle")
    assert {kind.verdict for kind in found.kinds.values()} == {"pass"}
    assert {"right", "prior", "fracture", "neither", "start", "stray"} <= found.kinds.keys()
    assert {"missing", "recoloured", "swapped", "twice", "bare", "damaged", "stranger"} <= found.kinds.keys()
    assert found.admitted == sorted(LAWS)


def test_only_damaged_pictures_are_of_the_kind_damaged() -> None:
    """Of pictures that are told apart by a kind the truth is known: damaged ones are not whole."""
    known = [key for key in keys_of_cells("laws", LAWS, 30) if key.cell.endswith("/integrity") and key.relevant]
    assert {("damaged" in key.kinds, key.expected) for key in known} == {(True, "no"), (False, "yes")}


def test_a_picture_kind_is_counted_over_all_laws_that_did_not_fail() -> None:
    cells = {"a/x": {"swapped": PairCount(5, 1)}, "a/y": {"swapped": PairCount(3)}, "b/x": {"swapped": PairCount(0, 9)}}
    assert pooled(cells, ()) == {"swapped": PairCount(8, 10)}
    assert pooled(cells, {"b"}) == {"swapped": PairCount(8, 1)}


def test_kinds_and_laws_are_adjusted_together() -> None:
    cells = {"a/x": cell_result(PairCount(26), STANDARD.ccs, MIN_E)}
    weak = {"swapped": cell_result(PairCount(20), STANDARD.ccs, MIN_E)}
    assert law_results(cells, MIN_E)["a"].verdict == "pass"
    laws = law_results(cells, MIN_E, weak)
    assert laws["a"].verdict == "not-enough-evidence"
    assert kind_results(weak, laws, MIN_E)["swapped"].verdict == "not-enough-evidence"
    strong = {"swapped": cell_result(PairCount(26), STANDARD.ccs, MIN_E)}
    assert law_results(cells, MIN_E, strong)["a"].verdict == "pass"


def test_nothing_more_is_asked_once_a_kind_fails() -> None:
    failed = {"a/x": {"swapped": PairCount(0, 10)}}
    look = InterimLook({"a/x": PairCount(20), "b/x": PairCount()}, CONTROLS, STANDARD, 1, failed)
    assert (look.next_pairs(), look.pairs_left()) == ({}, 0)


def test_a_kind_short_of_pairs_is_asked_after_the_cells() -> None:
    few = {"a/x": {"right": RIGHT, "swapped": PairCount(6)}, "a/y": {"right": RIGHT, "swapped": PairCount(1)}}
    assert InterimLook({"a/x": RIGHT, "a/y": PairCount(20)}, CONTROLS, STANDARD, 1, few).next_pairs() == {"a/y": 6}
    counts = {"a/x": RIGHT, "a/y": RIGHT}
    look = InterimLook(counts, CONTROLS, STANDARD, 1, few)
    assert look.kinds_short(counts) == {"swapped": 26 - 7}
    assert look.next_pairs() == {"a/x": STEP}  # in the cell that shows it most often
    assert look.pairs_left() == 19
    enough = {"a/x": {"swapped": PairCount(26)}}
    assert InterimLook(counts, CONTROLS, STANDARD, 1, enough).next_pairs() == {}


def test_laws_need_more_pairs_beside_a_kind_that_no_pair_can_decide() -> None:
    """What can no longer pass still counts in the adjustment."""
    right, needed = {"a/x": {"right": RIGHT}}, KindRules(rests={"a/x": ("right",)}, needed=("twice",))
    assert InterimLook({"a/x": RIGHT}, CONTROLS, STANDARD, 1, right).next_pairs() == {}
    assert InterimLook({"a/x": RIGHT}, CONTROLS, STANDARD, 1, right, needed).next_pairs() == {"a/x": 1}


def test_an_exhausted_kind_stays_undecided() -> None:
    most = {"a/x": PairCount(STANDARD.most)}
    assert InterimLook(most, CONTROLS, STANDARD, 1, {"a/x": {"swapped": PairCount(9)}}).next_pairs() == {}


@pytest.mark.slow
@pytest.mark.parametrize("judge", ["oracle", "bag-of-words"])
def test_a_certificate_lists_its_kinds_and_verifies(judge: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    run = write_cells_run(tmp_path_factory.mktemp("kinds") / "run", f"planted:{judge}", ("falling", "wind"), 30)
    found = certify(run, STANDARD)
    assert problems(found) == []
    assert (barred(found) == []) == (judge == "oracle")
    assert found.kinds["swapped"].verdict == ("pass" if judge == "oracle" else "fail")
    assert [law for law in found.laws.values() if bool(law.closed) != (judge != "oracle")] == []


def showing(known: Sequence[Key], kind: str) -> list[str]:
    """The pairs, one of whose pictures is of a kind, in order."""
    return sorted({key.group for key in known if key.relevant and kind in key.kinds})


def without_most(kind: str, left: int) -> list[Key]:
    """The keys of pairs about one law, of which so many show a kind."""
    known = keys_of_cells("laws", ("falling",), 40)
    lacking = showing(known, kind)[left:]
    return [key for key in known if key.group not in lacking]


def test_an_undecided_kind_closes_only_cells_that_rest_on_it() -> None:
    found = found_of(without_most("bare", 5))
    assert (found.kinds["bare"].verdict, found.kinds["bare"].of) == ("not-enough-evidence", 5)
    assert found.laws["falling"].closed == {"falling/presence": "picture kind bare: not-enough-evidence"}
    assert (found.admitted, found.verdict) == (["falling"], "not-enough-evidence")


def test_a_needed_kind_without_pairs_closes_every_cell_that_rests_on_it() -> None:
    found = found_of(without_most("swapped", 0))
    assert (found.kinds["swapped"].verdict, found.kinds["swapped"].of) == ("not-enough-evidence", 0)
    assert {*found.laws["falling"].cells} - found.laws["falling"].closed.keys() == {"falling/integrity"}
    assert {kind.verdict for name, kind in found.kinds.items() if name != "swapped"} == {"pass"}


@pytest.mark.slow
def test_a_judge_that_does_not_see_two_things_is_admitted_to_the_laws_without_presence() -> None:
    """It errs once in each law: little for a cell, and much for a kind that few pairs show."""
    laws = ("falling", "wind")
    known = keys_of_cells("laws", laws, 60)
    of_law = {law: showing([k for k in known if k.cell == f"{law}/presence"], "twice")[:5] for law in laws}
    kept, missed = {*of_law["falling"], *of_law["wind"]}, {twice[0] for twice in of_law.values()}
    known = [key for key in known if key.group in kept or key.group not in showing(known, "twice")]
    found = found_of(known, lambda key: key.group in missed)
    assert {name: kind.right for name, kind in found.kinds.items() if kind.verdict != "pass"} == {"twice": 8}
    assert found.admitted == ["falling", "wind"]
    assert [[*found.laws[law].closed] for law in laws] == [["falling/presence"], ["wind/presence"]]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["twice", "bare"])
def test_a_judge_that_never_sees_a_kind_of_presence_keeps_all_other_checks(kind: str) -> None:
    """It is wrong on every such pair, so that the cells of presence fail too; nothing is claimed of these."""
    known = keys_of_cells("laws", LAWS, 60)
    missed = showing([key for key in known if key.cell.endswith("/presence")], kind)
    found = found_of(known, lambda key: key.group in missed)
    assert found.kinds[kind].verdict == "fail"
    assert found.admitted == sorted(LAWS)
    assert {cell for law in found.laws.values() for cell in law.closed} == {f"{law}/presence" for law in LAWS}


@pytest.mark.slow
def test_a_judge_that_binds_no_colour_is_admitted_to_a_law_that_names_none() -> None:
    """Of mixing no check names a thing by its colour. Of the other law's swapped pairs, every third one is lost."""
    known = keys_of_cells("laws", ("mixing", "wind"), 40)
    lost = showing([key for key in known if key.law == "wind"], "swapped")[::3]
    found = found_of(known, lambda key: key.group in lost)
    assert found.kinds["swapped"].verdict == "fail"
    assert found.admitted == ["mixing"]
    assert found.laws["mixing"].closed == {}
    assert found.laws["wind"].closed.keys() >= {"wind/assessment", "wind/integrity", "wind/presence"}


@pytest.mark.slow
def test_a_law_whose_pairs_never_swap_colours_has_no_cell_that_names_them() -> None:
    law = planted_findings("oracle", ("ripening", "wind")).laws["ripening"]
    assert (law.verdict, "swapped" in law.shown) == ("pass", False)
    assert law.closed == {"ripening/unaffected": "picture kind swapped: no pair of this law shows it"}


def test_the_suite_says_which_kinds_close_a_law() -> None:
    of_laws = rules()
    kinds = {kind for kinds_of_cell in (of_laws.rests or {}).values() for kind in kinds_of_cell}
    assert {kind for kind in kinds if of_laws.closes_law(kind)} == {
        "right", "prior", "start", "swapped", "missing", "recoloured", "stranger",
    }  # fmt: skip
    own = {"integrity": {"damaged"}, "presence": {"twice", "bare"}, "assessment": {"neither"},
           "moved": {"neither", "fracture"}, "unaffected": {"stray"}}  # fmt: skip
    for cell, kinds_of_cell in (of_laws.rests or {}).items():
        assert {kind for kind in kinds_of_cell if not of_laws.closes_law(kind)} == own[cell.rpartition("/")[2]], cell
    cells = {"a/x": cell_result(RIGHT, STANDARD.ccs, MIN_E)}
    lost = {"odd": cell_result(PairCount(0, 9), STANDARD.ccs, MIN_E)}
    laws = law_results(cells, MIN_E, lost)
    every = with_closed_cells(laws, kind_results(lost, laws, MIN_E), {}, KindRules())  # where no family says more
    assert every["a"].closed == {"a/x": "picture kind odd: fail"}
