"""Prompts as a table, for people who draw elsewhere: `id` ("<group>/<level>") and `text`, as CSV or JSON Lines."""

from __future__ import annotations

import csv
import io
from functools import partial
from pathlib import Path

from counterbench.errors import InputError
from counterbench.files import claim, formats
from counterbench.files.tables import SUFFIXES
from counterbench.t2i.prompts.prompt_set import Prompt, PromptSet
from counterbench.text import literal

# The beginnings of our own files, so that no other file is overwritten.
_BEGINNINGS = {".csv": b"id,text\n", ".jsonl": b'{"id":"'}


def export_prompts(prompts: PromptSet, out: Path, limit: int | None = None) -> list[Prompt]:
    """Write the prompts of the first `limit` groups (None: all), at all their levels; returns the written prompts.

    In CSV a text that a spreadsheet would take for a formula has a ' before it.

    InputError if `out` does not end in .csv or .jsonl, or something else lies there.
    """
    kind = out.suffix.lower()
    if kind not in SUFFIXES:
        raise InputError(f"{out}: --out must end in {' or '.join(SUFFIXES)}")
    if limit is not None and limit < 1:
        raise InputError(f"--limit must be at least 1, not {limit}")
    claim.refuse_taken(out, "list of prompts", partial(claim.begins_with, beginning=_BEGINNINGS[kind]))
    chosen = prompts.first(limit)
    rows = [{"id": prompt.id, "text": prompt.text} for prompt in chosen]
    with formats.clear_os_errors(out, "writing"):
        out.parent.mkdir(parents=True, exist_ok=True)
        if kind == ".jsonl":
            formats.write_lines(out, rows)
        else:
            file = io.StringIO(newline="")
            writer = csv.DictWriter(file, ("id", "text"), lineterminator="\n")
            writer.writeheader()
            writer.writerows({name: literal(cell) for name, cell in row.items()} for row in rows)
            formats.write_atomically(out, file.getvalue().encode())
    return chosen
