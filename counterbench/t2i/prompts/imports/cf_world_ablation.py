"""CF-World's ablations (section 5 of its paper), from its authors' files: rare pairs, abstract rules, no nouns.

prompt_ablation/attribute_decouple.json   two concepts A and B in a prompt: id N unusual, "N_factual" factual
prompt_ablation/rule_decouple.json        a prompt of a rule, and in `ap` the thing that must be seen
prompt_ablation/de-norm/**/<stem>.json    each group's L2 prompt with its nouns described

The first two come without questions, so we wrote the words of their questions.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from counterbench.interop.oddities import Noted
from counterbench.t2i.prompts.imports.imported import ImportedPrompts, imported, paper_counts
from counterbench.t2i.prompts.imports.rows import Row, Unusable, json_files, list_rows, note_others, usable
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
    rows = list_rows(root, file, _ATTRIBUTE_KEYS, odd)
    prompts = _once(usable(rows, lambda row: _attribute(row, odd), odd), odd)
    prompt_set = PromptSet("cf-world-attributes", ATTRIBUTE_LEVELS, prompts)
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
    rows = list_rows(root, file, _RULE_KEYS, odd)
    prompt_set = PromptSet("cf-world-rules", ("rule",), _once(usable(rows, lambda row: _rule(row, odd), odd), odd))
    factual = {prompt.law for prompt in prompt_set.prompts if prompt.variant == "factual"}
    for rule in dict.fromkeys(prompt.law for prompt in prompt_set.prompts):
        if rule not in factual:
            odd.add("rules without a factual prompt", rule)
    return imported(
        prompt_set, "CF-World, rule decoupling: its authors' prompts, asked about in our words", odd,
        paper_counts(PAPER_RULES, "prompts", len(prompt_set.prompts)),
    )  # fmt: skip


def read_denorm(root: Path, folder: Path, originals: PromptSet) -> ImportedPrompts:
    """De-nominalised L2 prompts with the questions, ids and categories of the L2 prompts that they stand beside."""
    odd = Noted()
    rows = [row for file in json_files(folder) for row in list_rows(root, file, _DENORM_KEYS, odd)]
    prompts = _once(usable(rows, lambda row: _denorm(row, originals, odd), odd), odd)
    there = {prompt.group for prompt in prompts}
    for group, levels in originals.groups.items():
        if "l2" in levels and group not in there:
            odd.add("groups without a de-nominalised prompt", group)
    return imported(
        PromptSet("cf-world-denorm", ("l2",), prompts),
        "CF-World, de-nominalisation: other words for L2, with the questions of L2",
        odd,
    )


def _once(prompts: Iterable[Prompt], odd: Noted) -> list[Prompt]:
    """The prompts; only the first of those with the same id."""
    by_id: dict[str, Prompt] = {}
    for prompt in prompts:
        if prompt.id in by_id:
            odd.add("left out: an id that a prompt before has", prompt.id)
        else:
            by_id[prompt.id] = prompt
    return list(by_id.values())


def _attribute(row: Row, odd: Noted) -> Prompt:
    level = row.text("category")
    if level not in ATTRIBUTE_LEVELS:
        raise Unusable(f"'category' is none of {', '.join(ATTRIBUTE_LEVELS)}")
    name = row.name("id")
    if name.endswith(_FACTUAL) != (level == "factual"):
        raise Unusable("'id' and 'category' do not say the same")
    group = f"attribute-{name.removesuffix(_FACTUAL)}"
    concepts = [row.text(key) for key in ("A", "B")]
    note_others(row, _ATTRIBUTE_KEYS, f"{group}/{level}", odd)
    first, second = (each.strip() for each in concepts)
    text = row.text("prompt")
    return Prompt(
        id=f"{group}/{level}",
        group=group,
        level=level,
        text=text,
        checks=(_ours(f'Does the picture show both of these together: "{first}" and "{second}"?', odd, group, level),),
    )


def _rule(row: Row, odd: Noted) -> Prompt:
    category = row.text("category")
    if category not in ("original", "cf"):
        raise Unusable("'category' is none of original, cf")
    rule, id = f"rule-{row.name('rule_id')}", row.name("id")
    group = f"{rule}.{id}"
    point, text = row.text("ap"), row.text("prompt")
    note_others(row, _RULE_KEYS, group, odd)
    return Prompt(
        id=f"{group}/rule",
        group=group,
        level="rule",
        text=text,
        checks=(_ours(f'Does the picture show this: "{point}"?', odd, group, "rule"),),
        law=rule,
        variant="factual" if category == "original" else f"cf-{id}",
    )


def _ours(text: str, odd: Noted, group: str, level: str) -> Check:
    odd.add("no question published: asked in our own words what must be seen", f"{group}/{level}")
    return Check(id="assessment", dimension="assessment-point", text=text)


def _denorm(row: Row, originals: PromptSet, odd: Noted) -> Prompt:
    group = row.name_in_file("id")
    text = row.text("prompt")
    original = originals.groups.get(group, {}).get("l2")
    if original is None:
        raise Unusable("a group that has no prompt at l2")
    note_others(row, (*_DENORM_KEYS, "category"), group, odd)
    if text == original.text:
        odd.add("prompts in the very words of L2, kept", group)
    category = row.cells.get("category", "")
    if not isinstance(category, str) or category.strip() != original.category:
        odd.add("categories other than with L2, which is kept", group)
    return msgspec.structs.replace(original, text=text)
