"""What a human reader takes each reply for; the expectations are written by hand and never bent to the parser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from counterbench.answers import ANSWER_TYPES, Answer, Outcome, Refused, Unparsed, parse

CASES: list[dict[str, Any]] = [
    json.loads(line) for line in (Path(__file__).parent / "golden.jsonl").read_text(encoding="utf-8").splitlines()
]
KINDS = {Answer: "answer", Unparsed: "unparsed", Refused: "refused"}


def told(outcome: Outcome) -> tuple[str, str | None]:
    return KINDS[type(outcome)], outcome.value if isinstance(outcome, Answer) else None


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['type']}-{case['reply'][:30]!a}")
def test_golden(case: dict[str, Any]) -> None:
    assert told(parse(case["reply"], case["type"])) == (case["outcome"], case.get("value"))
    strict = case.get("strict", case)
    assert told(parse(case["reply"], case["type"], synonyms=False)) == (strict["outcome"], strict.get("value"))


def test_there_are_many_different_cases() -> None:
    assert len({(case["type"], case["reply"]) for case in CASES}) == len(CASES) >= 220
    for kind in ANSWER_TYPES:
        assert {case["outcome"] for case in CASES if case["type"] == kind} == {"answer", "unparsed", "refused"}
