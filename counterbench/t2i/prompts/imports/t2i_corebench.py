"""T2I-CoReBench's own prompts and checklists, from its authors' files as published.

data/<task>.json    one of 12 tasks ("C-MI"): by id ("C-MI-001") Main Class, Sub Class, Prompt, Checklist, Remark

An entry of a checklist is a question, whose right answer is always yes, and its tags.
"""

from collections.abc import Iterator
from pathlib import Path

from counterbench.errors import InputError
from counterbench.interop.imported import Noted
from counterbench.t2i.prompts.imports.imported import ImportedPrompts, imported, paper_counts
from counterbench.t2i.prompts.imports.rows import KEY, Row, Unusable, expect, files_in, json_rows, once, usable
from counterbench.t2i.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.text import slug

# In the order of the paper's tables.
TASKS = ("C-MI", "C-MA", "C-MR", "C-TR", "R-LR", "R-BR", "R-HR", "R-PR", "R-GR", "R-AR", "R-CR", "R-RR")
PAPER = 1080  # prompts; of questions it says "around 13,500"
_KEYS = ("Main Class", "Sub Class", "Prompt", "Checklist")
_REMARK = "Remark"
_CHECK_KEYS = ("question", "tags")


def read_t2i_corebench(root: Path) -> list[ImportedPrompts]:
    """The prompts with their checklists, from the release's folder or the one in it with the data. Or InputError."""
    folder = root / "data" if (root / "data").is_dir() else root
    if not folder.is_dir() or not any(folder.glob("*.json")):
        raise InputError(
            f"{root}: not a T2I-CoReBench release, it has no data/*.json; give the folder with data/C-MI.json and the "
            "other tasks"
        )
    odd = Noted()
    files = sorted(files_in(folder, "*.json"), key=_place)
    rows = [row for file in files for row in json_rows(root, file, _KEYS, odd, keyed=True)]
    expect([entry for row in rows for entry in _entries(row)], _CHECK_KEYS, str(folder))
    prompts = once(usable(rows, _prompt), odd)
    counts = paper_counts(PAPER, "prompts", len(prompts))
    prompt_set = PromptSet("t2i-corebench", ("image",), list(prompts.values()), protocol="checklist")
    return [imported(prompt_set, "T2I-CoReBench: prompts and checklists of its authors", odd, counts)]


def _place(file: Path) -> int:
    """The place of a task's file in the paper; files that are no task come last."""
    return TASKS.index(file.stem) if file.stem in TASKS else len(TASKS)


def _prompt(row: Row) -> Prompt:
    group, task = row.name(KEY), row.file.stem
    row.note_others((KEY, *_KEYS, _REMARK), group)
    checks: list[Check] = []
    for entry in _entries(row):
        id = f"q{len(checks) + 1}"
        try:
            entry.note_others(_CHECK_KEYS, f"{group} {id}")
            checks.append(Check(id=id, dimension=task, text=entry.text("question"), tags=_tags(entry, f"{group} {id}")))
        except Unusable as error:
            row.odd.add(f"questions left out: {error}", entry.place)
    category, discipline = (
        slug(row.text_if_any(key, "prompts without a class", group)) for key in ("Main Class", "Sub Class")
    )
    text = row.text("Prompt")
    return Prompt.at(group, "image", text, checks=tuple(checks), category=category, discipline=discipline)


def _entries(row: Row) -> Iterator[Row]:
    """The entries of a prompt's checklist; an entry that is no object becomes one without cells."""
    listed = row.cells.get("Checklist")
    for number, entry in enumerate(listed if isinstance(listed, list) else (), 1):
        cells = entry if isinstance(entry, dict) else {}
        yield Row(row.root, row.file, f"{row.which}, question {number}", cells, row.odd)


def _tags(entry: Row, id: str) -> tuple[str, ...]:
    tags = entry.cells.get("tags")
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        entry.odd.add("questions whose tags are no list of texts, not kept", id)
        return ()
    if not tags:
        entry.odd.add("questions without tags", id)
    return tuple(tags)
