"""300 questions of the field, marked by hand before any parser was run: which skills they are granted.

`marked_questions.csv` has their places, digests of their words, the skill that each asks for as a whole ("" for one
that drawn pairs do not test), and whether it asks so plainly. The words are read from the authors' own files: see
`published`. They are the first by a hash of their places: 94 of DSG and of T2I-CoReBench, 93 of GenEval 2, all 19 of
TIFA's sample.
"""

import csv
import json
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from published import UPSTREAM, needing

from counterbench.prompts.claims import skill_in

pytestmark = needing("THE MARKED QUESTIONS ARE NOT READ", "DSG", "T2I-CoReBench/data", "GenEval2", "TIFA")
MARKS = Path(__file__).with_name("marked_questions.csv")


class MarkedQuestion(NamedTuple):
    place: str
    text: str
    skill: str
    plain: bool
    granted: str


def words_at(file: Any, place: str) -> str:
    """The words of a question in the rows of a file; rows and questions are counted from 1."""
    row, _, number = place.partition(":")
    if isinstance(file, dict):
        return str(file[row]["Checklist"][int(number) - 1]["question"])
    record = file[int(row) - 1]
    if number:
        return str(record["vqa_list"][int(number) - 1][0])
    return str(record.get("question_natural_language") or record["question"])


def read_rows(path: Path) -> Any:
    if path.suffix == ".csv":
        return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines(keepends=True)))
    text = path.read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()] if path.suffix == ".jsonl" else json.loads(text)


def marked_questions() -> Iterator[MarkedQuestion]:
    files: dict[str, Any] = {}
    for mark in csv.DictReader(MARKS.read_text(encoding="utf-8").splitlines()):
        name, place = mark["file"], mark["question"]
        if name not in files:
            files[name] = read_rows(UPSTREAM / name)
        text = words_at(files[name], place)
        digest = blake2b(text.encode(), digest_size=4).hexdigest()
        assert digest == mark["digest"], f"{name}, {place}: other words than were marked"
        yield MarkedQuestion(f"{name}, {place}", text, mark["skill"], mark["plain"] == "yes", skill_in(text))


@pytest.fixture(scope="module")
def marked() -> list[MarkedQuestion]:
    return list(marked_questions())


def test_at_most_3_percent_of_questions_are_granted_a_wrong_skill(marked: list[MarkedQuestion]) -> None:
    wrong = [f"{q.place}: {q.granted}, not {q.skill or 'any'}" for q in marked if q.granted not in ("", q.skill)]
    assert len(marked) == 300
    assert len(wrong) <= 9, "\n".join(wrong)


def test_four_of_five_plain_questions_are_granted_their_skill(marked: list[MarkedQuestion]) -> None:
    plain = [q for q in marked if q.plain]
    lost = [f"{q.place}: {q.granted or 'none'}, not {q.skill}" for q in plain if q.granted != q.skill]
    assert len(plain) == 146
    assert len(lost) <= 0.2 * len(plain), "\n".join(lost)
