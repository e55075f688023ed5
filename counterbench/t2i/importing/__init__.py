"""Pictures that were made elsewhere, as folders of pictures of our own, one a model; the files stay in their places.

The prompts and the pictures of a table, or of a folder PICTURES/MODEL/…, are read here; `places` has the sample that
each picture is, `pictures` writes the folders.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from counterbench.errors import InputError
from counterbench.files.rows import has_table
from counterbench.t2i.importing.pictures import import_pictures
from counterbench.t2i.importing.places import Placed, places_in_folder, places_in_table
from counterbench.t2i.prompts.items import read_items
from counterbench.t2i.prompts.prompt_set import PromptSet
from counterbench.t2i.prompts.table import prompts_of

__all__ = ["Material", "import_pictures", "read_material"]


class Material(NamedTuple):
    """Prompts with their questions, the pictures of them, and notes on what is not used."""

    prompts: PromptSet
    placed: list[Placed]
    notes: list[str]


def read_material(path: Path, prompts: PromptSet | None = None, columns: Mapping[str, str] = {}) -> Material:
    """Read a table or folder; `prompts`: those of its pictures, by default the table's own.

    `columns`: the table's names of our columns. InputError for a folder of pictures without `prompts`, and if no
    picture belongs to a prompt.
    """
    if not path.exists():
        raise InputError(f"{path}: there is no such table or folder")
    notes: list[str] = []
    if path.is_dir() and not has_table(path):
        if prompts is None:
            raise InputError(
                f"{path}: is a folder of pictures; name the file of their prompts, too (evaluate --questions, t2i "
                "import --for)"
            )
        places = places_in_folder(path, prompts)
    else:
        items, of_rows = read_items(path, columns), None
        if prompts is None:
            prompts, of_rows = prompts_of(items)
        places = places_in_table(items, prompts, of_rows, path.stem if path.is_file() else path.resolve().name)
        notes = [warning.line() for warning in items.not_used]
    notes += places.unused
    if not places.placed:
        why = f" ({places.unused[0]})" if places.unused else ": there is none (PNG, JPEG, WebP)"
        raise InputError(f"{path}: no picture belongs to a prompt of {prompts.name!r}{why}")
    pictured = {one.prompt for one in places.placed}
    return Material(prompts.of([of for of in prompts.prompts if of.id in pictured]), places.placed, notes)
