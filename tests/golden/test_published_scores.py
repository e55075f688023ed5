"""The published benchmarks from import to table, as cards: numbers held against a few lines of pandas.

Needs their authors' files: see `published`.
"""

from pathlib import Path

import pandas as pd
import pytest
from pictures.carded import cards, judged
from published import FOLDERS, UPSTREAM, published

import counterbench as cb
from counterbench.pictures.scores.document import ModelDocument
from counterbench.prompts.imports import prompt_importer
from counterbench.prompts.prompt_set import PromptSet

pytestmark = [published, pytest.mark.slow]


def import_prompts(benchmark: str) -> PromptSet:
    found = {own.prompts.name: own.prompts for own in prompt_importer(benchmark)(UPSTREAM / FOLDERS[benchmark])}
    return found[benchmark]


def scored_run(benchmark: str, spec: str, judge: str, folder: Path) -> tuple[ModelDocument, pd.DataFrame]:
    assert judged(cards(import_prompts(benchmark), folder / "images", spec), folder / "run", judge).complete
    return cb.t2i_score(folder / "run"), cb.frame(folder / "run")


def column_values(document: ModelDocument) -> dict[str, float]:
    return {name: number.value for name, number in document.columns.items() if number.value is not None}


def test_scores_of_cf_world_equal_those_by_pandas(tmp_path: Path) -> None:
    document, rows = scored_run("cf-world", "card?l1=0.9&l2=0.6&l3=0.4", "noisy?p=0.1", tmp_path)
    found = column_values(document)

    rows["weighted"] = rows["weight"] * rows["credit"]
    sums = rows.groupby(["group", "level"])[["weighted", "weight"]].sum()
    s = (sums["weighted"] / sums["weight"]).unstack("level")
    gated = s.copy()
    for level in ("l2", "l3"):
        gated[level] = s[level].where(s["l1"] >= 0.5 - 1e-9, 0).where(s[level].notna() & s["l1"].notna())
    for prefix, scores_of in (("", gated), ("ungated_", s)):
        for level in ("l1", "l2", "l3"):
            assert found[f"{prefix}s_{level}"] == pytest.approx(scores_of[level].mean())
        for rate, below, above in (("prr", "l1", "l2"), ("rrr", "l2", "l3")):
            both = scores_of[s[below].notna() & s[above].notna()].dropna(subset=[below, above])
            assert found[prefix + rate] == pytest.approx(both[above].mean() / both[below].mean() ** 0.5)

    assert (document.groups, document.clusters) == (1092, 1092)
    assert document.rests_on == document.rests_on | {"s_l1": 1091, "ungated_s_l2": 1086, "ungated_s_l3": 1086}
    # l1: 90 % of the checks are right, and the judge errs in one of ten: 0.9 · 0.9 + 0.1 · what it says instead.
    assert 0.75 < found["s_l1"] < 0.95
    assert {name: document.columns[name].low is not None for name in ("prr", "rrr")} == {"prr": True, "rrr": True}


def test_scores_of_r2i_bench_equal_those_by_pandas(tmp_path: Path) -> None:
    rates = {"reasoning": 0.3, "alignment": 0.6, "quality": 0.9, "deductive": 0.1}
    spec = "card?" + "&".join(f"{name}={rate}" for name, rate in rates.items())
    document, rows = scored_run("r2i-bench", spec, "oracle", tmp_path)
    assert (document.groups, document.prompts, document.scored) == (2883, 2883, 2883)

    rows["weighted"] = rows["weight"] * rows["credit"]
    rows["subcategory"] = rows["group"].str.replace(r"\.\d+$", "", regex=True)
    counted = rows[rows["weight"] > 0]

    def mean_of(by: str) -> dict[str, float]:
        sums = counted[counted[by] != ""].groupby([by, "group"])[["weighted", "weight"]].sum()
        return (sums["weighted"] / sums["weight"]).groupby(by).mean().to_dict()

    shown = {what: {name: row["score"].value for name, row in parts.items()} for what, parts in document.slices.items()}
    for what in ("category", "dimension"):
        assert shown[what] == pytest.approx(mean_of(what))
    assert sorted(filter(None, shown["subcategory"].values())) == pytest.approx(sorted(mean_of("subcategory").values()))
    assert (len(shown["category"]), len(shown["subcategory"]), len(shown["dimension"])) == (7, 30, 3)
    sums = counted.groupby("group")[["weighted", "weight"]].sum()
    assert column_values(document) == {"score": pytest.approx((sums["weighted"] / sums["weight"]).mean())}
    assert shown["subcategory"]["deductive"] == pytest.approx(0.1, abs=0.05)
    assert shown["dimension"]["quality"] == pytest.approx(0.9, abs=0.05)


def test_scores_of_t2i_corebench_equal_those_by_pandas(tmp_path: Path) -> None:
    rates = {"C-MA": 0.9, "C-TR": 0.2, "R-LR": 0.35, "R-RR": 0.55}
    spec = "card?rate=0.6&" + "&".join(f"{name}={rate}" for name, rate in rates.items())
    document, rows = scored_run("t2i-corebench", spec, "oracle", tmp_path)

    pictures = rows.groupby(["group", "category", "dimension"])["credit"].mean().reset_index()
    by_dimension = pictures.groupby("dimension")["credit"].mean()
    by_category = rows.groupby(["group", "category"])["credit"].mean().groupby("category").mean()
    shown = {what: {name: row["score"].value for name, row in parts.items()} for what, parts in document.slices.items()}
    assert shown["dimension"] == pytest.approx(by_dimension.to_dict())
    assert shown["category"] == pytest.approx(by_category.to_dict())
    assert column_values(document) == {"score": pytest.approx(rows.groupby("group")["credit"].mean().mean())}
    assert len(shown["dimension"]) == 12

    planted = rows.groupby("dimension")["credit"].mean()
    for name, checks in rows.groupby("dimension").size().items():
        assert planted[name] == pytest.approx(rates.get(name, 0.6), abs=2 / checks)
