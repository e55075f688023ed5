"""The one reader of tables: the same rows from every kind of file, and every fault with its file and place."""

import json
from pathlib import Path
from typing import Any

import pytest
from sweeping import swept

from counterbench.errors import InputError
from counterbench.files.rows import read_columns, read_rows

ROWS = [{"a": "1", "b": "x, y"}, {"a": "2"}]
LINES = "".join(json.dumps(row) + "\n" for row in ROWS)


def parquet(path: Path, rows: list[dict[str, Any]]) -> None:
    arrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet

    pyarrow.parquet.write_table(arrow.Table.from_pylist(rows), path)


def values_and_places(path: Path) -> list[tuple[dict[str, Any], str]]:
    return [(row.values, row.where.rpartition(", ")[2]) for row in read_rows(path)]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.csv", 'a,b\n1,"x, y"\n2,\n'),
        ("t.tsv", "a\tb\n1\tx, y\n2\t\n"),
        ("t.jsonl", LINES),
        ("t.json", json.dumps([*ROWS[:1], {"a": "2", "b": None}])),
    ],
)
def test_every_kind_of_file_gives_the_same_rows(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    found = values_and_places(tmp_path / name)
    assert [values for values, _ in found] == ROWS
    unit, first = ("line", 2) if name[-3:] in ("csv", "tsv") else ("row" if name == "t.json" else "line", 1)
    assert [place for _, place in found] == [f"{unit} {first}", f"{unit} {first + 1}"]


def test_parquet_gives_the_rows_of_other_files(tmp_path: Path) -> None:
    parquet(tmp_path / "t.parquet", [*ROWS[:1], {"a": "2", "b": None}])
    assert values_and_places(tmp_path / "t.parquet") == [(ROWS[0], "row 1"), (ROWS[1], "row 2")]
    (tmp_path / "t.parquet").write_bytes(b"PAR1")
    with pytest.raises(InputError, match=r"t\.parquet: not valid Parquet"):
        list(read_rows(tmp_path / "t.parquet"))


def test_parquet_without_pyarrow_names_the_install_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "t.parquet").write_bytes(b"PAR1")
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(InputError, match=r"Parquet needs pyarrow .* this installs it: .*pyarrow"):
        list(read_rows(tmp_path / "t.parquet"))


@pytest.mark.parametrize("place", [".", "data"])
def test_a_folder_is_read_by_its_metadata_or_parquet_files(tmp_path: Path, place: str) -> None:
    folder = tmp_path / place
    folder.mkdir(exist_ok=True)
    parquet(folder / "b.parquet", ROWS[1:])
    parquet(folder / "a.parquet", ROWS[:1])
    assert [values for values, _ in values_and_places(tmp_path)] == ROWS
    (folder / "metadata.jsonl").write_text(LINES)
    assert values_and_places(tmp_path) == [(ROWS[0], "line 1"), (ROWS[1], "line 2")]
    (folder / "metadata.csv").write_text("a\n1\n")
    with pytest.raises(InputError, match=r"has metadata\.csv and metadata\.jsonl; name the one to read"):
        list(read_rows(tmp_path))


@swept(
    ("name", "text", "message"),
    [
        ("t.json", '{"a": 1}', "t.json: is no array of objects"),
        ("t.json", "[1]", "t.json, row 1: is no object"),
        ("t.json", '[{"a": 1},\n{]', "t.json, line 2: not valid JSON"),
        ("t.csv", "a\tb\n1\t2\n", "line 1: its columns are separated by tabs; call it …tsv"),
        ("t.tsv", "a\tb\n1\n", "line 2: has 1 cells, the first line names 2 columns; a cell with a tab"),
        ("t.xlsx", "PK", "unknown kind of table; its name must end in .csv"),
        (".hidden", "", "is a folder without metadata.csv, metadata.jsonl or *.parquet"),
        ("t.csv", "", "t.csv: has no first line with the names of its columns"),
        ("t.csv", "a;b\n1;2\n", "line 1: its columns are separated by semicolons; save it with commas"),
        ("t.csv", "a,a\n1,2\n", "line 1: two columns are called 'a'; rename one"),
        (
            "t.csv",
            "a,b\n1,2,3\n",
            "line 2: has 3 cells, the first line names 2 columns; a cell with a comma or a line end",
        ),
        ("t.csv", 'a,b\n1,"2\n', "not valid CSV"),
        ("t.csv", "a\n\udcff\n", "t.csv, line 2: not UTF-8"),
        ("t.json", "[\n\udcff]", "t.json, line 2: not UTF-8"),
        ("t.jsonl", "[{}]", "t.jsonl: is one JSON array; call it …json, or write an object a line"),
        ("none.csv", None, "cannot be read"),
    ],
)
def test_a_faulty_table_is_named_with_its_place(tmp_path: Path, name: str, text: str | None, message: str) -> None:
    if text is not None:
        (tmp_path / name).write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError) as error:
        list(read_rows(tmp_path / name if name != ".hidden" else tmp_path))
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.csv", '\ufeffb , a,other\r\n" x, y ",1,z\r\n\r\n,2,\r\n'),
        ("t.jsonl", '{"a": 1, "b": " x, y ", "other": [3]}\n\n{"a": "2", "b": null}\n'),
    ],
)
def test_rows_map_columns_to_text_with_their_line_number(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    rows = list(read_columns(tmp_path / name, ["a"], ["b", "c"]))
    assert [[*map(row.text, "abc")] for row in rows] == [["1", "x, y", ""], ["2", "", ""]]
    assert [row.where.rpartition(", ")[2] for row in rows] == (
        ["line 2", "line 4"] if "csv" in name else ["line 1", "line 3"]
    )
    with pytest.raises(InputError, match=r"line \d, column 'b': it is empty"):
        rows[1].filled("b")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("b,c\n1,2\n", "line 1: needs the columns a; its first line names b, c"),
        ("a,labell\n1,2\n", "unknown column 'labell'"),
    ],
)
def test_a_column_that_is_missing_or_misspelt_is_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(InputError, match=message):
        list(read_columns(tmp_path / "t.csv", ["a"], ["label"]))
