"""Tables that people write: CSV and JSON Lines as rows of text, every fault with file and line."""

from pathlib import Path

import pytest
from counterbench.files.tables import read_table

from counterbench.errors import InputError


def written(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text)
    return folder / name


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.csv", '\ufeffb , a,other\r\n" x, y ",1,z\r\n\r\n,2,\r\n'),
        ("t.jsonl", '{"a": 1, "b": " x, y ", "other": [3]}\n\n{"a": "2", "b": null}\n'),
    ],
)
def test_rows_are_text_by_column_with_the_number_of_their_line(tmp_path: Path, name: str, text: str) -> None:
    rows = list(read_table(written(tmp_path, name, text), ["a"], ["b", "c"]))
    assert rows == [{"a": "1", "b": "x, y", "c": ""}, {"a": "2", "b": "", "c": ""}]
    assert [row.where.rpartition(", ")[2] for row in rows] == (
        ["line 2", "line 4"] if "csv" in name else ["line 1", "line 3"]
    )
    with pytest.raises(InputError, match=r"line \d, column 'b': it is empty"):
        rows[1].filled("b")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("t.csv", "", "has no first line with the names of its columns"),
        ("t.csv", "a;b\n1;2\n", "line 1: its columns are separated by semicolons"),
        ("t.csv", "a,b,b\n1,2,3\n", "line 1: two columns are called 'b'"),
        ("t.csv", "b,c\n1,2\n", "line 1: needs the columns a; its first line names b, c"),
        ("t.csv", "a,b,c\n1,2\n", "line 2: has 2 cells, the first line names 3 columns"),
        ("t.csv", 'a,b\n"1,2\n', "not valid CSV"),
        ("t.jsonl", '{"a": 1}\n[2]\n', "line 2: Expected `object`"),
    ],
)
def test_a_table_at_fault(tmp_path: Path, name: str, text: str, message: str) -> None:
    path = written(tmp_path, name, text)
    with pytest.raises(InputError, match=message) as caught:
        list(read_table(path, ["a"], ["b"]))
    assert str(caught.value).startswith(str(path))
