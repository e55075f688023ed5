"""Prompts in PicWorld's format: a CSV or JSONL file with prompt, category and subcategory. Its authors published none.

The format has no questions about pictures: an author writes them (`t2i prepare --protocol pw-agent`).
"""

from pathlib import Path

import msgspec

from counterbench.interop.imported import Noted
from counterbench.t2i.prompts.imports.imported import ImportedPrompts, imported
from counterbench.t2i.prompts.items import read_items
from counterbench.t2i.prompts.prompt_set import PromptSet
from counterbench.t2i.prompts.table import prompts_of
from counterbench.text import slug


def read_picworld(file: Path) -> list[ImportedPrompts]:
    """The prompts in a file, as of any table. Or InputError."""
    items = read_items(file)
    prompts = [
        msgspec.structs.replace(each, category=slug(each.category), discipline=slug(each.discipline))
        for each in prompts_of(items).prompts.prompts
    ]
    prompt_set = PromptSet("picworld", ("image",), prompts, protocol="pw-agent")
    return [imported(prompt_set, "prompts in PicWorld's format, without questions", Noted(), items.not_used)]
