"""Each mean, change and share in the papers' tables, recomputed from its cells: which of them contradict these.

The list is complete, not picked: every such number of these tables is computed, and their cells give all others.
"""

from collections import Counter
from pathlib import Path

import pytest
from golden.recompute import Recomputed, checks, read_table, rounded, summary

PAGE = Path(__file__).parents[2] / "docs" / "findings.md"
# By table: the row and the column of each number that its cells do not give, as printed and as computed.
FINDINGS = {
    "CF-World 4": {
        "T=0.3 Accuracy": ("74.2", "74.0"), "T=0.4 Accuracy": ("82.5", "82.7"), "T=0.6 Accuracy": ("86.1", "86.0"),
        "T=0.7 Accuracy": ("78.3", "78.0"),
    },
    "PicWorld 1": {
        "FLUX.1-dev Score": ("4.46", "4.78–4.93"), "HiDream-1I-Full Score": ("4.86", "4.98–5.03"),
    },
    "R2I-Bench 2": {
        "EMU3 commonsense": ("0.44", "0.46"), "Show-o Overall": ("0.36", "0.38"),
        "Show-o compositional": ("0.59", "0.55"), "DALL-E-3 Overall": ("0.71", "0.66"),
    },
    "R2I-Bench 3": {
        "CLIPScore τ": ("0.263", "0.277"), "CLIPScore ρ": ("0.310", "0.324"), "DSGScore τ": ("0.220", "0.249"),
        "DSGScore ρ": ("0.254", "0.284"), "VQAscore accuracy": ("0.629", "0.668"),
    },
    "R2I-Bench 13": {"Lumina-T2I mathematical": ("0.13", "0.08"), "LLM4GEN mathematical": ("0.07", "0.05")},
    "R2I-Bench 14": {
        "Sana-1.5 logical": ("0.49", "0.58"), "Lumina-T2I logical": ("0.38", "0.51"),
        "LLM4GEN logical": ("0.55", "0.51"), "ELLA logical": ("0.40", "0.43"), "Show-o logical": ("0.42", "0.46"),
        "Show-o+DPO logical": ("0.41", "0.36"),
    },
    "R2I-Bench 15": {
        "Sana-1.5 commonsense": ("0.49", "0.50"), "Lumina-T2I commonsense": ("0.38", "0.42"),
        "LLM4GEN commonsense": ("0.55", "0.48"), "ELLA commonsense": ("0.40", "0.34"),
        "Show-o+PARM commonsense": ("0.45", "0.47"),
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def computed() -> list[Recomputed]:
    return checks()


@pytest.mark.slow
def test_every_derivable_number_of_the_tables_is_computed(computed: list[Recomputed]) -> None:
    assert Counter(check.table for check in computed) == {
        "CounterBench 1": 4 * 4, "CounterBench 2": 4 * 6, "CF-World 3": 10 * 2, "CF-World 4": 5,
        "T2I-CoReBench 3": 28 * 3, "T2I-CoReBench 4": 4, "T2I-CoReBench 4, changes": 4 * 9, "T2I-CoReBench 5": 12,
        "T2I-CoReBench 6": 28 * 3, "T2I-CoReBench 7": 28 * 3, "T2I-CoReBench 8": 28 * 3, "PicWorld 1": 17,
        "R2I-Bench 2": 17 + 16 * 7, "R2I-Bench 2, changes": 8, "R2I-Bench 3": 5 * 3, "R2I-Bench 13": 16,
        "R2I-Bench 14": 16, "R2I-Bench 15": 16, "R2I-Bench 16": 2 * 16, "R2I-Bench 17": 2 * 16,
    }  # fmt: skip


def test_the_numbers_that_contradict_their_cells_are_known(computed: list[Recomputed]) -> None:
    found: dict[str, dict[str, tuple[str, str]]] = {}
    for check in computed:
        if check.beyond:
            row = found.setdefault(check.table, {})
            row[f"{check.row} {check.column}"] = (str(check.printed), check.recomputed.partition(" (")[0])
    assert found == FINDINGS


def test_the_docs_page_has_the_table_of_contradictions(computed: list[Recomputed]) -> None:
    found, page = [check for check in computed if check.beyond], PAGE.read_text(encoding="utf-8")
    assert summary(found) in page
    assert f" {len(found)} are off beyond rounding" in page


def test_qwens_failed_calls_explain_its_row(computed: list[Recomputed]) -> None:
    ways = {check.row: check.way for check in computed if check.table == "CounterBench 1" and check.column == "CCS"}
    assert ways == {
        "GPT-4o": "550 pairs", "Gemini 2.0 Flash": "550 pairs", "Qwen2.5-VL-72B": "545 pairs",
        "GPT-4o mini": "550 pairs",
    }  # fmt: skip


def test_cf_worlds_accuracies_do_not_fit_up_to_six_labels_a_picture() -> None:
    printed = [row["Accuracy"] for row in read_table("CF-World 4").values()]
    for labels in range(1, 7):
        near = [rounded(cell, 150 * labels) for cell in printed]
        assert any(abs(exact.value - cell.value) > exact.half for exact, cell in zip(printed, near, strict=True)), near


def test_three_judges_together_say_yes_no_oftener_than_each_alone() -> None:
    alone = [read_table(f"T2I-CoReBench {n}") for n in (3, 6, 7)]
    for model, row in read_table("T2I-CoReBench 8").items():
        assert [name for name, cell in row.items() if cell.value > min(own[model][name].value for own in alone)] == []


def test_seven_models_have_one_overall_for_two_categories_of_r2i_bench() -> None:
    logical, commonsense = read_table("R2I-Bench 14"), read_table("R2I-Bench 15")
    same = [model for model in logical if logical[model]["logical"] == commonsense[model]["commonsense"]]
    assert same == ["Sana-1.5", "Lumina-T2I", "LLM4GEN", "ELLA", "LlamaGen", "Show-o", "Show-o+PARM"]
