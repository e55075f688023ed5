"""CF-World's ablations (section 5 of its paper), from its authors' files: rare pairs, abstract rules, no nouns.

prompt_ablation/attribute_decouple.json   two concepts A and B in a prompt: id N unusual, "N_factual" factual
prompt_ablation/rule_decouple.json        a prompt of a rule, and in `ap` the thing that must be seen
prompt_ablation/de-norm/**/<stem>.json    each group's L2 prompt with its nouns described

The first two come without questions, so we wrote the words of their questions.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from counterbench.interop.data_warnings import Noted
from counterbench.t2i.prompts.imports.imported import ImportedPrompts, imported, paper_counts
from counterbench.t2i.prompts.imports.rows import Row, Unusable, files_in, json_rows, once, usable
from counterbench.t2i.prompts.prompt_set import Check, Prompt, PromptSet

PAPER_PAIRS, PAPER_RULES = 100, 198  # sections 5.2 and 5.1
ATTRIBUTE_LEVELS = ("factual", "unusual")
_FACTUAL = "_factual"  # the end of an id
_ATTRIBUTE_KEYS = ("id", "A", "B", "prompt", "category")
_RULE_KEYS = ("rule_id", "id", "category", "prompt", "ap")
_DENORM_KEYS = ("id", "prompt")


def read_attributes(root: Path, file: Path) -> ImportedPrompts:
    """Pairs of prompts: one with two concepts that are commonly seen together, one with two that are not."""
    odd = Noted()
    prompts = once(usable(json_rows(root, file, _ATTRIBUTE_KEYS, odd), _attribute), odd)
    prompt_set = PromptSet("cf-world-attributes", ATTRIBUTE_LEVELS, [*prompts.values()])
    for group, levels in prompt_set.groups.items():
        if len(levels) < len(ATTRIBUTE_LEVELS):
            odd.add("pairs with one of their two prompts", group)
    return imported(
        prompt_set, "CF-World, attribute decoupling: its authors' prompts, asked about in our words", odd,
        paper_counts(PAPER_PAIRS, "pairs", len(prompt_set.groups)),
    )  # fmt: skip


def read_rules(root: Path, file: Path) -> ImportedPrompts:
    """Rules over abstract symbols, each in its variants: all variants of a rule have the same `law`."""
    odd = Noted()
    prompts = once(usable(json_rows(root, file, _RULE_KEYS, odd), _rule), odd)
    prompt_set = PromptSet("cf-world-rules", ("rule",), [*prompts.values()])
    return imported(
        prompt_set, "CF-World, rule decoupling: its authors' prompts, asked about in our words", odd,
        paper_counts(PAPER_RULES, "prompts", len(prompt_set.prompts)),
    )  # fmt: skip


def read_denorm(root: Path, folder: Path, originals: PromptSet) -> ImportedPrompts:
    """De-nominalised L2 prompts with the questions, ids and categories of the L2 prompts that they stand beside."""
    odd = Noted()
    rows = [row for file in files_in(folder) for row in json_rows(root, file, _DENORM_KEYS, odd)]
    prompts = once(usable(rows, lambda row: _denorm(row, originals)), odd)
    return imported(
        PromptSet("cf-world-denorm", ("l2",), [*prompts.values()]),
        "CF-World, de-nominalisation: other words for L2, with the questions of L2",
        odd,
    )


def _attribute(row: Row) -> Prompt:
    level = row.text("category")
    if level not in ATTRIBUTE_LEVELS:
        raise Unusable(f"'category' is none of {', '.join(ATTRIBUTE_LEVELS)}")
    name = row.name("id")
    if name.endswith(_FACTUAL) != (level == "factual"):
        raise Unusable("'id' and 'category' do not say the same")
    group = f"attribute-{name.removesuffix(_FACTUAL)}"
    row.note_others(_ATTRIBUTE_KEYS, f"{group}/{level}")
    first, second = (row.text(key).strip() for key in ("A", "B"))
    return Prompt(
        id=f"{group}/{level}",
        group=group,
        level=level,
        text=row.text("prompt"),
        checks=_ours(row, f'Does the picture show both of these together: "{first}" and "{second}"?', group, level),
    )


def _rule(row: Row) -> Prompt:
    category = row.text("category")
    if category not in ("original", "cf"):
        raise Unusable("'category' is none of original, cf")
    rule, id = f"rule-{row.name('rule_id')}", row.name("id")
    group = f"{rule}.{id}"
    row.note_others(_RULE_KEYS, group)
    return Prompt(
        id=f"{group}/rule",
        group=group,
        level="rule",
        text=row.text("prompt"),
        checks=_ours(row, f'Does the picture show this: "{row.text("ap")}"?', group, "rule"),
        law=rule,
        variant="factual" if category == "original" else f"cf-{id}",
    )


def _ours(row: Row, text: str, group: str, level: str) -> tuple[Check]:
    row.odd.add("no question published: asked in our own words what must be seen", f"{group}/{level}")
    return (Check(id="assessment", dimension="assessment-point", text=text),)


def _denorm(row: Row, originals: PromptSet) -> Prompt:
    group, text = row.name_in_file("id"), row.text("prompt")
    original = originals.groups.get(group, {}).get("l2")
    if original is None:
        raise Unusable("a group that has no prompt at l2")
    row.note_others((*_DENORM_KEYS, "category"), group)
    if text == original.text:
        row.odd.add("prompts in the very words of L2, kept", group)
    if str(row.cells.get("category", "")).strip() != original.category:
        row.odd.add("categories other than with L2, which is kept", group)
    return msgspec.structs.replace(original, text=text)
