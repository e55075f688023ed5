"""`evaluate` on the command line: the answer, its JSON, the plan, exit codes; killed anywhere and resumed."""

import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from commands import call, document, done
from pictures.own_pictures import table
from typer.testing import Result

JUDGE = "python:pictures.own_pictures:Eyes"
TESTS = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("own")
    source = table(folder)
    run_evaluate(source)
    return source


def run_evaluate(source: Path, *options: object, code: int = 0) -> Result:
    return call("evaluate", source, "--judge", JUDGE, "--out", source.parent / "run", *options, code=code)


def test_evaluate_prints_verdict_models_judge_and_report(own: Path) -> None:
    shown = run_evaluate(own)
    verdict, rest, good, poor, judge, report, rung = shown.stdout.splitlines()
    assert (verdict, rest) == (
        "In part: the judge was shown to see 100 % of what the questions ask, on drawn",
        "  pictures alone.",
    )
    assert good.startswith("good  0.87  [")
    assert "better than poor (p " in good
    assert poor.startswith("poor  0.07  [")
    assert judge == "Judge: eyes. Drawn test passed for presence."
    assert report == f"Report: {own.parent / 'run' / 'report.html'}"
    assert rung == f"next: counterbench label {own.parent / 'run'}"
    assert (own.parent / "run" / "report.html").is_file()


def test_verbose_prints_audit_evidence_and_replies(own: Path) -> None:
    output = " ".join(run_evaluate(own, "-v").stdout.split())
    assert "Audit skipped: needs 60 auditable pictures, found 30." in output
    assert "Evidence on these pictures: none yet." in output
    assert " replies" in output


def test_evaluate_json_has_the_fields_of_the_contract(own: Path) -> None:
    ended = document("evaluate", own, "--judge", JUDGE, "--out", own.parent / "run")
    assert [model["model"] for model in ended["models"]] == ["good", "poor"]
    assert {"better", "evidence", "not_tested", "labels", "report"} <= ended.keys()
    assert {*ended["models"][0]["score"]} == {"value", "low", "high"}


def test_a_plan_says_the_calls_and_asks_nothing(own: Path, tmp_path: Path) -> None:
    planned = done("evaluate", own, "--judge", JUDGE, "--out", tmp_path / "run", "--plan")
    assert "pictures: good 15, poor 15; 15 prompts" in planned
    assert not (tmp_path / "run" / "journal.jsonl").exists()


@pytest.mark.parametrize(("least", "code"), [("0.05", 0), ("0.7", 1)])
def test_min_score_decides_the_exit_code(own: Path, least: str, code: int) -> None:
    shown = run_evaluate(own, "--min", least, code=code)
    assert ("below --min 0.7: poor 0.06667" in shown.stderr) == bool(code)


def test_an_evaluation_stopped_by_a_limit_says_how_to_resume(own: Path, tmp_path: Path) -> None:
    stopped = call("evaluate", own, "--judge", JUDGE, "--out", tmp_path / "run", "--max-calls", "20", code=3)
    assert "stopped: the limit of 20 calls is reached" in stopped.stderr
    assert "next: " in stopped.stdout


KILLED = """
import os, signal
from pictures.own_pictures import Eyes

class Killed(Eyes):
    max_batch = 1
    async def answer(self, batch):
        log = os.environ["LOG"]
        before = len(open(log).readlines()) if os.path.exists(log) else 0
        if before == int(os.environ["AFTER"]):
            os.kill(os.getpid(), signal.SIGKILL)
        said = await super().answer(batch)
        with open(log, "a") as file:
            print(batch[0].id, file=file)
        return said
"""


@pytest.mark.slow
def test_an_evaluation_killed_in_any_phase_resumes_and_asks_nothing_twice(own: Path, tmp_path: Path) -> None:
    (tmp_path / "killed.py").write_text(KILLED)
    run, log = tmp_path / "run", tmp_path / "log"
    words = [sys.executable, "-m", "counterbench", "evaluate", own, "--judge", "python:killed:Killed", "--out", run]
    paths = os.pathsep.join([str(tmp_path), str(TESTS), os.environ.get("PYTHONPATH", "")])

    def ended(after: int) -> int:
        env = os.environ | {"PYTHONPATH": paths, "LOG": str(log), "AFTER": str(after)}
        return subprocess.run([*map(str, words)], env=env, capture_output=True, timeout=300).returncode

    assert [ended(after) for after in (5, 100)] == [-signal.SIGKILL] * 2  # in the doctor's questions, in the drawn test
    drawn = len(log.read_text().splitlines())
    assert ended(drawn + 10**6) == 0
    every = log.read_text().splitlines()
    pictures = [id for id in every if id.startswith(("good/", "poor/"))]
    assert len(pictures) == len(set(pictures))
    log.write_text("\n".join([*every[: -len(pictures)], ""]))
    for path in run.glob("*.jsonl"):
        path.unlink()  # the pictures are judged again, and now it is killed among them
    assert ended(len(every) - len(pictures) + 7) == -signal.SIGKILL
    assert ended(10**6) == 0
    twice = Counter(id for id in log.read_text().splitlines() if id.startswith(("good/", "poor/")))
    assert set(twice.values()) == {1}
    assert len(twice) == len(pictures)
