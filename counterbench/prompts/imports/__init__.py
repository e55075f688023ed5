"""Prompts of published benchmarks, from their authors' files; the dictionaries below are the whole list.

An importer is a function from the release's folder (or file) to prompt sets with their warnings. `cf_world`,
`r2i_bench` and `t2i_corebench` each know one layout of files; the format "prompts" is any table. `rows` reads the rows
of other people's files and makes each fault a message or a line of the report. `imported` joins questions to prompts,
warns about a whole set, and writes it. Words stay as published: nothing is corrected, and everything left out is
counted.
"""

from collections.abc import Callable
from pathlib import Path

from counterbench.errors import chosen
from counterbench.prompts.imports.cf_world import read_cf_world
from counterbench.prompts.imports.imported import ImportedPrompts, read_picworld, read_table_of_prompts
from counterbench.prompts.imports.r2i_bench import read_r2i_bench
from counterbench.prompts.imports.t2i_corebench import read_t2i_corebench

# Format name to a description of its files.
PROMPT_IMPORTS: dict[str, str] = {
    "prompts": "a table of prompts, with questions if there are any, or a text file with a prompt a line\nrecognised: "
    "GenEval's metadata, DSG's, TIFA's and GenEval 2's questions, T2I-CompBench's lists, evalscope's JSONL",
    "cf-world": "CF-World: prompts at three levels with their questions, and its attribute, rule and de-norm sets",
    "r2i-bench": "R2I-Bench: prompts in 7 categories of reasoning with weighted, graded questions",
    "t2i-corebench": "T2I-CoReBench: prompts in 12 dimensions with their checklists",
    "picworld": "PicWorld: a CSV or JSONL file with prompt, category and subcategory",
}
_READERS: dict[str, Callable[[Path], list[ImportedPrompts]]] = {
    "prompts": read_table_of_prompts,
    "cf-world": read_cf_world,
    "r2i-bench": read_r2i_bench,
    "t2i-corebench": read_t2i_corebench,
    "picworld": read_picworld,
}


def prompt_importer(name: str) -> Callable[[Path], list[ImportedPrompts]]:
    """The function that reads a release in the format `name`; it raises InputError. InputError for an unknown name."""
    return chosen("import format", name, _READERS)
