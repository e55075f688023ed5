"""The published benchmarks' own data, imported: how much there is of what, and that the report names what is odd.

Needs their authors' files: see `published`.
"""

import json
from collections import Counter
from pathlib import Path

import pytest
from golden.recompute import FIGURES
from published import FOLDERS, UPSTREAM, published

from counterbench.pictures.importing.places import places_in_folder
from counterbench.prompts.imports import prompt_importer
from counterbench.prompts.imports.imported import ImportedPrompts
from counterbench.prompts.imports.r2i_bench import CATEGORIES
from counterbench.prompts.imports.t2i_corebench import TASKS

pytestmark = published


@pytest.fixture(scope="module")
def sets() -> dict[str, ImportedPrompts]:
    return {
        own.prompts.name: own for name, folder in FOLDERS.items() for own in prompt_importer(name)(UPSTREAM / folder)
    }


def prompt_counts(imported: ImportedPrompts) -> tuple[int, int, int, dict[str, int]]:
    return len(imported.prompts.groups), len(imported.prompts.prompts), imported.checks, imported.by_level


def notes(imported: ImportedPrompts) -> dict[str, int]:
    return {warning.what: warning.count for warning in imported.warnings}


@pytest.mark.slow
def test_each_import_has_its_known_counts(sets: dict[str, ImportedPrompts]) -> None:
    assert {name: prompt_counts(imported) for name, imported in sets.items()} == {
        "cf-world": (1092, 3276, 10888, {"l1": 1091, "l2": 1086, "l3": 1086}),
        "cf-world-attributes": (113, 226, 226, {"factual": 113, "unusual": 113}),
        "cf-world-rules": (198, 198, 198, {"rule": 198}),
        "cf-world-denorm": (1092, 1092, 3792, {"l2": 1086}),
        "r2i-bench": (2968, 2968, 17191 - 593, {"image": 2968 - 85}),  # 593 questions are about no prompt
        "t2i-corebench": (1080, 1080, 13536, {"image": 1080}),
    }


@pytest.mark.slow
def test_cf_worlds_prompts_without_questions_are_known(sets: dict[str, ImportedPrompts]) -> None:
    holes = {prompt.id for prompt in sets["cf-world"].prompts.prompts if not prompt.checks}
    groups = [*(f"Geography.{n}" for n in range(4)), "Classical-Mechanics.51", "Classical-Mechanics.52"]
    assert holes == {"Chemical.47/l1", *(f"{group}/{level}" for group in groups for level in ("l2", "l3"))}


def test_cf_world_has_its_known_kinds_and_weights(sets: dict[str, ImportedPrompts]) -> None:
    checks = [check for prompt in sets["cf-world"].prompts.prompts for check in prompt.checks]
    assert Counter((check.dimension, check.weight) for check in checks) == {
        ("visual-integrity", 3): 3272,
        ("logic-consistency", 8): 4351,
        ("assessment-point", 15): 3263,
        ("prompt-adherence", 2): 2,
    }
    assert {(check.answer_type, check.expected, check.criteria != "") for check in checks} == {("grade", "1", True)}


def test_cf_world_has_its_known_disciplines(sets: dict[str, ImportedPrompts]) -> None:
    groups = [next(iter(levels.values())) for levels in sets["cf-world"].prompts.groups.values()]
    assert Counter(prompt.discipline for prompt in groups) == {
        "biology": 285, "chemical": 173, "geography": 26, "sociology": 22, "astronomy": 75, "classical-mechanics": 259,
        "electromagnetism": 55, "optics": 102, "thermodynamics": 95,
    }  # fmt: skip
    assert sum(not prompt.category for prompt in groups) == 41
    assert sum(prompt.category == "Astronomy" for prompt in groups) == 58


def test_the_warnings_about_cf_world_are_known(sets: dict[str, ImportedPrompts]) -> None:
    assert notes(sets["cf-world"]) == {
        "the paper counts 1091 groups; groups in the files": 1092,
        "groups without a category: no 'category'": 41,
        "keys that are misspelt or unknown, not kept": 2,
        "questions of a type beside the paper's three, kept": 2,
        "a second question of a kind (visual-integrity), kept": 9,
        "groups whose l3 asks what l2 asks": 1086,
        "prompts without questions: drawn, and not judged": 13,
        "prompts in the same words as one before, kept": 180,
        "prompts with spaces at an end, kept": 203,
    }


def test_the_warnings_about_cf_worlds_ablations_are_known(sets: dict[str, ImportedPrompts]) -> None:
    ours = "no question published: asked in our own words what must be seen"
    assert notes(sets["cf-world-attributes"]) == {"the paper counts 100 pairs; pairs in the files": 113, ours: 226}
    assert notes(sets["cf-world-rules"]) == {ours: 198, "prompts with spaces at an end, kept": 2}
    assert notes(sets["cf-world-denorm"]) == {
        "categories other than with L2, which is kept": 25,
        "prompts in the very words of L2, kept": 3,
        "prompts in the same words as one before, kept": 11,
        "prompts without questions: drawn, and not judged": 6,
    }
    rules = sets["cf-world-rules"].prompts.prompts
    assert len({prompt.law for prompt in rules}) == 33
    assert sum(prompt.variant == "factual" for prompt in rules) == 60


def test_t2i_corebench_has_its_known_dimensions_and_tags(sets: dict[str, ImportedPrompts]) -> None:
    imported = sets["t2i-corebench"]
    tags: dict[str, Counter[tuple[str, ...]]] = {}
    for prompt in imported.prompts.prompts:
        for check in prompt.checks:
            tags.setdefault(check.dimension, Counter())[check.tags] += 1
    assert tags == {
        "C-MA": {("attribute_pos",): 1585, ("attribute_neg",): 277},
        "C-MI": {("instance_pos",): 2161, ("instance_neg",): 440},
        "C-MR": {("relation",): 1545},
        "C-TR": {("content",): 1298, ("layout",): 1051, ("content", "layout"): 5},
        "R-AR": {(): 454},
        "R-BR": {("behave_pos",): 594, ("behave_neg",): 149},
        "R-CR": {(): 461},
        "R-GR": {("variant",): 521, ("invariant",): 332},
        "R-HR": {("hypo_pos",): 466, ("hypo_neg",): 434},
        "R-LR": {("multi-hop",): 436, ("0-hop",): 146, ("1-hop",): 55},
        "R-PR": {(): 674},
        "R-RR": {(): 452},
    }
    assert list(dict.fromkeys(prompt.group[:4] for prompt in imported.prompts.prompts)) == [*TASKS]
    assert Counter(prompt.category for prompt in imported.prompts.prompts) == {"composition": 360, "reasoning": 720}
    assert notes(imported) == {"questions without tags": 2041, "prompts with spaces at an end, kept": 3}


def test_r2i_bench_has_its_known_categories(sets: dict[str, ImportedPrompts]) -> None:
    prompts = sets["r2i-bench"].prompts.prompts
    assert list(dict.fromkeys(prompt.category for prompt in prompts)) == [name.replace("_", "-") for name in CATEGORIES]
    assert Counter(prompt.category for prompt in prompts) == {
        "commonsense": 695, "compositional": 311, "concept-mixing": 180, "logical": 630, "numerical": 301,
        "mathematical": 700, "causal": 151,
    }  # fmt: skip
    assert len({prompt.discipline for prompt in prompts}) == 31
    released = Counter(prompt.group.rpartition(".")[0] for prompt in prompts).values()
    known = " ".join(FIGURES["prompts"][category]["release"] for category in FIGURES["prompts"])
    assert sorted(released) == sorted(count for count in map(int, known.split()) if count)
    assert len({prompt.discipline for prompt in prompts if prompt.checks}) == 30
    holes = {prompt.group for prompt in prompts if not prompt.checks}
    of_one = {group for group in holes if not group.startswith("concept_mixing_functional_mixing.")}
    assert len(holes - of_one) == 80
    assert of_one == {
        "commonsense_temporal_understanding.99", "commonsense_temporal_understanding.100",
        "mathematical_set_theory.99", "mathematical_set_theory.100", "numerical_approximate_number_generation.101",
    }  # fmt: skip


@pytest.mark.slow
def test_r2i_bench_has_its_known_weights_and_dimensions(sets: dict[str, ImportedPrompts]) -> None:
    prompts = sets["r2i-bench"].prompts.prompts
    checks = [check for prompt in prompts for check in prompt.checks]
    assert {(check.answer_type, check.expected, check.criteria != "") for check in checks} == {("score", "1", True)}
    weights: dict[str, list[float]] = {}
    for check in checks:
        weights.setdefault(check.dimension, []).append(check.weight)
    assert {name: (len(numbers), min(numbers), max(numbers)) for name, numbers in weights.items()} == {
        "reasoning": (7436, 7, 10), "alignment": (2754, 4, 6), "quality": (1983, 1, 3), "": (4425, 0, 50),
    }  # fmt: skip
    lacking = [prompt for prompt in prompts if any(check.weight and not check.dimension for check in prompt.checks)]
    assert {prompt.group.partition("_")[0] for prompt in lacking} == {"mathematical"}


def test_the_warnings_about_r2i_bench_are_known(sets: dict[str, ImportedPrompts]) -> None:
    imported = sets["r2i-bench"]
    assert notes(imported) == {
        "the paper counts 3068 prompts; prompts in the files": 2968,
        "the paper counts 32 subcategories; subcategories in the files": 31,
        "tables without a row": 1,
        "prompts with another category than their file's, which is kept": 701,
        "prompts with another subcategory than their file's, which is kept": 4,
        "weights above the paper's 10, kept": 33,
        "weights below the paper's 1, kept": 2,
        "weights of 0: asked, and no part of the score": 13,
        "prompts whose weights are of another scale than 1 to 10: in the score, and in no dimension": 11,
        "prompts of mathematics, whose weights tell no dimension: by class alone": 700,
        "ids of questions used twice for a prompt, both kept": 1,
        "left out: questions without a prompt": 593,
        "keys that are misspelt or unknown, not kept": 2,
        "prompts in the same words as one before, kept": 27,
        "prompts without questions: drawn, and not judged": 85,
    }
    named = {warning.what: warning.ids for warning in imported.warnings}
    assert named["ids of questions used twice for a prompt, both kept"] == ("mathematical_combinatorial.7 q4",)


def test_a_limit_takes_every_discipline_and_the_same_groups_in_variants(sets: dict[str, ImportedPrompts]) -> None:
    some = {name: {prompt.group for prompt in sets[name].prompts.first(60)} for name in sets}
    assert some["cf-world"] == some["cf-world-denorm"]
    assert Counter(group.rpartition(".")[0] for group in some["cf-world"]).keys() == {
        group.rpartition(".")[0] for group in sets["cf-world"].prompts.groups
    }
    assert Counter(group[:4] for group in some["t2i-corebench"]) == dict.fromkeys(TASKS, 5)
    assert len({group.rpartition(".")[0] for group in some["r2i-bench"]}) == 31


@pytest.mark.slow
def test_every_picture_in_corebenchs_layout_finds_its_prompt(sets: dict[str, ImportedPrompts], tmp_path: Path) -> None:
    for file in (UPSTREAM / "T2I-CoReBench" / "data").glob("*.json"):
        for id in json.loads(file.read_text()):
            picture = tmp_path / "model" / file.stem / f"{id}-3.png"
            picture.parent.mkdir(parents=True, exist_ok=True)
            picture.touch()
    prompts = sets["t2i-corebench"].prompts
    places = places_in_folder(tmp_path, prompts)
    assert not places.unused
    samples = [(placed.model, placed.prompt, placed.sample) for placed in places.placed]
    assert sorted(samples) == sorted(("model", p.id, 3) for p in prompts.prompts)
