"""T2I-CoReBench's own prompts and checklists, from its authors' files as published.

data/<task>.json    one of 12 tasks ("C-MI"): by id ("C-MI-001") Main Class, Sub Class, Prompt, Checklist, Remark

An entry of a checklist is a question, whose right answer is always yes, and its tags.
"""

from functools import partial
from pathlib import Path

from counterbench.errors import InputError
from counterbench.files.data_warnings import Warnings
from counterbench.files.rows import Row
from counterbench.prompts.imports import rows
from counterbench.prompts.imports.imported import ImportedPrompts, imported, paper_counts
from counterbench.prompts.imports.rows import Unusable
from counterbench.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.text import slug

# In the order of the paper's tables.
TASKS = ("C-MI", "C-MA", "C-MR", "C-TR", "R-LR", "R-BR", "R-HR", "R-PR", "R-GR", "R-AR", "R-CR", "R-RR")
PAPER = 1080  # prompts; of questions it says "around 13,500"
_KEYS = ("Main Class", "Sub Class", "Prompt", "Checklist")
_UNKEPT_KEYS = ("id", "Remark")  # known keys that are not kept; "id" is the key of the prompt in its file
_CHECK_KEYS = ("question", "tags")


def read_t2i_corebench(root: Path) -> list[ImportedPrompts]:
    """The prompts with their checklists, from a release's folder or `data` in it; InputError for another folder."""
    folder = root / "data" if (root / "data").is_dir() else root
    if not folder.is_dir() or not any(folder.glob("*.json")):
        raise InputError(
            f"{root}: not a T2I-CoReBench release, it has no data/*.json; give the folder with data/C-MI.json and the "
            "other tasks"
        )
    warnings = Warnings()
    published = rows.read_tables(folder, "*.json", _KEYS, partial(_prompt_of_row, warnings), warnings, TASKS)
    prompts = rows.first_of_each_id(published, warnings)
    counts = paper_counts(PAPER, "prompts", len(prompts))
    prompt_set = PromptSet("t2i-corebench", ("image",), list(prompts.values()), protocol="checklist")
    return [imported(prompt_set, "T2I-CoReBench: prompts and checklists of its authors", [*counts, *warnings.all()])]


def _prompt_of_row(warnings: Warnings, row: Row) -> Prompt:
    """The prompt of a row with its checklist; entries that cannot be used are reported."""
    group, task, listed = rows.name(row, "id"), row.file.stem, row.values.get("Checklist")
    rows.note_others(row, (*_KEYS, *_UNKEPT_KEYS), group, warnings)
    checks: list[Check] = []
    for number, cells in enumerate(listed if isinstance(listed, list) else (), 1):
        entry = Row(row.line, cells if isinstance(cells, dict) else {}, (), row.file)
        id = f"q{len(checks) + 1}"
        try:
            rows.note_others(entry, _CHECK_KEYS, f"{group} {id}", warnings)
            tags = _tags(entry, f"{group} {id}", warnings)
            checks.append(Check(id=id, dimension=task, text=rows.text(entry, "question"), tags=tags))
        except Unusable as error:
            warnings.add(f"questions left out: {error}", f"{group}, question {number}")
    category, discipline = (
        slug(rows.text_if_any(row, key, "prompts without a class", group, warnings))
        for key in ("Main Class", "Sub Class")
    )
    words = rows.text(row, "Prompt")
    return Prompt.at(group, "image", words, checks=tuple(checks), category=category, discipline=discipline)


def _tags(entry: Row, id: str, warnings: Warnings) -> tuple[str, ...]:
    """The tags of an entry of a checklist; none, with a warning about `id`, if they are no list of texts."""
    tags = entry.values.get("tags")
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        warnings.add("questions whose tags are no list of texts, not kept", id)
        return ()
    if not tags:
        warnings.add("questions without tags", id)
    return tuple(tags)
