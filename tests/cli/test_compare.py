"""`compare` on the command line: tables, JSON as promised, what is refused, on runs of planted judges."""

from pathlib import Path

import msgspec
import pytest
from commands import call, document, done, fails
from planted_runs import read_journal, rewrite, write_cells_run, write_run

pytestmark = pytest.mark.usefixtures("in_folder")
ORACLE, NOISY = "runs/oracle", "runs/noisy"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three judges on one suite, one of which fails."""
    root = tmp_path_factory.mktemp("compare")
    for name, judge in {"oracle": "oracle", "noisy": "noisy?p=0.4", "failing": "failing"}.items():
        call("probe", "smoke", "--judge", f"planted:{judge}", "--out", root / "runs" / name)
    return root


@pytest.mark.slow
def test_runs_asked_cell_by_cell_are_compared_on_the_pairs_that_both_have(tmp_path: Path) -> None:
    few = write_cells_run(tmp_path / "few", "planted:constant", ("falling",), per_cell=3)
    many = write_cells_run(tmp_path / "many", "planted:oracle", ("falling", "frost"), per_cell=5)
    lines = done("compare", few, many).splitlines()
    assert lines[0].startswith("CCS (%) and rank on the 39 pairs common to all judges")  # 15, and 24 controls
    assert "left out: 51 pairs without both replies of every judge" in lines
    assert [line for line in lines if "MARKED" in line or "INCOMPLETE" in line] == []
    assert "left out:" not in done("compare", ORACLE, NOISY)


def test_compare_json_is_one_document_with_the_fields_of_the_contract() -> None:
    found = document("compare", ORACLE, NOISY)
    assert set(found) == {"scoring", "level", "marked", "runs", "unanswered", "overall", "categories", "recommendation"}
    assert (found["scoring"], found["level"], found["marked"]) == ("default", 0.05, [])
    assert [(run["judge"], run["run"], run["complete"]) for run in found["runs"]] == [
        ("planted:oracle", ORACLE, True),
        ("planted:noisy?p=0.4", NOISY, True),
    ]
    signed = {"suite", "suite_digest", "judge", "template", "parser", "scoring", "version"}
    assert signed <= found["runs"][0]["provenance"].keys()
    (two,) = found["overall"]["contrasts"]
    assert set(two["difference"]) == {"value", "low", "high"}
    assert two["ccs_first"] == found["overall"]["ranking"][0]["ccs"]


def test_an_incomplete_run_is_compared_on_what_it_has_and_says_so() -> None:
    assert "planted:failing: INCOMPLETE, 0 questions not asked, " in done("compare", ORACLE, "runs/failing")


def test_a_judge_without_replies_is_left_out_by_name(tmp_path: Path) -> None:
    silent = str(write_run(tmp_path / "silent", "planted:failing?p=1", "smoke"))
    assert done("compare", ORACLE, silent, NOISY).startswith(
        f"LEFT OUT: planted:failing?p=1 ({silent}): no pair has both replies, 0 questions not asked, 36 failed\n"
        "CCS (%) and rank on the 18 pairs"
    )
    assert "1 of 2 runs can be compared" in fails("compare", ORACLE, silent)


# ---- what they take, and to what they are admitted


def priced(path: Path, judge: str, cost: float | None, tokens: int) -> Path:
    """A run of two laws whose every reply says what it took."""
    run = write_cells_run(path, judge, ("falling", "frost"))
    records = [msgspec.structs.replace(r, cost=cost, tokens_in=tokens, tokens_out=2) for r in read_journal(run)]
    rewrite(run, records)
    return run


def offered(shown: str) -> list[list[str]]:
    """The rows of the table of offers."""
    lines = shown[shown.index("Cost of 1,000 pictures") :].splitlines()[4:]
    return [line.split() for line in lines[: lines.index(next(line for line in lines if not line.strip()))]]


@pytest.mark.slow
def test_the_cheapest_judge_that_is_admitted_stands_first(tmp_path: Path) -> None:
    dear = priced(tmp_path / "dear", "planted:oracle", 0.02, 900)
    cheap = priced(tmp_path / "cheap", "planted:noisy?p=0", 0.001, 300)
    unpriced = priced(tmp_path / "unpriced", "planted:yes-bias?p=0", None, 100)
    blind = priced(tmp_path / "blind", "planted:blind", 0.0001, 10)
    for run in (dear, cheap, unpriced, blind):
        call("certify", run, "--out", tmp_path / f"{run.name}.json")
    runs = [str(run) for run in (unpriced, blind, dear, cheap)]
    assert offered(done("compare", *runs)) == [
        ["planted:noisy?p=0", "10/10", "(standard)", "1.000", "300,000", "2,000"],
        ["planted:oracle", "10/10", "(standard)", "20.00", "900,000", "2,000"],
        ["planted:yes-bias?p=0", "10/10", "(standard)", "–", "100,000", "2,000"],
        ["planted:blind", "0/10", "(standard)", "0.1000", "10,000", "2,000"],
    ]


@pytest.mark.slow
def test_only_a_valid_certificate_of_the_run_itself_counts(tmp_path: Path) -> None:
    first = priced(tmp_path / "one", "planted:oracle", 0.01, 10)
    other = priced(tmp_path / "other", "planted:noisy?p=0", 0.01, 10)
    call("certify", str(first), "--out", str(tmp_path / "one.json"))
    kept = first / "certificate-standard.json"
    kept.rename(tmp_path / "kept.json")
    runs = (str(first), str(other))
    assert [run["admitted"] for run in document("compare", *runs)["runs"]] == [None, None]
    assert (
        "cells admitted: no valid certificate was found for planted:oracle, planted:noisy?p=0; "
        f"to issue one for each: counterbench certify {first}"
    ) in " ".join(done("compare", *runs).split())
    (tmp_path / "kept.json").rename(kept)
    assert [run["admitted"] is not None for run in document("compare", *runs)["runs"]] == [True, False]
