"""What each export holds, read back by the plainest means; the real readers are in tests/consumers."""

import io
import json
import tarfile
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from interop.exports.exported import PAIRS, files_in, source, write_export
from interop.test_import_pairs import Own

from counterbench.drawing import png, reading
from counterbench.interop.exports import rows, webdataset
from counterbench.interop.exports.croissant import CROISSANT_FILE
from counterbench.interop.pairs import import_pairs
from counterbench.scene.pairs import ROLES
from counterbench.suites.sources import open_source


def cell_digest(cell: dict[str, Any]) -> str:
    return png.pixel_digest(reading.decode(cell["bytes"]))


def test_parquet_holds_pairs_and_questions_with_their_pictures(tmp_path: Path) -> None:
    write_export("hf", tmp_path / "out")
    pairs = pq.read_table(tmp_path / "out" / "pairs").to_pylist()
    questions = pq.read_table(tmp_path / "out" / "questions").to_pylist()
    truth = {pair.id: pair for pair in source()}
    assert [row["id"] for row in pairs] == [*truth]
    for row in pairs:
        pair = truth[row["id"]]
        assert [role for role in ROLES if cell_digest(row[role]) != row[f"{role}_pixels"]] == []
        assert (row["original_answer"], row["intervened_answer"]) == pair.answers
        assert json.loads(row["difficulty"]) == pair.difficulty
        assert row["original"]["path"] == f"images/{pair.family}/{pair.index:06d}-original.png"
    assert len(questions) == 2 * PAIRS
    assert [row for row in questions if cell_digest(row["image"]) != row["pixels"]] == []


def test_many_pairs_are_written_in_groups_and_tar_files_that_say_how_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webdataset, "PAIRS_PER_FILE", 2)
    monkeypatch.setattr(rows, "_GROUP", 2)
    write_export("hf", tmp_path / "hf")
    write_export("webdataset", tmp_path / "tar")
    assert [path.name for path in sorted((tmp_path / "tar").glob("*.tar"))] == [
        f"pairs-0000{n}-of-00003.tar" for n in range(3)
    ]
    table = pq.ParquetFile(tmp_path / "hf" / "pairs" / "test-00000-of-00001.parquet")
    assert table.num_row_groups == 3
    assert table.read(columns=["id"]).column("id").to_pylist() == [pair.id for pair in source()]


def test_the_card_describes_the_export(tmp_path: Path) -> None:
    write_export("hf", tmp_path / "out")
    card = (tmp_path / "out" / "README.md").read_text()
    assert "- config_name: pairs\n  default: true\n  data_files:\n  - split: test\n    path: pairs/test-*" in card
    assert f"num_examples: {2 * PAIRS}\n" in card
    assert "license: apache-2.0" in card
    assert source().digest in card


def test_imported_pairs_are_exported_without_a_license(tmp_path: Path) -> None:
    own = Own(tmp_path)
    import_pairs(own.csv(own.row("a")), own.out)
    write_export("croissant", tmp_path / "cr", open_source(str(own.out)))
    assert "license:" not in (tmp_path / "cr" / "README.md").read_text()
    assert "license" not in json.loads((tmp_path / "cr" / CROISSANT_FILE).read_bytes())


def test_croissant_describes_every_column_of_files_with_their_digests(tmp_path: Path) -> None:
    done = write_export("croissant", tmp_path / "out")
    metadata = json.loads((tmp_path / "out" / CROISSANT_FILE).read_bytes())
    described = {file["contentUrl"]: file["sha256"] for file in metadata["distribution"]}
    written = {name: file.sha256 for name, file in done.files.items() if name.endswith(".parquet")}
    assert described == written
    for table in metadata["recordSet"]:
        columns = pq.read_schema(tmp_path / "out" / table["@id"] / "test-00000-of-00001.parquet").names
        assert [field["source"]["extract"]["column"] for field in table["field"]] == columns
    assert "rai:dataLimitations" in metadata


def test_a_tar_holds_three_files_a_pair_and_nothing_of_this_machine(tmp_path: Path) -> None:
    write_export("webdataset", tmp_path / "out")
    (path,) = (tmp_path / "out").glob("*.tar")
    with tarfile.open(path) as tar:
        entries = tar.getmembers()
        read = {entry.name: tar.extractfile(entry).read() for entry in entries}  # type: ignore[union-attr]
    ids = [pair.id for pair in source()]
    assert [*read] == [f"{id}.{end}" for id in ids for end in ("original.png", "intervened.png", "json")]
    assert {(e.mtime, e.uid, e.gid, e.uname, e.gname, e.mode, e.type) for e in entries} == {
        (0, 0, 0, "", "", 0o644, tarfile.REGTYPE)
    }
    assert path.read_bytes()[257:265] == b"ustar\x0000"
    for id, pair in zip(ids, source(), strict=True):
        row = json.loads(read[f"{id}.json"])
        assert png.pixel_digest(reading.decode(read[f"{id}.original.png"])) == row["original_pixels"]
        assert (row["id"], row["difficulty"]) == (id, pair.difficulty)
        assert row["prompt"].startswith(pair.question)


def test_an_id_with_dots_and_slashes_is_one_key_and_kept_as_it_is(tmp_path: Path) -> None:
    own = Own(tmp_path)
    import_pairs(own.csv(own.row("odd/id v1.2")), own.out)
    write_export("webdataset", tmp_path / "tar", open_source(str(own.out)))
    ((_, data),) = [item for item in files_in(tmp_path / "tar").items() if item[0].endswith(".tar")]
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        assert {entry.name.partition(".")[0] for entry in tar} == {"odd%2Fid%20v1%2E2"}
        row = json.load(tar.extractfile("odd%2Fid%20v1%2E2.json"))  # type: ignore[arg-type]
    assert row["id"] == "odd/id v1.2"
