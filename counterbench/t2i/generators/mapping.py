"""A mapping file, written by people who draw elsewhere: which picture is which sample of which prompt.

    path,prompt,sample
    monday/coin-1.png,falling.up.00/l1,0
    monday/coin-2.png,falling.up.00/l1,1

As CSV, or as JSON Lines with the same names. `path` begins at the mapping's own folder, `prompt` is the id that
`t2i export-prompts` writes, and `sample` may be left out: a prompt's next number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from counterbench.errors import InputError
from counterbench.files.tables import read_table

MAPPING_FILES = ("mapping.csv", "mapping.jsonl")
COLUMNS, OPTIONAL = ("path", "prompt"), ("sample",)


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """A line that says of a sample, numbered from 0, where its picture lies; `where` is the file and line.

    The rest is what a manifest may say besides; see `images.manifest.ImageRow`.
    """

    where: str
    path: str
    prompt: str
    sample: int
    prompt_digest: str = ""
    status: str = ""
    message: str = ""


def read_mapping(path: Path, first: int = 0) -> Iterator[Listed]:
    """The lines of a mapping file whose samples are numbered from `first` on.

    InputError, naming file and line, if it is damaged, a path or prompt is empty, or a sample is no number.
    """
    following: dict[str, int] = {}
    for row in read_table(path, COLUMNS, OPTIONAL):
        file, prompt = map(row.filled, COLUMNS)
        given = row["sample"]
        if given and not (re.fullmatch(r"\d{1,9}", given, re.ASCII) and int(given) >= first):
            raise InputError(f"{row.where}, column 'sample': {given!r} is no sample's number, which begin at {first}")
        sample = int(given) - first if given else following.get(prompt, 0)
        following[prompt] = max(following.get(prompt, 0), sample + 1)
        yield Listed(where=row.where, path=file, prompt=prompt, sample=sample)
