"""`validate`: a plan first, then what it takes, and at its end the line that lets the judge score."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import call
from loopback import LoopbackServer, Say

from counterbench.cli.validate import _target
from counterbench.t2i.judging import gate


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_plan_names_suite_skills_calls_and_time_and_begins_no_run(here: Path) -> None:
    result = call("validate", "planted:oracle", "--for", "smoke", "--plan")
    assert result.exit_code == 0
    assert "for: the suite smoke" in result.stdout
    assert "asks: 16 pairs of smoke, by skill: above-below 2, arrow-target 2, " in result.stdout
    assert "takes: 32 calls" in result.stdout
    assert result.stdout.splitlines()[-1] == "next: counterbench validate planted:oracle --for smoke"
    assert not list(here.iterdir())


def test_it_probes_diagnoses_certifies_and_goes_on_where_it_was_stopped() -> None:
    stopped = call("validate", "planted:oracle", "--for", "smoke", "--name", "mine", "--max-calls", "20")
    assert stopped.exit_code == 3
    assert "runs/smoke--mine: 20 of 32 questions answered, 12 still to ask" in stopped.stdout
    result = call("validate", "planted:oracle", "--for", "smoke", "--name", "mine")
    assert result.exit_code == 1
    assert "takes: 12 calls" in result.stdout
    assert "mine: no fault of the list shows" in result.stdout
    assert "runs/smoke--mine/certificate-standard.json: not-enough-evidence" in result.stdout
    assert result.stdout.splitlines()[-1].startswith("next: counterbench probe smoke --judge planted:oracle --times ")
    assert Path("runs/smoke--mine/certificate-standard.json").is_file()


def test_a_judge_that_the_doctor_finds_unable_is_not_asked(here: Path) -> None:
    with LoopbackServer(Say("yes")) as server:
        result = call("validate", f"openai:m?base_url={server.url}", "--for", "smoke", "--json")
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert not found["able"]
    assert {check["name"]: check["holds"] for check in found["doctor"]["findings"]}["sees"] is False
    assert not list(here.iterdir())


def test_a_price_is_asked_for_before_anything_is(here: Path) -> None:
    with LoopbackServer(Say("yes")) as server:
        result = call("validate", f"openai:m?base_url={server.url}", "--for", "smoke", "--max-cost", 1)
        assert server.log == []
    assert result.exit_code == 2
    assert "give it with --price" in result.stderr


def test_the_next_command_is_the_whole_of_this_one() -> None:
    given = "--wording bare --policy strict --times 2 --out r --max-cost 3"
    result = call("validate", "planted:oracle", "--for", "smoke", "--plan", *given.split())
    assert result.stdout.splitlines()[-1] == f"next: counterbench validate planted:oracle --for smoke {given}.0"


def test_a_run_that_grew_is_gone_on_with_as_it_is() -> None:
    validating = ("validate", "planted:oracle", "--for", "smoke", "--policy", "exploratory", "--out", "run")
    assert call(*validating).exit_code == 1
    call("probe", "smoke", "--judge", "planted:oracle", "--times", "2", "--out", "run")
    again = call(*validating)
    assert again.exit_code == 1
    assert "64 are answered already" in again.stdout


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("rules", "rules: none of its checks can be drawn"),
        ("nothing", "unknown suite 'nothing'"),
        ("./nothing/", "there is no such folder"),
    ],
)
def test_what_cannot_be_validated_for(target: str, message: str) -> None:
    result = call("validate", "pixels", "--for", target)
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.parametrize("name", ["laws", "laws-photo"])
def test_prompts_lead_to_the_suite_that_opens_them(name: str) -> None:
    found = _target(name)
    assert found.suite == gate.SUITE
    assert f"the prompt set {name}, whose checks ask for 13 skills" in found.words


@pytest.mark.slow
def test_a_judge_that_sees_may_score_with_the_line_that_is_printed() -> None:
    call(
        "t2i", "generate", "laws", "--generator", "planted:literal", "--out", "images", "--limit", "2", "--samples", "1"
    )
    result = call("validate", "pixels", "--for", "images/planted-literal")
    assert result.exit_code == 0, result.output
    step = result.stdout.splitlines()[-1].split()
    assert step[:4] == ["next:", "counterbench", "t2i", "judge"]
    judged = call(*step[2:])
    assert judged.exit_code == 0, judged.output
    assert "UNCERTIFIED" not in judged.output
