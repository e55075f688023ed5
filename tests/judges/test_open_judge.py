"""Judges by name: what may stand after --judge, and what is said of everything else."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest

from counterbench.answers.outcomes import Failed
from counterbench.errors import InputError
from counterbench.judges import KINDS, Judge, Reply, open_judge
from counterbench.judges.base import JudgeExtras, extras
from counterbench.judges.planted import PLANTED, PlantedJudge
from counterbench.runs.queries import Key
from counterbench.testing import sample_queries


def no_truth() -> list[Key]:
    raise AssertionError("only planted judges are built with the truth")


@pytest.mark.parametrize("name", PLANTED)
def test_planted_judges_get_the_keys(name: str) -> None:
    asked: list[int] = []

    def keys() -> list[Key]:
        asked.append(1)
        return []

    judge = open_judge(f"planted:{name}?seed=3", keys)
    assert isinstance(judge, PlantedJudge)
    assert isinstance(judge, Judge)
    assert judge.name == f"planted:{name}?seed=3"
    assert asked == []  # read along with the questions
    reply = asyncio.run(judge.answer(sample_queries(1)))[0]
    assert asked == [1] * 2
    assert reply.failure is not None
    assert reply.failure.kind == "no-key"


@pytest.mark.parametrize("spec", ["", "pixel", "pixels:1", "anthropic:x", "Planted:oracle", ":", "oracle"])
def test_an_unknown_judge_lists_the_kinds(spec: str) -> None:
    with pytest.raises(InputError, match="unknown judge") as caught:
        open_judge(spec, no_truth)
    assert all(kind in str(caught.value) for kind in KINDS)


@pytest.mark.parametrize("spec", ["planted", "planted:", "replay", "replay:"])
def test_a_kind_without_a_name_says_so(spec: str) -> None:
    with pytest.raises(InputError, match="names nothing after") as caught:
        open_judge(spec, no_truth)
    assert all(kind in str(caught.value) for kind in KINDS)


def test_a_reply_is_a_text_or_a_failure() -> None:
    with pytest.raises(ValueError, match="either a text or a failure"):
        Reply()
    with pytest.raises(ValueError, match="either a text or a failure"):
        Reply(text="yes", failure=Failed("x"))
    assert Reply(text="").text == ""


def test_what_a_judge_may_have_besides() -> None:
    told = SimpleNamespace(versions={"mine": "1"})
    assert extras(told, JudgeExtras) == JudgeExtras(versions={"mine": "1"}, samples=False)
    assert extras(object(), JudgeExtras) == JudgeExtras()
    told.versions = {"mine": 1}
    with pytest.raises(InputError, match=r"SimpleNamespace: Expected `str`, got `int` - at `\$\.versions"):
        extras(told, JudgeExtras)
