"""`score --layout wide`: the papers' tables from planted runs, and marks for the best that do not claim too much.

Every number of the golden tables follows from what was planted: cards are right at stated rates, an oracle reads them.
"""

import re
from pathlib import Path

import pytest
from commands import done
from pictures.carded import checklist, judged, prompt
from pictures.drawn import QUICK
from planted_runs import keys_of, write_run
from sweeping import swept

from counterbench.cli.grid import Table
from counterbench.cli.wide import WideCell, WideTable
from counterbench.pictures.generation.generate import generate_images
from counterbench.pictures.generators.card import CardGenerator
from counterbench.prompts.prompt_set import Check, PromptSet
from counterbench.results.measures import CHANGE, FRACTION, Notation
from counterbench.stats.intervals import Estimate

COMPOSITION = ("C-MI", "C-MA", "C-MR", "C-TR")
REASONING = ("R-LR", "R-BR", "R-HR", "R-PR", "R-GR", "R-AR", "R-CR", "R-RR")


def model_run(prompts: PromptSet, folder: Path, name: str, spec: str, *judges: str) -> list[Path]:
    """The runs of some planted judges about a model's cards."""
    images = generate_images(
        prompts, CardGenerator(spec, prompts), folder / "images", samples=1, limits=QUICK, name=name
    ).images
    runs = [folder / f"{name}-{judge}" for judge in judges or ("oracle",)]
    for run, judge in zip(runs, judges or ("oracle",), strict=True):
        judged(images, run, judge)
    return runs


def wide(*runs: Path, form: str = "markdown") -> str:
    return done("score", *runs, "--layout", "wide", "--format", form)


def markdown_rows(text: str) -> list[list[str]]:
    """The header and the rows of the first table."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [line.strip("| ").split(" | ") for line in (lines[0], *lines[2:])]


@pytest.fixture(scope="module")
def core_runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two models on a set like T2I-CoReBench's: a category of prompts for each capability, dimensions within."""
    folder = tmp_path_factory.mktemp("core")
    bare = [
        prompt(f"{task}-{i}", *(Check(id=id, text="?", dimension=task) for id in "abcde"), category=category)
        for category, tasks in {"composition": COMPOSITION, "reasoning": REASONING}.items()
        for task in tasks
        for i in range(2)
    ]
    prompts = checklist(bare)
    planted = {"SD-3-Medium": "card?rate=0.3&C-MI=0.9", "Qwen-Image": "card?rate=0.6&R-LR=0.2"}
    return [run for name, spec in planted.items() for run in model_run(prompts, folder, name, spec)]


def test_table_3_of_t2i_corebench(core_runs: list[Path]) -> None:
    header, *rows = markdown_rows(wide(*core_runs))
    assert header == [
        "model", *(f"composition: {name}" for name in (*COMPOSITION, "mean")),
        *(f"reasoning: {name}" for name in (*REASONING, "mean")), "overall",
    ]  # fmt: skip
    third, best = ["<u>30.0</u>"], ["**60.0**"]
    assert rows == [
        ["SD-3-Medium †", "**90.0**", *third * 3, "<u>45.0</u>", "**30.0**", *third * 8, "<u>35.0</u>"],
        ["Qwen-Image †", "<u>60.0</u>", *best * 4, "<u>20.0</u>", *best * 7, "**55.0**", "**56.7**"],
    ]


def test_in_80_columns_the_groups_stand_in_two_tables_with_models_as_rows(
    core_runs: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = wide(*core_runs, form="table").splitlines()
    assert max(map(len, lines)) <= 80 or all(line.startswith("next:") for line in lines if len(line) > 80)
    groups = [re.findall(r"─ (\w+) ─", line) for line in lines if "─ " in line]
    assert groups == [["composition"], ["reasoning"]]
    assert [line.split()[2:] for line in lines if line.startswith("Qwen-Image †")] == [
        ["60.0"] * 5,
        ["20.0", *["60.0"] * 7, "55.0", "56.7"],
    ]


def test_table_2_of_cf_world_has_a_group_for_each_judge(tmp_path: Path) -> None:
    checks = [Check(id=name, text="?", dimension=name) for name in ("assessment-point", "logic-consistency")]
    levels = ("l1", "l2", "l3")
    by_level = [prompt(f"g{i}", *checks, level=level) for i in range(10) for level in levels]
    prompts = PromptSet("cf-world", levels, by_level, protocol="cf-eval")
    planted = {"SANA-1.5": "card?l1=1&l2=0.4&l3=0.2", "BAGEL": "card?l1=1&l2=0.6&l3=0.3"}
    judges = ("oracle", "yes-bias?p=1")
    runs = [run for name, spec in planted.items() for run in model_run(prompts, tmp_path, name, spec, *judges)]
    header, *rows = markdown_rows(wide(*runs))
    names = ("S_L1", "S_L2", "S_L3", "PRR", "RRR")
    assert header == ["model", *(f"planted:{judge}: {name}" for judge in judges for name in names)]
    assert rows == [
        ["SANA-1.5 †", "1.00", "<u>0.40</u>", "<u>0.20</u>", "<u>0.40</u>", "<u>0.32</u>", *["1.00"] * 5],
        ["BAGEL †", "1.00", "**0.60**", "**0.30**", "**0.60**", "**0.39**", *["1.00"] * 5],
    ]
    latex = wide(*runs, form="latex")
    assert r"\multicolumn{5}{c}{planted:oracle} & \multicolumn{5}{c}{planted:yes-bias?p=1} \\" in latex
    assert r"\cmidrule(lr){2-6}\cmidrule(lr){7-11}" in latex
    assert r"SANA-1.5 $\dagger$ & 1.00 & \underline{0.40} &" in latex


def test_table_2_of_r2i_bench_has_categories_where_dimensions_are_in_several(tmp_path: Path) -> None:
    rates = {"commonsense": 0.5, "logical": 0.25, "causal": 0.75}
    graded = {"reasoning": 8.0, "alignment": 5.0, "quality": 2.0}
    bare = [
        prompt(f"{category}-{i}", *(
            Check(id=name, text="?", dimension=name, answer_type="score", expected="1", weight=weight, tags=(category,))
            for name, weight in graded.items()
        ), category=category)
        for category in rates
        for i in range(4)
    ]  # fmt: skip
    prompts = PromptSet("r2i-bench", ("image",), bare, protocol="r2i-score")
    spec = "card?" + "&".join(f"{name}={rate}" for name, rate in rates.items())
    runs = model_run(prompts, tmp_path, "EMU3", spec) + model_run(prompts, tmp_path, "DALL-E-3", "card?rate=1")
    assert markdown_rows(wide(*runs)) == [
        ["model", *rates, "overall"],
        ["EMU3 †", *(f"<u>{rate:.2f}</u>" for rate in rates.values()), "<u>0.50</u>"],
        ["DALL-E-3 †", *["**1.00**"] * 4],
    ]


def test_tables_1_and_2_of_counterbench(tmp_path: Path) -> None:
    limit = 60
    judges = ("oracle", "sticky?p=1")
    runs = [write_run(tmp_path / judge[:6], f"planted:{judge}", "counterbench-550", limit) for judge in judges]
    categories = ["spatial", "attribute", "counting", "containment", "causal", "control"]
    header, *rows = markdown_rows(wide(*runs))
    assert header == [
        "judge", *(f"all pairs: {name}" for name in ("acc orig", "acc int", "both", "CCS")),
        *(f"CCS by category: {name}" for name in categories),
    ]  # fmt: skip
    keys = [key for key in keys_of("counterbench-550", limit) if key.role == "intervened"]

    def kept(category: str = "") -> str:
        """A judge that repeats its answer is right on a pair where the right answer stays."""
        right = [not key.relevant for key in keys if category in ("", key.category)]
        return f"{100 * sum(right) / len(right):.1f}"

    assert [[re.sub(r"[*]|</?u>", "", cell) for cell in row] for row in rows] == [
        ["planted:oracle", *["100.0"] * 10],
        ["planted:sticky?p=1", "100.0", *[kept()] * 3, *map(kept, categories)],
    ]
    assert "both: CCS again" in wide(*runs)
    assert wide(runs[0]).count("| planted:oracle |") == 1  # one run has a table, too


def test_a_judge_asked_twice_has_two_rows(tmp_path: Path) -> None:
    runs = [write_run(tmp_path / name, "planted:oracle", "counterbench-550", 12) for name in ("a", "b")]
    _, first, second = markdown_rows(wide(*runs))
    assert (first[0], second[0]) == ("planted:oracle", f"planted:oracle in {runs[1]}")


# ---- the marks


def styles_of(*numbers: float | None, doubtful: tuple[int, ...] = (), notation: Notation = FRACTION) -> list[str]:
    """The styles of the numbers of a column."""
    table = WideTable("", ["model"], [("", "score")])
    for place, value in enumerate(numbers):
        number = None if value is None else Estimate(value, None, None)
        table.add((f"m{place}",), [WideCell(number, notation, place in doubtful)], "")
    (printed,) = [part for part in table.page() if isinstance(part, Table)]
    return [str(row.cells[1].style) for row in printed.rows]


@swept(
    ("numbers", "styles"),
    [
        ((0.5, 0.7, 0.6), ["", "bold", "underline"]),
        ((0.5, 0.7, 0.7), ["underline", "bold", "bold"]),  # ties share a mark
        ((0.5, 0.1 + 0.2, 0.3), ["bold", "underline", "underline"]),  # of the values, but for rounding errors
        ((0.5, 0.5), ["", ""]),
        ((0.5,), [""]),
        ((None, 0.5, 0.4), ["dim", "bold", "underline"]),
    ],
)
def test_the_largest_is_bold_and_the_second_largest_underlined(
    numbers: tuple[float | None, ...], styles: list[str]
) -> None:
    assert styles_of(*numbers) == styles


def test_differences_have_no_best() -> None:
    assert styles_of(-0.1, 0.2, notation=CHANGE) == ["", ""]


def test_unsupported_numbers_are_first_only_among_their_like() -> None:
    assert styles_of(0.9, 0.5, 0.4, doubtful=(0,)) == ["", "bold", "underline"]
    assert styles_of(0.9, 0.5, doubtful=(0,)) == ["", ""]
    assert styles_of(0.9, 0.5, doubtful=(0, 1)) == ["bold", "underline"]
    table = WideTable("", ["model"], [("", "score")])
    for name in ("a", "b"):
        table.add((name,), [WideCell(Estimate(0.5, None, None), FRACTION, name == "a")], "")
    printed, *lines = table.page()
    assert isinstance(printed, Table)
    assert [row.cells[0].plain for row in printed.rows] == ["a †", "b"]
    assert "†: not supported by evidence, or incomplete" in lines
