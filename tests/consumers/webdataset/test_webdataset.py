"""`webdataset` on what we export: a sample a pair, every picture's pixels."""

import re
from pathlib import Path
from typing import Any

import pytest
import webdataset
from consumers.counted import PAIRS, SUITE

from counterbench.drawing import png
from counterbench.interop.exports import Options, export
from counterbench.runs.queries import load_template
from counterbench.suites.sources import open_source

ROOT = Path(__file__).parents[3]


def test_samples_are_pairs_with_every_pixel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = open_source(SUITE, limit=PAIRS)
    truth = {pair.id: (pair, *(picture.digest for picture in source.pictures(pair))) for pair in source}
    export("webdataset", source, str(tmp_path / "webdataset"), Options(load_template(), 1))
    tars = str(tmp_path / "webdataset" / "pairs-{00000..00000}-of-00001.tar")
    samples = list(webdataset.WebDataset(tars, shardshuffle=False).decode("pil"))
    monkeypatch.chdir(tmp_path)
    said: dict[str, Any] = {}
    blocks = re.findall(r"```py\n(.*?)```", (ROOT / "docs" / "exports.md").read_text(), re.DOTALL)
    exec(next(block for block in blocks if "import webdataset" in block), said)
    assert [sample["__key__"] for sample in said["samples"]] == [*truth]
    assert [sample["__key__"] for sample in samples] == [*truth]
    for sample in samples:
        pair, *digests = truth[sample["json"]["id"]]
        pictures = [sample[f"{role}.png"] for role in ("original", "intervened")]
        assert [png.pixel_digest(picture.convert("RGB")) for picture in pictures] == digests
        assert sample["json"]["intervened_answer"] == pair.intervened_answer
        assert sample["json"]["prompt"].startswith(pair.question)
