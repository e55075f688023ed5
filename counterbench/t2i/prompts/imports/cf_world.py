"""CF-World's own prompts and questions, from its authors' files as published.

prompt/**/<stem>.json                  groups: id, category, prompt_l1..3, ap_l1..3
eval_questions/**/<stem>_gemini.json   questions: source_id (a group's id), prompt_level, question_type, question, …
prompt_ablation/                       see `cf_world_ablation`

Ids begin again in each file, so a group is "<stem>.<id>": "Classical-Mechanics.52".
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec

from counterbench.errors import InputError
from counterbench.interop.oddities import Noted
from counterbench.t2i.prompts.imports.cf_world_ablation import read_attributes, read_denorm, read_rules
from counterbench.t2i.prompts.imports.imported import ImportedPrompts, imported, paper_counts, weighed
from counterbench.t2i.prompts.imports.rows import Row, Unusable, json_files, list_rows, note_others, usable
from counterbench.t2i.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.text import slug

LEVELS = ("l1", "l2", "l3")
PAPER = 1091  # groups, section 4 of the paper
# Question type to the name of its checks, and our dimension.
TYPES = {
    "Visual Integrity": ("integrity", "visual-integrity"),
    "Counterfactual Logic": ("logic", "logic-consistency"),
    "Assessment Point": ("assessment", "assessment-point"),
    "Prompt Adherence": ("adherence", "prompt-adherence"),
}
PAPER_TYPES = tuple(TYPES)[:3]
_ASKED = "_gemini"  # the end of a file of questions
_MANY = "logic"  # a prompt has several of these by design
_PROMPT_KEYS = ("id", "category", *(f"prompt_{level}" for level in LEVELS))
_POINTS = tuple(f"ap_{level}" for level in LEVELS)
_QUESTION_KEYS = ("source_id", "prompt_level", "question_type", "question", "evaluation_criteria", "weight")
_UNKEPT_KEYS = ("id", "category", "generator_model")  # of a question


@dataclass(frozen=True)
class Group:
    """A row of a prompt file."""

    id: str
    discipline: str
    category: str
    texts: dict[str, str]  # by level


def read_cf_world(root: Path) -> list[ImportedPrompts]:
    """The prompts with their questions, and those of its ablations that are there. InputError if it is no release."""
    for name in ("prompt", "eval_questions"):
        if not (root / name).is_dir():
            raise InputError(
                f"{root}: not a CF-World release, it has no {name}/; give the folder with prompt/, eval_questions/ and "
                "prompt_ablation/"
            )
    odd = Noted()
    prompt_files, asked = (json_files(root / name) for name in ("prompt", "eval_questions"))
    ablation = root / "prompt_ablation"
    parts = [ablation / name for name in ("attribute_decouple.json", "rule_decouple.json", "de-norm")]
    groups = _groups(root, prompt_files, odd)
    checks = _checks(root, asked, groups, odd)
    prompts = [
        Prompt(
            id=f"{group.id}/{level}",
            group=group.id,
            level=level,
            text=text,
            checks=checks.get(f"{group.id}/{level}", ()),
            category=group.category,
            discipline=group.discipline,
        )
        for group in groups.values()
        for level, text in group.texts.items()
    ]
    for group in groups:
        if (at_l3 := checks.get(f"{group}/l3")) and at_l3 == checks.get(f"{group}/l2"):
            odd.add("groups whose l3 asks what l2 asks", group)
    counts = paper_counts(PAPER, "groups", len(groups))
    prompt_set = PromptSet("cf-world", LEVELS, prompts)
    sets = [imported(prompt_set, "CF-World: prompts and graded questions of its authors", odd, counts)]
    attributes, rules, denorm = parts
    if attributes.exists():
        sets.append(read_attributes(root, attributes))
    if rules.exists():
        sets.append(read_rules(root, rules))
    if denorm.exists():
        sets.append(read_denorm(root, denorm, prompt_set))
    return sets


def _groups(root: Path, files: list[Path], odd: Noted) -> dict[str, Group]:
    groups: dict[str, Group] = {}
    for file in files:
        rows = list_rows(root, file, _PROMPT_KEYS, odd)
        for group in usable(rows, lambda row: _group(row, odd), odd):
            if group.id in groups:
                odd.add("left out: an id that a group before has", group.id)
                continue
            groups[group.id] = group
    return groups


def _group(row: Row, odd: Noted) -> Group:
    id = row.name_in_file("id")
    texts = {}
    for level in LEVELS:
        try:
            texts[level] = row.text(f"prompt_{level}")
        except Unusable as error:
            odd.add(f"groups without a prompt at {level}: {error}", id)
    if not texts:
        raise Unusable("no prompt at any level")
    note_others(row, (*_PROMPT_KEYS, *_POINTS), id, odd)
    return Group(id, slug(row.file.stem), category(row, id, odd), texts)


def category(row: Row, id: str, odd: Noted) -> str:
    """The published category, without spaces around it; "" if there is none."""
    try:
        return row.text("category").strip()
    except Unusable as error:
        odd.add(f"groups without a category: {error}", id)
        return ""


def _checks(root: Path, files: list[Path], groups: dict[str, Group], odd: Noted) -> dict[str, tuple[Check, ...]]:
    """The checks of each prompt, in the order of the file."""
    by_prompt: dict[str, list[Check]] = {}
    for file in files:
        ids: set[str] = set()
        rows = list_rows(root, file, _QUESTION_KEYS, odd)
        for row, group, level, check in usable(rows, lambda row: _check(row, odd), odd):
            prompt = f"{group}/{level}"
            if group not in groups or level not in groups[group].texts:
                odd.add("left out: questions without a prompt", f"{row.place}: {prompt}")
                continue
            of = by_prompt.setdefault(prompt, [])
            numbered = _numbered(check, of)
            of.append(numbered)
            if numbered.id != check.id and check.id != _MANY:
                odd.add(f"a second question of a kind ({check.dimension}), kept", f"{prompt} {numbered.id}")
            note_others(row, (*_QUESTION_KEYS, *_UNKEPT_KEYS), row.place, odd)
            if isinstance(id := row.cells.get("id"), str | int):
                if str(id) in ids:
                    odd.add("ids of questions used twice in a file, both kept", row.place)
                ids.add(str(id))
    return {prompt: weighed(checks, prompt, odd) for prompt, checks in by_prompt.items()}


def _check(row: Row, odd: Noted) -> tuple[Row, str, str, Check]:
    """A question: its row, the group and level that it is about, and the check without its number."""
    group = row.name_in_file("source_id", _ASKED)
    level, kind = row.text("prompt_level"), row.text("question_type")
    if level not in LEVELS:
        raise Unusable(f"'prompt_level' is none of {', '.join(LEVELS)}")
    if kind in TYPES:
        name, dimension = TYPES[kind]
    else:
        name = dimension = slug(kind)
    if not name:
        raise Unusable("'question_type' has no letter in it")
    if kind not in PAPER_TYPES:
        odd.add("questions of a type beside the paper's three, kept", f"{row.place}: {name}")
    try:
        criteria = row.text("evaluation_criteria")
    except Unusable as error:
        odd.add(f"questions without criteria, kept: {error}", row.place)
        criteria = ""
    check = Check(
        id=name,
        dimension=dimension,
        text=row.text("question"),
        criteria=criteria,
        answer_type="grade",
        expected="1",
        weight=row.weight("weight"),
    )
    return row, group, level, check


def _numbered(check: Check, before: list[Check]) -> Check:
    """The check with an id that no earlier one has: "logic-1", "logic-2", "integrity", "integrity-2"."""
    ids = {each.id for each in before}
    number = 1
    id = f"{check.id}-1" if check.id == _MANY else check.id
    while id in ids:
        number += 1
        id = f"{check.id}-{number}"
    return msgspec.structs.replace(check, id=id)
