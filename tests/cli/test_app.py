"""Whatever goes wrong in a command is one line and exit code 2, with the file's name where the system says it."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import pytest
from typer.testing import CliRunner, Result

from counterbench.cli import app
from counterbench.cli.app import UNFORESEEN, kept
from counterbench.errors import InputError, JudgeError


def called(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def raising(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def fail(*_: object, **__: object) -> NoReturn:
        raise error

    monkeypatch.setattr("counterbench.scoring.scores.score_runs", fail)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (PermissionError(13, "Permission denied", "runs/x"), "runs/x: Permission denied"),
        (OSError(5, "Input/output error"), "Input/output error"),
        (OSError("odd"), "OSError: odd"),
        (ValueError("embedded null byte"), "ValueError: embedded null byte"),
        (RecursionError("maximum recursion depth exceeded"), "RecursionError: maximum recursion depth exceeded"),
        (MemoryError(), "MemoryError"),
        (KeyError("x"), "KeyError: 'x'"),
        (TypeError("two\nlines"), r"TypeError: two\nlines"),
        (ExceptionGroup("several", [ValueError("x")]), "ExceptionGroup: several (1 sub-exception)"),
    ],
)
def test_what_is_not_foreseen_is_one_line(error: Exception, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    raising(monkeypatch, error)
    result = called("score", "runs/x")
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"error: {said} ({UNFORESEEN})\n")
    assert "--debug" in UNFORESEEN


@pytest.mark.parametrize("error", [KeyError("x"), InputError("runs/x: not a run")])
def test_debug_shows_where_and_only_when_asked(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    raising(monkeypatch, error)
    shown = called("--debug", "score", "runs/x")
    assert shown.exit_code == 2
    first, *lines = shown.stderr.split("\n")
    assert first == "Traceback (most recent call last):"
    assert f'File "{__file__}", line' in shown.stderr
    assert lines[-2].startswith("error: ")
    assert called("score", "runs/x").stderr.count("\n") == 1


def test_debug_is_of_the_commands_of_t2i_too(tmp_path: Path) -> None:
    assert "Traceback" in called("--debug", "t2i", "score", str(tmp_path)).stderr
    assert "Traceback" not in called("t2i", "score", str(tmp_path)).stderr


def test_what_is_kept_is_a_line_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(JudgeError) as caught, kept("answered"):
        raise JudgeError("no such model")
    raising(monkeypatch, caught.value)
    first, second = called("score", "runs/x").stderr.splitlines()
    assert first == "error: no such model"
    assert second.startswith("what was answered before is kept")


@pytest.mark.parametrize(
    "words",
    [
        ["probe", "smoke", "--judge", "openai:\udcff"],
        ["probe", "smoke", "--judge", "pixels", "--out", "x\udcff"],
        ["score", "runs/x", "runs/\udcff"],
        ["list", "\udcff"],
        ["t2i", "judge", "images/\udcff", "--judge", "pixels"],
    ],
)
def test_a_name_that_is_not_utf_8_is_refused(words: list[str]) -> None:
    result = called(*words)
    assert result.exit_code == 2
    assert result.stderr.endswith("\\udcff: this name is not UTF-8; rename it\n")
