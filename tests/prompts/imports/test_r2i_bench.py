"""R2I-Bench's release in miniature: what comes of it, and what is said of each thing that is odd in it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from pictures.foreign_releases import GRADES, corebench, notes, r2i_bench, r2i_prompt, r2i_question, table, write_files
from sweeping import swept

from counterbench.prompts.imports.imported import ImportedPrompts
from counterbench.prompts.imports.r2i_bench import read_r2i_bench

TOLD, ASKED = "data/prompts/causal/causal_cause_to_effect.csv", "data/evaluation/causal/cause_to_effect_eval.csv"
EFFECT = "causal_cause_to_effect"


def read(folder: Path, files: dict[str, Any]) -> ImportedPrompts:
    (found,) = read_r2i_bench(write_files(folder, files))
    return found


def rated(*weights: Any, **more: Any) -> bytes:
    """The questions of one prompt with these weights, and plain ones of the other."""
    rows = [r2i_question(1, number, weight, **more) for number, weight in enumerate(weights, 1)]
    return table([*rows, r2i_question(2, 1, 9)])


def test_a_release_becomes_prompts_with_their_questions(tmp_path: Path) -> None:
    found = read(tmp_path, r2i_bench()).prompts
    assert (found.name, found.levels, found.protocol) == ("r2i-bench", ("image",), "r2i-score")
    assert list(found.groups) == ["logical_deductive.1", f"{EFFECT}.1", f"{EFFECT}.2"]  # as the paper has categories
    prompt = found.by_id[f"{EFFECT}.2/image"]
    assert (prompt.text, prompt.category, prompt.discipline) == (
        "Paint Cause To Effect 2.",
        "causal",
        "cause-to-effect",
    )
    assert [(check.id, check.weight, check.dimension) for check in prompt.checks] == [
        ("q1", 9, "reasoning"), ("q2", 5, "alignment"), ("q3", 2, "quality"),
    ]  # fmt: skip
    for number, check in enumerate(prompt.checks, 1):
        assert check.text == f"Is thing {number} of 2 there, as it should be?"
        assert (check.criteria, check.tags) == (GRADES, ("cause-to-effect",))
        assert (check.answer_type, check.expected) == ("score", "1")


def test_a_sound_release_has_only_the_usual_warnings(tmp_path: Path) -> None:
    found = notes(read(tmp_path, r2i_bench()))
    assert list(found) == [
        "the paper counts 3068 prompts; prompts in the files",
        "the paper counts 32 subcategories; subcategories in the files",
        "weights of 0: asked, and no part of the score",
    ]


@swept(
    ("weights", "dimensions"),
    [
        ((10, 7, 6, 4, 3, 1), ("reasoning", "reasoning", "alignment", "alignment", "quality", "quality")),
        ((8, 0), ("reasoning", "")),
        ((40, 30, 20, 10), ("", "", "", "")),  # a scale of its own, on which 10 is little
        ((2, 0.5), ("", "")),
        ((6.5, 7), ("", "reasoning")),
    ],
)
def test_a_questions_dimension_follows_from_its_weight(
    tmp_path: Path, weights: tuple[float, ...], dimensions: tuple[str, ...]
) -> None:
    checks = read(tmp_path, {**r2i_bench(), ASKED: rated(*weights)}).prompts.by_id[f"{EFFECT}.1/image"].checks
    assert tuple(check.dimension for check in checks) == dimensions
    assert tuple(check.weight for check in checks) == weights


def test_weights_give_no_dimension_in_mathematics(tmp_path: Path) -> None:
    """There 4 is the weight of the elements of a union, and 5 to 1 are given in turn."""
    (folder, name), warning = ("mathematical", "set_theory"), "prompts of mathematics, whose weights tell no dimension"
    files = {
        **r2i_bench(),
        f"data/prompts/{folder}/{folder}_{name}.csv": table([r2i_prompt(1, "Mathematical", "Set Theory")]),
        f"data/evaluation/{folder}/{name}_eval.csv": table([r2i_question(1, n, n) for n in (4, 8)]),
    }
    found = read(tmp_path, files)
    checks = found.prompts.by_id[f"{folder}_{name}.1/image"].checks
    assert [(check.weight, check.dimension) for check in checks] == [(4, ""), (8, "")]
    assert any(kind.startswith(warning) for kind in notes(found)), notes(found)
    assert "reasoning" in {check.dimension for prompt in found.prompts.prompts for check in prompt.checks}


def test_questions_with_the_same_id_are_all_kept(tmp_path: Path) -> None:
    rows = [r2i_question(1, id, 7) for id in ("4", "4-2", "4", "4")]
    found = read(tmp_path, {**r2i_bench(), ASKED: table([*rows, r2i_question(2, 1, 7)])}).prompts
    assert [check.id for check in found.by_id[f"{EFFECT}.1/image"].checks] == ["q4", "q4-2", "q4-3", "q4-4"]


NAME = "r2i-bench"
ODD: dict[str, tuple[Callable[[dict[str, Any]], object], str, str, tuple[str, ...]]] = {
    "heavier than 10": (
        lambda f: f.update({ASKED: rated(15, 5)}), NAME, "weights above the paper's 10, kept", (f"{EFFECT}.1 q1",),
    ),
    "another scale": (
        lambda f: f.update({ASKED: rated(15, 5)}),
        NAME, "prompts whose weights are of another scale than 1 to 10: in the score, and in no dimension",
        (f"{EFFECT}.1",),
    ),
    "lighter than 1": (
        lambda f: f.update({ASKED: rated(0.5, 5)}), NAME, "weights below the paper's 1, kept", (f"{EFFECT}.1 q1",),
    ),
    "no weight but 0": (
        lambda f: f.update({ASKED: rated(0, 0)}),
        NAME, "questions whose weights sum to 0, left out", (f"{EFFECT}.1/image",),
    ),
    "questions about nothing": (
        lambda f: f.update({ASKED: table([r2i_question(n, 1, 7) for n in (1, 2, 9)])}),
        NAME, "left out: questions without a prompt", (f"cause_to_effect_eval.csv, line 4: {EFFECT}.9",),
    ),
    "a prompt without questions": (
        lambda f: f.update({ASKED: table([r2i_question(1, 1, 7)])}),
        NAME, "prompts without questions: drawn, and not judged", (f"{EFFECT}.2/image",),
    ),
    "another category": (
        lambda f: f.update({TOLD: table([r2i_prompt(1, "Effects", "Cause To Effect")])}),
        NAME, "prompts with another category than their file's, which is kept", (f"{EFFECT}.1: Effects",),
    ),
    "another subcategory": (
        lambda f: f.update({TOLD: table([r2i_prompt(1, "Causal", "Effect To Cause")])}),
        NAME, "prompts with another subcategory than their file's, which is kept", (f"{EFFECT}.1: Effect To Cause",),
    ),
    "no rows": (
        lambda f: f.update({ASKED: b"source_id\n"}),
        NAME, "tables without a row", ("causal/cause_to_effect_eval.csv",),
    ),
}  # fmt: skip


REFUSED: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "T2I-CoReBench": (lambda f: corebench(), "not an R2I-Bench release, it has no data/prompts/*/*.csv"),
    "no questions": (lambda f: {TOLD: f[TOLD]}, "not an R2I-Bench release"),
    "a column of another version": (
        lambda f: {**f, TOLD: table([{"prompt": "A cat.", "id": 1}])},
        f"{TOLD}, line 2: no 'Prompt' here or in any row; expected Prompt, Reference Caption",
    ),
    "a row with a cell too many": (
        lambda f: {**f, ASKED: f[ASKED] + b"1,2,3,4,5,6\n"}, f"{ASKED}, line 8: has 6 cells",
    ),
    "no row that can be used": (
        lambda f: {**f, ASKED: table([r2i_question(1, 1, "much")])},
        f"{ASKED}, line 2: 'weight' is no number from 0 to 1000000; no row of this file can be used",
    ),
}  # fmt: skip
