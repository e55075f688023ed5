"""Prompts in PicWorld's format: a CSV or JSONL file with prompt, category and subcategory. Its authors published none.

The format has no questions about pictures: an author writes them (`t2i prepare --protocol pw-agent`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from counterbench.errors import InputError
from counterbench.files.rows import Row as Written
from counterbench.files.rows import read_rows
from counterbench.interop.oddities import Noted
from counterbench.t2i.prompts.imports.imported import ImportedPrompts, imported
from counterbench.t2i.prompts.imports.rows import Row, Unusable, expect, note_others, text, usable
from counterbench.t2i.prompts.lists import id_of
from counterbench.t2i.prompts.prompt_set import Prompt, PromptSet
from counterbench.text import slug

KEYS = ("prompt", "category", "subcategory")
# The subcategories of each category, in all the spellings that the paper has for them (section 3.1, figure 2, table 1).
CATEGORIES = {
    "physical-world": ("mechanics-dynamics", "light-electromagnetism", "states-of-matter", "thermodynamics"),
    "abstract-knowledge": (
        *("stem-concepts", "culture", "culture-history"),
        *("symbol-system", "humanistic-symbol-systems"),
    ),
    "logic-commonsense-reasoning": (
        *("causality-temporality", "spatial-relations", "spatial-relationships"),
        "integrated-reasoning",
    ),
}


def read_picworld(file: Path) -> list[ImportedPrompts]:
    """The prompts in a file, without questions. Or InputError."""
    odd = Noted()
    rows = [Row(file.parent, file, f"line {row.line}", _cells(row)) for row in read_rows(file)]
    if not rows:
        raise InputError(f"{file}: has no row; expected {', '.join(KEYS)}")
    expect(rows, KEYS)
    by_id: dict[str, Prompt] = {}
    for prompt in usable(rows, lambda row: _prompt(row, by_id, odd), odd):
        by_id[prompt.id] = prompt
    prompt_set = PromptSet("picworld", ("image",), list(by_id.values()), protocol="pw-agent")
    return [imported(prompt_set, "prompts in PicWorld's format, without questions", odd)]


def _cells(row: Written) -> dict[str, Any]:
    """The cells by column, with column names in lower case."""
    return {name.strip().casefold(): row.values.get(name) for name in row.columns}


def _prompt(row: Row, before: dict[str, Prompt], odd: Noted) -> Prompt:
    words = row.text("prompt")
    group, number = id_of(words), 1
    while f"{group}/image" in before:
        group, number = f"{id_of(words)}-{number + 1}", number + 1
    category, subcategory = _class(row, "category", group, odd), _class(row, "subcategory", group, odd)
    note_others(row, KEYS, group, odd)
    every = {name for names in CATEGORIES.values() for name in names}
    if category and category not in CATEGORIES:
        odd.add(f"categories that the paper does not name, kept: {category}", group)
    if subcategory and subcategory not in every:
        odd.add(f"subcategories that the paper does not name, kept: {subcategory}", group)
    elif subcategory and category in CATEGORIES and subcategory not in CATEGORIES[category]:
        odd.add("prompts whose subcategory is of another category in the paper, kept", group)
    return Prompt(
        id=f"{group}/image", group=group, level="image", text=words, category=category, discipline=subcategory
    )


def _class(row: Row, key: str, group: str, odd: Noted) -> str:
    try:
        return slug(text(row.cells.get(key), key))
    except Unusable as error:
        odd.add(f"prompts without a {key}: {error}", group)
        return ""
