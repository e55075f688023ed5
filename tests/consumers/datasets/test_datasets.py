"""Hugging Face's `datasets` on what we export and generate: splits, columns, every picture's pixels."""

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

os.environ["HF_HUB_OFFLINE"] = "1"

import datasets
import pytest
from consumers.counted import PAIRS, SUITE
from consumers.exported import exported, picture_digest, run_docs, truths

from counterbench.suites.generation import generate
from counterbench.suites.suite import load_suite


@pytest.fixture(scope="module")
def truth() -> dict[str, Any]:
    return truths()


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("exports")
    for format in ("hf", "webdataset"):
        exported(format, out / format)
    generate(load_suite(SUITE), out / "generated", limit=PAIRS, workers=1)
    return out


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")


def check_pairs(rows: Iterable[dict[str, Any]], truth: dict[str, Any]) -> None:
    ids = set()
    for row in rows:
        pair, original, intervened = truth[row["id"]]
        assert (picture_digest(row["original"]), picture_digest(row["intervened"])) == (original, intervened)
        assert (row["question"], row["relevant"]) == (pair.question, pair.relevant)
        assert (row["original_answer"], row["intervened_answer"]) == pair.answers
        ids.add(row["id"])
    assert ids == {*truth}


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize("config", ["pairs", None])
def test_pairs_load_as_split_test_with_every_pixel(
    streaming: bool, config: str | None, out: Path, truth: dict[str, Any]
) -> None:
    rows = datasets.load_dataset(str(out / "hf"), config, split="test", streaming=streaming)
    check_pairs(rows, truth)
    for row in rows:
        _, original, intervened = truth[row["id"]]
        assert (row["original_pixels"], row["intervened_pixels"]) == (original, intervened)
        assert json.loads(row["difficulty"]) == truth[row["id"]][0].difficulty


@pytest.mark.parametrize("streaming", [False, True])
def test_questions_load_with_every_pixel(streaming: bool, out: Path, truth: dict[str, Any]) -> None:
    rows = list(datasets.load_dataset(str(out / "hf"), "questions", split="test", streaming=streaming))
    assert len(rows) == 2 * PAIRS
    for row in rows:
        pair, *digests = truth[row["pair"]]
        assert picture_digest(row["image"]) == row["pixels"] == digests[row["role"] == "intervened"]
        assert row["prompt"].startswith(pair.question)


def test_the_card_states_the_features_that_datasets_reads(out: Path) -> None:
    for config in ("pairs", "questions"):
        loaded = datasets.load_dataset(str(out / "hf"), config, split="test")
        builder = datasets.load_dataset_builder(str(out / "hf"), config)
        assert builder.info.features == loaded.features
        assert builder.info.splits["test"].num_examples == len(loaded)
        parquet = sorted(str(path) for path in (out / "hf" / config).iterdir())
        assert datasets.load_dataset("parquet", data_files=parquet, split="train").features == loaded.features


@pytest.mark.parametrize("streaming", [False, True])
def test_a_generated_folder_loads_as_split_test(streaming: bool, out: Path, truth: dict[str, Any]) -> None:
    assert datasets.get_dataset_split_names(str(out / "generated")) == ["test"]
    check_pairs(datasets.load_dataset(str(out / "generated"), split="test", streaming=streaming), truth)


@pytest.mark.parametrize("streaming", [False, True])
def test_tar_files_load_as_webdataset(streaming: bool, out: Path, truth: dict[str, Any]) -> None:
    files = str(out / "webdataset" / "*.tar")
    rows = datasets.load_dataset("webdataset", data_files=files, split="train", streaming=streaming)
    check_pairs(
        (row["json"] | {role: row[f"{role}.png"] for role in ("original", "intervened")} for row in rows), truth
    )


def test_the_docs_example_for_datasets_runs(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(out)
    docs = run_docs("exports.md", "load_dataset")
    assert len(docs["pairs"]) == PAIRS
    assert next(iter(docs["questions"]))["pair"] == docs["pairs"][0]["id"] == next(iter(docs["stream"]))["json"]["id"]
