"""CF-World's release in miniature: what comes of it, and what is said of each thing that is odd in it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from pictures.foreign_releases import GRADES, VISUAL, cf_world, notes, questions, write_files
from sweeping import swept

from counterbench.prompts.imports.cf_world import read_cf_world
from counterbench.prompts.imports.imported import ImportedPrompts
from counterbench.prompts.prompt_set import Check, Prompt

COOKERY, ASKED = "prompt/Cookery.json", "eval_questions/Cookery_gemini.json"
ATTRIBUTES, RULES = "prompt_ablation/attribute_decouple.json", "prompt_ablation/rule_decouple.json"
DENORM = "prompt_ablation/de-norm/Cookery.json"
ONE, UNUSUAL, RULE = "cf-world", "cf-world-attributes", "cf-world-rules"


def read(folder: Path, files: dict[str, Any]) -> dict[str, ImportedPrompts]:
    return {imported.prompts.name: imported for imported in read_cf_world(write_files(folder, files))}


def test_a_release_becomes_prompts_with_their_questions(tmp_path: Path) -> None:
    found = read(tmp_path, cf_world())[ONE].prompts
    assert (found.levels, found.protocol, found.seed) == (("l1", "l2", "l3"), "cf-eval", None)
    assert list(found.groups) == ["Cookery.0", "Cookery.1", "Bent-Light.0"]
    kinds = (("integrity", "visual-integrity", 3), ("logic-1", "logic-consistency", 8))
    checks = [
        Check(id=id, dimension=kind, text=f"Is number {n} of l1 of group 0 well done?", criteria=GRADES, weight=weight)
        for n, (id, kind, weight) in enumerate((*kinds, ("assessment", "assessment-point", 15)))
    ]
    graded = tuple(msgspec.structs.replace(check, answer_type="grade", expected="1") for check in checks)
    words, about = "Paint a mirror beside a stove.", {"category": "Light", "discipline": "bent-light"}
    assert found.by_id["Bent-Light.0/l1"] == Prompt.at("Bent-Light.0", "l1", words, checks=graded, **about)


def test_attributes_become_pairs_with_questions_of_ours(tmp_path: Path) -> None:
    found = read(tmp_path, cf_world())[UNUSUAL]
    assert found.prompts.levels == ("factual", "unusual")
    pair = found.prompts.groups["attribute-7"]
    assert {level: prompt.text for level, prompt in pair.items()} == {
        "unusual": "A teapot on a ski slope.",
        "factual": "A teapot on a tray.",
    }
    words = 'Does the picture show both of these together: "Teapot" and "ski slope"?'
    assert pair["unusual"].checks == (Check(id="assessment", dimension="assessment-point", text=words),)
    assert notes(found)["no question published: asked in our own words what must be seen"] == (
        "attribute-7/unusual", "attribute-7/factual",
    )  # fmt: skip


def test_rules_have_a_factual_variant_and_altered_ones(tmp_path: Path) -> None:
    found = read(tmp_path, cf_world())[RULE]
    assert [(p.id, p.law, p.variant, p.checks[0].text) for p in found.prompts.prompts] == [
        ("rule-0.0/rule", "rule-0", "factual", 'Does the picture show this: "Arrow down"?'),
        ("rule-0.1/rule", "rule-0", "cf-1", 'Does the picture show this: "Arrow up"?'),
    ]
    assert notes(found)["no question published: asked in our own words what must be seen"] == (
        "rule-0.0/rule", "rule-0.1/rule",
    )  # fmt: skip


def test_denominalised_prompts_have_the_questions_of_l2(tmp_path: Path) -> None:
    found = read(tmp_path, cf_world())
    l2, other = found[ONE].prompts.by_id, found["cf-world-denorm"].prompts
    assert other.levels == ("l2",)
    assert [entry.prompts.variant_of for entry in found.values()] == ["", "", "", found[ONE].prompts.digest]
    assert list(other.by_id) == ["Cookery.0/l2", "Cookery.1/l2", "Bent-Light.0/l2"]
    for prompt in other.prompts:
        assert prompt.checks == l2[prompt.id].checks
        assert (prompt.category, prompt.discipline) == (l2[prompt.id].category, l2[prompt.id].discipline)
        assert prompt.text != l2[prompt.id].text


def test_a_sound_release_has_only_the_usual_warnings(tmp_path: Path) -> None:
    found = read(tmp_path, cf_world())
    assert {warning.what: warning.count for warning in found[ONE].warnings} == {
        "the paper counts 1091 groups; groups in the files": 3,
        "groups whose l3 asks what l2 asks": 3,
    }
    assert notes(found["cf-world-denorm"]) == {}


ODD: dict[str, tuple[Callable[[dict[str, Any]], object], str, str, tuple[str, ...]]] = {
    "a level is missing": (
        lambda files: files[COOKERY][1].pop("prompt_l2"),
        ONE, "groups without a prompt at l2: no 'prompt_l2'", ("Cookery.1",),
    ),
    "a misspelt key": (
        lambda files: files[COOKERY][0].update(ap_3=files[COOKERY][0].pop("ap_l3")),
        ONE, "keys that are misspelt or unknown, not kept", ("Cookery.0: ap_3",),
    ),
    "no prompt at all": (
        lambda files: files[COOKERY].__setitem__(1, {"id": "1"}),
        ONE, "left out: no prompt at any level", (f"{Path(COOKERY).name}, row 2",),
    ),
    "a second question of a kind": (
        lambda files: files[ASKED].extend(questions("1", "l3", 19, (VISUAL,))),
        ONE, "a second question of a kind (visual-integrity), kept", ("Cookery.1/l3 integrity-2",),
    ),
    "another type of question": (
        lambda files: files[ASKED].extend(questions("1", "l3", 19, ("Prompt Adherence",))),
        ONE, "questions of a type beside the paper's three, kept", (f"{Path(ASKED).name}, row 19: adherence",),
    ),
    "a question at no level": (
        lambda files: files[ASKED][0].update(prompt_level="l4"),
        ONE, "left out: 'prompt_level' is none of l1, l2, l3", (f"{Path(ASKED).name}, row 1",),
    ),
    "weights of 0": (
        lambda files: [row.update(weight=0) for row in files[ASKED][:3]],
        ONE, "questions whose weights sum to 0, left out", ("Cookery.0/l1",),
    ),
    "a pair with one prompt": (
        lambda files: files[ATTRIBUTES].pop(),
        UNUSUAL, "pairs with one of their two prompts", ("attribute-7",),
    ),
    "an id that says otherwise": (
        lambda files: files[ATTRIBUTES].append({**files[ATTRIBUTES][1], "category": "unusual"}),
        UNUSUAL, "left out: 'id' and 'category' do not say the same", (f"{Path(ATTRIBUTES).name}, row 3",),
    ),
    "an id of a rule twice": (
        lambda files: files[RULES].append({**files[RULES][1], "prompt": "Again."}),
        RULE, "left out: an id that a prompt before has", ("rule-0.1/rule",),
    ),
    "L2 itself": (
        lambda files: files[DENORM][0].update(prompt=files[COOKERY][0]["prompt_l2"]),
        "cf-world-denorm", "prompts in the very words of L2, kept", ("Cookery.0",),
    ),
}  # fmt: skip


@swept("weight", ["much", True, None, -1, float("nan"), float("inf"), 10**400, [8]])
def test_a_question_with_a_weight_that_is_no_number_is_left_out(tmp_path: Path, weight: Any) -> None:
    files = cf_world()
    files[ASKED][1]["weight"] = weight
    found = read(tmp_path, files)[ONE]
    assert [check.id for check in found.prompts.by_id["Cookery.0/l1"].checks] == ["integrity", "assessment"]
    assert notes(found)["left out: 'weight' is no number from 0 to 1000000"] == (f"{Path(ASKED).name}, row 2",)


@swept(
    ("text", "why"),
    [
        (None, "no 'prompt_l2'"),
        (7, "'prompt_l2' is no text"),
        ({"text": "a candle"}, "'prompt_l2' is no text"),
        (" \n", "'prompt_l2' is empty"),
        ("\ud800", "'prompt_l2' has a null character or half a surrogate pair in it"),
    ],
)
def test_a_prompt_without_words_is_a_missing_level(tmp_path: Path, text: Any, why: str) -> None:
    files = cf_world()
    files[COOKERY][0]["prompt_l2"] = text
    found = read(tmp_path, files)[ONE]
    assert list(found.prompts.groups["Cookery.0"]) == ["l1", "l3"]
    assert notes(found)[f"groups without a prompt at l2: {why}"] == ("Cookery.0",)


REFUSED: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "no prompts": (
        lambda files: [files.pop(name) for name in [*files] if name.startswith("prompt/")],
        "not a CF-World release, it has no prompt/; give the folder with prompt/, eval_questions/",
    ),
    "tables": (
        lambda files: files.update({COOKERY: b"id,category,prompt\n0,Heat,A candle\n"}),
        f"{COOKERY}, line 1: not valid JSON",
    ),
    "a renamed key": (
        lambda files: [row.update(prompt_two=row.pop("prompt_l2")) for row in files[COOKERY]],
        f"{COOKERY}, row 1: no 'prompt_l2' here or in any row; expected id, category, prompt_l1, prompt_l2, prompt_l3; "
        "it has id, category, prompt_l1, ap_l1, ap_l2, prompt_l3, ap_l3, prompt_two",
    ),
    "levels called otherwise": (
        lambda files: [row.update(prompt_level="L1") for row in files[ASKED]],
        f"{ASKED}, row 1: 'prompt_level' is none of l1, l2, l3; no row of this file can be used",
    ),
}  # fmt: skip


def test_a_byte_order_mark_and_windows_line_ends_change_nothing(tmp_path: Path) -> None:
    plain = read(tmp_path / "plain", cf_world())[ONE]
    data = b"\xef\xbb\xbf" + (tmp_path / "plain" / COOKERY).read_bytes().replace(b"\n", b"\r\n")
    assert read(tmp_path / "windows", {**cf_world(), COOKERY: data})[ONE].prompts.digest == plain.prompts.digest
