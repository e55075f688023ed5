"""Prompts of published benchmarks, from their authors' files; the dictionary below is the whole list.

An importer is a function from the release's folder (or file) to prompt sets with their warnings. `cf_world`,
`r2i_bench` and `t2i_corebench` each know one layout of files; the format "prompts" is any table. `rows` reads the rows
of other people's files and makes each fault a message or a line of the report. `imported` joins questions to prompts,
warns about a whole set, and writes it. Words stay as published: nothing is corrected, and everything left out is
counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from counterbench.errors import unknown

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from counterbench.prompts.imports.imported import ImportedPrompts

# Format name to a description of its files.
PROMPT_IMPORTS: dict[str, str] = {
    "prompts": "a table of prompts, with questions if there are any, or a text file with a prompt a line\nrecognised: "
    "GenEval's metadata, DSG's, TIFA's and GenEval 2's questions, T2I-CompBench's lists, evalscope's JSONL",
    "cf-world": "CF-World: prompts at three levels with their questions, and its attribute, rule and de-norm sets",
    "r2i-bench": "R2I-Bench: prompts in 7 categories of reasoning with weighted, graded questions",
    "t2i-corebench": "T2I-CoReBench: prompts in 12 dimensions with their checklists",
    "picworld": "PicWorld: a CSV or JSONL file with prompt, category and subcategory",
}


def prompt_importer(name: str) -> Callable[[Path], list[ImportedPrompts]]:
    """The function that reads a release in the format `name`; it raises InputError. InputError for an unknown name."""
    from counterbench.prompts.imports.cf_world import read_cf_world
    from counterbench.prompts.imports.imported import read_picworld, read_table_of_prompts
    from counterbench.prompts.imports.r2i_bench import read_r2i_bench
    from counterbench.prompts.imports.t2i_corebench import read_t2i_corebench

    readers = (read_table_of_prompts, read_cf_world, read_r2i_bench, read_t2i_corebench, read_picworld)
    if name not in PROMPT_IMPORTS:
        raise unknown("import format", name, PROMPT_IMPORTS)
    return readers[[*PROMPT_IMPORTS].index(name)]
