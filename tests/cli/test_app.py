"""Whatever goes wrong in a command is one line and exit code 2, with the file's name where the system says it."""

from typing import NoReturn

import pytest
from sweeping import swept
from typer.testing import CliRunner, Result

from counterbench.asking.runner import Progress
from counterbench.cli import app
from counterbench.cli.app import UNFORESEEN
from counterbench.cli.work import working
from counterbench.errors import InputError, JudgeError


def called(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def raising(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def fail(*_: object, **__: object) -> NoReturn:
        raise error

    monkeypatch.setattr("counterbench.cli.tables.score_runs", fail)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (ValueError("embedded null byte"), "ValueError: embedded null byte"),
        (MemoryError(), "MemoryError"),
        (TypeError("two\nlines"), r"TypeError: two\nlines"),
    ],
)
def test_an_unexpected_error_is_one_line(error: Exception, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    raising(monkeypatch, error)
    result = called("score", "runs/x")
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"error: {message} ({UNFORESEEN})\n")
    assert "--debug" in UNFORESEEN


@pytest.mark.parametrize(
    "error", [OSError(5, "Input/output error"), PermissionError("closed"), ConnectionResetError(), TimeoutError("slow")]
)
def test_an_error_of_the_file_system_is_not_reported_as_a_bug(error: OSError, monkeypatch: pytest.MonkeyPatch) -> None:
    raising(monkeypatch, error)
    message = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    assert (called("score", "runs/x").exit_code, called("score", "runs/x").stderr) == (2, f"error: {message}\n")


LONG = "x" * 300


@swept(
    "words",
    [["score", LONG], ["probe", "smoke", "--judge", f"{LONG}.toml"], ["generate", "smoke", "--out", LONG],
     ["certify", ".", "--policy", f"{LONG}.toml"], ["import", "counterbench", LONG, "--out", "x"],
     ["t2i", "import", f"{LONG}.csv", "--out", "x"]],
)  # fmt: skip
def test_a_file_name_that_is_too_long_is_named(words: list[str]) -> None:
    result = called(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert LONG in result.stderr
    assert "File name too long" in result.stderr


@pytest.mark.parametrize("error", [KeyError("x"), InputError("runs/x: not a run")])
def test_a_traceback_is_shown_with_debug_only(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    raising(monkeypatch, error)
    shown = called("--debug", "score", "runs/x")
    assert shown.exit_code == 2
    first, *lines = shown.stderr.split("\n")
    assert first == "Traceback (most recent call last):"
    assert f'File "{__file__}", line' in shown.stderr
    assert lines[-2].startswith("error: ")
    assert called("score", "runs/x").stderr.count("\n") == 1


def test_an_error_after_answers_says_on_its_own_line_that_they_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def ended(done: int) -> JudgeError:
        try:
            with working("asking", lambda p: "", "answered", lambda: "", quiet=True) as work:
                work(Progress(total=2, done=done))
                raise JudgeError("no such model")
        except JudgeError as error:
            return error

    raising(monkeypatch, ended(1))
    first, second = called("score", "runs/x").stderr.splitlines()
    assert first == "error: no such model"
    assert second.startswith("what was answered before is kept")
    raising(monkeypatch, ended(0))
    assert called("score", "runs/x").stderr == "error: no such model\n", "nothing was answered"
