"""Small files that would become gigabytes are refused in words, by one limit, before memory is taken."""

import json
import re
import zipfile
from pathlib import Path

import pytest
from memory import peak_of
from sweeping import swept

from counterbench.errors import InputError
from counterbench.files import foreign
from counterbench.files.rows import read_rows

_PROGRAM = """
import sys
from pathlib import Path
from counterbench.errors import InputError
from counterbench.files.rows import read_rows
from counterbench.interop.inspect.log import import_inspect_log

try:
    {}
except InputError as error:
    print(error)
"""
_READ = _PROGRAM.format("print(sum(1 for row in read_rows(Path(sys.argv[1]))))")
_LOG = _PROGRAM.format('import_inspect_log(Path(sys.argv[1]), Path("run"))')


def bomb_refusal(program: str, file: Path) -> str:
    peak, message = peak_of(program, file)
    assert peak < 300, message
    return message


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["the same long text", "nulls", "a struct", "a list"])
def test_a_small_parquet_file_of_gigabytes_is_refused(tmp_path: Path, kind: str) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    file = tmp_path / "t.parquet"
    if kind == "nulls":
        columns = [arrow.nulls(5_000_000, arrow.string())]
    elif kind == "a list":
        columns = [arrow.array([[1] * 5_000_000])]
    elif kind == "a struct":
        long = arrow.DictionaryArray.from_arrays([0] * 20_000, ["x" * 500_000]).dictionary
        columns = [arrow.array([{"bytes": long[0].as_py()}] * 100)]
    else:
        columns = [arrow.DictionaryArray.from_arrays(arrow.array([0] * 20_000, arrow.int32()), ["x" * 1_000_000])]
    parquet.write_table(arrow.table(columns, ["prompt"]), file, compression="zstd", store_schema=False)
    assert file.stat().st_size < 30_000
    assert "more than counterbench reads of a packed file" in bomb_refusal(_READ, file)


def test_an_honestly_large_parquet_file_is_read(tmp_path: Path) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    rows = [{"prompt": f"a cat number {n}", "model": "flux", "image": f"pictures/{n}.png"} for n in range(50_000)]
    parquet.write_table(arrow.Table.from_pylist(rows), tmp_path / "t.parquet", compression="zstd")
    assert [row.values for row in read_rows(tmp_path / "t.parquet")] == rows


@pytest.mark.slow
@swept("name", ["t.csv", "t.tsv", "t.jsonl", "t.json", "t.parquet"])
def test_a_table_of_too_many_columns_is_refused(tmp_path: Path, name: str) -> None:
    names = [f"c{n}" for n in range(20_000)]
    row = json.dumps(dict.fromkeys(names, 1))
    match name:
        case "t.parquet":
            arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
            parquet.write_table(arrow.table([[1]] * len(names), names), tmp_path / name)
        case "t.json":
            (tmp_path / name).write_text(f"[{row}]")
        case "t.jsonl":
            (tmp_path / name).write_text(row)
        case _:
            sign = "," if name == "t.csv" else "\t"
            (tmp_path / name).write_text(f"{sign.join(names)}\n{sign.join('1' * len(names))}\n")
    with pytest.raises(InputError, match=f"has {len(names):,} columns, and counterbench reads tables of 1,000 at most"):
        list(read_rows(tmp_path / name))


def test_the_columns_of_all_rows_are_limited_together(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text("".join(json.dumps({f"c{n}": 1}) + "\n" for n in range(2_000)))
    with pytest.raises(InputError, match=r"line 1001: has 1,001 columns"):
        list(read_rows(tmp_path / "t.jsonl"))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.csv", "prompt\na\0b\n"),
        ("t.jsonl", '{"prompt": "a\\u0000b"}'),
        ("t.json", '[{"prompt": [{"a": "\\u0000"}]}]'),
        ("t.txt", "a\0b"),
    ],
)
def test_a_nul_in_a_table_is_refused(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=r"(line|row) \d, column 'prompt': has a NUL"):
        list(read_rows(tmp_path / name))


@pytest.mark.slow
def test_a_deeply_nested_inspect_log_is_refused(tmp_path: Path) -> None:
    (tmp_path / "log.json").write_text('{"a":' + "[" * 20_000 + "]" * 20_000 + "}")
    assert "is nested more than 200 deep" in bomb_refusal(_LOG, tmp_path / "log.json")
    with zipfile.ZipFile(tmp_path / "log.eval", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", "[" * 20_000)
    assert "log.eval, header.json: is nested more than 200 deep" in bomb_refusal(_LOG, tmp_path / "log.eval")


@pytest.mark.slow
def test_an_inspect_log_with_a_member_of_gigabytes_is_refused(tmp_path: Path) -> None:
    log = tmp_path / "log.eval"
    with zipfile.ZipFile(log, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("header.json", "w") as member:
        for _ in range(400):
            member.write(b" " * 1_000_000)
    assert "would become 400,000,000" in bomb_refusal(_LOG, log)
    size, small = (400_000_000).to_bytes(4, "little"), (1000).to_bytes(4, "little")
    log.write_bytes(log.read_bytes().replace(size, small))
    assert re.search("is larger than it says|Bad CRC", bomb_refusal(_LOG, log))


@swept("at", [1, 2, 3, 7, 1000])
def test_brackets_in_strings_do_not_count_as_depth(at: int) -> None:
    text = json.dumps({"a": '[[[[\\"[[', "b\\": [{"c": "]}"}, "\\", ["{"]], '"': [[]]}).encode()
    parts = [text[k : k + at] for k in range(0, len(text), at)]
    assert foreign.refuse_deep("f", parts) == len(text)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(foreign, "MAX_DEPTH", 3)
        foreign.refuse_deep("f", parts)
        patched.setattr(foreign, "MAX_DEPTH", 2)
        with pytest.raises(InputError, match="nested more than 2 deep"):
            foreign.refuse_deep("f", parts)
