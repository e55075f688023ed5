"""Prompt files: what they give, and for every fault one message that names the file, the place and the choices."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from counterbench.errors import InputError
from counterbench.laws import STANDARD, law
from counterbench.scene.programs.observations import Skill
from counterbench.suites.cells import cells_of
from counterbench.suites.suite import load_suite
from counterbench.t2i.judging.gate import needed_cells, unverified
from counterbench.t2i.prompts.files import law_cells, load_prompts, names
from counterbench.t2i.prompts.prompt_set import Check

LAWS_FILE = """
format = "counterbench.prompts/1"
kind = "laws"
name = "mine"
seed = 7
laws = ["falling"]
"""
RULES_FILE = """
format = "counterbench.prompts/1"
kind = "rules"
name = "symbols"

[[rule]]
name = "order"
discipline = "physics"
start = "Three squares in a row."
finish = "Show them afterwards."

[[rule.variant]]
name = "growing"
rule = "each square is larger than the one before it"
question = "Do the squares grow from left to right?"
real = true

[[rule.variant]]
name = "shrinking"
rule = "each square is smaller than the one before it"
question = "Do the squares shrink from left to right?"
"""
GROUPS_FILE = """
format = "counterbench.prompts/1"
kind = "groups"
name = "written"

[[group]]
id = "ball-up"
discipline = "physics"
law = "gravity"
variant = "up"
rule = "loose things fall upwards"
outcome = ["the ball rests against the ceiling", "upwards"]

[group.prompts]
l1 = "A ball is let go in a room. Things fall as we know it."
l2 = "A ball is let go in a room. In this world, loose things fall upwards. The ball rests against the ceiling."
l3 = "A ball is let go in a room. In this world, loose things fall upwards."

[[group.check]]
id = "clear"
dimension = "visual-integrity"
text = "Is the picture clear?"
skill = "integrity"
weight = 3

[[group.check]]
id = "up"
dimension = "assessment-point"
text = "How well does the ball rest against the ceiling?"
answer_type = "grade"
skill = "place"
weight = 15
levels = ["l2", "l3"]

[[group.check]]
id = "down"
dimension = "contrast"
text = "Does the ball rest on the floor?"
expected = "no"
skill = "place"
weight = 0
levels = ["l2", "l3"]
"""
CONCEPTS = (
    '{"format": "counterbench.concepts/1", "id": "desk", "level": "common", "prompt": "A lamp on a desk.", '
    '"question": "Is a lamp on a desk?"}\n'
    '{"format": "counterbench.concepts/1", "id": "desk", "level": "rare", "prompt": "A whale on a desk.", '
    '"question": "Is a whale on a desk?"}\n'
)


def written(folder: Path, text: str, name: str = "mine.toml") -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def edited(text: str, old: str, new: str) -> str:
    assert text.count(old) >= 1, old
    return text.replace(old, new, 1)


# ---- what they give


@pytest.mark.parametrize("name", names())
def test_every_shipped_set_can_be_read(name: str) -> None:
    prompts = load_prompts(name)
    assert prompts.name == name
    assert prompts.digest == load_prompts(name).digest
    assert (prompts.seed is None) == (not needed_cells(prompts.prompts))
    if name != "picworld-own":  # whose questions an author writes
        assert unverified(prompts) == (1 if prompts.seed is None else 0)


def test_the_shipped_laws_are_every_altered_variant() -> None:
    prompts = load_prompts("laws")
    variants = {(one.name, variant.name) for one in map(law, STANDARD) for variant in one.altered}
    assert {(p.law, p.variant) for p in prompts.prompts} == variants
    assert len(prompts.groups) == 2 * len(variants)
    assert set(needed_cells(prompts.prompts)) == set(STANDARD)
    assert {check.skill for prompt in prompts.prompts for check in prompt.checks} <= set(get_args(Skill))


def test_a_file_of_laws(tmp_path: Path) -> None:
    path = written(tmp_path, LAWS_FILE)
    prompts = load_prompts(str(path))
    assert (prompts.name, prompts.seed, prompts.levels) == ("mine", 7, ("l1", "l2", "l3"))
    assert {prompt.law for prompt in prompts.prompts} == {"falling"}
    photo = load_prompts(written(tmp_path, LAWS_FILE + 'style = "photo"\ndescribed = true\nsettings = 2\n', "p.toml"))
    assert {prompt.style for prompt in photo.prompts} == {"photo"}
    assert len(photo.groups) == 2 * len(prompts.groups)


def test_a_file_of_rules(tmp_path: Path) -> None:
    prompts = load_prompts(written(tmp_path, RULES_FILE))
    assert prompts.levels == ("rule",)
    assert [prompt.id for prompt in prompts.prompts] == ["order.growing/rule", "order.shrinking/rule"]
    assert [prompt.variant for prompt in prompts.prompts] == ["factual", "shrinking"]
    assert prompts.prompts[1].text == (
        "Three squares in a row. The rule is: each square is smaller than the one before it. Show them afterwards."
    )
    assert len(prompts.prompts[0].checks) == 1


def test_a_rule_without_questions_is_a_law_in_symbols(tmp_path: Path) -> None:
    text = (
        RULES_FILE[: RULES_FILE.index("[[rule]]")]
        + """seed = 3
[[rule]]
name = "falling"
discipline = "physics"
start = "{A_subject} and {a_companion} in a room."
finish = "Draw the end."
[[rule.variant]]
name = "up"
rule = "discs and tiles move up"
"""
    )
    (prompt,) = load_prompts(written(tmp_path, text)).prompts
    assert prompt.law == "falling-in-symbols"
    assert re.match(r"An? [a-z]+ disc and an? [a-z]+ tile in a room\. A tile is a square\. The rule is: ", prompt.text)
    assert [(check.id, check.expected) for check in prompt.checks] == [
        ("presence", "yes"),
        ("presence-not", "no"),
        ("assessment", "yes"),
        ("assessment-not", "no"),
        ("moved", "yes"),
        ("moved-not", "no"),
    ]
    assert all(check.program for check in prompt.checks)


def test_a_file_of_groups(tmp_path: Path) -> None:
    prompts = load_prompts(written(tmp_path, GROUPS_FILE))
    assert prompts.seed is None
    first, told, alone = prompts.prompts
    assert [check.id for check in first.checks] == ["clear"]
    assert [check.id for check in told.checks] == ["clear", "up", "down"]
    assert told.checks == alone.checks
    assert [check.expected for check in told.checks] == ["yes", "1", "no"]


OWN_GROUPS = """
format = "counterbench.prompts/1"
kind = "groups"
name = "own"

[[group]]
id = "hands"
category = "people"
prompts = { image = "Two hands." }

[[group.check]]
id = "seen"
text = "Describe the picture."
answer_type = "description"

[[group.check]]
id = "anatomy"
text = "How right is the anatomy?"
answer_type = "rating:1-5"
criterion = "anatomy"
criteria = "5: as in life. 1: not a hand."
tags = ["people", "close"]
dimension = "craft"
skill = "knows hands"
call = "craft"
after = "seen"

[[group.check]]
id = "garbled"
text = "How garbled are the edges?"
answer_type = "rating:1-5"
expected = "1"
call = "craft"
after = "seen"
weight = 2

[[group]]
id = "cup"
category = "things"
prompts = { image = "A cup." }
"""


def test_groups_say_all_that_a_check_may(tmp_path: Path) -> None:
    found = load_prompts(written(tmp_path, OWN_GROUPS))
    assert (found.levels, found.protocol) == (("image",), "checklist")
    hands, cup = found.prompts
    assert (hands.category, cup.category, cup.checks) == ("people", "things", ())
    seen, anatomy, garbled = hands.checks
    assert (seen.expected, seen.weight) == ("", 0)
    assert anatomy == Check(
        id="anatomy",
        text="How right is the anatomy?",
        answer_type="rating:1-5",
        expected="5",
        criterion="anatomy",
        criteria="5: as in life. 1: not a hand.",
        tags=("people", "close"),
        dimension="craft",
        skill="knows hands",
        call="craft",
        after="seen",
    )
    assert (garbled.expected, garbled.weight) == ("1", 2)


def test_a_file_says_its_protocol_or_it_is_cf_eval_that_has_assessment_points(tmp_path: Path) -> None:
    said = edited(OWN_GROUPS, 'name = "own"', 'name = "own"\nprotocol = "mine"')
    files = {"mine": said, "checklist": OWN_GROUPS, "cf-eval": GROUPS_FILE}
    assert {name: load_prompts(written(tmp_path, text)).protocol for name, text in files.items()} == {
        n: n for n in files
    }


@pytest.mark.parametrize(
    ("prompts", "levels"),
    [
        ('l2 = "A."\nl1 = "B."', ("l1", "l2")),
        ('l3 = "A."', ("l3",)),
        ('hard = "A."\nl1 = "B."', ("hard", "l1")),
    ],
)
def test_levels_are_those_that_groups_have(tmp_path: Path, prompts: str, levels: tuple[str, ...]) -> None:
    head = 'format = "counterbench.prompts/1"\nkind = "groups"\nname = "n"\n[[group]]\nid = "g"\n[group.prompts]\n'
    assert load_prompts(written(tmp_path, f"{head}{prompts}\n")).levels == levels


def test_a_file_of_concept_pairs(tmp_path: Path) -> None:
    prompts = load_prompts(written(tmp_path, CONCEPTS, "pairs.jsonl"))
    assert (prompts.name, prompts.levels) == ("pairs", ("common", "rare"))
    assert [prompt.id for prompt in prompts.prompts] == ["desk/common", "desk/rare"]


# ---- what is wrong with them

BAD: dict[str, tuple[str, str]] = {
    "newer format": (edited(LAWS_FILE, "prompts/1", "prompts/2"), "newer format 'counterbench.prompts/2'"),
    "unknown kind": (
        edited(LAWS_FILE, 'kind = "laws"', 'kind = "lawz"'),
        "unknown kind of prompts 'lawz' (did you mean 'laws'?); choose from: groups, laws, rules",
    ),
    "unknown key": (
        LAWS_FILE + "setings = 2\n",
        "unknown key 'setings' (did you mean 'settings'?); choose from: described, description, format, laws",
    ),
    "unknown law": (
        edited(LAWS_FILE, '"falling"', '"faling"'),
        "laws: unknown law 'faling' (did you mean 'falling'?); choose from: ",
    ),
    "unknown style": (
        LAWS_FILE + 'style = "foto"\n',
        "unknown style 'foto' (did you mean 'photo'?); choose from: flat, photo",
    ),
    "negative seed": (edited(LAWS_FILE, "seed = 7", "seed = -7"), "`int` >= 0 - at `$.seed`"),
    "no settings": (LAWS_FILE + "settings = 0\n", "`int` >= 1 - at `$.settings`"),
    "name with a path": (edited(LAWS_FILE, '"mine"', '"../mine"'), "at `$.name`"),
    "rules: none": ('format = "counterbench.prompts/1"\nkind = "rules"\nname = "r"\n', "missing required field `rule`"),
    "rules: unknown key": (
        edited(RULES_FILE, "finish", "end"),
        "rule 'order': unknown key 'end'; choose from: discipline, finish, name, start, variant",
    ),
    "rules: unknown key of a variant": (
        edited(RULES_FILE, "question", "questoin"),
        "rule 'order', variant 'growing': unknown key 'questoin' (did you mean 'question'?); choose from: name,",
    ),
    "rules: no question": (edited(RULES_FILE, 'question = "Do the squares grow from left to right?"', ""), "question"),
    "groups: negative weight": (
        edited(GROUPS_FILE, "weight = 15", "weight = -15"),
        "group 'ball-up', check 'up': its weight must be 0 or more, not -15",
    ),
    "groups: unknown answer type": (
        edited(GROUPS_FILE, 'answer_type = "grade"', 'answer_type = "grades"'),
        "group 'ball-up', check 'up': unknown answer type 'grades' (did you mean 'grade'?); choose from: ",
    ),
    "groups: impossible answer": (
        edited(GROUPS_FILE, 'expected = "no"', 'expected = "nay"'),
        "group 'ball-up', check 'down': 'expected' must be the answer that gives full credit, not 'nay'",
    ),
    "groups: unknown level of a check": (
        edited(GROUPS_FILE, 'levels = ["l2", "l3"]', 'levels = ["l2", "l4"]'),
        "group 'ball-up', check 'up': unknown level 'l4'; choose from: l1, l2, l3",
    ),
    "groups: unknown level": (
        edited(edited(GROUPS_FILE, "l3 = ", "l4 = "), "[[group]]", 'levels = ["l1", "l2", "l3"]\n[[group]]'),
        "group 'ball-up': unknown level 'l4'; choose from: l1, l2, l3",
    ),
    "groups: not on the scale": (
        edited(GROUPS_FILE, 'answer_type = "grade"', 'answer_type = "rating:5-1"'),
        "group 'ball-up', check 'up': answer type 'rating:5-1': its scale is LOW-HIGH",
    ),
    "groups: no end of the scale": (
        edited(GROUPS_FILE, 'answer_type = "grade"', 'answer_type = "rating:1-5"\nexpected = "4"'),
        "check 'up': 'expected' must be the end of the scale that gives full credit, 1 or 5, not '4'",
    ),
    "groups: ratings of one check": (
        edited(GROUPS_FILE, 'answer_type = "grade"', 'answer_type = "ratings:1-5"'),
        "check 'up': ratings:1-5 is how several checks with one 'call' are answered; give each of them the answer type "
        "rating:1-5",
    ),
    "groups: yes and no in one call": (
        edited(GROUPS_FILE, 'answer_type = "grade"', 'call = "both"'),
        "group 'ball-up', check 'up': with a 'call' its answer type must be rating:LOW-HIGH, not yes-no",
    ),
    "groups: a description that scores": (
        edited(GROUPS_FILE, 'answer_type = "grade"', 'answer_type = "description"'),
        "check 'up': no description is right or wrong; its weight must be 0",
    ),
    "groups: after nothing": (
        edited(GROUPS_FILE, 'answer_type = "grade"', 'after = "seen"'),
        "check 'up', after: unknown check 'seen'",
    ),
    "groups: L3 states its outcome": (
        edited(GROUPS_FILE, "fall upwards.\"\n\n", "fall upwards. The ball rests against the ceiling.\"\n\n"),
        "group 'ball-up': l3 states its outcome: 'the ball rests against the ceiling'; L3 gives the law alone",
    ),
    "groups: L3 states its outcome, and no rule is told": (
        edited(edited(GROUPS_FILE, 'rule = "loose things fall upwards"', ""), 'outcome = ["the', 'outcome = ["zz the'),
        "group 'ball-up': l3 states its outcome: 'upwards'",
    ),
    "groups: empty outcome": (edited(GROUPS_FILE, '"upwards"]', '""]'), "length >= 1 - at `$.group[0].outcome[1]`"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_what_is_wrong_is_said_once_with_file_place_and_choices(case: str, tmp_path: Path) -> None:
    text, message = BAD[case]
    path = written(tmp_path, text)
    with pytest.raises(InputError) as error:
        load_prompts(path)
    assert str(error.value).startswith(f"{path}: ") or str(error.value).startswith(f"{path}, ")
    assert str(error.value).count(str(path)) == 1
    assert message in str(error.value)


BAD_PAIRS: dict[str, tuple[str, str]] = {
    "unknown level": (edited(CONCEPTS, '"common"', '"usual"'), ", line 1: Invalid enum value 'usual'"),
    "unknown key": (edited(CONCEPTS, '"question": "Is a whale', '"ask": "Is a whale'), ", line 2: "),
    "another format": (edited(CONCEPTS, "concepts/1", "concepts/2"), ", line 1: written in the newer format"),
    "empty": ("", "has no prompts"),
}


@pytest.mark.parametrize("case", BAD_PAIRS)
def test_concept_pairs_that_are_wrong_name_their_file(case: str, tmp_path: Path) -> None:
    text, message = BAD_PAIRS[case]
    path = written(tmp_path, text, "pairs.jsonl")
    with pytest.raises(InputError, match=f"^{re.escape(str(path))}") as error:
        load_prompts(path)
    assert message in str(error.value)


@pytest.mark.parametrize("name", ["mine.xlsx", "mine.tsv", "mine.txt", "mine.JSON"])
def test_a_file_of_another_format_names_those_that_are_read(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, "prompt\nA cup.\n", name)
    for said in (name, f"./{name}", tmp_path / name):
        with pytest.raises(
            InputError, match=rf"{name}: prompts are read from \.csv, \.jsonl, \.toml; write them as one"
        ):
            load_prompts(said)


def test_a_set_that_is_not_there_names_those_that_are() -> None:
    with pytest.raises(InputError, match=r"unknown prompt set 'lawz' \(did you mean 'laws'\?\); choose from: .*laws"):
        load_prompts("lawz")
    with pytest.raises(InputError, match=r"nowhere/mine\.toml: there is no such prompt file"):
        load_prompts("nowhere/mine.toml")
    with pytest.raises(InputError, match=r"mine\.jsonl: there is no such prompt file"):
        load_prompts("mine.jsonl")


@pytest.mark.slow
def test_the_cells_of_a_prompt_set_are_known_without_its_prompts_and_the_suite_has_them() -> None:
    known = cells_of(load_suite("laws")).keys() | cells_of(load_suite("rules")).keys()
    for name in names():
        assert law_cells(name) == needed_cells(load_prompts(name).prompts)
        assert {cell for cells in law_cells(name).values() for cell in cells} <= known
