"""People's labels: read from a CSV with errors that name line and column, joined by id."""

from pathlib import Path

import pytest
from pictures.judged import check

from counterbench.errors import InputError
from counterbench.pictures.scores.labels import HumanLabel, human_credits, read_labels, unused_label_lines


def write_labels(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "labels.csv"
    path.write_text(text, "utf-8")
    return path


def label(sample: str, name: str, value: str, line: int = 2) -> HumanLabel:
    return HumanLabel(sample=sample, check=name, label=value, where=f"labels.csv, line {line}")


# --- reading ------------------------------------------------------------------------------------------------------


def test_a_file_of_labels_is_read_by_sample_and_check(tmp_path: Path) -> None:
    lines = ("note,sample, check ,label", '"why, oh why",g/l1/0,point,YES', "", ",g/l1/0,scene, 0.5", ",g/l2/0,x,1.0")
    text = "\ufeff" + "".join(line + "\r\n" for line in lines)
    found = read_labels(write_labels(tmp_path, text))
    assert [(row.sample, row.check, row.label) for row in found] == [
        ("g/l1/0", "point", "yes"),
        ("g/l1/0", "scene", "0.5"),
        ("g/l2/0", "x", "1"),
    ]
    assert found[1].where.endswith("labels.csv, line 4")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("", "there is no label in it"),
        ("a,,yes\n", "line 2, column 'check': it is empty"),
        ("a,b,yes\n\na,b,no\n", "line 4: check 'b' of 'a' has a label already"),
    ],
)
def test_an_invalid_file_of_labels_is_refused_with_its_place(tmp_path: Path, rows: str, message: str) -> None:
    with pytest.raises(InputError, match=rf"labels\.csv.*{message}"):
        read_labels(write_labels(tmp_path, f"sample,check,label\n{rows}"))


# --- joining ------------------------------------------------------------------------------------------------------


def test_a_label_of_another_type_is_refused() -> None:
    graded = check(check="scene", expected="1", credit=0.5, answer="0.5")
    with pytest.raises(InputError, match=r"line 2, column 'label': check 'scene' is graded; choose from: 0, 0.5, 1"):
        human_credits([graded], [label("g/l1/0", "scene", "yes")])


@pytest.mark.parametrize(
    ("unused", "message"),
    [
        (label("g/l1/1", "point", "yes", 7), "(labels.csv, line 7: 'g/l1/1')"),
        (label("g/l1/0", "pint", "yes"), "(labels.csv, line 2: 'pint')"),
        (label("elsewhere", "picture", "no"), "(labels.csv, line 2: 'elsewhere')"),
    ],
)
def test_labels_of_missing_pictures_are_left_out_and_counted(unused: HumanLabel, message: str) -> None:
    rows = [check(group=f"{name}", expected="yes") for name in "gh"]
    labels = [label(f"{name}/l1/0", "point", "yes") for name in "gh"]
    once, twice = (unused_label_lines(rows, [unused] * n + labels) for n in (1, 2))
    assert once == [f"1 label not used: the run has no such picture or check {message}"]
    assert twice[0].startswith("2 labels not used: the run has no such picture or check (")
    assert human_credits(rows, [unused, *labels]) == {("g/l1/0", "point"): 1, ("h/l1/0", "point"): 1}


def test_a_label_in_words_is_an_answer_and_a_number_is_a_credit() -> None:
    rows = [check(group=f"g{i}", expected="no", credit=0.0) for i in range(4)]
    labels = [label(f"g{i}/l1/0", "point", value) for i, value in enumerate(("no", "yes", "1", "0"))]
    assert list(human_credits(rows, labels).values()) == [1, 0, 1, 0]
