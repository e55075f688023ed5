"""A judge's TOML file: what it may say, what is said where it is wrong, and that it is a judge like any other."""

from __future__ import annotations

from pathlib import Path

import pytest

from counterbench.errors import InputError
from counterbench.judges import open_judge
from counterbench.judges.base import called
from counterbench.judges.openai import OpenAIJudge
from counterbench.judges.options import JUDGE_FORMAT, JudgeFile, read_judge_file
from counterbench.runs.queries import Key

WHOLE = """
format = "counterbench.judge/1"
kind = "openai"
model = "qwen/qwen2.5-vl-72b-instruct"

[options]
base_url = "http://localhost:8000/v1"
temperature = 0.5
timeout = 30
body = { provider = { order = ["together"] } }
"""


def no_truth() -> list[Key]:
    raise AssertionError("only planted judges are built with the truth")


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    path = tmp_path / "mine.toml"
    path.write_text(WHOLE)
    return path


def refused(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        read_judge_file(path)
    assert str(caught.value).startswith(f"{path}: ")
    return str(caught.value)


def test_a_whole_file(file: Path) -> None:
    assert read_judge_file(file) == JudgeFile(
        JUDGE_FORMAT,
        "openai",
        "qwen/qwen2.5-vl-72b-instruct",
        {
            "base_url": "http://localhost:8000/v1",
            "temperature": 0.5,
            "timeout": 30,
            "body": {"provider": {"order": ["together"]}},
        },
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "[options]",
            "[option]",
            "unknown key 'option' (did you mean 'options'?); choose from: format, kind, model, na",
        ),
        (
            'kind = "openai"',
            'kind = "openia"',
            "unknown kind 'openia' (did you mean 'openai'?); choose from: openai",
        ),
        ('kind = "openai"', "kind = 3", "kind"),
        ('model = "qwen/qwen2.5-vl-72b-instruct"', "model = 7", "model"),
        ('model = "qwen/qwen2.5-vl-72b-instruct"', 'model = " "', "model is empty"),
        ("counterbench.judge/1", "counterbench.suite/1", "its format is 'counterbench.suite/1'"),
    ],
)
def test_a_wrong_file_is_said_with_what_is_wrong(file: Path, old: str, new: str, message: str) -> None:
    assert old in WHOLE
    file.write_bytes(WHOLE.replace(old, new).encode())
    assert message in refused(file)


# ---- as a judge


def test_the_name_of_a_files_judge(file: Path) -> None:
    judge = open_judge(str(file), no_truth)
    assert isinstance(judge, OpenAIJudge)
    assert judge.name == (
        "openai:qwen/qwen2.5-vl-72b-instruct?base_url=http://localhost:8000/v1&temperature=0.5"
        '&body={"provider":{"order":["together"]}}'
    )


def test_the_command_line_comes_before_the_file(file: Path) -> None:
    judge = open_judge(str(file), no_truth, base_url="http://localhost:9000/v1")
    assert isinstance(judge, OpenAIJudge)
    assert judge.access.url == "http://localhost:9000/v1"


def test_wrong_options_of_a_file_name_the_file(file: Path) -> None:
    file.write_text(WHOLE.replace("timeout", "patience"))
    with pytest.raises(InputError, match=r"mine\.toml"):
        open_judge(str(file), no_truth)


@pytest.mark.parametrize("spec", ["replay:runs/mine.toml", "planted:mine.toml"])
def test_a_name_that_ends_in_toml_after_a_kind_is_no_file(spec: str) -> None:
    with pytest.raises(InputError) as caught:
        open_judge(spec, lambda: [])
    assert "is not valid TOML" not in str(caught.value)
    assert "format" not in str(caught.value)


def test_a_name_of_its_own(file: Path) -> None:
    file.write_text(WHOLE.replace("\n[options]", 'name = "qwen 72b"\n\n[options]'))
    judge = open_judge(str(file), no_truth)
    assert called(judge) == "qwen 72b"
    assert called(judge, "mine") == "mine"
    assert "72b-instruct?base_url" in judge.name
