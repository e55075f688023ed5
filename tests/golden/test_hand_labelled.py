"""Scenes labelled by hand, by what a person sees in the picture, against the programs.

No label was copied from a program's output. Where a program disagrees, decide who is right before touching a line.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from counterbench.errors import AmbiguousError
from counterbench.scene.programs import Program
from counterbench.scene.scene import Scene

CASES: list[dict[str, Any]] = [
    json.loads(line) for line in (Path(__file__).parent / "scenes.jsonl").read_text(encoding="utf-8").splitlines()
]
OPS = ("colour-of", "relates", "further", "count", "is-inside", "count-inside", "arrow-target", "equals")


def _name(case: dict[str, Any]) -> str:
    return f"{case['program']['op']}: {case['why']}"


@pytest.mark.parametrize("case", CASES, ids=_name)
def test_the_program_agrees_with_a_person(case: dict[str, Any]) -> None:
    scene = msgspec.convert(case["scene"], Scene)
    program: Program = msgspec.convert(case["program"], Program)
    if case.get("ambiguous"):
        with pytest.raises(AmbiguousError):
            program.answer(scene)
    else:
        assert program.answer(scene) == case["answer"]


def test_the_set_is_large_and_covers_every_program() -> None:
    assert len(CASES) >= 110
    clear = Counter(case["program"]["op"] for case in CASES if "answer" in case)
    unclear = Counter(case["program"]["op"] for case in CASES if case.get("ambiguous"))
    assert all(clear[op] >= 3 and unclear[op] >= 3 for op in OPS)
    assert set(clear) | set(unclear) == set(OPS)
    for op in ("relates", "further"):
        asked = {case["program"]["relation"] for case in CASES if case["program"]["op"] == op and "answer" in case}
        assert asked == {"left", "right", "above", "below"}
    inner = {case["program"]["program"]["op"] for case in CASES if case["program"]["op"] == "equals"}
    assert inner == {"colour-of", "further", "count", "count-inside", "arrow-target"}


def test_every_case_says_why_and_has_one_label_and_is_there_once() -> None:
    for case in CASES:
        assert case.keys() in ({"why", "scene", "program", "answer"}, {"why", "scene", "program", "ambiguous"})
        assert case["why"]
        assert case.get("ambiguous", True) is True
    keys = [json.dumps((case["scene"], case["program"]), sort_keys=True) for case in CASES]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("case", CASES, ids=_name)
def test_every_program_can_be_put_into_words(case: dict[str, Any]) -> None:
    words = msgspec.convert(case["program"], Program).wordings()
    assert len(set(words)) == len(words) >= 2
    assert not any("{" in sentence or "None" in sentence for sentence in words)
