"""What a human reader takes each reply for, written by hand and never bent to the parser.

Where a human reads an answer (`human`) from a form that the parser does not know, it must find none, never another.
`forms.jsonl` has the forms that judges give one meaning in, and replies close to each that have another or none.
`labels`: those that the question names. `answer_line`: the question asks for a last line "Answer: …".
`confidence`: the one that is stated beside the answer and can be taken at its word; null if there is none.
"""

import json
from pathlib import Path
from typing import Any

from sweeping import swept

from counterbench.answers import ANSWER_TYPES, Answer, Outcome, Refused, Unparsed, read_reply

CASES: list[dict[str, Any]] = [
    json.loads(line)
    for file in ("golden.jsonl", "forms.jsonl")
    for line in (Path(__file__).parent / file).read_text(encoding="utf-8").splitlines()
]
TYPES = sorted({*ANSWER_TYPES, *(case["type"] for case in CASES)})
KINDS = {Answer: "answer", Unparsed: "unparsed", Refused: "refused"}


def outcome_and_value(outcome: Outcome) -> tuple[str, str | None]:
    return KINDS[type(outcome)], outcome.value if isinstance(outcome, Answer) else None


@swept("kind", TYPES)
def test_each_reply_is_read_as_a_person_reads_it(kind: str) -> None:
    wrong = []
    for case in (case for case in CASES if case["type"] == kind):
        strict = case.get("strict", case)
        for synonyms, expected in ((True, case), (False, strict)):
            labels = {label: label for label in case.get("labels", ())}
            line = case.get("answer_line", False)
            found = read_reply(case["reply"], kind, synonyms=synonyms, labels=labels, answer_line=line)
            if outcome_and_value(found) != (expected["outcome"], expected.get("value")):
                wrong.append((case["reply"], expected["outcome"], expected.get("value"), synonyms, found))
            if "confidence" in case and getattr(found, "confidence", None) != case["confidence"]:
                wrong.append((case["reply"], case["confidence"], found))
    assert wrong == []


def test_every_type_has_cases_of_every_outcome() -> None:
    assert len({(case["type"], case["reply"], "labels" in case) for case in CASES}) == len(CASES)
    assert {"rating", "ratings"} <= {kind.partition(":")[0] for kind in TYPES}
    for kind in TYPES:
        found = {case["outcome"] for case in CASES if case["type"] == kind}
        assert found == {"answer", "unparsed", "refused"} or kind.startswith("choice:")
