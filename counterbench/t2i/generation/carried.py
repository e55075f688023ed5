"""Which prompts a folder of pictures was asked for: it carries them, and can be asked for more of them later.

Their words alone bind it. Checks may change, and prompts be added: what was drawn stays what it is.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.t2i.images.manifest import (
    IMAGES_FILE,
    MANIFEST_FILE,
    PROMPTS_FILE,
    ImageRow,
    ImagesInfo,
    carried_prompts,
    read_images_info,
)
from counterbench.t2i.prompts.prompt_set import Prompt, PromptSet


def asked_for(folder: Path, prompts: PromptSet, limit: int | None) -> PromptSet:
    """The prompts that `folder` is asked for with the first `limit` groups of `prompts`, and ever was.

    They stand in the order of `prompts` with the checks that they have there; behind them those that are in it no
    more. InputError if it holds pictures of other words, or of other prompts altogether.
    """
    before = _asked_before(folder, prompts)
    chosen = {prompt.id for prompt in prompts.first(limit)}
    if before is None:
        return prompts.of([prompt for prompt in prompts.prompts if prompt.id in chosen])
    known = prompts.by_id
    if not before.by_id.keys() & known.keys():
        raise InputError(
            f"{folder}: holds pictures of other prompts: none of those that it has of {before.name!r} is in "
            f"{prompts.name!r}; choose another --out"
        )
    changed = [p.id for p in before.prompts if p.id in known and p.digest != known[p.id].digest]
    if changed:
        more = f", and those of {len(changed) - 1} more" if len(changed) > 1 else ""
        raise InputError(
            f"{folder}: holds pictures of other words: the words of prompt {changed[0]!r} are not as they were when it "
            f"was asked for{more}; put them back, or choose another --out"
        )
    return _joined(before, prompts, chosen)


def _joined(before: PromptSet, prompts: PromptSet, chosen: set[str]) -> PromptSet:
    kept = [prompt for prompt in prompts.prompts if prompt.id in chosen or prompt.id in before.by_id]
    gone = [prompt for prompt in before.prompts if prompt.id not in prompts.by_id]
    levels = list(dict.fromkeys([*prompts.levels, *before.levels]))
    everything = [*prompts.prompts, *gone]
    weights = prompts.category_weights
    if weights:
        weights = {prompt.category: before.category_weights.get(prompt.category, 0) for prompt in gone} | weights
    both = PromptSet(prompts.name, levels, everything, prompts.seed, prompts.protocol, weights)
    return both.of([*kept, *gone])


def _asked_before(folder: Path, prompts: PromptSet) -> PromptSet | None:
    """What a folder was asked for so far; None if it is a new one, or was stopped before that was written."""
    if not (folder / IMAGES_FILE).is_file():
        return None
    there = read_images_info(folder)
    if isinstance(there, ImagesInfo) and (folder / PROMPTS_FILE).is_file():
        return carried_prompts(folder)
    if (folder / MANIFEST_FILE).is_file():
        return _drawn_before(folder, there.prompts)
    if isinstance(there, ImagesInfo):
        return None
    if there.prompts_digest == prompts.digest:
        return prompts.of([prompt for of in islice(prompts.groups.values(), there.groups) for prompt in of.values()])
    raise InputError(
        f"{folder}: an earlier version was stopped while it drew {there.prompts!r} as that was then; have that version "
        "finish these pictures, or choose another --out"
    )


def _drawn_before(folder: Path, name: str) -> PromptSet:
    """The words in the manifest, where the folder has no prompts: one of the format before, which kept no checks."""
    rows = {f"{row.group}/{row.level}": row for row in formats.read_lines(folder / MANIFEST_FILE, ImageRow)}
    prompts = [Prompt(id=id, group=row.group, level=row.level, text=row.prompt) for id, row in rows.items()]
    return PromptSet(name, list(dict.fromkeys(prompt.level for prompt in prompts)), prompts)
