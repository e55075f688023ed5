"""One bad row of a table never refuses the others: it is left out and named, with file, line and reason."""

import csv
import io
import json
from pathlib import Path

import pytest
from pictures.own_pictures import Eyes, draw_ball
from PIL import Image
from sweeping import swept

from counterbench.errors import InputError
from counterbench.pictures.evaluation import Evaluation
from counterbench.pictures.importing.places import Material, read_material

COLUMNS = ("image", "prompt", "model", "question", "answer", "id", "sample", "weight", "needs")
GOOD = 12


def table_rows(**bad: str) -> list[dict[str, object]]:
    """Good rows, and one at fault in the seventh line."""
    lines: list[dict[str, object]] = [
        {"image": f"{n}.png", "prompt": f"a red ball on table {n}", "model": "m", "question": "Is there a red ball?"}
        | {"answer": "yes", "id": f"p{n}", "sample": "0", "weight": "1"}
        for n in range(GOOD + 1)
    ]
    lines[5] |= bad
    return lines


def write_table(folder: Path, table: list[dict[str, object]]) -> Path:
    for row in table:
        if str(row["image"]).endswith(".png") and len(str(row["image"])) < 9 and "\0" not in str(row["image"]):
            draw_ball(folder / "in" / str(row["image"]), "red", 0)
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS)
    writer.writeheader()
    writer.writerows(table)
    (folder / "in" / "t.csv").write_bytes(text.getvalue().encode())
    return folder / "in" / "t.csv"


def left_out(path: Path, message: str, line: str = "line 7") -> Material:
    """The material without the one row, which is named once."""
    read = read_material(path)
    assert len(read.placed) == GOOD
    (note,) = read.notes
    assert note.startswith(f"{path}, {line}")
    assert message in note
    assert len(note) < 500
    return read


CELLS = {
    "no id": ({"id": ""}, "column 'id': give every row its id, or none"),
    "answer": ({"answer": "perhaps"}, "column 'answer': 'perhaps' is no yes or no, whole number or colour"),
    "sample in words": ({"sample": "x"}, "column 'sample': 'x' is no whole number"),
    "sample below 0": ({"sample": "-1"}, "column 'sample': '-1' is no whole number"),
    "sample too large": ({"sample": "1000"}, "column 'sample': 1000; samples are 0 to 999"),
    "weight below 0": ({"weight": "-2"}, "column 'weight': it must be from 0 to 1,000,000, not -2"),
    "weight too large": ({"weight": "1e7"}, "column 'weight': it must be from 0 to 1,000,000, not 1e7"),
    "weights of nothing": ({"weight": "0"}, "the weights of its checks sum to 0"),
    "needs nothing": ({"needs": "q7"}, "needs: unknown check 'q7'"),
    "long prompt": ({"prompt": "a red ball " * 20_000}, "field larger than field limit"),
    "NUL in the prompt": ({"prompt": "a \0 ball"}, "column 'prompt': has a NUL"),
    "NUL in the path": ({"image": "5\0.png"}, "column 'image': has a NUL"),
    "long path": ({"image": "5" * 5_000 + ".png"}, "column 'image': the path '555"),
    "long path outside": ({"image": "../" * 2_000 + "5.png"}, "leads outside"),
    "outside": ({"image": "../5.png"}, "leads outside"),
    "no model": ({"model": ""}, "column 'model': it is empty"),
    "sample twice": ({"prompt": "", "id": "p4"}, "is sample 0 of 'p4/image' by 'm', as "),
    "another prompt": ({"id": "p4", "sample": "1"}, "'a red ball on table 4' in line 6, of the same prompt"),
}  # fmt: skip


@swept("case", CELLS)
def test_a_bad_row_is_left_out_by_name_and_the_rest_is_read(case: str, tmp_path: Path) -> None:
    cells, message = CELLS[case]
    left_out(write_table(tmp_path, table_rows(**cells)), message)


def test_a_row_without_an_id_is_left_out_even_as_the_first(tmp_path: Path) -> None:
    table = table_rows()
    table[0]["id"] = ""
    left_out(write_table(tmp_path, table), "column 'id'", "line 2")


@pytest.mark.parametrize("line", ['{"image": "5.png", "prompt": ["a red ball"]}', '{"image": "5.png", ', '["5.png"]'])
def test_a_bad_row_of_json_lines_is_left_out(line: str, tmp_path: Path) -> None:
    write_table(tmp_path, table_rows())
    lines = [json.dumps({"image": f"{n}.png", "prompt": f"a red ball on table {n}"}) for n in range(GOOD)]
    path = tmp_path / "in" / "t.jsonl"
    path.write_text("\n".join([*lines[:6], line, *lines[6:]]) + "\n")
    left_out(path, "")


def test_an_unclosed_quote_is_an_error_of_the_whole_table(tmp_path: Path) -> None:
    path = write_table(tmp_path, table_rows(prompt='a "red" ball'))
    path.write_text(path.read_text().replace('"a ""red"" ball"', '"a red ball'))
    with pytest.raises(InputError, match="not valid CSV"):
        read_material(path)


def test_a_table_without_a_good_row_fails_with_its_first_fault(tmp_path: Path) -> None:
    for cells, message in ({"image": "../5.png"}, "--allow-outside"), ({"answer": "perhaps"}, "'perhaps'"), (
        {"prompt": "\0"}, "NUL",
    ):  # fmt: skip
        path = write_table(tmp_path, [row | cells for row in table_rows()])
        with pytest.raises(InputError) as error:
            read_material(path)
        assert str(error.value).startswith(f"{path}, line 2, column ")
        assert message in str(error.value)


def test_two_expected_answers_to_one_question_are_named(tmp_path: Path) -> None:
    table = table_rows(id="p4", prompt="a red ball on table 4", sample="1", answer="no")
    read = left_out(write_table(tmp_path, table), "line 7: asks what line 6 asks, with another answer")
    assert [check.expected for check in read.prompts.by_id["p4/image"].checks] == ["yes"]


def test_all_rows_of_a_prompt_that_cannot_be_asked_are_named(tmp_path: Path) -> None:
    table = table_rows(needs="q7")
    table.append(table[5] | {"image": "20.png", "sample": "1"})
    path = write_table(tmp_path, table)
    assert [note.removeprefix(f"{path}, ") for note in read_material(path).notes] == [
        "line 7, prompt 'p5/image', check 'q1', needs: unknown check 'q7'; choose from: ",
        "line 15: is of the same prompt as line 7, which is left out",
    ]


def test_a_question_left_out_does_not_renumber_the_others(tmp_path: Path) -> None:
    same = table_rows()[5]
    questions = [
        {"question": "Is there a ball?"}, {"question": "How many?", "answer": "perhaps"},
        {"question": "Is it red?", "needs": "q1"},
    ]  # fmt: skip
    (prompt,) = read_material(write_table(tmp_path, [same | question for question in questions])).prompts.prompts
    assert [(check.id, check.needs) for check in prompt.checks] == [("q1", ()), ("q3", ("q1",))]


def test_a_flat_picture_and_a_broken_one_are_named_with_file_and_line(tmp_path: Path) -> None:
    path = write_table(tmp_path, table_rows())
    Image.new("RGB", (300, 300), "white").save(tmp_path / "in" / "5.png")
    (tmp_path / "in" / "6.png").write_bytes(b"no picture")
    flat, broken = (line for line in Evaluation(path, Eyes(), tmp_path / "run").unread if "smaller" not in line)
    assert flat == f"{path}, line 7: one flat colour (m, p5/image/0)"
    assert broken.startswith(f"{path}, line 8: not a readable picture")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("image,prompt\na.png,\nb.png,\n", "t.csv: the column prompt is empty in every row; "),
        ("a.png,a cup\nb.png,a jug\n", "t.csv, line 1: has none of the columns prompt, category, "),
        ("prompt,model\na cup,m\n", "t.csv: has no column image, which names the pictures; its columns are prompt, mo"),
        ("image,model\na.png,m\n", "t.csv: needs the column prompt; its columns are image, model"),
    ],
)
def test_a_fault_of_the_whole_table_is_an_error(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(InputError) as error:
        read_material(tmp_path / "t.csv")
    assert message in str(error.value)
