"""R2I-Bench from its authors' files to its table: cards with known truth, under judges that see, lean, and are led.

Needs the authors' files: see `published`.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from commands import call
from published import FOLDERS, UPSTREAM, published

import counterbench as cb
from counterbench.t2i.prompts.imports.r2i_bench import CATEGORIES

pytestmark = published

CARDS = "card?reasoning=0.3&alignment=0.6&quality=0.9"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def done(*words: object) -> str:
    made = call(*words)
    assert made.exit_code == 0, made.output
    return made.stdout


def drawn(*limit: object) -> None:
    done("import", "r2i-bench", UPSTREAM / FOLDERS["r2i-bench"], "--out", "prompts")
    cards = ("--generator", f"planted:{CARDS}", "--name", "cards", "--out", "images", "--samples", 1)
    done("t2i", "generate", "prompts/r2i-bench.jsonl", *cards, *limit)


def scored(judge: str, *how: object) -> tuple[dict[str, Any], pd.DataFrame]:
    """The document of a judge's run, and its checks with what is true of them."""
    run = Path("runs", judge.partition("?")[0])
    done("t2i", "judge", "images/cards", "--judge", f"planted:{judge}", "--uncertified", "--out", run, *how)
    (document,) = json.loads(done("t2i", "score", run, "--json"))["runs"]
    return document, cb.frame(run)


def mean(rows: pd.DataFrame, credit: pd.Series) -> float:
    sums = (rows["weight"] * credit).groupby(rows["group"]).sum() / rows["weight"].groupby(rows["group"]).sum()
    return float(sums.mean())


def spread(rows: pd.DataFrame, wrong: pd.Series, p: float) -> float:
    """The standard deviation of the mean where each wrong check is taken for right with chance p."""
    of_picture = rows["weight"].groupby(rows["group"]).transform("sum")
    shares = rows["weight"] / of_picture / rows["group"].nunique()
    return math.sqrt(p * (1 - p) * float((shares[wrong] ** 2).sum()))


def three_judges() -> None:
    right, rows = scored("oracle")
    true = right["columns"]["score"]["value"]
    assert (right["protocol"], right["headline"], right["complete"]) == ("r2i-score", ["score"], True)
    assert true == pytest.approx(mean(rows, rows["credit"]))
    dimensions = {name: part["score"]["value"] for name, part in right["slices"]["dimension"].items()}
    assert dimensions["reasoning"] < dimensions["alignment"] < dimensions["quality"]

    # Whoever takes a share p of what is wrong for right finds S + p · (1 − S), give or take what chance makes of it.
    wrong = rows["credit"] == 0
    judges: list[tuple[str, float, tuple[str, ...]]] = [("yes-bias", 0.7, ()), ("prompt-led", 0.4, ("--show-prompt",))]
    for judge, p, how in judges:
        found, _ = scored(f"{judge}?p={p}", *how)
        score = found["columns"]["score"]["value"]
        assert abs(score - mean(rows, rows["credit"].where(~wrong, p))) < 4 * spread(rows, wrong, p), judge
        assert score > true + 0.1
        assert found["signature"]["prompt_shown"] is bool(how)


def test_three_judges_of_a_few_cards() -> None:
    drawn("--limit", 31)
    three_judges()
    table = done("t2i", "score", "runs/oracle")
    heads = table.splitlines()
    (categories,) = (line for line in heads if "commonsense" in line)
    assert categories.split()[1:] == [*(name.replace("_", "-") for name in CATEGORIES), "overall"]
    assert any(line.split()[1:] == ["reasoning", "alignment", "quality", "overall"] for line in heads)
    assert "by subcategory" in done("t2i", "score", "runs/oracle", "-v")


@pytest.mark.slow
def test_three_judges_of_all_cards() -> None:
    drawn()
    three_judges()
