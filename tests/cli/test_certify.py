"""`certify`, and `verify` of a certificate, on the command line: exit codes, what is printed, and the JSON."""

import json
from pathlib import Path

import msgspec
import pytest
from commands import call, document, done, fails
from planted_runs import read_journal, rewrite, write_cells_run, write_run

from counterbench.cli import certificate_table
from counterbench.files import catalog
from counterbench.runs.folder import read_keys

THREE = ("falling", "frost", "wind")


def invert(path: Path, law: str) -> None:
    """Every answer about a law is another one."""
    about = {key.id for key in read_keys(path) if key.law == law}
    other = {"yes": "no", "no": "yes"}
    changed = [(r, other.get(r.reply or "", "nothing") if r.id in about else r.reply) for r in read_journal(path)]
    rewrite(path, [msgspec.structs.replace(record, reply=reply) for record, reply in changed])


def write_oracle_run(suite: str = "smoke") -> None:
    write_run(Path("run"), "planted:oracle", suite)


@pytest.mark.slow
def test_a_certificate_is_kept_with_its_run_wherever_else_it_is_written() -> None:
    write_oracle_run()
    assert "c.json: not-enough-evidence" in call("certify", "run", "--out", "c.json").stdout
    assert Path("run/certificate-standard.json").read_bytes() == Path("c.json").read_bytes()


def test_a_folder_that_cannot_keep_the_certificate_is_only_noted() -> None:
    write_oracle_run()
    Path("run/certificate-standard.json").mkdir()
    result = call("certify", "run", "--out", "c.json", "--json", code=1)
    assert json.loads(result.stdout) == json.loads(Path("c.json").read_text())
    assert result.stderr.startswith("note: `report` will not show it, the run's folder could not keep it: run/")
    assert "run/certificate-standard.json: is a folder" in fails("certify", "run")


@pytest.mark.slow
def test_certify_says_what_the_judge_may_score() -> None:
    write_oracle_run("counterbench-550")
    shapes = call("certify", "run").stdout.splitlines()
    asks = "counterbench validate planted:oracle --for laws --template default"
    assert f"To score pictures of laws, the judge must pass this: {asks} --plan" in shapes
    write_cells_run(Path("laws"), "planted:oracle", ("falling", "frost"), per_cell=34)
    opened = call("certify", "laws").stdout.splitlines()
    assert opened[-4:-1] == [
        "Drawn test passed for all 2 laws, on pictures like these: counterbench/1, flat, 512x512 pixels, png",
        "The judge may score pictures of prompts about these laws",  # and no others: two laws are not the whole suite
        "Evidence on other kinds of pictures: none yet; human labels give it (counterbench label)",
    ]
    lax = call("certify", "laws", "--policy", "exploratory").stdout
    assert "The judge may not score pictures: its policy 'exploratory' asks for less than 'standard'" in lax


@pytest.mark.slow
def test_passing_laws_are_named_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """And those that do not are rows: what failed first."""
    monkeypatch.setattr(certificate_table, "MANY", 2)
    write_cells_run(Path("run"), "planted:oracle", THREE, per_cell=26)
    lines = [line.rstrip() for line in call("certify", "run").stdout.splitlines()]
    (every,) = [line.split() for line in lines if line.startswith(" (all 3)")]
    assert (every[3], every[-1]) == ("100.0", "pass")
    assert every[2] == every[4] == every[6]
    assert "\nDrawn test passed for all 3 laws: falling, frost, wind, on pictures" in "\n".join(lines)
    invert(Path("run"), "wind")
    lines = [line.rstrip() for line in call("certify", "run").stdout.splitlines()]
    rows = [(row[0], row[-1]) for row in map(str.split, lines) if row and row[0] in THREE]
    assert rows[0] == ("wind", "fail")
    assert rows[1] == ("falling", "undecided")
    assert "… and 1 more that do not pass (-v prints all)" in lines
    assert "Drawn test passed for none of 3 laws" in lines


def test_certify_notes_a_truth_that_was_not_checked() -> None:
    write_oracle_run()
    text = Path("run/run.json").read_text()
    Path("run/run.json").write_text(text.replace('"suite": "smoke"', '"suite": "mine"'))
    output = done("certify", "run", code=1)
    assert "run/certificate-standard.json: not-enough-evidence: planted:oracle, standard, of no attempt" in output
    why = "the certificate's truth was not computed again: suite 'mine' as the run has it"
    assert f"The judge may not score pictures: {why}" in output


def test_only_a_certificate_is_written_over_and_verified(here: Path) -> None:
    write_oracle_run()
    before = {path: path.read_bytes() for path in here.rglob("*.json*")}
    message = "run.json: is there and is no certificate; choose another --out"
    assert message in fails("certify", "run", "--out", "run/run.json", "--json")
    assert {path: path.read_bytes() for path in here.rglob("*.json*")} == before
    assert "its format is 'counterbench.run/1', not 'counterbench.certificate/3'" in fails("verify", "run/run.json")


def test_verify_names_the_changed_part_of_a_certificate() -> None:
    write_oracle_run()
    call("certify", "run", "--out", "c.json")
    text = Path("c.json").read_text()
    Path("c.json").write_text(text.replace('"verdict": "not-enough-evidence"', '"verdict": "pass"', 1))
    result = done("verify", "c.json", code=1)
    assert "digest: recorded is " in result
    assert "the certificate was changed" in result
    assert "next:" not in result
    found = document("verify", "c.json", "--run", "run", code=1)
    assert (found["certificate"], found["run"], found["holds"], found["verdict"]) == ("c.json", "run", False, "pass")
    assert "verdict: 'pass' in the certificate, 'not-enough-evidence' by the run" in found["problems"]


@pytest.mark.slow
def test_certify_resumes_the_attempt_that_the_run_began() -> None:
    call("probe", "smoke", "--judge", "planted:oracle", "--attempt", 3, "--limit", 8, "--out", "run")
    lines = call("certify", "run", "--policy", "exploratory").stdout.splitlines()
    assert "run/certificate-exploratory.json: not-enough-evidence: planted:oracle, exploratory, attempt 3" in lines
    options = "--for smoke --template default --policy exploratory --attempt 3 --out run"
    assert lines[-1] == f"next: counterbench validate planted:oracle {options} --plan"
    assert call("validate", "planted:oracle", *options.split()).exit_code == 0
    assert document("certify", "run", "--policy", "exploratory")["verdict"] == "pass"


def test_under_a_policy_file_of_ones_own_the_next_command_asks_nothing() -> None:
    """The place of a policy's file is not recorded."""
    policy = catalog.find("probes/policies", "policy", "exploratory").read_text()
    Path("mine.toml").write_text(policy.replace('"exploratory"', '"mine"'))
    call("probe", "smoke", "--judge", "planted:oracle", "--limit", 8, "--out", "run")
    shown = call("certify", "run", "--policy", "./mine.toml").stdout
    assert shown.splitlines()[-1] == "next: counterbench diagnose run"


@pytest.mark.slow
def test_the_weakest_cell_of_a_law_that_passes_is_the_one_with_the_lowest_ccs() -> None:
    """And not the one with the least evidence, which was only asked about less."""
    write_cells_run(Path("run"), "planted:oracle", ("falling",), per_cell=60)
    missed = next(key.id for key in read_keys(Path("run")) if key.cell == "falling/integrity")
    fewer = [key.id for key in read_keys(Path("run")) if key.cell == "falling/contrast"][:40]
    records = [r for r in read_journal(Path("run")) if r.id not in fewer]
    rewrite(Path("run"), [msgspec.structs.replace(r, reply="maybe") if r.id == missed else r for r in records])
    (row,) = (line.split() for line in call("certify", "run").stdout.splitlines() if line.startswith(" falling"))
    assert (row[3], row[5], row[7], int(row[6]) - int(row[4])) == ("integrity", "of", "pass", 1)
