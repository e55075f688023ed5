"""PicWorld's format, in CSV and JSONL: what comes of it, and what is said of each thing that is odd in it."""

import json
from pathlib import Path
from typing import Any

from pictures.foreign_releases import picworld, write_files

from counterbench.prompts.imports.imported import ImportedPrompts, read_picworld
from counterbench.prompts.prompt_set import Prompt

ROW = {"prompt": "A jug on a table.", "category": "Physical World", "subcategory": "States of Matter"}
JUG = "a-jug-on-a-table-5209e85f"


def read(folder: Path, data: bytes, name: str = "mine.csv") -> ImportedPrompts:
    (found,) = read_picworld(write_files(folder, {name: data}) / name)
    return found


def rows(*rows: dict[str, Any]) -> bytes:
    return "".join(f"{json.dumps(row)}\n" for row in rows).encode()


def test_a_release_becomes_prompts_with_categories_and_no_questions(tmp_path: Path) -> None:
    found = read(tmp_path, picworld()["picworld.csv"])
    assert (found.prompts.name, found.prompts.levels, found.prompts.protocol) == ("picworld", ("image",), "pw-agent")
    assert found.prompts.prompts[0] == Prompt.at(
        "a-jug-tipped-over-on-a-table-16bdd112",
        "image",
        "A jug, tipped over on a table.",
        category="physical-world",
        discipline="mechanics-dynamics",
    )
    assert found.warnings == []  # it is one's own file: the authors published none


def test_jsonl_gives_the_same_set_in_any_letter_case_of_columns(tmp_path: Path) -> None:
    csv = read(tmp_path, b"Prompt,CATEGORY,Subcategory\nA jug on a table.,Physical World,States of Matter\n").prompts
    assert read(tmp_path, rows(ROW), "mine.jsonl").prompts == csv
    assert csv.prompts[0].group == JUG
