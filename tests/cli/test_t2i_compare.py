"""`compare` on the command line: tables for people in 80 columns, JSON and CSV as promised, what is refused."""

import csv
import re
from pathlib import Path

import pytest
from commands import document, done
from pictures.carded import cards, checklist, judged, prompt

from counterbench.prompts.prompt_set import Check

pytestmark = pytest.mark.usefixtures("in_folder")
MODELS = {"good": 0.9, "like": 0.88, "bad": 0.2, "worse": 0.1, "worst": 0.0}
RUNS = [f"runs/{name}" for name in MODELS]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five models on fifteen prompts, once each, and another judge's runs of two of them."""
    folder = tmp_path_factory.mktemp("compare")
    checks = tuple(Check(id=f"q{i}", text=f"Is part {i} right?", dimension="d") for i in range(6))
    prompts = checklist([prompt(f"g{i:02}", *checks) for i in range(15)])
    for i, (name, rate) in enumerate(MODELS.items()):
        images = cards(prompts, folder / name, f"card?rate={rate}&seed={i}")
        judged(images, folder / "runs" / name)
        if name in ("good", "bad"):
            judged(images, folder / "runs" / {"good": "other", "bad": "other-bad"}[name], "noisy?p=0.1")
    return folder


def test_each_of_many_models_is_compared_with_the_next() -> None:
    brief, whole = done("compare", *RUNS), done("compare", *RUNS, "-v")
    assert "Each model and the next, paired" in brief
    assert "… and 6 more differences (-v prints all)" in brief
    assert "Every two models, paired" in whole
    assert "left out" in whole
    assert len(re.findall(r"^ \S.*  (?:1st|2nd|tied|–)  ", whole, re.MULTILINE)) == 10


def test_compare_json_and_csv_have_every_number() -> None:
    (found,) = document("compare", *RUNS[:3])["comparisons"]
    assert {"prompts", "protocol", "headline", "runs", "ranks", "contrasts", "tests"} <= set(found)
    assert [run["run"] for run in found["runs"]] == RUNS[:3]
    assert set(found["contrasts"][0]["difference"]) == {"value", "low", "high"}
    rows = list(csv.DictReader(done("compare", *RUNS[:3], "--format", "csv").splitlines()))
    assert [float(row["difference"]) for row in rows] == [c["difference"]["value"] for c in found["contrasts"]]
    assert [(row["prompts"], row["protocol"], row["column"]) for row in rows] == [("mine", "checklist", "score")] * 3
    assert done("compare", *RUNS[:2], "--format", "latex").count(r"\begin{tabular}") == 2
    assert "| 1st−2nd [95 %] |" in done("compare", *RUNS[:2], "--format", "markdown")


def test_two_judges_of_one_model_stand_side_by_side() -> None:
    output = done("compare", "runs/good", "runs/other")
    assert "Judges side by side on the same pictures" in output
    assert "better:" not in output
    (found,) = document("compare", "runs/good", "runs/other")["agreement"]
    assert (found["pictures"], found["answers"]["asked"], found["rankings"]) == (15, 90, [])


def test_models_under_two_judges_are_compared_by_each() -> None:
    output = done("compare", *RUNS[:2], "runs/other", "runs/other-bad", "-v")
    assert len(re.findall(r"^ card .*\] .*  (?:1st|2nd|tied|–)  ", output, re.MULTILINE)) == 2
    assert "by planted:oracle, default scoring" in output
    assert "by planted:noisy?p=0.1, default scoring" in output
