"""A release in miniature, with pictures of our own: what the original release looks like, and things wrong with it."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

YES_NO, NUMBER, COLOUR = "Answer yes or no.", "Answer with a single number.", "Answer with a single color word."


def entry(id: str, category: str, question: str, answers: tuple[str, str], **more: Any) -> dict[str, Any]:
    return {
        "id": id,
        "category": category,
        "question": question,
        "original_answer": answers[0],
        "intervened_answer": answers[1],
        "should_flip": answers[0] != answers[1],
        "intervention": "something",
        "original_image": f"{id}_orig.png",
        "intervened_image": f"{id}_int.png",
        **more,
    }


def benchmark_items() -> list[dict[str, Any]]:
    """Ten spatial pairs (all yes → no), three of attribute, two of each other category."""
    relations = ["left", "right", "above", "below", "left", "right", "left", "left", "left", "left"]
    return [
        *(entry(f"spatial_{i:03}", "spatial", f"Is A to the {relation} of B? {YES_NO}", ("yes", "no"),
               details={"relation": relation, "shape_a": "circle"}) for i, relation in enumerate(relations)),
        *(entry(f"attribute_{i:03}", "attribute", f"What color is the {kind}? {COLOUR}", ("red", "blue"),
               details={"target_shape": kind, "n_shapes": 2}) for i, kind in enumerate(["circle", "square", "circle"])),
        entry("counting_000", "counting", f"How many squares? {NUMBER}", ("2", "3"), details={"original_count": 2}),
        entry("counting_001", "counting", f"How many circles? {NUMBER}", ("3", "2"), details={"original_count": 3}),
        entry("containment_000", "containment", f"Is it inside? {YES_NO}", ("no", "yes")),
        entry("containment_001", "containment", f"Is it inside? {YES_NO}", ("yes", "no")),
        entry("causal_arrow_000", "causal", "Which shape does the arrow point to?", ("red circle", "blue square"),
             subcategory="arrow"),
        entry("causal_arrow_001", "causal", "Which shape does the arrow point to?", ("blue square", "red circle"),
             subcategory="arrow"),
        entry("causal_occlude_000", "causal", f"How many are visible? {NUMBER}", ("2", "1"), subcategory="occlusion"),
        entry("causal_occlude_001", "causal", f"How many are visible? {NUMBER}", ("2", "1"), subcategory="occlusion"),
        entry("causal_comp_000", "causal", f"Is it above? {YES_NO}", ("yes", "no"), subcategory="compositional"),
        entry("causal_comp_001", "causal", f"Is it above? {YES_NO}", ("no", "yes"), subcategory="compositional"),
        entry("negctrl_000", "negative_control", f"What color is the square? {COLOUR}", ("pink", "pink")),
        entry("negctrl_001", "negative_control", f"What color is the square? {COLOUR}", ("green", "green")),
    ]  # fmt: skip


def result_row(pair: dict[str, Any], replies: tuple[str, str]) -> dict[str, Any]:
    return {
        "id": pair["id"],
        "question": pair["question"],
        "original_answer_gt": pair["original_answer"],
        "intervened_answer_gt": pair["intervened_answer"],
        "should_flip": pair["should_flip"],
        "orig_response": replies[0],
        "int_response": replies[1],
    }


def results(model: str, rows: list[dict[str, Any]], say: Callable[[dict[str, Any]], tuple[str, str]]) -> dict[str, Any]:
    return {"model": model, "model_id": f"org/{model}-1", "results": [result_row(pair, say(pair)) for pair in rows]}


def right_replies(pair: dict[str, Any]) -> tuple[str, str]:
    return f"{pair['original_answer'].title()}.", f"{pair['intervened_answer'].title()}."


def sticky_with_an_error(pair: dict[str, Any]) -> tuple[str, str]:
    if pair["id"] == "spatial_003":
        return "Yes.", "ERROR: retries"
    return pair["original_answer"], pair["original_answer"]


class Release:
    """A release on disk that a test may damage."""

    def __init__(self, path: Path, pictures: Path | None = None) -> None:
        """`pictures`: the folder of pictures that were drawn for another."""
        self.path = path
        (path / "data" / "images").mkdir(parents=True)
        (path / "results").mkdir()
        self.items = benchmark_items()
        benchmark = {"name": "CounterBench", "version": "1.0", "total_pairs": len(self.items), "items": self.items}
        self.write("data/benchmark.json", benchmark)
        self.write("results/alpha_results.json", results("alpha", self.items[::-1], right_replies))
        self.write("results/beta_results.json", results("beta", self.items, sticky_with_an_error))
        self.write("results/analysis_results.json", {"alpha": {"ccs": 100.0}, "beta": {"ccs": 11.1}})
        if pictures is not None:
            shutil.copytree(pictures, path / "data" / "images", dirs_exist_ok=True)

    def write(self, name: str, value: Any) -> None:
        text = value if isinstance(value, str) else json.dumps(value, indent=1)
        (self.path / name).write_text(text)

    def read(self, name: str) -> Any:
        return json.loads((self.path / name).read_text())

    def draw(self, pair: dict[str, Any], shade: int) -> None:
        for role, blue in (("original_image", 0), ("intervened_image", 255)):
            Image.new("RGB", (8, 8), (shade, 0, blue)).save(self.path / "data" / "images" / pair[role])


@pytest.fixture(scope="session")
def release_pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The release's pictures, drawn once. Not to be changed."""
    first = Release(tmp_path_factory.mktemp("drawn") / "CounterBench")
    for shade, pair in enumerate(first.items):
        first.draw(pair, shade)
    return first.path / "data" / "images"


@pytest.fixture
def release(tmp_path: Path, release_pictures: Path) -> Release:
    return Release(tmp_path / "CounterBench", release_pictures)


@pytest.fixture
def bare_release(tmp_path: Path) -> Release:
    """As the original is published: without pictures."""
    return Release(tmp_path / "CounterBench")
