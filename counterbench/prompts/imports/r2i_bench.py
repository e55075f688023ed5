"""R2I-Bench's own prompts and graded questions, from its authors' files as published.

data/prompts/<category>/<category>_<subcategory>.csv   Prompt, Category, Subcategory, id, …
data/evaluation/<category>/<subcategory>_eval.csv      source_id (a prompt's), question, evaluation_criteria, weight, id

Ids begin again in each file, so a group is "<category>_<subcategory>.<id>": "logical_deductive.7". The dimension of a
question is not published; it follows from the weight (section 3 of the paper). The weights in mathematics do not follow
the paper's ranges (every element of a union has 4; others have 1 to 5 in turn), so its questions have no dimension.
"""

from functools import partial
from pathlib import Path

import msgspec

from counterbench.errors import InputError
from counterbench.files.data_warnings import Warnings
from counterbench.files.rows import Row
from counterbench.prompts.imports import rows
from counterbench.prompts.imports.imported import ImportedPrompts, ImportedQuestion, imported, paper_counts, with_checks
from counterbench.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.text import slug

# In the order of the paper's Table 2.
CATEGORIES = ("commonsense", "compositional", "concept_mixing", "logical", "numerical", "mathematical", "causal")
PAPER, PAPER_SUBCATEGORIES = 3068, 32  # the numbers of prompts and of subcategories that the paper states
# The ranges of weights by which the paper tells the dimension of a question.
DIMENSIONS = {"reasoning": (7, 10), "alignment": (4, 6), "quality": (1, 3)}
BY_CLASS = "mathematical"  # the category whose questions have no dimension: they are scored by category alone
_LIGHTEST, _HEAVIEST = 1, 10  # the paper's range of weights
_FILES = "*/*.csv"
_FILE_ENDING = "_eval"  # the end of a file of questions
_PROMPT_KEYS = ("Prompt", "Reference Caption", "Assessment Point", "Category", "Subcategory", "id")
_QUESTION_KEYS = ("source_id", "evaluation_criteria", "id", "question", "weight")


def read_r2i_bench(root: Path) -> list[ImportedPrompts]:
    """The prompts with their questions, from a release's folder or from `data` in it; InputError for another folder."""
    folder = root / "data" if (root / "data").is_dir() else root
    prompt_folder, evaluation = folder / "prompts", folder / "evaluation"
    if not all(any(part.glob("*/*.csv")) for part in (prompt_folder, evaluation)):
        raise InputError(
            f"{root}: not an R2I-Bench release, it has no data/prompts/*/*.csv and data/evaluation/*/*.csv; give the "
            "folder with data/prompts/commonsense and the other categories"
        )
    warnings = Warnings()
    published = rows.read_tables(prompt_folder, _FILES, _PROMPT_KEYS, partial(_prompt, warnings), warnings, CATEGORIES)
    questions = rows.read_tables(evaluation, _FILES, _QUESTION_KEYS, partial(_question, warnings), warnings, CATEGORIES)
    duplicates = ("ids of questions used twice for a prompt, both kept", "{name} {check.id}")
    prompts = {prompt.group: prompt for prompt in rows.first_of_each_id(published, warnings).values()}
    every = [_with_dimensions(prompt, warnings) for prompt in with_checks(prompts, questions, warnings, duplicates)]
    counts = paper_counts(PAPER, "prompts", len(every))
    counts += paper_counts(PAPER_SUBCATEGORIES, "subcategories", len({prompt.discipline for prompt in every}))
    prompt_set = PromptSet("r2i-bench", ("image",), every, protocol="r2i-score")
    words = "R2I-Bench: prompts and weighted, graded questions of its authors"
    return [imported(prompt_set, words, [*counts, *warnings.all()])]


def _prompt(warnings: Warnings, row: Row) -> Prompt:
    """The prompt of a row; its category and discipline are those of its file's name."""
    group, folder = rows.name_in_file(row, "id"), row.file.parent.name
    classes = {"Category": slug(folder), "Subcategory": slug(row.file.stem.removeprefix(f"{folder}_"))}
    for key, from_file in classes.items():
        own = str(row.values.get(key, ""))
        if slug(own) != from_file:
            warnings.add(f"prompts with another {key.lower()} than their file's, which is kept", f"{group}: {own[:60]}")
    rows.note_others(row, _PROMPT_KEYS, group, warnings)
    category, discipline = classes.values()
    return Prompt.at(group, "image", rows.text(row, "Prompt"), category=category, discipline=discipline)


def _question(warnings: Warnings, row: Row) -> ImportedQuestion:
    """The question in a row, with its place and its group; the check has no dimension and no tags yet."""
    group = f"{row.file.parent.name}_{rows.name_in_file(row, 'source_id', _FILE_ENDING)}"
    id, weight = f"q{rows.name(row, 'id')}", rows.weight(row, "weight")
    where = f"{group} {id}"
    if weight > _HEAVIEST:
        warnings.add(f"weights above the paper's {_HEAVIEST}, kept", where)
    elif weight == 0:
        warnings.add("weights of 0: asked, and no part of the score", where)
    elif weight < _LIGHTEST:
        warnings.add(f"weights below the paper's {_LIGHTEST}, kept", where)
    rows.note_others(row, _QUESTION_KEYS, where, warnings)
    criteria = rows.text_if_any(row, "evaluation_criteria", "questions without criteria, kept", where, warnings)
    words = rows.text(row, "question")
    check = Check(id=id, text=words, criteria=criteria, answer_type="score", expected="1", weight=weight)
    return ImportedQuestion(rows.place_of(row), group, check)


def _with_dimensions(prompt: Prompt, warnings: Warnings) -> Prompt:
    """The prompt with its subcategory (`discipline`) as the tag of each check, and with the dimensions of its checks.

    A check's weight tells its dimension (`DIMENSIONS`), if all weights are on the paper's scale of 1 to 10.
    """
    is_on_scale = all(_LIGHTEST <= check.weight <= _HEAVIEST for check in prompt.checks if check.weight)
    if not is_on_scale:
        warnings.add(
            "prompts whose weights are of another scale than 1 to 10: in the score, and in no dimension", prompt.group
        )
    if prompt.category == BY_CLASS:
        warnings.add("prompts of mathematics, whose weights tell no dimension: by class alone", prompt.group)
    has_dimensions = is_on_scale and prompt.category != BY_CLASS
    checks = []
    for check in prompt.checks:
        named = [name for name, (low, high) in DIMENSIONS.items() if has_dimensions and low <= check.weight <= high]
        checks.append(msgspec.structs.replace(check, tags=(prompt.discipline,), dimension="".join(named)))
    return msgspec.structs.replace(prompt, checks=tuple(checks))
