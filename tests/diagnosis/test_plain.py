"""What heads a diagnosis, and the faults that plain counts show: on comparisons, and of one treatment."""

from pathlib import Path

import msgspec
import pytest
from commands import call
from judges.compared import compared_run
from planted_runs import results, write_run
from sweeping import swept

from counterbench.diagnosis.faults import find_faults
from counterbench.diagnosis.measures import EVIDENCE
from counterbench.diagnosis.plain import head
from counterbench.results.results import PairResult, read_replies


@pytest.mark.slow
@swept(
    ("judge", "first"),
    [
        ("constant", "always yes"),
        ("yes-bias?p=1", "always yes"),
        ("no-bias?p=1", "always no"),
        ("random", "near chance"),
        ("blind", "near chance"),
        ("unparsed?p=0.03", "right on "),
        ("oracle", "right on 100.0 % of pairs"),
        ("noisy?p=0.3", ""),
    ],
)
def test_the_most_obvious_finding_heads_the_diagnosis(judge: str, first: str) -> None:
    found = head(results(f"planted:{judge}", "certify"))
    assert found.startswith(first)
    assert bool(found) == bool(first)


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["lazy", "first-bias"])
@pytest.mark.parametrize("dose", [0.2, 0.8])
def test_faults_on_comparisons_are_named_and_nothing_else(fault: str, dose: float) -> None:
    finding = find_faults(results(f"planted:{fault}?p={dose}", "pairwise", 840))
    (named,) = finding.named
    assert named.name == fault
    assert named.dose == pytest.approx(dose, abs=0.08)
    assert finding.unexplained.sum() == pytest.approx(0)


@pytest.mark.slow
@pytest.mark.parametrize("judge", ["random", "noisy?p=0.3", "oracle"])
def test_other_judges_of_comparisons_show_no_comparison_fault(judge: str) -> None:
    named = {fault_found.name for fault_found in find_faults(results(f"planted:{judge}", "pairwise", 840)).named}
    assert not named & {"first-bias", "lazy"}


@pytest.mark.slow
def test_obeying_painted_words_is_named() -> None:
    assert [fault.name for fault in find_faults(results("planted:text-led?p=0.5", "certify")).named] == ["text-led"]


@pytest.mark.parametrize("treatment", ["jpeg", pytest.param("texture", marks=pytest.mark.slow)])
def test_a_fault_of_one_treatment_names_the_treatment(treatment: str) -> None:
    oracle = results("planted:oracle", "certify")
    fickle = results("planted:fickle?p=0.5", "certify")

    def treated(pair: PairResult) -> str:
        return pair.keys[1].traits.get("treatment", "")

    mixed = [bad if treated(bad) == treatment else good for good, bad in zip(oracle, fickle, strict=True)]
    (named,) = find_faults(mixed).named
    assert named.name == "fickle"
    assert EVIDENCE["fickle"](mixed).startswith(f"loses controls with {treatment} ")
    assert [fault.name for fault in find_faults(fickle).named] == ["fickle"]


def test_diagnose_prints_the_head_in_words_and_in_json(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", "planted:constant", "certify", 400)
    assert "planted:constant: always yes; " in call("diagnose", run).output
    found = msgspec.json.decode(call("diagnose", run, "--json").stdout)["runs"][0]
    assert found["head"] == "always yes"


def test_the_same_answer_for_two_prompts_is_named_for_what_it_is(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", "planted:prettier-wins?p=1", "pairwise", 400)
    (fault,) = msgspec.json.decode(call("diagnose", run, "--json").stdout)["runs"][0]["faults"]
    assert fault["name"] == "prompt-blind"
    assert "about the same two pictures for both prompts of" in fault["evidence"]


def test_a_judge_that_never_says_equal_is_near_chance_at_a_half(tmp_path: Path) -> None:
    run = compared_run(tmp_path / "run", "scorer:planted:oracle?sd=20&seed=1")
    assert head([pair for pair in read_replies(run).pairs if pair.key.relevant]) == "near chance"
