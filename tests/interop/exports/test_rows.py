"""What a pair and a question are as a row: the same that a judge is asked and a run records."""

import io
from pathlib import Path

import msgspec
import pytest
from asked import probe
from interop.exports.exported import PAIRS, source, write_export
from PIL import Image
from planted_runs import source_of
from sweeping import swept

from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.files.data_warnings import Warnings
from counterbench.interop.exports import Options
from counterbench.interop.exports.rows import file_name, rows
from counterbench.interop.imported import Entry, folder_info, write_import
from counterbench.judges import open_judge
from counterbench.runs.folder import Record
from counterbench.runs.pair_queries import keys
from counterbench.runs.queries import PromptTemplate, load_template
from counterbench.suites.folder import Folder
from counterbench.suites.generation import generate
from counterbench.suites.sources import FolderSource, open_source
from counterbench.suites.suite import load_suite

OPTIONS = Options(load_template(), 1)


def test_a_question_row_equals_the_query_of_a_run(tmp_path: Path) -> None:
    probe(source(), open_judge("pixels", lambda: keys(source())), tmp_path / "run")
    digests = {r.id: r.asked for r in formats.read_lines(tmp_path / "run" / "journal.jsonl", Record)}
    found = [q for row in rows(source(), OPTIONS) for q in row.questions]
    assert {q["id"]: q["query_digest"] for q in found} == digests
    assert {q["id"]: q["answer"] for q in found} == {key.id: key.expected for key in keys(source())}
    assert len(found) == 2 * PAIRS


def test_a_comparison_is_a_row_with_both_pictures_on_a_sheet() -> None:
    compared = source_of("pairwise", 1)
    first, second = next(rows(compared, OPTIONS)).questions
    sheets = [Image.open(io.BytesIO(row["image"]["bytes"])) for row in (first, second)]
    left, right = (picture.image() for picture in compared.pictures(next(iter(compared))))
    for sheet in sheets:
        assert sheet.crop((0, 0, *left.size)).tobytes() == left.tobytes()
        assert sheet.crop((sheet.width - right.width, 0, *sheet.size)).tobytes() == right.tobytes()
    assert first["pixels"] == second["pixels"]
    assert first["question"] != second["question"]


def test_a_question_row_is_templated_and_a_pair_row_is_not() -> None:
    template = PromptTemplate("counterbench.template/1", "terse", system="Be terse.", suffix={"yes-no": "Yes or no?"})
    row = next(rows(source(), Options(template, 1)))
    assert row.questions[0]["prompt"] == f"{row.pair['question']} Yes or no?"
    assert row.questions[0]["system"] == "Be terse."


def test_a_folder_gives_the_rows_of_its_suite(tmp_path: Path) -> None:
    generate(load_suite("smoke"), tmp_path / "pairs", workers=1, limit=3)
    ours = rows(source(3), OPTIONS)
    assert [*rows(FolderSource(Folder(tmp_path / "pairs")), OPTIONS)] == [*ours]


@pytest.mark.parametrize("what", ["pairs.jsonl", "images/spatial/000000-original.png"])
def test_a_folder_that_was_altered_is_not_exported(what: str, tmp_path: Path) -> None:
    generate(load_suite("smoke"), tmp_path / "pairs", workers=1, limit=3)
    altered = tmp_path / "pairs" / what
    other = tmp_path / "pairs" / "images" / "spatial" / "000000-intervened.png"
    altered.write_bytes(other.read_bytes() if what.endswith(".png") else altered.read_bytes().replace(b"yes", b"no "))
    with pytest.raises(InputError, match=r"was changed since|is not the recorded picture"):
        write_export("hf", tmp_path / "out", open_source(str(tmp_path / "pairs")))
    assert not (tmp_path / "out").exists()


def test_pairs_that_came_without_pictures_are_refused_by_name(tmp_path: Path) -> None:
    pair = next(iter(source()))
    bare = msgspec.structs.replace(
        pair, truth="published", original=None, intervened=None, program=None, edit=None, change=None, digests=None
    )
    write_import(tmp_path / "bare", folder_info("bare", "theirs", ""), [Entry(bare, [], {})], Warnings())
    with pytest.raises(InputError, match=r"bare: pair 'spatial-000000' has no pictures, .* import it again"):
        write_export("hf", tmp_path / "out", open_source(str(tmp_path / "bare")))
    assert not (tmp_path / "out").exists()


@swept("id", ["a.b", "../x", "a/b\\c", "né 図", "x" * 300, ".hidden", "a%2Eb"])
def test_any_id_gives_a_safe_file_name(id: str) -> None:
    name = file_name(id)
    assert len(name) <= 80
    assert not set(name) & set("./\\ ")
    assert name.isascii()
