"""T2I-CoReBench's own prompts and checklists, from its authors' files as published.

data/<task>.json    one of 12 tasks ("C-MI"): by id ("C-MI-001") Main Class, Sub Class, Prompt, Checklist, Remark

An entry of a checklist is a question, whose right answer is always yes, and its tags.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from counterbench.errors import InputError
from counterbench.interop.oddities import Noted
from counterbench.t2i.prompts.imports.imported import ImportedPrompts, imported, paper_counts
from counterbench.t2i.prompts.imports.rows import (
    KEY,
    Row,
    Unusable,
    expect,
    json_files,
    keyed_rows,
    note_others,
    text,
    usable,
)
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
    prompts: dict[str, Prompt] = {}
    for file in sorted(json_files(folder, "*.json"), key=_place):
        rows = keyed_rows(root, file, _KEYS, odd)
        expect([row for each in rows for row in _entries(each)], _CHECK_KEYS)
        for prompt in usable(rows, lambda row: _prompt(row, odd), odd):
            if prompt.id in prompts:
                odd.add("left out: an id that a prompt before has", prompt.id)
            else:
                prompts[prompt.id] = prompt
    counts = paper_counts(PAPER, "prompts", len(prompts))
    prompt_set = PromptSet("t2i-corebench", ("image",), list(prompts.values()), protocol="checklist")
    return [imported(prompt_set, "T2I-CoReBench: prompts and checklists of its authors", odd, counts)]


def _place(file: Path) -> int:
    """The place of a task's file in the paper; files that are no task come last."""
    return TASKS.index(file.stem) if file.stem in TASKS else len(TASKS)


def _prompt(row: Row, odd: Noted) -> Prompt:
    group, words, task = row.name(KEY), row.text("Prompt"), text(row.file.stem, "file name")
    if not group.startswith(f"{task}-"):
        odd.add("ids that do not begin with the name of their file, which is the dimension", group)
    note_others(row, (KEY, *_KEYS, _REMARK), group, odd)
    if not isinstance(row.cells.get("Checklist"), list):
        odd.add("prompts whose checklist is no list", group)
    checks: list[Check] = []
    for entry in _entries(row):
        id = f"q{len(checks) + 1}"
        try:
            note_others(entry, _CHECK_KEYS, f"{group} {id}", odd)
            checks.append(Check(id=id, dimension=task, text=entry.text("question"), tags=_tags(entry, group, id, odd)))
        except Unusable as error:
            odd.add(f"questions left out: {error}", entry.place)
    return Prompt(
        id=f"{group}/image",
        group=group,
        level="image",
        text=words,
        checks=tuple(checks),
        category=_class(row, "Main Class", group, odd),
        discipline=_class(row, "Sub Class", group, odd),
    )


def _entries(row: Row) -> Iterator[Row]:
    """The entries of a prompt's checklist; an entry that is no object becomes one without cells."""
    listed = row.cells.get("Checklist")
    for number, entry in enumerate(listed if isinstance(listed, list) else (), 1):
        yield Row(row.root, row.file, f"{row.which}, question {number}", entry if isinstance(entry, dict) else {})


def _tags(entry: Row, group: str, id: str, odd: Noted) -> tuple[str, ...]:
    tags = entry.cells.get("tags")
    try:
        if not isinstance(tags, list):
            raise Unusable("'tags' is no list")
        kept = tuple(text(tag, "tag") for tag in tags)
    except Unusable as error:
        odd.add(f"questions whose tags are not kept: {error}", f"{group} {id}")
        return ()
    if not kept:
        odd.add("questions without tags", f"{group} {id}")
    return kept


def _class(row: Row, key: str, group: str, odd: Noted) -> str:
    try:
        return slug(row.text(key))
    except Unusable as error:
        odd.add(f"prompts without a class: {error}", group)
        return ""
