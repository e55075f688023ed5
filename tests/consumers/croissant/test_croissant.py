"""`mlcroissant` on what we export: it validates and, which shows more, loads; a wrong digest is seen."""

import json
import subprocess
import sys
from pathlib import Path

import mlcroissant
import pytest
from consumers.counted import PAIRS
from consumers.exported import exported, picture_digest, run_docs, truths


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("exports") / "croissant"
    exported("croissant", out)
    return out


def test_an_export_validates_but_for_a_citation_and_a_date(out: Path) -> None:
    dataset = mlcroissant.Dataset(jsonld=str(out / "croissant.json"))
    issues = dataset.metadata.ctx.issues
    assert not issues.errors
    assert {warning.split('"')[1].rpartition("/")[2] for warning in issues.warnings} == {"citeAs", "datePublished"}
    command = [Path(sys.executable).with_name("mlcroissant"), "validate", "--jsonld", out / "croissant.json"]
    assert subprocess.run(command, check=False, capture_output=True).returncode == 0


def test_pairs_load_with_every_pixel(out: Path) -> None:
    truth = truths()
    records = list(mlcroissant.Dataset(jsonld=str(out / "croissant.json")).records("pairs"))
    assert [record["pairs/id"].decode() for record in records] == [*truth]
    for record in records:
        pair, *digests = truth[record["pairs/id"].decode()]
        assert [picture_digest(record[f"pairs/{role}"]) for role in ("original", "intervened")] == digests
        assert record["pairs/original_answer"].decode() == pair.original_answer
        assert record["pairs/relevant"] == pair.relevant


def test_questions_load_with_every_pixel(out: Path) -> None:
    records = list(mlcroissant.Dataset(jsonld=str(out / "croissant.json")).records("questions"))
    assert len(records) == 2 * PAIRS
    for record in records:
        assert picture_digest(record["questions/image"]) == record["questions/pixels"].decode()


def test_a_wrong_digest_fails_while_loading(out: Path) -> None:
    metadata = json.loads((out / "croissant.json").read_bytes())
    metadata["distribution"][0]["sha256"] = "0" * 64
    wrong = out / "wrong.json"
    wrong.write_text(json.dumps(metadata))
    dataset = mlcroissant.Dataset(jsonld=str(wrong))  # which validates
    with pytest.raises(Exception, match=r"Download\(pairs.parquet\)") as failed:
        next(iter(dataset.records("pairs")))
    assert "is not identical with the reference" in str(failed.value.__cause__)


def test_the_docs_example_for_mlcroissant_runs(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(out.parent)
    docs = run_docs("exports.md", "mlcroissant")
    assert len(list(docs["pairs"])) == PAIRS
