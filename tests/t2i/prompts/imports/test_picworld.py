"""PicWorld's format, in CSV and JSONL: what comes of it, and what is said of each thing that is odd in it."""

import json
from pathlib import Path
from typing import Any

import pytest
from t2i.foreign_releases import odd, picworld, put

from counterbench.errors import InputError
from counterbench.t2i.prompts.files import load_prompts
from counterbench.t2i.prompts.imports.imported import ImportedPrompts, write_imported
from counterbench.t2i.prompts.imports.picworld import read_picworld
from counterbench.t2i.prompts.prompt_set import Prompt

ROW = {"prompt": "A jug on a table.", "category": "Physical World", "subcategory": "States of Matter"}
JUG = "a-jug-on-a-table-5209e85f"


def read(folder: Path, data: bytes, name: str = "mine.csv") -> ImportedPrompts:
    (found,) = read_picworld(put(folder, {name: data}) / name)
    return found


def rows(*rows: dict[str, Any]) -> bytes:
    return "".join(f"{json.dumps(row)}\n" for row in rows).encode()


def test_prompts_with_category_and_subcategory_and_no_questions(tmp_path: Path) -> None:
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


def test_jsonl_comes_to_the_same_set_in_whatever_letter_case_the_columns_are(tmp_path: Path) -> None:
    csv = read(tmp_path, b"Prompt,CATEGORY,Subcategory\nA jug on a table.,Physical World,States of Matter\n").prompts
    assert read(tmp_path, rows(ROW), "mine.jsonl").prompts == csv
    assert csv.prompts[0].group == JUG


ODD: dict[str, tuple[tuple[dict[str, Any], ...], str, tuple[str, ...]]] = {
    "a column more": (({**ROW, "note": "x"},), "keys that are misspelt or unknown, not kept", (f"{JUG}: note",)),
    "no prompt": (
        (ROW, {**ROW, "prompt": None}), "left out: no 'prompt'", ("mine.jsonl, line 2",),
    ),
    "a prompt that is no text": ((ROW, {**ROW, "prompt": 3}), "left out: 'prompt' is no text", ("mine.jsonl, line 2",)),
    "no category": (({**ROW, "category": ""},), "prompts without a category: 'category' is empty", (JUG,)),
    "the same words": ((ROW, ROW), "prompts in the same words as one before, kept", (f"{JUG}-2/image",)),
}  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_what_is_odd_is_counted_and_named(tmp_path: Path, name: str) -> None:
    made, what, ids = ODD[name]
    found = read(tmp_path, rows(*made), "mine.jsonl")
    assert odd(found) == {what: ids}
    write_imported([found], tmp_path / "out")
    assert load_prompts(found.file(tmp_path / "out")) == found.prompts


@pytest.mark.parametrize(
    ("data", "named"),
    [
        (b"", "no first line"),
        (b"prompt,category,subcategory\n", "has no row"),
        (b"prompt,category\nA jug.,Physical World\n", "no 'subcategory' here or in any row"),
        (b"prompt,category,subcategory\n,a,b\n", "no 'prompt'; no row of this file can be used"),
        (b"prompt,category,subcategory\nA jug, on a table.,a,b\n", "line 2: has 4 cells"),
        (b"prompt,category,subcategory\n\xff,a,b\n", "not UTF-8"),
    ],
)
def test_what_cannot_be_read_is_refused_by_name_and_place(tmp_path: Path, data: bytes, named: str) -> None:
    with pytest.raises(InputError, match=named) as error:
        read(tmp_path, data)
    assert "mine.csv" in str(error.value)
