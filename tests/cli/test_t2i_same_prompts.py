"""Models side by side on the prompts that all of them have: scores, ranks and the report; the rest is named."""

import csv
import html
import io
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from commands import document, done, fails

import counterbench as cb

EASY = [f"easy{n:02}" for n in range(12)]
HARD = [f"hard{n:02}" for n in range(8)]
NAMED = "8 prompts that picky lacks (hard00, hard01, hard02 and 5 more)"
LINE = f"Scored on the 12 prompts that all models have; not compared: {NAMED}"
# The prompts with a yes of those that each model has.
PICKY, BRAVE = {id: id < "easy10" for id in EASY}, {id: id < "hard02" for id in (*EASY, *HARD)}


def import_replies(folder: Path, answers: Mapping[str, Mapping[str, bool]], name: str = "rep") -> str:
    """The run of these replies by model and prompt, in the working folder."""
    questions = [f"{id},A dog {id}.,Is there a dog?" for id in (*EASY, *HARD)]
    replies = [f"{model},{id},{'yes' if yes else 'no'}" for model, row in answers.items() for id, yes in row.items()]
    (folder / "asked.csv").write_text("\n".join(["id,prompt,question", *questions]) + "\n")
    (folder / f"{name}.csv").write_text("\n".join(["model,id,answer", *replies]) + "\n")
    done("import", "replies", f"{name}.csv", "--for", "asked.csv", "--judge", "someone", "--out", name)
    return name


def test_scores_count_shared_prompts_and_name_the_others(here: Path) -> None:
    run = import_replies(here, {"picky": PICKY, "brave": BRAVE})
    picky, brave = document("score", run)["runs"]
    assert [run["columns"]["score"]["value"] for run in (picky, brave)] == [pytest.approx(10 / 12), 1]
    assert picky["not_shared"] == brave["not_shared"]
    assert brave["not_shared"] == {"shared": 12, "lacking": {f"{id}/image": ["picky"] for id in HARD}}
    assert (brave["prompts"], brave["rests_on"]["score"]) == (12, 12)
    table = done("score", run)
    assert LINE in table
    assert re.findall(r"^ (picky|brave) ", table, re.MULTILINE) == ["brave", "picky"]
    assert [id for id in HARD if id not in done("score", run, "-v")] == []
    assert "not compared: 8 prompts that picky lacks" in done("score", run, "--format", "markdown")
    rows = csv.DictReader(io.StringIO(done("score", run, "--format", "csv")))
    assert {len(row["not_shared"].split()) for row in rows} == {8}


def test_ranks_headline_and_tests_count_the_shared_prompts(here: Path) -> None:
    run = import_replies(here, {"picky": PICKY, "brave": BRAVE})
    (found,) = document("compare", run)["comparisons"]
    ranks = {rank["model"]: rank["value"]["value"] for rank in found["ranks"]["score"]}
    assert list(ranks) == ["imported:brave", "imported:picky"]
    (contrast,) = found["contrasts"]
    assert contrast["difference"]["value"] == pytest.approx(ranks[contrast["first"]] - ranks[contrast["second"]])
    assert (contrast["units"], contrast["left_out"]) == (12, 8)
    assert found["not_shared"]["shared"] == 12
    assert LINE in done("compare", run)


def test_separate_runs_are_compared_on_shared_prompts_too(here: Path) -> None:
    runs = [import_replies(here, {name: answers}, name) for name, answers in {"picky": PICKY, "brave": BRAVE}.items()]
    alone = document("score", "brave")["runs"][0]
    assert (alone["columns"]["score"]["value"], alone["not_shared"]) == (14 / 20, None)
    for command in ("score", "compare"):
        assert LINE in done(command, *runs)
    assert [run.columns["score"].value for run in cb.t2i_score(runs)] == [pytest.approx(10 / 12), 1]


def test_the_report_names_the_shared_prompts_and_shows_every_picture(here: Path) -> None:
    run = import_replies(here, {"picky": PICKY, "brave": BRAVE})
    done("report", run, "--out", "r.html")
    page = html.unescape((here / "r.html").read_text())
    assert LINE in page
    assert "hard07" in page  # the gallery shows what is in no number, too


def test_models_that_share_no_prompt_keep_their_scores_and_are_not_ranked(here: Path) -> None:
    run = import_replies(here, {"picky": PICKY, "brave": {id: BRAVE[id] for id in HARD}})
    picky, brave = document("score", run)["runs"]
    assert [run["columns"]["score"]["value"] for run in (picky, brave)] == [pytest.approx(10 / 12), 2 / 8]
    assert picky["not_shared"]["shared"] == 0
    assert "The models share no prompt" in done("score", run)
    assert "nothing to compare" in fails("compare", run)
    done("report", run, "--out", "r.html")
    assert "The models share no prompt" in (here / "r.html").read_text()
