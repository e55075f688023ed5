"""Scenes labelled by hand, by what a person sees in the picture, against the programs.

No label was copied from a program's output. Where a program disagrees, decide who is right before touching a line.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

from counterbench.errors import AmbiguousError
from counterbench.scene.programs import Program
from counterbench.scene.scene import Scene

CASES: list[dict[str, Any]] = [
    json.loads(line) for line in (Path(__file__).parent / "scenes.jsonl").read_text(encoding="utf-8").splitlines()
]
OPS = ("colour-of", "relates", "further", "count", "is-inside", "count-inside", "arrow-target", "equals")


def test_the_programs_agree_with_a_person() -> None:
    wrong = []
    for case in CASES:
        program: Program = msgspec.convert(case["program"], Program)
        try:
            found = program.answer(msgspec.convert(case["scene"], Scene))
        except AmbiguousError:
            found = "ambiguous"
        if found != case.get("answer", "ambiguous"):
            wrong.append((case["program"]["op"], case["why"], found))
    assert not wrong, "kind of question, why the label is what it is, what the program says"


def test_the_labelled_set_is_large_and_covers_every_program() -> None:
    assert len(CASES) >= 110
    clear = Counter(case["program"]["op"] for case in CASES if "answer" in case)
    unclear = Counter(case["program"]["op"] for case in CASES if case.get("ambiguous"))
    assert [op for op in OPS if not (clear[op] >= 3 and unclear[op] >= 3)] == []
    assert set(clear) | set(unclear) == set(OPS)
    for op in ("relates", "further"):
        relations = {case["program"]["relation"] for case in CASES if case["program"]["op"] == op and "answer" in case}
        assert relations == {"left", "right", "above", "below"}
    inner = {case["program"]["program"]["op"] for case in CASES if case["program"]["op"] == "equals"}
    assert inner == {"colour-of", "further", "count", "count-inside", "arrow-target"}


def test_every_case_is_unique_with_one_label_and_a_reason() -> None:
    for case in CASES:
        assert case.keys() in ({"why", "scene", "program", "answer"}, {"why", "scene", "program", "ambiguous"})
        assert case["why"]
        assert case.get("ambiguous", True) is True
    keys = [json.dumps((case["scene"], case["program"]), sort_keys=True) for case in CASES]
    assert len(set(keys)) == len(keys)
