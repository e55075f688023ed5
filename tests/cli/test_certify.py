"""`certify`, and `verify` of a certificate, on the command line: exit codes, what is printed, and the JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import call
from planted_runs import read_journal, rewrite, write_run


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def fails(*args: str) -> str:
    result = call(*args)
    assert result.exit_code == 2, result.output
    assert result.stderr.startswith("error: ")
    assert "Traceback" not in result.stderr
    assert result.stderr.count("\n") == 1
    return result.stderr


def run_of(judge: str, suite: str = "counterbench-550", limit: int | None = None) -> None:
    write_run(Path("run"), f"planted:{judge}", suite, limit)


def test_certify_then_the_next_command() -> None:
    run_of("oracle")
    result = call("certify", "run", "--out", "certificates/oracle.json")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    chance = "chance to pass standard on these pairs, by true CCS: 0.90: under 0.1 % · 0.95: 1.6 % · 0.98: 36.6 %"
    assert lines.count(chance) == 1
    row = next(line for line in lines if "visible-count" in line).split()
    assert row == ["visible-count", "33/33", "100.0", "[89.6,", "100.0]", "pass", "–", "–"]
    assert "still needed" not in result.stdout
    assert "(control): pairs whose answer must stay; under CCS their accuracy; stability (the same" in result.stdout
    assert "certificates/oracle.json: PASS: planted:oracle, standard" in lines
    assert lines[-1] == "next: counterbench verify certificates/oracle.json --run run"
    checked = call(*lines[-1].split()[2:])
    assert checked.exit_code == 0
    assert "it is what run shows" in checked.stdout
    alone = call("verify", "certificates/oracle.json")
    assert alone.exit_code == 0
    assert "certificates/oracle.json: it is as it was written" in alone.stdout
    assert "with --run and the folder of its run" in alone.stdout
    kept = call("verify", "run/certificate-standard.json").stdout.splitlines()[-1]
    assert kept == "next: counterbench verify run/certificate-standard.json --run run"


def test_a_certificate_is_kept_with_its_run_wherever_else_it_is_written() -> None:
    run_of("oracle", "smoke")
    assert "c.json: not-enough-evidence" in call("certify", "run", "--out", "c.json").stdout
    assert Path("run/certificate-standard.json").read_bytes() == Path("c.json").read_bytes()
    call("report", "run", "--out", "r.html", "--pictures", "none", "--certificate", "c.json")
    page = Path("r.html").read_text()
    assert "Certificate: not enough evidence (standard)" in page
    assert page.count("<h3>planted:oracle, policy standard") == 1  # not once more for the one that was named


def test_a_folder_that_cannot_keep_the_certificate_costs_only_a_note() -> None:
    run_of("oracle", "smoke")
    Path("run/certificate-standard.json").mkdir()
    result = call("certify", "run", "--out", "c.json", "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout) == json.loads(Path("c.json").read_text())
    assert result.stderr.startswith(
        "note: `report` will not find it by itself, the run's folder could not keep it: run/"
    )
    assert "run/certificate-standard.json: is a folder" in fails("certify", "run")


def test_certify_says_what_the_certificate_opens() -> None:
    run_of("oracle")
    shapes = call("certify", "run").stdout.splitlines()
    assert (
        "does not open `t2i judge`: the prompt set laws asks for contact, containment, direction and 8 skills more"
        in shapes
    )
    assert "the suite laws certifies those: counterbench probe laws --judge planted:oracle" in shapes
    write_run(Path("laws"), "planted:oracle", "laws", 476)  # 32 pairs of each skill
    opened = "opens: `t2i judge` on pictures of the prompt sets laws, laws-described, laws-photo"
    assert opened in call("certify", "laws").stdout.splitlines()


def test_certify_says_what_is_lacking_and_writes_it_down() -> None:
    run_of("oracle")
    result = call("certify", "run", "--policy", "strict", "-v")
    assert result.exit_code == 1
    row = next(line for line in result.stdout.splitlines() if "visible-count" in line)
    assert row.split()[-5:] == ["not-enough-evidence", "–", "–", "167", "pairs"]
    assert "visible-count: ccs: not-enough-evidence: 33 of 33: 0.896 to 1.000, 0.95 lies between" in result.stdout
    assert "by true CCS: 0.90: 0 % · 0.95: 0 % · 0.98: 0 %" in result.stdout
    assert "run/certificate-strict.json: not-enough-evidence: planted:oracle, strict" in result.stdout
    found = json.loads(Path("run/certificate-strict.json").read_text())
    assert found["verdict"] == "not-enough-evidence"
    assert found["skills"]["visible-count"]["conditions"]["ccs"]["needed"] == 73


def test_a_judge_with_a_fault_exits_with_1() -> None:
    run_of("sticky", limit=60)
    result = call("certify", "run", "--policy", "exploratory", "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["verdict"] == "fail"


def test_json_is_the_certificate_and_nothing_else() -> None:
    run_of("oracle", "smoke")
    result = call("certify", "run", "--out", "c.json", "--json")
    assert (result.exit_code, result.stderr) == (1, "")
    assert json.loads(result.stdout) == json.loads(Path("c.json").read_text())


def test_another_scoring_and_an_unchecked_truth_are_noted() -> None:
    run_of("oracle", "smoke")
    text = Path("run/run.json").read_text()
    Path("run/run.json").write_text(text.replace('"suite": "smoke"', '"suite": "mine"'))
    result = call("certify", "run", "--scoring", "strict")
    assert "note: the truth was not drawn again: suite 'mine' as the run has it" in result.stdout
    assert "note: strict scoring" in result.stdout
    assert "… and 11 more (-v prints all)" in result.stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("nothing",), "nothing: there is no such run folder"),
        (("run", "--policy", "strikt"), "unknown policy 'strikt' (did you mean 'strict'?); choose from: exploratory,"),
        (("run", "--out", "run/run.json"), "run.json: is there and is no certificate; choose another --out"),
        (("run", "--out", "c.txt"), "a certificate's file ends in .json"),
    ],
)
def test_bad_input_exits_with_2(args: tuple[str, ...], message: str, here: Path) -> None:
    run_of("oracle", "smoke")
    before = {path.name: path.read_bytes() for path in (here / "run").iterdir()}
    assert message in fails("certify", *args, "--json")
    assert {path.name: path.read_bytes() for path in (here / "run").iterdir()} == before
    assert [path.name for path in here.iterdir()] == ["run"]


def test_verify_names_what_was_changed() -> None:
    run_of("oracle", "smoke")
    call("certify", "run", "--out", "c.json")
    text = Path("c.json").read_text()
    Path("c.json").write_text(text.replace('"verdict": "not-enough-evidence"', '"verdict": "pass"', 1))
    result = call("verify", "c.json")
    assert result.exit_code == 1
    assert "digest: it is " in result.stdout
    assert "the certificate was changed" in result.stdout
    assert "next:" not in result.stdout
    both = call("verify", "c.json", "--run", "run", "--json")
    assert (both.exit_code, both.stderr) == (1, "")
    found = json.loads(both.stdout)
    assert (found["certificate"], found["run"], found["holds"], found["verdict"]) == ("c.json", "run", False, "pass")
    assert "verdict: 'pass' in the certificate, 'not-enough-evidence' by the run" in found["problems"]


def test_verify_notices_an_edited_journal() -> None:
    run_of("oracle", "smoke")
    call("certify", "run", "--out", "c.json")
    assert call("verify", "c.json", "--run", "run").exit_code == 0
    said = read_journal(Path("run"))
    rewrite(Path("run"), [*said[1:], said[0]])
    result = call("verify", "c.json", "--run", "run")
    assert result.exit_code == 1
    assert "journal_digest: " in result.stdout
    assert result.stdout.splitlines()[-1] == "c.json: 1 difference"
    assert call("verify", "c.json").exit_code == 0  # the certificate itself is as it was


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("none.json",), "none.json: cannot be read"),
        (("run/run.json",), "its format is 'counterbench.run/1', not 'counterbench.certificate/1'"),
        (("smoke", "--run", "run"), "--run is for a certificate, a file that ends in .json; 'smoke' is none"),
        (("c.json", "--limit", "3"), "--workers and --limit are for suites and folders"),
    ],
)
def test_verifying_what_is_none_exits_with_2(args: tuple[str, ...], message: str) -> None:
    run_of("oracle", "smoke")
    call("certify", "run", "--out", "c.json")
    assert message in fails("verify", *args)


def test_what_lacks_evidence_says_which_command_adds_it() -> None:
    call("probe", "smoke", "--judge", "planted:oracle", "--limit", "8", "--out", "run")
    step = call("certify", "run", "--policy", "exploratory").stdout.splitlines()[-1]
    assert step == "next: counterbench probe smoke --judge planted:oracle --times 10 --out run"
    asked = call(*step.split()[2:])
    assert asked.exit_code == 0, asked.stderr
    found = json.loads(call("certify", "run", "--policy", "exploratory", "--json").stdout)
    assert found["questions"] == 320
    assert found["truth_checked"]
    assert {name for name, skill in found["skills"].items() if skill["verdict"] == "pass"} > {
        "colour",
        "count",
        "inside",
    }


def test_where_no_further_pairs_help_the_faults_come_next() -> None:
    run_of("sticky", limit=60)
    assert call("certify", "run").stdout.splitlines()[-1] == "next: counterbench diagnose run"
