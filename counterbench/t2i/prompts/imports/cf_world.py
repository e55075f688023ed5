"""CF-World's own prompts and questions, from its authors' files as published.

prompt/**/<stem>.json                  groups: id, category, prompt_l1..3, ap_l1..3
eval_questions/**/<stem>_gemini.json   questions: source_id (a group's id), prompt_level, question_type, question, …
prompt_ablation/                       see `cf_world_ablation`

Ids begin again in each file, so a group is "<stem>.<id>": "Classical-Mechanics.52".
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import msgspec

from counterbench.errors import InputError
from counterbench.interop.data_warnings import Noted
from counterbench.t2i.prompts.imports.cf_world_ablation import read_attributes, read_denorm, read_rules
from counterbench.t2i.prompts.imports.imported import ImportedPrompts, imported, paper_counts, weighed
from counterbench.t2i.prompts.imports.rows import Row, Unusable, files_in, json_rows, once, usable
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


def read_cf_world(root: Path) -> list[ImportedPrompts]:
    """The prompts with their questions, and those of its ablations that are there. InputError if it is no release."""
    for name in ("prompt", "eval_questions"):
        if not (root / name).is_dir():
            raise InputError(
                f"{root}: not a CF-World release, it has no {name}/; give the folder with prompt/, eval_questions/ and "
                "prompt_ablation/"
            )
    odd = Noted()
    rows = (json_rows(root, file, _PROMPT_KEYS, odd) for file in files_in(root / "prompt"))
    prompts = once((prompt for of in rows for levels in usable(of, _group) for prompt in levels), odd)
    checks = _checks(root, prompts, odd)
    with_checks = [msgspec.structs.replace(of, checks=checks.get(id, ())) for id, of in prompts.items()]
    prompt_set = PromptSet("cf-world", LEVELS, with_checks)
    for group in prompt_set.groups:
        if (at_l3 := checks.get(f"{group}/l3")) and at_l3 == checks.get(f"{group}/l2"):
            odd.add("groups whose l3 asks what l2 asks", group)
    counts = paper_counts(PAPER, "groups", len(prompt_set.groups))
    sets = [imported(prompt_set, "CF-World: prompts and graded questions of its authors", odd, counts)]
    attributes, rules, denorm = (
        root / "prompt_ablation" / name for name in ("attribute_decouple.json", "rule_decouple.json", "de-norm")
    )
    if attributes.exists():
        sets.append(read_attributes(root, attributes))
    if rules.exists():
        sets.append(read_rules(root, rules))
    if denorm.exists():
        sets.append(read_denorm(root, denorm, prompt_set))
    return sets


def _group(row: Row) -> list[Prompt]:
    """The prompts of a group, without checks."""
    group = row.name_in_file("id")
    texts = {of: row.text_if_any(f"prompt_{of}", f"groups without a prompt at {of}", group) for of in LEVELS}
    if not any(texts.values()):
        raise Unusable("no prompt at any level")
    row.note_others((*_PROMPT_KEYS, *_POINTS), group)
    category = row.text_if_any("category", "groups without a category", group).strip()
    return [
        Prompt(
            id=f"{group}/{level}",
            group=group,
            level=level,
            text=text,
            category=category,
            discipline=slug(row.file.stem),
        )
        for level, text in texts.items()
        if text
    ]


def _checks(root: Path, prompts: dict[str, Prompt], odd: Noted) -> dict[str, tuple[Check, ...]]:
    """The checks of each prompt, in the order of the file."""
    by_prompt: dict[str, list[Check]] = {}
    for file in files_in(root / "eval_questions"):
        for row, prompt, check in usable(json_rows(root, file, _QUESTION_KEYS, odd), _check):
            if prompt not in prompts:
                odd.add("left out: questions without a prompt", f"{row.place}: {prompt}")
                continue
            ids = {each.id for each in by_prompt.setdefault(prompt, [])}
            id = next(id for id in _ids(check.id) if id not in ids)
            by_prompt[prompt].append(msgspec.structs.replace(check, id=id))
            if id != check.id and check.id != _MANY:
                odd.add(f"a second question of a kind ({check.dimension}), kept", f"{prompt} {id}")
            row.note_others((*_QUESTION_KEYS, *_UNKEPT_KEYS), row.place)
    return {prompt: weighed(checks, prompt, odd) for prompt, checks in by_prompt.items()}


def _check(row: Row) -> tuple[Row, str, Check]:
    """A question: its row, the prompt that it is about, and the check without its number."""
    group = row.name_in_file("source_id", _ASKED)
    level, kind = row.text("prompt_level"), row.text("question_type")
    if level not in LEVELS:
        raise Unusable(f"'prompt_level' is none of {', '.join(LEVELS)}")
    name, dimension = TYPES.get(kind, (slug(kind),) * 2)
    if not name:
        raise Unusable("'question_type' has no letter in it")
    if kind not in PAPER_TYPES:
        row.odd.add("questions of a type beside the paper's three, kept", f"{row.place}: {name}")
    check = Check(
        id=name,
        dimension=dimension,
        text=row.text("question"),
        criteria=row.text_if_any("evaluation_criteria", "questions without criteria, kept", row.place),
        answer_type="grade",
        expected="1",
        weight=row.weight("weight"),
    )
    return row, f"{group}/{level}", check


def _ids(kind: str) -> Iterator[str]:
    """The ids of a prompt's checks of a kind: "logic-1", "logic-2"; "integrity", "integrity-2"."""
    return (kind if number == 1 and kind != _MANY else f"{kind}-{number}" for number in count(1))
