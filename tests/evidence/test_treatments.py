"""Treatments of control pairs: each is certified by itself, and a judge that loses one is admitted to nothing."""

import functools
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import pytest
from commands import call
from planted_runs import erring_records, read_journal, rewrite, write_again
from sweeping import swept

from counterbench.errors import FormatError
from counterbench.evidence.admission import barred, too_small
from counterbench.evidence.cells import PairCount, needed_e_value
from counterbench.evidence.document import read_certificate, write_certificate
from counterbench.evidence.findings import Findings, judge_findings
from counterbench.evidence.interim import STEP, InterimLook
from counterbench.evidence.issue import certify, problems
from counterbench.evidence.policies import load_policy
from counterbench.evidence.treatments import TREATMENTS, declined_treatments, lost_treatments, treatments_of
from counterbench.results.results import pair_results
from counterbench.runs.folder import read_keys
from counterbench.runs.pair_queries import keys
from counterbench.runs.queries import Key
from counterbench.suites.kinds import kind_rules
from counterbench.suites.sources import CellSource, cells_of, in_turn
from counterbench.suites.suite import Suite, load_suite

pytestmark = pytest.mark.usefixtures("here")

STANDARD = load_policy()
SUITES = ("certify=counting", pytest.param("certify=falling", marks=pytest.mark.slow))


@functools.cache
def source_of(name: str) -> CellSource:
    """Pairs enough of a family, or law, and of every treatment, with small pictures too."""
    suite = load_suite(name).with_smallest(256)
    pairs = {cell: 40 if cell_rules.control else 110 for cell, cell_rules in cells_of(suite).items()}
    return CellSource(suite, in_turn(pairs))


@functools.cache
def keys_of_family(name: str) -> tuple[Key, ...]:
    return tuple(keys(source_of(name)))


def found_of(name: str, errs: Callable[[Key], bool] = lambda key: False, lacking: str = "") -> Findings:
    """What a judge shows that is wrong where it errs, and right on all else; without the pairs of a cell."""
    known = [key for key in keys_of_family(name) if key.cell != lacking]
    suite: Suite = source_of(name).suite
    pairs = list(pair_results(known, erring_records("planted:oracle", known, errs), "default"))
    return judge_findings(
        pairs, STANDARD, needed_e_value(STANDARD, 1), rules=kind_rules(suite), treated=treatments_of(suite)
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", SUITES)
def test_a_judge_that_errs_on_no_treatment_passes_all(name: str) -> None:
    found = found_of(name)
    assert list(found.treatments) == list(TREATMENTS)
    assert {result.verdict for result in found.treatments.values()} == {"pass"}
    assert found.admitted == [name.partition("=")[2]]


@pytest.mark.parametrize("name", SUITES)
@swept("treatment", TREATMENTS)
def test_a_judge_that_is_wrong_on_one_treatment_alone_is_admitted_to_nothing(treatment: str, name: str) -> None:
    found = found_of(name, lambda key: key.traits.get("treatment") == treatment)
    assert {other for other, row in found.treatments.items() if row.verdict == "fail"} == {treatment}
    assert {other for other, row in found.treatments.items() if row.verdict == "pass"} == {*TREATMENTS} - {treatment}
    assert {law.verdict for law in found.laws.values()} == {"pass"}
    assert found.admitted == []


def test_painted_words_have_the_bound_of_controls_and_other_treatments_a_lower_one() -> None:
    bounds = {name: result.bound for name, result in found_of(SUITES[0]).treatments.items()}
    assert bounds == dict.fromkeys(TREATMENTS, STANDARD.treatment) | {"writing": STANDARD.control}
    assert STANDARD.treatment < STANDARD.control


def test_a_treatment_without_pairs_is_undecided() -> None:
    found = found_of(SUITES[0], lacking="treated/jpeg")
    assert (found.treatments["jpeg"].verdict, found.treatments["jpeg"].of, found.admitted) == (
        "not-enough-evidence", 0, [],
    )  # fmt: skip


def run_of(judge: str, suite_name: str = "certify", families: Sequence[str] = ("counting", "spatial")) -> Path:
    suite = load_suite(suite_name)
    cells = [name for name, cell in cells_of(suite).items() if cell.control or name.partition("/")[0] in families]
    return write_again(Path("run"), f"planted:{judge}", CellSource(suite, in_turn(dict.fromkeys(cells, 64))))


@pytest.mark.parametrize("share", [pytest.param(1, marks=pytest.mark.slow), 0.5])
def test_a_judge_that_obeys_painted_words_is_admitted_to_nothing_with_the_reason(share: float) -> None:
    run = run_of(f"text-led?p={share}")
    found = certify(run, STANDARD)
    assert found.control.accuracy.value > STANDARD.control  # all controls together hide it
    words = found.treatments["writing"]
    assert (words.verdict, found.admitted, problems(found)) == ("fail", [], [])
    assert {result.verdict for name, result in found.treatments.items() if name != "writing"} == {"pass"}
    assert found.verdict == "fail"
    reason = f"follows words painted into the picture: {words.right} of {words.of} right"
    assert reason in "\n".join(barred(found))
    result = call("certify", run)
    assert result.exit_code == 1
    assert f"treatment: {reason}" in result.output


@pytest.mark.slow
def test_a_judge_that_is_blind_at_the_edge_is_admitted_to_nothing() -> None:
    found = certify(run_of("edge-blind?p=1"), STANDARD)
    assert found.treatments["edge"].verdict == "fail"
    assert found.admitted == []
    assert "errs about things at the edge of the picture: " in "\n".join(lost_treatments(found))


@pytest.mark.slow
def test_a_treatment_that_a_judge_declines_is_undecided_and_named() -> None:
    run = run_of("oracle")
    quiet = {key.id for key in read_keys(run) if key.traits.get("treatment") == "resized"}
    rewrite(run, [msgspec.structs.replace(r, reply="Hm.") if r.id in quiet else r for r in read_journal(run)])
    found = certify(run, STANDARD)
    result = found.treatments["resized"]
    assert (result.verdict, result.declined, result.of) == ("not-enough-evidence", 64, 0)
    assert found.admitted  # what it declines closes nothing: it gives no wrong answer
    assert (lost_treatments(found), declined_treatments(found)) == ([], {"resized": 64})
    warning = "treatment: the judge declines resized (64 pairs not answered): such pictures are untested"
    assert warning in " ".join(call("certify", run).output.split())


# ---- what is asked


def look(declined: Sequence[str] = (), **treated: PairCount) -> InterimLook:
    controls = {"control": PairCount(30)} | {f"treated/{name}": count for name, count in treated.items()}
    return InterimLook({"a/x": PairCount(40)}, controls, STANDARD, 1, declined=declined)


def test_a_treatment_is_asked_until_it_is_decided() -> None:
    assert look(jpeg=PairCount(0), writing=PairCount(40)).next_pairs() == {"treated/jpeg": STEP}
    assert look(jpeg=PairCount(40), writing=PairCount(40)).next_pairs() == {}
    assert look(jpeg=PairCount(9), writing=PairCount(20)).next_pairs() == {"treated/jpeg": 3, "treated/writing": 6}


def test_nothing_more_is_asked_once_a_treatment_is_lost() -> None:
    for lost in (PairCount(0, 12), PairCount(48, 16)):  # wrong too often, and undecided at the most pairs
        assert look(jpeg=lost, texture=PairCount(3)).next_pairs() == {}
    assert look(writing=PairCount(48, 16)).next_pairs() != {}  # painted words may be asked about more often


def test_a_treatment_needs_more_pairs_beside_a_law_that_ran_out() -> None:
    """What can no longer pass still counts in the adjustment."""
    treated = {"control": PairCount(30), "treated/jpeg": PairCount(12)}
    assert InterimLook({"a/x": PairCount(40)}, treated, STANDARD, 1).next_pairs() == {}
    ran_out = {"a/x": PairCount(40), "b/x": PairCount(255, 45)}
    assert InterimLook(ran_out, treated, STANDARD, 1).next_pairs() == {"treated/jpeg": 2}


def test_a_declined_treatment_is_asked_no_more() -> None:
    assert look(declined=["jpeg"], jpeg=PairCount(0), texture=PairCount(3)).next_pairs() == {"treated/texture": 9}


# ---- old certificates, and small pictures


@pytest.mark.slow
@pytest.mark.parametrize("earlier", ["counterbench.certificate/1", "counterbench.certificate/2"])
def test_a_certificate_of_an_earlier_format_is_refused_with_the_command_that_makes_it_anew(earlier: str) -> None:
    path = Path("old.json")
    write_certificate(path, certify(run_of("oracle"), STANDARD))
    path.write_text(path.read_text().replace("counterbench.certificate/3", earlier))
    with pytest.raises(FormatError) as refused:
        read_certificate(path)
    assert "counterbench validate planted:oracle --for certify --out RUN" in str(refused.value)
    result = call("t2i", "judge", "images", "--judge", "planted:oracle", "--certificate", path, "--out", "r")
    assert result.exit_code == 2


@pytest.mark.slow
def test_pictures_smaller_than_the_drawn_ones_need_a_test_on_small_ones() -> None:
    plain = certify(run_of("oracle"), STANDARD)
    small = certify(write_again(Path("small"), "planted:oracle", source_of(SUITES[0])), STANDARD)
    assert (small.admitted, small.treatments["small"].verdict) == (["counting"], "pass")
    assert (too_small(plain, None), too_small(plain, 512), too_small(small, 256), too_small(small, 200)) == ([],) * 4
    assert too_small(plain, 300) == [
        "a picture has a shorter side of 300 pixels, and the drawn test's have 512 or more; "
        "`validate --for IMAGES` also tests smaller ones"
    ]
