"""`t2i audit` on the command line: the finding in words, its JSON, the plan, exit codes."""

import json
import re
from pathlib import Path

import pytest
from commands import call
from pictures.auditing.balls import Sighted, run_of
from sweeping import swept

from counterbench.evidence.document import CellVerdict
from counterbench.evidence.stickers import StickerResult
from counterbench.files.formats import write_json

SIGHTED, YES = (f"python:pictures.auditing.balls:{name}" for name in ("Sighted", "Sighted?yes=1"))


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    found = {}
    for name, judge in ((SIGHTED, Sighted()), (YES, Sighted(yes=True))):
        found[name] = run_of(tmp_path_factory.mktemp(judge.name), judge)
    return found


def test_an_always_yes_judge_is_revoked_in_words_and_exit_code(
    runs: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shown = call("t2i", "audit", runs[YES], "--judge", YES, "--pictures", 25, code=1)
    lines = [line for line in shown.stdout.splitlines() if "counterbench" not in line]  # a command stays whole
    assert max(map(len, lines)) <= 80
    assert sum(line.endswith("? yes") for line in lines) >= 6  # an answer a line
    output = " ".join(shown.stdout.split())
    assert "25 of the run, " in output
    further = "two pictures side by side, mirror images, plain grey pictures and the same pictures"
    assert f" to the audit's questions about {further}); over all pictures at least " in output
    assert " %, with 95 % confidence" in output
    assert "the judge's admission is revoked: the policy allows 15 % wrong answers" in output
    assert "error rate" not in output
    assert "(-v prints all)" in output


def test_audit_prints_json_alone_with_the_fields_of_the_contract(runs: dict[str, Path]) -> None:
    shown = call("t2i", "audit", runs[SIGHTED], "--judge", SIGHTED, "--pictures", 20, "--json", code=0)
    (found,) = json.loads(shown.stdout)["runs"]
    assert {"answers", "wrong_at_least", "relations", "noise", "skills", "revoked", "contradictions"} <= found.keys()
    assert {*found["wrong_at_least"]} == {"count", "of", "share"}
    assert {*found["wrong_at_least"]["share"]} == {"value", "low", "high"}
    assert {*found["relations"]["gone"]} == {"asked", "broken", "counts", "drawn"}
    assert found["revoked"] == []
    table = call("t2i", "audit", runs[SIGHTED], "--pictures", 20)
    output = " ".join(table.stdout.split())
    assert f"0 of {found['answers']} answers contradict each other ({len(found['checks'])} of the run, " in output
    assert "nothing is revoked, which is no proof that the answers are right" in output


def test_scores_and_comparisons_repeat_the_audits_number_and_revocations(runs: dict[str, Path]) -> None:
    assert call("t2i", "audit", runs[YES], "--judge", YES, "--pictures", 25).exit_code == 1
    assert call("t2i", "audit", runs[SIGHTED], "--judge", SIGHTED, "--pictures", 20).exit_code == 0
    output = " ".join(call("score", runs[YES]).stdout.split())
    assert "Judge: sighted-yes, not admitted: its numbers are unproven (revoked: " in output
    assert "Audit: at least " in output
    assert "The judge's admission is revoked: the policy allows 15 % wrong answers." in output
    audits = [run["audit"] for run in json.loads(call("score", *runs.values(), "--json").stdout)["runs"]]
    assert [audit["revoked"] for audit in audits] == [[], ["all"]]
    assert audits[0]["wrong_at_least"]["count"] == 0 < audits[1]["wrong_at_least"]["count"]
    assert json.loads(call("compare", *runs.values(), "--json").stdout)["audits"] == {
        str(run): audit for run, audit in zip(runs.values(), audits, strict=True)
    }
    compared = " ".join(call("compare", *runs.values()).stdout.split())
    assert f"Audit of {runs[SIGHTED]}: 0 of " in compared
    assert f"Audit of {runs[YES]}: at least " in compared


@pytest.mark.parametrize("verdict", ["pass", "fail"])
def test_scores_state_the_result_on_stickers(tmp_path: Path, verdict: CellVerdict) -> None:
    run = run_of(tmp_path, Sighted(), 12)
    (found,) = json.loads(call("score", run, "--json").stdout)["runs"]
    assert found["audit"] is None
    assert "not tested: its numbers are unproven (there is no certificate)" in call("score", run).stdout
    stickers = StickerResult(
        judge="sighted", template_digest="", grounds_digest="", run="", verdict=verdict, reason="31 of 60 pairs right",
        pictures=12, grounds=20, left_out=0, bound=0.85, threshold=20, cells={}, families={},
    )  # fmt: skip
    (run / "stickers").mkdir()
    write_json(run / "stickers" / "stickers.json", stickers)
    output = " ".join(call("score", run).stdout.split())
    reason = "stickers on these pictures: 31 of 60 pairs right" if verdict == "fail" else "there is no certificate"
    assert f"not admitted: its numbers are unproven ({reason})" in output
    shown = "stickers only" if verdict == "pass" else "none yet"
    assert f"Evidence on these pictures: {shown}; to add human labels:" in output


def test_an_audit_plan_says_the_calls_and_asks_nothing(tmp_path: Path) -> None:
    run = run_of(tmp_path, Sighted(), 12)
    planned = call("t2i", "audit", run, "--judge", SIGHTED, "--pictures", 5, "--plan", code=0)
    assert 5 * 5 < int(re.search(r"(\d+) questions about 5 pictures", planned.stdout)[1]) < 9 * 5  # type: ignore[index]
    assert "540 about drawn ones (two-in-one, mirror, gone, denied, exclusive and parts)" in planned.stdout
    assert not (run / "audit").exists()
    only = call("t2i", "audit", run, "--judge", SIGHTED, "--relations", "gone", "--plan", "--json")
    assert json.loads(only.stdout)["runs"][0]["relations"] == ["gone"]


def test_an_audit_stopped_early_exits_with_3(tmp_path: Path) -> None:
    run = run_of(tmp_path, Sighted(), 12)
    stopped = call("t2i", "audit", run, "--judge", SIGHTED, "--pictures", 5, "--max-calls", 30, code=3)
    assert "stopped" in stopped.stderr


@swept(
    ("options", "message"),
    [
        (["--relations", "miror"], "unknown relation 'miror' (did you mean 'mirror'?)"),
        (["--judge", "planted:oracle"], "a planted judge only answers about pictures drawn by counterbench"),
        (["--judge", YES], "was answered by 'sighted', not by 'sighted-yes'"),
        ([], "its judge cannot be opened by its name 'sighted'; --judge names it, one of: "),
        (["--plan"], "its judge cannot be opened by its name 'sighted'; --judge names it, one of: "),
    ],
)
def test_a_run_that_cannot_be_audited_is_refused_in_one_line(tmp_path: Path, options: list[str], message: str) -> None:
    refused = call("t2i", "audit", run_of(tmp_path, Sighted(), 4), *options, code=2)
    assert message in refused.stderr
