"""The field's tables: small files of our own in their columns, and the authors' files where they are."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from published import UPSTREAM

from counterbench.prompts.files import load_prompts, not_used
from counterbench.prompts.imports.imported import ImportedPrompts, read_table_of_prompts
from counterbench.prompts.prompt_set import Check
from counterbench.prompts.skills import skill_of, whole_prompt


def imported_table(folder: Path, name: str, data: Any) -> ImportedPrompts:
    path = folder / name
    path.write_text(data if isinstance(data, str) else json.dumps(data))
    (found,) = read_table_of_prompts(path)
    assert load_prompts(path).digest == found.prompts.digest  # every command takes the file as it is
    return found


def checks_of(found: ImportedPrompts) -> list[Check]:
    return [check for prompt in found.prompts.prompts for check in prompt.checks]


def notes(found: ImportedPrompts) -> dict[str, int]:
    return {warning.what: warning.count for warning in found.warnings}


def lines(*rows: dict[str, Any]) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def test_geneval_becomes_questions_of_presence_count_colour_and_place(tmp_path: Path) -> None:
    knives = {
        "include": [{"class": "knife", "count": 2}],
        "exclude": [{"class": "knife", "count": 3}],
        "tag": "counting",
    }
    place = [{"class": "owl", "count": 1}, {"class": "cup", "count": 1, "color": "red", "position": ["left of", 0]}]
    found = imported_table(
        tmp_path, "g.jsonl", lines({**knives, "prompt": "two knives"}, {"include": place, "prompt": "a cup and an owl"})
    )
    assert found.recognised == "geneval"
    assert [(c.id, c.text, c.expected, c.answer_type, skill_of(c), c.needs) for c in checks_of(found)] == [
        ("presence-1", "Is there a knife in the picture?", "yes", "yes-no", "presence", ()),
        ("count-1", "How many knives are in the picture?", "2", "integer", "count", ()),
        ("excluded-1", "Are there 3 or more knives in the picture?", "no", "yes-no", "count", ()),
        ("presence-1", "Is there an owl in the picture?", "yes", "yes-no", "presence", ()),
        ("presence-2", "Is there a cup in the picture?", "yes", "yes-no", "presence", ()),
        ("colour-2", "What colour is the cup?", "red", "colour", "colour", ("presence-2",)),
        ("place-2", "Is the cup to the left of the owl?", "yes", "yes-no", "left-right", ("presence-2", "presence-1")),
    ]
    assert [prompt.category for prompt in found.prompts.prompts] == ["counting", ""]


def test_geneval_requirements_that_cannot_be_asked_are_counted(tmp_path: Path) -> None:
    things = [
        {"class": "cup", "count": 1, "size": "big", "color": "plaid"},
        {"class": "owl", "count": 1, "position": ["behind", 0]},
        {"count": 2},
    ]
    found = imported_table(tmp_path, "g.jsonl", lines({"include": things, "prompt": "a cup"}))
    assert len(checks_of(found)) == 2
    assert notes(found) == {
        "things that 'include' says and we cannot ask": 1,
        "things of 'include' without a class or a number, not asked": 1,
        "colours that we cannot ask": 1,
        "places that we cannot ask": 1,
    }


DSG = "item_id,text,proposition_id,dependency,category_broad,category_detailed,question_natural_language\n"


def test_dsg_questions_need_those_that_they_depend_on(tmp_path: Path) -> None:
    rows = (
        "a,A red car.,1,0,entity,whole,Is there a car?",
        "a,A red car.,2,1,attribute,color,Is the car red?",
        'a,A red car.,3,"3,9,1",other,count,Is there one car?',
        "a,A red car.,4,0,global,,",
        "a,A red car.,2,4,global,-,Is it a photo?",
        "b,A red car.,1,0,entity,whole,Is there a car?",
    )
    found = imported_table(tmp_path, "d.csv", DSG + "\n".join(rows) + "\n")
    first, second = found.prompts.prompts
    assert (first.id, second.id, first.text) == ("a/image", "b/image", second.text)
    assert [(c.id, c.needs, skill_of(c)) for c in first.checks] == [
        ("q1", (), "presence"), ("q2", ("q1",), "colour"), ("q3", ("q1",), "count"), ("q2-2", (), "global"),
    ]  # fmt: skip
    assert notes(found) == {
        "questions that depend on themselves: asked without that": 1,
        "dependencies on questions that are not there, left out": 2,
        "propositions without a question, left out": 1,
        "numbers of questions used twice, both kept": 1,
        "prompts in the same words as one before, kept": 1,
    }


def test_tifa_questions_are_multiple_choice(tmp_path: Path) -> None:
    of_all = {"id": "a", "caption": "A cup.", "element_type": "object"}
    rows = [
        {**of_all, "question": "what is it?", "choices": ["cup", "jug"], "answer": "Cup"},
        {**of_all, "question": "is it a cup?", "choices": ["yes", "no"], "answer": "yes"},
        {**of_all, "question": "how many?", "choices": ["1", "2"], "answer": "1", "element_type": "counting"},
        {**of_all, "question": "which?", "choices": ["this", "that"], "answer": "none"},
    ]
    found = imported_table(tmp_path, "t.json", rows)
    assert [(c.answer_type, c.expected, skill_of(c)) for c in checks_of(found)] == [
        ("choice:cup|jug", "cup", "presence, in other words"),
        ("yes-no", "yes", "presence, in other words"),
        ("choice:1|2", "1", "count, in other words"),
    ]
    assert notes(found) == {"questions whose choices cannot be asked, or have no right answer: left out": 1}


def test_geneval_2_expects_number_words_as_numbers(tmp_path: Path) -> None:
    row = {
        "prompt": "two cups", "atom_count": 2, "skills": ["count", "object"],
        "vqa_list": [["How many cups are in the image?", "two"], ["Are there any cups in the image?", "Yes"]],
    }  # fmt: skip
    found = imported_table(tmp_path, "g2.jsonl", lines(row, {**row, "prompt": "2 cups", "skills": []}))
    assert [(c.answer_type, c.expected, skill_of(c)) for c in checks_of(found)[:2]] == [
        ("integer", "2", "count"), ("yes-no", "yes", "presence"),
    ]  # fmt: skip
    assert found.prompts.prompts[0].category == "2 atoms"
    assert notes(found) == {"prompts with another number of skills than of questions: without skills": 1}


def test_evalscope_s_lines_are_prompts_with_pictures(tmp_path: Path) -> None:
    found = imported_table(
        tmp_path, "e.jsonl", lines({"id": 1, "prompt": "A cup.", "image_path": "1.png", "tags": ["cup (object)"]})
    )
    assert [prompt.id for prompt in found.prompts.prompts] == ["1/image"]
    assert notes(found) == {"tags of prompts without a question: not asked": 1}
    assert not_used(str(tmp_path / "e.jsonl")) == [
        f"{tmp_path / 'e.jsonl'}: tags of prompts without a question: not asked (1): line 1"
    ]


def test_a_text_file_has_a_prompt_a_line(tmp_path: Path) -> None:
    assert [prompt.text for prompt in imported_table(tmp_path, "p.txt", "a cup\n\n a jug \n").prompts.prompts] == [
        "a cup",
        "a jug",
    ]


# ---- the authors' own files: prompts, questions, questions by answer type, questions that need others, warnings

MISSING = "dependencies on questions that are not there, left out"
ITSELF = "questions that depend on themselves: asked without that"
PUBLISHED: dict[str, tuple[int, dict[str, int], int, dict[str, int]]] = {
    "GenEval/evaluation_metadata.jsonl": (553, {"yes-no": 1032, "colour": 294, "integer": 80}, 394, {}),
    "DSG/dsg-1k-anns.csv": (
        1060, {"yes-no": 8182}, 4864, {MISSING: 18, ITSELF: 44, "prompts in the same words as one before, kept": 1},
    ),
    "DSG/tifa160-dev-anns.csv": (
        160, {"yes-no": 842}, 425,
        {MISSING: 80, "propositions without a question, left out": 78, "numbers of questions used twice, both kept": 1},
    ),
    "TIFA/sample_question_answers.json": (2, {"yes-no": 12, "choice": 7}, 0, {}),
    "GenEval2/geneval2_data.jsonl": (800, {"yes-no": 3987, "integer": 2025}, 0, {}),
}  # fmt: skip
PUBLISHED |= {
    f"T2I-CompBench/{name}_val.txt": (300, {}, 0, {}) for name in ("color", "complex", "numeracy", "spatial", "texture")
}


def published_table(name: str) -> Path:
    """A file of the authors; the test is skipped where it is not."""
    if not (UPSTREAM / name).is_file():
        pytest.skip(f"the authors' {name} is not in {UPSTREAM}; name its parent folder in COUNTERBENCH_UPSTREAM")
    return UPSTREAM / name


@pytest.mark.slow
@pytest.mark.parametrize("name", PUBLISHED)
def test_the_authors_own_file_can_be_imported(name: str) -> None:
    (found,) = read_table_of_prompts(published_table(name))
    prompts, kinds, needing, warnings = PUBLISHED[name]
    checks = checks_of(found)
    assert len(found.prompts.prompts) == prompts
    assert Counter(check.answer_type.partition(":")[0] for check in checks) == kinds
    assert sum(bool(check.needs) for check in checks) == needing
    assert {what: count for what, count in notes(found).items() if what != "columns that are not used"} == warnings


# Of prompts that are asked as wholes: how many join up to three clauses of drawn forms.
TRIED = {"GenEval/evaluation_metadata.jsonl": 553, "GenEval2/geneval2_data.jsonl": 128} | {
    f"T2I-CompBench/{name}_val.txt": count
    for name, count in {"color": 225, "complex": 3, "numeracy": 182, "spatial": 107, "texture": 0}.items()
}


@pytest.mark.parametrize("name", TRIED)
def test_the_whole_prompts_of_benchmarks_that_drawn_pairs_test_are_known(name: str) -> None:
    (found,) = read_table_of_prompts(published_table(name))
    assert sum(skill_of(whole_prompt(prompt)) == "whole prompt" for prompt in found.prompts.prompts) == TRIED[name]
