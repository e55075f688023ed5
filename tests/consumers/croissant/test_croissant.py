"""`mlcroissant` on what we export: it validates and, which shows more, loads; a wrong digest is seen."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import mlcroissant
import pytest
from consumers.counted import PAIRS, SUITE

from counterbench.drawing import png
from counterbench.interop.exports import Options, export
from counterbench.runs.queries import load_template
from counterbench.suites.sources import open_source

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("exports") / "croissant"
    export("croissant", open_source(SUITE, limit=PAIRS), str(out), Options(load_template(), 1))
    return out


def test_it_validates_and_lacks_only_what_would_change_with_each_run(out: Path) -> None:
    dataset = mlcroissant.Dataset(jsonld=str(out / "croissant.json"))
    issues = dataset.metadata.ctx.issues
    assert not issues.errors
    assert {warning.split('"')[1].rpartition("/")[2] for warning in issues.warnings} == {"citeAs", "datePublished"}
    command = [Path(sys.executable).with_name("mlcroissant"), "validate", "--jsonld", out / "croissant.json"]
    assert subprocess.run(command, check=False, capture_output=True).returncode == 0


def test_pairs_load_with_every_pixel(out: Path) -> None:
    source = open_source(SUITE, limit=PAIRS)
    truth = {pair.id: (pair, *(picture.digest for picture in source.pictures(pair))) for pair in source}
    records = list(mlcroissant.Dataset(jsonld=str(out / "croissant.json")).records("pairs"))
    assert [record["pairs/id"].decode() for record in records] == [*truth]
    for record in records:
        pair, *digests = truth[record["pairs/id"].decode()]
        pictures = [record[f"pairs/{role}"].convert("RGB") for role in ("original", "intervened")]
        assert [png.pixel_digest(picture) for picture in pictures] == digests
        assert record["pairs/original_answer"].decode() == pair.original_answer
        assert record["pairs/relevant"] == pair.relevant


def test_questions_load_with_every_pixel(out: Path) -> None:
    records = list(mlcroissant.Dataset(jsonld=str(out / "croissant.json")).records("questions"))
    assert len(records) == 2 * PAIRS
    for record in records:
        assert png.pixel_digest(record["questions/image"].convert("RGB")) == record["questions/pixels"].decode()


def test_a_wrong_digest_fails_in_load(out: Path) -> None:
    said = json.loads((out / "croissant.json").read_bytes())
    said["distribution"][0]["sha256"] = "0" * 64
    wrong = out / "wrong.json"
    wrong.write_text(json.dumps(said))
    dataset = mlcroissant.Dataset(jsonld=str(wrong))  # which validates
    with pytest.raises(Exception, match=r"Download\(pairs.parquet\)") as failed:
        next(iter(dataset.records("pairs")))
    assert "is not identical with the reference" in str(failed.value.__cause__)


def test_the_docs_read_it_so(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(out.parent)
    blocks = re.findall(r"```py\n(.*?)```", (ROOT / "docs" / "exports.md").read_text(), re.DOTALL)
    said: dict[str, Any] = {}
    exec(next(block for block in blocks if "mlcroissant" in block), said)
    assert len(list(said["pairs"])) == PAIRS
