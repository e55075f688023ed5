"""Prompts in PicWorld's format: a CSV or JSONL file with prompt, category and subcategory. Its authors published none.

The format has no questions about pictures: an author writes them (`t2i prepare --protocol pw-agent`).
"""

from pathlib import Path

from counterbench.files.rows import read_rows
from counterbench.interop.imported import Noted
from counterbench.t2i.prompts.imports.imported import ImportedPrompts, imported
from counterbench.t2i.prompts.imports.rows import Row, expect, usable
from counterbench.t2i.prompts.prompt_set import Prompt, PromptSet
from counterbench.t2i.prompts.table import id_of
from counterbench.text import slug

KEYS = ("prompt", "category", "subcategory")


def read_picworld(file: Path) -> list[ImportedPrompts]:
    """The prompts in a file, without questions. Or InputError."""
    odd = Noted()
    rows = [  # with column names in lower case
        Row(file.parent, file, f"line {row.line}", {name.casefold(): row.values.get(name) for name in row.columns}, odd)
        for row in read_rows(file)
    ]
    by_id: dict[str, Prompt] = {}
    for prompt in usable(expect(rows, KEYS, str(file)), lambda row: _prompt(row, by_id)):
        by_id[prompt.id] = prompt
    prompt_set = PromptSet("picworld", ("image",), list(by_id.values()), protocol="pw-agent")
    return [imported(prompt_set, "prompts in PicWorld's format, without questions", odd)]


def _prompt(row: Row, before: dict[str, Prompt]) -> Prompt:
    words = row.text("prompt")
    group, number = id_of(words), 1
    while f"{group}/image" in before:
        group, number = f"{id_of(words)}-{number + 1}", number + 1
    row.note_others(KEYS, group)
    category, discipline = (
        slug(row.text_if_any(key, f"prompts without a {key}", group)) for key in ("category", "subcategory")
    )
    return Prompt.at(group, "image", words, category=category, discipline=discipline)
