"""The workflow's action: its script on a planted judge in a bare environment, and inputs that it must refuse."""

import csv
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from commands import done
from packaging.requirements import Requirement
from planted_runs import edit_info

from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite

yaml = pytest.importorskip("yaml")
ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
ASK = ACTION["runs"]["steps"][1]


class ActionRunner:
    """A runner's folders, and a Python in place of the one that the first step installs."""

    def __init__(self, at: Path) -> None:
        self.workspace, self.temp = at / "workspace", at / "temp"
        self.summary, self.output = at / "summary.md", at / "output"
        (self.temp / "counterbench" / "bin").mkdir(parents=True)
        self.workspace.mkdir()
        python = self.temp / "counterbench" / "bin" / "python"
        # A checkout is found by PYTHONPATH, so -I is dropped; -P keeps the folder of the call out all the same.
        python.write_text(f'#!/bin/bash\nshift\nPYTHONPATH={ROOT} exec {sys.executable} -P "$@"\n')
        python.chmod(0o755)

    def ask(self, **inputs: str) -> tuple[int, str]:
        """The exit code and all that is printed, given these inputs."""
        given = {name: entry.get("default", "") for name, entry in ACTION["inputs"].items()}
        given |= {name.replace("_", "-"): value for name, value in inputs.items() if name != "event"}
        names = {name.upper().replace("-", "_"): value for name, value in given.items() if name != "key"}
        env = {
            **names, "EVENT": inputs.get("event", "pull_request"), "COUNTERBENCH_KEY": given["key"],
            "COUNTERBENCH_NO_FETCH": "1", "COLUMNS": "100", "PATH": "/usr/local/bin:/usr/bin:/bin",
            "HOME": str(self.temp), "RUNNER_TEMP": str(self.temp), "GITHUB_WORKSPACE": str(self.workspace),
            "GITHUB_STEP_SUMMARY": str(self.summary), "GITHUB_OUTPUT": str(self.output),
        }  # fmt: skip
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-c", ASK["run"]],
            env=env, cwd=self.workspace, capture_output=True, text=True, timeout=300,
        )  # fmt: skip
        return done.returncode, done.stdout + done.stderr

    def table(self, image: str = "") -> None:
        """A table of two models' pictures in the workspace, with a yes/no question each."""
        source = SuiteSource(load_suite("smoke"))
        pairs = [pair for pair in source if pair.answer_type == "yes-no"][:2]
        with (self.workspace / "pictures.csv").open("w", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(["image", "prompt", "model", "question", "answer"])
            for number, pair in enumerate(pairs):
                picture = self.workspace / f"{number}.png"
                picture.write_bytes(source.pictures(pair)[0].png)
                for model in ("one", "two"):
                    rows.writerow([image or picture.name, f"prompt {number}", model, pair.question, pair.answers[0]])


@pytest.fixture
def runner(tmp_path: Path) -> ActionRunner:
    return ActionRunner(tmp_path)


@pytest.mark.slow
def test_pictures_from_outside_the_workspace_are_never_asked_about(runner: ActionRunner) -> None:
    assert "allow-outside" not in ASK["run"]
    (runner.temp / "mine.png").write_bytes(b"")
    runner.table("../temp/mine.png")
    code, output = runner.ask(command="evaluate", source="pictures.csv", judge="planted:oracle")
    assert code == 2
    assert "leads outside" in output
    (runner.workspace / "folder").mkdir()
    (runner.workspace / "folder" / "metadata.csv").symlink_to(runner.temp / "mine.png")
    code, output = runner.ask(command="evaluate", source="folder", judge="planted:oracle")
    assert code == 2
    assert "a link in source leads outside of the workspace" in output


def test_the_actions_packages_are_pinned_with_hashes() -> None:
    install = ACTION["runs"]["steps"][0]["run"]
    assert "--require-hashes --only-binary :all: -r" in install
    assert "--no-deps --no-build-isolation" in install
    assert install.count("pip --") == 2
    text = (ROOT / "action-constraints.txt").read_text()
    pinned = dict(re.findall(r"^([a-z0-9.-]+)==(\S+) .*\n(?=    --hash=sha256:[0-9a-f]{64})", text, re.MULTILINE))
    assert len(pinned) >= len(set(re.findall(r"^[a-z0-9.-]+(?==)", text, re.MULTILINE))) > 20, "each has a hash"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = [*project["project"]["dependencies"], *project["project"]["optional-dependencies"]["report"]]
    for requirement in map(Requirement, [*wanted, *project["build-system"]["requires"]]):
        assert requirement.specifier.contains(pinned[requirement.name]), f"{requirement}: make constraints"


def test_no_input_is_pasted_into_a_script() -> None:
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step["run"]
    assert "head.repo.full_name == github.repository" in ASK["env"]["COUNTERBENCH_KEY"]


@pytest.mark.parametrize(
    ("inputs", "reason"),
    [
        ({"judge": "python:evil:Judge"}, "judge is pixels"),
        ({"judge": "evil.toml"}, "judge is pixels"),
        ({"judge": "openai:x?base_url=https://evil.example"}, "judge is pixels"),
        ({"judge": "pixels; touch pwned"}, "judge is pixels"),
        ({"command": "probe"}, "command is evaluate or watch"),
        ({"source": "https://evil.example/a.csv"}, "not in the workspace"),
        ({"source": "../output"}, "lies outside of the workspace"),
        ({"source": "$(touch pwned)"}, "not in the workspace"),
        ({"template": "../evil.toml"}, "template is the name"),
        ({"min": "0.5; touch pwned"}, "min is no number"),
        ({"questions": "https://evil.example/q.csv"}, "not in the workspace"),
        ({"event": "pull_request_target"}, "not for the event"),
        ({"event": "issue_comment"}, "not for the event"),
        ({"source": "link"}, "line end in its path"),
    ],
)
def test_bad_inputs_are_refused(runner: ActionRunner, inputs: dict[str, str], reason: str) -> None:
    runner.table()
    (runner.workspace / "a\nrun=b").mkdir()
    (runner.workspace / "link").symlink_to("a\nrun=b")
    runner.output.write_text("")
    code, printed = runner.ask(**{"command": "evaluate", "source": "pictures.csv", "judge": "pixels"} | inputs)
    assert code == 2
    assert reason in printed
    assert not list(runner.workspace.glob("pwned"))


@pytest.mark.slow
def test_pictures_at_an_address_are_not_fetched(runner: ActionRunner) -> None:
    runner.table("https://evil.example/a.png")
    code, printed = runner.ask(command="evaluate", source="pictures.csv", judge="pixels")
    assert code != 0
    assert "not fetched here" in printed


@pytest.fixture
def watched_run(runner: ActionRunner) -> Path:
    """A planted judge's run in the workspace, with its bank."""
    run = runner.workspace / "run"
    done("probe", "smoke", "--judge", "planted:sticky", "--out", run)
    done("watch", run, "--start")
    return run


@pytest.mark.slow
def test_the_action_runs_a_planted_judge_and_no_submitted_code(runner: ActionRunner, watched_run: Path) -> None:
    # Modules of a submission under the names of ours and of others' are not imported.
    for name in ("counterbench", "msgspec", "sitecustomize"):
        (runner.workspace / f"{name}.py").write_text("raise SystemExit('pwned')")
    code, printed = runner.ask(command="watch", source="run", judge="planted:sticky")
    assert (code, "pwned" in printed) == (0, False), printed
    assert runner.summary.read_text().startswith("### counterbench watch\n\nThe check holds.\n\n    ")
    begin, token = printed.index("::stop-commands::"), printed.partition("::stop-commands::")[2][:32]
    assert begin < printed.index("UNCHANGED") < printed.index(f"\n::{token}::\n")
    assert f"run={watched_run}" in runner.output.read_text()


@pytest.mark.slow
def test_a_run_that_names_python_code_is_refused_unrun(runner: ActionRunner, watched_run: Path) -> None:
    (runner.workspace / "evil.py").write_text("raise SystemExit('pwned')")
    edit_info(watched_run, judge="python:evil:Judge")
    code, printed = runner.ask(command="watch", source="run", judge="planted:sticky")
    assert (code, "is not the judge of" in printed, "pwned" in printed) == (2, True, False), printed
