"""`webdataset` on what we export: a sample a pair, every picture's pixels."""

from pathlib import Path

import pytest
import webdataset
from consumers.exported import exported, picture_digest, run_docs, truths


def test_webdataset_reads_each_pair_with_every_pixel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    truth = truths()
    exported("webdataset", tmp_path / "webdataset")
    tars = str(tmp_path / "webdataset" / "pairs-{00000..00000}-of-00001.tar")
    samples = list(webdataset.WebDataset(tars, shardshuffle=False).decode("pil"))
    monkeypatch.chdir(tmp_path)
    docs = run_docs("exports.md", "import webdataset")
    assert [sample["__key__"] for sample in docs["samples"]] == [*truth]
    assert [sample["__key__"] for sample in samples] == [*truth]
    for sample in samples:
        pair, *digests = truth[sample["json"]["id"]]
        assert [picture_digest(sample[f"{role}.png"]) for role in ("original", "intervened")] == digests
        assert sample["json"]["intervened_answer"] == pair.intervened_answer
        assert sample["json"]["prompt"].startswith(pair.question)
